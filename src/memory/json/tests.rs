use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::splice::set_text;
use super::*;
use crate::memory::rows;

fn read(text: &str) -> Value {
    let (node, _) = value(text.as_bytes()).unwrap();
    meaning(text.as_bytes(), &node)
}

#[test]
fn values_are_read_as_they_are_written() {
    for (text, expected) in rows! {
        "null" => Value::Null, " true" => Value::Bool(true), "-0" => Value::Float(-0.0),
        "12" => Value::Int(12), "1e2" => Value::Float(100.0),
        "99999999999999999999" => Value::Float(1e20),
        r#""a\u00e9\ud83d\ude00\n""# => Value::from("aé😀\n"),
        r#""\ud83dx\ude00""# => Value::from("\u{FFFD}x\u{FFFD}"),
        r#""\u00""# => Value::Null,
        // Of a repeated property the last counts.
        r#"{"a":1,"b":2,"\u0061":3}"# =>
            Fields::from_iter([("a", Value::Int(3)), ("b", Value::Int(2))]).into(),
        r#"["x", 1 ,[]]"# =>
            [Value::from("x"), Value::Int(1), Value::List([].into())].into_iter().collect(),
    } {
        match value(text.as_bytes()) {
            Ok((node, end)) => {
                assert_eq!(meaning(text.as_bytes(), &node), expected, "{text}");
                assert_eq!(end, text.len());
            }
            Err(error) => assert_eq!(expected, Value::Null, "{text}: {error:?}"),
        }
    }
}

#[test]
fn what_is_not_json_is_said_with_its_place() {
    for (text, at, message) in rows! {
        "" => 0 => "it ends where a value should stand",
        "{\"a\":1" => 6 => "EOF while parsing an object",
        "{a:1}" => 1 => "key must be a string", "[1,]" => 3 => "expected value",
        "\"a\tb\"" => 1 => "control character", "\"a\\x\"" => 3 => "invalid escape",
        "\"a" => 2 => "EOF while parsing a string", "\u{FEFF}{}" => 0 => "expected value",
        "nullx" => 4 => "trailing characters",
    } {
        let error = value(text.as_bytes()).unwrap_err();
        assert_eq!(error.at, at, "{text}: {error:?}");
        assert!(error.message.contains(message), "{text}: {error:?}");
    }
    assert!(value("[".repeat(100_000).as_bytes()).is_err());
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-1e9..1e9).prop_map(Value::Float),
        any::<String>().prop_map(Value::from),
        "[\u{85}\u{2028}\u{2029}\u{0}\u{1f}\u{7f}\"\\\\a]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| items.into_iter().collect()),
            proptest::collection::btree_map("[a-c]{1,2}", inner, 0..4)
                .prop_map(|map| Value::Map(Box::new(map.into_iter().collect()))),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(value in any_value()) {
        let text = write(&value);
        prop_assert_eq!(read(&text), value);
        let ends = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}'];
        prop_assert!(!text.contains(ends));
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok((node, end)) = super::value(&bytes) {
            prop_assert!(end <= bytes.len());
            meaning(&bytes, &node);
        }
    }
}

#[test]
fn a_place_in_a_text_is_found_in_its_literal() {
    for (literal, byte, at) in rows! {
        r#""abc""# => 0 => 1, r#""abc""# => 2 => 3, r#""a\nb""# => 1 => 2, r#""a\nb""# => 2 => 4,
        r#""\u00e9b""# => 2 => 7, r#""\ud83d\ude00b""# => 4 => 13, r#""\ud83dxb""# => 4 => 8,
        r#""é\"b""# => 3 => 5, r#""ab""# => 9 => 3,
    } {
        let found = sources(literal.as_bytes(), &[byte]);
        assert_eq!(found, [at], "{literal} at {byte}");
    }
}

proptest! {
    #[test]
    fn what_stands_behind_a_place_is_the_rest_of_the_text(text in "(\\PC|\n|\t|\"|\\\\|\u{1}){0,12}") {
        let literal = write(&text);
        for (byte, _) in text.char_indices() {
            let rest = format!("\"{}", &literal[sources(literal.as_bytes(), &[byte])[0]..]);
            prop_assert_eq!(super::text(rest.as_bytes()), &text[byte..]);
        }
    }
}

fn set(text: &str, name: &str, value: Option<&Json>) -> Option<String> {
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
        let set = set(text, name, Some(&value));
        assert_eq!(set.as_deref(), Some(expected), "{text}");
    }
    for (text, expected) in rows! {
        r#"{"a":1,"b":2}"# => r#"{"b":2}"#, r#"{"b":2, "a":1}"# => r#"{"b":2}"#,
        r#"{ "a":1 }"# => r#"{  }"#, r#"{"a":1,"b":2,"a":3}"# => r#"{"b":2}"#,
    } {
        assert_eq!(set(text, "a", None).as_deref(), Some(expected), "{text}");
    }
    for text in ["", "[]", "7", "{", r#"{"a":}"#, r#"{"a":1"#] {
        assert_eq!(set(text, "a", Some(&json!(1))), None, "{text}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[{}\\[\\]\",:a\\\\1 ]{0,24}", name in "[ab]") {
        let _ = set(&text, &name, Some(&Json::Null));
        let _ = set(&text, &name, None);
    }

    #[test]
    fn what_is_set_can_be_set_back(text in r#"\{ ?("[abc]": ?(1\.50|"x"|\[\]|\{"a":1\})(, ?"[def]": ?7)?)? ?\}"#, name in "[a-f]") {
        let before: Json = serde_json::from_str(&text).unwrap();
        let there = before.get(&name).cloned();
        let changed = set(&text, &name, Some(&Json::from("new"))).unwrap();
        let back = set(&changed, &name, there.as_ref()).unwrap();
        prop_assert_eq!(serde_json::from_str::<Json>(&back).unwrap(), before);
    }
}
