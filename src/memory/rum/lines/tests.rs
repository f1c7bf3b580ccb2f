use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn part(field: &str) -> &'static Part {
    Part::of(field).unwrap()
}

fn put(field: &str, layer: &str, lines: &[&str]) -> Result<String, String> {
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    part(field).put(Some(layer), &lines)
}

#[test]
fn every_part_is_a_field_of_the_schema() {
    for part in &PARTS {
        let spec = super::super::RUM.field(part.field);
        assert_eq!(spec.map(|spec| spec.kind.is_list()), Some(!part.single));
        assert_eq!(spec.map(|spec| spec.name), Some(part.field));
    }
    let inner = super::super::RUM.inner.iter();
    assert!(inner.clone().all(|name| Part::of(name).is_some()));
}

#[test]
fn an_entry_is_a_line() {
    for (field, layer, expected) in [
        (
            "observations",
            json!({"observations": [{"where": "a.ts", "what": "No refresh", "significance": "401"}]}),
            &["No refresh | where: a.ts | significance: 401"][..],
        ),
        (
            "relevant_files",
            json!({"relevant_files": ["a.ts", {"relevance": "none"}, null, "", " "]}),
            &["a.ts", "| relevance: none"],
        ),
        (
            "actions",
            json!([{"timestamp": 7, "type": "file_edit", "details": {"file_path": "a|b", "x": [1]}, "result": {"success": true}}]),
            &[r"file_edit | file_path: a\|b | result.success: true | timestamp: 7"],
        ),
        (
            "actions",
            json!([{"type": "command_run", "command": r"C:\new \|", "result": "ok"}, {"x": [1]}]),
            &[
                r"command_run | command: C:\new \\| | result: ok",
                r#"{"x":[1]}"#,
            ],
        ),
        ("actions", json!({"type": "search"}), &["search"]),
        (
            "verified_by",
            json!({"verified_by": {"type": "test", "command": "make"}}),
            &["test | command: make"],
        ),
        (
            "assumptions",
            json!({"assumptions": ["a | b", null, 7, ""]}),
            &["a | b", "7"],
        ),
        ("assumptions", json!({"assumptions": null}), &[]),
        ("assumptions", json!("no object"), &[]),
        ("anomalies", json!(null), &[]),
    ] {
        assert_eq!(part(field).get(&layer), expected, "{layer}");
    }
}

#[test]
fn of_a_nested_or_flat_action_only_what_its_line_says_otherwise_changes() {
    let flat = r#"[ {"type":"file_edit", "file_path":"a", "ours":{"x":1.50}} ,{"type":"search","query":"q"}]"#;
    let nested = r#"[{"type": "file_edit", "details": {"file_path": "a", "n": 1e3}, "result": {"success": false}}]"#;
    let both = ["file_edit | file_path: a", "search | query: q"];
    for (text, lines, expected) in [
        (flat, &both[..], flat),
        (
            flat,
            &["file_edit | file_path: b", "search | query: q"],
            r#"[ {"type":"file_edit", "file_path":"b", "ours":{"x":1.50}} ,{"type":"search","query":"q"}]"#,
        ),
        (
            flat,
            &["search | query: q", "file_edit | file_path: a"],
            r#"[ {"type":"search","query":"q"} ,{"type":"file_edit", "file_path":"a", "ours":{"x":1.50}}]"#,
        ),
        (
            flat,
            &["file_edit | file_path: a"],
            r#"[ {"type":"file_edit", "file_path":"a", "ours":{"x":1.50}}]"#,
        ),
        // One is changed and another comes: what the changed one has beside its line stays.
        (
            flat,
            &[
                "file_edit | file_path: a | lines_affected: 4",
                "search | query: r",
                both[1],
            ],
            r#"[ {"type":"file_edit", "file_path":"a", "ours":{"x":1.50}, "lines_affected":"4"} ,{"type":"search","query":"r"} ,{"type":"search","query":"q"}]"#,
        ),
        (
            flat,
            &[
                both[0],
                both[1],
                "command_run | command: ls | result.success: true",
            ],
            r#"[ {"type":"file_edit", "file_path":"a", "ours":{"x":1.50}} ,{"type":"search","query":"q"} ,{"type":"command_run","command":"ls","result":{"success":true}}]"#,
        ),
        (
            nested,
            &["file_edit | file_path: a | n: 1000.0 | lines_affected: 4 | result.success: true"],
            r#"[{"type": "file_edit", "details": {"file_path": "a", "n": 1e3, "lines_affected": "4"}, "result": {"success": true}}]"#,
        ),
        (
            nested,
            &[
                "file_edit | file_path: a | n: 1000.0 | result.success: false",
                "search | query: q",
            ],
            r#"[{"type": "file_edit", "details": {"file_path": "a", "n": 1e3}, "result": {"success": false}},{"type":"search","details":{"query":"q"}}]"#,
        ),
        (
            nested,
            &["file_edit | n: 1000.0"],
            r#"[{"type": "file_edit", "details": {"n": 1e3}, "result": {}}]"#,
        ),
        ("[]", &["search"], r#"[{"type":"search"}]"#),
        (
            r#"{"type": "search"}"#,
            &["search | query: q"],
            r#"{"type": "search","query": "q"}"#,
        ),
        // A kind that stood there may stay, and only there.
        (
            r#"[{"type":"ours"}]"#,
            &["ours | query: q"],
            r#"[{"type":"ours","query":"q"}]"#,
        ),
        (flat, &[], "[ ]"),
    ] {
        assert_eq!(
            put("actions", text, lines).as_deref(),
            Ok(expected),
            "{lines:?}"
        );
    }
}

#[test]
fn the_rest_of_a_layer_stays_and_so_does_what_shows_nothing() {
    let seen = r#"{ "observations": [ null, {"what": "A"}, "", {"what": "B", "x": [1]} ],"n": 1.50, "anomalies": "one" }"#;
    for (field, lines, expected) in [
        ("observations", &["A", "B"][..], seen),
        (
            "observations",
            &["A | where: a", "B"],
            r#"{ "observations": [ null, {"what": "A","where": "a"}, "", {"what": "B", "x": [1]} ],"n": 1.50, "anomalies": "one" }"#,
        ),
        (
            "observations",
            &["B"],
            r#"{ "observations": [ null, {"what": "B", "x": [1]}, "" ],"n": 1.50, "anomalies": "one" }"#,
        ),
        (
            "observations",
            &["B", "C", "A"],
            r#"{ "observations": [ null, {"what": "B", "x": [1]}, {"what":"C"}, {"what": "A"}, "" ],"n": 1.50, "anomalies": "one" }"#,
        ),
        (
            "observations",
            &[],
            r#"{ "observations": [  ],"n": 1.50, "anomalies": "one" }"#,
        ),
        (
            "anomalies",
            &["two"],
            r#"{ "observations": [ null, {"what": "A"}, "", {"what": "B", "x": [1]} ],"n": 1.50, "anomalies": "two" }"#,
        ),
        (
            "anomalies",
            &["one", "two"],
            r#"{ "observations": [ null, {"what": "A"}, "", {"what": "B", "x": [1]} ],"n": 1.50, "anomalies": ["one","two"] }"#,
        ),
        (
            "patterns_noticed",
            &["p"],
            r#"{ "observations": [ null, {"what": "A"}, "", {"what": "B", "x": [1]} ],"n": 1.50, "anomalies": "one","patterns_noticed": ["p"] }"#,
        ),
    ] {
        assert_eq!(
            put(field, seen, lines).as_deref(),
            Ok(expected),
            "{field} {lines:?}"
        );
    }
    let outcome = r#"{"success":true,"verified_by":{"type":"test","at":1e3}}"#;
    for (lines, expected) in [
        (&["test | at: 1000.0"][..], outcome),
        (
            &["manual | at: 1000.0"],
            r#"{"success":true,"verified_by":{"type":"manual","at":1e3}}"#,
        ),
        (&[], r#"{"success":true}"#),
    ] {
        assert_eq!(put("verified_by", outcome, lines).as_deref(), Ok(expected));
    }
    let absent = part("assumptions").put(None, &["a".to_owned()]);
    assert_eq!(absent.as_deref(), Ok(r#"{"assumptions":["a"]}"#));
}

#[test]
fn what_cannot_be_written_is_refused_with_the_reason() {
    for (field, layer, line, why) in [
        ("actions", "[]", "a | b", "behind `|` stands `name: value`"),
        ("actions", "[]", "a | b c: d", "behind `|` stands"),
        (
            "actions",
            "[]",
            "search | type: b",
            "`type` stands there twice",
        ),
        (
            "actions",
            "[]",
            "search | b: c | b: d",
            "`b` stands there twice",
        ),
        (
            "actions",
            "[]",
            "dig | b: c",
            "`dig` is no kind of entry of `actions`: there are file_read",
        ),
        ("observations", "{}", " ", "says nothing"),
        (
            "observations",
            r#"{"observations":[{"what":"A"}]}"#,
            " ",
            "says nothing",
        ),
        (
            "observations",
            "{}",
            "A | b.c: d",
            "would not be read as it was written",
        ),
        (
            "actions",
            "[1",
            "search",
            "memories.actions is no JSON list: set all of it with --set-new actions=[…]",
        ),
        ("actions", "[1,]", "search", "no JSON list"),
        (
            "observations",
            "[]",
            "a",
            "memories.perception is no JSON object",
        ),
        (
            "assumptions",
            "7",
            "a",
            "memories.reasoning is no JSON object",
        ),
    ] {
        let said = put(field, layer, &[line]).unwrap_err();
        assert!(said.contains(why), "{line}: {said}");
    }
    assert!(
        put("verified_by", "{}", &["a", "b"])
            .unwrap_err()
            .contains("one line")
    );
}

/// JSON as programs write it, and as they do not.
fn entry() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        Just(r#""""#.to_owned()),
        Just(" 7".to_owned()),
        Just(r#"{"x": [1e3, {}]}"#.to_owned()),
        Just(r#"{"type":"search","type":"file_read"}"#.to_owned()),
        r#"[a-c |\\:]{0,6}"#.prop_map(|text| Value::from(text).to_string()),
        (r"[a-c |\\:\n]{0,5}", "[a-c]{1,4}", any::<bool>()).prop_map(|(path, what, nested)| {
            let (path, what) = (Value::from(path), Value::from(what));
            match nested {
                true => format!(r#"{{"type": "search", "details": {{"file_path": {path},"n":1.50}}, "result":{{"success": true}}}}"#),
                false => format!(r#"{{"what":{what},"path":{what}, "approach": {path} ,"type":"file_edit","file_path":{path},"o":{{"a":[0.10]}}}}"#),
            }
        }),
    ]
}

fn list() -> impl Strategy<Value = String> {
    let all = prop::collection::vec(entry(), 0..5);
    let between = prop_oneof![Just(","), Just(", "), Just(" ,\n  ")];
    (all, between, any::<bool>()).prop_map(|(all, between, alone)| match (&all[..], alone) {
        ([one], true) => one.clone(),
        _ => format!("[{}]", all.join(between)),
    })
}

fn layer(part: &Part, list: &str) -> String {
    match part.key {
        "" => list.to_owned(),
        key => format!(r#"{{"kept": 1.50, "{key}" : {list},"also":[ ] }}"#),
    }
}

fn any_part() -> impl Strategy<Value = &'static Part> {
    (0..PARTS.len()).prop_map(|n| &PARTS[n])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_same_lines_change_nothing(part in any_part(), list in list()) {
        let text = layer(part, &list);
        let lines = part.get(&serde_json::from_str(&text).unwrap());
        prop_assert_eq!(part.put(Some(&text), &lines), Ok(text));
    }

    #[test]
    fn what_is_put_is_what_is_got_and_nothing_else_changes(part in any_part(), a in list(), b in list()) {
        let text = layer(part, &a);
        let wanted = part.get(&serde_json::from_str(&layer(part, &b)).unwrap());
        let Ok(made) = part.put(Some(&text), &wanted) else { return Ok(()) };
        let after: Value = serde_json::from_str(&made).unwrap();
        let got = part.get(&after);
        let same = |(a, b): (&String, &String)| a == b || entry::says_the_same(a, b, part.first);
        prop_assert!(got.len() == wanted.len() && got.iter().zip(&wanted).all(same), "{got:?} {wanted:?}");
        // And once more: nothing changes.
        prop_assert_eq!(part.put(Some(&made), &got), Ok(made.clone()));
        if !part.key.is_empty() {
            let rest = |text: &str| {
                let from = text.find(part.key).unwrap_or(text.len());
                (text[..from.min(15)].to_owned(), text.ends_with(r#""also":[ ] }"#))
            };
            prop_assert_eq!(rest(&made), rest(&text));
        }
    }

    #[test]
    fn a_line_that_is_taken_out_leaves_the_others_their_bytes(part in any_part(), list in list(), at in 0_usize..5) {
        let text = layer(part, &list);
        let mut lines = part.get(&serde_json::from_str(&text).unwrap());
        if part.single || lines.len() < 2 { return Ok(()) }
        lines.remove(at % lines.len());
        let made = part.put(Some(&text), &lines).unwrap();
        let raws = |text: &str| {
            let own = if part.key.is_empty() { text } else { json::member(text, part.key).unwrap() };
            let places = json::items(own).unwrap();
            places.into_iter().map(|place| own[place].to_owned()).collect::<Vec<String>>()
        };
        let (before, after) = (raws(&text), raws(&made));
        prop_assert_eq!(after.len() + 1, before.len());
        prop_assert!(after.iter().all(|raw| before.contains(raw)), "{before:?} {after:?}");
    }

    #[test]
    fn no_line_makes_it_panic(part in any_part(), text in r#"\[(\{"type":"a"\}|"x"|7)?\]|\{"[a-z_]{1,12}":.{0,6}|.{0,8}"#, line in r"[a-c|:\\\n. ]{0,16}") {
        let _ = part.put(Some(&text), &[line]);
    }
}
