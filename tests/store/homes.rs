//! A store of the user's, changed from two projects: its history goes with it.

use std::fs;

use crate::place::PLAIN;
use crate::users::{ROWS, Two};

#[test]
fn a_step_is_taken_back_from_every_project_that_shows_the_store() {
    let two = Two::new();
    two.ok("a", &["edit", "rawko:own", "--set", "importance=high"]);
    two.ok("a", &["edit", "golemcore:x", "--set", "title=From a"]);
    two.ok("b", &["edit", "golemcore:y", "--set", "title=From b"]);
    two.ok("b", &["edit", "rawko:own", "--set", "importance=high"]);
    assert_eq!(
        two.journals("semantic.jsonl").len(),
        1,
        "the store has one history"
    );
    // The last one of the store, then the one before it: neither knows of the other's own store.
    two.ok("a", &["undo"]);
    assert!(two.text().contains("From a") && !two.text().contains("From b"));
    two.ok("a", &["undo"]);
    assert_eq!(two.text(), ROWS);
    two.ok("a", &["undo"]);
    assert_eq!(two.own("a"), PLAIN);
    assert_eq!(two.run("a", &["undo"]).status.code(), Some(1));
    two.ok("b", &["redo"]);
    assert!(two.text().contains("From a"));
    two.ok("b", &["undo"]);
    two.ok("b", &["undo"]);
    assert_eq!(
        (two.text(), two.own("b")),
        (ROWS.to_owned(), PLAIN.to_owned())
    );
}

#[test]
fn a_step_over_stores_of_two_homes_is_one_step() {
    let two = Two::new();
    two.ok("a", &["archive", "rawko:own", "golemcore:x"]);
    assert!(!two.text().contains("Tabs."));
    two.ok("b", &["undo"]);
    assert_eq!(
        (two.text(), two.own("a")),
        (ROWS.to_owned(), PLAIN.to_owned())
    );
    two.ok("a", &["redo"]);
    assert!(!two.text().contains("Tabs."));
    two.ok("a", &["undo"]);
    assert_eq!(
        (two.text(), two.own("a")),
        (ROWS.to_owned(), PLAIN.to_owned())
    );
}

#[test]
fn what_one_project_left_in_the_middle_is_settled_from_the_other() {
    let two = Two::new();
    two.ok("a", &["edit", "golemcore:x", "--set", "title=From a"]);
    let [journal] = &two.journals("semantic.jsonl")[..] else {
        panic!()
    };
    let text = fs::read_to_string(journal).unwrap();
    let plan = text.lines().next().unwrap();
    let token: serde_json::Value = serde_json::from_str(plan).unwrap();
    let token = token["temporary"].as_str().unwrap().to_owned();
    // Killed before the exchange, beside a file that is somebody else's.
    fs::write(journal, format!("{plan}\n")).unwrap();
    let edited = two.text();
    fs::write(two.rows(), ROWS).unwrap();
    let beside = |name: &str| two.rows().with_file_name(name);
    let own = beside(&format!(".memkeep-{token}-0.tmp"));
    fs::write(&own, &edited[..edited.len() / 2]).unwrap();
    fs::write(beside(".memkeep-zzzz.tmp"), "not ours\n").unwrap();
    assert_eq!(two.ok("b", &["list"]), "");
    assert!(!own.exists());
    assert_eq!(two.text(), ROWS);
    assert_eq!(
        fs::read_to_string(beside(".memkeep-zzzz.tmp")).unwrap(),
        "not ours\n"
    );
    two.ok("b", &["edit", "golemcore:y", "--set", "title=From b"]);
    assert_eq!(two.ok("a", &["list"]), "");
    two.ok("a", &["undo"]);
    assert_eq!(two.text(), ROWS);
}
