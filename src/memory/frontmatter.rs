//! Frontmatter: YAML between fences, read into fields, and written for new memories.
//!
//! `serde_yaml` is the reader of record. Before it, values of the plain shapes that nearly all files
//! have are taken from the scan of spans, and only where they are sure to agree.

pub(crate) mod lines;
mod plain;
pub(crate) mod spans;
pub(crate) mod write;
mod yaml;

use std::collections::HashMap;
use std::ops::Range;

use super::problem::TextError;
use super::schema::{FieldSpec, Style};
use super::steps::step;
use super::{Fields, Schema, Value};
use spans::Kind;
pub(crate) use write::with_crlf;
pub use write::{append, compose};
pub use yaml::parse;

/// A value as YAML on one line.
pub fn inline(value: &Value) -> String {
    write::inline(value, write::Quotes::Plain, false)
}

/// Reads frontmatter as YAML 1.2 with the core schema: dates and `yes` are text, a key that
/// occurs twice is an error, so is anything but a mapping. Nothing at all is no fields.
pub fn read(text: &str) -> Result<Fields, TextError> {
    let of_record = || yaml::read(text).map(|fields| plain::resolved(text, fields));
    plain::read(text).map_or_else(of_record, Ok)
}

/// The bytes of the values of a frontmatter, by key: all of a value, those of its key where there is
/// none, and each item; no items where the text cannot be told apart.
pub struct Locations(HashMap<String, (Range<usize>, Option<Items>)>);

type Items = Vec<Range<usize>>;

impl Locations {
    /// Those of a text. Of a repeated key the first counts.
    pub fn new(text: &str) -> Self {
        step(text.len());
        let scanned = |entry: spans::Entry| {
            let all = entry.node.range.clone();
            let items = entry.node.items().iter();
            let (own, items) = match entry.node.kind {
                Kind::Empty => (entry.start + entry.indent..entry.colon, vec![all]),
                Kind::Flow(_) | Kind::Lines(_) => {
                    (all, items.map(|item| item.node.range.clone()).collect())
                }
                _ => (all.clone(), vec![all]),
            };
            (entry.key, (own, Some(items)))
        };
        let line = |entry: lines::Entry<'_>| {
            let own = entry.block.start..entry.value.end;
            (entry.path, (own, None))
        };
        let all: Vec<_> = match spans::entries(text) {
            Some(entries) => entries.into_iter().map(scanned).collect(),
            None => lines::entries(text).into_iter().map(line).collect(),
        };
        Self(all.into_iter().rev().collect())
    }

    /// The bytes of a field's value, or of one item of its list; of the key's line where there is
    /// no value or the text cannot be told apart.
    pub fn locate(&self, field: &str, item: Option<usize>) -> Option<Range<usize>> {
        let (own, items) = self.0.get(field)?;
        match (item, items) {
            (Some(item), Some(items)) => items.get(item).cloned(),
            _ => Some(own.clone()),
        }
    }
}

/// Reads YAML frontmatter as the system of a format does: bare fields as they are written, and texts
/// of several items as lists.
pub fn read_as(schema: &Schema, text: &str) -> Result<Fields, TextError> {
    let fields = read(text)?;
    let is_bare = |spec: &&FieldSpec| spec.style == Style::Bare;
    let has_bare = schema.fields.iter().any(|spec| is_bare(&spec));
    let entries = match has_bare {
        true => lines::entries(text),
        false => Vec::new(),
    };
    let written = |name: &str| {
        let spec = schema.field(name).filter(is_bare)?;
        let entry = entries.iter().find(|entry| entry.path == name)?;
        let rest = text.get(entry.value.clone())?;
        (!rest.is_empty()).then(|| lines::bare(spec, entry, text))
    };
    let value = |(name, value): (&str, &Value)| {
        let value = written(name).unwrap_or_else(|| value.clone());
        (name.to_owned(), value)
    };
    Ok(split(schema, fields.iter().map(value).collect()))
}

/// Reads text that is not YAML line by line: a broken memory still shows what can be told from it.
pub fn tolerant(schema: &Schema, text: &str) -> Fields {
    split(schema, lines::fields(text, Some(schema)))
}

/// Turns texts that hold several items into lists.
fn split(schema: &Schema, fields: Fields) -> Fields {
    if !schema.fields.iter().any(|spec| spec.splits) {
        return fields;
    }
    let splits = |name: &str| schema.field(name).is_some_and(|spec| spec.splits);
    let value = |(name, value): (&str, &Value)| match splits(name) && *value != Value::Null {
        true => (name.to_owned(), value.items().flat_map(items).collect()),
        false => (name.to_owned(), value.clone()),
    };
    fields.iter().map(value).collect()
}

/// The items of a text: a JSON list, or comma-separated parts.
fn items(value: &Value) -> Vec<Value> {
    let Value::Text(text) = value else {
        return vec![value.clone()];
    };
    let listed: Option<Vec<String>> = serde_json::from_str(text).ok();
    let parts: Vec<&str> = match &listed {
        Some(items) => items.iter().map(String::as_str).collect(),
        None => text.split(',').collect(),
    };
    let parts = parts.iter().map(|part| part.trim().trim_start_matches('#'));
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(Value::from).collect()
}

#[cfg(test)]
mod tests;
