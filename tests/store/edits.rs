//! Edits through the collection: what was meant changes, and not one byte beside it.

use std::fs;

use memkeep::curate::Change;
use memkeep::memory::Value;
use memkeep::memory::edit::FieldEdit;
use memkeep::retrieval::Texts as _;
use memkeep::retrieval::tasks::{self, Written};
use memkeep::store::StoreError;

use crate::place::{NOW, PLAIN, Place, change, id, load, set};

#[test]
fn only_the_field_changes() {
    let odd = "\u{feff}---\r\n# a remark\r\ntitle:   'T'   # why\r\nown:  {b: 1,  a: 2}\r\ntags:\r\n  - x  # first\r\n  - \"y\"\r\nimportance:   low\r\n---\r\n\r\nText \r\n\r\n---\r\n\r\n---\r\ntitle: Second\r\ntags: []\r\n---\r\nMore";
    for (local, from, to) in [
        ("a", "importance:   low", "importance:   high"),
        ("a#2", "title: Second", "title: Second\r\nimportance: high"),
    ] {
        let place = Place::new(&[("a.md", odd)]);
        let collection = place.open();
        change(&collection, &set(local, "importance", "high")).unwrap();
        let after = place.text("a.md");
        if local == "a" {
            assert_eq!(after, odd.replace(from, to));
        } else {
            let line = "importance: high\r\n";
            assert_eq!(
                after.replace(line, ""),
                odd,
                "one line came, with the line ends of the file"
            );
        }
        collection.undo().unwrap();
        assert_eq!(place.text("a.md"), odd);
    }
}

#[test]
fn several_memories_of_one_file_in_one_step() {
    let place = Place::new(&[
        (
            "a.md",
            &format!("{PLAIN}\n\n---\n\n{PLAIN}\n\n---\n\n{PLAIN}"),
        ),
        ("b.md", PLAIN),
    ]);
    let collection = place.open();
    let before = place.text("a.md");
    let edit = Change::Edit {
        seen: Vec::new(),
        ids: vec![id("a"), id("a#3"), id("b")],
        edits: vec![FieldEdit::AddItem {
            field: "tags".into(),
            item: Value::from("q"),
        }],
    };
    change(&collection, &edit).unwrap();
    let memories = load(&collection);
    let tags: Vec<usize> = memories
        .iter()
        .map(|memory| memory.tags().count())
        .collect();
    assert_eq!(tags, [2, 1, 2, 2]);
    collection.undo().unwrap();
    assert_eq!(place.text("a.md"), before);
    assert_eq!(place.text("b.md"), PLAIN);
}

#[test]
fn all_of_a_change_or_nothing() {
    let place = Place::new(&[("a.md", PLAIN), ("b.md", "---\ntitle: a: b\n---\n\nx\n")]);
    let collection = place.open();
    let edit = Change::Edit {
        seen: Vec::new(),
        ids: vec![id("a"), id("b")],
        edits: vec![FieldEdit::Set {
            field: "importance".into(),
            value: Value::from("high"),
        }],
    };
    assert!(matches!(
        change(&collection, &edit),
        Err(StoreError::Edit(_))
    ));
    assert_eq!(place.text("a.md"), PLAIN);
    assert!(collection.undo().unwrap().is_none());
}

#[test]
fn a_field_is_written_over_what_was_seen() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let collection = place.open();
    let edit = |seen: &str| Change::Edit {
        ids: vec![id("a")],
        edits: vec![FieldEdit::Set {
            field: "importance".into(),
            value: Value::from("high"),
        }],
        seen: vec![
            ("importance".into(), Some(Value::from(seen))),
            ("code".into(), None),
        ],
    };
    // Another program wrote it, and that was read, but not shown yet.
    change(&collection, &set("a", "importance", "critical")).unwrap();
    let theirs = place.text("a.md");
    let refused = change(&collection, &edit("low"));
    assert!(
        matches!(refused, Err(StoreError::Changed(_))),
        "{refused:?}"
    );
    assert_eq!(place.text("a.md"), theirs);
    change(&collection, &edit("critical")).unwrap();
    assert!(place.text("a.md").contains("importance: high"));
}

#[test]
fn a_text_is_saved_over_the_one_that_was_seen() {
    let place = Place::new(&[("a.md", "---\ntitle: a: b\n---\n\nbroken\n")]);
    let collection = place.open();
    let memories = load(&collection);
    let seen = collection.text(&memories[0]).unwrap();
    let save = |expected: &str, text: &str| Change::Text {
        id: id("a"),
        expected: expected.to_owned(),
        text: text.to_owned(),
    };
    // Another file of the same text is no conflict.
    fs::remove_file(place.file("a.md")).unwrap();
    place.write("a.md", &seen);
    collection
        .change(
            &save(&seen, "---\ntitle: 'a: b'\n---\n\nmended\n"),
            &memories,
            NOW,
        )
        .unwrap();
    assert_eq!(place.text("a.md"), "---\ntitle: 'a: b'\n---\n\nmended\n");
    let again = collection.change(&save(&seen, "lost"), &load(&collection), NOW);
    assert!(matches!(again, Err(StoreError::Changed(_))));
    assert_eq!(place.text("a.md"), "---\ntitle: 'a: b'\n---\n\nmended\n");
    collection.undo().unwrap();
    assert_eq!(place.text("a.md"), seen);
}

/// The text that is edited ends where the memory does: the line that separates it from the next
/// one is no part of it, and is not written again with it.
#[test]
fn a_saved_text_leaves_what_separates_it_from_the_next() {
    let two = format!("{PLAIN}\n---\n\n{PLAIN}");
    let bare = "---\ntitle: T\nimportance: low\n---\n";
    let texts = [
        two.clone(),
        format!("{PLAIN}\n\n---\n\n\n{PLAIN}\n \n"),
        two.replace('\n', "\r\n"),
        format!("\u{feff}{two}"),
        format!("\u{feff}{}", two.replace('\n', "\r\n")),
        format!("{bare}\n---\n\n{bare}\n---\n\n{PLAIN}"),
        format!("no frontmatter\n\n---\n\n{PLAIN}"),
    ];
    for before in texts {
        let place = Place::new(&[("a.md", &before)]);
        let collection = place.open();
        let memories = load(&collection);
        for memory in &memories {
            let seen = collection.text(memory).unwrap();
            let save = |text: String| Change::Text {
                id: memory.id.clone(),
                expected: seen.clone(),
                text,
            };
            let asis = collection.change(&save(seen.clone()), &memories, NOW);
            assert_eq!(place.text("a.md"), before, "{} as it is", memory.id);
            if asis.is_ok_and(|done| done.changed) {
                collection.undo().unwrap();
            }
            let place = Place::new(&[("a.md", &before)]);
            let collection = place.open();
            let end = seen.trim_end_matches(['\n', '\r', ' ']).len();
            let (text, rest) = seen.split_at(end);
            let line_end = if before.contains('\r') { "\r\n" } else { "\n" };
            let more = format!("{text}{line_end}more{rest}");
            collection
                .change(&save(more), &load(&collection), NOW)
                .unwrap();
            let after = place.text("a.md");
            let line = format!("{line_end}more");
            assert_eq!(after.matches("more").count(), 1, "{after:?}");
            assert_eq!(after.replacen(&line, "", 1), before, "{} longer", memory.id);
            assert_eq!(load(&collection).len(), memories.len(), "{after:?}");
        }
    }
}

#[test]
fn names_never_leave_the_folder() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let collection = place.open();
    for to in [
        "../b",
        "/b",
        "x/../../b",
        "",
        ".",
        "..",
        "x//y",
        "a\nb",
        "a\0b",
        "\\b",
        ".git/x",
        "x.md/y",
    ] {
        let result = change(
            &collection,
            &Change::Rename {
                id: id("a"),
                to: to.to_owned(),
                mentions: false,
            },
        );
        assert!(
            matches!(result, Err(StoreError::Refused(_))),
            "{to:?}: {result:?}"
        );
    }
    let title = "../../../up & away";
    let add = Change::Add {
        store: None,
        title: title.to_owned(),
        fields: vec![],
        body: "x\n".to_owned(),
    };
    change(&collection, &add).unwrap();
    assert_eq!(place.names(), ["a.md", "up-away.md"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_loses_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new(&[("a.md", PLAIN)]);
    let mode = |mode| fs::set_permissions(place.store(), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    // The superuser may write everywhere: then there is nothing to see here.
    let may = fs::write(place.file("probe"), "").is_ok();
    let result = change(&place.open(), &set("a", "importance", "high"));
    mode(0o755);
    if !may {
        let error = result.unwrap_err();
        assert!(error.to_string().contains("ermission denied"), "{error}");
        assert_eq!(place.text("a.md"), PLAIN);
        assert_eq!(place.names(), ["a.md"]);
        assert!(place.open().undo().unwrap().is_none());
    }
    // A folder that is gone, by which the superuser is stopped too.
    place.write("a.md", PLAIN);
    let collection = place.open();
    let memories = load(&collection);
    fs::rename(place.store(), place.root().join("away")).unwrap();
    let error = collection
        .change(&set("a", "importance", "high"), &memories, NOW)
        .unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    assert_eq!(
        fs::read_to_string(place.root().join("away/a.md")).unwrap(),
        PLAIN
    );
}

#[test]
fn what_a_task_must_be_given_is_recorded_and_taken_back() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let collection = place.open();
    let task = Written {
        task: "Do it".to_owned(),
        must: vec!["rawko:a".to_owned()],
        ..Written::default()
    };
    let file = collection.root.join(tasks::PATH);
    let record = |task: &Written| change(&collection, &Change::Expect(Box::new(task.clone())));
    record(&task).unwrap();
    let first = fs::read_to_string(&file).unwrap();
    assert_eq!(first, "tasks:\n  - task: Do it\n    must:\n    - rawko:a\n");
    record(&Written {
        must: Vec::new(),
        ..task.clone()
    })
    .unwrap();
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "tasks:\n  - task: Do it\n"
    );
    collection.undo().unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), first);
    collection.undo().unwrap();
    assert!(!file.exists());
    // What is not understood is not written over.
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "tasks: {a: 1}\n").unwrap();
    assert!(matches!(record(&task), Err(StoreError::Refused(_))));
    assert_eq!(fs::read_to_string(&file).unwrap(), "tasks: {a: 1}\n");
}

#[test]
fn a_field_inside_a_mapping_is_written_over_what_was_seen() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("notes");
    fs::create_dir(&folder).unwrap();
    let before = "---\nname: a\nmetadata:\n  type: project\n---\n\nText.\n";
    fs::write(folder.join("a.md"), before).unwrap();
    let collection = crate::convert::open(root.path(), "claude", &folder);
    let memories = load(&collection);
    let edit = Change::Edit {
        ids: vec![memories[0].id.clone()],
        edits: vec![FieldEdit::Set {
            field: "type".into(),
            value: Value::from("user"),
        }],
        seen: vec![("type".into(), Some(Value::from("project")))],
    };
    change(&collection, &edit).unwrap();
    let after = fs::read_to_string(folder.join("a.md")).unwrap();
    assert_eq!(after, before.replace("project", "user"));
}
