//! Lists inside the layers as fields: read when they are asked for, and edited as YAML.

use memkeep::curate::Change;
use memkeep::memory::edit::FieldEdit;
use memkeep::retrieval::Texts as _;
use memkeep::systems::rum::RUM;

use crate::place::{Place, REAL, SAMPLE, SPEC, now};

/// Layers as programs write them, with what no schema knows and what nobody would write.
const ODD: &str = r#"
INSERT INTO memories VALUES ('mem_odd', 'agent_a', 'demo', 'session_1', 1768600000, 'Odd', 'other', 1, NULL,
 '{ "goal": "Odd", "task_type": "other", "constraints": [ "a", 7, null ] }',
 '{ "observations": [ null, {"what": "A", "n": 1.50, "ours": {"x": [1e3]}}, "B" ], "relevant_files": "a.rs", "anomalies": ["x\ny", "p | q"] , "mood": 1.50}',
 '{}',
 '[ {"type": "file_edit", "details": {"file_path": "a.rs", "diff_hash": "1"}, "result": {"success": true, "duration_ms": 1e3}} , {"type":"search","query":"a|b"}, {"type": "ours", "file_path": "b.rs"} ]',
 '{"success": true, "verified_by": {"type": "manual", "seen": [1]}, "learnings": []}',
 '[]', 0.5, 0, NULL, NULL);
INSERT INTO memory_files VALUES ('mem_odd', 'a.rs', 'file_edit'), ('mem_odd', 'b.rs', 'ours');
"#;

#[test]
fn no_memory_holds_them_and_show_has_them() {
    let place = Place::with(&[REAL, SAMPLE, &ODD.replace("1768600000,", "1768600000000,")]);
    let collection = place.collection();
    let mut out = String::new();
    for memory in &place.load() {
        assert!(RUM.inner.iter().all(|name| memory.field(name).is_none()));
        let inner = collection.inner(memory);
        out.push_str(&format!("{}\n", memory.id));
        for (name, value) in inner.iter() {
            out.push_str(&format!("  {name}\n"));
            out.extend(value.items().map(|item| format!("    {item:?}\n")));
        }
        let local = memory.id.local.to_string();
        let shown = place.run(&["show", &local, "--format", "json"]).json();
        for name in RUM.inner {
            let wanted = serde_json::to_value(inner.get(name)).unwrap();
            assert_eq!(
                shown["fields"]
                    .get(name)
                    .unwrap_or(&serde_json::Value::Null),
                &wanted
            );
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn a_query_asks_for_them() {
    let place = Place::sample();
    for (query, found) in [
        ("actions:npm", "rum:mem_jwt\n"),
        ("has:actions", "rum:mem_jwt\nrum:mem_old\n"),
        ("has:actions !observations:refresh", "rum:mem_old\n"),
        ("risks_identified:loop jwt", "rum:mem_jwt\n"),
        ("verified_by:manual", ""),
    ] {
        let list = place.run(&["list", "--query", query, "--format", "quiet"]);
        assert_eq!(
            (list.text().as_str(), list.err.as_str()),
            (found, ""),
            "{query}"
        );
        let search = place.run(&["search", query, "--format", "quiet"]);
        assert_eq!(search.text(), found, "{query}");
    }
    let ran = place.run(&["list", "--query", "observation:x"]);
    assert!(
        ran.err.contains("did you mean `observations`?"),
        "{}",
        ran.err
    );
}

#[test]
fn the_same_value_changes_nothing_and_neither_does_what_is_put_back() {
    for tables in [REAL, SPEC] {
        let place = Place::with(&[tables, ODD]);
        let collection = place.collection();
        let change = |edits: Vec<FieldEdit>| {
            let memories = place.load();
            let ids = vec![memories[0].id.clone()];
            let change = Change::Edit {
                seen: Vec::new(),
                ids,
                edits,
            };
            collection.change(&change, &memories, now()).unwrap()
        };
        let before = place.dump();
        let fields = collection.inner(&place.load()[0]);
        let set = |(name, value): (&str, &memkeep::memory::Value)| FieldEdit::Set {
            field: name.to_owned(),
            value: value.clone(),
        };
        assert!(!change(fields.iter().map(set).collect()).changed);
        assert_eq!(place.dump(), before);
        // An item that comes and goes leaves every byte as it was.
        for name in RUM
            .inner
            .iter()
            .copied()
            .filter(|name| *name != "verified_by")
        {
            let Some(value) = fields.get(name) else {
                continue;
            };
            let field = name.to_owned();
            let item = match name {
                "actions" => serde_json::json!({"type": "search", "query": "new"}),
                "observations" => serde_json::json!({"what": "new"}),
                "relevant_files" => serde_json::json!({"path": "new"}),
                _ => "new".into(),
            };
            change(vec![FieldEdit::AddItem {
                field,
                item: item.into(),
            }]);
            let added = place.dump();
            assert_ne!(added, before, "{name}");
            let (field, index) = (name.to_owned(), value.items().len());
            change(vec![FieldEdit::RemoveItem { field, index }]);
            // What stood there alone has become a list.
            if name != "relevant_files" {
                assert_eq!(place.dump(), before, "{name}");
            }
            for _ in 0..2 {
                collection.undo().unwrap();
            }
            assert_eq!(place.dump(), before, "{name} undone");
        }
    }
}

#[test]
fn a_member_changes_and_the_files_follow() {
    let place = Place::with(&[SPEC, ODD]);
    let said = place.run(&[
        "edit",
        "mem_odd",
        "--set",
        r#"actions=[{type: file_edit, details: {file_path: c.rs, diff_hash: "1"}, result: {success: false, duration_ms: 1000.0}}, {type: search, query: "a|b"}, {type: ours, file_path: b.rs}]"#,
        "--set",
        "constraints=[a, '7', c]",
        "--dry-run",
    ]);
    insta::assert_snapshot!(said.text() + &said.err);
}

#[test]
fn a_new_memory_takes_them_too() {
    let place = Place::sample();
    let ran = place.run(&[
        "add",
        "Tokens are kept in a file",
        "--title",
        "Find the tokens",
        "--set",
        "observations=[{what: They are there, where: src/token.rs}]",
        "--set",
        "actions={type: file_read, file_path: src/token.rs}",
        "--set",
        "verified_by={type: manual}",
        "--dry-run",
    ]);
    insta::assert_snapshot!(ran.text() + &ran.err);
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_is() {
    let place = Place::sample();
    let before = place.dump();
    for (set, why) in [
        ("actions=dig", "`dig` is not a value of `actions`"),
        ("actions=[dig]", "`dig` is no entry of `actions`"),
        (
            "actions=[{file_path: a}]",
            "an entry of `actions` has a `type`",
        ),
        ("anomalies=[{what: x}]", "`anomalies` is a list of texts"),
    ] {
        let ran = place.run(&["edit", "mem_jwt", "--set", set]);
        assert!(
            ran.code == 2 && ran.err.contains(why),
            "{set}: {} {}",
            ran.code,
            ran.err
        );
    }
    assert_eq!(place.dump(), before);
}

/// The contract has one kind of memory in JSON, listed or shown; only the body is left out.
#[test]
fn a_listing_for_programs_has_the_fields_that_a_memory_shown_has() {
    let place = Place::sample();
    let listed = place.run(&["list", "--format", "json"]).json();
    let listed = listed.as_array().unwrap();
    assert!(listed.len() >= 5);
    for one in listed {
        let id = one["id"].as_str().unwrap();
        let shown = place.run(&["show", id, "--format", "json"]).json();
        assert_eq!(one["fields"], shown["fields"], "{id}");
    }
    let jwt = listed
        .iter()
        .find(|one| one["id"] == "rum:mem_jwt")
        .unwrap();
    assert_eq!(
        jwt["fields"]["observations"][0],
        serde_json::json!({
            "what": "No refresh",
            "where": "src/auth/interceptor.ts",
            "significance": "401 instead of a refresh",
        })
    );
}
