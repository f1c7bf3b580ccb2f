//! Matching of ASCII texts, which nearly all are, in one pass over their bytes.
//!
//! The algorithm and the points are nucleo's (a test compares them). nucleo lays a matrix out for
//! every text; here a word's characters are looked up by byte, and what is worked out is only what
//! stands where one of them does. That takes a fifth of the time or less.

use memchr::{memchr2_iter, memrchr2};

use super::fold::Class;
use super::wide::{Cell, GAP_START};

/// Longer words are left to nucleo: they are rare, and match few texts.
const LONGEST: usize = 24;

/// What stands for a line feed among the places in a word: a word has no such place, and none
/// before it.
const LINE_FEED: u32 = 1 << 31;

/// Words from this length on are first looked for from the end: of texts that have fewer letters
/// nearly every one has them in order, and to know it saves nothing.
const LONG: usize = 3;

/// A word of ASCII, to be looked for in texts of ASCII.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Needle {
    /// The bits of the places in the word that a byte can take.
    places: Box<[u32; 256]>,
    bytes: Box<[u8]>,
    /// The same in upper case, where case does not matter.
    upper: Box<[u8]>,
    exact: bool,
}

/// The best ways to match up to each character of a word.
pub(super) type Ways = [Way; LONGEST];

/// The best way to match up to a character: in the last column where it stands, and in those
/// before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    cell: Cell,
    column: usize,
    /// The most of score and column together in earlier columns: a gap costs a point a column.
    earlier: usize,
}

impl Way {
    /// The best score to go on from after a gap that ends before a column.
    fn after_gap(&self, column: usize) -> u16 {
        let most = if self.column + 1 < column {
            self.with_last()
        } else {
            self.earlier
        };
        u16::try_from(most.saturating_sub(column + usize::from(GAP_START) - 2)).unwrap_or(u16::MAX)
    }

    fn with_last(&self) -> usize {
        self.earlier.max(usize::from(self.cell.score) + self.column)
    }
}

impl Needle {
    /// A word as it is compared; none where it has to be left to nucleo.
    pub(super) fn new(bytes: Box<[u8]>, ignore_case: bool, exact: bool) -> Option<Self> {
        // nucleo has ways of its own to find a run that does not begin with a letter of any case.
        let other = exact && !(ignore_case && bytes.first()?.is_ascii_lowercase());
        if bytes.len() > LONGEST || other {
            return None;
        }
        let mut upper = bytes.clone();
        if ignore_case {
            upper.make_ascii_uppercase();
        }
        let mut places = Box::new([0; 256]);
        *places.get_mut(usize::from(b'\n'))? = LINE_FEED;
        for (n, (&lower, &upper)) in bytes.iter().zip(&upper).enumerate() {
            for code in [lower, upper] {
                *places.get_mut(usize::from(code))? |= 1 << n;
            }
        }
        Some(Self {
            places,
            bytes,
            upper,
            exact,
        })
    }

    /// Its characters, where they may stand with gaps.
    pub(super) fn letters(&self) -> Option<&[u8]> {
        (!self.exact).then_some(&*self.bytes)
    }

    /// The score of the best match.
    pub(super) fn score(&self, text: &[u8], best: Option<u32>, ways: &mut Ways) -> Option<u32> {
        if self.exact {
            self.run(text)
        } else {
            self.fuzzy(text, best, ways, false)
        }
    }

    /// Whether [`score_lines`](Self::score_lines) takes it: a short word. Of longer ones most
    /// lines lack some letter, and are passed over one by one.
    pub(super) const fn takes_lines(&self) -> bool {
        !self.exact && self.bytes.len() < LONG
    }

    /// The score of the best match in one of the lines.
    pub(super) fn score_lines(
        &self,
        lines: &[u8],
        best: Option<u32>,
        ways: &mut Ways,
    ) -> Option<u32> {
        self.fuzzy(lines, best, ways, true)
    }

    fn places(&self, byte: u8) -> u32 {
        self.places
            .get(usize::from(byte))
            .copied()
            .unwrap_or_default()
    }

    /// The text as far as the word can reach in it; none where it does not have the word's
    /// characters in their order.
    fn within<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        let mut letters = self.bytes.iter().zip(&self.upper).rev();
        let (&lower, &upper) = letters.next()?;
        let last = memrchr2(lower, upper, text)?;
        let mut end = last;
        for (&lower, &upper) in letters {
            end = memrchr2(lower, upper, text.get(..end)?)?;
        }
        text.get(..=last)
    }

    /// A bit for each byte that is one of the word's, of up to 64. Without a branch: whether a byte
    /// is one cannot be guessed.
    fn columns(&self, bytes: &[u8]) -> u64 {
        bytes.iter().rev().fold(0, |columns, &byte| {
            columns << 1 | u64::from(self.places(byte) != 0)
        })
    }

    /// The score of the best match with gaps, which reach beyond a line feed only where the text
    /// is not taken for `lines`. It ends early where a match is as good as any can be.
    fn fuzzy(&self, text: &[u8], best: Option<u32>, ways: &mut Ways, lines: bool) -> Option<u32> {
        let text = if self.bytes.len() < LONG {
            text
        } else {
            self.within(text)?
        };
        let last = self.bytes.len() - 1;
        // The places before which all of the word was found.
        let mut open = 1;
        let mut most = 0;
        for (n, bytes) in text.chunks(64).enumerate() {
            let mut columns = self.columns(bytes);
            while columns != 0 {
                let column = 64 * n + columns.trailing_zeros() as usize;
                columns &= columns - 1;
                let byte = *text.get(column)?;
                let mut places = self.places(byte) & open;
                if places == 0 {
                    if lines && byte == b'\n' {
                        open = 1;
                    }
                    continue;
                }
                let before = column.checked_sub(1).and_then(|before| text.get(before));
                let bonus = Class::ascii(byte).bonus(Class::ascii(*before.unwrap_or(&b' ')));
                let known = open >> 1;
                open |= places << 1;
                // From the last place on: each goes on from the one before as it was.
                while places != 0 {
                    let place = 31 - places.leading_zeros();
                    places &= !(1 << place);
                    let at = place as usize;
                    let cell = step(ways, at, column, bonus);
                    let way = ways.get_mut(at)?;
                    let earlier = if known >> place & 1 == 1 {
                        way.with_last()
                    } else {
                        0
                    };
                    *way = Way {
                        cell,
                        column,
                        earlier,
                    };
                    if at == last && cell.score > most {
                        most = cell.score;
                        if best == Some(u32::from(most)) {
                            return best;
                        }
                    }
                }
            }
        }
        (most > 0).then(|| u32::from(most))
    }

    /// The score of the run that begins best, without gaps.
    fn run(&self, text: &[u8]) -> Option<u32> {
        let room = text.len().checked_sub(self.bytes.len())?;
        let (&lower, &upper) = (self.bytes.first()?, self.upper.first()?);
        let mut found: Option<(u16, &[u8])> = None;
        for column in memchr2_iter(lower, upper, text.get(..=room)?) {
            let here = text.get(column..column + self.bytes.len())?;
            let before = column.checked_sub(1).and_then(|before| text.get(before));
            let bonus = Class::ascii(*here.first()?).bonus(Class::ascii(*before.unwrap_or(&b' ')));
            if found.is_none_or(|(most, _)| bonus > most) && here.eq_ignore_ascii_case(&self.bytes)
            {
                found = Some((bonus, here));
                if bonus == Class::BEST {
                    break;
                }
            }
        }
        let (bonus, run) = found?;
        let mut cell = Cell::first(bonus);
        for (before, byte) in run.iter().zip(run.iter().skip(1)) {
            cell = cell.then(0, Class::ascii(*byte).bonus(Class::ascii(*before)));
        }
        Some(u32::from(cell.score))
    }
}

/// The best way to match up to a place of the word in this column.
fn step(ways: &Ways, place: usize, column: usize, bonus: u16) -> Cell {
    let Some(from) = place.checked_sub(1).and_then(|before| ways.get(before)) else {
        return Cell::first(bonus);
    };
    let beside = if from.column + 1 == column {
        from.cell
    } else {
        Cell::default()
    };
    beside.then(from.after_gap(column), bonus)
}

#[cfg(test)]
mod tests {
    use nucleo::pattern::{Atom, AtomKind, CaseMatching, Normalization};
    use nucleo::{Matcher, Utf32Str};
    use proptest::prelude::*;

    use crate::search::word::{Hay, Kind, MOST, Word, with_tools};

    fn ours(needle: &str, text: &str, kind: Kind) -> Option<u32> {
        let word = Word::new(needle, kind).unwrap();
        with_tools(|tools| word.score(Hay::Ascii(text.as_bytes()), tools))
    }

    fn theirs(needle: &str, text: &str, kind: AtomKind) -> Option<u32> {
        let (case, accents) = (CaseMatching::Smart, Normalization::Smart);
        let atom = Atom::new(needle, case, accents, kind, false);
        let score = atom.score(Utf32Str::Ascii(text.as_bytes()), &mut Matcher::default());
        score.map(|score| u32::from(score).clamp(1, MOST))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]
        #[test]
        fn it_scores_as_nucleo_does(needle in "[abcA1 -]{1,5}", text in "[abcABC1/_ -]{0,24}") {
            prop_assert_eq!(ours(&needle, &text, Kind::Fuzzy), theirs(&needle, &text, AtomKind::Fuzzy));
            prop_assert_eq!(ours(&needle, &text, Kind::Exact), theirs(&needle, &text, AtomKind::Substring));
        }

        #[test]
        fn the_best_line_counts(needle in "[abA1]{1,3}", lines in proptest::collection::vec("[abAB1_ -]{0,12}", 0..5)) {
            let word = Word::new(&needle, Kind::Fuzzy).unwrap();
            let best = lines.iter().filter_map(|line| theirs(&needle, line, AtomKind::Fuzzy)).max();
            let text = lines.join("\n");
            prop_assert_eq!(with_tools(|tools| word.score_lines(Hay::Ascii(text.as_bytes()), tools)), best);
        }

        #[test]
        fn long_gaps_cost_the_same(needle in "[ab]{2,4}", texts in proptest::collection::vec("[abA /]{1,3}", 1..5), gap in 0_usize..70) {
            let text = texts.join(&"x".repeat(gap));
            prop_assert_eq!(ours(&needle, &text, Kind::Fuzzy), theirs(&needle, &text, AtomKind::Fuzzy));
        }

        #[test]
        fn long_words_and_any_character_score_the_same(needle in "[ -~]{1,30}", text in "[ -~]{0,60}", more in "[ -~]{0,9}") {
            for text in [format!("{text}{needle}{more}"), text] {
                prop_assert_eq!(ours(&needle, &text, Kind::Fuzzy), theirs(&needle, &text, AtomKind::Fuzzy));
                prop_assert_eq!(ours(&needle, &text, Kind::Exact), theirs(&needle, &text, AtomKind::Substring));
            }
        }
    }
}
