//! One word of a query, and how well it matches a text.

use std::cell::RefCell;

use nucleo::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo::{Matcher, Utf32Str, chars};

use super::fit::{self, Fit, Letters};
use super::fold::{self, Class, Folder};
use super::wide::{Needle, Place, Scratch};
use super::{ascii, body, columns};

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
    /// The same folded.
    pub(super) folded: Box<[u32]>,
    /// No letter of it is upper case.
    pub(super) ignore_case: bool,
    /// No letter of it has an accent.
    pub(super) normalize: bool,
    /// The bits of its characters: a text that lacks one does not match.
    pub(super) mask: u64,
    /// The bit of its first character.
    pub(super) first: u64,
    /// The word for texts of ASCII, to be looked for without gaps.
    letters: Option<Letters>,
    /// The word for texts of ASCII, where it need not be left to nucleo.
    narrow: Option<ascii::Needle>,
    /// The score of the word at the beginning of a word of the text, where it has only letters
    /// and digits: nothing scores more.
    best: Option<u32>,
    atom: Atom,
}

/// A text to look in, in the form the matcher reads fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hay<'a> {
    /// ASCII only.
    Ascii(&'a [u8]),
    /// The first character of every grapheme.
    Wide(&'a [char]),
}

impl Hay<'_> {
    /// As much of it as is looked at.
    pub(super) fn head(self) -> Self {
        match self {
            Self::Ascii(text) => Self::Ascii(text.get(..LONGEST).unwrap_or(text)),
            Self::Wide(text) => Self::Wide(text.get(..LONGEST).unwrap_or(text)),
        }
    }
}

/// A word's score in one text, at most.
pub(super) const MOST: u32 = 1023;

/// Texts are looked at up to this many characters, so that none takes long.
pub(super) const LONGEST: usize = 1024;

/// What matching works with; large, so every thread has one.
#[derive(Default)]
pub(super) struct Tools {
    nucleo: Matcher,
    wide: Scratch,
    ways: ascii::Ways,
}

thread_local! {
    static TOOLS: RefCell<Tools> = RefCell::default();
}

/// Lends this thread's tools.
pub(super) fn with_tools<T>(work: impl FnOnce(&mut Tools) -> T) -> T {
    TOOLS.with_borrow_mut(work)
}

impl Word {
    /// A word as typed, its marks taken off; none where nothing is left.
    pub(super) fn new(text: &str, kind: Kind) -> Option<Self> {
        let chars: Box<[char]> = graphemes(text).map(|(_, c)| c).collect();
        if chars.is_empty() {
            return None;
        }
        let folder = Folder::get();
        let folded: Box<[u32]> = chars.iter().map(|&c| folder.fold(c)).collect();
        // Built from the first characters, for a letter with a loose accent is then plain ASCII.
        let plain: String = chars.iter().collect();
        let atom_kind = match kind {
            Kind::Fuzzy => AtomKind::Fuzzy,
            Kind::Exact => AtomKind::Substring,
            Kind::Prefix => AtomKind::Prefix,
            Kind::Suffix => AtomKind::Postfix,
            Kind::Whole => AtomKind::Exact,
        };
        let atom = Atom::new(
            &plain,
            CaseMatching::Smart,
            Normalization::Smart,
            atom_kind,
            false,
        );
        let letters = u32::try_from(chars.len()).unwrap_or(u32::MAX);
        let simple = chars.iter().all(|&c| folder.fold_and_class(c).1.is_word());
        let anywhere = matches!(kind, Kind::Fuzzy | Kind::Exact);
        let ignore_case = !chars.iter().any(|&c| chars::is_upper_case(c));
        let bytes: Option<Box<[u8]>> = chars.iter().map(|&c| byte(c)).collect();
        let joined = bytes.as_deref();
        let joined = joined.and_then(|bytes| Letters::new(bytes, ignore_case));
        let narrow = bytes.filter(|_| anywhere && (simple || letters > 1));
        Some(Self {
            kind,
            best: (simple && anywhere)
                .then(|| letters.saturating_mul(26).saturating_add(10).min(MOST)),
            narrow: narrow.and_then(|bytes| {
                ascii::Needle::new(bytes, ignore_case, kind == Kind::Exact && letters > 1)
            }),
            ignore_case,
            normalize: chars.iter().all(|&c| fold::plain(c) == c),
            mask: folded.iter().fold(0, |mask, &c| mask | fold::bit(c)),
            first: folded.first().map_or(0, |&c| fold::bit(c)),
            letters: joined,
            chars,
            folded,
            atom,
        })
    }

    /// The same word whatever the case of its letters.
    pub(super) fn in_any_case(&self) -> Option<Self> {
        let lower: String = self.chars.iter().flat_map(|c| c.to_lowercase()).collect();
        Self::new(&lower, self.kind)
    }

    /// How well the word matches a text, 1 to [`MOST`].
    pub(super) fn score(&self, hay: Hay<'_>, tools: &mut Tools) -> Option<u32> {
        self.score_and_fit(hay, tools).map(|(score, _)| score)
    }

    /// How well the word matches a text, 1 to [`MOST`], and how closely it stands there.
    pub(super) fn score_and_fit(&self, hay: Hay<'_>, tools: &mut Tools) -> Option<(u32, Fit)> {
        let score = match (hay, &self.narrow) {
            (Hay::Ascii(text), Some(needle)) => needle.score(text, self.best, &mut tools.ways),
            (Hay::Ascii(text), None) => {
                let text = Utf32Str::Ascii(text);
                self.atom.score(text, &mut tools.nucleo).map(u32::from)
            }
            (Hay::Wide(text), _) => return self.wide(text, tools),
        };
        Some((score?.clamp(1, MOST), self.fit(hay)))
    }

    /// How closely the word stands in a text that it matches.
    pub(super) fn fit(&self, hay: Hay<'_>) -> Fit {
        match hay {
            Hay::Ascii(text) => {
                let letters = self.letters.as_ref();
                letters.map_or(Fit::Scattered, |letters| letters.fit(text))
            }
            Hay::Wide(text) => fit::wide(&self.needle(), text).0,
        }
    }

    /// Its letters in lower case, where [`Columns`](super::columns::Columns) can score it.
    pub(super) fn letters(&self) -> Option<&[u8]> {
        let letters = self
            .narrow
            .as_ref()
            .filter(|_| self.ignore_case)?
            .letters()?;
        (letters.len() <= columns::LONGEST).then_some(letters)
    }

    /// The score of a word of one letter in a text of ASCII of which a word begins with it; none
    /// says nothing. Most texts are not looked at for the first letter that is typed.
    pub(super) fn as_initial(&self, initials: u64) -> Option<u32> {
        let is = self.chars.len() == 1 && self.ignore_case && self.mask & initials != 0;
        self.best.filter(|_| is && self.narrow.is_some())
    }

    /// How well the word matches the best of some lines, 1 to [`MOST`].
    pub(super) fn score_lines(&self, lines: Hay<'_>, tools: &mut Tools) -> Option<u32> {
        if let (Hay::Ascii(text), Some(needle)) = (lines, &self.narrow)
            && text.len() <= LONGEST
            && needle.takes_lines()
        {
            let score = needle.score_lines(text, self.best, &mut tools.ways);
            return score.map(|score| score.clamp(1, MOST));
        }
        let mut best = None;
        let mut see = |line: Hay<'_>| {
            best = best.max(self.score(line.head(), tools));
            // Nothing after it can score more.
            best.is_some() && best == self.best
        };
        match lines {
            Hay::Ascii(text) => text
                .split(|b| *b == b'\n')
                .any(|line| see(Hay::Ascii(line))),
            Hay::Wide(text) => text.split(|c| *c == '\n').any(|line| see(Hay::Wide(line))),
        };
        best
    }

    /// What most typed words do is begin a word of the text: that cannot be bettered, and it is
    /// seen without the matcher.
    fn wide(&self, text: &[char], tools: &mut Tools) -> Option<(u32, Fit)> {
        let (fit, initial) = fit::wide(&self.needle(), text);
        let score = match (self.best, &*self.chars, &*self.folded) {
            (Some(best), _, _) if initial => best,
            (Some(_), &[letter], &[folded]) => self.score_letter(letter, folded, text)?,
            _ => u32::from(self.wide_score(text, &mut tools.wide)?).clamp(1, MOST),
        };
        Some((score, fit))
    }

    /// The score of a word of one letter that begins no word of the text.
    fn score_letter(&self, letter: char, folded: u32, text: &[char]) -> Option<u32> {
        let (folder, needle) = (Folder::get(), self.needle());
        let points = |before: Option<char>, c: char| {
            let class = before.map_or(Class::Space, |c| folder.fold_and_class(c).1);
            16 + 2 * u32::from(folder.fold_and_class(c).1.bonus(class))
        };
        let before = std::iter::once(None).chain(text.iter().map(|&c| Some(c)));
        text.iter()
            .zip(before)
            .filter(|(c, _)| needle.is((folded, letter), (folder.fold(**c), **c)))
            .map(|(&c, before)| points(before, c))
            .max()
    }

    fn needle(&self) -> Needle<'_> {
        Needle {
            chars: &self.chars,
            folded: &self.folded,
            ignore_case: self.ignore_case,
            normalize: self.normalize,
        }
    }

    fn wide_score(&self, text: &[char], scratch: &mut Scratch) -> Option<u16> {
        let needle = self.needle();
        let place = match self.kind {
            Kind::Fuzzy => return needle.fuzzy(text, scratch),
            Kind::Exact => Place::Inside,
            Kind::Prefix => Place::Start,
            Kind::Suffix => Place::End,
            Kind::Whole => Place::Whole,
        };
        needle.run(text, place, scratch)
    }

    /// The rank of the word in the text of a memory.
    pub(super) fn score_body(&self, text: &str) -> Option<u32> {
        body::score(self, text)
    }

    /// Adds the places of the characters that match, counted in graphemes of the text.
    pub(super) fn places(&self, text: &[char], tools: &mut Tools, out: &mut Vec<u32>) {
        let bytes: Option<Vec<u8>> = text.iter().map(|&c| byte(c)).collect();
        let hay = match &bytes {
            Some(bytes) => Utf32Str::Ascii(bytes),
            None => Utf32Str::Unicode(text),
        };
        self.atom.indices(hay, &mut tools.nucleo, out);
    }

    /// Whether every text that this word matches is also matched by another.
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

fn byte(c: char) -> Option<u8> {
    u8::try_from(c).ok().filter(u8::is_ascii)
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
