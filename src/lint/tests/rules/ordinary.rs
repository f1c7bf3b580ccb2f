//! Pairs of ordinary memories: which contradict each other, and which say two things.

mod silent;
mod told;

use self::silent::SILENT;
use self::told::TOLD;
use super::*;

/// What the rules about two memories warn of where these are their bodies.
fn warned(a: &str, b: &str) -> Vec<String> {
    let note = |number: usize, body: &str| {
        let head = format!("---\ntitle: \"Note {number}\"\nwhenToUse:\n  - \"n{number}\"\n---\n\n");
        memory(&format!("n{number}")).text(&format!("{head}{body}\n"))
    };
    let store = Store::new(vec![note(1, a), note(2, b)]);
    let rules = ["contradiction", "near-duplicate", "contained"];
    let found = rules.iter().flat_map(|rule| store.only(rule));
    let found = found.filter(|finding| finding.severity == Severity::Warning);
    found
        .map(|finding| format!("{}: {}", finding.rule, finding.message))
        .collect()
}

#[test]
fn where_the_subject_differs_nothing_contradicts() {
    let wrong: Vec<_> = SILENT
        .iter()
        .map(|(a, b)| (a, b, warned(a, b)))
        .filter(|(.., warned)| !warned.is_empty())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_cannot_both_hold_is_told() {
    let told = |(a, b): &&(&str, &str)| {
        let warned = warned(a, b);
        warned.iter().any(|one| one.starts_with("contradiction"))
    };
    let missed: Vec<_> = TOLD.iter().filter(|pair| !told(pair)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}
