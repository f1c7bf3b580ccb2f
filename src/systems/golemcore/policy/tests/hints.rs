//! Hints at memories that were not selected.

use super::*;

fn hint_of(found: &Preview, row: usize) -> String {
    let verdict = found.rejected.iter().find(|one| one.memory == row);
    verdict.and_then(|one| one.hint.clone()).unwrap_or_default()
}

/// A nearer scope takes its places first: no score brings in what lies further off.
#[test]
fn what_lacks_a_place_is_told_what_would_give_it_one() {
    let of = |scope: &str, salience: f64| {
        vec![
            ("layer", text("SEMANTIC")),
            ("scope", text(scope)),
            ("salience", Value::Float(salience)),
        ]
    };
    let rows = [
        (FACTS, of("session:web:d", 0.1), "near"),
        (FACTS, of("global", 1.0), "far and better"),
        (FACTS, of("global", 0.2), "far"),
    ];
    let asked = |places: &str| {
        let options = [("scope", "session:web:d"), ("semanticTopK", places)];
        preview(&rows, "", &options)
    };
    let found = asked("1");
    assert_eq!(
        hint_of(&found, 1),
        "the place of SEMANTIC (semanticTopK) goes to nearer scopes first, whatever it scores: \
         semanticTopK of 2 has one for it"
    );
    assert!(hint_of(&found, 2).ends_with("semanticTopK of 3 has one for it"));
    assert!(asked("2").selected.iter().any(|one| one.memory == 1));
    let lacks = hint_of(&asked("2"), 2);
    assert!(
        lacks.contains("go to 0.450 and better; it lacks 0.160"),
        "{lacks}"
    );
    let twice = [
        (FACTS, of("global", 0.2), "one"),
        (FACTS, of("global", 0.2), "two"),
    ];
    let found = preview(&twice, "", &[("semanticTopK", "1")]);
    assert!(hint_of(&found, 1).contains("it has as much, and stands behind"));
}

/// Only what the hard budget holds is told that a better score would do.
#[test]
fn what_fits_no_budget_is_told_so() {
    let long = |units: usize| "x".repeat(units);
    let fields = || vec![("layer", text("SEMANTIC"))];
    let budgets = [
        ("softPromptBudgetTokens", "100"),
        ("maxPromptBudgetTokens", "200"),
    ];
    for (units, expected) in [
        (600, "; a score of 0.85 may go beyond it"),
        (
            4000,
            "; no score makes room for it, for all of the budget is 200: shorten it",
        ),
    ] {
        let body = long(units);
        let found = preview(&[(FACTS, fields(), &body)], "", &budgets);
        let hint = hint_of(&found, 0);
        assert!(hint.ends_with(expected), "{units}: {hint}");
    }
}
