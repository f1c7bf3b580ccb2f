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
        "a larger semanticTopK gives it a place of SEMANTIC: 2, now 1"
    );
    assert!(hint_of(&found, 2).ends_with(": 3, now 1"));
    assert!(asked("2").selected.iter().any(|one| one.memory == 1));
    assert!(hint_of(&asked("2"), 2).ends_with(": 3, now 2"));
    assert!(asked("3").selected.iter().any(|one| one.memory == 2));
}
