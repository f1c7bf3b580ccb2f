//! Lines and columns of a text, each found in the time of a look-up: a memory may have thousands of
//! findings, and all of them on one line. And the lines that two texts have in common, and those
//! outside of block comments.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::steps::step;
use super::to_u32;

/// Bytes between two counts of characters.
const BLOCK: usize = 256;

/// Line ends of a text, and the number of characters before its blocks. The text is given again
/// with each look-up.
pub struct Lines {
    ends: Vec<usize>,
    chars: Vec<usize>,
}

/// Number of characters that begin in some bytes.
fn count(bytes: &[u8]) -> usize {
    step(bytes.len());
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count()
}

impl Lines {
    /// The lines of a text.
    pub fn new(text: &[u8]) -> Self {
        let mut before = 0;
        let blocks = text.chunks(BLOCK).map(|block| {
            let chars = before;
            before += count(block);
            chars
        });
        Self {
            chars: blocks.collect(),
            ends: memchr::memchr_iter(b'\n', text).collect(),
        }
    }

    fn chars(&self, text: &[u8], byte: usize) -> usize {
        // Behind the last block there is nothing to count.
        let block = (byte / BLOCK).min(self.chars.len().saturating_sub(1));
        let known = self.chars.get(block).copied().unwrap_or_default();
        known + count(text.get(block * BLOCK..byte).unwrap_or_default())
    }

    /// The line of a byte, the first one 0, and its column in characters, from 1. A byte order mark
    /// at the beginning of a line is not counted.
    pub fn at(&self, text: &[u8], byte: usize) -> (usize, usize) {
        let byte = byte.min(text.len());
        let line = self.ends.partition_point(|end| *end < byte);
        let end = line.checked_sub(1).and_then(|line| self.ends.get(line));
        let start = end.map_or(0, |end| end + 1);
        let marked = text.get(start..byte);
        let mark = marked.is_some_and(|before| before.starts_with("\u{feff}".as_bytes()));
        let column = self.chars(text, byte) - self.chars(text, start) - usize::from(mark);
        (line, column + 1)
    }

    /// The same as a file has it: both from 1.
    pub fn in_file(&self, text: &[u8], byte: usize) -> (u32, u32) {
        let (line, column) = self.at(text, byte);
        (to_u32(line + 1), to_u32(column))
    }
}

/// The operations that make one sequence of the other, by Myers' algorithm. Elements are compared as
/// numbers: the algorithm is compiled once for all types of them.
pub fn ops<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let mut numbers: HashMap<&T, usize> = HashMap::new();
    let mut number = |one| {
        let next = numbers.len();
        *numbers.entry(one).or_insert(next)
    };
    let old: Vec<usize> = old.iter().map(&mut number).collect();
    let new: Vec<usize> = new.iter().map(&mut number).collect();
    capture_diff_slices(Algorithm::Myers, &old, &new)
}

/// The byte ranges of the lines that stay where a loader takes out block comments: those that begin a
/// line outside of code. Blanks behind the end of a comment go with it; other text behind it stays.
pub fn outside_comments(text: &str) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let (mut at, mut in_code, mut comment_end) = (0, false, 0);
    let last_end = text.rfind("-->").unwrap_or_default();
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let mut from = start.max(comment_end);
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        in_code ^= from == start && is_fence;
        // A comment may end on a later line, and another one may begin behind its end.
        while !in_code && from < last_end {
            let rest = text.get(from..).unwrap_or_default();
            let line = text.get(from..at).unwrap_or_default();
            let is_comment = line.trim_start().starts_with("<!--");
            let end = rest.find("-->").filter(|_| is_comment);
            let Some(end) = end else { break };
            from += end + "-->".len();
            comment_end = from;
        }
        let rest = text.get(from..at).unwrap_or_default();
        if from == start || !rest.trim().is_empty() {
            kept.push(from..at);
        }
    }
    kept
}

/// A text without its block comments.
pub fn without_comments(text: &str) -> String {
    let kept = outside_comments(text).into_iter();
    kept.filter_map(|range| text.get(range)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memory::rows;

    proptest! {
        #[test]
        fn places_are_those_that_counting_gives(text in "[a\né漢]{0,900}") {
            let lines = Lines::new(text.as_bytes());
            for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let before = &text[..byte];
                let line = before.matches('\n').count();
                let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
                prop_assert_eq!(lines.at(text.as_bytes(), byte), (line, column));
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_column() {
        let text = "\u{feff}ab\n\u{feff}c";
        let lines = Lines::new(text.as_bytes());
        for (byte, place) in [(4, (1, 2)), (9, (2, 1)), (99, (2, 2))] {
            assert_eq!(lines.in_file(text.as_bytes(), byte), place);
        }
    }

    #[test]
    fn comments_go_where_they_begin_a_line_outside_of_code() {
        for (text, left) in rows! {
            "a\n<!-- b -->\nc\n" => "a\nc\n", "a\n<!-- b\nc --> \nd\n" => "a\nd\n",
            "  <!-- a --> <!-- b --> c\n" => " c\n",
            "<!-- a\n--> b <!-- c -->\n" => " b <!-- c -->\n",
            "```\n<!-- a -->\n```\n" => "```\n<!-- a -->\n```\n",
            "a <!-- b -->\n" => "a <!-- b -->\n",
            "<!-- never closed\na\n" => "<!-- never closed\na\n",
            "a\n\n<!-- b -->" => "a\n\n", "" => "",
        } {
            assert_eq!(without_comments(text), left, "{text}");
        }
    }
}
