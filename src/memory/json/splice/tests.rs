use crate::memory::rows;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::set_text;

fn set(text: &str, name: &str, value: Option<&Value>) -> Option<String> {
    set_text(text, name, value.map(ToString::to_string).as_deref())
}

#[test]
fn only_the_member_changes() {
    for (text, name, value, expected) in rows! {
        r#"{"a":1,"b":2.50}"# => "a" => json!("x") => r#"{"a":"x","b":2.50}"#,
        r#"{ "a": 1, "b": 1e3 }"# => "c" => json!([1]) => r#"{ "a": 1, "b": 1e3, "c": [1] }"#,
        "{}" => "a" => json!(true) => r#"{"a":true}"#,
        r#"{"a":{"a":1},"a":2}"# => "a" => json!(3) => r#"{"a":{"a":1},"a":3}"#,
        "{\n  \"a\": 1,\n  \"b\": 2\n}" => "c" => json!(3) =>
            "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}",
    } {
        assert_eq!(
            set(text, name, Some(&value)).as_deref(),
            Some(expected),
            "{text}"
        );
    }
    for (text, expected) in [
        (r#"{"a":1,"b":2}"#, r#"{"b":2}"#),
        (r#"{"b":2, "a":1}"#, r#"{"b":2}"#),
        (r#"{ "a":1 }"#, r#"{  }"#),
        (r#"{"a":1,"b":2,"a":3}"#, r#"{"b":2}"#),
    ] {
        assert_eq!(set(text, "a", None).as_deref(), Some(expected), "{text}");
    }
    for text in ["", "[]", "7", "{", r#"{"a":}"#, r#"{"a":1"#] {
        assert_eq!(set(text, "a", Some(&json!(1))), None, "{text}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[{}\\[\\]\",:a\\\\1 ]{0,24}", name in "[ab]") {
        let _ = set(&text, &name, Some(&Value::Null));
        let _ = set(&text, &name, None);
    }

    #[test]
    fn what_is_set_can_be_set_back(text in r#"\{ ?("[abc]": ?(1\.50|"x"|\[\]|\{"a":1\})(, ?"[def]": ?7)?)? ?\}"#, name in "[a-f]") {
        let before: Value = serde_json::from_str(&text).unwrap();
        let there = before.get(&name).cloned();
        let changed = set(&text, &name, Some(&Value::from("new"))).unwrap();
        let back = set(&changed, &name, there.as_ref()).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), before);
    }
}
