//! Titles of ASCII side by side, so that a word is matched with many of them at once.
//!
//! Of 32 titles the first letters stand together, then the second ones, and so on. A step of the
//! matcher is taken for all 32 by the same few instructions on bytes, which the compiler makes
//! vector instructions of, the widest that the processor has, and without a branch: where a letter
//! stands cannot be guessed, and wrong guesses are most of what one title at a time costs. The
//! algorithm and the points are nucleo's, as in [`ascii`](super::ascii) (a test compares the two).

use pulp::{Arch, Simd, WithSimd};

#[cfg(doc)]
use super::fit::Fit;
use super::fold::Class;
use super::wide::{BOUNDARY, CONSECUTIVE, GAP_EXTENSION, GAP_START, MATCH};

/// Titles that stand side by side.
pub(super) const LANES: usize = 32;

/// A bit for each of them.
pub(super) type Bits = u32;
const _: () = assert!(Bits::BITS as usize == LANES);

/// Longer titles are left out: the others beside them would be gone through as far.
const WIDEST: usize = 128;

/// Longer words are left out: their points would not fit into a byte, and few titles have their
/// letters.
pub(super) const LONGEST: usize = 8;
const _: () = assert!((MATCH + Class::BEST) as usize * LONGEST + Class::BEST as usize <= 255);

/// What stands where a title has ended: no letter of a word.
const NOTHING: u8 = 0xff;

/// A byte of each title.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes([u8; LANES]);

/// The titles, in groups of [`LANES`] in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    groups: Vec<Group>,
    columns: Vec<Column>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    /// Its first column.
    start: u32,
    /// Columns it has.
    len: u8,
    /// A bit for each title that is here.
    here: Bits,
}

/// What stands at one place of each title.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// The characters, in lower case.
    letters: Lanes,
    /// What a match with each earns beside its points, half a byte each: those of the first half of
    /// the titles below those of the second.
    bonus: [u8; LANES / 2],
}
const _: () = assert!(Class::BEST < 16);

impl Column {
    #[inline(always)]
    fn bonus(&self) -> Lanes {
        let mut all = [0; LANES];
        let (first, second) = all.split_at_mut(LANES / 2);
        for ((first, second), both) in first.iter_mut().zip(second).zip(self.bonus) {
            *first = both & 0xf;
            *second = both >> 4;
        }
        Lanes(all)
    }
}

impl Columns {
    /// Adds a group of titles; those that are no ASCII, or long, are none.
    pub(super) fn push(&mut self, titles: &[Option<&[u8]>; LANES]) {
        let title = |lane: usize| {
            let title = titles.get(lane).copied().flatten()?;
            (title.len() <= WIDEST).then_some(title)
        };
        let here = (0..LANES).filter(|lane| title(*lane).is_some());
        let len = (0..LANES).filter_map(|lane| title(lane).map(<[u8]>::len));
        let (Ok(start), Ok(len)) = (
            u32::try_from(self.columns.len()),
            u8::try_from(len.max().unwrap_or(0)),
        ) else {
            return;
        };
        self.groups.push(Group {
            start,
            len,
            here: here.fold(0, |here, lane| here | 1 << lane),
        });
        for column in 0..usize::from(len) {
            let mut letters = Lanes::of(NOTHING);
            let mut all = [0; LANES];
            let places = letters.0.iter_mut().zip(&mut all);
            for (lane, (letter, bonus)) in places.enumerate() {
                let Some(title) = title(lane) else { continue };
                let Some(byte) = title.get(column) else {
                    continue;
                };
                let before = column.checked_sub(1).and_then(|before| title.get(before));
                let class = Class::ascii(*before.unwrap_or(&b' '));
                *letter = byte.to_ascii_lowercase();
                *bonus = u8::try_from(Class::ascii(*byte).bonus(class)).unwrap_or(0);
            }
            let (first, second) = all.split_at(LANES / 2);
            let mut bonus = [0; LANES / 2];
            for (both, (first, second)) in bonus.iter_mut().zip(first.iter().zip(second)) {
                *both = first | second << 4;
            }
            self.columns.push(Column { letters, bonus });
        }
    }

    /// Titles there are places for.
    pub(super) fn titles(&self) -> usize {
        self.groups.len() * LANES
    }

    /// The bits of the titles of a group that are here.
    pub(super) fn here(&self, group: usize) -> Bits {
        self.groups.get(group).map_or(0, |group| group.here)
    }

    /// The score of a word of up to [`LONGEST`] letters in lower case in each title of a group,
    /// 0 where it does not match, and the [`Fit`] of the word there as a number.
    pub(super) fn score(&self, group: usize, word: &[u8]) -> Scored {
        let columns = self.groups.get(group).and_then(|group| {
            let start = group.start as usize;
            self.columns.get(start..start + usize::from(group.len))
        });
        let columns = columns.unwrap_or_default();
        Arch::new().dispatch(Best { columns, word })
    }

    pub(super) fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<Group>() + self.columns.capacity() * size_of::<Column>()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.groups.shrink_to_fit();
        self.columns.shrink_to_fit();
    }
}

/// The scores of a group of titles, and their fits.
pub(super) type Scored = ([u8; LANES], [u8; LANES]);

/// The letters of the word up to one place stand side by side and end at the last column.
const STANDS: u8 = 1;
/// The same, and the first of them begins a word of the title.
const BEGINS: u8 = 2;

/// How well a word matches up to one of its letters.
#[derive(Clone, Copy)]
struct Place {
    letter: Lanes,
    /// The points where it stands in the last column, 0 where it does not.
    score: Lanes,
    /// The bonus of the run that ends with it there.
    run: Lanes,
    /// The points to go on from behind a gap.
    gap: Lanes,
    /// All bits where it has stood before the last column or in it.
    seen: Lanes,
    /// [`STANDS`] and [`BEGINS`] for the last column.
    stands: Lanes,
}

/// The work of [`Columns::score`], made for each kind of processor: all of it is inlined there.
struct Best<'a> {
    columns: &'a [Column],
    word: &'a [u8],
}

impl WithSimd for Best<'_> {
    type Output = Scored;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Scored {
        let columns = self.columns;
        match *self.word {
            [a] => best(columns, [a]),
            [a, b] => best(columns, [a, b]),
            [a, b, c] => best(columns, [a, b, c]),
            [a, b, c, d] => best(columns, [a, b, c, d]),
            [a, b, c, d, e] => best(columns, [a, b, c, d, e]),
            [a, b, c, d, e, f] => best(columns, [a, b, c, d, e, f]),
            [a, b, c, d, e, f, g] => best(columns, [a, b, c, d, e, f, g]),
            [a, b, c, d, e, f, g, h] => best(columns, [a, b, c, d, e, f, g, h]),
            _ => ([0; LANES], [0; LANES]),
        }
    }
}

/// All bits for a condition that is the same in every title.
const fn all_if(holds: bool) -> Lanes {
    Lanes::of(if holds { 0xff } else { 0 })
}

#[inline(always)]
fn best<const LETTERS: usize>(columns: &[Column], word: [u8; LETTERS]) -> Scored {
    let is_letter = |letter: Option<&u8>| letter.is_some_and(|byte| Class::ascii(*byte).is_word());
    // A sign is no part of a word: one begins with it, or ends, wherever it stands.
    let opens = all_if(!is_letter(word.first()));
    let closes = all_if(!is_letter(word.last()));
    let mut places = word.map(|letter| Place {
        letter: Lanes::of(letter),
        score: Lanes::of(0),
        run: Lanes::of(0),
        gap: Lanes::of(0),
        seen: Lanes::of(0),
        stands: Lanes::of(0),
    });
    let mut most = Lanes::of(0);
    let (mut found, mut whole) = (Lanes::of(0), Lanes::of(0));
    for column in columns {
        let bonus = column.bonus();
        let begins = opens.or(bonus.more(Lanes::of(low(BOUNDARY) - 1)));
        let first = begins.and(Lanes::of(BEGINS)).or(Lanes::of(STANDS));
        let ends = closes.or(column.letters.no_letters());
        whole = whole.or(places.last().map_or(whole, |last| last.stands.and(ends)));
        let apart = bonus.plus(Lanes::of(low(MATCH)));
        let strong = bonus.and(bonus.more(Lanes::of(low(BOUNDARY) - 1)));
        // What the letter before came to in the last column; before the first one nothing did.
        let mut before: Option<Place> = None;
        for place in &mut places {
            let is = column.letters.same(place.letter);
            let (score, run) = match before {
                None => (apart.plus(bonus).and(is), bonus),
                Some(before) => {
                    let run = before.run.max(Lanes::of(low(CONSECUTIVE))).max(strong);
                    let beside = before
                        .score
                        .plus(run.max(bonus))
                        .plus(Lanes::of(low(MATCH)));
                    let beside = beside.and(before.score.more(Lanes::of(0)));
                    let apart = before.gap.plus(apart);
                    let score = beside.max(apart).and(is).and(before.seen);
                    (score, beside.more(apart).choose(run, bonus))
                }
            };
            let stands = before.map_or(first, |before| before.stands).and(is);
            before = Some(*place);
            let gap = place.score.less(Lanes::of(low(GAP_START)));
            *place = Place {
                letter: place.letter,
                score,
                run,
                gap: gap.max(place.gap.less(Lanes::of(low(GAP_EXTENSION)))),
                seen: place.seen.or(score.more(Lanes::of(0))),
                stands,
            };
        }
        if let Some(last) = places.last() {
            most = most.max(last.score);
            found = found.or(last.stands);
        }
    }
    // The longest titles of the group end here.
    whole = whole.or(places.last().map_or(whole, |last| last.stands));
    let inside = found.and(Lanes::of(STANDS));
    let begins = found.and(Lanes::of(BEGINS)).half();
    let whole = whole.and(Lanes::of(BEGINS)).half();
    (most.0, inside.plus(begins).plus(whole).0)
}

#[expect(clippy::cast_possible_truncation, reason = "points of one letter")]
const fn low(points: u16) -> u8 {
    points as u8
}

impl Lanes {
    const fn of(byte: u8) -> Self {
        Self([byte; LANES])
    }

    #[inline(always)]
    fn each(mut self, other: Self, both: impl Fn(u8, u8) -> u8) -> Self {
        for (one, other) in self.0.iter_mut().zip(other.0) {
            *one = both(*one, other);
        }
        self
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.each(other, u8::wrapping_add)
    }

    /// The difference, 0 where it would be less.
    #[inline(always)]
    fn less(self, other: Self) -> Self {
        self.each(other, u8::saturating_sub)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.each(other, u8::max)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.each(other, |one, other| one & other)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.each(other, |one, other| one | other)
    }

    /// Half of each.
    #[inline(always)]
    fn half(self) -> Self {
        self.each(self, |one, _| one >> 1)
    }

    /// All bits where neither a lower-case letter nor a digit stands.
    #[inline(always)]
    fn no_letters(self) -> Self {
        self.each(self, |one, _| {
            let word = one.wrapping_sub(b'a') < 26 || one.wrapping_sub(b'0') < 10;
            if word { 0 } else { 0xff }
        })
    }

    /// All bits where both are the same.
    #[inline(always)]
    fn same(self, other: Self) -> Self {
        self.each(other, |one, other| if one == other { 0xff } else { 0 })
    }

    /// All bits where this is more.
    #[inline(always)]
    fn more(self, other: Self) -> Self {
        self.each(other, |one, other| if one > other { 0xff } else { 0 })
    }

    /// The one where all bits are set here, else the other.
    #[inline(always)]
    fn choose(self, one: Self, other: Self) -> Self {
        self.and(one)
            .or(self.each(other, |mask, other| !mask & other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::fit::Fit;
    use crate::search::word::{Hay, Kind, Word, with_tools};

    fn title() -> impl Strategy<Value = Option<String>> {
        let gap = (0_usize..70).prop_map(|gap| "x".repeat(gap));
        let parts = proptest::collection::vec(prop_oneof!["[abcABC1/_ -]{0,24}", gap], 0..4);
        proptest::option::weighted(0.9, parts.prop_map(|parts| parts.concat()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn many_titles_score_as_one_does(titles in proptest::collection::vec(title(), LANES), word in "[abc1 /_-]{1,8}") {
            let word = Word::new(&word, Kind::Fuzzy).unwrap();
            let Some(letters) = word.letters() else { return Ok(()) };
            let mut columns = Columns::default();
            let bytes: Vec<_> = titles.iter().map(|title| title.as_deref().map(str::as_bytes)).collect();
            // In the second group, beside other titles.
            columns.push(&[Some(b"another"); LANES]);
            columns.push(&bytes.clone().try_into().unwrap());
            let (scores, fits) = columns.score(1, letters);
            for (lane, title) in bytes.into_iter().enumerate() {
                let here = title.filter(|title| title.len() <= WIDEST);
                prop_assert_eq!(columns.here(1) >> lane & 1 == 1, here.is_some());
                let alone = here.and_then(|title| with_tools(|tools| word.score(Hay::Ascii(title), tools)));
                prop_assert_eq!(u32::from(scores[lane]), alone.unwrap_or(0), "{:?}", title);
                let fit = here.map_or(Fit::Scattered, |title| word.fit(Hay::Ascii(title)));
                prop_assert_eq!(fits[lane], fit as u8, "{:?}", title);
            }
        }
    }
}
