//! Titles, tags and LOCALs of all memories in two flat buffers, and what is known of each text
//! without a look at it.

use super::fold::{self, Class, Folder};
use super::word::{Hay, LONGEST, graphemes};

/// The two buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub(super) ascii: Vec<u8>,
    pub(super) wide: Vec<char>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    start: u32,
    /// In characters, and [`WIDE`] where it is not ASCII.
    pub(super) len: u32,
}

/// The bit of a length that tells of a text that is not ASCII.
pub(super) const WIDE: u32 = 1 << 31;

impl Texts {
    pub(super) fn hay(&self, span: Span) -> Option<Hay<'_>> {
        let start = span.start as usize;
        let range = start..start + (span.len & !WIDE) as usize;
        if span.len & WIDE != 0 {
            self.wide.get(range).map(Hay::Wide)
        } else {
            self.ascii.get(range).map(Hay::Ascii)
        }
    }

    /// Puts a text at the end of its buffer. One that would not fit is left out: 4 GB of titles
    /// are no titles.
    pub(super) fn push(&mut self, text: &str) -> Span {
        let wide = !text.is_ascii() && graphemes(text).any(|(_, c)| !c.is_ascii());
        let start = if wide {
            self.wide.len()
        } else {
            self.ascii.len()
        };
        let Ok(start) = u32::try_from(start) else {
            return Span::default();
        };
        if u32::MAX - start < 0x0100_0000 {
            return Span::default();
        }
        let mut len = 0;
        if text.is_ascii() {
            let bytes = text.as_bytes();
            let bytes = bytes.get(..REST_LONGEST).unwrap_or(bytes);
            self.ascii.extend_from_slice(bytes);
            len = bytes.len();
        } else {
            for (_, c) in graphemes(text).take(REST_LONGEST) {
                len += 1;
                match u8::try_from(c).ok().filter(|_| !wide) {
                    Some(byte) => self.ascii.push(byte),
                    None => self.wide.push(c),
                }
            }
        }
        let len = u32::try_from(len).unwrap_or(0);
        Span {
            start,
            len: if wide { len | WIDE } else { len },
        }
    }
}

/// The bits of all characters of a text, combining ones too: tags are also compared as a whole.
pub(super) fn mask(text: &str) -> u64 {
    let folder = Folder::get();
    text.chars()
        .fold(0, |mask, c| mask | fold::bit(folder.fold(c)))
}

/// Tags and LOCAL together are looked at this far.
pub(super) const REST_LONGEST: usize = 64 * LONGEST;

/// The bits of what stands first or behind a blank.
pub(super) fn initials(text: &[u8]) -> u64 {
    let before = std::iter::once(&b' ').chain(text);
    let first = before
        .zip(text)
        .filter(|(b, _)| Class::ascii(**b) == Class::Space);
    first.fold(0, |bits, (_, c)| {
        bits | fold::bit(u32::from(c.to_ascii_lowercase()))
    })
}

/// The bits of the characters that begin a word of a text, and of those that are one alone.
pub(super) fn edges(text: &str) -> (u64, u64) {
    let folder = Folder::get();
    let (mut starts, mut alone) = (0, 0);
    // What a word that would end here is, where it has one character.
    let mut single = 0;
    let mut inside = false;
    for c in text.chars() {
        let (folded, class) = folder.fold_and_class(c);
        let bit = fold::bit(folded);
        let (before, is_word) = (inside, class.is_word());
        inside = is_word;
        if is_word && before {
            single = 0;
            continue;
        }
        alone |= std::mem::replace(&mut single, bit);
        starts |= bit;
    }
    (starts, alone | single)
}

/// Adds a part on a line of its own.
pub(super) fn push_part(rest: &mut String, part: &str) {
    if !rest.is_empty() {
        rest.push('\n');
    }
    rest.extend(part.trim().chars().map(|c| if c == '\n' { ' ' } else { c }));
}
