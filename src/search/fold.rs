//! Characters as the search compares them: without case and without Latin accents, with the
//! class that decides where a word begins, and with a bit each for the mask of a text.
//!
//! The rules are nucleo's. Its own look-ups search a table of 1,400 entries for every character
//! of every text at every key; here the first 65,536 characters are one look-up each.

use std::sync::LazyLock;

use nucleo::chars;

/// What a character is, as far as beginnings of words go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// White space.
    Space,
    /// Punctuation and symbols.
    NonWord,
    /// Punctuation that separates: `/ , : ; |`.
    Delimiter,
    /// A lower-case letter.
    Lower,
    /// An upper-case letter.
    Upper,
    /// A letter of a script without case.
    Letter,
    /// A digit.
    Number,
}

impl Class {
    /// The most that [`Class::bonus`] gives.
    pub(super) const BEST: u16 = 10;

    /// The class of a character of ASCII.
    pub(super) fn ascii(byte: u8) -> Self {
        let class = ASCII.get(usize::from(byte));
        class.copied().unwrap_or(Self::NonWord)
    }

    const fn of_ascii(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' => Self::Lower,
            b'A'..=b'Z' => Self::Upper,
            b'0'..=b'9' => Self::Number,
            b'/' | b',' | b':' | b';' | b'|' => Self::Delimiter,
            b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => Self::Space,
            _ => Self::NonWord,
        }
    }

    fn of(c: char) -> Self {
        match c {
            _ if c.is_ascii() => u8::try_from(c).map_or(Self::NonWord, Self::ascii),
            _ if c.is_lowercase() => Self::Lower,
            _ if chars::is_upper_case(c) => Self::Upper,
            _ if c.is_numeric() => Self::Number,
            _ if c.is_alphabetic() => Self::Letter,
            _ if c.is_whitespace() => Self::Space,
            _ => Self::NonWord,
        }
    }

    const fn from_bits(bits: u32) -> Self {
        match bits {
            0 => Self::Space,
            1 => Self::NonWord,
            2 => Self::Delimiter,
            3 => Self::Lower,
            4 => Self::Upper,
            5 => Self::Letter,
            _ => Self::Number,
        }
    }

    /// Whether words are made of it.
    pub(super) const fn is_word(self) -> bool {
        matches!(
            self,
            Self::Lower | Self::Upper | Self::Letter | Self::Number
        )
    }

    /// What a match on a character of this class earns after one of class `before`.
    pub(super) fn bonus(self, before: Self) -> u16 {
        let after = BONUS.get(before as usize);
        let points = after.and_then(|after| after.get(self as usize));
        points.copied().unwrap_or_default()
    }
}

/// The classes of ASCII; a table, for no branch on letters can be guessed.
static ASCII: [Class; 256] = {
    let mut classes = [Class::NonWord; 256];
    let mut byte = 0;
    while byte < u8::MAX {
        #[expect(clippy::indexing_slicing, reason = "worked out by the compiler")]
        {
            classes[byte as usize] = Class::of_ascii(byte);
        }
        byte += 1;
    }
    classes
};

/// What a match earns, by the class before it and its own.
static BONUS: [[u16; 7]; 7] = [
    // Space, NonWord, Delimiter, Lower, Upper, Letter, Number
    [10, 8, 0, 10, 10, 10, 10], // Space
    [10, 8, 0, 8, 8, 8, 8],     // NonWord
    [10, 8, 0, 9, 9, 9, 9],     // Delimiter
    [10, 8, 0, 0, 5, 0, 5],     // Lower
    [10, 8, 0, 0, 0, 0, 5],     // Upper
    [10, 8, 0, 0, 0, 0, 5],     // Letter
    [10, 8, 0, 0, 0, 0, 0],     // Number
];

/// The lower 24 bits are the folded character, the upper 8 the class.
static BASIC_PLANE: LazyLock<Box<[u32]>> = LazyLock::new(|| (0..0x1_0000).map(entry).collect());

fn entry(code: u32) -> u32 {
    char::from_u32(code).map_or(code, |c| {
        let folded = chars::to_lower_case(plain(c));
        u32::from(folded) | (Class::of(c) as u32) << 24
    })
}

/// The table of the first 65,536 characters, to be fetched once per text.
#[derive(Clone, Copy)]
pub(super) struct Folder(&'static [u32]);

impl Folder {
    pub(super) fn get() -> Self {
        Self(&BASIC_PLANE)
    }

    fn look(self, c: char) -> u32 {
        let code = u32::from(c);
        self.0
            .get(code as usize)
            .copied()
            .unwrap_or_else(|| entry(code))
    }

    /// The character without case and accent.
    pub(super) fn fold(self, c: char) -> u32 {
        self.look(c) & 0x00ff_ffff
    }

    /// The character without case and accent, and its class.
    pub(super) fn fold_and_class(self, c: char) -> (u32, Class) {
        let found = self.look(c);
        (found & 0x00ff_ffff, Class::from_bits(found >> 24))
    }
}

/// A letter without its accent. nucleo knows most accents on lower-case letters only.
pub(super) fn plain(c: char) -> char {
    let lower = chars::to_lower_case(c);
    let without = chars::normalize(lower);
    if lower == c {
        without
    } else if without == lower {
        c
    } else {
        without.to_ascii_uppercase()
    }
}

/// A character as it is compared under a word's settings.
pub(super) fn adapt(c: char, ignore_case: bool, normalize: bool) -> char {
    let c = if normalize { plain(c) } else { c };
    if ignore_case {
        chars::to_lower_case(c)
    } else {
        c
    }
}

/// The bit of a folded character: letters and digits have their own, others share,
/// blanks have none.
pub(super) const fn bit(folded: u32) -> u64 {
    let n = match folded {
        // Blanks at the ends of a text are taken off.
        0x09..=0x0d | 0x20 => return 0,
        0x61..=0x7a => folded - 0x61,
        0x30..=0x39 => 26 + folded - 0x30,
        0x2d => 36,
        0x5f => 37,
        0x2e => 38,
        0x2f => 39,
        0..=0x7f => 40 + folded % 4,
        // Neighbours in an alphabet get different bits, and so do neighbouring blocks.
        _ => 44 + (folded ^ (folded >> 7)) % 20,
    };
    1 << n
}

/// Whether a text contains another, neither case nor accents counting. `needle` is folded.
pub(super) fn contains(text: &str, needle: &[u32]) -> bool {
    let Some((first, rest)) = needle.split_first() else {
        return true;
    };
    let folder = Folder::get();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if folder.fold(c) == *first && starts(chars.clone(), rest, folder) {
            return true;
        }
    }
    false
}

/// Whether a text starts with another, neither case nor accents counting. `needle` is folded.
pub(super) fn starts_with(text: &str, needle: &[u32]) -> bool {
    starts(text.chars(), needle, Folder::get())
}

/// Whether two texts are the same, neither case nor accents counting. `needle` is folded.
pub(super) fn equals(text: &str, needle: &[u32]) -> bool {
    let folder = Folder::get();
    text.chars()
        .map(|c| folder.fold(c))
        .eq(needle.iter().copied())
}

fn starts(mut chars: impl Iterator<Item = char>, needle: &[u32], folder: Folder) -> bool {
    needle
        .iter()
        .all(|n| chars.next().is_some_and(|c| folder.fold(c) == *n))
}

/// A text folded.
pub(super) fn folded(text: &str) -> Box<[u32]> {
    let folder = Folder::get();
    text.chars().map(|c| folder.fold(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_the_same_for_all_that_can_match() {
        let folder = Folder::get();
        let odd: Vec<char> = (0..=0x0010_ffff)
            .filter_map(char::from_u32)
            .filter(|&c| {
                [(true, true), (true, false), (false, true)]
                    .iter()
                    .any(|&(case, norm)| folder.fold(adapt(c, case, norm)) != folder.fold(c))
            })
            .collect();
        assert!(odd.is_empty(), "{odd:?}");
    }

    #[test]
    fn texts_are_compared_without_case_and_accents() {
        assert!(contains("The Café au lait", &folded("CAFE")));
        assert!(!contains("The Café", &folded("cafés")));
        assert!(starts_with("Ärger", &folded("ar")));
        assert!(equals("ПРИВЕТ", &folded("привет")));
        assert!(contains("", &[]));
    }
}
