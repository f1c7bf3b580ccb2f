//! One word of a query, and how well it matches a text: without case and without Latin accents, by
//! the rules of nucleo. And the texts of memories that words look in: title, tags, the id's LOCAL and
//! the description.
//!
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

use std::cell::RefCell;

pub(super) use nucleo::pattern::AtomKind;
use nucleo::pattern::{Atom, CaseMatching, Normalization};
use nucleo::{Matcher, Utf32Str, chars};

use crate::memory::{Memory, Role, Value};
use crate::text::cut;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// The first character of every grapheme, as nucleo sees a text.
    pub(super) chars: Box<[char]>,
    /// No letter of it is upper case.
    ignore_case: bool,
    /// No letter of it has an accent.
    normalize: bool,
    atom: Atom,
}

/// A word's score in one text, at most.
pub(super) const MOST: u32 = 1023;

/// Texts are looked at up to this many characters, so that none takes long.
pub(super) const LONGEST: usize = 1024;

/// The bit of a rank: every word stands somewhere without gaps.
pub(super) const CLOSE: u32 = 1 << 24;

/// The rank of a word that stands in the text of a memory, and of one that begins there.
const INSIDE: u32 = CLOSE + 800;
const BEGINS: u32 = CLOSE + MOST;
/// The highest rank of a match with gaps there: a loose one.
const GAPS: u32 = 700;

/// State of the matcher; large, so every thread has one.
pub(super) type Tools = Matcher;

thread_local! {
    static TOOLS: RefCell<Tools> = RefCell::default();
}

pub(super) fn with_tools<T>(work: impl FnOnce(&mut Tools) -> T) -> T {
    TOOLS.with_borrow_mut(work)
}

/// Maximum number of tags of a memory, and of bytes of a description, that are looked at.
const MOST_TAGS: usize = 4096;
const LONGEST_DESCRIPTION: usize = 64 * LONGEST;

/// The title of a memory; the mark of one that was cut is no part of it.
fn title(memory: &Memory) -> &str {
    let title = memory.title.trim();
    title.strip_suffix('…').unwrap_or(title)
}

/// True if the title of a memory is a folded phrase, false if it begins with it; none if it does not.
pub(super) fn title_starts(memory: &Memory, phrase: &[char]) -> Option<bool> {
    let mut buffer = Vec::new();
    let mut title = Utf32Str::new(title(memory), &mut buffer).chars();
    let begins = phrase.iter().all(|c| title.next().map(fold) == Some(*c));
    begins.then(|| title.next().is_none())
}

pub(super) fn head(text: Utf32Str<'_>) -> Utf32Str<'_> {
    text.slice(..text.len().min(LONGEST))
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
    fn new(word: &Word, text: Utf32Str<'_>) -> Self {
        match text {
            Utf32Str::Ascii(text) => {
                // Looking for one byte is far faster than comparing at each.
                let first = word.chars.first().and_then(|c| u8::try_from(*c).ok());
                let first = first.map(|c| memchr::memchr2_iter(c, c.to_ascii_uppercase(), text));
                Self::at(word, text, first.into_iter().flatten())
            }
            Utf32Str::Unicode(text) => Self::at(word, text, 0..text.len()),
        }
    }

    /// The same, where it begins at one of `starts`.
    fn at<C>(word: &Word, text: &[C], starts: impl Iterator<Item = usize>) -> Self
    where
        C: Copy + Into<char>,
    {
        let is_word = |at: Option<&C>| at.is_some_and(|c| (*c).into().is_alphanumeric());
        let is_sign = |at: Option<&char>| at.is_some_and(|c| !c.is_alphanumeric());
        let (opens, closes) = (is_sign(word.chars.first()), is_sign(word.chars.last()));
        let is_here = |here: &[C]| {
            let mut pairs = here.iter().zip(&word.chars);
            pairs.all(|(h, n)| word.is_same((*h).into(), *n))
        };
        let mut best = Self::Scattered;
        let windows = starts.filter_map(|at| Some((at, text.get(at..at + word.chars.len())?)));
        for (start, here) in windows.filter(|(_, here)| is_here(here)) {
            let before = start.checked_sub(1).and_then(|before| text.get(before));
            let begins = opens || !is_word(before);
            let fit = match (begins, closes || !is_word(text.get(start + here.len()))) {
                (true, true) => return Self::Whole,
                (true, false) => Self::Begins,
                (false, _) => Self::Inside,
            };
            best = best.max(fit);
        }
        best
    }
}

impl Word {
    /// A word as typed, its marks taken off; none where nothing is left.
    pub(super) fn new(text: &str, kind: AtomKind) -> Option<Self> {
        let chars: Box<[char]> = graphemes(text).map(|(_, c)| c).collect();
        if chars.is_empty() {
            return None;
        }
        // Built from the first characters, for a letter with a loose accent is then plain ASCII.
        let first: String = chars.iter().collect();
        let (case, normalization) = (CaseMatching::Smart, Normalization::Smart);
        Some(Self {
            ignore_case: !chars.iter().any(|&c| chars::is_upper_case(c)),
            normalize: chars.iter().all(|&c| plain(c) == c),
            atom: Atom::new(&first, case, normalization, kind, false),
            chars,
        })
    }

    pub(super) fn in_any_case(&self) -> Option<Self> {
        let lower: String = self.chars.iter().flat_map(|c| c.to_lowercase()).collect();
        Self::new(&lower, self.atom.kind)
    }

    pub(super) fn is_same(&self, h: char, n: char) -> bool {
        adapt(h, self.ignore_case, self.normalize) == n
    }

    pub(super) const fn is_anywhere(&self) -> bool {
        matches!(self.atom.kind, AtomKind::Fuzzy | AtomKind::Substring)
    }

    /// How well the word matches a text, 1 to [`MOST`].
    pub(super) fn score(&self, text: Utf32Str<'_>, tools: &mut Tools) -> Option<u32> {
        let score = self.atom.score(text, tools)?;
        Some(u32::from(score).clamp(1, MOST))
    }

    /// The closest match of the word in a memory: in the title, else in the tags and LOCAL, else in the
    /// description. Scattered letters in the title count less than a match elsewhere.
    pub(super) fn find_in(&self, memory: &Memory, tools: &mut Tools) -> Option<Found> {
        let found = |(fit, points), in_title| Found {
            fit,
            in_title,
            points,
        };
        let title = self.best([title(memory)], None, tools);
        let title = title.map(|best| found(best, true));
        if title.is_some_and(|found| found.fit == Fit::Whole) {
            return title;
        }
        let rest = memory.tags().take(MOST_TAGS).chain([&*memory.id.local]);
        let rest = rest.map(str::trim);
        let rest = self.best(rest, title.map(|title| title.fit), tools);
        let close = match (title, rest.map(|best| found(best, false))) {
            (Some(title), Some(Found { fit, .. })) if title.fit >= Fit::Inside => {
                Some(Found { fit, ..title })
            }
            (title, rest) => rest.or(title),
        };
        // Scattered letters in a description are no match.
        let is_close = |found: &Found| found.fit >= Fit::Inside;
        if close.as_ref().is_some_and(is_close) || !self.is_anywhere() {
            return close;
        }
        let description = memory.role(Role::Description).and_then(Value::as_str);
        let description = cut(description.unwrap_or_default(), LONGEST_DESCRIPTION);
        let described = found((self.fit(description), 0), false);
        Some(described).filter(is_close).or(close)
    }

    /// The best match of the word in some texts, where one fits closer than `title`.
    fn best<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str>,
        title: Option<Fit>,
        tools: &mut Tools,
    ) -> Option<(Fit, u32)> {
        let found = texts.into_iter().filter_map(|text| {
            let mut buffer = Vec::new();
            let text = head(Utf32Str::new(cut(text, 4 * LONGEST), &mut buffer));
            if title.is_some_and(|title| Fit::new(self, text) <= title) {
                return None;
            }
            let points = self.score(text, tools)?;
            Some((Fit::new(self, text), points))
        });
        found.max()
    }

    /// The closest fit in a text, whose letters need not be cut into graphemes.
    fn fit(&self, text: &str) -> Fit {
        match text.is_ascii() {
            true => Fit::new(self, Utf32Str::Ascii(text.as_bytes())),
            false => Fit::new(self, Utf32Str::Unicode(&text.chars().collect::<Vec<_>>())),
        }
    }

    /// Adds the places of the characters that match, counted in graphemes of the text.
    pub(super) fn places(&self, text: Utf32Str<'_>, tools: &mut Tools, out: &mut Vec<u32>) {
        self.atom.indices(text, tools, out);
    }

    /// The rank of the word in the text of a memory: as it stands, or with gaps inside one word of the
    /// text. Fuzzy matching over a whole text would find every word everywhere.
    pub(super) fn score_body(&self, text: &str) -> Option<u32> {
        let trimmed = text.trim();
        match self.atom.kind {
            AtomKind::Fuzzy => self.find(text).or_else(|| self.in_one_token(text)),
            AtomKind::Prefix => self.strip(trimmed.chars()).map(|_| BEGINS),
            AtomKind::Postfix => {
                let last = self.chars.len().checked_sub(1)?;
                let (from, _) = trimmed.char_indices().rev().nth(last)?;
                self.strip(trimmed.get(from..)?.chars()).map(|_| INSIDE)
            }
            AtomKind::Exact => (self.strip(trimmed.chars())?.next().is_none()).then_some(BEGINS),
            _ => self.find(text),
        }
    }

    /// The rest of a text that begins with the word.
    fn strip<I: Iterator<Item = char>>(&self, mut text: I) -> Option<I> {
        let mut all = self.chars.iter();
        let begins = all.all(|n| text.next().is_some_and(|h| self.is_same(h, *n)));
        begins.then_some(text)
    }

    fn find(&self, text: &str) -> Option<u32> {
        match self.fit(text) {
            Fit::Scattered => None,
            Fit::Inside => Some(INSIDE),
            Fit::Begins | Fit::Whole => Some(BEGINS),
        }
    }

    /// The word with gaps inside one token of the text; the shorter the token, the better.
    fn in_one_token(&self, text: &str) -> Option<u32> {
        let most = u32::try_from(self.chars.len()).ok()?;
        let score = |token: &str| {
            let mut token_chars = token.chars();
            let mut all = self.chars.iter();
            let has_all = all.all(|n| token_chars.any(|h| self.is_same(h, *n)));
            let len = u32::try_from(token.chars().count()).unwrap_or(u32::MAX);
            has_all.then(|| (GAPS.saturating_mul(most) / len.max(1)).clamp(1, GAPS))
        };
        text.split_whitespace().filter_map(score).max()
    }
}

/// The graphemes of a text by their first characters, and how many characters each has: what a
/// person sees as one letter is one letter to the matcher.
pub(super) fn graphemes(text: &str) -> impl Iterator<Item = (usize, char)> {
    use unicode_segmentation::UnicodeSegmentation;
    text.graphemes(true).filter_map(|grapheme| {
        let mut chars = grapheme.chars();
        let first = chars.next()?;
        Some((1 + chars.count(), first))
    })
}

pub(super) fn fold(c: char) -> char {
    adapt(c, true, true)
}

/// Returns a letter without its accent. nucleo knows most accents on lower-case letters only.
fn plain(c: char) -> char {
    let lower = chars::to_lower_case(c);
    let without = chars::normalize(lower);
    match lower == c {
        _ if c.is_ascii() => c,
        true => without,
        false if without == lower => c,
        false => without.to_ascii_uppercase(),
    }
}

/// Returns a character as it is compared under a word's settings.
fn adapt(c: char, ignore_case: bool, normalize: bool) -> char {
    let is_odd = normalize && !c.is_ascii();
    let c = if is_odd { plain(c) } else { c };
    match ignore_case {
        true if c.is_ascii() => c.to_ascii_lowercase(),
        true => chars::to_lower_case(c),
        false => c,
    }
}

pub(super) fn folded(text: &str) -> Box<[char]> {
    text.chars().map(fold).collect()
}

/// True if a text contains another, neither case nor accents counting. `needle` is folded.
pub(super) fn contains(text: &str, needle: &[char]) -> bool {
    let mut starts = text.char_indices().filter_map(|(at, _)| text.get(at..));
    needle.is_empty() || starts.any(|text| starts_with(text, needle))
}

/// True if a text starts with another, neither case nor accents counting. `needle` is folded.
pub(super) fn starts_with(text: &str, needle: &[char]) -> bool {
    let mut chars = text.chars();
    needle.iter().all(|n| chars.next().map(fold) == Some(*n))
}

/// True if two texts are the same, neither case nor accents counting. `needle` is folded.
pub(super) fn equals(text: &str, needle: &[char]) -> bool {
    text.chars().map(fold).eq(needle.iter().copied())
}

pub(super) const WHOLE_TITLE: u32 = 1 << 17;
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
    pub(super) fn rank(self) -> u32 {
        let fit = self.fit as u32;
        let place = if self.in_title { 2 } else { 1 };
        let close = if fit > 0 { CLOSE } else { 0 };
        close + fit * FIT + place * PLACE + self.points.min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::tests::memory;

    #[test]
    fn folding_is_the_same_for_all_that_can_match() {
        let ways = [(true, true), (true, false), (false, true)];
        for c in (0..=0x0010_ffff).filter_map(char::from_u32) {
            let is_same = |(case, norm)| fold(adapt(c, case, norm)) == fold(c);
            assert!(ways.into_iter().all(is_same), "{c:?}");
        }
    }

    #[test]
    fn texts_are_compared_without_case_and_accents() {
        assert!(contains("The Café au lait", &folded("CAFE")));
        assert!(!contains("The Café", &folded("cafés")));
        assert!(starts_with("Ärger", &folded("ar")));
        assert!(equals("ПРИВЕТ", &folded("привет")));
        assert!(contains("", &[]));
    }

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
            ("auth", "SAiling Times of HarboUr Time; H", Fit::Scattered),
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
            let found = word.fit(text);
            assert_eq!(found, fit, "{word:?} in {text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_title_begins_with_what_it_begins_with(title in "[aAbé -]{0,20}", cut in 0_usize..22, other in "[abé -]{0,3}", whole: bool) {
            let all = folded(title.trim());
            let mut phrase: Vec<char> = all.iter().copied().take(cut).collect();
            if !whole {
                phrase.extend(folded(&other));
            }
            let memory = memory("x", &title, &[], "high", 1);
            let naive = all.starts_with(&phrase).then_some(all.len() == phrase.len());
            prop_assert_eq!(title_starts(&memory, &phrase), naive);
        }
    }
}
