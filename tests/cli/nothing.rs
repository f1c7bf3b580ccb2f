//! Nothing to check, nothing to change, nothing of that name: each is said.

use std::fs;

use crate::place::{Place, Ran};

#[test]
fn an_empty_check_is_no_success() {
    let bare = Place::bare();
    for args in [
        &["lint"][..],
        &["lint", "--format", "json"],
        &["lint", "--fail-on", "never"],
        &["lint", "--fix"],
    ] {
        let ran = bare.run(args);
        assert_eq!((ran.code, ran.text()), (2, String::new()), "{args:?}");
        assert!(
            ran.err.starts_with("error: no store found\nhint: "),
            "{}",
            ran.err
        );
    }
    assert_eq!(Place::empty().run(&["lint"]).code, 0);
    assert_eq!(bare.run(&["lint", "--explain", "secret"]).code, 0);
}

#[test]
fn what_was_mistyped_gets_the_nearest_names() {
    let place = Place::sample();
    for (args, near) in [
        (&["lst"][..], "`memkeep list`"),
        (&["lst", "--format", "json"], "`memkeep list`"),
        (&["serch", "auth"], "`memkeep search`"),
        (&["archiv", "deploy"], "`memkeep archive`"),
        (&["show", "auht-flow"], "`auth-flow`"),
        (&["show", "rawko:auht-flow"], "`rawko:auth-flow`"),
        (&["edit", "deplyo", "--set", "importance=low"], "`deploy`"),
    ] {
        let ran = place.run(args);
        assert!(ran.err.contains("did you mean"), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(near), "{args:?}: {}", ran.err);
        assert_ne!(ran.code, 0);
    }
    let ran = place.run(&["qqqqqq"]);
    assert!(ran.err.contains("memkeep --help"), "{}", ran.err);
    assert!(!ran.err.contains("did you mean"), "{}", ran.err);
}

#[test]
fn a_dry_run_that_would_change_nothing_says_so() {
    let place = Place::sample();
    let before = place.snapshot();
    for args in [
        &["edit", "auth-flow", "--set", "importance=high", "--dry-run"][..],
        &["edit", "auth-flow", "--add-tag", "auth", "--dry-run"],
        &["lint", "--fix", "--rule", "secret", "--dry-run"],
    ] {
        let ran = place.run(args);
        let told = (ran.code, ran.text(), ran.err);
        let nothing = "nothing to change\n".to_owned();
        assert_eq!(told, (0, String::new(), nothing), "{args:?}");
    }
    assert_eq!(place.snapshot(), before);
}

#[test]
fn each_format_has_a_skill_text_with_the_path_of_its_store() {
    let place = Place::empty();
    let ralph = place.root().join(".agent/memories.md");
    fs::create_dir_all(ralph.parent().unwrap()).unwrap();
    fs::write(&ralph, "# Memories\n\n## Patterns\n").unwrap();
    let items = place.root().join("memory/items");
    fs::create_dir_all(&items).unwrap();
    fs::write(items.join("semantic.jsonl"), "").unwrap();
    let one = |store: &str| place.ok(&["skill", "--store", store]);
    for (store, path, says) in [
        ("rawko", "`.rawko/memories`", "whenToUse"),
        ("ralph", "`.agent/memories.md`", "ralph tools memory"),
        ("golemcore", "`memory`", "SEMANTIC"),
    ] {
        let text = one(store);
        assert!(
            text.contains(path) && text.contains(says),
            "{store}: {text}"
        );
        assert!(!text.contains("{store}"), "{text}");
    }
    let all = ["rawko", "ralph", "golemcore"].map(one).join("\n");
    assert_eq!(place.ok(&["skill"]), all);
    assert_eq!(place.ok(&["skill", "--policy", "ralph"]), one("ralph"));
    assert!(place.ok(&["skill", "--policy", "rum"]).contains("*.rum.db"));
    for policy in ["hybrid", "whole"] {
        let ran: Ran = place.run(&["skill", "--policy", policy]);
        assert!(matches!(ran.code, 1 | 2) && ran.out.is_empty(), "{policy}");
    }
    assert_eq!(place.run(&["skill", "--policy", "hybrid"]).code, 1);
    assert_eq!(Place::bare().run(&["skill"]).code, 1);
    let preview = place.run(&[
        "inject", "--task", "x", "--store", "ralph", "--format", "json",
    ]);
    assert_eq!(preview.json()["previews"][0]["skill"], one("ralph"));
}

#[test]
fn a_memory_of_more_than_5_mb_is_listed_shown_and_edited() {
    let place = Place::empty();
    let head = "---\ntitle: Large\nwhenToUse: [large]\ntags: [a]\nimportance: high\n\
                discoveredAt: \"2026-01-01\"\ndiscoveredBy: dev\n---\n\n";
    let line = "A line of this memory that says nothing much.\n";
    // Behind the part that lint looks at.
    let end = "\u{1b}[31m the end\n";
    let body = format!("{}{end}", line.repeat(6_000_000 / line.len()));
    place.write("large.md", format!("{head}{body}"));
    let listed = place.run(&["list", "--format", "json"]).json();
    assert_eq!(listed[0]["title"], "Large");
    let shown = place.run(&["show", "large", "--format", "json"]).json();
    assert_eq!(shown["body"].as_str().map(str::len), Some(body.len()));
    let found = place.run(&["lint", "--format", "json"]).json();
    let found = found["findings"].as_array().unwrap().clone();
    let says = |word: &str| {
        let message = |one: &&serde_json::Value| one["message"].as_str().unwrap().contains(word);
        found.iter().filter(message).count()
    };
    assert_eq!(
        says("looked only at the first 5.0 MB of its 6.0 MB"),
        1,
        "{found:?}"
    );
    assert!(
        found.iter().all(|one| one["rule"] != "terminal-escape"),
        "{found:?}"
    );
    place.ok(&["edit", "large", "--set", "importance=low"]);
    let after = String::from_utf8(place.read("large.md")).unwrap();
    assert_eq!(
        after,
        format!("{head}{body}").replace("importance: high", "importance: low")
    );
}
