//! Fixes of rows, whose text is drawn from their fields.

use std::process::Command;

use crate::place::{Place, REAL};

/// A memory that names a moved file only in what was done, and one with a sign nobody sees.
const OTHERS: &str = r#"
INSERT INTO memories VALUES ('mem_done', 'agent_a', 'demo', 'session_1', 1768600000000, 'Make posting fast', 'bug_fix', 1, NULL,
 '{"goal":"Make posting fast","task_type":"bug_fix"}', NULL, NULL,
 '[{"type":"file_edit","file_path":"app/services/posting.py","timestamp":1768600000000}]',
 '{"success":true}', '[]', 0.9, 7, NULL, NULL);
INSERT INTO memories VALUES ('mem_sign', 'agent_a', 'demo', 'session_1', 1768600000000, 'Read the log', 'other', 1, NULL,
 '{"goal":"Read the log","task_type":"other","ours":"a\u200bb"}', NULL, NULL, NULL, '{"success":true}', '[]', 0.9, 7, NULL, NULL);
"#;

fn git(place: &Place, args: &[&str]) {
    let ran = Command::new("git")
        .args(["-c", "user.name=Mia", "-c", "user.email=mia@example.org"])
        .args(args)
        .current_dir(place.root())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMITTER_DATE", "2026-02-02T00:00:00Z")
        .output()
        .unwrap();
    assert!(ran.status.success(), "{args:?}: {ran:?}");
}

/// A project in which the file moved after the memories were written.
fn project(sql: &[&str]) -> Place {
    let place = Place::with(sql);
    let root = place.root();
    std::fs::create_dir_all(root.join("app/services")).unwrap();
    std::fs::write(
        root.join("app/services/posting.py"),
        "def post(entry): return entry",
    )
    .unwrap();
    std::fs::write(
        root.join("app/services/ledger.py"),
        "def lines(book): return book",
    )
    .unwrap();
    git(&place, &["init", "-q"]);
    git(&place, &["add", "app"]);
    git(&place, &["commit", "-qm", "Start"]);
    git(&place, &["mv", "app/services", "app/domain"]);
    git(&place, &["commit", "-qm", "Move the domain"]);
    place
}

#[test]
fn no_fix_is_offered_that_would_write_the_text_of_a_row() {
    let place = project(&[REAL, OTHERS]);
    let found = place.run(&["lint", "--format", "json"]).json();
    let all = found["findings"].as_array().unwrap();
    let rules = ["stale-path", "invisible-unicode"];
    for rule in rules {
        assert!(all.iter().any(|one| one["rule"] == rule), "{rule}: {found}");
    }
    let table = place.run(&[
        "lint",
        "--rule",
        "stale-path",
        "--rule",
        "invisible-unicode",
    ]);
    assert!(!table.text().contains("fix:"), "{}", table.text());
    let before = place.dump();
    let ran = place.run(&[
        "lint",
        "--rule",
        "stale-path",
        "--rule",
        "invisible-unicode",
        "--fix",
    ]);
    assert!(!ran.text().contains("not applied"), "{}", ran.text());
    assert_eq!(place.dump(), before);
}
