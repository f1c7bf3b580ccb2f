use super::*;

/// What is to be done always and never contradicts in each language whose words the table has.
#[test]
fn always_and_never_exclude_each_other_in_other_languages() {
    for (a, b) in [
        (
            "Никогда не коммитьте напрямую в ветку main",
            "Всегда коммитьте напрямую в ветку main",
        ),
        (
            "Логи не удаляются после релиза сервиса",
            "Логи удаляются после релиза сервиса",
        ),
        (
            "Ne poussez jamais directement sur main",
            "Poussez toujours directement sur main",
        ),
        (
            "Ne jamais relancer le serveur depuis la CI",
            "Toujours relancer le serveur depuis la CI",
        ),
        (
            "Nunca subas cambios directos a la rama main",
            "Siempre subas cambios directos a la rama main",
        ),
        (
            "Nunca faça push direto para a branch main",
            "Sempre faça push direto para a branch main",
        ),
        ("永远不要直接提交到 main 分支", "必须直接提交到 main 分支"),
        (
            "禁止在生产环境执行 migrate 命令",
            "务必在生产环境执行 migrate 命令",
        ),
        (
            "main ブランチに直接コミットしない",
            "main ブランチに直接コミットする",
        ),
        (
            "決して main ブランチに直接プッシュしないでください",
            "必ず main ブランチに直接プッシュしてください",
        ),
        (
            "절대 main 브랜치에 직접 커밋하지 마세요",
            "항상 main 브랜치에 직접 커밋하세요",
        ),
    ] {
        assert_eq!(
            slot(a, b),
            Some(Slot::Negation),
            "{a} / {b}: {:?}",
            relation(a, b)
        );
    }
    for (a, b) in [
        (
            "Никогда не коммитьте напрямую в ветку main",
            "Никогда не коммитьте напрямую в ветку main.",
        ),
        (
            "Ne poussez jamais directement sur main",
            "Poussez toujours la branche de travail avant la revue",
        ),
        (
            "Nunca subas cambios directos a la rama main",
            "Siempre abre una revisión antes de publicar",
        ),
        (
            "禁止在生产环境执行 migrate 命令",
            "务必在测试环境执行 seed 命令",
        ),
        ("必须使用 pnpm 安装依赖", "应该使用 pnpm 安装依赖"),
        ("必ずテストを実行してください", "テストは必ず実行する"),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}: {:?}", relation(a, b));
    }
}

/// One fact about a thing with a rare name in another order.
#[test]
fn one_fact_told_in_another_order_is_the_same() {
    for (a, b) in [
        (
            "Pre-existing test failure: `af_compiler_tests:sub_clause_test_` — needs investigation",
            "Pre-existing `af_compiler_tests:sub_clause_test_` failure on a4_version3 — needs investigation",
        ),
        (
            "Flaky upload check: `storage_suite:resume_part_` times out under load",
            "`storage_suite:resume_part_` flaky upload check times out under load",
        ),
        (
            "The stale cache bug in `pricing/rate_table.py` needs an owner",
            "`pricing/rate_table.py` stale cache bug needs an owner",
        ),
    ] {
        assert!(
            matches!(relation(a, b), Relation::Same(_)),
            "{a} / {b}: {:?}",
            relation(a, b)
        );
    }
    for (a, b) in [
        (
            "Pre-existing test failure: `af_compiler_tests:sub_clause_test_` — needs investigation",
            "Pre-existing `af_lexer_tests:string_test_` failure on a4_version3 — needs investigation",
        ),
        (
            "Flaky upload check: `storage_suite:resume_part_` times out under load",
            "`storage_suite:resume_part_` flaky upload check no longer times out under load",
        ),
        (
            "The stale cache bug in `pricing/rate_table.py` needs an owner",
            "`pricing/rate_table.py` needs an owner for the currency rounding fix",
        ),
    ] {
        assert!(
            !matches!(relation(a, b), Relation::Same(_)),
            "{a} / {b}: {:?}",
            relation(a, b)
        );
    }
}
