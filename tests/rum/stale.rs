//! Fixes of rows, whose text is drawn from their fields.

use std::process::Command;

use crate::place::{Place, REAL};

/// A memory that names a file which moved, in five fields, and in what was done.
const MOVED: &str = r#"
INSERT INTO memories VALUES ('mem_post', 'agent_a', 'demo', 'session_1', 1768600000000, 'Explain slow posting', 'investigation', 1, 'See app/services/posting.py first',
 '{"goal":"Explain slow posting","task_type":"investigation","context":"`app/services/posting.py` is slow"}',
 '{"observations":[{"what":"It locks","where":"app/services/posting.py","significance":"slow"}],"relevant_files":[{"path":"app/services/posting.py","relevance":"the lock"}]}',
 NULL,
 '[{"type":"file_edit","file_path":"app/services/posting.py","timestamp":1768600000000}]',
 '{"success":true,"summary":"See app/services/posting.py first","learnings":["Keep it short","Look at app/services/posting.py, not at app/services/posting.pyc"]}',
 '[]', 0.9, 7, NULL, NULL);
INSERT INTO memory_files VALUES ('mem_post', 'app/services/posting.py', 'file_edit');
"#;

/// Another one, that names it only in what was done, and one with a sign nobody sees.
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
fn a_path_that_moved_is_written_anew_in_the_fields_that_name_it() {
    let place = project(&[REAL, MOVED]);
    let before = place.dump();
    let find = |place: &Place| {
        place
            .run(&["lint", "--rule", "stale-path", "--format", "json"])
            .json()
    };
    let found = find(&place);
    let fix = &found["findings"][0]["fix"];
    assert_eq!(fix["title"], "name `app/domain/posting.py` instead");
    assert!(fix["diff"].as_str().unwrap().contains("+"), "{fix}");
    let ran = place.run(&["lint", "--rule", "stale-path", "--fix"]);
    let after = place.dump();
    assert_ne!(after, before, "{}{}", ran.text(), ran.err);
    let row = |dump: &str| {
        dump.lines()
            .find(|line| line.starts_with("memories: "))
            .unwrap()
            .to_owned()
    };
    let new = row(&before).replace("app/services/posting.py", "app/domain/posting.py");
    // What was done stays, and so does another file.
    let new = new
        .replace("domain/posting.pyc", "services/posting.pyc")
        .replace(
            "\"file_path\":\"app/domain/posting.py\"",
            "\"file_path\":\"app/services/posting.py\"",
        )
        // A person decides on a sentence that denies something.
        .replace(
            "Look at app/domain/posting.py, not",
            "Look at app/services/posting.py, not",
        );
    assert_eq!(row(&after), new);
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.dump(), before);
}

#[test]
fn two_paths_of_one_field_are_written_anew_together() {
    let text = "Look at app/services/posting.py and app/services/ledger.py";
    let sql = format!(
        "INSERT INTO memories VALUES ('mem_two', 'agent_a', 'demo', 'session_1', 1768600000000, 'Post', 'other', 1, NULL, \
         '{{\"goal\":\"Post\",\"task_type\":\"other\"}}', NULL, NULL, NULL, \
         '{{\"success\":true,\"learnings\":[\"{text}\"]}}', '[]', 0.9, 7, NULL, NULL);"
    );
    let place = project(&[REAL, &sql]);
    let args = ["lint", "--rule", "stale-path", "--fix"];
    assert_eq!(place.run(&args).code, 0);
    let new = text.replace("services", "domain");
    assert!(place.dump().contains(&new), "{}", place.dump());
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
