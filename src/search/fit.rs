//! How closely a word of a query stands in a text: as a word, as the beginning of one, inside of
//! one, or with its letters scattered.

use nucleo::Utf32Str;

use super::word::Word;

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

impl Word {
    /// How closely the word stands in a text that it matches.
    pub(super) fn fit(&self, text: Utf32Str<'_>) -> Fit {
        Fit::new(self, text)
    }
}

#[cfg(test)]
mod tests {
    use nucleo::Utf32String;

    use super::*;
    use crate::search::word::Kind;

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
            let hay = Utf32String::from(text);
            assert_eq!(word.fit(hay.slice(..)), fit, "{word:?} in {text}");
        }
    }
}
