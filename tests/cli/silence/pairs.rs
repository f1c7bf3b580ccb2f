//! What is asked about two memories, silenced by the baseline.

use std::fs;

use super::{found, lint, note};
use crate::place::Place;

const POOL: &str = "The pool holds 10 connections in production.";
const SIZES: &str = "The pool holds 25 connections in production.";

fn pools() -> Place {
    let place = Place::empty();
    note(&place, "pool", POOL);
    note(&place, "sizes", SIZES);
    place
}

const RULE: [&str; 2] = ["--rule", "contradiction"];

fn decided(place: &Place, name: &str) -> String {
    fs::read_to_string(place.root().join(".memkeep").join(name)).unwrap_or_default()
}

#[test]
fn a_silenced_pair_stays_silent_under_other_dates_and_names() {
    let place = pools();
    let silence = ["lint", "pool", "--rule", "contradiction", "--silence"];
    place.ok(&[&silence[..], &["--reason", "two pools"]].concat());
    assert_eq!(lint(&place, &RULE), [""; 0]);
    let before = decided(&place, "decisions.jsonl");
    for [id, set] in [
        ["pool", "discoveredAt=2026-03-01"],
        ["sizes", "discoveredAt=2026-03-09"],
        ["pool", "importance=low"],
        ["sizes", "title=The sizes of the pool"],
    ] {
        place.ok(&["edit", id, "--set", set]);
        assert_eq!(lint(&place, &RULE), [""; 0], "{id} {set}");
    }
    // Another name is told to the baseline in the same step.
    for [id, to] in [["pool", "zebra"], ["sizes", "ant"]] {
        place.ok(&["rename", id, to]);
        assert_eq!(lint(&place, &RULE), [""; 0], "{id} {to}");
        let unused = lint(&place, &["--rule", "unused-silence"]);
        assert_eq!(unused, [""; 0], "{id} {to}");
    }
    let renamed = decided(&place, "decisions.jsonl");
    let ids = r#""ids":["rawko:zebra","rawko:ant"]"#;
    assert!(renamed.contains(ids), "{renamed}");
    assert!(renamed.contains("two pools"), "{renamed}");
    place.ok(&["undo"]);
    place.ok(&["undo"]);
    assert_eq!(decided(&place, "decisions.jsonl"), before);
    assert_eq!(lint(&place, &RULE), [""; 0]);
    // Another text is another question.
    note(
        &place,
        "pool",
        "The pool holds 11 connections in production.",
    );
    assert_eq!(lint(&place, &RULE).len(), 1);
}

#[test]
fn another_name_takes_answers_and_confirmations_along() {
    let place = pools();
    place.ok(&[
        "lint",
        "--answer",
        "pool",
        "sizes",
        "both",
        "--scope",
        "pool is staging",
    ]);
    place.ok(&["confirm", "pool"]);
    let before = decided(&place, "decisions.jsonl");
    let confirmed = |id: &str| place.ok(&["show", id]).contains("confirmed");
    assert!(confirmed("pool") && place.ok(&["show", "sizes"]).contains("pool is staging"));
    place.ok(&["rename", "pool", "zebra"]);
    assert!(confirmed("zebra"));
    for id in ["sizes", "zebra"] {
        let shown = place.ok(&["show", id]);
        assert_eq!(shown.matches("pool is staging").count(), 1, "{shown}");
    }
    assert_eq!(lint(&place, &RULE), [""; 0]);
    place.ok(&["undo"]);
    assert_eq!(decided(&place, "decisions.jsonl"), before);
    // Where nothing was decided nothing is written.
    let plain = pools();
    plain.ok(&["rename", "pool", "zebra"]);
    assert!(!plain.root().join(".memkeep").exists());
}

#[test]
fn what_is_asked_about_two_is_asked_of_either() {
    let place = pools();
    for ids in [&["pool"][..], &["sizes"], &["pool", "sizes"], &[]] {
        let asked = [&["lint"], ids, &RULE[..]].concat();
        assert_eq!(place.run(&asked).code, 1, "{ids:?}");
        let ran = place.run(&[&asked[..], &["--format", "json"]].concat());
        assert_eq!(found(&ran).len(), 1, "{ids:?}");
        let quiet = place
            .run(&[&asked[..], &["--format", "quiet"]].concat())
            .text();
        for id in ids {
            assert!(quiet.contains(&format!("rawko:{id}\n")), "{ids:?}: {quiet}");
        }
    }
    note(&place, "other", "Nothing is said of it.");
    assert_eq!(lint(&place, &["other", "--rule", "contradiction"]), [""; 0]);
    for id in ["pool", "sizes"] {
        place.ok(&["lint", id, "--silence", "--rule", "contradiction"]);
        assert_eq!(lint(&place, &RULE), [""; 0], "{id}");
        place.ok(&["undo"]);
    }
}

#[test]
fn what_was_said_of_a_pair_waits_while_one_of_it_is_archived() {
    let place = pools();
    place.ok(&["lint", "pool", "--silence", "--rule", "contradiction"]);
    place.ok(&["archive", "sizes"]);
    assert_eq!(lint(&place, &["--rule", "unused-silence"]), [""; 0]);
    place.ok(&["lint", "--fix"]);
    place.ok(&["lint", "--write-baseline"]);
    place.ok(&["restore", "sizes"]);
    assert_eq!(lint(&place, &RULE), [""; 0]);
    // One that is deleted does not come back of itself.
    place.ok(&["delete", "sizes"]);
    assert_eq!(lint(&place, &["--rule", "unused-silence"]), [""; 0]);
}

#[test]
fn what_fixes_change_is_not_missed_in_the_baseline_of_the_same_run() {
    let place = Place::empty();
    note(&place, "Bad Name", POOL);
    note(&place, "sizes", SIZES);
    place.ok(&["lint", "--silence", "--rule", "contradiction"]);
    place.ok(&["lint", "--silence", "--rule", "body-length"]);
    let fixed = place.run(&["lint", "--fix", "--fail-on", "info"]);
    assert_eq!(fixed.code, 0, "{}{}", fixed.err, fixed.text());
    assert_eq!(
        fixed.text(),
        "0 errors, 0 warnings, 0 suggestions in 2 memories · 3 left out by the baseline\n"
    );
    place.ok(&["undo"]);
    assert_eq!(lint(&place, &[]), ["info name-style Bad Name"]);
}

#[test]
fn a_new_baseline_says_what_it_takes_in_and_what_it_lets_go() {
    let place = pools();
    place.ok(&["lint", "pool", "--silence", "--rule", "contradiction"]);
    note(
        &place,
        "key",
        "The key is AKIAZ7QW3ERTY5UIOPAS and it is in use.",
    );
    note(&place, "gone", "Logs go to /home/eve/logs.");
    let first = place.run(&["lint", "--write-baseline"]);
    insta::assert_snapshot!("taken-in", format!("{}{}", first.text(), first.err));
    note(&place, "key", "It is in the vault.");
    fs::remove_file(place.file("gone.md")).unwrap();
    let second = place.run(&["lint", "--write-baseline"]);
    insta::assert_snapshot!("let-go", format!("{}{}", second.text(), second.err));
}

#[test]
fn several_that_are_alike_stand_in_the_baseline() {
    let place = Place::empty();
    let long = "Invoices are printed on the second printer in the hall, which takes the paper from \
                the lower tray, and a copy goes to the binder beside it.";
    for name in ["a", "b", "c"] {
        note(&place, name, &format!("{long} Ask {name}."));
    }
    let rule = ["--rule", "near-duplicate"];
    assert_eq!(lint(&place, &rule).len(), 2);
    let made = place.ok(&["lint", "--write-baseline"]);
    assert!(made.contains("  2 new of near-duplicate\n"), "{made}");
    assert_eq!(lint(&place, &[]), [""; 0]);
    // Another one of them is new.
    note(&place, "e", &format!("{long} Ask e."));
    assert!(!lint(&place, &rule).is_empty());
}

#[test]
fn old_findings_stay_old_where_another_program_moved_the_file() {
    let place = pools();
    note(
        &place,
        "keys",
        "Copy it from /Users/cleo/notes.txt, then go on.",
    );
    place.ok(&["lint", "--write-baseline"]);
    let memory = |name: &str| place.root().join(format!(".rawko/memories/{name}.md"));
    for (from, to) in [("keys", "copying"), ("pool", "size-of-the-pool")] {
        fs::rename(memory(from), memory(to)).unwrap();
        assert_eq!(lint(&place, &[]), [""; 0], "{from} {to}");
    }
    // Written anew it loses nothing.
    let reasons = decided(&place, "decisions.jsonl")
        .matches("\"rule\"")
        .count();
    place.ok(&["lint", "--write-baseline"]);
    let written = decided(&place, "decisions.jsonl");
    assert_eq!(written.matches("\"rule\"").count(), reasons);
    // What says something else is another memory, whatever happened to the old one.
    fs::remove_file(memory("copying")).unwrap();
    note(
        &place,
        "paths",
        "Copy it from /Users/dana/notes.txt, then go on.",
    );
    assert_eq!(lint(&place, &["--rule", "personal-path"]).len(), 1);
}
