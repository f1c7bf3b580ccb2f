//! Frontmatter: YAML between fences, read into fields, and written for new memories.
//!
//! `serde_yaml` is the reader of record. Before it, a reader of the plain shapes that nearly all
//! files have answers several times faster, and only where it is sure to agree.

mod core;
mod fast;
pub(crate) mod spans;
mod stand_ins;
pub(crate) mod write;
mod yaml;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::steps::step;
use super::{Fields, Value};
use spans::{Entry, Kind};
pub use write::{append, compose};

/// Why a text is not YAML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// Line in the text, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong, without the place.
    pub message: String,
}

/// Reads frontmatter as YAML 1.2 with the core schema: dates and `yes` are text, a key that
/// occurs twice is an error, so is anything but a mapping. Nothing at all is no fields.
pub fn read(text: &str) -> Result<Fields, YamlError> {
    fast::read(text).map_or_else(|| yaml::read(text), Ok)
}

/// Where the values of a frontmatter stand, by key.
pub struct Locations(ByKey);

enum ByKey {
    /// The entries of a mapping.
    Entries(HashMap<String, Entry>),
    /// The lines that seem to hold a key, of a text that cannot be told apart.
    Lines(HashMap<String, Range<usize>>),
}

impl Locations {
    /// Those of a text. Of a repeated key the first counts.
    pub fn new(text: &str) -> Self {
        step(text.len());
        if let Some(entries) = spans::entries(text) {
            let mut by_key = HashMap::with_capacity(entries.len());
            for mut entry in entries {
                let key = std::mem::take(&mut entry.key);
                by_key.entry(key).or_insert(entry);
            }
            return Self(ByKey::Entries(by_key));
        }
        let mut by_key = HashMap::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if let Some((key, _)) = loose_key(line) {
                let range = start..start + line.trim_end().len();
                by_key.entry(key.to_owned()).or_insert(range);
            }
            start += line.len();
        }
        Self(ByKey::Lines(by_key))
    }

    /// The bytes of a field's value, or of one item of its list; of the key's line where there is
    /// no value or the text cannot be told apart.
    pub fn locate(&self, field: &str, item: Option<usize>) -> Option<Range<usize>> {
        let entry = match &self.0 {
            ByKey::Entries(entries) => entries.get(field)?,
            ByKey::Lines(lines) => return lines.get(field).cloned(),
        };
        let node = match (&entry.node.kind, item) {
            (Kind::Flow(items) | Kind::Lines(items), Some(item)) => &items.get(item)?.node,
            (_, Some(item)) if item > 0 => return None,
            _ => &entry.node,
        };
        if matches!(node.kind, Kind::Empty) && item.is_none() {
            return Some(entry.start + entry.indent..entry.colon);
        }
        Some(node.range.clone())
    }
}

/// Reads `key: rest` line by line, with `- item` lines below a key, for text that is not YAML: a
/// broken memory still shows what can be told from it. Of a repeated key the first counts.
pub fn tolerant(text: &str) -> Fields {
    let mut fields: Vec<(&str, Value, Vec<Value>)> = Vec::new();
    let mut skipping = false;
    let mut keys = HashSet::new();
    for line in text.lines() {
        if let Some(item) = line.trim_start().strip_prefix("- ") {
            if let Some((_, Value::Null, items)) = fields.last_mut()
                && !skipping
            {
                items.push(loose(item));
            }
        } else if let Some((key, rest)) = loose_key(line) {
            skipping = !keys.insert(key);
            if !skipping {
                fields.push((key, loose(rest), Vec::new()));
            }
        }
    }
    let whole = |(name, value, items): (_, _, Vec<Value>)| {
        let listed = value == Value::Null && !items.is_empty();
        (
            name,
            if listed {
                items.into_iter().collect()
            } else {
                value
            },
        )
    };
    fields.into_iter().map(whole).collect()
}

/// The key at the beginning of a line, and what stands after its colon.
fn loose_key(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let key = key.trim_matches(['"', '\'']);
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    (!key.is_empty() && key.chars().all(word)).then_some((key, rest.trim()))
}

/// A value for itself: as YAML where it is some, else its text.
fn loose(text: &str) -> Value {
    let text = text.trim();
    read(&format!("value: {text}\n"))
        .ok()
        .and_then(|fields| fields.get("value").cloned())
        .unwrap_or_else(|| text.trim_matches(['"', '\'']).into())
}

#[cfg(test)]
mod tests;
