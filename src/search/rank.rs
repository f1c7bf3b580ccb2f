//! The rank of a memory as one number, which is compared.
//!
//! ```text
//! bit 24      every word stands somewhere without gaps, or a field was enough: not loose
//! bits 18–23  the sum of the words' fits: inside 1, beginning 2, whole 3
//! bits 16–17  the title begins with the words, or is them
//! bits 11–15  the sum of the words' places: text 0, tag or id 1, title 2
//! bits 0–10   the sum of the words' points
//! ```
//! Of very many words a sum reaches into what stands above it; the order is then a rougher one.

use nucleo::Utf32Str;

use super::word::{CLOSE, MOST, Word};

/// The title is the words of the query.
pub(super) const WHOLE_TITLE: u32 = 1 << 17;
/// The title begins with the words of the query.
pub(super) const TITLE_BEGINS: u32 = 1 << 16;
const FIT: u32 = 1 << 18;
const PLACE: u32 = 1 << 11;

/// True if a rank is of a memory that has some word with gaps only.
pub const fn is_loose(rank: u32) -> bool {
    rank > 0 && rank < CLOSE
}

/// How a word stands in a text, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Fit {
    /// Its letters in order, with gaps.
    Scattered,
    /// Without gaps, behind a letter or digit.
    Inside,
    /// Without gaps, where a word of the text begins.
    Begins,
    /// As a word of the text.
    Whole,
}

impl Fit {
    /// The closest fit of a word in a text that it matches.
    pub(super) fn new(word: &Word, text: Utf32Str<'_>) -> Self {
        match text {
            Utf32Str::Ascii(text) => closest(word, text, |byte| char::from(*byte)),
            Utf32Str::Unicode(text) => closest(word, text, |c| *c),
        }
    }
}

fn closest<T>(word: &Word, text: &[T], char_of: impl Fn(&T) -> char) -> Fit {
    let is_word = |at: Option<&T>| at.is_some_and(|c| char_of(c).is_alphanumeric());
    let is_open = |c: Option<&char>| !c.is_some_and(|c| c.is_alphanumeric());
    let (opens, closes) = (is_open(word.chars.first()), is_open(word.chars.last()));
    let mut best = Fit::Scattered;
    for (start, here) in text.windows(word.chars.len().max(1)).enumerate() {
        if !here
            .iter()
            .zip(&word.chars)
            .all(|(h, n)| word.is_same(char_of(h), *n))
        {
            continue;
        }
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        let begins = opens || !is_word(before);
        let fit = match (begins, closes || !is_word(text.get(start + here.len()))) {
            (true, true) => return Fit::Whole,
            (true, false) => Fit::Begins,
            (false, _) => Fit::Inside,
        };
        best = best.max(fit);
    }
    best
}

/// The match of a word in a title, a tag, the id or the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) fit: Fit,
    pub(super) in_title: bool,
    pub(super) points: u32,
}

impl Found {
    /// The rank of a memory in which nothing else was looked for.
    pub(super) fn rank(self) -> u32 {
        let fit = self.fit as u32;
        let place = if self.in_title { 2 } else { 1 };
        let close = if fit > 0 { CLOSE } else { 0 };
        close + fit * FIT + place * PLACE + self.points.min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use nucleo::Utf32String;

    use super::*;
    use crate::search::word::AtomKind;

    #[test]
    fn a_word_stands_whole_at_a_beginning_inside_or_scattered() {
        for (word, text, fit) in [
            ("auth", "The Auth Cache", Fit::Whole),
            ("auth", "jwt-auth", Fit::Whole),
            ("auth", "auth_token", Fit::Whole),
            ("auth", "Authentication, not auth.", Fit::Whole),
            ("auth", "Authentication Module", Fit::Begins),
            ("auth", "OAuth2 Was Too Broad", Fit::Inside),
            ("auth", "OAuth and Authors", Fit::Begins),
            (
                "auth",
                "SAiling Times are stored as local HarboUr Time; H",
                Fit::Scattered,
            ),
            ("Auth", "auth", Fit::Scattered),
            ("node-fetch", "use node-fetch here", Fit::Whole),
            ("-fetch", "node-fetch", Fit::Whole),
            ("fetch-", "node-fetch-2", Fit::Whole),
            ("кэш", "Кэш и café", Fit::Whole),
            ("cafe", "Das Café", Fit::Whole),
            ("caf", "Das Café", Fit::Begins),
            ("afé", "Das Café", Fit::Inside),
        ] {
            let word = Word::new(word, AtomKind::Fuzzy).unwrap();
            let hay = Utf32String::from(text);
            assert_eq!(Fit::new(&word, hay.slice(..)), fit, "{word:?} in {text}");
        }
    }
}
