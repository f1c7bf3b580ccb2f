//! Changes to rows: what was asked for changes, nothing else, and all of it can be taken back.

use std::fs;

use proptest::prelude::*;

use memkeep::curate::Change;
use memkeep::memory::MemoryId;
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::schema::Kind;
use memkeep::systems::rum::RUM;

use crate::place::{Place, REAL, SAMPLE, SPEC, now};

/// Runs a command that changes something; the rows that differ, `-` before and `+` after.
fn changed(place: &Place, args: &[&str]) -> String {
    let before = place.dump();
    let ran = place.run(args);
    assert_eq!(ran.code, 0, "{args:?}: {}{}", ran.text(), ran.err);
    difference(&before, &place.dump())
}

fn difference(before: &str, after: &str) -> String {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(after));
    let gone = old
        .iter()
        .filter(|line| !new.contains(line))
        .map(|line| format!("- {line}\n"));
    let come = new
        .iter()
        .filter(|line| !old.contains(line))
        .map(|line| format!("+ {line}\n"));
    gone.chain(come).collect()
}

/// The change, and that undo, redo and undo lead where they should.
fn there_and_back(place: &Place, args: &[&str]) -> String {
    let before = place.dump();
    let change = changed(place, args);
    let after = place.dump();
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.dump(), before, "{args:?} undone");
    assert_eq!(place.run(&["redo"]).code, 0);
    assert_eq!(place.dump(), after, "{args:?} redone");
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.dump(), before, "{args:?} undone again");
    assert_eq!(place.files(), ["demo.rum.db", "home"]);
    change
}

#[test]
fn every_command_changes_its_rows_and_can_be_taken_back() {
    let place = Place::sample();
    let mut out = String::new();
    for args in [
        &["edit", "mem_jwt", "--set", "goal=Refresh tokens"][..],
        &[
            "edit",
            "mem_jwt",
            "--set",
            "type=security_fix",
            "--set",
            "success=false",
        ],
        &[
            "edit",
            "mem_log",
            "--set",
            "summary=Nothing found",
            "--set",
            "learnings=[Log more, Log sooner]",
        ],
        &["edit", "mem_jwt", "--unset", "summary"],
        &[
            "edit",
            "mem_jwt",
            "--set",
            "importance=0",
            "--add-tag",
            "new",
            "--remove-tag",
            "jwt",
        ],
        &["edit", "mem_log", "--set", "approach_chosen=Read the code"],
        &["edit", "mem_log", "--set", "created_at=2026-01-01"],
        &[
            "edit",
            "mem_jwt",
            "--set-new",
            "actions=[{type: file_edit, file_path: src/new.rs}]",
        ],
        &[
            "edit",
            "mem_jwt",
            "--set",
            "actions=[{type: file_edit, file_path: src/auth/interceptor.ts, lines_affected: 1-9}, {type: command_run, command: npm test, result: {success: true}}]",
        ],
        &[
            "edit",
            "mem_jwt",
            "--set",
            "observations=[{what: No refresh, where: src/auth/other.ts}]",
            "--set",
            "relevant_files={path: src/auth/new.ts, relevance: the endpoint}",
            "--set",
            "anomalies=Two clocks",
        ],
        &[
            "edit",
            "mem_jwt",
            "--set",
            "alternatives_considered=[{approach: Wait, why_rejected: too slow}]",
            "--set",
            "verified_by={type: test, command: npm test, result: passed}",
        ],
        &[
            "edit",
            "mem_jwt",
            "--unset",
            "actions",
            "--unset",
            "observations",
        ],
        &["edit", "mem_old", "--set", "risks_identified=It goes stale"],
        &["edit", "mem_jwt", "--set", "caused_by=mem_old"],
        &[
            "edit",
            "chapter_1",
            "--set",
            "members=mem_jwt,mem_old",
            "--set",
            "title=Sessions",
        ],
        &["edit", "wisdom_1", "--set", "best_practices=[Rotate]"],
        &["link", "mem_log", "related_to", "mem_old"],
        &["unlink", "mem_jwt", "supersedes", "mem_old"],
        &["unlink", "mem_log", "led_to", "mem_jwt"],
        &["chapter", "mem_log", "mem_jwt", "--title", "How it went"],
        &[
            "add",
            "Sessions are kept in Redis",
            "--title",
            "Find where sessions live",
            "-t",
            "investigation",
            "--tags",
            "auth",
        ],
        &["delete", "mem_jwt", "--yes"],
        &["delete", "mem_jwt", "mem_log", "mem_old", "--yes"],
        &["delete", "chapter_1", "--yes"],
        &["delete", "wisdom_1", "--yes"],
    ] {
        out.push_str(&format!(
            "$ memkeep {}\n{}\n",
            args.join(" "),
            there_and_back(&place, args)
        ));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn several_edits_of_one_thing_in_one_command_are_as_one() {
    let place = Place::sample();
    let collection = place.collection();
    let memories = place.load();
    let add = |field: &str, item: &str| memkeep::memory::edit::FieldEdit::AddItem {
        field: field.into(),
        item: item.into(),
    };
    let change = memkeep::curate::Change::Edit {
        seen: Vec::new(),
        ids: vec![memories[2].id.clone()],
        edits: vec![
            add("related_to", "mem_jwt"),
            add("related_to", "mem_log"),
            memkeep::memory::edit::FieldEdit::RemoveItem {
                field: "related_to".into(),
                index: 0,
            },
        ],
    };
    let before = place.dump();
    collection
        .change(&change, &memories, crate::place::now())
        .unwrap();
    let links = difference(&before, &place.dump());
    assert_eq!(links.lines().count(), 1, "{links}");
    assert!(links.contains("mem_old | mem_log | related_to"), "{links}");
    let layers = [
        "actions=[{type: file_edit, file_path: a.rs}]",
        "perception={relevant_files: [{path: a.rs}, {path: b.rs}]}",
    ];
    let ran = place.run(&[
        "edit",
        "mem_log",
        "--set-new",
        layers[0],
        "--set-new",
        layers[1],
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let files: Vec<String> = place
        .dump()
        .lines()
        .filter(|line| line.starts_with("memory_files: mem_log"))
        .map(str::to_owned)
        .collect();
    assert_eq!(
        files,
        [
            "memory_files: mem_log | a.rs | file_edit",
            "memory_files: mem_log | b.rs | relevant",
        ]
    );
}

#[test]
fn a_field_goes_by_its_other_names_in_a_new_row_too() {
    let place = Place::sample();
    let set = ["--set", "task_type=refactor", "--dry-run"];
    let ran = place.run(&[&["add", "Body", "--title", "T"], &set[..]].concat());
    assert!(
        ran.text().contains("+intent_type: refactor\n"),
        "{}{}",
        ran.text(),
        ran.err
    );
}

#[test]
fn the_same_can_be_added_twice_in_one_moment() {
    let place = Place::sample();
    for _ in 0..2 {
        assert_eq!(place.run(&["add", "The same", "--title", "Again"]).code, 0);
    }
    assert_eq!(place.load().len(), 7);
}

#[test]
fn the_schema_of_the_specification_is_written_too() {
    let sql = r#"
INSERT INTO memories VALUES ('mem_a', 'agent_a', 'demo', 'session_1', 1705432800, 'A', 'refactor', 1, NULL, '{"goal":"A","task_type":"refactor"}', '{}', '{}', '[]', '{"success":true}', '[]', 0.5, 0, NULL, NULL);
INSERT INTO memories VALUES ('mem_b', 'agent_a', 'demo', 'session_1', 1705432801, 'B', 'refactor', 1, NULL, '{"goal":"B","task_type":"refactor"}', '{}', '{}', '[]', '{"success":true}', '[]', 0.5, 0, NULL, NULL);
INSERT INTO memory_links VALUES ('mem_b', 'mem_a', 'caused_by', 1705432801);
INSERT INTO memory_files VALUES ('mem_a', 'a.rs', 'edit');"#;
    let place = Place::with(&[SPEC, sql]);
    let mut out = String::new();
    for args in [
        &["delete", "mem_a", "--yes"][..],
        &["link", "mem_a", "blocked_by", "mem_b"],
        &["add", "C", "--set", "context=Because"],
    ] {
        out.push_str(&format!(
            "$ memkeep {}\n{}\n",
            args.join(" "),
            there_and_back(&place, args)
        ));
    }
    insta::assert_snapshot!(out);
    assert_eq!(place.run(&["chapter", "mem_a"]).code, 2);
}

/// The specification's table of files says `read, edit, create, delete`, not the kind of action.
#[test]
fn the_files_of_the_specification_have_its_words() {
    let sql = r#"
INSERT INTO memories VALUES ('mem_a', 'agent_a', 'demo', 'session_1', 1705432800, 'A', 'refactor', 1, NULL, '{"goal":"A","task_type":"refactor"}', '{"relevant_files":[{"path":"kept.rs"}]}', '{}', '[{"type":"file_edit","details":{"file_path":"a.rs"}}]', '{"success":true}', '[]', 0.5, 0, NULL, NULL);
INSERT INTO memory_files VALUES ('mem_a', 'a.rs', 'edit'), ('mem_a', 'kept.rs', 'read');"#;
    for (schema, words) in [
        (SPEC, ["a.rs delete", "b.rs create", "kept.rs read"]),
        (REAL, ["a.rs edit", "b.rs file_create", "kept.rs read"]),
    ] {
        // In the program's own, what another one wrote there stays.
        let place = Place::with(&[schema, sql]);
        let lines =
            "actions=[{type: file_delete, file_path: a.rs}, {type: file_create, file_path: b.rs}]";
        let ran = place.run(&["edit", "mem_a", "--set", lines]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let db = place.connect();
        let mut read = db
            .prepare("SELECT file_path || ' ' || operation FROM memory_files ORDER BY 1")
            .unwrap();
        let rows = read.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let rows: Vec<String> = rows.map(Result::unwrap).collect();
        assert_eq!(rows, words);
    }
}

#[test]
fn what_is_archived_is_out_of_the_database_and_comes_back_with_everything() {
    let place = Place::sample();
    let before = place.dump();
    assert_eq!(place.run(&["archive", "mem_jwt"]).code, 0);
    assert!(!place.dump().contains("mem_jwt"));
    assert_eq!(
        place.run(&["list", "--format", "quiet"]).text(),
        "rum:mem_log\nrum:mem_old\nrum:chapter_1\nrum:wisdom_1\n"
    );
    let shown = place
        .run(&["show", "archive/mem_jwt", "--format", "json"])
        .json();
    assert_eq!(
        (&shown["state"], &shown["title"]),
        (&"archived".into(), &"Fix JWT token expiry".into())
    );
    assert!(shown["body"].as_str().unwrap().contains("A refresh queue"));
    assert_eq!(place.run(&["restore", "mem_jwt"]).code, 0);
    assert_eq!(place.dump(), before);
    // Two in one file: the right one comes back, whichever went last.
    assert_eq!(place.run(&["archive", "mem_jwt"]).code, 0);
    assert_eq!(place.run(&["archive", "mem_old"]).code, 0);
    assert_eq!(place.run(&["restore", "mem_jwt"]).code, 0);
    let ids = place.run(&["list", "--all", "--format", "quiet"]).lines();
    assert_eq!(
        &ids[..3],
        ["rum:archive/mem_old", "rum:mem_jwt", "rum:mem_log"]
    );
    assert_eq!(place.run(&["restore", "mem_old"]).code, 0);
    // The link between the two went with the first, and comes back with the last.
    assert_eq!(place.dump(), before);
    assert!(!place.root().join("demo.rum.archive.jsonl").exists());
}

#[test]
fn what_was_deleted_is_restored_by_its_id() {
    let place = Place::sample();
    let before = place.dump();
    assert_eq!(place.run(&["delete", "mem_jwt", "--yes"]).code, 0);
    assert_eq!(place.run(&["restore", "mem_jwt"]).code, 0);
    assert_eq!(place.dump(), before);
}

#[test]
fn a_link_comes_back_in_whatever_order_its_ends_do() {
    let place = Place::sample();
    let before = place.dump();
    for order in [["mem_jwt", "mem_old"], ["mem_old", "mem_jwt"]] {
        for id in ["mem_jwt", "mem_old"] {
            assert_eq!(place.run(&["archive", id]).code, 0);
        }
        // One by one, and both at once.
        for id in order {
            let ran = place.run(&["restore", id]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{id}");
        }
        assert_eq!(place.dump(), before, "{order:?}");
        for id in ["mem_jwt", "mem_old"] {
            assert_eq!(place.run(&["archive", id]).code, 0);
        }
        let ran = place.run(&["restore", order[0], order[1]]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{order:?}");
        assert_eq!(place.dump(), before, "{order:?} at once");
    }
}

#[test]
fn one_of_several_that_were_deleted_in_one_step_comes_back() {
    let place = Place::sample();
    let before = place.dump();
    let delete = ["delete", "mem_jwt", "mem_old", "chapter_1", "--yes"];
    assert_eq!(place.run(&delete).code, 0);
    let ran = place.run(&["restore", "mem_jwt"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let ids = place.run(&["list", "--format", "quiet"]).text();
    assert!(
        ids.contains("rum:mem_jwt\n") && !ids.contains("mem_old"),
        "{ids}"
    );
    // Links and places in chapters come back with the last that they need.
    assert_eq!(place.run(&["restore", "chapter_1", "mem_old"]).code, 0);
    assert_eq!(place.dump(), before);
    // Once more, the other way round, each for itself.
    assert_eq!(place.run(&delete).code, 0);
    for id in ["chapter_1", "mem_old", "mem_jwt"] {
        let ran = place.run(&["restore", id]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{id}");
    }
    assert_eq!(place.dump(), before);
}

#[test]
fn what_was_deleted_from_the_archive_comes_back_to_it() {
    let place = Place::sample();
    let archived = ["archive", "mem_jwt", "mem_old"];
    assert_eq!(place.run(&archived).code, 0);
    let file = place.root().join("demo.rum.archive.jsonl");
    let before = std::fs::read_to_string(&file).unwrap();
    let delete = ["delete", "archive/mem_jwt", "archive/mem_old", "--yes"];
    assert_eq!(place.run(&delete).code, 0);
    assert!(!file.exists());
    for id in ["archive/mem_old", "archive/mem_jwt"] {
        let ran = place.run(&["restore", id]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{id}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn what_goes_with_a_memory_is_named_before_it_goes() {
    let place = Place::sample();
    let before = place.dump();
    let asked = place.run(&["delete", "mem_jwt"]);
    assert_eq!(asked.code, 2);
    assert_eq!(
        asked.err,
        "error: rum:mem_jwt takes 2 links, 1 place in a chapter with it\nhint: --yes deletes it all; undo brings it all back\n"
    );
    let shown = place.run(&["delete", "mem_jwt", "--dry-run"]);
    assert_eq!(shown.code, 0);
    assert!(shown.err.contains("2 links"), "{}", shown.err);
    insta::assert_snapshot!(shown.text());
    assert_eq!(place.dump(), before);
    assert_eq!(place.run(&["delete", "mem_old"]).code, 2);
}

#[test]
fn what_goes_with_a_memory_is_refused_until_it_is_meant_wherever_it_is_asked_for() {
    let place = Place::sample();
    let said = |local: &str, sure| {
        let ids = vec![MemoryId::new(&"rum".into(), local)];
        let plan = place
            .collection()
            .plan(&Change::Delete { ids, sure }, &place.load(), now());
        plan.map(drop).map_err(|error| error.to_string())
    };
    let refused = |what: &str| Err(what.to_owned());
    assert_eq!(
        said("mem_jwt", false),
        refused("rum:mem_jwt takes 2 links, 1 place in a chapter with it")
    );
    // Whatever end of the link it is, and whatever its own row says of it.
    assert_eq!(
        said("mem_old", false),
        refused("rum:mem_old takes 1 link with it")
    );
    assert_eq!(
        said("chapter_1", false),
        refused("rum:chapter_1 takes 2 places in a chapter, 1 place in wisdom with it")
    );
    assert_eq!(said("mem_jwt", true), Ok(()));
}

#[test]
fn an_edit_is_shown_as_lines_of_columns() {
    let place = Place::sample();
    let before = fs::read(place.db()).unwrap();
    let ran = place.run(&[
        "edit",
        "mem_log",
        "--set",
        "goal=Look",
        "--set",
        "importance=0.4",
        "--dry-run",
    ]);
    insta::assert_snapshot!(ran.text());
    assert_eq!(fs::read(place.db()).unwrap(), before);
}

#[test]
fn fields_that_no_edit_changes_are_known_and_others_have_no_name() {
    let place = Place::sample();
    for spec in RUM.fields {
        let value = match spec.kind {
            Kind::Number(..) => "77",
            Kind::Date => "2026-02-02",
            Kind::Choice(words) => words[0],
            Kind::Bool => "false",
            _ => "x",
        };
        let pair = format!("{}={value}", spec.name);
        let ran = place.run(&["edit", "mem_jwt", "--dry-run", "--set", &pair]);
        let refused = ran.err.contains("or is the system's own");
        assert_eq!(refused, RUM.is_fixed(spec.name), "{pair}: {}", ran.err);
    }
    let hint = place.run(&["edit", "mem_jwt", "--set", "foo=1"]);
    assert!(!hint.err.contains("--set-new"), "{}", hint.err);
    let ran = place.run(&["edit", "mem_jwt", "--set-new", "foo=1"]);
    let own = "RUM memories have no field `foo`";
    assert!(ran.err.contains(own), "{}", ran.err);
}

#[test]
fn an_agent_that_is_made_with_a_memory_is_named() {
    let place = Place::sample();
    let add = |title: &str| {
        let set = [
            "--set",
            "agent_id=agent_typo",
            "--set",
            "session_id=session_1",
        ];
        let ran = place.run(&[&["add", "Body", "--title", title][..], &set].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.text()
    };
    assert!(add("One").contains("a new agent `agent_typo`"));
    assert!(!add("Two").contains("a new agent"));
}

#[test]
fn what_cannot_be_is_refused_and_nothing_written() {
    let place = Place::sample();
    let before = place.dump();
    for args in [
        &["edit", "mem_jwt", "--set", "importance=2"][..],
        &["edit", "mem_jwt", "--set", "importance=much"],
        &["edit", "mem_jwt", "--set", "created_at=2026-02-30"],
        &["edit", "mem_jwt", "--set", "type=play"],
        &["edit", "mem_jwt", "--unset", "goal"],
        &["edit", "mem_jwt", "--unset", "agent_id"],
        &["edit", "mem_jwt", "--set", "agent_id=nobody"],
        &["edit", "mem_jwt", "--set", "nothing=1"],
        &["edit", "mem_jwt", "--set-new", "access_count=0"],
        &["edit", "mem_jwt", "--set-new", "actions=text"],
        &["edit", "mem_jwt", "--set", "superseded_by=mem_old"],
        &["edit", "mem_jwt", "--set", "related_to=mem_jwt"],
        &["edit", "mem_jwt", "--set", "related_to=mem_gone"],
        &["edit", "chapter_1", "--set", "members=mem_gone"],
        &["link", "mem_jwt", "knows", "mem_old"],
        &["rename", "mem_jwt", "mem_new"],
        &["add", "Body", "--title", "T", "--set", "importance=much"],
        &[
            "add",
            "Body",
            "--title",
            "T",
            "--set",
            "created_at=2026-02-30",
        ],
        &["add", "Body", "--title", "T", "--set", "goal=Other"],
        &["add", "Body", "--title", "T", "--set", "files=src/a.ts"],
        &["add", "Body", "--title", "T", "--set", "access_count=9"],
    ] {
        let ran = place.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.text(), ran.err);
        assert_eq!(place.dump(), before, "{args:?}");
    }
    assert_eq!(
        place.run(&["unlink", "mem_jwt", "led_to", "mem_old"]).code,
        1
    );
    assert_eq!(
        place
            .run(&["link", "mem_jwt", "caused_by", "mem_log"])
            .text(),
        "nothing to change\n"
    );
}

#[test]
fn a_layer_that_is_broken_can_be_replaced_as_a_whole() {
    let place = Place::with(&[
        REAL,
        SAMPLE,
        "UPDATE memories SET intent = '{bad' WHERE id = 'mem_log'",
    ]);
    let ran = place.run(&["edit", "mem_log", "--set", "context=x"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("memories.intent is no JSON object"),
        "{}",
        ran.err
    );
    let change = there_and_back(
        &place,
        &[
            "edit",
            "mem_log",
            "--set-new",
            "intent={goal: Whole, task_type: other}",
        ],
    );
    assert!(change.contains("Whole"), "{change}");
}

/// A list in a column is changed where it was changed: what another program wrote there keeps its
/// bytes, what shows nothing too, and what is no list is not lost to one more tag.
#[test]
fn one_more_tag_leaves_the_others_as_they_are() {
    let tags = |place: &Place, table: &str, id: &str| {
        let sql = format!("SELECT tags FROM {table} WHERE id = '{id}'");
        let read = |row: &rusqlite::Row<'_>| row.get::<_, Option<String>>(0);
        place.connect().query_row(&sql, [], read).unwrap()
    };
    for (before, args, after) in rows! {
        r#"'[ "\u00e4" , "b b","" ]'"# => ["--add-tag", "q"] => Some(r#"[ "\u00e4" , "b b","" , "q" ]"#),
        r#"'[ "\u00e4" , "b b","" ]'"# => ["--remove-tag", "b b"] => Some(r#"[ "\u00e4" , "" ]"#),
        "NULL" => ["--add-tag", "q"] => Some(r#"["q"]"#),
        "''" => ["--add-tag", "q"] => Some(r#"["q"]"#),
        "'[1, null]'" => ["--add-tag", "q"] => Some(r#"[1, null, "q"]"#),
        "'not json'" => ["--add-tag", "q"] => None,
        r#"'{"a":1}'"# => ["--add-tag", "q"] => None,
        "'not json'" => ["--set", "tags=q, r"] => Some(r#"["q","r"]"#),
    } {
        for (table, id) in [("memories", "mem_log"), ("chapters", "chapter_1")] {
            let set = format!("UPDATE {table} SET tags = {before} WHERE id = '{id}'");
            let place = Place::with(&[REAL, SAMPLE, &set]);
            let was = tags(&place, table, id);
            let ran = place.run(&["edit", id, args[0], args[1]]);
            let now = tags(&place, table, id);
            match after {
                Some(after) => {
                    assert_eq!(now.as_deref(), Some(after), "{table} {before} {}", ran.err);
                    assert_eq!(place.run(&["undo"]).code, 0);
                    assert_eq!(tags(&place, table, id), was);
                }
                None => {
                    assert_eq!(ran.code, 2, "{table} {before}");
                    let said = format!("{table}.tags is no JSON list: replace all of it");
                    assert!(ran.err.contains(&said), "{}", ran.err);
                    assert_eq!(now, was);
                }
            }
        }
    }
}

#[test]
fn a_row_that_another_program_changed_is_not_overwritten() {
    let place = Place::sample();
    let collection = place.collection();
    let memories = place.load();
    let change = memkeep::curate::Change::Edit {
        seen: Vec::new(),
        ids: vec![memories[0].id.clone()],
        edits: vec![memkeep::memory::edit::FieldEdit::Set {
            field: "summary".into(),
            value: "Mine".into(),
        }],
    };
    let now = crate::place::now();
    let plan = collection.plan(&change, &memories, now).unwrap();
    place
        .connect()
        .execute_batch("UPDATE memories SET outcome_summary = 'Theirs' WHERE id = 'mem_jwt'")
        .unwrap();
    let dump = place.dump();
    let refused = collection.carry_out(plan, "edit", vec![], now).unwrap_err();
    assert!(
        matches!(refused, memkeep::store::StoreError::Changed(_)),
        "{refused}"
    );
    let refused = collection.plan(&change, &memories, now).unwrap_err();
    assert!(
        matches!(refused, memkeep::store::StoreError::Changed(_)),
        "{refused}"
    );
    assert_eq!(place.dump(), dump);
    // Another row, or a count of reads, is nobody's conflict.
    place.connect().execute_batch("UPDATE memories SET outcome_summary = 'No more random logouts', access_count = 99 WHERE id = 'mem_jwt'; UPDATE memories SET importance = 0.1 WHERE id = 'mem_old'").unwrap();
    let plan = collection.plan(&change, &memories, now).unwrap();
    place
        .connect()
        .execute_batch("UPDATE memories SET access_count = 100 WHERE id = 'mem_jwt'")
        .unwrap();
    collection.carry_out(plan, "edit", vec![], now).unwrap();
    assert!(place.dump().contains("Integer(100)"));
    collection.undo().unwrap();
    assert!(place.dump().contains("Integer(100)"));
}

#[test]
fn a_database_that_is_being_written_is_waited_for_and_then_left_alone() {
    let place = Place::sample();
    let writer = place.connect();
    writer
        .execute_batch("BEGIN IMMEDIATE; UPDATE memories SET importance = 0.2 WHERE id = 'mem_old'")
        .unwrap();
    let ran = place.run(&["edit", "mem_jwt", "--set", "goal=New"]);
    assert_eq!(ran.code, 3, "{}{}", ran.text(), ran.err);
    assert!(
        ran.err.contains("another program is writing"),
        "{}",
        ran.err
    );
    writer.execute_batch("COMMIT").unwrap();
    assert_eq!(place.run(&["edit", "mem_jwt", "--set", "goal=New"]).code, 0);
}

#[test]
fn a_database_that_is_held_alone_is_said_to_be_busy_and_not_to_have_changed() {
    let place = Place::with(&["PRAGMA journal_mode = DELETE", REAL, SAMPLE]);
    let writer = place.connect();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let ran = place.run(&["edit", "mem_jwt", "--set", "goal=New"]);
    assert_eq!(ran.code, 3, "{}{}", ran.text(), ran.err);
    let busy = "another program is writing";
    assert!(ran.err.contains(busy), "{}", ran.err);
    writer.execute_batch("COMMIT").unwrap();
    assert_eq!(place.run(&["edit", "mem_jwt", "--set", "goal=New"]).code, 0);
}

/// A program that does not switch foreign keys on leaves rows that point to nothing. What went
/// comes back all the same.
#[test]
fn a_row_that_points_to_nothing_comes_back_too() {
    let place = Place::with(&[
        REAL,
        SAMPLE,
        "PRAGMA foreign_keys = OFF;
         UPDATE memories SET agent_id = 'agent_gone' WHERE id = 'mem_log';
         INSERT INTO memory_links VALUES ('link_x', 'mem_jwt', 'mem_gone', 'caused_by', 1);
         INSERT INTO chapter_memories VALUES ('chapter_gone', 'mem_jwt', 7);",
    ]);
    for id in ["mem_log", "mem_jwt"] {
        for args in [&["delete", id, "--yes"][..], &["archive", id]] {
            there_and_back(&place, args);
        }
        let before = place.dump();
        assert_eq!(place.run(&["archive", id]).code, 0);
        let ran = place.run(&["restore", id]);
        assert_eq!((ran.code, place.dump()), (0, before), "{}", ran.err);
    }
    let before = place.dump();
    let ran = place.run(&["edit", "mem_old", "--set", "agent_id=agent_gone"]);
    assert_eq!((ran.code, place.dump()), (2, before), "{}", ran.text());
}

#[test]
fn a_trigger_that_changes_other_rows_is_refused() {
    for trigger in [
        "AFTER UPDATE ON memories BEGIN UPDATE memories SET intent_goal = 'other' WHERE id <> NEW.id; END",
        "AFTER UPDATE ON memories BEGIN DELETE FROM memories WHERE id = 'mem_old'; END",
    ] {
        let place = Place::with(&[REAL, SAMPLE, &format!("CREATE TRIGGER t {trigger};")]);
        let before = place.dump();
        let ran = place.run(&["edit", "mem_jwt", "--set", "summary=New"]);
        assert_eq!((ran.code, place.dump()), (2, before), "{trigger}");
        assert!(ran.err.contains("a rule of the database"), "{}", ran.err);
    }
    // Nor may rows of another table follow.
    let place = Place::with(&[
        REAL,
        SAMPLE,
        "CREATE TRIGGER t AFTER UPDATE ON memories BEGIN UPDATE agents SET memory_count = 9; END;",
    ]);
    let before = place.dump();
    let ran = place.run(&["edit", "mem_jwt", "--set", "summary=New"]);
    assert_eq!((ran.code, place.dump()), (2, before), "{}", ran.text());
}

#[test]
fn a_trigger_that_changes_more_is_refused() {
    let place = Place::with(&[
        REAL,
        SAMPLE,
        "CREATE TRIGGER t AFTER UPDATE ON memories BEGIN UPDATE memories SET outcome_summary = 'ha' WHERE id = new.id; END",
    ]);
    let before = place.dump();
    let ran = place.run(&["edit", "mem_jwt", "--set", "importance=0.1"]);
    assert_eq!(ran.code, 2, "{}", ran.text());
    assert_eq!(place.dump(), before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_written_into_a_field_is_read_back_and_undone(text in "[^\\x00]{1,24}", field in 0_usize..6) {
        let field = ["goal", "summary", "context", "learnings", "failure_reason", "tags"][field];
        let place = Place::sample();
        let before = place.dump();
        let collection = place.collection();
        let memories = place.load();
        let edits = vec![memkeep::memory::edit::FieldEdit::AddItem { field: field.into(), item: text.as_str().into() }];
        let set = vec![memkeep::memory::edit::FieldEdit::Set { field: field.into(), value: text.as_str().into() }];
        let is_list = ["learnings", "tags"].contains(&field);
        let change = memkeep::curate::Change::Edit { seen: Vec::new(), ids: vec![memories[0].id.clone()], edits: if is_list { edits } else { set } };
        collection.change(&change, &memories, crate::place::now()).unwrap();
        let after = place.load();
        let value = after[0].field(field).unwrap();
        let last = value.items().last().unwrap();
        prop_assert_eq!(last.as_str(), Some(text.as_str()));
        prop_assert_eq!(&*after[0].problems, &[]);
        collection.undo().unwrap();
        prop_assert_eq!(place.dump(), before);
    }
}

#[test]
fn one_memory_of_two_has_the_layers_the_tags_and_the_links_of_both() {
    let place = Place::with(&[
        REAL,
        SAMPLE,
        "INSERT INTO memory_links VALUES ('link_3', 'mem_log', 'mem_old', 'related_to', 1768600000002);
         INSERT INTO chapter_memories VALUES ('chapter_1', 'mem_old', 2);",
    ]);
    let merge = &["merge", "mem_jwt", "mem_old"];
    insta::assert_snapshot!(there_and_back(&place, merge));
    let refused = place.run(&["merge", "mem_jwt", "mem_log"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("their `success` differs"),
        "{}",
        refused.err
    );
    let refused = place.run(&["merge", "mem_jwt", "chapter_1"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("a chapter"), "{}", refused.err);
}

#[test]
fn what_cannot_be_forgotten_is_refused_before_it_is_asked() {
    let place = Place::sample();
    for more in [&[][..], &["--yes"]] {
        let ran = place.run(&[&["forget", "mem_jwt"][..], more].concat());
        assert_eq!(ran.code, 2);
        assert!(
            ran.err.contains("rum memories cannot be forgotten"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn the_links_that_are_offered_are_those_that_can_be_made() {
    let place = Place::sample();
    let ran = place.run(&["link", "mem_jwt", "bogus", "mem_old"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err
            .contains("hint: one of caused_by, led_to, related_to, supersedes, blocked_by\n"),
        "{}",
        ran.err
    );
}

/// What neither changes nor is taken over keeps its bytes; what is taken over those it had.
#[test]
fn a_merge_writes_numbers_and_blanks_as_they_stood() {
    let keep = r#"{ "success": true,  "summary": "Caf\u00e9 \/ S", "learnings": [ "a" , "b" ], "cost": 1.50, "trace": 12345678901234567890123 }"#;
    let with = r#"{"success":true,"summary":"Other words","learnings":["b","\u00e4"],"cost":9,"share":2.50,"id":98765432109876543210987}"#;
    let place = Place::with(&[
        REAL,
        SAMPLE,
        &format!(
            "UPDATE memories SET outcome = '{keep}', outcome_summary = 'Café / S' WHERE id = 'mem_jwt'"
        ),
        &format!(
            "UPDATE memories SET outcome = '{with}', outcome_summary = 'Other words' WHERE id = 'mem_old'"
        ),
        "UPDATE memories SET perception = '{ \"anomalies\": [ 1.0 ] }' WHERE id = 'mem_old'",
        "UPDATE memories SET perception = NULL, intent = '{ \"goal\":\"Fix JWT token expiry\" , \"task_type\":\"bug_fix\" , \"context\":\"A\\u0301\" }' WHERE id = 'mem_jwt'",
    ]);
    there_and_back(&place, &["merge", "mem_jwt", "mem_old"]);
    assert_eq!(place.run(&["merge", "mem_jwt", "mem_old"]).code, 0);
    let layer = |name: &str| -> String {
        let sql = format!("SELECT {name} FROM memories WHERE id = 'mem_jwt'");
        place
            .connect()
            .query_row(&sql, [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(
        layer("outcome"),
        r#"{ "success": true,  "summary": "Caf\u00e9 \/ S\nOther words", "learnings": [ "a" , "b" , "\u00e4" ], "cost": 1.50, "trace": 12345678901234567890123,  "share": 2.50,  "id": 98765432109876543210987 }"#
    );
    assert_eq!(layer("outcome_summary"), "Café / S\nOther words");
    assert_eq!(layer("perception"), r#"{ "anomalies": [ 1.0 ] }"#);
    assert_eq!(
        layer("intent"),
        r#"{ "goal":"Fix JWT token expiry" , "task_type":"bug_fix" , "context":"A\u0301" }"#
    );
}

#[test]
fn a_merge_of_a_contradiction_keeps_the_items_of_both_rows() {
    let row = |id: &str, goal: &str, learned: &str| {
        format!(
            "UPDATE memories SET intent = '{{\"goal\":\"{goal}\",\"task_type\":\"bug_fix\",\"context\":\"\"}}', intent_goal = '{goal}', \
             outcome = '{{\"success\":true,\"summary\":\"Done\",\"learnings\":[{learned}]}}', \
             outcome_summary = 'Done' WHERE id = '{id}'"
        )
    };
    let keep = "\"Sessions of the desk end after 8 hours.\"";
    let with = "\"Sessions of the desk end after 30 minutes.\",\"The clock of the desk is UTC.\"";
    let place = Place::with(&[
        REAL,
        SAMPLE,
        &row("mem_jwt", "End sessions", keep),
        &row("mem_old", "End the sessions of desk-7", with),
    ]);
    let said = place.run(&["merge", "mem_jwt", "mem_old"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let both = "rum:mem_jwt has both texts: remove what no longer holds";
    assert!(said.text().contains(both), "{}", said.text());
    let layer = |name: &str| -> String {
        let sql = format!("SELECT {name} FROM memories WHERE id = 'mem_jwt'");
        let connection = place.connect();
        connection.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(
        layer("outcome"),
        format!("{{\"success\":true,\"summary\":\"Done\",\"learnings\":[{keep},{with}]}}")
    );
    // Of goals there is one: that of the memory that is kept.
    assert_eq!(
        layer("intent"),
        "{\"goal\":\"End sessions\",\"task_type\":\"bug_fix\",\"context\":\"\"}"
    );
}

/// What cannot be read cannot be joined, and nothing takes its place.
#[test]
fn a_layer_that_cannot_be_read_is_not_merged() {
    for (layer, text) in [
        ("intent", "{broken"),
        ("outcome", r#"{"success":true,"learnings":["cut o"#),
        ("actions", r#"[{"type":"file_edit""#),
        ("intent", r#""text""#),
    ] {
        let broken = format!("UPDATE memories SET {layer} = '{text}' WHERE id = 'mem_jwt'");
        let place = Place::with(&[REAL, SAMPLE, &broken]);
        let before = place.dump();
        for ids in [["mem_jwt", "mem_old"], ["mem_old", "mem_jwt"]] {
            let ran = place.run(&["merge", ids[0], ids[1]]);
            assert_eq!(ran.code, 2, "{text}: {}", ran.text());
            assert!(
                ran.err.contains(&format!("memories.{layer} is")),
                "{text}: {}",
                ran.err
            );
        }
        assert_eq!(place.dump(), before);
    }
}

/// What is put aside stands beside the database, wherever a link to that stands.
#[cfg(unix)]
#[test]
fn the_archive_is_beside_what_a_link_leads_to() {
    let place = Place::sample();
    let other = place.root().join("other");
    fs::create_dir(&other).unwrap();
    // One repository, for a link is written through within its work tree only.
    let git = std::process::Command::new("git")
        .args(["init", "-q"])
        .current_dir(place.root())
        .status();
    assert!(git.unwrap().success());
    std::os::unix::fs::symlink(place.db(), other.join("demo.rum.db")).unwrap();
    let there = ["--root", other.to_str().unwrap()];
    let run = |args: &[&str]| place.run(&[&there[..], args].concat());
    assert_eq!(run(&["archive", "mem_jwt"]).code, 0);
    assert!(place.root().join("demo.rum.archive.jsonl").exists());
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
    let archived = [
        "list",
        "--all",
        "--query",
        "is:archived",
        "--format",
        "quiet",
    ];
    assert_eq!(place.run(&archived).text(), "rum:archive/mem_jwt\n");
    assert_eq!(run(&archived).text(), "rum:archive/mem_jwt\n");
    // What stands in the log only is read through the link too.
    let writer = place.connect();
    writer
        .execute_batch("UPDATE memories SET intent_goal = 'Theirs', intent = '{\"goal\":\"Theirs\"}' WHERE id = 'mem_old'")
        .unwrap();
    let shown = run(&["show", "mem_old", "--format", "json"]).json();
    assert_eq!(shown["title"], "Theirs");
    drop(writer);
    assert_eq!(run(&["restore", "mem_jwt"]).code, 0);
    assert!(!place.root().join("demo.rum.archive.jsonl").exists());
}

#[test]
fn what_is_gone_goes_by_the_start_of_its_id() {
    let place = Place::sample();
    let before = place.dump();
    for take in [&["archive", "mem_jwt"][..], &["delete", "mem_jwt", "--yes"]] {
        for name in ["mem_j", "rum:mem_j", "mem_jwt"] {
            assert_eq!(place.run(take).code, 0);
            let ran = place.run(&["restore", name]);
            assert_eq!(ran.code, 0, "{take:?} {name}: {}", ran.err);
            assert_eq!(place.dump(), before, "{take:?} {name}");
        }
    }
    let both = ["delete", "mem_jwt", "mem_old", "--yes"];
    assert_eq!(place.run(&both).code, 0);
    let ran = place.run(&["restore", "mem_"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("one of rum:mem_jwt, rum:mem_old"),
        "{}",
        ran.err
    );
    let ran = place.run(&["restore", "nothing"]);
    assert_eq!(ran.code, 1);
    let deleted = "deleted: rum:mem_jwt, rum:mem_old";
    assert!(ran.err.contains(deleted), "{}", ran.err);
    assert_eq!(place.run(&["restore", "mem_o"]).code, 0);
    assert_eq!(place.run(&["restore", "mem_j"]).code, 0);
    assert_eq!(place.dump(), before);
}

#[test]
fn an_agent_that_is_not_there_is_named() {
    let place = Place::sample();
    let ran = place.run(&["edit", "mem_jwt", "--set", "agent_id=nobody"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("there is no agent `nobody`"),
        "{}",
        ran.err
    );
    assert_eq!(
        place
            .run(&["edit", "mem_jwt", "--set", "agent_id=agent_b"])
            .code,
        0
    );
}

#[test]
fn a_new_memory_of_one_line_has_a_summary() {
    let place = Place::sample();
    assert_eq!(place.run(&["add", "Sessions live in Redis"]).code, 0);
    let prompt = place.run(&["inject", "--task", "", "--max", "1", "--format", "prompt"]);
    let first = &prompt.json()[0];
    assert_eq!(
        (&first["intent"]["goal"], &first["outcome"]["summary"]),
        (
            &"Sessions live in Redis".into(),
            &"Sessions live in Redis".into()
        )
    );
}

#[test]
fn a_chapter_says_once_what_several_learned() {
    let same = "UPDATE memories SET outcome = json_set(outcome, '$.learnings', json('[\"Same\",\"Own\"]')) WHERE id IN ('mem_old', 'mem_log')";
    let place = Place::with(&[REAL, SAMPLE, same]);
    let change = changed(&place, &["chapter", "mem_old", "mem_log"]);
    assert!(change.contains(r#"["Same","Own"]"#), "{change}");
}

/// The text that RUM makes an embedding of: goal, type, context, summary, learnings and approach.
#[test]
fn an_embedding_of_other_text_is_cleared() {
    let place = Place::sample();
    let stored = |place: &Place| -> Option<Vec<u8>> {
        let sql = "SELECT embedding FROM memories WHERE id = 'mem_jwt'";
        let connection = place.connect();
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let before = stored(&place).unwrap();
    for (edit, is_kept) in [
        ("goal=Refresh tokens", false),
        ("type=security_fix", false),
        ("context=Nobody stayed", false),
        ("summary=Fewer logouts", false),
        ("learnings=Refresh", false),
        ("approach_chosen=A queue", false),
        ("why_chosen=It is short", true),
        ("success=false", true),
        ("importance=0.1", true),
        ("tags=auth", true),
        ("anomalies=Two clocks", true),
        ("caused_by=mem_old", true),
        ("goal=Fix JWT token expiry", true),
    ] {
        let ran = place.run(&["edit", "mem_jwt", "--set", edit]);
        assert_eq!(ran.code, 0, "{edit}: {}", ran.err);
        let note = "rum:mem_jwt has other text than its embedding, which is cleared: RUM does not \
                    find the memory by meaning until its `update_memory` changes the text";
        let said = format!("{}{}", ran.text(), ran.err);
        assert_eq!(said.contains(note), !is_kept, "{edit}: {said}");
        let expected = is_kept.then_some(&before);
        assert_eq!(stored(&place).as_ref(), expected, "{edit}");
        if !edit.ends_with("expiry") {
            assert_eq!(place.run(&["undo"]).code, 0, "{edit}");
            assert_eq!(stored(&place).as_ref(), Some(&before), "{edit}");
        }
    }
}

/// The second of two changes of a row that are made in one step may look at more of it.
#[test]
fn what_two_changes_in_one_step_cleared_comes_back() {
    let place = Place::sample();
    let before = place.dump();
    let collection = place.collection();
    let memories = place.load();
    let jwt = memories
        .iter()
        .find(|memory| &*memory.id.local == "mem_jwt");
    let jwt = jwt.unwrap();
    let set = |field: &str, value: &str| Change::Edit {
        seen: Vec::new(),
        ids: vec![jwt.id.clone()],
        edits: vec![FieldEdit::Set {
            field: field.into(),
            value: value.into(),
        }],
    };
    let both = Change::Together(vec![set("why_chosen", "Short"), set("goal", "Refresh")]);
    collection.change(&both, &memories, now()).unwrap();
    assert!(!place.dump().contains("Fix JWT token expiry"));
    collection.undo().unwrap();
    assert_eq!(place.dump(), before);
}

/// RUM's readers know `led_to` by the `caused_by` of the other memory alone.
#[test]
fn what_a_memory_led_to_names_it_as_its_cause() {
    let place = Place::sample();
    let links = |place: &Place| -> Vec<String> {
        let dump = place.dump();
        let links = dump.lines().filter(|line| line.starts_with("memory_links"));
        let ends = links.map(|line| {
            let cells: Vec<&str> = line.split(" | ").collect();
            format!("{} {} {}", cells[1], cells[3], cells[2])
        });
        let mut ends: Vec<String> = ends.collect();
        ends.sort();
        ends
    };
    let own = links(&place);
    there_and_back(&place, &["link", "mem_old", "led_to", "mem_log"]);
    let linked = place.run(&["link", "mem_old", "led_to", "mem_log"]);
    assert_eq!(linked.code, 0, "{}", linked.err);
    let mut expected = own.clone();
    expected.push("mem_log caused_by mem_old".to_owned());
    expected.sort();
    assert_eq!(links(&place), expected);
    let shown = place.run(&["show", "mem_log", "--format", "json"]).json();
    assert_eq!(shown["fields"]["caused_by"][0], "mem_old", "{shown}");
    // Another one in the same field leaves the first as it is, and each goes again.
    let more = ["edit", "mem_old", "--set", "led_to=mem_log,mem_jwt"];
    assert_eq!(place.run(&more).code, 0);
    assert_eq!(links(&place).len(), own.len() + 2);
    let gone = ["edit", "mem_old", "--unset", "led_to"];
    assert_eq!(place.run(&gone).code, 0);
    assert_eq!(links(&place), own);
    let added = [
        "add",
        "Why",
        "--title",
        "The first",
        "--set",
        "led_to=mem_old",
    ];
    let added = place.run(&added);
    assert_eq!(added.code, 0, "{}", added.err);
    let new = links(&place).into_iter().find(|link| !own.contains(link));
    assert!(new.is_some_and(|link| link.starts_with("mem_old caused_by mem_")));
}

/// Memories for chapters: three with the tag `auth`, three of a type without tags, and two beside.
const TOPICS: &str = r#"
INSERT INTO memories VALUES
 ('mem_1', 'agent_a', 'demo', 's', 1768000001000, 'One', 'bug_fix', 1, 'First', '{"goal":"One","task_type":"bug_fix"}', NULL, NULL, NULL, '{"success":true,"summary":"First","learnings":["Same"]}', '["auth","web"]', 0.5, 0, NULL, NULL),
 ('mem_2', 'agent_a', 'demo', 's', 1768000002000, 'Two', 'bug_fix', 1, 'Second', '{"goal":"Two","task_type":"bug_fix"}', NULL, NULL, NULL, '{"success":true,"summary":"Second","learnings":["Same","Own"]}', '["auth","auth","web"]', 0.5, 0, NULL, NULL),
 ('mem_3', 'agent_a', 'demo', 's', 1768000003000, 'Three', 'bug_fix', 1, NULL, '{"goal":"Three","task_type":"bug_fix"}', NULL, NULL, NULL, '{"success":true}', '["auth"]', 0.5, 0, NULL, NULL),
 ('mem_4', 'agent_a', 'demo', 's', 1768000004000, 'Four', 'bug_fix', 1, 'Fourth', '{"goal":"Four","task_type":"bug_fix"}', NULL, NULL, NULL, '{"success":true,"summary":"Fourth"}', '["auth"]', 0.5, 0, NULL, NULL),
 ('mem_5', 'agent_a', 'demo', 's', 1768000005000, 'Five', 'refactor', 1, 'F', '{"goal":"Five","task_type":"refactor"}', NULL, NULL, NULL, '{"success":true,"summary":"F"}', '[]', 0.5, 0, NULL, NULL),
 ('mem_6', 'agent_a', 'demo', 's', 1768000006000, 'Six', 'refactor', 1, 'F', '{"goal":"Six","task_type":"refactor"}', NULL, NULL, NULL, '{"success":true,"summary":"F"}', '[]', 0.5, 0, NULL, NULL),
 ('mem_7', 'agent_a', 'demo', 's', 1768000007000, 'Seven', 'refactor', 1, 'F', '{"goal":"Seven","task_type":"refactor"}', NULL, NULL, NULL, '{"success":true,"summary":"F"}', NULL, 0.5, 0, NULL, NULL),
 ('mem_8', 'agent_a', 'other', 's', 1768000008000, 'Eight', 'refactor', 1, 'F', '{"goal":"Eight","task_type":"refactor"}', NULL, NULL, NULL, '{"success":true,"summary":"F"}', NULL, 0.5, 0, NULL, NULL);
"#;

#[test]
fn topics_with_three_memories_make_chapters_once() {
    let place = Place::with(&[REAL, TOPICS]);
    let plain = |change: String| change.replace("Integer(", "").replace(')', "");
    let change = plain(there_and_back(&place, &["chapter", "--auto"]));
    let lines = |start: &str| {
        let all = change.lines().filter(|line| line.starts_with(start));
        all.map(|line| {
            line.split(" | ")
                .skip(1)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect::<Vec<_>>()
    };
    let chapters = lines("+ chapters: ");
    assert_eq!(chapters.len(), 2, "{change}");
    let of = |title: &str| {
        let found = chapters
            .iter()
            .find(|row| row.iter().any(|cell| cell == title));
        found
            .unwrap_or_else(|| panic!("{title}: {change}"))
            .join(" | ")
    };
    let auth = of("Topic: auth");
    for part in [
        "Goals: Four; Three; Two. Outcomes: Fourth; Second; First",
        r#"["Same","Own"]"#,
        "1768000001000 | 1768000004000",
        r#"["auth","web"] | ["auth","web"] | auto"#,
    ] {
        assert!(auth.contains(part), "{part}: {auth}");
    }
    let refactor = of("Topic: task:refactor");
    assert!(
        refactor.contains(r#"["task:refactor"] | ["task:refactor"] | auto"#),
        "{refactor}"
    );
    let members = lines("+ chapter_memories: ");
    let mut members: Vec<String> = members.iter().map(|row| row.join(" ")).collect();
    members.sort();
    let expected = [
        "mem_1 0", "mem_2 1", "mem_3 2", "mem_4 3", "mem_5 0", "mem_6 1", "mem_7 2",
    ];
    assert_eq!(members, expected);
    // A chapter that is there is not made again; one of its topic takes in what is new.
    assert_eq!(place.run(&["chapter", "--auto"]).code, 0);
    assert_eq!(changed(&place, &["chapter", "--auto"]), "");
    let new = "INSERT INTO memories SELECT 'mem_9', agent_id, project_id, session_id, created_at + 9000, 'Nine', intent_type, 1, 'Ninth', '{\"goal\":\"Nine\"}', NULL, NULL, NULL, outcome, tags, 0.5, 0, NULL, NULL FROM memories WHERE id = 'mem_4'";
    place.connect().execute_batch(new).unwrap();
    let change = plain(there_and_back(&place, &["chapter", "--auto"]));
    assert!(change.contains("Goals: Nine; Four; Three. "), "{change}");
    assert!(change.contains("mem_9 | 4"), "{change}");
    let db = place.connect();
    db.execute_batch("UPDATE chapters SET origin = 'manual'")
        .unwrap();
    assert_eq!(changed(&place, &["chapter", "--auto"]), "");
    assert_eq!(place.run(&["chapter", "--auto", "mem_1"]).code, 2);
}

/// Three chapters; two share a tag, two a topic.
const CHAPTERS: &str = r#"INSERT INTO chapters VALUES
 ('chapter_a', 'demo', 1, 1, 'Topic: auth', 'Of tokens', '["Always refresh","Never log a token"]', 1768400000000, 1768500000000, '["auth","web"]', '["auth"]', 'auto'),
 ('chapter_b', 'demo', 2, 2, 'Topic: web', 'Of pages', '["Prefer forms","Never log a token"]', 1768300000000, 1768450000000, '["web"]', '[]', 'manual'),
 ('chapter_c', 'demo', 3, 3, 'Topic: x', 'Of x', '[]', 1768300000000, 1768450000000, '["x"]', '["auth"]', 'manual')"#;

/// "Wisdom: at least 2 chapters; patterns = tags and topics of two; best practices = learnings with
/// should, avoid, prefer …; summary `Synthesis across N chapters: s1 | s2 | s3`."
#[test]
fn chapters_make_wisdom_once() {
    let place = Place::with(&[REAL, CHAPTERS]);
    let change = there_and_back(&place, &["chapter", "--wisdom", "chapter_a", "chapter_b"]);
    for part in [
        "Synthesis across 2 chapters: Of tokens | Of pages",
        r#"["Always refresh","Never log a token","Prefer forms"]"#,
        r#"["web"]"#,
        r#"["Never log a token","Prefer forms"]"#,
        r#"["auth","web"]"#,
    ] {
        assert!(change.contains(part), "{part}: {change}");
    }
    let times = change.contains("1768300000000") && change.contains("1768500000000");
    assert!(times, "{change}");
    let members = change
        .lines()
        .filter(|line| line.starts_with("+ wisdom_chapters: "));
    assert_eq!(members.count(), 2, "{change}");
    let all = there_and_back(&place, &["chapter", "--wisdom"]);
    let summary = "Synthesis across 3 chapters: Of tokens | Of pages | Of x";
    assert!(
        all.contains(summary) && all.contains(r#"["auth","web"]"#),
        "{all}"
    );
    // The same chapters are not summed up again.
    assert_eq!(place.run(&["chapter", "--wisdom"]).code, 0);
    assert_eq!(changed(&place, &["chapter", "--wisdom"]), "");
    let one = place.run(&["chapter", "--wisdom", "chapter_a"]);
    assert!(
        one.code == 2 && one.err.contains("two chapters"),
        "{}",
        one.err
    );
    assert_eq!(place.run(&["chapter", "--wisdom", "--auto"]).code, 2);
    let none = Place::with(&[REAL]);
    assert_eq!(none.run(&["chapter", "--wisdom"]).code, 2);
}

/// A model's wisdom waits for a person, and keeping it writes it.
#[test]
fn a_model_proposes_wisdom() {
    let place = Place::with(&[REAL, CHAPTERS]);
    let ask = ["chapter", "--wisdom", "chapter_a", "chapter_b"];
    let with = |more: &[&str]| place.run(&[&ask[..], more].concat());
    let request = with(&["--prompt-only"]).text();
    for part in ["<memory id=\"rum:chapter_a\"", "Of pages", "bestPractices"] {
        assert!(request.contains(part), "{part}: {request}");
    }
    assert!(!request.contains("chapter_c"), "{request}");
    let answer = place.dir.path().join("home/answer.json");
    let answered = |text: &str| {
        std::fs::write(&answer, text).unwrap();
        with(&["--response", answer.to_str().unwrap()])
    };
    for (text, code) in [
        ("nonsense", 2),
        (r#"{"shouldCreateMemory":false,"reasoning":"no"}"#, 1),
    ] {
        assert_eq!(answered(text).code, code);
    }
    let before = place.dump();
    let good = r#"{"shouldCreateMemory":true,"frontmatter":{"title":"T","insights":["Tokens end"],"patterns":["web"],"bestPractices":["Refresh"]},"content":"Plan for the end of tokens.","reasoning":"both","confidence":0.8}"#;
    let made = answered(good);
    assert!(made.code == 0 && place.dump() == before, "{}", made.err);
    let id = place.run(&["proposals", "--format", "json"]).json()[0]["id"].clone();
    let kept = place.run(&["review", "--accept", id.as_str().unwrap()]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    let all = place.dump();
    for part in ["Plan for the end of tokens.", "Tokens end", "Refresh"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert_eq!(with(&["--prompt-only"]).code, 1);
    assert_eq!(
        place.run(&["chapter", "chapter_a", "--prompt-only"]).code,
        2
    );
}

#[test]
fn a_trace_goes_by_causes_and_effects_to_a_depth() {
    let place = Place::with(&[REAL, TOPICS]);
    let links = "INSERT INTO memory_links VALUES
        ('l1', 'mem_2', 'mem_1', 'caused_by', 1), ('l2', 'mem_3', 'mem_2', 'caused_by', 2),
        ('l3', 'mem_4', 'mem_3', 'caused_by', 3), ('l4', 'mem_2', 'mem_5', 'related_to', 4),
        ('l5', 'mem_1', 'mem_4', 'caused_by', 5)";
    place.connect().execute_batch(links).unwrap();
    for (depth, expected) in [
        ("0", "rum:mem_2\n"),
        ("1", "rum:mem_2\nrum:mem_1\nrum:mem_3\n"),
        ("3", "rum:mem_2\nrum:mem_1\nrum:mem_3\nrum:mem_4\n"),
    ] {
        let ran = place.run(&["trace", "mem_2", "--depth", depth, "--format", "quiet"]);
        assert_eq!(ran.text(), expected, "{depth}: {}", ran.err);
    }
    let json = place.run(&["trace", "mem_2", "--format", "json"]).json();
    assert_eq!(json["total_nodes"], 4);
    assert_eq!(json["nodes"][1]["steps"], 1);
    let shown = place.run(&["trace", "mem_2"]).text();
    assert!(shown.contains("  caused_by   rum:mem_1  One\n"), "{shown}");
    assert_eq!(place.run(&["trace", "mem_none"]).code, 1);
}
