//! JSON as it stands in a file: where every property and value is, so that one can be replaced
//! without touching the bytes around it.
//!
//! Duplicate keys, odd spacing and unknown properties are kept as they are. Bytes in texts that are
//! not UTF-8 are let through and shown as U+FFFD.

pub mod splice;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::str::Utf8Chunk;
use std::sync::LazyLock;

use compact_str::CompactString;
use regex::{Captures, Regex};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Fields, Value};

/// Lists and objects inside each other; what nests deeper is refused, as common readers do.
const DEEPEST: usize = 500;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its bytes, quotes and brackets included.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number; its bytes say which.
    Number,
    /// A text; its bytes say which.
    Text,
    /// The items of a list.
    List(Vec<Node>),
    /// The properties of an object, in order, duplicates too.
    Map(Vec<Entry>),
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The bytes of its name, quotes included.
    pub key: Range<usize>,
    /// Its value.
    pub value: Node,
}

/// The place at which a text stops being JSON, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The byte.
    pub at: usize,
    /// The problem there.
    pub message: String,
}

/// Reads the value that begins a text, blanks before it skipped; gives where it ends too.
pub fn value(bytes: &[u8]) -> Result<(Node, usize), JsonError> {
    let text = with_ascii(bytes);
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>();
    let fail = |error: serde_json::Error| {
        let before = error.line().saturating_sub(1);
        let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
        let message = error.to_string();
        let (message, _) = message.rsplit_once(" at line ").unwrap_or((&message, ""));
        let at = match error.is_eof() {
            true => text.len(),
            false => start + error.column().saturating_sub(1),
        };
        JsonError {
            at: at.min(text.len()),
            message: message.to_owned(),
        }
    };
    let nothing = || serde_json::Error::custom("it ends where a value should stand");
    let raw = values.next().unwrap_or_else(|| Err(nothing()));
    let node = raw.and_then(|raw| node(&text, raw, 0)).map_err(fail)?;
    let end = node.span.end;
    Ok((node, end))
}

/// A text with `?` for each byte that is not UTF-8, so that every byte keeps its place.
fn with_ascii(bytes: &[u8]) -> Cow<'_, str> {
    let part = |part: Utf8Chunk<'_>| part.valid().to_owned() + &"?".repeat(part.invalid().len());
    str::from_utf8(bytes).map_or_else(
        |_| Cow::Owned(bytes.utf8_chunks().map(part).collect()),
        Cow::Borrowed,
    )
}

fn node(text: &str, raw: &RawValue, depth: usize) -> Result<Node, serde_json::Error> {
    if depth > DEEPEST {
        return Err(serde_json::Error::custom("nested too deep"));
    }
    let own = raw.get();
    let kind = match own.as_bytes().first() {
        Some(b'"') => Kind::Text,
        Some(b'n') => Kind::Null,
        Some(b't') => Kind::Bool(true),
        Some(b'f') => Kind::Bool(false),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(own)?;
            let items = items.into_iter().map(|item| node(text, item, depth + 1));
            Kind::List(items.collect::<Result<_, _>>()?)
        }
        Some(b'{') => {
            let Members(members) = serde_json::from_str(own)?;
            let entry = |(key, value): (&RawValue, &RawValue)| {
                let (key, value) = (place(text, key), node(text, value, depth + 1)?);
                Ok(Entry { key, value })
            };
            let entries: Result<_, serde_json::Error> = members.into_iter().map(entry).collect();
            Kind::Map(entries?)
        }
        _ => Kind::Number,
    };
    let span = place(text, raw);
    Ok(Node { span, kind })
}

fn place(text: &str, raw: &RawValue) -> Range<usize> {
    let start = raw.get().as_ptr().addr() - text.as_ptr().addr();
    start..start + raw.get().len()
}

/// The members of an object as they stand, duplicates too.
struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Members<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = from.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// The bytes of a range; none where it lies outside.
pub fn slice<'a>(bytes: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    bytes.get(range.clone()).unwrap_or_default()
}

/// The text that a literal with its quotes means. Half a surrogate pair becomes U+FFFD.
pub fn text(literal: &[u8]) -> String {
    let inner = literal.get(1..literal.len().saturating_sub(1));
    let inner = inner.unwrap_or_default();
    let text = String::from_utf8_lossy(inner);
    if !text.contains('\\') {
        return text.into_owned();
    }
    let whole = |found: &Captures<'_>| match found.name("half") {
        Some(_) => "\\ufffd".to_owned(),
        None => found.get_match().as_str().to_owned(),
    };
    let text = match ESCAPES.as_ref() {
        Ok(escapes) if text.contains("\\u") => escapes.replace_all(&text, whole),
        _ => text,
    };
    serde_json::from_str(&format!("\"{text}\"")).unwrap_or_default()
}

/// Escapes of a text, among them halves of surrogate pairs, which the reader refuses.
static ESCAPES: LazyLock<Result<Regex, regex::Error>> = LazyLock::new(|| {
    Regex::new(
        r"(?x) \\u[dD][89abAB][[:xdigit:]]{2} \\u[dD][c-fC-F][[:xdigit:]]{2}
        | (?<half> \\u[dD][89a-fA-F][[:xdigit:]]{2} ) | \\.",
    )
});

/// Maps bytes of a literal's [`text`], in order, to the positions in the literal they come from, in
/// bytes.
pub fn sources(literal: &[u8], bytes: &[usize]) -> Vec<usize> {
    let meant = |at: usize, length: usize| {
        // One byte on either side stands for the quotes.
        let piece = literal.get(at.saturating_sub(1)..at + length + 1);
        piece.map(text).unwrap_or_default()
    };
    let (mut at, mut out) = (1, 0);
    let mut found = Vec::with_capacity(bytes.len());
    while at + 1 < literal.len() && found.len() < bytes.len() {
        let (length, meant) = match (literal.get(at), literal.get(at + 1)) {
            (Some(b'\\'), Some(b'u')) => match (meant(at, 12), meant(at, 6)) {
                (pair, _) if pair.len() == 4 && pair.chars().count() == 1 => (12, 4),
                (_, single) => (6, single.len()),
            },
            (Some(b'\\'), _) => (2, meant(at, 2).len()),
            _ => (1, 1),
        };
        let here = bytes.iter().skip(found.len());
        let here = here.take_while(|byte| out + meant > **byte).count();
        found.extend(std::iter::repeat_n(at, here));
        out += meant;
        at += length;
    }
    found.resize(bytes.len(), at);
    found
}

/// The value that a node means.
pub fn meaning(bytes: &[u8], node: &Node) -> Value {
    let literal = slice(bytes, &node.span);
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(is) => Value::Bool(*is),
        Kind::Number => number(literal),
        Kind::Text => text(literal).into(),
        Kind::List(items) => items.iter().map(|item| meaning(bytes, item)).collect(),
        Kind::Map(entries) => Value::Map(Box::new(fields(bytes, entries))),
    }
}

/// The properties of an object; of a repeated one the last counts, as common readers have it.
pub fn fields(bytes: &[u8], entries: &[Entry]) -> Fields {
    fields_as(bytes, entries, |_, node| Some(meaning(bytes, node)))
}

/// The same with the values that a reader makes of a name and its node; none leaves it out.
pub fn fields_as(
    bytes: &[u8],
    entries: &[Entry],
    read: impl Fn(&str, &Node) -> Option<Value>,
) -> Fields {
    let mut all: Vec<(CompactString, Value)> = Vec::with_capacity(entries.len());
    let mut places = HashMap::new();
    for entry in entries {
        let name = CompactString::new(text(slice(bytes, &entry.key)));
        let Some(value) = read(&name, &entry.value) else {
            continue;
        };
        let at = *places.entry(name.clone()).or_insert(all.len());
        match all.get_mut(at) {
            Some((_, known)) => *known = value,
            None => all.push((name, value)),
        }
    }
    all.into_iter().collect()
}

fn number(literal: &[u8]) -> Value {
    let text = std::str::from_utf8(literal).unwrap_or_default();
    match text.parse::<i64>() {
        // There is no whole number minus zero.
        Ok(whole) if text != "-0" => Value::Int(whole),
        _ => Value::Float(text.parse().unwrap_or_default()),
    }
}

/// A value as JSON writes it, without blanks. Whatever may end a line somewhere is escaped: `\R` of
/// Java splits at U+0085, U+2028 and U+2029 too (formats: golemcore, "JSON line").
pub fn write(value: &(impl Serialize + ?Sized)) -> String {
    let mut text = serde_json::to_string(value).unwrap_or_default();
    let is_odd = |c| {
        matches!(
            c,
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
    };
    while let Some(odd) = text.chars().find(|c| is_odd(*c)) {
        text = text.replace(odd, &format!("\\u{:04x}", u32::from(odd)));
    }
    text
}

#[cfg(test)]
mod tests;
