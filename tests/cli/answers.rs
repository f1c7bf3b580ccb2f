//! Answers on pairs: remembered in the project, taken back like any change, and asked again when
//! one of the two memories changes.

use std::fs;

use crate::place::Place;
use crate::ran::Ran;

/// A good memory with this body.
fn note(place: &Place, name: &str, body: &str) {
    let text = format!(
        "---\ntitle: About {name}\nwhenToUse: {name}\ntags: [shop]\nimportance: high\n\
         discoveredBy: planner\n---\n\n{body}\n"
    );
    place.write(&format!("{name}.md"), text);
}

fn pools() -> Place {
    let place = Place::empty();
    note(
        &place,
        "pool",
        "The pool holds 10 connections in production.",
    );
    note(
        &place,
        "sizes",
        "The pool holds 25 connections in production.",
    );
    place
}

const LINT: [&str; 3] = ["lint", "--rule", "contradiction"];

fn answers(place: &Place) -> String {
    fs::read_to_string(place.root().join(".memkeep/decisions.jsonl")).unwrap()
}

fn answer(place: &Place, more: &[&str]) -> Ran {
    let args: Vec<&str> = ["lint", "--answer"].iter().chain(more).copied().collect();
    place.run(&args)
}

/// The list marks both of them, so that both are found by the mark, whichever way it is called.
#[test]
fn both_memories_of_a_question_are_found_by_it() {
    let place = pools();
    note(&place, "other", "Nothing is said here of that.");
    for query in ["has:contradiction", "has:contradicts", "has:contra"] {
        let found = place.run(&["list", "--query", query, "--format", "quiet"]);
        assert_eq!(
            found.text(),
            "rawko:pool\nrawko:sizes\n",
            "{query}: {}",
            found.err
        );
    }
    let found = place.run(&["list", "--query", "has:duplicate"]);
    assert!(!found.text().contains("rawko:"), "{}", found.text());
}

#[test]
fn a_merge_of_a_contradiction_keeps_both_texts_and_says_so() {
    let place = Place::empty();
    let holds = "The pool holds 10 connections in production.";
    note(&place, "pool", holds);
    note(
        &place,
        "sizes",
        "Clients wait for a second. The pool holds 25 connections in production.",
    );
    let before = [place.read("pool.md"), place.read("sizes.md")];
    let both = "rawko:pool has both texts: remove what no longer holds";
    // Before it is made, too.
    let shown = answer(&place, &["pool", "sizes", "merge", "--dry-run"]);
    assert!(shown.err.contains(both), "{}", shown.err);
    let merged = answer(&place, &["pool", "sizes", "merge"]);
    assert_eq!(merged.code, 0, "{}", merged.err);
    assert!(merged.text().contains(both), "{}", merged.text());
    let text = String::from_utf8(place.read("pool.md")).unwrap();
    assert!(text.contains(holds) && text.contains("The pool holds 25 connections"));
    // Lint goes on telling of it until a person removes one of the two.
    let found = place.run(&LINT);
    assert!(
        found.text().contains("Conflicting number with "),
        "{}",
        found.text()
    );
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!([place.read("pool.md"), place.read("sizes.md")], before);
}

#[test]
fn what_was_answered_is_not_asked_again_until_a_memory_changes() {
    let place = pools();
    assert_eq!(place.run(&LINT).code, 1);
    let before = place.snapshot();
    let dry = answer(&place, &["sizes", "pool", "not-a-conflict", "--dry-run"]);
    assert_eq!((dry.code, place.snapshot()), (0, before.clone()));
    assert!(
        dry.text().contains("+++ b/.memkeep/decisions.jsonl"),
        "{}",
        dry.text()
    );

    let said = answer(
        &place,
        &["sizes", "pool", "both", "--scope", "pool is of 2024"],
    );
    assert_eq!(
        (said.code, said.text().as_str()),
        (
            0,
            "answered both: “About sizes” and “About pool” · memkeep undo\n"
        )
    );
    let line: serde_json::Value = serde_json::from_str(&answers(&place)).unwrap();
    assert_eq!(line["rule"], "contradiction");
    assert_eq!(
        line["ids"],
        serde_json::json!(["rawko:pool", "rawko:sizes"])
    );
    assert_eq!(line["answer"], "both");
    assert_eq!(line["reason"], "pool is of 2024");
    assert_eq!(line["at"], "2026-01-30T12:00:00Z");
    assert_eq!(place.run(&LINT).code, 0);

    // What another program or a later version wrote there stays.
    let path = place.root().join(".memkeep/decisions.jsonl");
    let theirs = format!("{}{{\"later\":1}}", answers(&place));
    fs::write(&path, &theirs).unwrap();
    assert_eq!(answer(&place, &["pool", "sizes", "ask-again"]).code, 0);
    assert!(answers(&place).starts_with(&format!("{theirs}\n{{\"rule\"")));
    assert_eq!(place.run(&LINT).code, 1);
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(answers(&place), theirs);
    assert_eq!(place.run(&LINT).code, 0);

    note(
        &place,
        "pool",
        "The pool holds 12 connections in production.",
    );
    assert_eq!(place.run(&LINT).code, 1);
    note(
        &place,
        "pool",
        "The pool holds 10 connections in production.",
    );
    assert_eq!(place.run(&LINT).code, 0);
}

#[test]
fn a_memory_that_was_renamed_is_not_asked_about_again() {
    let place = pools();
    let said = answer(&place, &["sizes", "pool", "both"]);
    assert_eq!(said.code, 0);
    fs::rename(place.file("pool.md"), place.file("a-pool.md")).unwrap();
    fs::rename(place.file("sizes.md"), place.file("z-sizes.md")).unwrap();
    assert_eq!(place.run(&LINT).code, 0);
    // What is said of the names they have now goes first.
    assert_eq!(answer(&place, &["z-sizes", "a-pool", "ask-again"]).code, 0);
    assert_eq!(place.run(&LINT).code, 1);
    assert_eq!(place.run(&["undo"]).code, 0);
    note(
        &place,
        "a-pool",
        "The pool holds 12 connections in production.",
    );
    assert_eq!(place.run(&LINT).code, 1);
}

#[test]
fn keeping_one_archives_the_other_in_the_same_step() {
    let place = pools();
    let before = place.snapshot();
    let kept = answer(&place, &["sizes", "pool", "keep-a"]);
    assert_eq!(
        kept.text(),
        "answered keep-a: “About sizes” and “About pool” · archived “About pool” · memkeep undo\n"
    );
    let line: serde_json::Value = serde_json::from_str(&answers(&place)).unwrap();
    // In the file A is the first of the ids.
    assert_eq!(line["answer"], "keep-b");
    assert!(!place.file("pool.md").exists() && place.file("archive/pool.md").exists());
    assert_eq!(place.run(&["undo"]).code, 0);
    let folder = |path: &std::path::Path| path.ends_with(".memkeep") || path.ends_with("archive");
    let after: Vec<_> = place
        .snapshot()
        .into_iter()
        .filter(|(path, _)| !folder(path))
        .collect();
    assert_eq!(after, before);
}

#[test]
fn merging_makes_one_of_the_two_in_the_same_step() {
    let place = pools();
    let before = place.snapshot();
    let merged = answer(&place, &["sizes", "pool", "merge"]);
    assert_eq!(
        (merged.code, merged.text().as_str()),
        (
            0,
            "kept “About sizes”, “About pool” is archived · rawko:sizes has both texts: remove what no \
             longer holds · memkeep undo\n"
        )
    );
    let kept = fs::read_to_string(place.file("sizes.md")).unwrap();
    assert!(kept.contains("25 connections") && kept.contains("10 connections"));
    assert!(!place.file("pool.md").exists() && place.file("archive/pool.md").exists());
    assert!(answers(&place).contains("\"answer\":\"merge\""));
    assert_eq!(place.run(&["undo"]).code, 0);
    let folder = |path: &std::path::Path| path.ends_with(".memkeep") || path.ends_with("archive");
    let after: Vec<_> = place
        .snapshot()
        .into_iter()
        .filter(|(path, _)| !folder(path))
        .collect();
    assert_eq!(after, before);
}

#[test]
fn a_memory_is_shown_with_what_was_said_of_it() {
    let place = pools();
    answer(
        &place,
        &["sizes", "pool", "both", "--scope", "pool is of 2024"],
    );
    let said = "both (rawko:pool, rawko:sizes): pool is of 2024";
    for name in ["pool", "sizes"] {
        let shown = place.run(&["show", name]).text();
        assert!(shown.contains(said), "{shown}");
    }
    note(&place, "pool", "The pool holds 12 connections in staging.");
    let shown = place.run(&["show", "pool"]).text();
    assert!(!shown.contains("answered"), "{shown}");
}

#[test]
fn an_answer_to_nothing_is_refused() {
    let place = pools();
    note(&place, "other", "Invoices are rounded up to full cents.");
    let before = place.snapshot();
    for (args, code, says) in [
        (
            vec!["pool", "other", "both"],
            1,
            "no rule asks about rawko:pool and rawko:other",
        ),
        (
            vec!["pool", "pool", "both"],
            2,
            "both ids are the same memory",
        ),
        (vec!["pool", "none", "both"], 1, "no memory `none`"),
        (
            vec!["pool", "sizes", "maybe"],
            2,
            "one of keep-a, keep-b, both, merge, not-a-conflict, ask-again",
        ),
        (
            vec!["pool", "sizes", "merge", "--scope", "x"],
            2,
            "merge has no scope",
        ),
        (
            vec!["pool", "sizes", "both", "--rule", "secret"],
            2,
            "`secret` asks nothing about pairs",
        ),
        (vec!["pool", "sizes"], 2, "3 values required"),
        (
            vec!["pool", "sizes", "both", "--read-only"],
            2,
            "--read-only",
        ),
    ] {
        let ran = answer(&place, &args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
    assert_eq!(place.snapshot(), before);
    // With the rule named, what it does not find may be answered too.
    assert_eq!(
        answer(&place, &["pool", "other", "both", "--rule", "contained"]).code,
        0
    );
}
