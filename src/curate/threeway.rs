//! A file as segments keyed by memory, and three versions of one merged segment by segment; a change
//! of a file moved behind the later changes of it line by line, and two changes merged.
//!
//! ```text
//!  # Memories               line      "# Memories"
//!  ## Patterns              line      "## Patterns"
//!  ### mem-1 …              memory    "mem-1"       base, ours, theirs by key: additions of both
//!  ### mem-2 …              memory    "mem-2"       sides stay, a memory that both changed is
//!                                                   merged by lines
//! ```

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use similar::{DiffOp, TextMerge};

use super::diff::{lines_of, ops};
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
            (None, None) => Merged::clean(segment.text.to_vec()),
            (Some(then), None) if then == segment.text => continue,
            (Some(_), None) => Merged::conflict(segment.text, b""),
            (base, Some(other)) => one(segment, base, other),
        };
        items.push(Item {
            segment,
            merged,
            is_ours: then.is_none() && other.is_none(),
        });
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
        let merged = match in_base.get(&*segment.key).map(|one| one.text) {
            _ if in_ours.contains_key(&*segment.key) => continue,
            Some(then) if then == segment.text => continue,
            Some(_) => Merged::conflict(b"", segment.text),
            None => Merged::clean(segment.text.to_vec()),
        };
        let at = place(&items, before, segment);
        let same = at.checked_sub(1).and_then(|at| items.get_mut(at));
        let last = before.last();
        if let Some(item) = same.filter(|one| one.is_ours && rewritten(last, one.segment, segment))
        {
            item.merged = Merged::conflict(&item.merged.text, segment.text);
            continue;
        }
        let item = Item {
            segment,
            merged,
            is_ours: false,
        };
        items.insert(at, item);
    }
    let is_same = ours.tail == base.tail;
    let tail = if is_same { theirs.tail } else { ours.tail };
    let pieces = items
        .iter()
        .map(|item| (item.segment.lead, &*item.merged.text));
    Merged {
        text: joined(pieces, tail),
        conflicts: items.iter().map(|item| item.merged.conflicts).sum(),
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
    let is_added = |item: &&Item<'_>| item.is_ours && item.segment.is_memory == segment.is_memory;
    at + items.iter().skip(at).take_while(is_added).count()
}

/// Leads and texts one behind the other; a text begins a line.
fn joined<'a>(pieces: impl Iterator<Item = (&'a [u8], &'a [u8])>, tail: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for (lead, text) in pieces {
        // Blank lines at the beginning of a file are no distance to what now precedes.
        let lead = match out.is_empty() {
            true => lead.trim_ascii_start(),
            false => lead,
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
        let parted = text.strip_suffix(SEPARATOR).filter(|_| several && !is_last);
        let parted = parted.filter(|text| text.ends_with(b"\n") || text.is_empty());
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

#[derive(Clone, PartialEq)]
struct Hunk {
    at: Range<usize>,
    new: Vec<Vec<u8>>,
}

/// Contents of a file without one of its changes.
///
/// `contents` has the file right after that change and after each later one, `undone` the file
/// before it. The result has the same length and begins with `undone`. Fails with the number of
/// the first later change that replaces the same lines.
pub fn reorder(undone: &[u8], contents: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, usize> {
    let mut out = vec![undone.to_vec()];
    let first = contents.first().map_or(&[][..], Vec::as_slice);
    let mut hunks = hunks(&lines_of(first), &lines_of(undone));
    for (number, pair) in contents.windows(2).enumerate() {
        let [old, new] = pair else { continue };
        let (old, new) = (lines_of(old), lines_of(new));
        let later = self::hunks(&old, &new);
        let past = hunks.iter().map(|hunk| hunk.past(&later, &old));
        hunks = past.collect::<Option<_>>().ok_or(number)?;
        out.push(applied(&hunks, &new).ok_or(number)?);
    }
    Ok(out)
}

/// Our version of a text with what theirs changes of the base; none if both changed the same lines.
pub fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let [base, ours, theirs] = [base, ours, theirs].map(lines_of);
    let later = hunks(&base, &ours);
    let mut own = hunks(&base, &theirs);
    // Changes that both made alike stand already.
    own.retain(|hunk| !later.contains(hunk));
    let moved = own.iter().map(|hunk| hunk.past(&later, &base));
    applied(&moved.collect::<Option<Vec<_>>>()?, &ours)
}

fn hunks(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let mut all: Vec<Hunk> = Vec::new();
    for op in ops(old, new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (at, new) = (op.old_range(), new.get(op.new_range()).unwrap_or_default());
        let new = new.iter().map(|line| line.to_vec());
        match all.last_mut().filter(|last| last.at.end == at.start) {
            Some(last) => {
                last.at.end = at.end;
                last.new.extend(new);
            }
            None => all.push(Hunk {
                at,
                new: new.collect(),
            }),
        }
    }
    all
}

impl Hunk {
    /// The same hunk in the text after later hunks; none if one of them replaces the same lines.
    /// Equal lines around it allow other places: each of them is tried.
    fn past(&self, later: &[Self], old: &[&[u8]]) -> Option<Self> {
        let slid = |is_up: bool| {
            let first = self.slid(is_up, old);
            std::iter::successors(first, move |hunk| hunk.slid(is_up, old))
        };
        let here = std::iter::once(self.clone());
        let mut places = here.chain(slid(true)).chain(slid(false));
        places.find_map(|hunk| hunk.moved(later))
    }

    fn moved(mut self, later: &[Self]) -> Option<Self> {
        let at = self.at.clone();
        for other in later {
            // Of two insertions in one place the older one stands first.
            if at.end <= other.at.start {
                break;
            }
            if other.at.end > at.start {
                return None;
            }
            let shift = |line: usize| line - other.at.len() + other.new.len();
            self.at = shift(self.at.start)..shift(self.at.end);
        }
        Some(self)
    }

    /// The hunk one line further up or down, if lines around it are equal and the effect is the
    /// same.
    fn slid(&self, is_up: bool, old: &[&[u8]]) -> Option<Self> {
        let Range { start, end } = self.at;
        // The line that the hunk passes, and the one of its own that stands in its place then.
        let (passed, own) = match is_up {
            true => (start.checked_sub(1)?, end.checked_sub(1)),
            false => (end, Some(start)),
        };
        let mut new = self.new.clone();
        let own = match (self.at.is_empty(), is_up) {
            (true, true) => new.last()?.as_slice(),
            (true, false) => new.first()?.as_slice(),
            (false, _) if new.is_empty() => old.get(own?)?,
            (false, _) => return None,
        };
        (*old.get(passed)? == own).then_some(())?;
        // A deletion has no lines to turn.
        let turned = new.len().min(1);
        let at = match is_up {
            true => {
                new.rotate_right(turned);
                start - 1..end - 1
            }
            false => {
                new.rotate_left(turned);
                start + 1..end + 1
            }
        };
        Some(Self { at, new })
    }
}

/// A text with its hunks applied; none if they are not in order or join two lines.
fn applied(hunks: &[Hunk], lines: &[&[u8]]) -> Option<Vec<u8>> {
    let mut all: Vec<&[u8]> = Vec::with_capacity(lines.len());
    let mut done = 0;
    for hunk in hunks {
        all.extend(lines.get(done..hunk.at.start)?);
        all.extend(hunk.new.iter().map(Vec::as_slice));
        done = hunk.at.end;
    }
    all.extend(lines.get(done..)?);
    let (_, before) = all.split_last().unwrap_or((&&[][..], &[]));
    let is_whole = before.iter().all(|line| line.ends_with(b"\n"));
    is_whole.then(|| all.concat())
}

#[cfg(test)]
mod tests;
