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

use super::word::{CLOSE, Fit, MOST};

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
    use crate::search::word::{AtomKind, Word};

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
            assert_eq!(
                Fit::new(&word, hay.slice(..).chars()),
                fit,
                "{word:?} in {text}"
            );
        }
    }
}
