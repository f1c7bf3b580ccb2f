//! Frontmatter read line by line, for text that is not YAML and for systems that never ask for it:
//! `key: rest`, with `- item` lines or an indented mapping below a key.

use std::collections::HashSet;
use std::ops::Range;

use super::{Fields, Value, read};
use crate::memory::schema::{FieldSpec, Style};
use crate::memory::{Role, Schema};

#[derive(Debug)]
pub(crate) struct Entry<'a> {
    /// The key; of one inside a mapping the mapping's first, parted by `.`.
    pub(crate) path: String,
    pub(crate) indent: &'a str,
    /// The byte after its colon.
    pub(crate) colon: usize,
    /// Range after the colon on its line, without blanks around it.
    pub(crate) value: Range<usize>,
    /// The end of its line, without the line end.
    pub(crate) line_end: usize,
    /// From its line to the line after the last that belongs to it.
    pub(crate) block: Range<usize>,
    /// True if a line below it is neither an item of its list nor a key of its mapping.
    pub(crate) is_unread: bool,
    items: Vec<&'a str>,
}

impl Entry<'_> {
    /// The value as YAML, if it is a text that continues below its line: a block scalar (`>`, `|`) or
    /// a quoted text.
    pub(crate) fn open(&self, text: &str) -> Option<Value> {
        let rest = text.get(self.value.clone())?;
        let is_open = rest.starts_with(['>', '|', '"', '\'']);
        let below = text.get(self.line_end..self.block.end)?;
        (is_open && !below.trim().is_empty()).then_some(())?;
        let own = read(text.get(self.block.clone())?).ok()?;
        own.iter().next().map(|(_, value)| value.clone())
    }
}

/// The top-level keys of a text and the keys of mappings below them, in order. If a key repeats,
/// the first one counts.
pub(crate) fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut known = HashSet::new();
    // The number of the key at the margin that lines belong to, and whether one was skipped.
    let (mut top, mut has_skipped) = (None, false);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_start_matches([' ', '\t']);
        let indent = line.get(..line.len() - content.len()).unwrap_or_default();
        let rest = content.trim_end();
        let own = top.and_then(|top: usize| entries.get_mut(top));
        if rest.is_empty() || rest.starts_with('#') {
            // In a block scalar such a line is text, not a comment.
            let is_text = |own: &&mut Entry<'_>| {
                let value = text.get(own.value.clone()).unwrap_or_default();
                !rest.is_empty() && !indent.is_empty() && value.starts_with(['>', '|'])
            };
            if let Some(own) = own.filter(is_text) {
                (own.block.end, own.is_unread) = (at, true);
            }
            continue;
        }
        let found = loose_key(rest);
        let item = rest.strip_prefix('-');
        let item = item.filter(|item| item.is_empty() || item.starts_with(' '));
        let is_inside = !known.is_empty() && !indent.is_empty();
        let mut prefix = String::new();
        if let Some(own) = own.filter(|_| is_inside || item.is_some()) {
            own.block.end = at;
            own.items.extend(item.map(str::trim));
            // The text of a value over several lines has no keys.
            let is_read = own.value.is_empty() && (item.is_some() || found.is_some());
            own.is_unread |= !is_read || item.is_some() && has_skipped;
            if !is_read || item.is_some() {
                continue;
            }
            prefix = format!("{}.", own.path);
        } else if is_inside {
            continue;
        }
        let Some((key, after)) = found else {
            has_skipped = true;
            continue;
        };
        let path = format!("{prefix}{key}");
        let is_new = known.insert(path.clone());
        if prefix.is_empty() {
            (top, has_skipped) = (is_new.then_some(entries.len()), false);
        }
        if !is_new {
            continue;
        }
        let colon = start + indent.len() + (rest.len() - after.len());
        let value = after.trim_start();
        let from = start + indent.len() + rest.len() - value.len();
        entries.push(Entry {
            path,
            indent,
            colon,
            value: from..from + value.len(),
            line_end: start + line.trim_end_matches(['\r', '\n']).len(),
            block: start..at,
            is_unread: false,
            items: Vec::new(),
        });
    }
    entries
}

/// The fields of a text, as far as they can be told. Values of fields that are written bare are the
/// rest of their line; others are read as YAML where they are some.
pub fn fields(text: &str, schema: Option<&Schema>) -> Fields {
    let all = entries(text);
    let value = |entry: &Entry<'_>| {
        let rest = text.get(entry.value.clone()).unwrap_or_default();
        let spec = schema.and_then(|schema| schema.field(&entry.path));
        if rest.is_empty() && !entry.items.is_empty() {
            return entry.items.iter().map(|item| loose(item)).collect();
        }
        match spec {
            Some(spec) if spec.style == Style::Bare => bare(spec, entry, text),
            _ => loose(rest),
        }
    };
    let mut fields: Vec<(&str, Value)> = Vec::new();
    for entry in &all {
        match entry.path.split_once('.') {
            Some((mapping, key)) if fields.last().is_some_and(|(name, _)| *name == mapping) => {
                if let Some((_, held)) = fields.last_mut() {
                    *held = held.with_entry(key, value(entry));
                }
            }
            _ => fields.push((&entry.path, value(entry))),
        }
    }
    fields.into_iter().collect()
}

/// The value of a field that is written bare: its text, quotes included, or a truth value if the
/// field holds one. A text that continues below its line is read as YAML.
pub(crate) fn bare(spec: &FieldSpec, entry: &Entry<'_>, text: &str) -> Value {
    use crate::memory::schema::Kind;
    let is_pattern = spec.role == Role::Patterns;
    if let Some(whole) = entry.open(text).filter(|_| !is_pattern) {
        return whole;
    }
    let rest = text.get(entry.value.clone()).unwrap_or_default();
    match (spec.kind, rest) {
        (_, "") => Value::Null,
        (Kind::Bool, "true") => Value::Bool(true),
        (Kind::Bool, "false") => Value::Bool(false),
        _ => Value::from(rest),
    }
}

/// The key at the beginning of a line, and what stands after its colon.
pub(super) fn loose_key(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let key = key.trim_matches(['"', '\'']);
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    (!key.is_empty() && key.chars().all(word)).then_some((key, rest))
}

/// A value for itself: as YAML where it is some, else its text.
fn loose(text: &str) -> Value {
    let text = text.trim();
    let fields = read(&format!("value: {text}\n")).unwrap_or_default();
    let value = fields.get("value").cloned();
    value.unwrap_or_else(|| text.trim_matches(['"', '\'']).into())
}
