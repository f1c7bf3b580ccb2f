//! A file as segments: its memories, and the lines between them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::memory::{Memory, document};

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Distinguishes it from the others, in every version of the file.
    pub key: Box<str>,
    /// Bytes before it that belong to nothing: blank lines, a separator of documents.
    pub lead: &'a [u8],
    /// Its bytes, without the blank lines behind it.
    pub text: &'a [u8],
    /// True for a memory, false for a line beside the memories.
    pub is_memory: bool,
}

/// A file as segments; all of its bytes are in them or in the tail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split<'a> {
    /// The segments, in order.
    pub segments: Vec<Segment<'a>>,
    /// Bytes after the last one: line ends.
    pub tail: &'a [u8],
}

impl<'a> Split<'a> {
    /// Splits a file by the memories that its store reads in it.
    pub fn new(bytes: &'a [u8], memories: &[Arc<Memory>]) -> Self {
        let mut split = Splitter {
            bytes,
            at: 0,
            keys: HashMap::new(),
            segments: Vec::new(),
        };
        let mut ordered: Vec<&Arc<Memory>> = memories.iter().collect();
        ordered.sort_by_key(|memory| memory.span.start);
        let last = ordered.len().saturating_sub(1);
        for (n, memory) in ordered.into_iter().enumerate() {
            split.memory(memory, n == last);
        }
        split.lines(bytes.len());
        let Splitter { at, segments, .. } = split;
        Self {
            segments,
            tail: document::part(bytes, at..bytes.len()),
        }
    }

    /// The segments by their keys.
    pub fn by_key(&self) -> HashMap<&str, &Segment<'a>> {
        self.segments.iter().map(|one| (&*one.key, one)).collect()
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

/// A file that is being split.
struct Splitter<'a> {
    bytes: &'a [u8],
    /// The end of the last segment.
    at: usize,
    /// Number of segments of each key.
    keys: HashMap<Box<str>, usize>,
    segments: Vec<Segment<'a>>,
}

impl Splitter<'_> {
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

/// The file that an entry of an index names: an entry with another title is still the same one.
fn target(line: &str) -> Option<&str> {
    let item = line.trim_start().strip_prefix(['-', '*'])?;
    let (_, rest) = item.split_once("](")?;
    let (target, _) = rest.split_once(')')?;
    Some(target)
}
