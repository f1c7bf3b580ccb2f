//! Trees of golemcore memories through the collection.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::curate::Change;
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::{Memory, MemoryId, State, StoreId, Timestamp, Value};
use memkeep::retrieval::Texts as _;
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use memkeep::store::{StoreError, collection};
use tempfile::TempDir;

mod random;

/// 2026-11-20T10:00:00Z
const NOW: Timestamp = Timestamp(1_795_168_800_000);

struct Tree {
    _dir: TempDir,
    root: PathBuf,
    state: PathBuf,
}

const FACT: &str = r#"{"id":"a","layer":"SEMANTIC","type":"FIX","title":"One","content":"first","tags":["x"],"confidence":0.5,"createdAt":"2026-11-10T00:00:00Z","updatedAt":"2026-11-10T00:00:00.5Z","fingerprint":"f1"}"#;
const OTHER: &str =
    r#"{ "id" : "b", "layer":"SEMANTIC", "own":{"k":[1]}, "content":"second" , "updatedAt":null}"#;

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let state = root.join("state");
        let tree = Self {
            _dir: dir,
            root: root.join("p"),
            state,
        };
        fs::create_dir_all(tree.root.join("memory/items")).unwrap();
        for (name, text) in files {
            let path = tree.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        tree
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join("memory").join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn open(&self) -> Collection {
        let search = Search {
            start: self.root.clone(),
            root: Some(self.root.clone()),
            paths: vec![self.path("")],
            ..Search::default()
        };
        Collection::open(&search, &self.state).unwrap()
    }

    /// Every file with its bytes.
    fn all(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn walk(folder: &Path, all: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                match entry.path() {
                    path if path.is_dir() => walk(&path, all),
                    path => all.push((path.clone(), fs::read(&path).unwrap())),
                }
            }
        }
        let mut all = Vec::new();
        walk(&self.root.join("memory"), &mut all);
        all.sort();
        all
    }
}

fn load(collection: &Collection) -> Vec<Arc<Memory>> {
    collection.load(&[], &mut |_| true).memories
}

fn id(local: &str) -> MemoryId {
    MemoryId::new(&StoreId::from("golemcore"), local)
}

fn change(collection: &Collection, change: &Change) -> Result<collection::Done, StoreError> {
    collection.change(change, &load(collection), NOW)
}

fn set(local: &str, field: &str, value: impl Into<Value>) -> Change {
    Change::Edit {
        seen: Vec::new(),
        ids: vec![id(local)],
        edits: vec![FieldEdit::Set {
            field: field.into(),
            value: value.into(),
        }],
    }
}

fn ids(collection: &Collection) -> Vec<String> {
    load(collection)
        .iter()
        .map(|memory| memory.id.local.to_string())
        .collect()
}

/// As the system's reader has them: a number or a truth value where a text belongs is the text it
/// is written as, and the ordinal of a choice may stand in quotes.
#[test]
fn values_of_other_kinds_are_taken_for_texts() {
    let row = r#"{"id":"n","layer":"2","type":"3","title":7,"content":1.50,"tags":[1.0,true,null],"scope":null}"#;
    let tree = Tree::new(&[(
        "items/semantic.jsonl",
        &format!("{row}\n{{\"title\":true,\"content\":1e3}}\n"),
    )]);
    let collection = tree.open();
    let memories = load(&collection);
    let shown: Vec<_> = memories
        .iter()
        .map(|memory| {
            let field = |name: &str| memory.field(name).map(ToString::to_string);
            (
                (memory.title.to_string(), collection.body(memory).unwrap()),
                [field("layer"), field("type"), field("tags"), field("id")],
                memory.hidden.is_some(),
            )
        })
        .collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        shown,
        [
            (
                ("7".to_owned(), "1.50".to_owned()),
                [
                    text("SEMANTIC"),
                    text("FIX"),
                    text("1.0, true, "),
                    text("n")
                ],
                false
            ),
            (
                ("true".to_owned(), "1e3".to_owned()),
                [None, None, None, None],
                false
            ),
        ]
    );
    // What is equal to the reader stays as it is written, beside other edits too.
    for (field, value) in [("title", "7"), ("layer", "SEMANTIC"), ("type", "FIX")] {
        change(&collection, &set("n", field, value)).unwrap();
        assert!(
            tree.text("items/semantic.jsonl").starts_with(row),
            "{field}"
        );
    }
    change(&collection, &set("n", "type", "DECISION")).unwrap();
    let made = memkeep::systems::golemcore::fingerprint(Some("DECISION"), None, "1.50");
    let expected = row
        .replace(r#""type":"3""#, r#""type":"DECISION""#)
        .replace(
            r#""scope":null}"#,
            &format!(r#""scope":null,"updatedAt":"2026-11-20T10:00:00Z","fingerprint":"{made}"}}"#),
        );
    let after = tree.text("items/semantic.jsonl");
    assert_eq!(after.lines().next(), Some(expected.as_str()));
}

#[test]
fn every_line_that_is_not_blank_is_a_memory() {
    let tree = Tree::new(&[
        (
            "items/episodic/2026-11-19.jsonl",
            &format!("{FACT}\r\n\r\n{{bad\r\n"),
        ),
        (
            "items/semantic.jsonl",
            &format!("\u{FEFF}{FACT}\n{OTHER}\nnull\n{{\"id\":\"a\",\"layer\":\"fact\"}}"),
        ),
        ("items/working.jsonl", FACT),
        (
            "scopes/session/web/c/items/procedural.jsonl",
            "{\"id\":7,\"content\":\" \"}\u{2028}[]",
        ),
        ("archive/items/semantic.jsonl", FACT),
        ("notes.jsonl", FACT),
    ]);
    let collection = tree.open();
    let memories = load(&collection);
    let shown: Vec<(String, u32, bool, bool)> = memories
        .iter()
        .map(|memory| {
            let (line, hidden) = (memory.line, memory.hidden.is_some());
            (
                memory.id.local.to_string(),
                line,
                hidden,
                memory.problems.is_empty(),
            )
        })
        .collect();
    let expected = [
        ("archive/a", 1, true, true),
        ("a", 1, false, true),
        ("2026-11-19:3", 3, true, false),
        ("semantic:1", 1, true, false),
        ("b", 2, false, true),
        ("semantic:3", 3, true, false),
        ("a#2", 4, true, false),
        ("a#3", 1, true, false),
        ("7", 1, true, true),
        ("procedural:2", 2, true, false),
    ];
    let expected: Vec<_> = expected
        .map(|(id, line, hidden, fine)| (id.to_owned(), line, hidden, fine))
        .into();
    assert_eq!(shown, expected);
    assert_eq!(memories[0].state, State::Archived);
    assert_eq!(collection.body(&memories[1]).as_deref(), Some("first"));
    assert_eq!(collection.text(&memories[2]).as_deref(), Some("{bad"));
    // A single file gives its rows the names that they have in the whole store.
    let semantic = tree.path("items/semantic.jsonl");
    let bytes = fs::read(&semantic).unwrap();
    let again =
        collection
            .stores
            .iter()
            .next()
            .unwrap()
            .parse(&semantic, &bytes, memories[3].stamp);
    assert_eq!(again, memories[3..7]);
    // Loading again takes everything over as it is known.
    assert_eq!(collection.load(&memories, &mut |_| true).memories, memories);
}

#[test]
fn times_run_out_by_days_to_live_decay_and_looking_back() {
    let line = |more: &str| {
        format!("{{\"id\":\"a\",\"content\":\"c\",\"createdAt\":\"2026-11-01T00:00:00Z\"{more}}}")
    };
    for (file, more, settings, date, why) in [
        ("items/semantic.jsonl", "", "", "2026-12-01", "decayDays"),
        (
            "items/semantic.jsonl",
            ",\"ttlDays\":7",
            "",
            "2026-11-08",
            "ttlDays",
        ),
        (
            "items/semantic.jsonl",
            ",\"updatedAt\":\"2026-11-05T00:00:00Z\"",
            "",
            "2026-12-05",
            "decayDays",
        ),
        (
            "items/episodic/2026-11-01.jsonl",
            "",
            "",
            "2026-11-22",
            "retrievalLookbackDays",
        ),
        (
            "items/semantic.jsonl",
            "",
            r#"{"memory":{"decayDays":3}}"#,
            "2026-11-04",
            "decayDays",
        ),
        (
            "items/episodic/2026-11-01.jsonl",
            "",
            r#"{"preset":"coding_fast"}"#,
            "2026-11-15",
            "retrievalLookbackDays",
        ),
    ] {
        let tree = Tree::new(&[(file, &line(more))]);
        if !settings.is_empty() {
            fs::create_dir_all(tree.root.join("preferences")).unwrap();
            fs::write(tree.root.join("preferences/memory.json"), settings).unwrap();
        }
        let memories = load(&tree.open());
        let expiry = memories[0].expires.unwrap();
        assert_eq!(expiry.at.date(), date, "{file} {more} {settings}");
        assert!(expiry.why.contains(why), "{}", expiry.why);
        assert_eq!(memories[0].is_expired(NOW), *"2026-11-20" > *date);
    }
    let tree = Tree::new(&[("items/semantic.jsonl", "{\"content\":\"c\"}")]);
    assert_eq!(load(&tree.open())[0].expires, None);
}

#[test]
fn an_edit_changes_its_line_and_undo_brings_every_byte_back() {
    let file = format!("{OTHER}\r\n{FACT}\r\n{{bad");
    let tree = Tree::new(&[("items/semantic.jsonl", &file)]);
    let collection = tree.open();
    change(&collection, &set("a", "title", "Two")).unwrap();
    let dated = FACT.replace("2026-11-10T00:00:00.5Z", "2026-11-20T10:00:00Z");
    assert_eq!(
        tree.text("items/semantic.jsonl"),
        file.replace(FACT, &dated.replace("One", "Two"))
    );
    collection.undo().unwrap();
    assert_eq!(tree.text("items/semantic.jsonl"), file);
    let text = Change::Text {
        id: id("semantic:3"),
        expected: "{bad".into(),
        text: "{\"id\":\"c\",\"content\":\"mended\"}\n".into(),
    };
    change(&collection, &text).unwrap();
    assert!(
        tree.text("items/semantic.jsonl")
            .ends_with("\r\n{\"id\":\"c\",\"content\":\"mended\"}")
    );
    let text = Change::Text {
        id: id("a"),
        expected: "stale".into(),
        text: "new".into(),
    };
    assert!(matches!(
        change(&collection, &text),
        Err(StoreError::Changed(_))
    ));
}

#[test]
fn another_layer_or_scope_is_another_file() {
    let file = format!("{FACT}\n{OTHER}\n");
    let tree = Tree::new(&[
        ("items/semantic.jsonl", &file),
        ("items/procedural.jsonl", "{\"id\":\"p\",\"content\":\"c\"}"),
    ]);
    let collection = tree.open();
    change(&collection, &set("b", "layer", "PROCEDURAL")).unwrap();
    assert_eq!(tree.text("items/semantic.jsonl"), format!("{FACT}\n"));
    let moved = OTHER
        .replace("SEMANTIC", "PROCEDURAL")
        .replace("null", "\"2026-11-20T10:00:00Z\"");
    assert_eq!(
        tree.text("items/procedural.jsonl"),
        format!("{{\"id\":\"p\",\"content\":\"c\"}}\n{moved}\n")
    );
    change(&collection, &set("a", "scope", "task:t1")).unwrap();
    assert!(!tree.path("items/semantic.jsonl").exists());
    assert!(
        tree.text("scopes/task/t1/items/semantic.jsonl")
            .contains("\"scope\":\"task:t1\"")
    );
    collection.undo().unwrap();
    collection.undo().unwrap();
    assert_eq!(tree.text("items/semantic.jsonl"), file);
    assert!(!tree.path("scopes/task/t1/items/semantic.jsonl").exists());
}

#[test]
fn a_new_row_is_written_as_the_system_writes_it() {
    let tree = Tree::new(&[]);
    let collection = tree.open();
    let add = |title: &str, layer: &str, body: &str| Change::Add {
        store: None,
        title: title.to_owned(),
        fields: vec![
            ("layer".into(), layer.into()),
            ("type".into(), "fix".into()),
            ("confidence".into(), "0.9".into()),
        ],
        body: body.to_owned(),
    };
    let done = change(&collection, &add("T", "semantic", "Do </system> it\n")).unwrap();
    assert!(
        done.title
            .ends_with("a marker of prompt injection neutralised"),
        "{}",
        done.title
    );
    let text = tree.text("items/semantic.jsonl");
    assert!(text.contains(r#""layer":"SEMANTIC","type":"FIX","title":"T","content":"Do [neutralised: ‹/system›] it","scope":"global","tags":[],"source":null,"confidence":0.9,"#), "{text}");
    assert!(text.ends_with("\n") && text.contains("\"createdAt\":\"2026-11-20T10:00:00Z\",\"updatedAt\":\"2026-11-20T10:00:00Z\",\"lastAccessedAt\":null"));
    let again = change(&collection, &add("U", "semantic", "do </SYSTEM>  it")).unwrap_err();
    assert!(
        again.to_string().contains("says the same already"),
        "{again}"
    );
    change(&collection, &add("E", "EPISODIC", "b")).unwrap();
    assert!(tree.path("items/episodic/2026-11-20.jsonl").exists());
    assert!(change(&collection, &add("x", "fact", "b")).is_err());
    assert!(change(&collection, &add("x", "semantic", " \n")).is_err());
    assert_eq!(load(&collection).len(), 2);
}

#[test]
fn archived_and_deleted_rows_come_back_byte_for_byte() {
    let third = FACT.replace("\"a\"", "\"c\"").replace("f1", "f3");
    let file = format!("{FACT}\n{OTHER}\n{third}\n");
    let tree = Tree::new(&[("items/semantic.jsonl", &file)]);
    let collection = tree.open();
    change(&collection, &Change::Archive(vec![id("a")])).unwrap();
    change(&collection, &Change::Archive(vec![id("c")])).unwrap();
    assert_eq!(
        tree.text("archive/items/semantic.jsonl"),
        format!("{FACT}\n{third}\n")
    );
    assert_eq!(ids(&collection), ["archive/a", "archive/c", "b"]);
    // The first that was put aside, though another one came after it.
    change(&collection, &Change::Restore(vec![id("archive/a")])).unwrap();
    assert_eq!(
        tree.text("items/semantic.jsonl"),
        format!("{OTHER}\n{FACT}\n")
    );
    change(&collection, &Change::Restore(vec![id("archive/c")])).unwrap();
    assert!(!tree.path("archive/items/semantic.jsonl").exists());

    change(
        &collection,
        &Change::Delete {
            ids: vec![id("b"), id("c")],
            sure: false,
        },
    )
    .unwrap();
    assert_eq!(tree.text("items/semantic.jsonl"), format!("{FACT}\n"));
    change(&collection, &set("a", "title", "Later")).unwrap();
    change(&collection, &Change::Restore(vec![id("b")])).unwrap();
    let text = tree.text("items/semantic.jsonl");
    assert!(
        text.ends_with(&format!("\n{OTHER}\n")) && text.contains("Later"),
        "{text}"
    );
    change(&collection, &Change::Restore(vec![id("c")])).unwrap();
    assert!(tree.text("items/semantic.jsonl").contains(&third));
    for _ in 0..8 {
        collection.undo().unwrap();
    }
    assert_eq!(tree.text("items/semantic.jsonl"), file);
}

#[test]
fn promotion_asks_for_confidence_and_forgetting_expires() {
    let episode = FACT.replace("SEMANTIC", "EPISODIC");
    let tree = Tree::new(&[(
        "items/episodic/2026-11-10.jsonl",
        &format!("{episode}\n{OTHER}\n"),
    )]);
    let collection = tree.open();
    let promote = |up: bool, sure: bool| Change::Promote {
        ids: vec![id("a")],
        up,
        sure,
    };
    let doubt = change(&collection, &promote(true, false)).unwrap_err();
    assert!(matches!(&doubt, StoreError::Doubtful(_)), "{doubt}");
    assert!(
        doubt
            .to_string()
            .contains("its confidence is 0.5, promotion asks for 0.75")
    );
    let done = change(&collection, &promote(true, true)).unwrap();
    assert!(
        done.title.contains("FIX with confidence 0.5 to PROCEDURAL"),
        "{}",
        done.title
    );
    let text = tree.text("items/procedural.jsonl");
    assert!(
        text.contains("\"layer\":\"PROCEDURAL\"")
            && text.contains("\"confidence\":0.75")
            && text.contains("\"scope\":\"global\""),
        "{text}"
    );
    assert!(text.contains("\"fingerprint\":\"f1\""), "{text}");
    assert!(change(&collection, &promote(true, true)).is_err());
    change(&collection, &promote(false, false)).unwrap();
    assert!(
        tree.text("items/episodic/2026-11-20.jsonl")
            .contains("EPISODIC")
    );
    change(&collection, &Change::Forget(vec![id("b")])).unwrap();
    let memories = load(&collection);
    let gone = memories
        .iter()
        .find(|memory| *memory.id.local == *"b")
        .unwrap();
    assert_eq!(gone.field("ttlDays"), Some(&Value::Int(0)));
    assert!(gone.is_expired(Timestamp(NOW.0 + 1)));
}

#[test]
fn a_file_that_changed_is_not_overwritten() {
    let tree = Tree::new(&[("items/semantic.jsonl", &format!("{FACT}\n"))]);
    let collection = tree.open();
    let memories = load(&collection);
    fs::write(
        tree.path("items/semantic.jsonl"),
        format!("{OTHER}\n{FACT}\n"),
    )
    .unwrap();
    let refused = collection.change(&set("a", "title", "T"), &memories, NOW);
    assert!(matches!(refused, Err(StoreError::Changed(_))));
    assert_eq!(collection.text(&memories[0]), None);
}
