//! Databases with something wrong in them: it is shown with its place, and the rest is there.

use std::fs;

use proptest::prelude::*;

use crate::place::{Place, REAL, SAMPLE};

/// The problems of each memory.
fn problems(place: &Place) -> Vec<(String, Vec<String>)> {
    let memories = place.load();
    let all = memories.iter().filter(|memory| !memory.problems.is_empty());
    all.map(|memory| {
        let problems = memory
            .problems
            .iter()
            .map(|problem| format!("{}: {}", problem.rule, problem.message));
        (memory.id.local.to_string(), problems.collect())
    })
    .collect()
}

fn after(sql: &str) -> Vec<(String, Vec<String>)> {
    let place = Place::with(&[REAL, SAMPLE, sql]);
    assert_eq!(
        place
            .load()
            .iter()
            .filter(|memory| &*memory.id.local != "demo.rum")
            .count(),
        5,
        "{sql}"
    );
    problems(&place)
}

#[test]
fn what_is_wrong_with_a_row_is_said_with_its_table_and_column() {
    for (sql, expected) in [
        (
            "UPDATE memories SET intent = '{bad' WHERE id = 'mem_log'",
            "load-error: memories.intent is not JSON",
        ),
        (
            "UPDATE memories SET actions = '{}' WHERE id = 'mem_log'",
            "load-error: memories.actions is not a list",
        ),
        (
            "UPDATE memories SET reasoning = 7 WHERE id = 'mem_log'",
            "load-error: memories.reasoning is 7, not JSON",
        ),
        (
            "UPDATE memories SET tags = 'auth' WHERE id = 'mem_log'",
            "load-error: memories.tags is not JSON",
        ),
        (
            "UPDATE memories SET tags = '{}' WHERE id = 'mem_log'",
            "load-error: memories.tags is not a list",
        ),
        (
            "UPDATE memories SET intent_goal = 'Other' WHERE id = 'mem_log'",
            "load-error: memories.intent_goal says `Other`",
        ),
        (
            "UPDATE memories SET outcome_success = 1 WHERE id = 'mem_log'",
            "load-error: memories.outcome_success is 1",
        ),
        (
            "UPDATE memories SET importance = 7 WHERE id = 'mem_log'",
            "unknown-value: memories.importance is `7`",
        ),
        (
            "UPDATE memories SET intent_type = 'play', intent = '{\"goal\":\"x\"}', intent_goal = 'x' WHERE id = 'mem_log'",
            "unknown-value: `type` is `play`",
        ),
        (
            "UPDATE memories SET created_at = 'yesterday' WHERE id = 'mem_log'",
            "bad-date: memories.created_at is `yesterday`",
        ),
        (
            "UPDATE memories SET embedding = x'00' WHERE id = 'mem_log'",
            "load-error: memories.embedding has 1 bytes",
        ),
        (
            "UPDATE memories SET outcome_summary = CAST(x'ff' AS TEXT) WHERE id = 'mem_log'",
            "load-error: memories.outcome_summary is not UTF-8",
        ),
    ] {
        let found = after(sql);
        let [(id, said)] = &found[..] else {
            panic!("{sql}: {found:?}")
        };
        assert_eq!(id, "mem_log", "{sql}");
        assert!(
            said.iter().any(|said| said.starts_with(expected)),
            "{sql}: {said:?}"
        );
    }
}

#[test]
fn what_is_wrong_with_the_database_is_said_by_a_memory_of_its_name() {
    for (sql, expected) in [
        (
            "PRAGMA user_version = 9",
            "load-error: the schema is of version 9; memkeep knows the one without a version",
        ),
        (
            "DROP TABLE memory_links; CREATE TABLE memory_links (a)",
            "load-error: table memory_links: no such column: source_id",
        ),
    ] {
        let found = after(sql);
        let [(id, said)] = &found[..] else {
            panic!("{sql}: {found:?}")
        };
        assert_eq!(id, "demo.rum", "{sql}");
        assert!(said[0].starts_with(expected), "{sql}: {said:?}");
    }
    let place = Place::with(&["CREATE TABLE other (a)"]);
    assert_eq!(
        problems(&place),
        [(
            "demo.rum".to_owned(),
            vec!["load-error: there is no table `memories`".to_owned()]
        )]
    );
}

#[test]
fn an_archive_that_cannot_be_read_is_said() {
    let place = Place::sample();
    std::fs::create_dir(place.root().join("demo.rum.archive.jsonl")).unwrap();
    let found = problems(&place);
    let [(id, said)] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(id, "demo.rum");
    assert!(
        said[0].ends_with("demo.rum.archive.jsonl: not a regular file"),
        "{said:?}"
    );
}

#[test]
fn tables_and_columns_that_are_not_there_are_no_problem() {
    let found = after(
        "DROP TABLE memory_files; DROP TABLE memory_links; DROP TABLE wisdom_chapters; DROP TABLE chapter_memories; ALTER TABLE memories DROP COLUMN embedding; ALTER TABLE memories DROP COLUMN importance; ALTER TABLE chapters DROP COLUMN topics; ALTER TABLE memories ADD COLUMN ours TEXT;",
    );
    assert_eq!(found, []);
}

#[test]
fn a_file_that_is_no_database_or_half_of_one_is_shown() {
    let place = Place::sample();
    let whole = fs::read(place.db()).unwrap();
    for (bytes, expected) in [
        (
            b"not a database, but long enough to look like a file of some kind".to_vec(),
            "not a SQLite database",
        ),
        (Vec::new(), "there is no table `memories`"),
        (whole[..4096].to_vec(), "the database is damaged"),
        (whole[..40].to_vec(), "the database is damaged"),
    ] {
        fs::write(place.db(), &bytes).unwrap();
        let said = problems(&place);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].1.iter().any(|said| said.contains(expected)),
            "{expected}: {said:?}"
        );
        assert_eq!(place.run(&["list"]).code, 0);
        assert!(
            place
                .run(&["lint", "--format", "json"])
                .text()
                .contains("load-error")
        );
        assert_eq!(fs::read(place.db()).unwrap(), bytes);
    }
}

#[test]
fn a_database_that_is_busy_is_shown_as_that() {
    let place = Place::with(&["PRAGMA journal_mode = DELETE", REAL, SAMPLE]);
    let writer = place.connect();
    writer
        .execute_batch("BEGIN EXCLUSIVE; UPDATE memories SET importance = 0.2")
        .unwrap();
    let said = problems(&place);
    assert_eq!(
        said,
        [(
            "demo.rum".to_owned(),
            vec![
                "load-error: another program is writing to the database (database is locked)"
                    .to_owned()
            ]
        )]
    );
    writer.execute_batch("ROLLBACK").unwrap();
    assert_eq!(problems(&place), []);
}

#[test]
fn while_another_program_writes_every_command_says_so_and_to_try_again() {
    let place = Place::with(&["PRAGMA journal_mode = DELETE", REAL, SAMPLE]);
    let writer = place.connect();
    writer
        .execute_batch("BEGIN EXCLUSIVE; UPDATE memories SET importance = 0.2")
        .unwrap();
    for args in [
        &["show", "mem_jwt"][..],
        &["edit", "mem_jwt", "--set", "importance=0.4"],
        &["delete", "mem_jwt", "--yes"],
        &["link", "mem_jwt", "related_to", "mem_old"],
        &["add", "Text", "--title", "New"],
    ] {
        let ran = place.run(args);
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.err);
        assert!(
            ran.err.contains("another program is writing to") && ran.err.contains("try again"),
            "{args:?}: {}",
            ran.err
        );
    }
    writer.execute_batch("ROLLBACK").unwrap();
    assert_eq!(place.run(&["show", "mem_jwt"]).code, 0);
    assert_eq!(place.run(&["show", "mem_gone"]).code, 1);
}

#[test]
fn the_name_of_a_database_that_cannot_be_read_is_no_style() {
    let place = Place::with(&["CREATE TABLE other (a)"]);
    let ran = place.run(&["lint", "--rule", "name-style"]);
    assert_eq!(ran.code, 0, "{}", ran.text());
    assert!(!ran.text().contains("kebab"), "{}", ran.text());
}

const LOOSE: &str = r#"
CREATE TABLE memories (id TEXT, created_at INTEGER, intent JSON, outcome JSON);
CREATE TABLE chapters (id TEXT, summary TEXT);
INSERT INTO memories VALUES
 ('twice', 1768000000000, '{"goal":"First","task_type":"refactor"}', '{"success":true,"summary":"one"}'),
 ('twice', 1768000000000, '{"goal":"Second","task_type":"refactor"}', '{"success":true,"summary":"two"}'),
 (NULL, 1768000000000, '{"goal":"Nameless","task_type":"refactor"}', '{"success":true,"summary":"three"}'),
 ('', 1768000000000, '{"goal":"Empty","task_type":"refactor"}', '{"success":true,"summary":"four"}');
INSERT INTO chapters VALUES ('twice', 'A chapter of that name');
"#;

#[test]
fn a_row_that_repeats_an_id_is_said_and_each_is_changed_by_itself() {
    let place = Place::with(&[LOOSE]);
    let found = place.run(&["lint", "--rule", "duplicate-id", "--format", "json"]);
    let json = found.json();
    let ids: Vec<&str> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["rum:twice#2", "rum:twice#3"]);
    for (id, field) in [
        ("twice", "goal=A"),
        ("twice#2", "goal=B"),
        ("twice#3", "summary=C"),
    ] {
        let ran = place.run(&["edit", id, "--set", field]);
        assert_eq!(ran.code, 0, "{id}: {}", ran.err);
    }
    let dump = place.dump();
    for part in [
        r#"{"goal":"A","task_type":"refactor"} | {"success":true,"summary":"one"}"#,
        r#"{"goal":"B","task_type":"refactor"} | {"success":true,"summary":"two"}"#,
        "twice | C",
    ] {
        assert!(dump.contains(part), "{part}: {dump}");
    }
}

#[test]
fn a_row_without_an_id_is_shown_and_its_change_refused_with_what_is_wrong() {
    let place = Place::with(&[LOOSE]);
    let json = place
        .run(&["lint", "--rule", "missing-field", "--format", "json"])
        .json();
    let findings = json["findings"].as_array().unwrap();
    let ids: Vec<&str> = findings
        .iter()
        .filter(|one| one["message"].as_str().unwrap().contains("no id"))
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["rum:memories-3", "rum:memories-4"]);
    for (id, text) in [("memories-3", "three"), ("memories-4", "four")] {
        let shown = place.run(&["show", id]);
        assert!(shown.text().contains(text), "{}", shown.text());
        for args in [
            &["edit", id, "--set", "goal=X"][..],
            &["delete", id, "--yes"],
            &["archive", id],
        ] {
            let ran = place.run(args);
            assert_eq!(ran.code, 2, "{args:?}");
            assert!(
                ran.err.contains("the row has no id"),
                "{args:?}: {}",
                ran.err
            );
        }
    }
    let found = place.run(&["lint", "--rule", "empty-body", "--format", "quiet"]);
    assert_eq!(found.text(), "");
}

#[test]
fn a_view_in_the_place_of_the_table_is_not_run() {
    let place = Place::with(&[
        "CREATE VIEW memories AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT id, '' AS intent, '' AS outcome FROM c",
    ]);
    assert_eq!(
        problems(&place)[0].1,
        ["load-error: there is no table `memories`"]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn bytes_that_were_changed_never_stop_the_reading(at in 0_usize..200_000, bytes in prop::collection::vec(any::<u8>(), 1..64)) {
        let place = Place::sample();
        let mut whole = fs::read(place.db()).unwrap();
        let at = at % whole.len();
        for (slot, byte) in whole[at..].iter_mut().zip(bytes) {
            *slot = byte;
        }
        fs::write(place.db(), whole).unwrap();
        let collection = place.collection();
        for memory in place.load() {
            let _ = memkeep::retrieval::Texts::body(&collection, &memory);
        }
    }
}

#[test]
fn lint_finds_what_is_wrong_with_rows_and_nothing_else() {
    let place = Place::sample();
    // What its neighbours say, and whether its paths are still there, are other questions.
    let lint = |format: &str| {
        let mut args = vec!["lint", "--format", format];
        for rule in [
            "load-error",
            "bad-date",
            "missing-field",
            "unknown-value",
            "invisible-to-loader",
            "dead-appended",
            "duplicate-id",
            "broken-relation",
            "name-style",
            "body-length",
            "terminal-escape",
        ] {
            args.extend(["--rule", rule]);
        }
        place.run(&args)
    };
    assert_eq!(lint("quiet").text(), "");
    let sql = "PRAGMA foreign_keys = OFF; INSERT INTO memory_links VALUES ('link_9', 'mem_old', 'mem_gone', 'related_to', 1);
        UPDATE memories SET outcome = json_set(outcome, '$.summary', 'red' || char(27) || '[31m') WHERE id = 'mem_jwt'";
    place.connect().execute_batch(sql).unwrap();
    let json = lint("json").json();
    let found: Vec<(&str, &str)> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["id"].as_str().unwrap(), one["rule"].as_str().unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("rum:mem_jwt", "load-error"),
            ("rum:mem_jwt", "terminal-escape"),
            ("rum:mem_old", "broken-relation"),
        ]
    );
}

/// What the system's code fails on is out of its agents' sight, wherever that is asked.
#[test]
fn what_the_code_fails_on_is_invisible_everywhere() {
    for broken in [
        "intent = '{broken'",
        "outcome = '[1'",
        "tags = '{\"a\":1}', outcome_summary = 'other words'",
    ] {
        let set = format!("UPDATE memories SET {broken} WHERE id = 'mem_old'");
        let place = Place::with(&[REAL, SAMPLE, &set]);
        let all = place.run(&["list", "--format", "json"]).json();
        let all = all.as_array().unwrap();
        let own = all.iter().find(|one| one["id"] == "rum:mem_old").unwrap();
        let why = own["hidden_reason"].as_str().unwrap_or_default();
        assert_eq!(own["visible"], false, "{broken}");
        assert!(
            why.starts_with("the system's code fails on it: memories."),
            "{why}"
        );
        let ids = place.run(&["list", "--query", "is:invisible", "--format", "quiet"]);
        assert_eq!(ids.text(), "rum:mem_old\n", "{broken}");
        let stores = place.run(&["stores", "--format", "json"]).json();
        assert_eq!(stores[0]["invisible"], 1, "{broken}");
        // The preview says the same, and the problem that it fails on.
        let preview = place
            .run(&["inject", "--task", "", "--format", "json"])
            .json();
        let rejected = preview["previews"][0]["rejected"].as_array().unwrap();
        let own = rejected
            .iter()
            .find(|one| one["id"] == "rum:mem_old")
            .unwrap();
        assert_eq!(
            (&own["reason"], &own["hint"]),
            (&"invalid".into(), &why.into())
        );
    }
    let place = Place::sample();
    let ids = place.run(&["list", "--query", "is:invisible", "--format", "quiet"]);
    assert_eq!(ids.code, 1, "{}", ids.text());
}

/// A row that its index does not lead to is left as it is.
#[test]
fn a_damaged_index_lets_nothing_be_written() {
    let place = Place::with(&["PRAGMA journal_mode = DELETE", REAL, SAMPLE]);
    let root: usize = place
        .connect()
        .query_row(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_memories_1'",
            [],
            |row| row.get::<_, i64>(0),
        )
        .unwrap()
        .try_into()
        .unwrap();
    let whole = fs::read(place.db()).unwrap();
    // Another page than an index has, and an index that knows no row.
    let empty: &[u8] = &[10, 0, 0, 0, 0, 16, 0, 0];
    for page in [&[b'Z'; 8][..], &[b'Z'; 4096], empty] {
        let mut bytes = whole.clone();
        let at = (root - 1) * 4096;
        bytes[at..at + page.len()].copy_from_slice(page);
        fs::write(place.db(), &bytes).unwrap();
        let ran = place.run(&["edit", "mem_old", "--set", "goal=New"]);
        assert_ne!(ran.code, 0, "{}", ran.err);
        assert_eq!(fs::read(place.db()).unwrap(), bytes);
    }
}

#[test]
fn a_line_of_the_archive_that_cannot_be_read_is_a_problem_of_its_store() {
    let place = Place::sample();
    fs::write(place.root().join("demo.rum.archive.jsonl"), "{broken\n").unwrap();
    let stores = place.run(&["stores", "--format", "json"]).json();
    assert_eq!(
        (&stores[0]["archived"], &stores[0]["problems"]),
        (&1.into(), &1.into())
    );
}
