//! Lists inside of the layers as lines that a person reads and edits, an entry to a line, and the
//! way back to the JSON, of which nothing changes but what a line says otherwise.
//!
//! ```text
//!  {"observations": [{"what": "No refresh", "where": "a.ts"}], "ours": 1.50}   the layer
//!                     No refresh | where: a.ts                                get
//!                     No refresh | where: b.ts                                what a person makes of it
//!  {"observations": [{"what": "No refresh", "where": "b.ts"}], "ours": 1.50}   put
//! ```
//! An entry whose line stays keeps its bytes, wherever it goes. Entries that show nothing (`null`,
//! an empty text) stay behind the one they follow.

mod entry;

use std::borrow::Cow;

use serde_json::Value;

use super::json;
use super::layers::{Layers, items, of, text};
use crate::memory::{Fields, Value as Own};

/// A list inside of a layer, or one entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The field.
    pub field: &'static str,
    /// The column of the layer.
    pub layer: &'static str,
    /// The member of the layer; empty where the layer itself is the list.
    pub key: &'static str,
    /// The member of an entry that its line begins with; empty where entries are texts.
    pub first: &'static str,
    /// Whether it is one entry and no list.
    pub single: bool,
    /// What the first member can be; anything where there are none.
    pub words: &'static [&'static str],
}

/// Kinds of action (`rum-memory-schema`, "Layer 4: Actions").
const ACTIONS: &[&str] = &[
    "file_read",
    "file_edit",
    "file_create",
    "file_delete",
    "command_run",
    "search",
    "external_query",
];

const fn texts(field: &'static str, layer: &'static str) -> Part {
    Part {
        field,
        layer,
        key: field,
        first: "",
        single: false,
        words: &[],
    }
}

const fn entries(field: &'static str, layer: &'static str, first: &'static str) -> Part {
    Part {
        first,
        ..texts(field, layer)
    }
}

/// All of them, in the order of the layers (`rum-memory-schema`, layers 1 to 5).
pub const PARTS: [Part; 12] = [
    texts("constraints", "intent"),
    entries("observations", "perception", "what"),
    entries("relevant_files", "perception", "path"),
    texts("patterns_noticed", "perception"),
    texts("anomalies", "perception"),
    entries("alternatives_considered", "reasoning", "approach"),
    texts("assumptions", "reasoning"),
    texts("risks_identified", "reasoning"),
    Part {
        key: "",
        words: ACTIONS,
        ..entries("actions", "actions", "type")
    },
    texts("learnings", "outcome"),
    Part {
        single: true,
        ..entries("verified_by", "outcome", "type")
    },
    texts("follow_up_needed", "outcome"),
];

impl Part {
    /// The part that a field stands for.
    pub fn of(field: &str) -> Option<&'static Self> {
        PARTS.iter().find(|part| part.field == field)
    }

    /// The lines of a layer.
    pub fn get(&self, layer: &Value) -> Vec<String> {
        let own = if self.key.is_empty() {
            layer
        } else {
            of(layer, self.key)
        };
        let entries = if self.single && !own.is_null() {
            std::slice::from_ref(own)
        } else {
            items(own)
        };
        entries.iter().filter_map(|one| self.line(one)).collect()
    }

    /// The line of an entry; none where it shows nothing.
    fn line(&self, entry: &Value) -> Option<String> {
        let said = text(entry)?;
        let line = if self.first.is_empty() {
            said.into_owned()
        } else {
            entry::line(entry, self.first)
        };
        Some(line).filter(|line| !line.is_empty())
    }

    /// The text of a layer in which other lines stand than before; why it cannot be. `layer` is
    /// its text as it is, where there is one.
    pub fn put(&self, layer: Option<&str>, lines: &[String]) -> Result<String, String> {
        if self.single && lines.len() > 1 {
            return Err(format!("`{}` is one line", self.field));
        }
        let read = layer.and_then(|layer| serde_json::from_str(layer).ok());
        if let Some(layer) = layer.filter(|_| read.is_some_and(|read| self.get(&read) == lines)) {
            return Ok(layer.to_owned());
        }
        let own = match layer {
            Some(layer) if !self.key.is_empty() => json::member(layer, self.key),
            own => own,
        };
        let list = self.put_list(own.filter(|own| *own != "null"), lines)?;
        let made = if self.key.is_empty() {
            list.unwrap_or_else(|| "[]".to_owned())
        } else {
            let made = json::set_text(layer.unwrap_or("{}"), self.key, list.as_deref());
            made.ok_or_else(|| self.no_json("object", "{…}"))?
        };
        self.is_right(&made, lines)?;
        Ok(made)
    }

    /// The JSON of the list itself; none where there is to be no entry of which there is one.
    fn put_list(&self, own: Option<&str>, lines: &[String]) -> Result<Option<String>, String> {
        // What stands there alone is a list of one.
        let is_list = |own: &str| own.trim_start().starts_with('[');
        let alone = own.is_some_and(|own| self.single || !is_list(own));
        let list = match own {
            Some(own) if alone => Cow::from(format!("[{own}]")),
            Some(own) => Cow::from(own),
            None => Cow::from("[]"),
        };
        let made = self.changed(&list, lines)?;
        let is_one = self.single || (alone && lines.len() == 1);
        if !is_one {
            return Ok(Some(made));
        }
        let places = json::items(&made).unwrap_or_default();
        let first = places.into_iter().next();
        Ok(first.and_then(|place| made.get(place)).map(str::to_owned))
    }

    /// A list with other lines.
    fn changed(&self, list: &str, lines: &[String]) -> Result<String, String> {
        let places = json::items(list).ok_or_else(|| self.no_json("list", "[…]"))?;
        let entry = |(at, place): (usize, &std::ops::Range<usize>)| {
            let raw = list.get(place.clone()).unwrap_or_default();
            let value: Value = serde_json::from_str(raw).unwrap_or_default();
            let line = self.line(&value);
            Entry {
                at,
                raw,
                value,
                line,
            }
        };
        let all: Vec<Entry<'_>> = places.iter().enumerate().map(entry).collect();
        let before: Vec<&str> = all.iter().filter_map(|one| one.line.as_deref()).collect();
        // Where the program or the specification nests, new entries are nested too.
        let nested = all.iter().any(|one| one.value.get("details").is_some());
        let mut runs = runs(&all);
        let mut made: Vec<_> = runs.remove(0).iter().map(Entry::kept).collect();
        for (line, from) in lines.iter().zip(origins(&before, lines, self.first)) {
            let run = from.and_then(|from| runs.get_mut(from)).map(std::mem::take);
            let (old, hidden) = match run {
                Some([old, hidden @ ..]) => (Some(old), hidden),
                _ => (None, [].as_slice()),
            };
            made.push(match old {
                Some(old) if old.line.as_deref() == Some(line) => old.kept(),
                old => (old.map(|old| old.at), self.entry(line, old, nested)?),
            });
            made.extend(hidden.iter().map(Entry::kept));
        }
        if lines.is_empty() {
            made.clear();
        } else {
            // The entry in front went, what shows nothing did not.
            let left = runs.iter().flat_map(|run| run.iter().skip(1));
            made.extend(left.map(Entry::kept));
        }
        Ok(json::rebuilt(list, &places, &made))
    }

    fn no_json(&self, what: &str, like: &str) -> String {
        let Self { layer, .. } = self;
        format!("memories.{layer} is no JSON {what}: set all of it with --set-new {layer}={like}")
    }

    /// The JSON of an entry whose line is another one, or is new.
    fn entry(&self, line: &str, old: Option<&Entry<'_>>, nested: bool) -> Result<String, String> {
        if self.first.is_empty() {
            return Ok(Value::from(line).to_string());
        }
        let word = entry::first_of(line, self.first)?;
        let was = old.and_then(|old| old.value.get(self.first)?.as_str());
        if !self.words.is_empty() && !self.words.contains(&&*word) && was != Some(&word) {
            return Err(format!(
                "`{word}` is no kind of entry of `{}`: there are {}",
                self.field,
                self.words.join(", ")
            ));
        }
        match old {
            Some(old) => entry::changed(old.raw, &old.value, line, self.first),
            None => entry::fresh(line, self.first, nested),
        }
    }

    /// Refuses a text that does not say what was written.
    fn is_right(&self, made: &str, lines: &[String]) -> Result<(), String> {
        let read: Option<Value> = serde_json::from_str(made).ok();
        let read = read.map(|layer| self.get(&layer)).unwrap_or_default();
        let same = |(is, wanted): (&String, &String)| {
            is == wanted || !self.first.is_empty() && entry::says_the_same(is, wanted, self.first)
        };
        if read.len() == lines.len() && read.iter().zip(lines).all(same) {
            return Ok(());
        }
        let field = self.field;
        Err(format!("`{field}` would not be read as it was written"))
    }
}

/// The text of a column that is a list of texts, with other ones; why it cannot be. Those that stay
/// keep their bytes, and so does what shows nothing.
pub fn column(
    table: &str,
    name: &'static str,
    own: &str,
    lines: &[String],
) -> Result<String, String> {
    let list = own.trim_start().starts_with('[').then(|| Part {
        key: "",
        ..texts(name, name)
    });
    list.and_then(|list| list.put(Some(own), lines).ok())
        .ok_or_else(|| {
            format!("{table}.{name} is no JSON list: replace all of it with --set {name}=…")
        })
}

/// The fields of a memory that stand inside of its layers and are not held.
pub fn fields(layers: &Layers) -> Fields {
    let inner = PARTS.iter().filter(|part| super::RUM.is_inner(part.field));
    let value = |part: &Part| {
        let lines = part.get(layers.of(part.layer)?);
        let mut lines = lines.iter().map(|line| Own::from(line.as_str()));
        if part.single {
            return lines.next();
        }
        let lines: Box<[Own]> = lines.collect();
        (!lines.is_empty()).then_some(Own::List(lines))
    };
    inner
        .filter_map(|part| Some((part.field, value(part)?)))
        .collect()
}

/// An entry of a list as it is.
struct Entry<'a> {
    at: usize,
    raw: &'a str,
    value: Value,
    line: Option<String>,
}

impl Entry<'_> {
    /// Its place and its bytes.
    fn kept(&self) -> (Option<usize>, String) {
        (Some(self.at), self.raw.to_owned())
    }
}

/// The entries that show nothing before the first that shows something, then each that does with
/// those behind it that do not.
fn runs<'a, 'b>(all: &'b [Entry<'a>]) -> Vec<&'b [Entry<'a>]> {
    let starts = (0..all.len()).filter(|n| all.get(*n).is_some_and(|one| one.line.is_some()));
    let starts: Vec<usize> = [0].into_iter().chain(starts).collect();
    let ends = starts.iter().skip(1).copied().chain([all.len()]);
    let run = |(start, end): (&usize, usize)| all.get(*start..end).unwrap_or_default();
    starts.iter().zip(ends).map(run).collect()
}

/// Where the entry of each new line stood: where its line is the same; else, between two that are
/// the same, where as many stand as before, or one that says most of what the line says.
fn origins(before: &[&str], after: &[String], first: &str) -> Vec<Option<usize>> {
    let mut out = vec![None; after.len()];
    let mut free = vec![true; before.len()];
    let mut take = |place: usize, from: usize, out: &mut Vec<Option<usize>>| {
        let is_free = free.get_mut(from).is_some_and(std::mem::take);
        if let Some(slot) = out.get_mut(place).filter(|_| is_free) {
            *slot = Some(from);
        }
        is_free
    };
    for (place, line) in after.iter().enumerate() {
        if before.get(place) == Some(&line.as_str()) {
            take(place, place, &mut out);
        }
    }
    for (place, line) in after.iter().enumerate() {
        if out.get(place) == Some(&None) {
            let mut same = (0..before.len()).filter(|from| before.get(*from) == Some(&&**line));
            same.any(|from| take(place, from, &mut out));
        }
    }
    for gap in gaps(&out) {
        let from = gap.start.checked_sub(1).and_then(|n| *out.get(n)?);
        let from = from.map_or(0, |from| from + 1);
        let to = out.get(gap.end).and_then(|to| *to).unwrap_or(before.len());
        let left: Vec<usize> = (from..to).filter(|n| !out.contains(&Some(*n))).collect();
        if left.len() == gap.len() {
            for (place, from) in gap.zip(left) {
                take(place, from, &mut out);
            }
            continue;
        }
        for place in gap {
            let line = after.get(place).map_or("", String::as_str);
            let alike = |from: &&usize| {
                let old = before.get(**from).copied().unwrap_or_default();
                entry::says_most_of(old, line, first)
            };
            if let Some(from) = left
                .iter()
                .filter(|n| !out.contains(&Some(**n)))
                .find(alike)
            {
                take(place, *from, &mut out);
            }
        }
    }
    out
}

/// The runs of places that have nothing.
fn gaps(all: &[Option<usize>]) -> Vec<std::ops::Range<usize>> {
    let mut gaps: Vec<std::ops::Range<usize>> = Vec::new();
    for (n, _) in all.iter().enumerate().filter(|(_, one)| one.is_none()) {
        match gaps.last_mut() {
            Some(gap) if gap.end == n => gap.end = n + 1,
            _ => gaps.push(n..n + 1),
        }
    }
    gaps
}

#[cfg(test)]
mod tests;
