//! Fuzzy matching of texts that are not ASCII.
//!
//! The algorithm and the points are nucleo's (a test compares them), the characters are folded by
//! table. nucleo itself needs up to 1 µs for such a title, ten times the time there is for one.

use super::fold::{Class, Folder, adapt};

pub(super) const MATCH: u16 = 16;
pub(super) const GAP_START: u16 = 3;
pub(super) const GAP_EXTENSION: u16 = 1;
pub(super) const CONSECUTIVE: u16 = 4;
pub(super) const BOUNDARY: u16 = 8;

/// The word to look for.
#[derive(Clone, Copy)]
pub(super) struct Needle<'a> {
    /// Its characters as nucleo compares them.
    pub chars: &'a [char],
    /// Its characters folded.
    pub folded: &'a [u32],
    /// A lower-case letter matches its upper-case form.
    pub ignore_case: bool,
    /// A letter without accent matches one with.
    pub normalize: bool,
}

/// Where a needle has to stand in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Anywhere.
    Inside,
    /// At the beginning.
    Start,
    /// At the end.
    End,
    /// It is the text.
    Whole,
}

/// The best way to match up to a needle's character, which stands at a column.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// Its points.
    pub score: u16,
    run_bonus: u16,
    hit: bool,
}

/// Memory that is used again for each text.
#[derive(Default)]
pub(super) struct Scratch {
    folded: Vec<u32>,
    bonus: Vec<u16>,
    starts: Vec<usize>,
    row: Vec<Cell>,
    next: Vec<Cell>,
}

impl Needle<'_> {
    /// Whether a character of the text is this one of the needle. Nearly always the folded forms
    /// decide; the needle's own case and accents are asked only where it has some.
    pub(super) fn is(&self, n: (u32, char), h: (u32, char)) -> bool {
        n.0 == h.0
            && ((self.ignore_case && self.normalize)
                || adapt(h.1, self.ignore_case, self.normalize) == n.1)
    }

    /// Its characters, folded and as compared.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, char)> {
        self.folded.iter().copied().zip(self.chars.iter().copied())
    }

    /// The score of the best fuzzy match.
    pub(super) fn fuzzy(&self, text: &[char], scratch: &mut Scratch) -> Option<u16> {
        if !self.first_columns(text, scratch) {
            return None;
        }
        scratch.set_bonus(text);
        let mut needle = self.pairs().zip(scratch.starts.iter().copied());
        let (first, start) = needle.next()?;
        scratch.row.clear();
        scratch.row.resize(text.len(), Cell::default());
        let columns = scratch.folded.iter().zip(text).zip(&scratch.bonus);
        for (cell, ((&f, &c), &bonus)) in scratch.row.iter_mut().zip(columns).skip(start) {
            if self.is(first, (f, c)) {
                *cell = Cell::first(bonus);
            }
        }
        let mut before = start;
        for (n, start) in needle {
            scratch.next.clear();
            scratch.next.resize(text.len(), Cell::default());
            let columns = scratch.folded.iter().zip(text).zip(&scratch.bonus);
            let columns = columns.zip(&mut scratch.next).skip(before + 1);
            let (mut gap, mut last) = (0_u16, 0_u16);
            for (cell, (((&f, &c), &bonus), next)) in scratch.row.iter().skip(before).zip(columns) {
                gap = last
                    .saturating_sub(GAP_START)
                    .max(gap.saturating_sub(GAP_EXTENSION));
                if self.is(n, (f, c)) {
                    *next = cell.then(gap, bonus);
                }
                last = cell.score;
            }
            std::mem::swap(&mut scratch.row, &mut scratch.next);
            before = start;
        }
        scratch.row.iter().map(|cell| cell.score).max()
    }

    /// Finds the first column at which each character of the needle can stand.
    fn first_columns(&self, text: &[char], scratch: &mut Scratch) -> bool {
        scratch.fold(text);
        scratch.starts.clear();
        let mut needle = self.pairs().peekable();
        for (column, h) in scratch
            .folded
            .iter()
            .copied()
            .zip(text.iter().copied())
            .enumerate()
        {
            match needle.peek() {
                Some(&n) if self.is(n, h) => {
                    scratch.starts.push(column);
                    needle.next();
                }
                Some(_) => {}
                None => break,
            }
        }
        needle.peek().is_none()
    }

    /// The score of the best match without gaps.
    pub(super) fn run(&self, text: &[char], place: Place, scratch: &mut Scratch) -> Option<u16> {
        let room = text.len().checked_sub(self.chars.len())?;
        scratch.fold(text);
        scratch.set_bonus(text);
        let (from, to) = match place {
            Place::Inside => (0, room),
            Place::Start => (0, 0),
            Place::End => (room, room),
            Place::Whole if room == 0 => (0, 0),
            Place::Whole => return None,
        };
        let text_pairs = scratch.folded.iter().copied().zip(text.iter().copied());
        (from..=to)
            .filter(|&at| {
                let mut here = text_pairs.clone().skip(at);
                self.pairs()
                    .all(|n| here.next().is_some_and(|h| self.is(n, h)))
            })
            .map(|at| scratch.run_score(at, self.chars.len()))
            .max()
    }
}

impl Cell {
    /// The cell of the needle's first character.
    pub(super) const fn first(bonus: u16) -> Self {
        Self {
            score: MATCH + 2 * bonus,
            run_bonus: bonus,
            hit: true,
        }
    }

    /// The cell of the needle's next character one column on.
    pub(super) fn then(self, gap: u16, bonus: u16) -> Self {
        let apart = Self {
            score: gap + bonus + MATCH,
            run_bonus: bonus,
            hit: true,
        };
        if !self.hit {
            return apart;
        }
        let mut run_bonus = self.run_bonus.max(CONSECUTIVE);
        if bonus >= BOUNDARY && bonus > run_bonus {
            run_bonus = bonus;
        }
        let score = self.score + run_bonus.max(bonus) + MATCH;
        if score > apart.score {
            Self {
                score,
                run_bonus,
                hit: true,
            }
        } else {
            apart
        }
    }
}

impl Scratch {
    fn fold(&mut self, text: &[char]) {
        let folder = Folder::get();
        self.folded.clear();
        self.folded.extend(text.iter().map(|&c| folder.fold(c)));
    }

    fn set_bonus(&mut self, text: &[char]) {
        let folder = Folder::get();
        let mut before = Class::Space;
        self.bonus.clear();
        self.bonus.extend(text.iter().map(|&c| {
            let (_, class) = folder.fold_and_class(c);
            let bonus = class.bonus(before);
            before = class;
            bonus
        }));
    }

    fn run_score(&self, at: usize, len: usize) -> u16 {
        let mut bonuses = self.bonus.iter().copied().skip(at).take(len);
        let mut first = bonuses.next().unwrap_or(0);
        bonuses.fold(MATCH + 2 * first, |score, bonus| {
            if bonus >= BOUNDARY && bonus > first {
                first = bonus;
            }
            score + MATCH + bonus.max(first).max(CONSECUTIVE)
        })
    }
}

#[cfg(test)]
mod tests {
    use nucleo::pattern::{Atom, AtomKind, CaseMatching, Normalization};
    use nucleo::{Matcher, Utf32Str};
    use proptest::prelude::*;

    use crate::search::word::{Hay, Kind, MOST, Word, with_tools};

    fn ours(needle: &str, text: &[char], kind: Kind) -> Option<u32> {
        let word = Word::new(needle, kind).unwrap();
        with_tools(|tools| word.score(Hay::Wide(text), tools))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        // Of one letter nucleo takes the class of the last match for that of the letter before.
        #[test]
        fn it_scores_as_nucleo_does(needle in "[abcé1Жд ]{2,4}", text in "[abcABCéÉжЖдД日12/_ -]{1,16}") {
            let text: Vec<char> = text.chars().collect();
            let (case, accents) = (CaseMatching::Smart, Normalization::Smart);
            let atom = Atom::new(&needle, case, accents, AtomKind::Fuzzy, false);
            let theirs = atom.score(Utf32Str::Unicode(&text), &mut Matcher::default());
            let theirs = theirs.map(|score| u32::from(score).clamp(1, MOST));
            prop_assert_eq!(ours(&needle, &text, Kind::Fuzzy), theirs);
        }

        #[test]
        fn runs_are_found_where_they_stand(needle in "é[abéж ]{0,2}", text in "[abéж ]{0,8}") {
            let chars: Vec<char> = text.chars().collect();
            let finds = |kind| ours(&needle, &chars, kind).is_some();
            prop_assert_eq!(finds(Kind::Exact), text.contains(&needle));
            prop_assert_eq!(finds(Kind::Prefix), text.starts_with(&needle));
            prop_assert_eq!(finds(Kind::Suffix), text.ends_with(&needle));
            prop_assert_eq!(finds(Kind::Whole), text == needle);
        }
    }
}
