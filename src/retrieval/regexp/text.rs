//! A text as JavaScript sees it: a sequence of UTF-16 code units.

use std::ops::Range;

/// A text prepared once and matched by many patterns.
#[derive(Debug)]
pub struct Utf16Text {
    units: Vec<u16>,
    /// For each unit, and for the end, the byte of the text where its character starts; empty for
    /// ASCII, where a unit's position is its byte's.
    bytes: Vec<usize>,
}

impl Utf16Text {
    /// Prepares a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let is_ascii = text.is_ascii();
        let starts = text.char_indices().filter(|_| !is_ascii);
        let bytes = starts.flat_map(|(at, letter)| std::iter::repeat_n(at, letter.len_utf16()));
        let end = (!is_ascii).then_some(text.len());
        Self {
            units: text.encode_utf16().collect(),
            bytes: bytes.chain(end).collect(),
        }
    }

    /// The text's UTF-16 code units.
    #[must_use]
    pub fn units(&self) -> &[u16] {
        &self.units
    }

    /// The bytes of the text that a range of units covers.
    ///
    /// A range that cuts a surrogate pair covers the whole character, as half of one has no bytes;
    /// an empty range stays empty.
    #[must_use]
    pub fn byte_range(&self, units: Range<usize>) -> Range<usize> {
        let start = self.byte_start(units.start);
        if units.end <= units.start {
            return start..start;
        }
        let end = self.byte_start(units.end);
        // Only the two halves of one pair start at the same byte.
        let cut = units.end < self.units.len() && self.byte_start(units.end - 1) == end;
        start..if cut {
            self.byte_start(units.end + 1)
        } else {
            end
        }
    }

    fn byte_start(&self, unit: usize) -> usize {
        if self.bytes.is_empty() {
            return unit.min(self.units.len());
        }
        let last = self.bytes.last().copied().unwrap_or_default();
        self.bytes.get(unit).copied().unwrap_or(last)
    }
}
