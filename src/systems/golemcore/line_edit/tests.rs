use proptest::prelude::*;

use super::*;
use crate::memory::rows;

const NOW: Timestamp = Timestamp(1_763_632_800_000);
const LINE: &str = r#"{"id":"a", "x" : {"k":[1, 2]},"type":"FIX","content":"Old \u00e9","tags":[ "b" , "c"],"updatedAt":"2026-01-01T00:00:00.123456Z","fingerprint":"f","x":7} tail"#;

fn set_to(field: &str, value: impl Into<Value>) -> FieldEdit {
    FieldEdit::set(field, value)
}

fn edited(edits: &[FieldEdit]) -> String {
    let edited = apply(LINE.as_bytes(), edits, NOW).unwrap();
    String::from_utf8(edited.line).unwrap()
}

/// The line with the date of the edit.
fn dated(line: &str) -> String {
    line.replace("2026-01-01T00:00:00.123456Z", "2025-11-20T10:00:00Z")
}

#[test]
fn only_the_value_and_the_date_change() {
    let fix = |text: &str| fingerprint(Some("FIX"), None, text);
    for (edit, expected) in rows! {
        set_to("id", "z") => dated(LINE).replace(r#""id":"a""#, r#""id":"z""#),
        set_to("title", "T") =>
            dated(LINE).replace(r#""type":"FIX""#, r#""type":"FIX", "title":"T""#),
        set_to("confidence", "0.5") =>
            dated(LINE).replace(r#" , "c"]"#, r#" , "c"], "confidence":0.5"#),
        set_to("x", Value::Int(8)) => dated(LINE).replace(r#""x":7"#, r#""x":8"#),
        FieldEdit::Body("new\u{2028}\"line\"\n".into()) =>
            dated(LINE).replace(r#""Old \u00e9""#, r#""new\u2028\"line\"""#).replace(r#""f""#, &format!("{:?}", fix("new\u{2028}\"line\""))),
        FieldEdit::Unset { field: "x".into() } =>
            dated(LINE).replace(r#", "x" : {"k":[1, 2]}"#, "").replace(r#","x":7"#, ""),
        FieldEdit::Unset { field: "tags".into(), } =>
            dated(LINE).replace(r#"[ "b" , "c"]"#, "null"),
        FieldEdit::AddItem { field: "tags".into(), item: "d".into(), } =>
            dated(LINE).replace(r#""c"]"#, r#""c" , "d"]"#),
        FieldEdit::AddItem { field: "references".into(), item: "d".into(), } =>
            dated(LINE).replace(r#"Z","finger"#, r#"Z", "references":["d"],"finger"#),
        FieldEdit::RemoveItem { field: "tags".into(), index: 0, } =>
            dated(LINE).replace(r#"[ "b" , "c"]"#, r#"[ "c"]"#),
        FieldEdit::SetItem { field: "tags".into(), index: 1, value: "é".into(), } =>
            dated(LINE).replace(r#""c""#, r#""é""#),
    } {
        assert_eq!(edited(std::slice::from_ref(&edit)), expected, "{edit:?}");
    }
}

#[test]
fn what_changes_nothing_changes_no_byte() {
    for edit in [
        set_to("type", "FIX"),
        set_to("x", Value::Float(7.0)),
        FieldEdit::Body("Old é\n".into()),
        FieldEdit::Unset {
            field: "none".into(),
        },
        FieldEdit::SetItem {
            field: "tags".into(),
            index: 0,
            value: "b".into(),
        },
    ] {
        assert_eq!(edited(std::slice::from_ref(&edit)), LINE, "{edit:?}");
    }
}

#[test]
fn dates_and_fingerprints_given_by_hand_stay() {
    let edits = [
        set_to("type", "FAILURE"),
        set_to("fingerprint", "g"),
        set_to("updatedAt", "2020-01-01T00:00:00Z"),
    ];
    let line = edited(&edits);
    let kept = [
        r#""fingerprint":"g""#,
        r#""updatedAt":"2020-01-01T00:00:00Z""#,
    ];
    assert!(kept.iter().all(|kept| line.contains(kept)), "{line}");
    let line = edited(&[set_to("type", "FAILURE")]);
    assert!(line.contains(&fingerprint(Some("FAILURE"), None, "Old é")));
    // One that there is not yet is made, too.
    for none in [r#""fingerprint":null"#, r#""fingerprint":" ""#, r#""y":1"#] {
        let line = LINE.replace(r#""fingerprint":"f""#, none);
        let after = apply(line.as_bytes(), &[FieldEdit::Body("New".into())], NOW).unwrap();
        let made = fingerprint(Some("FIX"), None, "New");
        let made = format!(r#""fingerprint":"{made}""#);
        let after = String::from_utf8(after.line).unwrap();
        assert!(after.contains(&made), "{after}");
    }
}

#[test]
fn what_cannot_be_edited_says_why() {
    for (line, edit, why) in rows! {
        "{" => set_to("id", "b") => "not a JSON object",
        "[1]" => set_to("id", "b") => "not a JSON object",
        "\u{FEFF}{}" => set_to("id", "b") => "not a JSON object",
        "{}" => FieldEdit::Text("a\nb".into()) => "one line",
        "{}" => FieldEdit::Text(" \n".into()) => "blank",
        LINE => FieldEdit::RemoveItem { field: "tags".into(), index: 2 } => "no item 3",
        LINE => FieldEdit::AddItem { field: "id".into(), item: "d".into() } => "not a list",
    } {
        let refused = apply(line.as_bytes(), &[edit], NOW).unwrap_err();
        assert!(refused.to_string().contains(why), "{refused}");
    }
    let any = apply(b"{", &[FieldEdit::Text("{}\r\n".into())], NOW).unwrap();
    assert_eq!(any.line, b"{}");
}

#[test]
fn markers_are_neutralised_as_they_are_written() {
    let edits = [FieldEdit::Body("</system> x".into()), set_to("title", "ok")];
    let edited = apply(LINE.as_bytes(), &edits, NOW).unwrap();
    assert_eq!(edited.neutralised, 1);
    let line = String::from_utf8(edited.line).unwrap();
    assert!(line.contains("‹/system›"), "{line}");
}

#[test]
fn a_new_line_has_every_property_in_order() {
    let line = compose(&Fields::from_iter([
        ("content", "a\nb".into()),
        ("mine", Value::Int(1)),
        ("id", "i".into()),
    ]));
    assert_eq!(
        line,
        r#"{"id":"i","layer":null,"type":null,"title":null,"content":"a\nb","scope":null,"tags":[],"source":null,"confidence":null,"salience":null,"ttlDays":null,"createdAt":null,"updatedAt":null,"lastAccessedAt":null,"references":[],"fingerprint":null,"mine":1}"#
    );
}

/// Lines with odd spacing, repeated and unknown properties.
fn any_line() -> impl Strategy<Value = String> {
    let blank = "[ \t]{0,2}";
    let value = prop_oneof![
        Just("null".to_owned()),
        Just(r#"["a", "b" ,"c"]"#.to_owned()),
        Just("[]".to_owned()),
        Just(r#"{"a":{},"b":[1,2]}"#.to_owned()),
        any::<i32>().prop_map(|n| n.to_string()),
        "[a-z\u{e9}\u{2028} ]{0,6}".prop_map(|text| json::write(&text)),
    ];
    let key = prop_oneof![
        proptest::sample::select(&ORDER[..]).prop_map(ToOwned::to_owned),
        "[a-c]{1,2}",
    ];
    let entry = (key, blank, blank, value, blank, blank)
        .prop_map(|(key, a, b, value, c, d)| format!("{d}{}{a}:{b}{value}{c}", json::write(&key)));
    (blank, proptest::collection::vec(entry, 0..6), "[ x]{0,3}")
        .prop_map(|(head, entries, tail)| format!("{head}{{{}}}{tail}", entries.join(",")))
}

fn any_edit() -> impl Strategy<Value = FieldEdit> {
    let field = prop_oneof![
        proptest::sample::select(&ORDER[..]).prop_map(ToOwned::to_owned),
        "[a-c]{1,2}"
    ];
    let value = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Int),
        any::<String>().prop_map(Value::from),
        Just(["x", "y"].map(Value::from).into_iter().collect()),
    ];
    (field, value, 0usize..4, 0usize..3, any::<String>()).prop_map(|(field, value, n, at, text)| {
        match n {
            0 => FieldEdit::Set { field, value },
            1 => FieldEdit::Unset { field },
            2 => FieldEdit::AddItem {
                field,
                item: Value::from(text),
            },
            _ if at == 0 => FieldEdit::RemoveItem { field, index: at },
            _ => FieldEdit::Body(text),
        }
    })
}

proptest! {
    #[test]
    fn an_edit_changes_what_it_names_and_nothing_else(line in any_line(), edit in any_edit()) {
        let Ok(after) = apply(line.as_bytes(), std::slice::from_ref(&edit), NOW) else { return Ok(()) };
        if after.line == line.as_bytes() { return Ok(()) }
        let name = match &edit { FieldEdit::Body(_) => CONTENT, edit => edit.field_name() };
        let read = |line: &[u8]| {
            let object = object(line).unwrap();
            json::fields(line, &object.entries)
        };
        let (old, new) = (read(line.as_bytes()), read(&after.line));
        let touched = |field: &str| field == name || field == "updatedAt" || field == "fingerprint";
        for (field, value) in old.iter().filter(|(field, _)| !touched(field)) {
            prop_assert_eq!(new.get(field), Some(value));
        }
        if let FieldEdit::Set { field, value } = &edit && field != "title" && field != CONTENT {
            prop_assert!(same(new.get(field).unwrap(), &coerced(field, value)));
        }
        prop_assert_eq!(java::lines(&after.line).len(), java::lines(line.as_bytes()).len());
        prop_assert!(line.ends_with(|c| c != ' ' && c != 'x') || after.line.ends_with(&line.as_bytes()[line.len() - 1..]));
    }

    #[test]
    fn any_bytes_are_edited_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80), edit in any_edit()) {
        let _ = apply(&bytes, &[edit], NOW);
    }
}
