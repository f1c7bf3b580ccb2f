//! What holds of any file.

use proptest::prelude::*;

use super::*;

fn any_file() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        3 => Just(FACT.to_owned()),
        3 => Just(OTHER.to_owned()),
        1 => "[ -~é\u{2028}\u{85}]{0,12}",
        2 => ("[a-c]", "[a-zé \u{85}\u{2028}\"]{0,8}").prop_map(|(id, text)| {
            format!("{{\"id\":\"{id}\",\"layer\":\"EPISODIC\",\"content\":{}}}", memkeep::memory::json::write(&text))
        }),
    ];
    let end = proptest::sample::select(&["\n", "\n", "\r\n", "\n\n", "\r", "\u{2028}"][..]);
    proptest::collection::vec((line, end), 0..6)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_done_undo_brings_every_byte_back(
        one in any_file(), two in any_file(), which in any::<prop::sample::Index>(), what in 0..7_usize, text in "[a-zé\n\u{2028}<]{0,10}",
    ) {
        let tree = Tree::new(&[("items/semantic.jsonl", &one), ("items/episodic/2026-11-19.jsonl", &two)]);
        let before = tree.all();
        let collection = tree.open();
        let memories = load(&collection);
        if memories.is_empty() { return Ok(()) }
        let memory = &memories[which.index(memories.len())];
        let ids = vec![memory.id.clone()];
        let asked = match what {
            0 => Change::Edit { seen: Vec::new(), ids, edits: vec![FieldEdit::Body(text)] },
            1 => Change::Edit { seen: Vec::new(), ids, edits: vec![FieldEdit::Set { field: "tags".into(), value: [Value::from(text)].into_iter().collect() }] },
            2 => Change::Delete { ids, sure: false },
            3 => Change::Archive(ids),
            4 => Change::Promote { ids, up: true, sure: true },
            5 => Change::Edit { seen: Vec::new(), ids, edits: vec![FieldEdit::Set { field: "layer".into(), value: "PROCEDURAL".into() }] },
            _ => Change::Forget(ids),
        };
        let others: Vec<(String, Option<String>)> = memories.iter()
            .filter(|other| other.id != memory.id)
            .map(|other| (other.id.local.to_string(), collection.text(other)))
            .collect();
        let Ok(done) = collection.change(&asked, &memories, NOW) else {
            prop_assert_eq!(tree.all(), before);
            return Ok(())
        };
        let after = load(&collection);
        // Every other memory says what it said.
        let said: Vec<Option<String>> = after.iter().map(|memory| collection.text(memory)).collect();
        for (_, text) in &others {
            prop_assert!(said.contains(text), "{:?} {:?}", text, said);
        }
        prop_assert!(after.len() + 1 >= memories.len());
        if done.changed {
            collection.undo().unwrap();
        }
        prop_assert_eq!(tree.all(), before);
    }

    #[test]
    fn any_bytes_are_loaded(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let tree = Tree::new(&[]);
        fs::write(tree.path("items/semantic.jsonl"), &bytes).unwrap();
        let collection = tree.open();
        for memory in load(&collection) {
            prop_assert!(collection.text(&memory).is_some());
        }
    }
}
