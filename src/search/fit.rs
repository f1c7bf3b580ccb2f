//! How closely a word of a query stands in a text: as a word, as the beginning of one, inside of
//! one, or with its letters scattered.

use memchr::memchr2_iter;

use super::fold::{Class, Folder};
use super::wide::Needle;

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

impl From<u8> for Fit {
    fn from(number: u8) -> Self {
        match number {
            0 => Self::Scattered,
            1 => Self::Inside,
            2 => Self::Begins,
            _ => Self::Whole,
        }
    }
}

/// A word of ASCII, to be looked for without gaps in texts of ASCII.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Letters {
    bytes: Box<[u8]>,
    ignore_case: bool,
    /// The place of its rarest letter, and that letter in both cases.
    rarest: (usize, u8, u8),
}

/// Letters of English, the most common first.
const COMMON: &[u8] = b"etaoinsrhldcumfpgwybvkxjqz";

impl Letters {
    /// A word in lower case where case does not matter; none of an empty one.
    pub(super) fn new(bytes: &[u8], ignore_case: bool) -> Option<Self> {
        let rareness = |byte: &u8| COMMON.iter().position(|common| common == byte);
        let places = bytes.iter().enumerate();
        let (place, rare) = places.max_by_key(|(_, byte)| rareness(byte).unwrap_or(usize::MAX))?;
        let other = if ignore_case {
            rare.to_ascii_uppercase()
        } else {
            *rare
        };
        Some(Self {
            rarest: (place, *rare, other),
            bytes: bytes.into(),
            ignore_case,
        })
    }

    /// Its closest fit in a text that it matches.
    pub(super) fn fit(&self, text: &[u8]) -> Fit {
        let (rarest, lower, upper) = self.rarest;
        let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| Class::ascii(*byte).is_word());
        let opens = !is_word(self.bytes.first());
        let closes = !is_word(self.bytes.last());
        let mut best = Fit::Scattered;
        for at in memchr2_iter(lower, upper, text) {
            let Some(start) = at.checked_sub(rarest) else {
                continue;
            };
            let end = start + self.bytes.len();
            let Some(here) = text.get(start..end) else {
                break;
            };
            let same = if self.ignore_case {
                here.eq_ignore_ascii_case(&self.bytes)
            } else {
                *here == *self.bytes
            };
            if !same {
                continue;
            }
            let before = start.checked_sub(1).and_then(|before| text.get(before));
            let begins = opens || !is_word(before);
            let fit = match (begins, closes || !is_word(text.get(end))) {
                (true, true) => return Fit::Whole,
                (true, false) => Fit::Begins,
                (false, _) => Fit::Inside,
            };
            best = best.max(fit);
        }
        best
    }
}

/// The closest fit of a word in a text of any script that it matches, and whether it stands behind
/// a blank or at the beginning.
pub(super) fn wide(needle: &Needle<'_>, text: &[char]) -> (Fit, bool) {
    let folder = Folder::get();
    let is_word = |c: Option<&char>| c.is_some_and(|c| folder.fold_and_class(*c).1.is_word());
    let opens = !is_word(needle.chars.first());
    let closes = !is_word(needle.chars.last());
    let (mut best, mut initial) = (Fit::Scattered, false);
    let Some(first) = needle.folded.first() else {
        return (best, initial);
    };
    for (start, c) in text.iter().enumerate() {
        // Most characters are passed over by this.
        if folder.fold(*c) != *first {
            continue;
        }
        let end = start + needle.chars.len();
        let Some(here) = text.get(start..end) else {
            break;
        };
        let mut pairs = needle.pairs().zip(here);
        if !pairs.all(|(n, &c)| needle.is(n, (folder.fold(c), c))) {
            continue;
        }
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        initial |= before.is_none_or(|before| *before == ' ');
        let begins = opens || !is_word(before);
        let fit = match (begins, closes || !is_word(text.get(end))) {
            (true, true) => Fit::Whole,
            (true, false) => Fit::Begins,
            (false, _) => Fit::Inside,
        };
        best = best.max(fit);
        if best == Fit::Whole && initial {
            break;
        }
    }
    (best, initial)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::word::{Hay, Kind, Word};

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
            let word = Word::new(word, Kind::Fuzzy).unwrap();
            let chars: Vec<char> = text.chars().collect();
            let hay = match text.is_ascii() {
                true => Hay::Ascii(text.as_bytes()),
                false => Hay::Wide(&chars),
            };
            assert_eq!(word.fit(hay), fit, "{word:?} in {text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn bytes_and_characters_fit_alike(word in "[abA1-]{1,3}", text in "[abAB1 _-]{0,16}") {
            let word = Word::new(&word, Kind::Fuzzy).unwrap();
            let chars: Vec<char> = text.chars().collect();
            prop_assert_eq!(word.fit(Hay::Ascii(text.as_bytes())), word.fit(Hay::Wide(&chars)));
        }
    }
}
