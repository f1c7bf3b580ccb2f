//! What joins two rows: it comes back when both are there, and is lost to no other change.

use crate::place::{Place, REAL, SAMPLE, SPEC};

/// What of the database points to nothing.
fn broken(place: &Place) -> Vec<String> {
    let db = place.connect();
    let mut check = db.prepare("PRAGMA foreign_key_check").unwrap();
    let rows = check.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn sql(place: &Place, sql: &str) {
    let db = place.connect();
    db.execute_batch(&format!("PRAGMA foreign_keys = ON; {sql}"))
        .unwrap();
}

/// Runs commands that have to go well; what the last of them said.
fn all(place: &Place, commands: &[&[&str]]) -> String {
    let mut said = String::new();
    for args in commands {
        let ran = place.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        assert_eq!(broken(place), Vec::<String>::new(), "{args:?}");
        said = ran.text();
    }
    said
}

const OLD: &[&str] = &["delete", "mem_old", "--yes"];
const JWT: &[&str] = &["delete", "mem_jwt", "--yes"];
const PUT_OLD: &[&str] = &["archive", "mem_old"];
const PUT_JWT: &[&str] = &["archive", "mem_jwt"];
const BACK_OLD: &[&str] = &["restore", "mem_old"];
const BACK_JWT: &[&str] = &["restore", "mem_jwt"];

#[test]
fn a_link_waits_for_its_other_end_however_both_went() {
    let place = Place::sample();
    let before = place.dump();
    let waits = |said: String, end: &str| {
        let away = format!("1 link stays away until {end} is there");
        assert!(said.contains(&away), "{said}");
    };
    for (first, second) in [
        (JWT, OLD),
        (PUT_JWT, PUT_OLD),
        (JWT, PUT_OLD),
        (PUT_JWT, OLD),
    ] {
        for (one, end, two) in [
            (BACK_JWT, "mem_old", BACK_OLD),
            (BACK_OLD, "mem_jwt", BACK_JWT),
        ] {
            for gone in [[first, second], [second, first]] {
                let said = all(&place, &[gone[0], gone[1], one]);
                waits(said, end);
                all(&place, &[two]);
                assert_eq!(place.dump(), before, "{gone:?} {one:?}");
                // All of it back again, step by step.
                all(&place, &[&["undo"][..]; 4]);
                assert_eq!(place.dump(), before, "{gone:?} {one:?}");
            }
        }
    }
}

#[test]
fn a_chapter_waits_for_its_members() {
    let place = Place::sample();
    let before = place.dump();
    let chapter: &[&str] = &["delete", "chapter_1", "--yes"];
    let said = all(&place, &[chapter, JWT, &["restore", "chapter_1"]]);
    assert!(
        said.contains("1 place in a chapter stays away until mem_jwt is there"),
        "{said}"
    );
    all(&place, &[BACK_JWT]);
    assert_eq!(place.dump(), before);
}

/// What a person took away is not brought back by what came before it.
#[test]
fn a_link_that_was_taken_away_stays_away() {
    let place = Place::sample();
    let unlink: &[&str] = &["unlink", "mem_jwt", "supersedes", "mem_old"];
    all(&place, &[JWT, BACK_JWT, unlink]);
    let before = place.dump();
    all(&place, &[OLD, BACK_OLD, PUT_JWT, BACK_JWT]);
    assert_eq!(place.dump(), before);
    // Nor by what another program made in its place.
    let link = "INSERT INTO memory_links VALUES ('link_9', 'mem_jwt', 'mem_old', 'supersedes', 5)";
    let place = Place::sample();
    all(&place, &[JWT, OLD, BACK_JWT]);
    sql(
        &place,
        "INSERT INTO memories SELECT 'mem_old', agent_id, project_id, session_id, created_at, intent_goal, intent_type, outcome_success, outcome_summary, intent, perception, reasoning, actions, outcome, tags, importance, access_count, last_accessed, embedding FROM memories WHERE id = 'mem_jwt'",
    );
    sql(&place, link);
    all(&place, &[PUT_JWT, BACK_JWT]);
    let links = place.dump().matches("supersedes").count();
    assert_eq!(links, 1, "{}", place.dump());
}

#[test]
fn what_another_program_deleted_is_not_pointed_to() {
    let gone = "DELETE FROM memories WHERE id = 'mem_old'";
    for (take, back) in [
        (PUT_JWT, BACK_JWT),
        (PUT_JWT, &["undo"]),
        (JWT, BACK_JWT),
        (JWT, &["undo"]),
    ] {
        let place = Place::sample();
        all(&place, &[take]);
        sql(&place, gone);
        let without = place.dump();
        let said = all(&place, &[back]);
        assert!(
            said.contains("1 link stays away until mem_old is there"),
            "{take:?} {back:?}: {said}"
        );
        let with = place.dump();
        // What was left out is no part of the step any more.
        let steps: [&[&str]; 2] = match back {
            ["undo"] => [&["redo"], &["undo"]],
            _ => [&["undo"], &["redo"]],
        };
        all(&place, &steps[..1]);
        assert_eq!(place.dump(), without, "{take:?} {back:?}");
        all(&place, &steps[1..]);
        assert_eq!(place.dump(), with, "{take:?} {back:?}");
    }
    // An agent is no end of a link: without it the memory is not written, and not lost.
    let place = Place::sample();
    all(&place, &[&["archive", "mem_log"]]);
    sql(&place, "DELETE FROM agents WHERE id = 'agent_b'");
    for args in [&["restore", "mem_log"][..], &["undo"]] {
        let before = place.dump();
        let ran = place.run(args);
        assert_eq!((ran.code, place.dump()), (2, before), "{}", ran.text());
        assert!(ran.err.contains("not there"), "{}", ran.err);
    }
    assert!(place.root().join("demo.rum.archive.jsonl").exists());
}

/// A row that a step takes back may have got links from another program since.
#[test]
fn what_another_program_attached_holds_a_row() {
    let newest = "(SELECT id FROM memories ORDER BY created_at DESC LIMIT 1)";
    let link =
        format!("INSERT INTO memory_links VALUES ('link_9', {newest}, 'mem_old', 'caused_by', 5)");
    let member = format!("INSERT INTO chapter_memories VALUES ('chapter_1', {newest}, 9)");
    let file = format!("INSERT INTO memory_files VALUES ({newest}, 'a.rs', 'read')");
    let join =
        "INSERT INTO chapter_memories SELECT id, 'mem_old', 9 FROM chapters WHERE title = 'New'"
            .to_owned();
    let add: &[&str] = &["add", "Body", "--title", "New"];
    let chapter: &[&str] = &["chapter", "mem_jwt", "--title", "New"];
    for (make, theirs) in [(add, link), (add, member), (add, file), (chapter, join)] {
        let place = Place::sample();
        all(&place, &[make]);
        sql(&place, &theirs);
        let before = place.dump();
        let ran = place.run(&["undo"]);
        assert_eq!(ran.code, 3, "{theirs}: {}{}", ran.text(), ran.err);
        assert_eq!(place.dump(), before, "{theirs}");
    }
    // In the specification's tables nothing cascades.
    let memory = r#"INSERT INTO memories VALUES ('mem_old', 'agent_a', 'demo', 's', 5, 'A', 'other', 1, NULL, '{"goal":"A"}', '{}', '{}', '[]', '{"success":true}', '[]', 0.5, 0, NULL, NULL)"#;
    let place = Place::with(&[SPEC, memory]);
    all(&place, &[add]);
    sql(
        &place,
        &format!("INSERT INTO memory_links VALUES ({newest}, 'mem_old', 'caused_by', 5)"),
    );
    assert_eq!(place.run(&["undo"]).code, 3);
    assert_eq!(broken(&place), Vec::<String>::new());
}

#[test]
fn what_is_refused_leaves_no_file_and_says_why() {
    let place = Place::sample();
    all(&place, &[&["edit", "mem_jwt", "--set", "goal=New"]]);
    sql(&place, "UPDATE memories SET intent_goal = 'Theirs'");
    let before = place.files();
    assert_eq!(place.run(&["undo"]).code, 3);
    assert_eq!(place.files(), before);
    for tables in ["CREATE TABLE users (id)", ""] {
        let place = Place::with(&[REAL, SAMPLE]);
        let other = place.root().join("other.rum.db");
        rusqlite::Connection::open(&other)
            .unwrap()
            .execute_batch(tables)
            .unwrap();
        std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&other)
            .unwrap();
        let ran = place.run(&["--store", "other.rum.db", "add", "Hello"]);
        assert_eq!(ran.code, 2, "{tables}: {}", ran.err);
        assert!(ran.err.contains("no table `memories`"), "{}", ran.err);
    }
}
