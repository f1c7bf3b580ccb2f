//! One entry and its line.
//!
//! A line has the first member of the entry, and behind it every other that is a text, a number, or
//! true or false: `file_edit | file_path: src/a.rs | result.success: true`. What stands in the
//! `details` of an action is written as if it stood in the action, for real programs write it
//! there (formats: rum). A `|` of a text has a `\` before it. Members that a line cannot say are not in
//! it, and stay as they are.

use serde_json::{Map, Value};

use crate::memory::rum::json;

/// Members of an action that are never details of it.
const OWN: [&str; 3] = ["type", "timestamp", "result"];
/// Members that are numbers, or true or false, where nothing says otherwise.
const NO_TEXT: [&str; 4] = [
    "timestamp",
    "duration_ms",
    "result.duration_ms",
    "result.success",
];
/// Members that tell a person least: they stand last.
const LAST: &str = "timestamp";
/// What stands before the name of a member of the result.
const RESULT: &str = "result.";

/// Name and text of a member; the first member comes first.
type Said = (String, String);

/// An entry as a line: an object of which a line can say nothing as JSON.
pub(super) fn line(entry: &Value, first: &str) -> String {
    let said = said(entry, first);
    if said.is_empty() {
        return escaped(&entry.to_string());
    }
    join(&said, first)
}

/// What a line says of an entry.
fn said(entry: &Value, first: &str) -> Vec<Said> {
    let Value::Object(all) = entry else {
        let text = match entry {
            Value::String(text) => text.trim().to_owned(),
            other => other.to_string(),
        };
        return vec![(first.to_owned(), text)];
    };
    let mut out: Vec<Said> = Vec::new();
    let mut add = |name: String, value: &Value| {
        let text = match value {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Bool(is) => is.to_string(),
            _ => return,
        };
        let new = !out.iter().any(|(own, _)| *own == name);
        if !text.is_empty() && new && (name == first || is_name(&name)) {
            out.push((name, text));
        }
    };
    if let Some(value) = all.get(first) {
        add(first.to_owned(), value);
    }
    for (name, value) in all {
        match value {
            // What is said in the details counts, wherever else it is said (formats: rum).
            Value::Object(details) if name == "details" => {
                for (name, value) in details.iter().filter(|(name, _)| !name.contains('.')) {
                    add(name.clone(), value);
                }
            }
            Value::Object(result) if name == "result" => {
                for (name, value) in result.iter().filter(|(name, _)| !name.contains('.')) {
                    add(format!("{RESULT}{name}"), value);
                }
            }
            _ if name.contains('.') || in_details(all, name).is_some() => {}
            value => add(name.clone(), value),
        }
    }
    out.sort_by_key(|(name, _)| name == LAST);
    out
}

fn in_details<'a>(entry: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    entry.get("details")?.as_object()?.get(name)
}

/// Whether a name can stand before a colon.
fn is_name(name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    !name.is_empty() && name.chars().all(part)
}

/// A text in a line. A `\` is one wherever it stands, but right before a `|`.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

fn join(said: &[Said], first: &str) -> String {
    let mut out = String::new();
    for (n, (name, text)) in said.iter().enumerate() {
        if n == 0 && name == first {
            out.push_str(&escaped(text));
            continue;
        }
        out.push_str(if out.is_empty() { "| " } else { " | " });
        out.push_str(&format!("{name}: {}", escaped(text)));
    }
    out
}

/// What a line says; why it says nothing.
fn parse(line: &str, first: &str) -> Result<Vec<Said>, String> {
    let mut out: Vec<Said> = Vec::new();
    for (n, piece) in pieces(line).iter().enumerate() {
        let piece = piece.trim();
        let (name, text) = match piece.split_once(':') {
            _ if n == 0 => (first, piece),
            Some((name, text)) if is_name(name.trim()) => (name.trim(), text.trim()),
            _ => {
                return Err(format!(
                    "`{piece}`: behind `|` stands `name: value`; a `|` of the text is written `\\|`"
                ));
            }
        };
        if out.iter().any(|(own, _)| own == name) || (n > 0 && name == first) {
            return Err(format!("`{name}` stands there twice"));
        }
        if !text.is_empty() {
            out.push((name.to_owned(), text.to_owned()));
        }
    }
    Ok(out)
}

/// The pieces between `|`; one with a `\` before it parts nothing.
fn pieces(line: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let c = match c {
            '\\' => chars.next_if_eq(&'|').unwrap_or(c),
            '|' => {
                pieces.push(String::new());
                continue;
            }
            c => c,
        };
        if let Some(last) = pieces.last_mut() {
            last.push(c);
        }
    }
    pieces
}

/// What a line begins with.
pub(super) fn first_of(line: &str, first: &str) -> Result<String, String> {
    let said = parse(line, first)?.into_iter();
    let mut said = said.filter(|(name, _)| name == first);
    Ok(said.next().map(|(_, text)| text).unwrap_or_default())
}

/// Whether two lines say the same, in whatever order.
pub(super) fn says_the_same(a: &str, b: &str, first: &str) -> bool {
    let sorted = |line| {
        let mut said = parse(line, first)?;
        said.sort();
        Ok::<_, String>(said)
    };
    sorted(a).is_ok_and(|a| sorted(b).is_ok_and(|b| a == b))
}

/// Whether more than half of what a line says stands in another one.
pub(super) fn says_most_of(old: &str, line: &str, first: &str) -> bool {
    let (Ok(old), Ok(new)) = (parse(old, first), parse(line, first)) else {
        return false;
    };
    let kept = new.iter().filter(|said| old.contains(said)).count();
    kept * 2 > new.len()
}

/// The JSON of an entry of which a line says something else.
pub(super) fn changed(raw: &str, entry: &Value, line: &str, first: &str) -> Result<String, String> {
    let new = parse(line, first)?;
    let Value::Object(all) = entry else {
        // A text stays one as long as nothing but the text is said.
        let only = matches!(new.as_slice(), [(name, _)] if name == first);
        return match new.first() {
            Some((_, text)) if only && entry.is_string() => {
                Ok(Value::from(text.as_str()).to_string())
            }
            _ => fresh(line, first, false),
        };
    };
    if new.is_empty() {
        return Err("a line that says nothing: take the entry out instead".to_owned());
    }
    let old = said(entry, first);
    let mut text = raw.to_owned();
    for (name, _) in &old {
        if !new.iter().any(|(own, _)| own == name) {
            text = put(&text, all, name, None)?;
        }
    }
    for (name, wanted) in &new {
        if !old.iter().any(|said| said.0 == *name && said.1 == *wanted) {
            text = put(&text, all, name, Some(wanted))?;
        }
    }
    Ok(text)
}

/// Gives a member of an entry another value, where it stands.
fn put(
    text: &str,
    entry: &Map<String, Value>,
    name: &str,
    wanted: Option<&str>,
) -> Result<String, String> {
    let (holder, key) = match name.strip_prefix(RESULT) {
        Some(key) => (Some("result"), key),
        None => {
            let has_details = entry.get("details").is_some_and(Value::is_object);
            let inside = in_details(entry, name).is_some()
                || (has_details && !entry.contains_key(name) && !OWN.contains(&name));
            (inside.then_some("details"), name)
        }
    };
    let old = match holder {
        Some(holder) => entry.get(holder).and_then(|held| held.get(key)),
        None => entry.get(key),
    };
    let value = wanted.map(|wanted| typed(name, wanted, old));
    let made = match holder {
        None => json::set(text, key, value.as_ref()),
        Some(holder) => {
            let held = json::member(text, holder).filter(|held| held.starts_with('{'));
            json::set(held.unwrap_or("{}"), key, value.as_ref())
                .and_then(|held| json::set_text(text, holder, Some(&held)))
        }
    };
    made.ok_or_else(|| format!("`{name}` cannot be changed without changing more"))
}

/// A text as the value it stands for: of the kind of the one before, if there was one.
fn typed(name: &str, text: &str, old: Option<&Value>) -> Value {
    let parsed = serde_json::from_str::<Value>(text).ok();
    let parsed = parsed.filter(|value| value.is_number() || value.is_boolean());
    let wants = match old {
        Some(old) => old.is_number() || old.is_boolean(),
        None => NO_TEXT.contains(&name),
    };
    parsed.filter(|_| wants).unwrap_or_else(|| text.into())
}

/// The JSON of a new entry.
pub(super) fn fresh(line: &str, first: &str, nested: bool) -> Result<String, String> {
    let mut entry = Map::new();
    let mut details = Map::new();
    let mut result = Map::new();
    for (name, text) in parse(line, first)? {
        let value = typed(&name, &text, None);
        match name.strip_prefix(RESULT) {
            Some(name) => result.insert(name.to_owned(), value),
            None if nested && !OWN.contains(&name.as_str()) => details.insert(name, value),
            None => entry.insert(name, value),
        };
    }
    for (name, held) in [("details", details), ("result", result)] {
        if !held.is_empty() {
            entry.insert(name.to_owned(), held.into());
        }
    }
    if entry.is_empty() {
        return Err("a line that says nothing is no entry".to_owned());
    }
    Ok(Value::Object(entry).to_string())
}
