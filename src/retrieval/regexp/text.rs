//! A text as JavaScript sees it: a sequence of UTF-16 code units.

use std::ops::Range;
use std::sync::OnceLock;

/// Maps unpaired and paired surrogates in the form the `regex` crate reads.
///
/// The crate knows only whole characters, and a unit of JavaScript may be half of one. Every unit
/// becomes one character: this private plane holds the surrogates, and nothing else in the form
/// lies beyond U+FFFF.
pub(super) const SURROGATE_PLANE: u32 = 0xF_0000;

/// A text prepared once and matched by many patterns.
#[derive(Debug)]
pub struct Utf16Text {
    units: Vec<u16>,
    /// For each unit, and for the end, the byte of the text where its character starts; empty for
    /// ASCII, where a unit's position is its byte's.
    bytes: Vec<usize>,
    linear: OnceLock<LinearForm>,
}

/// The text with one character per unit.
#[derive(Debug)]
struct LinearForm {
    text: String,
    /// For each unit, and for the end, the byte where its character starts; empty for ASCII.
    starts: Vec<usize>,
}

impl Utf16Text {
    /// Prepares a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self {
                units: text.bytes().map(u16::from).collect(),
                bytes: Vec::new(),
                linear: OnceLock::new(),
            };
        }
        let mut units = Vec::with_capacity(text.len());
        let mut bytes = Vec::with_capacity(text.len() + 1);
        let mut buffer = [0u16; 2];
        for (at, letter) in text.char_indices() {
            for unit in letter.encode_utf16(&mut buffer) {
                units.push(*unit);
                bytes.push(at);
            }
        }
        bytes.push(text.len());
        Self {
            units,
            bytes,
            linear: OnceLock::new(),
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

    /// The text with one character per unit, built on first use.
    pub(super) fn linear(&self) -> &str {
        &self.linear_form().text
    }

    /// The unit at a byte of [`Self::linear`].
    pub(super) fn linear_unit(&self, byte: usize) -> usize {
        let starts = &self.linear_form().starts;
        if starts.is_empty() {
            byte
        } else {
            starts.partition_point(|start| *start < byte)
        }
    }

    fn linear_form(&self) -> &LinearForm {
        self.linear.get_or_init(|| {
            let mut text = String::with_capacity(self.units.len());
            let mut starts = Vec::new();
            for unit in &self.units {
                if !self.bytes.is_empty() {
                    starts.push(text.len());
                }
                text.push(linear_char(*unit));
            }
            if !self.bytes.is_empty() {
                starts.push(text.len());
            }
            LinearForm { text, starts }
        })
    }
}

/// The character that stands for a unit in the form the `regex` crate reads.
pub(super) fn linear_char(unit: u16) -> char {
    char::from_u32(u32::from(unit)).unwrap_or_else(|| {
        let moved = SURROGATE_PLANE + (u32::from(unit) - 0xD800);
        char::from_u32(moved).unwrap_or(char::REPLACEMENT_CHARACTER)
    })
}
