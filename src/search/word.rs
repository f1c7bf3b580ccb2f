//! One word of a query, and how well it matches a text.

use std::cell::RefCell;

use nucleo::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo::{Matcher, Utf32Str, chars};

use super::fold::{self, adapt};

/// How a word has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its characters in order, with gaps.
    Fuzzy,
    /// Anywhere, without gaps.
    Exact,
    /// At the beginning.
    Prefix,
    /// At the end.
    Suffix,
    /// The whole text.
    Whole,
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) kind: Kind,
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

/// State of the matcher; large, so every thread has one.
pub(super) type Tools = Matcher;

thread_local! {
    static TOOLS: RefCell<Tools> = RefCell::default();
}

/// Lends this thread's tools.
pub(super) fn with_tools<T>(work: impl FnOnce(&mut Tools) -> T) -> T {
    TOOLS.with_borrow_mut(work)
}

/// As much of a text as is looked at.
pub(super) fn head(text: Utf32Str<'_>) -> Utf32Str<'_> {
    text.slice(..text.len().min(LONGEST))
}

impl Word {
    /// A word as typed, its marks taken off; none where nothing is left.
    pub(super) fn new(text: &str, kind: Kind) -> Option<Self> {
        let chars: Box<[char]> = graphemes(text).map(|(_, c)| c).collect();
        if chars.is_empty() {
            return None;
        }
        let atom_kind = match kind {
            Kind::Fuzzy => AtomKind::Fuzzy,
            Kind::Exact => AtomKind::Substring,
            Kind::Prefix => AtomKind::Prefix,
            Kind::Suffix => AtomKind::Postfix,
            Kind::Whole => AtomKind::Exact,
        };
        // Built from the first characters, for a letter with a loose accent is then plain ASCII.
        let plain: String = chars.iter().collect();
        let (case, normalization) = (CaseMatching::Smart, Normalization::Smart);
        Some(Self {
            kind,
            ignore_case: !chars.iter().any(|&c| chars::is_upper_case(c)),
            normalize: chars.iter().all(|&c| fold::plain(c) == c),
            atom: Atom::new(&plain, case, normalization, atom_kind, false),
            chars,
        })
    }

    /// The same word whatever the case of its letters.
    pub(super) fn in_any_case(&self) -> Option<Self> {
        let lower: String = self.chars.iter().flat_map(|c| c.to_lowercase()).collect();
        Self::new(&lower, self.kind)
    }

    /// True if a character of a text is this one of the word.
    pub(super) fn is_same(&self, h: char, n: char) -> bool {
        adapt(h, self.ignore_case, self.normalize) == n
    }

    /// How well the word matches a text, 1 to [`MOST`].
    pub(super) fn score(&self, text: Utf32Str<'_>, tools: &mut Tools) -> Option<u32> {
        let score = self.atom.score(text, tools)?;
        Some(u32::from(score).clamp(1, MOST))
    }

    /// How well the word matches the best of some lines, 1 to [`MOST`].
    pub(super) fn score_lines(&self, lines: Utf32Str<'_>, tools: &mut Tools) -> Option<u32> {
        let mut score = |line: Utf32Str<'_>| self.score(head(line), tools);
        match lines {
            Utf32Str::Ascii(text) => {
                let lines = text.split(|byte| *byte == b'\n');
                lines.filter_map(|line| score(Utf32Str::Ascii(line))).max()
            }
            Utf32Str::Unicode(text) => {
                let lines = text.split(|c| *c == '\n');
                lines
                    .filter_map(|line| score(Utf32Str::Unicode(line)))
                    .max()
            }
        }
    }

    /// Adds the places of the characters that match, counted in graphemes of the text.
    pub(super) fn places(&self, text: &[char], tools: &mut Tools, out: &mut Vec<u32>) {
        let byte = |c: &char| u8::try_from(*c).ok().filter(u8::is_ascii);
        let bytes: Option<Vec<u8>> = text.iter().map(byte).collect();
        let hay = match &bytes {
            Some(bytes) => Utf32Str::Ascii(bytes),
            None => Utf32Str::Unicode(text),
        };
        self.atom.indices(hay, tools, out);
    }

    /// True if every text that this word matches is also matched by another.
    pub(super) fn implies(&self, other: &Self) -> bool {
        if self == other {
            return true;
        }
        let kind = matches!(
            (self.kind, other.kind),
            (
                Kind::Fuzzy | Kind::Exact | Kind::Prefix | Kind::Whole,
                Kind::Fuzzy
            ) | (Kind::Exact | Kind::Prefix | Kind::Whole, Kind::Exact)
                | (Kind::Prefix | Kind::Whole, Kind::Prefix)
        );
        kind && self.chars.starts_with(&other.chars)
            && (other.ignore_case || !self.ignore_case)
            && (other.normalize || !self.normalize)
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
