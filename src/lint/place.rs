//! Where something stands in a file.

use std::ops::Range;

use memchr::memchr_iter;

use super::Look;
use crate::memory::{document, frontmatter};

/// A place in a file, and the bytes of the memory's text it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Bytes from the memory's span's start.
    pub bytes: Option<Range<usize>>,
}

impl Place {
    /// The start of a memory.
    pub const fn start(line: u32) -> Self {
        Self {
            line,
            column: 1,
            bytes: None,
        }
    }

    /// The place of a byte of a text that begins on `first` line.
    pub fn of_byte(text: &str, first: u32, byte: usize) -> Self {
        let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
        Self::on_line(text, first, memchr_iter(b'\n', before).count(), byte)
    }

    /// The same where it is known how many line ends stand before the byte.
    pub fn on_line(text: &str, first: u32, line: usize, byte: usize) -> Self {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = text.get(..byte).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before
            .get(start..)
            .unwrap_or_default()
            .trim_start_matches('\u{feff}')
            .chars()
            .count();
        Self {
            line: first.saturating_add(u32::try_from(line).unwrap_or(u32::MAX)),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
            bytes: Some(byte..byte),
        }
    }

    /// The place of some bytes of a text that begins on `first` line.
    pub fn of_bytes(text: &str, first: u32, bytes: Range<usize>) -> Self {
        Self {
            bytes: Some(bytes.clone()),
            ..Self::of_byte(text, first, bytes.start)
        }
    }

    /// The place of a field's value or of one of its items.
    pub(super) fn of_field(look: &Look<'_>, field: &str, item: Option<usize>) -> Self {
        let (text, line) = (look.text, look.memory.line);
        value_bytes(look, field, item).map_or_else(
            || Self::start(line),
            |bytes| Self::of_bytes(text, line, bytes),
        )
    }
}

/// The bytes of a field's value, or of one of its items.
fn value_bytes(look: &Look<'_>, field: &str, item: Option<usize>) -> Option<Range<usize>> {
    let layout = document::layout(look.text.as_bytes());
    let front = layout.documents.first()?.front.clone()?;
    let text = look.text.get(front.clone())?;
    let found = frontmatter::locate(text, field, item)
        .or_else(|| frontmatter::locate(text, field, None))?;
    Some(front.start + found.start..front.start + found.end)
}
