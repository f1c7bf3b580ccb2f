//! Lines and columns of a text, each found in the time of a look-up: a memory may have thousands of
//! findings, and all of them on one line. And which lines two texts have in common.

use std::collections::HashMap;
use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::steps::step;

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

    /// Characters before a byte.
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
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (number(line + 1), number(column))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
}
