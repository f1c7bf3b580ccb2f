//! The dialect of the specification (sections 8.2 and 9).

use super::*;

fn spec(rows: &[Row<'_>], files: &[&str], options: &[(&str, &str)]) -> [Arc<Preview>; 2] {
    let (memories, bodies) = store(rows);
    let scorer = POLICY.scorer(memories);
    let task = Task {
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        ..task("deploy")
    };
    ["", "spec"].map(|dialect| {
        let limits = Limits {
            dialect,
            ..limits(options)
        };
        scorer.preview(&task, &limits, None, &bodies)
    })
}

fn selected(preview: &Preview) -> Vec<usize> {
    preview.selected.iter().map(|one| one.memory).collect()
}

#[test]
fn each_layer_has_its_share_of_the_soft_budget() {
    let row = |layer: &str, title: &str| {
        let own = vec![("layer", text(layer)), ("title", text(title))];
        [own, vec![("updatedAt", text("2026-11-01T00:00:00Z"))]].concat()
    };
    let long = "word ".repeat(30);
    let rows = [
        (FACTS, row("PROCEDURAL", "deploy"), long.as_str()),
        (FACTS, row("PROCEDURAL", "deploy"), long.as_str()),
        (FACTS, row("SEMANTIC", "other"), "short"),
    ];
    // 46, 46 and 20 tokens; two shares of 50.
    let options = [
        ("softPromptBudgetTokens", "100"),
        ("maxPromptBudgetTokens", "100"),
        ("workingTopK", "0"),
        ("episodicTopK", "0"),
        ("semanticTopK", "4"),
        ("proceduralTopK", "4"),
    ];
    let [own, spec_] = spec(&rows, &[], &options);
    assert_eq!((selected(&own), own.dialect), (vec![0, 1], ""));
    assert_eq!((selected(&spec_), spec_.dialect), (vec![0, 2], "spec"));
    assert_eq!(spec_.rejected[0].reason, Reason::OverBudget);
    // The shares are soft: what one layer does not need, another one has.
    let [_, alone] = spec(&rows[..2], &[], &options);
    assert_eq!(selected(&alone), [0, 1]);
}

#[test]
fn a_memory_about_a_file_of_the_task_earns_points() {
    let list = |items: &[&str]| -> Value { items.iter().map(|item| Value::from(*item)).collect() };
    let rows = [
        (
            FACTS,
            vec![("references", list(&["src/Pay.java#refund"]))],
            "a",
        ),
        (FACTS, vec![("tags", list(&["Java"]))], "b"),
        (
            FACTS,
            vec![("references", list(&["lib/Pay.java", "y.java"]))],
            "c",
        ),
        (FACTS, Vec::new(), "d"),
    ];
    let [own, found] = spec(&rows, &["app/src/Pay.java"], &[]);
    let points = |preview: &Preview| {
        let mut all: Vec<(usize, f64)> = preview
            .selected
            .iter()
            .flat_map(|one| {
                let own = one.factors.iter().filter(|factor| factor.name == "file");
                own.map(|factor| (one.memory, factor.points))
            })
            .collect();
        all.sort_by_key(|(at, _)| *at);
        all
    };
    assert_eq!(points(&found), [(0, 0.10), (1, 0.10), (2, 0.0), (3, 0.0)]);
    assert_eq!(points(&own), []);
    let first = found.selected[0].factors.last().unwrap();
    assert_eq!(first.detail, "about app/src/pay.java");
    let sum = found.selected[0].factors.iter().map(|one| one.points);
    let score = found.selected[0].score.unwrap();
    assert!((sum.sum::<f64>() - score).abs() < 1e-9);
}

#[test]
fn duplicates_take_no_places() {
    let row = |print: &str| vec![("fingerprint", text(print)), ("layer", text("SEMANTIC"))];
    let rows = [
        (FACTS, row("f1"), "deploy"),
        (FACTS, row("f1"), "deploy"),
        (FACTS, row("f2"), "other"),
    ];
    let [own, spec_] = spec(&rows, &[], &[("semanticTopK", "2")]);
    assert_eq!(selected(&own), [0]);
    assert_eq!(selected(&spec_), [0, 2]);
    assert_eq!(spec_.rejected[0].reason, Reason::Duplicate);
}
