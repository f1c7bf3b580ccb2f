//! Changing one member of a JSON object and not a byte beside it.

use std::ops::Range;

use serde::de::IgnoredAny;
use serde_json::Value;

/// A member of an object: its name and the bytes of name and value.
struct Member {
    name: String,
    key: Range<usize>,
    value: Range<usize>,
}

/// The end of the JSON value that begins at a place.
fn end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(at + values.byte_offset())
}

/// The next byte that is no blank.
fn next(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let skipped = rest.find(|c: char| !c.is_ascii_whitespace())?;
    Some(at + skipped)
}

/// The members of the object that a text is, and the place of its closing brace.
fn members(text: &str) -> Option<(Vec<Member>, usize)> {
    let mut at = next(text, 0)?;
    let mut members = Vec::new();
    if !text.get(at..)?.starts_with('{') {
        return None;
    }
    at = next(text, at + 1)?;
    loop {
        let rest = text.get(at..)?;
        if rest.starts_with('}') {
            return Some((members, at));
        }
        if rest.starts_with(',') {
            at = next(text, at + 1)?;
            continue;
        }
        let key = at..end(text, at)?;
        let name = serde_json::from_str(text.get(key.clone())?).ok()?;
        let colon = next(text, key.end)?;
        let from = next(text, colon + 1)?;
        let value = from..end(text, from)?;
        at = next(text, value.end)?;
        members.push(Member { name, key, value });
    }
}

/// The bytes of the value of a member; none where there is no such member.
pub fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (members, _) = members(text)?;
    let own = members.iter().rfind(|member| member.name == name)?;
    text.get(own.value.clone())
}

/// The places of the items of the list that a text is; none where it is no list.
pub fn items(text: &str) -> Option<Vec<Range<usize>>> {
    serde_json::from_str::<Vec<IgnoredAny>>(text).ok()?;
    let mut at = next(text, 0)? + 1;
    let mut items = Vec::new();
    loop {
        at = next(text, at)?;
        match text.get(at..)?.chars().next()? {
            ']' => return Some(items),
            ',' => at += 1,
            _ => {
                let end = end(text, at)?;
                items.push(at..end);
                at = end;
            }
        }
    }
}

/// A list with other items, `places` being those of the ones before; each with the number of the
/// one in whose place it stands, where there is one. What stands between two that stood side by
/// side stays, and is as between the first two elsewhere.
pub fn rebuilt(text: &str, places: &[Range<usize>], items: &[(Option<usize>, String)]) -> String {
    let between = |a: usize, b: usize| text.get(a..b).unwrap_or_default();
    let begin = text.find('[').map_or(0, |at| at + 1);
    let close = text.rfind(']').unwrap_or(text.len());
    let head = places.first().map_or(begin, |first| first.start);
    let tail = places.last().map_or(close, |last| last.end);
    let usual = match places {
        [one, two, ..] => between(one.end, two.start).to_owned(),
        _ => format!(",{}", between(begin, head)),
    };
    let apart = |before: Option<usize>, after: Option<usize>| {
        let (before, after) = (before?, after?);
        let beside = before + 1 == after;
        let (one, two) = (places.get(before)?, places.get(after)?);
        beside.then(|| between(one.end, two.start))
    };
    let mut out = between(0, head).to_owned();
    let mut before = None;
    for (n, (from, item)) in items.iter().enumerate() {
        if n > 0 {
            out.push_str(apart(before, *from).unwrap_or(&usual));
        }
        out.push_str(item);
        before = *from;
    }
    out.push_str(between(tail, text.len()));
    out
}

/// The text of an object with a member that has a value, or without it. None where the text is
/// no object, or where more would change.
pub fn set(text: &str, name: &str, value: Option<&Value>) -> Option<String> {
    set_text(text, name, value.map(ToString::to_string).as_deref())
}

/// The same with a value that is written as JSON.
pub fn set_text(text: &str, name: &str, value: Option<&str>) -> Option<String> {
    let (members, close) = members(text)?;
    // Of members of one name the last is read.
    let own = members.iter().rposition(|member| member.name == name);
    let changed = match (own, value) {
        (None, None) => text.to_owned(),
        (Some(own), Some(value)) => splice(text, members.get(own)?.value.clone(), value)?,
        (Some(_), None) => {
            let mut changed = text.to_owned();
            while let Some(shorter) = without(&changed, name)? {
                changed = shorter;
            }
            changed
        }
        (None, Some(value)) => {
            let between = |a: usize, b: usize| text.get(a..b).unwrap_or_default();
            let colon = members
                .first()
                .map_or(":", |one| between(one.key.end, one.value.start));
            let comma = match members.as_slice() {
                [] => "",
                [_] => ",",
                [one, two, ..] => between(one.value.end, two.key.start),
            };
            let at = members.last().map_or(close, |last| last.value.end);
            let key = Value::from(name);
            splice(text, at..at, &format!("{comma}{key}{colon}{value}"))?
        }
    };
    is_right(text, &changed, name, value).then_some(changed)
}

/// The text without the first member of a name and the comma beside it; none in that where there
/// is no such member.
fn without(text: &str, name: &str) -> Option<Option<String>> {
    let (members, _) = members(text)?;
    let Some(own) = members.iter().position(|member| member.name == name) else {
        return Some(None);
    };
    let member = members.get(own)?;
    let range = match (
        own.checked_sub(1).and_then(|n| members.get(n)),
        members.get(own + 1),
    ) {
        (_, Some(after)) => member.key.start..after.key.start,
        (Some(before), None) => before.value.end..member.value.end,
        (None, None) => member.key.start..member.value.end,
    };
    splice(text, range, "").map(Some)
}

fn splice(text: &str, range: Range<usize>, new: &str) -> Option<String> {
    Some([text.get(..range.start)?, new, text.get(range.end..)?].concat())
}

/// Whether nothing but this member differs.
fn is_right(before: &str, after: &str, name: &str, value: Option<&str>) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    let (Some(Value::Object(mut before)), Some(Value::Object(mut after))) =
        (read(before), read(after))
    else {
        return false;
    };
    let now = after.shift_remove(name);
    before.shift_remove(name);
    now == value.and_then(read) && before == after
}

#[cfg(test)]
mod tests {
    use super::set;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn only_the_member_changes() {
        for (text, name, value, expected) in [
            (
                r#"{"a":1,"b":2.50}"#,
                "a",
                json!("x"),
                r#"{"a":"x","b":2.50}"#,
            ),
            (
                r#"{ "a": 1, "b": 1e3 }"#,
                "c",
                json!([1]),
                r#"{ "a": 1, "b": 1e3, "c": [1] }"#,
            ),
            ("{}", "a", json!(true), r#"{"a":true}"#),
            (
                r#"{"a":{"a":1},"a":2}"#,
                "a",
                json!(3),
                r#"{"a":{"a":1},"a":3}"#,
            ),
            (
                "{\n  \"a\": 1,\n  \"b\": 2\n}",
                "c",
                json!(3),
                "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}",
            ),
        ] {
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
}
