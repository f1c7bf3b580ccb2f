//! What a database holds, as people and programs are shown it.

use memkeep::memory::Value;
use memkeep::retrieval::Texts as _;

use crate::place::{Place, REAL, SAMPLE, SPEC};

#[test]
fn every_row_is_a_memory_with_its_fields_and_the_memories_around_it() {
    let place = Place::sample();
    let memories = place.load();
    let shown: Vec<String> = memories
        .iter()
        .map(|memory| {
            let fields: Vec<String> = memory
                .fields
                .iter()
                .map(|(name, value)| format!("  {name}: {value}"))
                .collect();
            format!(
                "{} “{}” {:?}\n{}\n",
                memory.id,
                memory.title,
                memory.problems,
                fields.join("\n")
            )
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn the_five_layers_are_read_as_markdown() {
    let place = Place::sample();
    let collection = place.collection();
    let memories = place.load();
    let bodies: Vec<String> = memories
        .iter()
        .map(|memory| collection.body(memory).unwrap())
        .collect();
    for (memory, body) in memories.iter().zip(&bodies) {
        assert_eq!(memory.span, 0..body.len(), "{}", memory.id);
        assert_eq!(collection.text(memory).as_ref(), Some(body));
    }
    insta::assert_snapshot!(bodies.join("\n~~~\n\n"));
}

#[test]
fn reading_leaves_nothing_behind_and_changes_nothing() {
    let place = Place::sample();
    let before = (place.files(), std::fs::read(place.db()).unwrap());
    place.run(&["list"]);
    place.run(&["show", "mem_jwt"]);
    place.run(&["lint"]);
    place.run(&["inject", "--task", "logouts", "--depth", "complete"]);
    assert_eq!((place.files(), std::fs::read(place.db()).unwrap()), before);
}

#[test]
fn seconds_and_milliseconds_nested_and_flat_actions_and_the_schema_of_the_specification_all_open() {
    let sql = r#"
INSERT INTO memories VALUES ('mem_s', 'agent_a', 'demo', 'session_1', 1705432800, 'Seconds', 'refactor', 1, NULL,
 '{"goal":"Seconds","task_type":"refactor"}', '{}', '{}', '[{"type":"file_edit","details":{"file_path":"a.rs"}},{"type":"file_read","file_path":"b.rs"}]', '{"success":true}', NULL, 1, 0, NULL, NULL);
INSERT INTO memory_links VALUES ('mem_s', 'mem_gone', 'related_to', 1705432800);"#;
    let place = Place::with(&[SPEC, sql]);
    let memories = place.load();
    let [memory] = &memories[..] else {
        panic!("{memories:?}")
    };
    assert_eq!(memory.created.unwrap().to_rfc3339(), "2024-01-16T19:20:00Z");
    assert_eq!(memory.field("importance"), Some(&Value::Float(1.0)));
    assert_eq!(memory.field("tags"), None);
    assert_eq!(&*memory.problems, []);
    let body = place.collection().body(memory).unwrap();
    assert!(
        body.contains("- type: file_edit\n  details:\n    file_path: a.rs\n- type: file_read\n"),
        "{body}"
    );
}

#[test]
fn what_a_writer_has_not_checkpointed_is_read_and_left_alone() {
    let place = Place::sample();
    let writer = place.connect();
    writer.execute_batch("PRAGMA wal_autocheckpoint = 0; UPDATE memories SET importance = 0.1 WHERE id = 'mem_jwt'; BEGIN IMMEDIATE; UPDATE memories SET importance = 0.2").unwrap();
    let wal = || std::fs::read(place.root().join("demo.rum.db-wal")).unwrap();
    let before = wal();
    assert!(!before.is_empty());
    let memories = place.load();
    assert_eq!(memories[0].field("importance"), Some(&Value::Float(0.1)));
    assert_eq!(wal(), before);
    writer.execute_batch("COMMIT").unwrap();
    assert_eq!(
        place.load()[0].field("importance"),
        Some(&Value::Float(0.2))
    );
}

#[test]
fn a_row_that_did_not_change_is_the_same_memory_after_another_reading() {
    let place = Place::sample();
    let collection = place.collection();
    let first = collection.load(&[], &mut |_| true).memories;
    let again = collection.load(&first, &mut |_| true).memories;
    assert!(
        first
            .iter()
            .zip(&again)
            .all(|(a, b)| std::sync::Arc::ptr_eq(a, b))
    );
    place
        .connect()
        .execute_batch("UPDATE memories SET tags = '[\"new\"]' WHERE id = 'mem_old'")
        .unwrap();
    let third = collection.load(&first, &mut |_| true).memories;
    let same: Vec<bool> = first
        .iter()
        .zip(&third)
        .map(|(a, b)| std::sync::Arc::ptr_eq(a, b))
        .collect();
    assert_eq!(same, [true, true, false, true, true]);
}

#[test]
fn a_database_is_found_by_name_in_the_project_and_the_home_and_by_content_anywhere() {
    let place = Place::with(&[REAL, SAMPLE]);
    let home = place.root().join("home/.rum/projects/x");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::copy(place.db(), home.join("x.rum.db")).unwrap();
    std::fs::copy(place.db(), place.root().join("copy.sqlite")).unwrap();
    let stores = place.run(&["stores", "--format", "quiet"]).text();
    assert_eq!(stores, "rum@.\nrum@home/.rum/projects/x\n");
    let by_content = place
        .run(&["stores", "--format", "json", "--store", "copy.sqlite"])
        .json();
    assert_eq!(by_content[0]["format"], "rum");
    assert_eq!(by_content[0]["memories"], 5);
    let foreign = place.root().join("other.db");
    rusqlite::Connection::open(&foreign)
        .unwrap()
        .execute_batch("CREATE TABLE memories (x)")
        .unwrap();
    assert_eq!(place.run(&["stores", "--store", "other.db"]).code, 2);
}

#[test]
fn the_query_language_knows_the_fields() {
    let place = Place::sample();
    for (query, expected) in [
        ("type:bug_fix", "mem_jwt"),
        ("agent:agent_b", "mem_log"),
        ("agent_id:agent_b", "mem_log"),
        ("success:false", "mem_log"),
        ("importance:>0.7", "mem_jwt"),
        ("importance:<0.4", "mem_log"),
        ("created:<2026-01-15", "mem_old"),
        ("files:interceptor", "mem_jwt"),
        ("supersedes:mem_old", "mem_jwt"),
        ("learnings:expiry", "mem_jwt"),
        ("type:chapter", "chapter_1"),
        ("type:wisdom", "wisdom_1"),
        ("text:interceptor", "mem_jwt"),
    ] {
        let found = place.run(&["list", "--query", query, "--format", "quiet"]);
        assert_eq!(
            found.text(),
            format!("rum:{expected}\n"),
            "{query}: {}",
            found.err
        );
    }
    let typed = place.run(&["list", "-t", "investigation", "--format", "quiet"]);
    assert_eq!(typed.text(), "rum:mem_log\n");
    let listed = place
        .run(&["list", "--format", "json", "--query", "type:bug_fix"])
        .json();
    assert_eq!(listed[0]["importance"], 0.9);
    assert_eq!(listed[0]["author"], "agent_a");
}

#[test]
fn every_kind_of_row_can_be_listed_by_its_type() {
    let place = Place::sample();
    let listed = |kind: &str| place.run(&["list", "-t", kind, "--format", "quiet"]).text();
    assert_eq!(listed("chapter"), "rum:chapter_1\n");
    assert_eq!(listed("wisdom,Chapter"), "rum:chapter_1\nrum:wisdom_1\n");
}

#[test]
fn what_the_system_counts_can_be_asked_for() {
    let place = Place::sample();
    for (query, expected) in [
        ("access_count:>2", &["rum:mem_jwt"][..]),
        ("access_count:7", &["rum:mem_jwt"]),
        ("access_count:1", &[]),
        ("has:embedding", &["rum:mem_jwt"]),
        ("embedding:2", &["rum:mem_jwt"]),
    ] {
        let ran = place.run(&["list", "--query", query, "--format", "quiet"]);
        assert_eq!(ran.text().lines().collect::<Vec<_>>(), expected, "{query}");
    }
    // A count of 0 is shown nowhere, and asked for all the same.
    let all = place.run(&[
        "list",
        "--query",
        "!id:mem_jwt has:success",
        "--format",
        "quiet",
    ]);
    assert!(all.lines().len() > 1, "{}", all.text());
    for query in ["access_count:0", "access_count:<2", "access_count:=0"] {
        let ran = place.run(&["list", "--query", query, "--format", "quiet"]);
        assert_eq!(ran.lines(), all.lines(), "{query}");
    }
    let ran = place.run(&["edit", "mem_jwt", "--set", "access_count=0"]);
    assert_eq!(ran.code, 2, "{}", ran.text());
}

/// Stores that stand where nothing looks for them are named in the project's configuration, or in
/// the person's.
#[test]
fn stores_that_a_configuration_names_are_opened_beside_the_others() {
    let place = Place::sample();
    let root = place.root();
    for folder in [
        ".memkeep",
        "data",
        "notes",
        "home/config/memkeep",
        "home/kept",
    ] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    let memo = "---\ntitle: A\nwhenToUse: a\nimportance: high\ndiscoveredBy: x\n---\nText.\n";
    std::fs::write(root.join("notes/a.md"), memo).unwrap();
    std::fs::copy(place.db(), root.join("data/app.sqlite")).unwrap();
    std::fs::copy(place.db(), root.join("home/kept/own.db")).unwrap();
    let config = root.join(".memkeep/config.toml");
    let own = root.join("home/config/memkeep/config.toml");
    let stores = || {
        let ran = place.run(&["stores", "--format", "json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let json = ran.json();
        let line = |one: &serde_json::Value| {
            let text = |key: &str| one[key].as_str().unwrap().to_owned();
            format!("{} {} {}", text("id"), text("scope"), text("path"))
        };
        let all = json.as_array().unwrap();
        (all.iter().map(line).collect::<Vec<_>>(), ran.err)
    };
    std::fs::write(
        &config,
        "[[stores]]\npath = 'data/app.sqlite'\n[[stores]]\npath = 'notes'\nformat = 'rawko'\n[[stores]]\npath = './demo.rum.db'\n",
    )
    .unwrap();
    std::fs::write(
        &own,
        "[[stores]]\npath = '~/kept/own.db'\n[[stores]]\npath = 'kept/../kept/own.db'\n",
    )
    .unwrap();
    let (found, said) = stores();
    let home = root.join("home/kept/own.db");
    let home = home.strip_prefix(&root).unwrap().display().to_string();
    assert_eq!(
        found,
        [
            "rawko project notes".to_owned(),
            "rum@. project demo.rum.db".to_owned(),
            "rum@data project data/app.sqlite".to_owned(),
            format!("rum@home/kept user {home}"),
        ]
    );
    assert_eq!(said, "");
    // They are as good as the others.
    let ran = place.run(&[
        "--store", "rum@data", "edit", "mem_old", "--set", "goal=New",
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(place.run(&["undo"]).code, 0);
    // One that is not there is named with its place, and is opened when it is there.
    std::fs::write(
        &config,
        "[[stores]]\npath = 'data/gone.db'\n[[stores]]\npath = 'notes'\nformat = 'rawk'\n[[stores]]\npath = 'data'\n",
    )
    .unwrap();
    std::fs::remove_file(&own).unwrap();
    let (found, said) = stores();
    assert_eq!(found, ["rum project demo.rum.db"]);
    for (line, what) in [
        (2, "no such file or folder"),
        (4, "unknown format `rawk`"),
        (7, "no store at"),
    ] {
        let place = format!("config.toml:{line}:8");
        assert!(said.contains(&place) && said.contains(what), "{said}");
    }
    let lint = place.run(&["lint", "--format", "json", "--fail-on", "never"]);
    let notes = lint.json()["notes"].to_string();
    assert!(notes.contains("data/gone.db"), "{notes}{}", lint.err);
    std::fs::copy(place.db(), root.join("data/gone.db")).unwrap();
    assert_eq!(stores().0.len(), 2);
    // Where paths are given, those are meant.
    let given = place.run(&["--store", "rum", "stores", "--format", "quiet"]);
    assert_eq!(given.code, 0, "{}", given.err);
    // A key that is none is said like everywhere.
    std::fs::write(&config, "[[stores]]\npth = 'data'\n").unwrap();
    assert!(stores().1.contains("did you mean `path`?"));
}

/// The headings of a page are memkeep's, and no word of a memory.
#[test]
fn words_are_found_in_what_was_written_alone() {
    let place = Place::sample();
    for word in [
        "perception",
        "'recorded",
        "succeeded",
        "reasoning",
        "outcome",
        "'Follow",
        "'practices",
    ] {
        for command in ["search", "list"] {
            let query: &[&str] = match command {
                "search" => &["search", word, "--all", "--format", "quiet"],
                _ => &["list", "--query", word, "--format", "quiet"],
            };
            let ran = place.run(query);
            assert_eq!((ran.code, ran.text().as_str()), (1, ""), "{word}");
        }
    }
    for (word, id) in [
        ("concurrency", "rum:mem_jwt\n"),
        ("'401", "rum:mem_jwt\n"),
        ("'early", "rum:chapter_1\n"),
        ("'feature", "rum:wisdom_1\n"),
        ("'logs", "rum:mem_log\n"),
    ] {
        let ran = place.run(&["search", word, "--all", "--format", "quiet"]);
        assert_eq!(ran.text(), id, "{word}: {}", ran.err);
    }
}
