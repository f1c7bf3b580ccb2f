//! Values read from the scan of [`spans`](super::spans) in the core schema of npm's `yaml`: `07` is
//! a number, `0b1` is text.
//!
//! [`read`] takes the plain shapes that nearly all frontmatter has, several times faster than a YAML
//! parser: scalars on one line, lists of them, and a mapping of both below a key. Anything that might
//! mean something else is left to the reader of record, whose numbers [`resolved`] puts right.

use std::collections::HashMap;

use super::spans::{self, Entry, Item, Kind, Node};
use crate::memory::{Fields, Value};

/// More keys than this are no frontmatter, and comparing each with each would take long.
const MOST: usize = 64;

/// The fields of a text; none if this reader is not sure.
pub(super) fn read(text: &str) -> Option<Fields> {
    if !is_printable(text) {
        return None;
    }
    mapping(text, true).filter(|fields| !fields.is_empty())
}

/// The fields with the numbers of the core schema in the place of those of another reader.
pub(super) fn resolved(text: &str, fields: Fields) -> Fields {
    let is_number = |value: &Value| match value {
        Value::Int(_) | Value::Float(_) => true,
        value => value.as_str().is_some_and(|text| number(text).is_some()),
    };
    let has_number = |value: &Value| value.items().any(is_number);
    if !fields.iter().any(|(_, value)| has_number(value)) {
        return fields;
    }
    let entries = spans::entries(text).unwrap_or_default();
    let entries = entries.iter().map(|entry| (&*entry.key, entry));
    let entries: HashMap<&str, &Entry> = entries.collect();
    let resolve = |(name, read): (&str, &Value)| {
        let entry = entries.get(name).filter(|_| has_number(read));
        let own = entry.and_then(|entry| value(text, entry, true));
        (name.to_owned(), own.unwrap_or_else(|| read.clone()))
    };
    fields.iter().map(resolve).collect()
}

fn mapping(text: &str, is_top: bool) -> Option<Fields> {
    let entries = spans::entries(text)?;
    let is_known = |n: usize, key: &str| entries.iter().take(n).any(|other| other.key == key);
    if entries.len() > MOST || (0..).zip(&entries).any(|(n, own)| is_known(n, &own.key)) {
        return None;
    }
    let field = |entry: &Entry| {
        let value = value(text, entry, is_top).filter(|_| is_name(text, entry))?;
        Some((entry.key.clone(), value))
    };
    entries.iter().map(field).collect()
}

/// True if a key is an identifier, and text.
fn is_name(text: &str, entry: &Entry) -> bool {
    let (key, written) = (&*entry.key, text.get(entry.start + entry.indent..));
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.len() <= 200
        && word(key).is_none()
        && written.is_some_and(|written| written.starts_with(key))
}

fn value(text: &str, entry: &Entry, is_top: bool) -> Option<Value> {
    let node = &entry.node;
    let list = |items: &[Item], is_flow| {
        let items = items.iter().map(|item| scalar(text, &item.node, is_flow));
        items.collect::<Option<Value>>()
    };
    match &node.kind {
        Kind::Empty => Some(Value::Null),
        Kind::Flow(items) if !text.get(node.range.clone())?.contains('\n') => list(items, true),
        Kind::Lines(items) => list(items, false),
        Kind::Other if is_top => {
            // On the lines below its key.
            let start = text.get(..node.range.start)?.rfind('\n')? + 1;
            let below = (start > entry.colon).then(|| text.get(start..node.range.end))??;
            Some(mapping(below, false)?.into())
        }
        _ => scalar(text, node, false),
    }
}

fn scalar(text: &str, node: &Node, is_flow: bool) -> Option<Value> {
    let text = text.get(node.range.clone())?;
    (!text.contains('\n')).then_some(())?;
    match node.kind {
        Kind::Plain if is_flow && text.contains(['[', ']', '{', '}', ':', '?', '#', '"']) => None,
        Kind::Plain => {
            let is_first = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii();
            let is_sure = match text.strip_prefix('-') {
                Some(rest) => rest.starts_with(|c: char| c.is_ascii_alphanumeric()),
                None => text.starts_with(|c| is_first(c) || "_/(<$^\\+".contains(c)),
            };
            let value = word(text).or_else(|| number(text));
            is_sure.then(|| value.unwrap_or_else(|| text.into()))
        }
        Kind::Single => {
            let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
            Some(inner.replace("''", "'").into())
        }
        Kind::Double => {
            let inner = text.strip_prefix('"')?.strip_suffix('"')?;
            (!inner.contains('\\')).then(|| inner.into())
        }
        _ => None,
    }
}

/// True if there are only characters that mean the same to every reader, and no tabs.
fn is_printable(text: &str) -> bool {
    let is_plain = |c| c == '\n' || super::write::is_printable(c);
    text.replace("\r\n", "\n").chars().all(is_plain)
}

fn word(text: &str) -> Option<Value> {
    match text {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        "null" | "Null" | "NULL" | "~" => Some(Value::Null),
        _ => None,
    }
}

/// The number that a scalar without quotes is; none where it is something else.
fn number(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match (unsigned, text.starts_with('-')) {
        (".inf" | ".Inf" | ".INF", true) => return Some(f64::NEG_INFINITY.into()),
        (".inf" | ".Inf" | ".INF", false) => return Some(f64::INFINITY.into()),
        (".nan" | ".NaN" | ".NAN", _) if unsigned == text => return Some(f64::NAN.into()),
        _ => {}
    }
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let is_right = digits.chars().all(|c| c.is_digit(radix));
            let number = i64::from_str_radix(digits, radix).ok();
            return number.filter(|_| is_right).map(Value::Int);
        }
    }
    let is_decimal = |b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    let is_right = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.bytes().all(is_decimal);
    let whole = text.parse().map(Value::Int);
    let number = whole.or_else(|_| text.parse().map(Value::Float));
    number.ok().filter(|_| is_right)
}
