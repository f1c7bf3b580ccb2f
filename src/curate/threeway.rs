//! A file as segments keyed by memory, and three versions of one merged segment by segment.
//!
//! ```text
//!  # Memories               line      "# Memories"
//!  ## Patterns              line      "## Patterns"
//!  ### mem-1 …              memory    "mem-1"       base, ours, theirs by key: additions of both
//!  ### mem-2 …              memory    "mem-2"       sides stay, a memory that both changed is
//!                                                   merged by lines
//! ```
//! Pure.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use similar::TextMerge;

use crate::memory::{Memory, document};

/// The text of a file, or of a memory, after a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The text, with conflict markers around what both sides changed.
    pub text: Vec<u8>,
    /// Number of conflicts in it.
    pub conflicts: usize,
}

impl Merged {
    /// A text without conflicts.
    pub const fn clean(text: Vec<u8>) -> Self {
        Self { text, conflicts: 0 }
    }

    /// Both texts between conflict markers, each on lines of its own.
    pub fn conflict(ours: &[u8], theirs: &[u8]) -> Self {
        let mut text = b"<<<<<<< ours\n".to_vec();
        for (side, marker) in [(ours, "=======\n"), (theirs, ">>>>>>> theirs")] {
            text.extend_from_slice(side);
            if !side.is_empty() && !side.ends_with(b"\n") {
                text.push(b'\n');
            }
            text.extend_from_slice(marker.as_bytes());
        }
        Self { text, conflicts: 1 }
    }

    /// Three versions of a memory merged by lines; without a base, ours and theirs are in conflict
    /// where they differ. The versions come without a line end, and so does the result.
    fn by_lines(base: Option<&[u8]>, ours: &[u8], theirs: &[u8]) -> Self {
        let text = |bytes: &[u8]| Some(format!("{}\n", std::str::from_utf8(bytes).ok()?));
        let base = text(base.unwrap_or_default());
        let (Some(base), Some(mine), Some(other)) = (base, text(ours), text(theirs)) else {
            return Self::conflict(ours, theirs);
        };
        let mut merge = TextMerge::from_lines(&base, &mine, &other);
        merge.labels("base", "ours", "theirs");
        let mut text = merge.to_string().into_bytes();
        text.truncate(text.trim_ascii_end().len());
        Self {
            text,
            conflicts: merge.conflict_count(),
        }
    }
}

/// A segment of the result.
struct Item<'a> {
    segment: &'a Segment<'a>,
    merged: Merged,
    /// True if only our side has it.
    is_ours: bool,
}

/// Merges three versions of a file. The order is that of our side; what their side added stands
/// behind the segment that precedes it there.
pub fn merge(base: &Split<'_>, ours: &Split<'_>, theirs: &Split<'_>) -> Merged {
    let (in_base, in_ours, in_theirs) = (base.by_key(), ours.by_key(), theirs.by_key());
    let mut items: Vec<Item<'_>> = Vec::new();
    for segment in &ours.segments {
        let then = in_base.get(&*segment.key).map(|one| one.text);
        let other = in_theirs.get(&*segment.key).map(|one| one.text);
        let merged = match (then, other) {
            (None, None) => Some(Merged::clean(segment.text.to_vec())),
            (Some(then), None) if then == segment.text => None,
            (Some(_), None) => Some(Merged::conflict(segment.text, b"")),
            (base, Some(other)) => Some(one(segment, base, other)),
        };
        let is_ours = then.is_none() && other.is_none();
        items.extend(merged.map(|merged| Item {
            segment,
            merged,
            is_ours,
        }));
    }
    // Both sides put other words in the place of the same line.
    let rewritten = |before: Option<&Segment<'_>>, ours: &Segment<'_>, theirs: &Segment<'_>| {
        let all = &base.segments;
        let place = |key: &str| all.iter().position(|one| *one.key == *key);
        let next = before.map_or(Some(0), |before| Some(place(&before.key)? + 1));
        let gone = next.and_then(|at| all.get(at)).is_some_and(|one| {
            let key = &*one.key;
            !one.is_memory && !in_ours.contains_key(key) && !in_theirs.contains_key(key)
        });
        gone && !ours.is_memory && !theirs.is_memory
    };
    for (n, segment) in theirs.segments.iter().enumerate() {
        let before = theirs.segments.get(..n).unwrap_or_default();
        let then = in_base.get(&*segment.key).map(|one| one.text);
        let merged = match then {
            _ if in_ours.contains_key(&*segment.key) => None,
            Some(then) if then == segment.text => None,
            Some(_) => Some(Merged::conflict(b"", segment.text)),
            None => Some(Merged::clean(segment.text.to_vec())),
        };
        if let Some(merged) = merged {
            let at = place(&items, before, segment);
            let same = at.checked_sub(1).and_then(|at| items.get_mut(at));
            let last = before.last();
            match same.filter(|item| item.is_ours && rewritten(last, item.segment, segment)) {
                Some(item) => item.merged = Merged::conflict(&item.merged.text, segment.text),
                None => items.insert(
                    at,
                    Item {
                        segment,
                        merged,
                        is_ours: false,
                    },
                ),
            }
        }
    }
    let is_same = ours.tail == base.tail;
    let tail = if is_same { theirs.tail } else { ours.tail };
    let conflicts = items.iter().map(|item| item.merged.conflicts).sum();
    let pieces = items
        .iter()
        .map(|item| (item.segment.lead, &*item.merged.text));
    Merged {
        text: joined(pieces, tail),
        conflicts,
    }
}

/// Merges the other versions of a segment into ours.
fn one(ours: &Segment<'_>, base: Option<&[u8]>, theirs: &[u8]) -> Merged {
    if ours.text == theirs || base == Some(theirs) {
        return Merged::clean(ours.text.to_vec());
    }
    if base == Some(ours.text) {
        return Merged::clean(theirs.to_vec());
    }
    match ours.is_memory {
        true => Merged::by_lines(base, ours.text, theirs),
        false => Merged::conflict(ours.text, theirs),
    }
}

/// Index at which a segment of their side is inserted: behind the last of its predecessors that is
/// left, and behind the additions of our side at that place.
fn place(items: &[Item<'_>], before: &[Segment<'_>], segment: &Segment<'_>) -> usize {
    let find = |one: &Segment<'_>| items.iter().position(|item| item.segment.key == one.key);
    let at = before.iter().rev().find_map(find).map_or(0, |at| at + 1);
    let added = items.iter().skip(at);
    at + added
        .take_while(|item| item.is_ours && item.segment.is_memory == segment.is_memory)
        .count()
}

/// Leads and texts one behind the other; a text begins a line.
fn joined<'a>(pieces: impl Iterator<Item = (&'a [u8], &'a [u8])>, tail: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for (lead, text) in pieces {
        // Blank lines at the beginning of a file are no distance to what now precedes.
        let lead = if out.is_empty() {
            lead.trim_ascii_start()
        } else {
            lead
        };
        if !out.is_empty() && !out.ends_with(b"\n") && !lead.contains(&b'\n') {
            out.push(b'\n');
        }
        out.extend_from_slice(lead);
        out.extend_from_slice(text);
    }
    if !out.is_empty() {
        out.extend_from_slice(tail);
    }
    out
}

/// A part of a file.
pub struct Segment<'a> {
    /// Distinguishes it from the others, in every version of the file.
    pub key: Box<str>,
    /// Bytes before it that belong to nothing: blank lines, a separator of documents.
    lead: &'a [u8],
    /// Its bytes, without the blank lines behind it.
    pub text: &'a [u8],
    /// True for a memory, false for a line beside the memories.
    pub is_memory: bool,
}

/// A file in segments. The segments and the tail together hold every byte of the file.
pub struct Split<'a> {
    /// The segments, in order.
    pub segments: Vec<Segment<'a>>,
    /// Bytes after the last one: line ends.
    tail: &'a [u8],
    bytes: &'a [u8],
    /// The end of the last segment.
    at: usize,
    /// Number of segments of each key.
    keys: HashMap<Box<str>, usize>,
}

impl<'a> Split<'a> {
    /// Splits a file by the memories that its store reads in it.
    pub fn new(bytes: &'a [u8], memories: &[Arc<Memory>]) -> Self {
        let mut split = Self {
            segments: Vec::new(),
            tail: &[],
            bytes,
            at: 0,
            keys: HashMap::new(),
        };
        let mut ordered: Vec<&Arc<Memory>> = memories.iter().collect();
        ordered.sort_by_key(|memory| memory.span.start);
        let last = ordered.len().saturating_sub(1);
        for (n, memory) in ordered.into_iter().enumerate() {
            split.memory(memory, n == last);
        }
        split.lines(bytes.len());
        split.tail = document::part(bytes, split.at..bytes.len());
        split
    }

    fn by_key(&self) -> HashMap<&str, &Segment<'a>> {
        self.segments.iter().map(|one| (&*one.key, one)).collect()
    }

    fn push(&mut self, key: &str, range: Range<usize>, is_memory: bool) {
        let count = self.keys.entry(key.into()).or_default();
        *count += 1;
        let kind = if is_memory { 'm' } else { 'l' };
        let key = format!("{kind}{count} {key}").into();
        self.segments.push(Segment {
            key,
            lead: document::part(self.bytes, self.at..range.start),
            text: document::part(self.bytes, range.clone()),
            is_memory,
        });
        self.at = range.end;
    }

    fn memory(&mut self, memory: &Memory, is_last: bool) {
        let several = memory.schema.can.shape.several;
        // Between documents there is nothing but what parts them.
        if !several {
            self.lines(memory.span.start);
        }
        let start = memory.span.start.max(self.at);
        let text = document::part(self.bytes, start..memory.span.end).trim_ascii_end();
        let parted = text
            .strip_suffix(SEPARATOR)
            .filter(|text| several && !is_last && (text.ends_with(b"\n") || text.is_empty()));
        let text = parted.map_or(text, <[u8]>::trim_ascii_end);
        self.push(name(memory), start..start + text.len(), true);
    }

    /// The lines up to a place that are not blank.
    fn lines(&mut self, end: usize) {
        let mut start = self.at;
        let lines = document::part(self.bytes, start..end);
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let next = start + line.len();
            let text = line.trim_ascii_end();
            if !text.is_empty() {
                let shown = String::from_utf8_lossy(text);
                let key = target(&shown).unwrap_or(&shown);
                self.push(key, start..start + text.len(), false);
            }
            start = next;
        }
    }
}

/// The name of a memory in its file, whatever stands before it there: later documents of a file are
/// numbered, and known by their titles.
pub fn name(memory: &Memory) -> &str {
    match memory.schema.can.shape.several && memory.document > 0 {
        true => &memory.title,
        false => &memory.id.local,
    }
}

/// A line that parts two documents of a file.
const SEPARATOR: &[u8] = b"---";

/// The file that an entry of an index names: an entry with another title is still the same one.
fn target(line: &str) -> Option<&str> {
    let item = line.trim_start().strip_prefix(['-', '*'])?;
    let (_, rest) = item.split_once("](")?;
    let (target, _) = rest.split_once(')')?;
    Some(target)
}

#[cfg(test)]
mod tests;
