//! Positions in a file.

use std::ops::Range;

use crate::memory::document;
use crate::memory::frontmatter::Locations;
use crate::memory::lines::Lines;

/// A position in a file, and the bytes of the memory's text at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Bytes from the memory's span's start.
    pub bytes: Option<Range<usize>>,
}

impl Position {
    /// The start of a memory.
    pub const fn start(line: u32) -> Self {
        Self {
            line,
            column: 1,
            bytes: None,
        }
    }

    /// The position of some bytes of a text that begins on line `first`.
    pub fn of_bytes((text, lines): (&str, &Lines), first: u32, bytes: Range<usize>) -> Self {
        let (line, column) = lines.at(text.as_bytes(), bytes.start);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            line: first.saturating_add(number(line)),
            column: number(column),
            bytes: Some(bytes),
        }
    }
}

/// The bytes of the fields in the text of a memory.
pub(super) struct Fields {
    start: usize,
    locations: Locations,
}

impl Fields {
    /// Those of a text's first frontmatter, where it has one.
    pub fn new(text: &str) -> Option<Self> {
        let layout = document::layout(text.as_bytes());
        let front = layout.documents.first()?.front.clone()?;
        Some(Self {
            start: front.start,
            locations: Locations::new(text.get(front)?),
        })
    }

    /// The bytes of a field's value, or of one of its items.
    pub fn bytes(&self, field: &str, item: Option<usize>) -> Option<Range<usize>> {
        let found = self.locations.locate(field, item);
        let found = found.or_else(|| self.locations.locate(field, None))?;
        Some(self.start + found.start..self.start + found.end)
    }
}
