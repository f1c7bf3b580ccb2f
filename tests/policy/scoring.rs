//! Points, thresholds and the number of places (SPEC-0007, "scoreMemoryRelevance" and
//! "Configuration"; SPEC-0009, "Scoring Algorithm").

use memkeep::config::InjectSettings;
use memkeep::retrieval::{Limits, Reason};

use crate::helper::{Memo, World, limits, memo, task};

fn points(memo: Memo, text: &str, agent: &str, dialect: &'static str) -> f64 {
    let world = World::of(&[("m", memo.when(&[""]))]);
    let verdict = world.verdict("m", &task(text, agent), &limits(dialect));
    let sum: f64 = verdict.factors.iter().map(|factor| factor.points).sum();
    let score = verdict.score.unwrap();
    assert!(
        (sum - score).abs() < f64::EPSILON,
        "the factors are the score: {verdict:?}"
    );
    score
}

/// A memory that earns nothing but its importance of 5.
fn plain() -> Memo {
    memo("Qqq").importance("low")
}

#[test]
fn the_table_of_the_spec() {
    for (memo, text, agent, expected) in [
        (plain(), "x", "", 5.0),
        (plain().importance("medium"), "x", "", 15.0),
        (plain().importance("high"), "x", "", 25.0),
        (plain().importance("critical"), "x", "", 30.0),
        (plain().at("2026-01-31T12:00:00.001Z"), "x", "", 15.0),
        (plain().at("2026-01-31T12:00:00Z"), "x", "", 10.0),
        (plain().at("2026-01-29T12:00:00.001Z"), "x", "", 10.0),
        (plain().at("2026-01-29T12:00:00Z"), "x", "", 5.0),
        // The future is recent, null is 1970, and what is no date earns nothing.
        (plain().at("2027-01-01"), "x", "", 15.0),
        (plain().at("null"), "x", "", 5.0),
        (plain().at("yesterday"), "x", "", 5.0),
        (plain().raw("discoveredAt", ""), "x", "", 5.0),
        (plain().at("2026-02-01"), "x", "", 15.0),
        (plain().at("2026-02-01T10:00:00+02:00"), "x", "", 15.0),
        (plain().at("2026-02"), "x", "", 15.0),
        // Words of the task in the title: an empty one is in every title, repeated ones count.
        (plain(), "", "", 10.0),
        (plain(), "x\n", "", 10.0),
        (plain(), " \t ", "", 15.0),
        (plain(), "q", "", 10.0),
        (plain(), "q Q q q q q", "", 25.0),
        (
            memo("İSTANBUL ΟΔΟΣ").importance("low"),
            "i\u{307}stanbul οδος",
            "",
            15.0,
        ),
        (plain(), "qqq\u{a0}qqq\u{feff}qqq\u{85}qqq", "", 15.0),
        // Tags of the agent, in the case of the specs.
        (plain().tags("code"), "x", "developer", 10.0),
        (plain().tags("code, code"), "x", "developer", 15.0),
        (
            plain().tags("code, patterns, implementation, code"),
            "x",
            "developer",
            20.0,
        ),
        (
            plain().tags("Code, architecture, 1, null"),
            "x",
            "developer",
            5.0,
        ),
        (plain().tags("code"), "x", "Developer", 5.0),
        (
            plain().tags("planning, structure, analysis"),
            "x",
            "planner",
            20.0,
        ),
        (
            plain().tags("testing, validation, quality"),
            "x",
            "tester",
            20.0,
        ),
        (
            plain().tags("review, quality, standards"),
            "x",
            "reviewer",
            20.0,
        ),
        (plain().raw("tags", "null"), "x", "developer", 5.0),
        (plain().raw("tags", ".nan"), "x", "developer", 5.0),
        // The same discoverer, to the letter.
        (plain().by("someone"), "x", "someone", 15.0),
        (plain().by("Someone"), "x", "someone", 5.0),
        (plain().by("\"\""), "x", "", 15.0),
        // Everything at once is not more than it is.
        (
            memo("a b c d")
                .importance("critical")
                .at("2026-02-01")
                .tags("code, code, code")
                .by("developer"),
            "a b c d",
            "developer",
            85.0,
        ),
    ] {
        for dialect in ["arbiter", "unified", "natural"] {
            let text_of = memo.text();
            assert!(
                (points(memo.clone(), text, agent, dialect) - expected).abs() < f64::EPSILON,
                "{dialect} {text:?} {agent} {text_of}"
            );
        }
    }
}

#[test]
fn the_real_code_counts_differently() {
    for (memo, text, agent, expected) in [
        (plain(), "", "", 5.0),
        (plain(), "qqq", "", 5.0),
        (memo("Qqqq").importance("low"), "qqqq", "", 10.0),
        (memo("😀😀").importance("low"), "😀😀", "", 10.0),
        (plain().tags("Code"), "x", "developer", 10.0),
        (plain().tags("architecture"), "x", "planner", 10.0),
        (plain().tags("development"), "x", "developer", 10.0),
        (plain().tags("Tests"), "x", "tester", 10.0),
        (plain().tags("code-review"), "x", "reviewer", 10.0),
    ] {
        assert!(
            (points(memo, text, agent, "sdk") - expected).abs() < f64::EPSILON,
            "{text:?} {agent}"
        );
    }
}

#[test]
fn the_bonus_counts_once_and_before_the_cap() {
    let bonus = |memo: Memo, score_bonus| {
        let world = World::of(&[("m", memo.when(&[""]))]);
        let limits = Limits {
            score_bonus,
            ..limits("arbiter")
        };
        let verdict = world.verdict("m", &task("x", "developer"), &limits);
        let sum: f64 = verdict.factors.iter().map(|factor| factor.points).sum();
        assert!(
            (sum - verdict.score.unwrap()).abs() < f64::EPSILON,
            "{verdict:?}"
        );
        verdict.score
    };
    assert_eq!(bonus(plain().tags("code"), 10), Some(20.0));
    assert_eq!(bonus(plain().tags("code, patterns"), 10), Some(25.0));
    assert_eq!(bonus(plain().tags("other"), 10), Some(5.0));
    assert_eq!(bonus(plain().tags("code"), 500), Some(100.0));
    assert_eq!(bonus(plain().tags("code"), -3), Some(7.0));
}

#[test]
fn the_least_importance() {
    let all = ["low", "medium", "high", "critical", "urgent"];
    let memos: Vec<(&str, Memo)> = all
        .iter()
        .map(|word| (*word, memo("T").importance(word)))
        .collect();
    let world = World::of(&memos);
    for (least, expected) in [
        (None, vec!["critical", "high", "medium", "low"]),
        (Some("low"), vec!["critical", "high", "medium", "low"]),
        (Some("medium"), vec!["critical", "high", "medium"]),
        (Some("high"), vec!["critical", "high"]),
        (Some("critical"), vec!["critical"]),
    ] {
        let limits = |dialect| Limits {
            min_importance: least.map(ToOwned::to_owned),
            ..limits(dialect)
        };
        for dialect in ["arbiter", "natural"] {
            assert_eq!(
                world.selected(&task("auth", ""), &limits(dialect)),
                expected,
                "{least:?}"
            );
        }
        // It has no least importance, and takes any word for one.
        let unified = world.selected(&task("auth", ""), &limits("unified"));
        assert_eq!(unified, ["critical", "high", "medium", "low", "urgent"]);
    }
}

#[test]
fn places_and_ties() {
    let memos: Vec<(&str, Memo)> = ["b", "a", "é", "Z", "0", "a-", "c"]
        .map(|name| (name, memo("T")))
        .to_vec();
    let world = World::of(&memos);
    // Level ones come by the bytes of their paths.
    let order = ["0", "Z", "a-", "a", "b", "c", "é"];
    for (max, count) in [
        (None, 5),
        (Some(0), 0),
        (Some(1), 1),
        (Some(6), 6),
        (Some(99), 7),
    ] {
        let limits = Limits {
            max,
            ..limits("arbiter")
        };
        let preview = world.preview(&task("auth", ""), &limits);
        let names: Vec<String> = preview.selected.iter().map(|one| world.name(one)).collect();
        assert_eq!(names, order[..count]);
        let ranks: Vec<usize> = preview.selected.iter().filter_map(|one| one.rank).collect();
        assert_eq!(ranks, (1..=count).collect::<Vec<_>>());
        assert!(
            preview
                .rejected
                .iter()
                .all(|one| one.reason == Reason::OverLimit && one.rank.is_none())
        );
        assert_eq!(preview.rejected.len(), 7 - count);
    }
}

/// SPEC-0007, "Example 1" and "Example 2". The specs do not say the patterns of the first two
/// and the last, nor does their code select the third by its patterns in SPEC-0009.
#[test]
fn the_examples_selections() {
    let world = World::of(&[
        (
            "database",
            memo("Database schema version 2.1")
                .when(&["database|schema"])
                .importance("medium"),
        ),
        (
            "jwt",
            memo("Project uses JWT authentication")
                .when(&["auth|jwt"])
                .by("planner"),
        ),
        (
            "middleware",
            memo("Express middleware pattern")
                .when(&["middleware|interceptor|developer"])
                .tags("patterns, conventions, express"),
        ),
        (
            "oauth",
            memo("OAuth2 integration was considered too broad")
                .when(&["oauth|social.*auth", "considering auth approaches"])
                .tags("failures, auth, scope")
                .by("developer"),
        ),
    ]);
    let limits = Limits {
        max: Some(3),
        ..limits("arbiter")
    };
    let oauth = task("Add OAuth integration to existing auth system", "developer");
    assert_eq!(
        world.selected(&oauth, &limits),
        ["oauth", "jwt", "middleware"]
    );
    let email = task("Add email notifications", "planner");
    let preview = world.preview(&email, &limits);
    assert!(preview.selected.is_empty() && preview.prompt.is_empty() && preview.tokens() == 0);
}

/// SPEC-0009, "Examples": what each of the three is for.
#[test]
fn the_memories_of_the_unified_spec() {
    let world = World::of(&[
        (
            "files",
            memo("Project File Organization").when(&[
                "exploring|navigate|find.*file",
                "When understanding project structure",
            ]),
        ),
        (
            "middleware",
            memo("Express Middleware Pattern")
                .when(&["middleware|interceptor", "writing Express handlers"]),
        ),
        (
            "oauth",
            memo("OAuth2 Integration Was Too Broad")
                .when(&["oauth|social.*auth", "considering auth approaches"]),
        ),
    ]);
    for (text, arbiter, natural) in [
        ("exploring the code", vec!["files"], vec!["files"]),
        ("learn the project structure", vec![], vec!["files"]),
        ("find the config file", vec![], vec![]),
        ("add an express handler", vec![], vec!["middleware"]),
        (
            "log every request in a middleware",
            vec!["middleware"],
            vec!["middleware"],
        ),
        ("which auth to take", vec![], vec!["oauth"]),
        ("add OAuth", vec!["oauth"], vec!["oauth"]),
    ] {
        assert_eq!(
            world.selected(&task(text, ""), &limits("arbiter")),
            arbiter,
            "{text}"
        );
        assert_eq!(
            world.selected(&task(text, ""), &limits("natural")),
            natural,
            "{text}"
        );
    }
}

#[test]
fn an_agents_own_file() {
    let of = |max, min: Option<&str>, score_bonus| InjectSettings {
        max,
        min_importance: min.map(ToOwned::to_owned),
        score_bonus,
        ..InjectSettings::default()
    };
    for (text, expected) in [
        (
            "---\nname: developer\nmemory:\n  maxInjected: 5           # Max\n  minImportance: \"medium\"\n  scoreBonus: 10\n---\nYou are.\n",
            of(Some(5), Some("medium"), Some(10)),
        ),
        (
            "name: developer\nmemory: {maxInjected: 2}\n",
            of(Some(2), None, None),
        ),
        (
            "---\nmemory:\n  maxInjected: -1\n  scoreBonus: -2\n---\n",
            of(None, None, Some(-2)),
        ),
        (
            "---\nmemory:\n  maxInjected: many\n  minImportance: 3\n---\n",
            of(None, None, None),
        ),
        ("---\nname: x\n---\nmemory:\n", of(None, None, None)),
        ("Just a prompt.\n", of(None, None, None)),
        ("", of(None, None, None)),
    ] {
        assert_eq!(InjectSettings::of_agent(text), expected, "{text:?}");
    }
}
