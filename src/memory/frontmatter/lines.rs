//! Frontmatter read line by line, for text that is not YAML and for systems that never ask for it:
//! `key: rest`, with `- item` lines or an indented mapping below a key.

use std::collections::HashSet;
use std::ops::Range;

use super::{Fields, Value, read};
use crate::memory::schema::{FieldSpec, Style};
use crate::memory::{Role, Schema};

/// A key with what belongs to it.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    /// The key; of one inside a mapping the mapping's first, parted by `.`.
    pub(crate) path: String,
    /// Blanks before it.
    pub(crate) indent: &'a str,
    /// The byte after its colon.
    pub(crate) colon: usize,
    /// Range after the colon on its line, without blanks around it.
    pub(crate) value: Range<usize>,
    /// The end of its line, without the line end.
    pub(crate) line_end: usize,
    /// From its line to the line after the last that belongs to it.
    pub(crate) block: Range<usize>,
    /// The end of the last line that is read: its own, or that of an item.
    pub(crate) read_end: usize,
    /// True if a line that is not understood stands below it, and one before an item.
    has_unread: bool,
    pub(crate) is_mixed: bool,
    /// The items below it.
    items: Vec<&'a str>,
}

impl Entry<'_> {
    /// The value as YAML, if it is a text that continues below its line: a block scalar (`>`, `|`) or
    /// a quoted text.
    pub(crate) fn open(&self, text: &str) -> Option<Value> {
        let rest = text.get(self.value.clone())?;
        let is_open = rest.starts_with(['>', '|', '"', '\'']);
        let block = text.get(self.block.clone());
        let block = block.filter(|_| is_open && self.read_end < self.block.end)?;
        let own = read(block).ok()?;
        own.iter().next().map(|(_, value)| value.clone())
    }
}

/// The top-level keys of a text and the keys of mappings below them, in order. If a key repeats,
/// the first one counts.
pub(crate) fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut known = HashSet::new();
    // The number of the key at the margin, and whether lines belong to one that counts.
    let (mut top, mut counts) = (None, false);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_start_matches([' ', '\t']);
        let indent = line.get(..line.len() - content.len()).unwrap_or_default();
        let rest = content.trim_end();
        let parent = top.and_then(|top: usize| entries.get_mut(top));
        if rest.is_empty() || rest.starts_with('#') {
            // In a block scalar such a line is text, not a comment.
            let is_text = |own: &&mut Entry<'_>| {
                let value = text.get(own.value.clone()).unwrap_or_default();
                !rest.is_empty() && !indent.is_empty() && value.starts_with(['>', '|'])
            };
            if let Some(own) = parent.filter(is_text).filter(|_| counts) {
                own.block.end = at;
            }
            continue;
        }
        if let (Some(item), true) = (rest.strip_prefix('-'), counts)
            && (item.is_empty() || item.starts_with(' '))
        {
            if let Some(parent) = parent {
                parent.items.push(item.trim());
                parent.block.end = at;
                if parent.value.is_empty() {
                    parent.is_mixed |= parent.has_unread;
                    parent.read_end = at;
                }
            }
            continue;
        }
        let found = loose_key(rest);
        let is_inside = !indent.is_empty() && top.is_some();
        let prefix = match parent.filter(|_| is_inside) {
            Some(parent) if counts => {
                parent.block.end = at;
                // The text of a value over several lines has no keys.
                if !parent.value.is_empty() || found.is_none() {
                    parent.has_unread = true;
                    continue;
                }
                parent.read_end = at;
                format!("{}.", parent.path)
            }
            Some(_) => continue,
            None => String::new(),
        };
        let Some((key, after)) = found else {
            if let Some(last) = top.and_then(|top| entries.get_mut(top)) {
                last.has_unread = true;
            }
            continue;
        };
        let path = format!("{prefix}{key}");
        let is_new = known.insert(path.clone());
        if prefix.is_empty() {
            counts = is_new;
            top = is_new.then_some(entries.len()).or(top);
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
            read_end: at,
            has_unread: false,
            is_mixed: false,
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
