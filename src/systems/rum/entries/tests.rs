use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;
use crate::memory::rows;

fn put(field: &str, layer: &str, value: Json) -> Result<String, String> {
    let part = Part::named(field).unwrap();
    part.put(Some(layer), Some(&value.into()))
}

#[test]
fn every_part_is_a_field_of_the_schema() {
    for part in Part::all() {
        let spec = super::super::RUM.field(part.field).unwrap();
        assert!(spec.kind.is_list());
        assert_eq!(spec.name, part.field);
    }
    let mut inner = super::super::RUM.inner.iter();
    assert!(inner.all(|name| Part::named(name).is_some()));
}

#[test]
fn of_an_entry_only_the_changed_member_changes() {
    let layer = r#"{ "observations": [ null, {"what": "A", "n": 1.50, "ours": {"x": [1e3], "y": 1}}, "B" ], "mood": 1.50}"#;
    for (new, expected) in rows! {
        json!([null, {"what": "C", "n": 1.5, "ours": {"x": [1000.0], "y": 1}}, "B"]) =>
            r#"{ "observations": [ null, {"what": "C", "n": 1.50, "ours": {"x": [1e3], "y": 1}}, "B" ], "mood": 1.50}"#,
        json!([null, {"what": "A", "n": 1.5, "ours": {"x": [1000.0], "y": 2}}, "B"]) =>
            r#"{ "observations": [ null, {"what": "A", "n": 1.50, "ours": {"x": [1e3], "y": 2}}, "B" ], "mood": 1.50}"#,
        json!(["B", {"what": "A", "n": 1.5}]) =>
            r#"{ "observations": [ "B", {"what":"A","n":1.5} ], "mood": 1.50}"#,
        json!([]) => r#"{ "observations": [  ], "mood": 1.50}"#,
    } {
        assert_eq!(put("observations", layer, new).unwrap(), expected);
    }
}

#[test]
fn a_value_alone_stays_alone() {
    let layer = r#"{"verified_by": {"type": "manual", "seen": [1]}}"#;
    let put_in = |field, layer, value| put(field, layer, value).unwrap();
    let other = put_in("verified_by", layer, json!({"type": "test", "seen": [1]}));
    assert_eq!(other, r#"{"verified_by": {"type": "test", "seen": [1]}}"#);
    let part = Part::named("verified_by").unwrap();
    assert_eq!(part.put(Some(layer), None).unwrap(), "{}");
    let two = json!(["a.rs", {"path": "b.rs"}]);
    let list = put_in("relevant_files", r#"{"relevant_files":"a.rs"}"#, two);
    assert_eq!(list, r#"{"relevant_files":["a.rs",{"path":"b.rs"}]}"#);
}

#[test]
fn entries_that_the_schema_does_not_have_are_refused() {
    for (field, layer, value, why) in rows! {
        "actions" => "{}" => json!([{"type": "x"}]) => "memories.actions is no JSON list",
        "verified_by" => "{}" => json!([{"type": "a"}, {"type": "b"}]) =>
            "`verified_by` is one entry",
        "risks_identified" => "[7]" => json!(["x"]) => "memories.reasoning is no JSON object",
    } {
        let said = put(field, layer, value).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
}

fn entry() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(r#"{"what": "A", "n": 1.50}"#.to_owned()),
        Just(r#"{"what":"B","ours":{"x":[1e3]}}"#.to_owned()),
        Just("\"C\"".to_owned()),
        Just("null".to_owned()),
        Just("7".to_owned()),
    ]
}

fn list() -> impl Strategy<Value = String> {
    prop::collection::vec(entry(), 0..5).prop_map(|all| format!("[ {} ]", all.join(" , ")))
}

proptest! {
    #[test]
    fn entries_of_another_list_are_read_back(a in list(), b in list()) {
        let layer = format!(r#"{{"mood": 1.50, "observations": {a}}}"#);
        let part = Part::named("observations").unwrap();
        let items: Vec<Json> = serde_json::from_str(&b).unwrap();
        let items: Vec<Value> = items.into_iter().filter(Json::is_object).map(Value::from).collect();
        let value = (!items.is_empty()).then(|| items.into_iter().collect::<Value>());
        let made = part.put(Some(&layer), value.as_ref()).unwrap();
        let read: Json = serde_json::from_str(&made).unwrap();
        prop_assert_eq!(part.get(&read), value);
        prop_assert!(made.starts_with(r#"{"mood": 1.50, "#), "{}", made);
    }

    #[test]
    fn no_text_makes_it_panic(text in r#"\[(\{"type":"a"\}|"x"|7)?\]|\{"[a-z_]{1,12}":.{0,6}|.{0,8}"#) {
        for part in Part::all() {
            let _ = part.put(Some(&text), Some(&"x".into()));
            let _ = part.put(Some(&text), None);
        }
    }
}
