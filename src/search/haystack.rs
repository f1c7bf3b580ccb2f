//! The texts of memories that words look in, laid out for the matcher: title, tags, the id's LOCAL
//! and the description, all memories in two flat buffers.

use std::sync::Arc;

use memchr::memchr_iter;

use super::columns::{Bits, Columns, LANES};
use super::fit::Fit;
use super::known::{Known, Scores, Where};
use super::phrase::{Phrase, head};
use super::rank::Found;
use super::texts::{REST_LONGEST, Span, Texts, edges, initials, mask, push_part};
use super::word::{Hay, Kind, Tools, Word};
use crate::memory::schema;
use crate::memory::{Memory, Role, Value};

/// The text of every memory in the form the fuzzy matcher reads fastest.
///
/// An ASCII memory takes its texts' length and 80 bytes; a character of a text that is not ASCII
/// takes 4 bytes.
#[derive(Clone, Debug, Default)]
pub struct Haystacks {
    texts: Texts,
    /// Apart from the rest: most memories are known by them not to match.
    masks: Vec<Masks>,
    /// How each title begins, where it is ASCII; apart because every hit is asked for it.
    heads: Vec<u64>,
    rows: Vec<Entry>,
    /// The titles once more, but for the last few.
    columns: Columns,
    known: Known,
    /// Some format has tags that are not compared as tags are.
    odd_tags: bool,
}

/// The bits of the characters of one memory's texts.
#[derive(Clone, Copy, Debug, Default)]
struct Masks {
    title: u64,
    /// Characters of the tags, LOCAL and the description.
    rest: u64,
}

/// One memory's texts in the buffers.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    title: Span,
    /// Tags and LOCAL, with line feeds between them.
    rest: Span,
    description: Span,
    /// The bits of the characters that a word of the title begins with behind a blank, where it is
    /// ASCII.
    initials: u64,
    /// The bits of the characters that a word of tags and LOCAL begins with.
    starts: u64,
    /// The bits of the characters that are a word of their own anywhere.
    alone: u64,
}

/// One memory's texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    all: &'a Haystacks,
    index: usize,
    /// What is known of words.
    known: &'a [Scores<'a>],
}

impl Haystacks {
    /// The texts of these memories, in their order.
    pub fn build(memories: &[Arc<Memory>]) -> Self {
        let mut all = Self::default();
        all.extend(memories.iter().map(|memory| &**memory));
        all.texts.ascii.shrink_to_fit();
        all.texts.wide.shrink_to_fit();
        all.masks.shrink_to_fit();
        all.heads.shrink_to_fit();
        all.rows.shrink_to_fit();
        all.columns.shrink_to_fit();
        all
    }

    /// Adds the texts of more memories, in their order.
    pub fn extend<'a>(&mut self, memories: impl IntoIterator<Item = &'a Memory>) {
        let mut rest = String::new();
        for memory in memories {
            let spec = memory.schema.role(Role::Tags);
            let observes = memory.schema.can.observations;
            self.odd_tags |= observes || spec.is_some_and(|spec| spec.kind != schema::Kind::Tags);
            rest.clear();
            for tag in memory.tags() {
                push_part(&mut rest, tag);
            }
            push_part(&mut rest, &memory.id.local);
            // The mark of a title that was cut is no part of it: with it a plain text would be
            // none, and take four times the room and the time.
            let title = memory.title.trim();
            let title = title.strip_suffix('…').unwrap_or(title);
            let description = memory.role(Role::Description).and_then(Value::as_str);
            let description = description.unwrap_or_default();
            self.masks.push(Masks {
                title: mask(title),
                // The body, which is not here, has the tags of observations.
                rest: match observes {
                    true => u64::MAX,
                    false => mask(&rest) | mask(description),
                },
            });
            let (_, alone) = edges(title);
            let (starts, rest_alone) = edges(&rest);
            let title = self.texts.push(title);
            let rest = self.texts.push(&rest);
            let description = self.texts.push(description);
            let (initials, head) = match self.texts.hay(title).map(Hay::head) {
                Some(Hay::Ascii(title)) => (initials(title), head(title)),
                _ => (0, 0),
            };
            self.heads.push(head);
            self.rows.push(Entry {
                title,
                rest,
                description,
                initials,
                starts,
                alone: alone | rest_alone,
            });
            self.stand_side_by_side();
        }
    }

    /// Puts the titles side by side once there are enough more of them.
    fn stand_side_by_side(&mut self) {
        let start = self.columns.titles();
        if self.rows.len() < start + LANES {
            return;
        }
        let titles: [_; LANES] = std::array::from_fn(|lane| {
            match self.texts.hay(self.rows.get(start + lane)?.title)? {
                Hay::Ascii(title) => Some(title),
                Hay::Wide(_) => None,
            }
        });
        self.columns.push(&titles);
    }

    /// Number of memories.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.texts.ascii.capacity()
            + self.texts.wide.capacity() * size_of::<char>()
            + self.masks.capacity() * size_of::<Masks>()
            + self.heads.capacity() * size_of::<u64>()
            + self.rows.capacity() * size_of::<Entry>()
            + self.columns.bytes()
    }

    /// The bits of a memory's characters.
    pub(super) fn mask(&self, index: usize) -> Option<u64> {
        self.masks.get(index).map(|masks| masks.title | masks.rest)
    }

    /// The bits of those of [`LANES`] memories that have all these characters, or are not here.
    pub(super) fn having(&self, start: usize, mask: u64) -> Bits {
        self.bits(start, |masks| mask & !(masks.title | masks.rest) == 0)
    }

    /// A bit for each of [`LANES`] memories of which something holds, or that is not here. All are
    /// asked: whether one is wanted cannot be guessed, and a wrong guess costs more.
    fn bits(&self, start: usize, holds: impl Fn(&Masks) -> bool) -> Bits {
        let masks = self.masks.get(start..).unwrap_or_default();
        let here = masks.len().min(LANES);
        let masks = masks.get(..here).unwrap_or_default();
        let beyond = Bits::MAX.checked_shl(u32::try_from(here).unwrap_or(0));
        let each = masks.iter().enumerate();
        each.fold(beyond.unwrap_or(0), |all, (lane, masks)| {
            all | Bits::from(holds(masks)) << lane
        })
    }

    /// Looks for words in the titles of some of [`LANES`] memories, the first of which is a
    /// multiple of it: in all of them at once where it is not less work to go to each.
    pub(super) fn look_in_titles(
        &self,
        start: usize,
        some: Bits,
        known: &[Scores<'_>],
        tools: &mut Tools,
    ) {
        let group = start / LANES;
        let here = some & self.columns.here(group);
        for known in known {
            let word = known.word();
            let Some(letters) = word.letters().filter(|_| here != 0) else {
                continue;
            };
            let is_initial = |lane: usize| {
                let entry = self.rows.get(start + lane);
                entry.is_some_and(|entry| word.as_initial(entry.initials).is_some())
            };
            let fitting = here & self.bits(start, |masks| word.mask & !masks.title == 0);
            let asks = |lane: &usize| {
                known.asks(start + lane) && !(letters.len() == 1 && is_initial(*lane))
            };
            let asked = lanes(fitting)
                .filter(asks)
                .fold(0, |all, lane| all | 1 << lane);
            if Bits::count_ones(asked) < FEW {
                continue;
            }
            let (scores, fits) = self.columns.score(group, letters);
            for (lane, (score, fit)) in scores.into_iter().zip(fits).enumerate() {
                if asked >> lane & 1 == 1 {
                    let index = start + lane;
                    let in_title = || Found::new(Fit::from(fit), true, score.into());
                    let found = (score > 0).then(in_title);
                    let found = found.map(|found| self.closest(index, word, found, tools));
                    known.in_title(index, found);
                }
            }
        }
    }

    /// The closest match of a word that the title has: in the title, else in the tags and LOCAL, else
    /// in the description. Scattered letters in the title count less than a match elsewhere.
    fn closest(&self, index: usize, word: &Word, in_title: Found, tools: &mut Tools) -> Found {
        let mut in_rest = || {
            let (masks, entry) = (self.masks.get(index)?, self.rows.get(index)?);
            let most = match word.first & entry.starts {
                0 => Fit::Inside,
                // One letter is a word only where it stands alone.
                _ if word.mask & !entry.alone != 0 && word.chars.len() == 1 => Fit::Begins,
                _ => Fit::Whole,
            };
            if word.mask & !masks.rest != 0 || in_title.is(most) {
                return None;
            }
            let rest = self.texts.hay(entry.rest)?;
            let fit = word.fit(rest);
            if in_title.is(fit) {
                return None;
            }
            if in_title.is(Fit::Inside) {
                return Some(in_title.at(fit));
            }
            Some(Found::new(fit, false, word.score_lines(rest, tools)?))
        };
        let found = in_rest().unwrap_or(in_title);
        self.or_in_description(index, word, Some(found))
            .unwrap_or(found)
    }

    /// The match of a word in the other texts, or its match in the description if the other texts
    /// have only its scattered letters. Scattered letters in a description are no match.
    fn or_in_description(&self, index: usize, word: &Word, found: Option<Found>) -> Option<Found> {
        if found.is_some_and(|found| found.is(Fit::Inside)) {
            return found;
        }
        let entry = self.rows.get(index);
        let text = entry.and_then(|entry| self.texts.hay(entry.description));
        let text = text.filter(|_| matches!(word.kind, Kind::Fuzzy | Kind::Exact));
        let fit = text.map(|text| word.fit(text));
        let fit = fit.filter(|fit| *fit >= Fit::Inside);
        fit.map(|fit| Found::new(fit, false, 0)).or(found)
    }

    /// The closest match of a word in a memory: in the title, else in the tags and LOCAL, else in the
    /// description.
    fn look_for(
        &self,
        index: usize,
        word: &Word,
        place: Where,
        tools: &mut Tools,
    ) -> Option<Found> {
        let (masks, entry) = (self.masks.get(index)?, self.rows.get(index)?);
        let lacks = |mask: u64| word.mask & !mask != 0;
        if place == Where::All && !lacks(masks.title) {
            let title = || Some(self.texts.hay(entry.title)?.head());
            let found = match word.as_initial(entry.initials) {
                // Most begin a longer word, which is known without a look at the text.
                Some(points) if lacks(entry.alone) => Some((Fit::Begins, points)),
                Some(points) => title().map(|title| (word.fit(title), points)),
                None => title().and_then(|title| {
                    let (points, fit) = word.score_and_fit(title, tools)?;
                    Some((fit, points))
                }),
            };
            if let Some((fit, points)) = found {
                let found = Found::new(fit, true, points);
                return Some(self.closest(index, word, found, tools));
            }
        }
        if lacks(masks.rest) {
            return None;
        }
        let rest = self.texts.hay(entry.rest)?;
        let points = word.score_lines(rest, tools);
        let found = points.map(|points| Found::new(word.fit(rest), false, points));
        self.or_in_description(index, word, found)
    }

    /// A memory's texts, and what is known of words in them.
    pub(super) fn row<'a>(&'a self, index: usize, known: &'a [Scores<'a>]) -> Option<Row<'a>> {
        (index < self.rows.len()).then_some(Row {
            all: self,
            index,
            known,
        })
    }

    /// What is known of words in these memories, and where more that is found out is kept.
    pub(super) fn known<'q>(&self, words: impl Iterator<Item = &'q Word>) -> Vec<Scores<'q>> {
        self.known.of(words, self.rows.len())
    }
}

/// So few titles are looked at one by one.
const FEW: u32 = 3;

/// The numbers of the bits that are set.
pub(super) fn lanes(mut bits: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.checked_sub(1)?;
        Some(lane)
    })
}

impl Row<'_> {
    /// The score of a memory for one word.
    pub(super) fn score(&self, word: &Word, tools: &mut Tools) -> Option<u32> {
        let known = self
            .known
            .iter()
            .find(|known| std::ptr::eq(known.word(), word));
        let mut look = |place| self.all.look_for(self.index, word, place, tools);
        let found = match known {
            Some(known) => known.of(self.index, look),
            None => look(Where::All),
        };
        found.map(Found::rank)
    }

    /// The rank of a memory for each of the words of which something may be known.
    pub(super) fn score_all(&self, tools: &mut Tools) -> impl Iterator<Item = Option<u32>> {
        self.known.iter().map(|known| {
            let look = |place| self.all.look_for(self.index, known.word(), place, tools);
            known.of(self.index, look).map(Found::rank)
        })
    }

    fn entry(&self) -> Option<&Entry> {
        self.all.rows.get(self.index)
    }

    /// Whether a tag could be a folded text, or begin with it; false is sure. It saves going to
    /// the memory itself, which is far away.
    pub(super) fn may_have_tag(&self, folded: &[u32], begins: bool) -> bool {
        let rest = self
            .entry()
            .and_then(|entry| self.all.texts.hay(entry.rest));
        let Some(Hay::Ascii(rest)) = rest else {
            return true;
        };
        let plain = folded.iter().all(|f| matches!(f, 0x21..=0x7e));
        if self.all.odd_tags || !plain || folded.is_empty() || rest.len() >= REST_LONGEST {
            return true;
        }
        let same = |(b, f): (&u8, &u32)| u32::from(b.to_ascii_lowercase()) == *f;
        let mut start = 0;
        let ends = memchr_iter(b'\n', rest).chain(std::iter::once(rest.len()));
        let parts = ends.filter_map(|end| rest.get(std::mem::replace(&mut start, end + 1)..end));
        parts.into_iter().any(|part| {
            (part.len() == folded.len() || begins && part.len() > folded.len())
                && part.iter().zip(folded).all(same)
        })
    }

    /// Whether the title starts with a phrase, and whether it is that phrase.
    pub(super) fn title_starts(&self, phrase: &Phrase) -> Option<bool> {
        // Most are known by this without a look at the text, which is far away.
        let head = *self.all.heads.get(self.index)?;
        if !phrase.may_begin(head) {
            return None;
        }
        phrase.begins(self.all.texts.hay(self.entry()?.title)?)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::fold;
    use crate::search::samples::memory;
    use crate::search::texts::WIDE;
    use crate::search::word::with_tools;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn no_tag_is_missed(tags in proptest::collection::vec("[abABéÉ\u{301} \n-]{0,4}", 0..4), wanted in "[abABé\u{301} -]{0,3}", begins: bool) {
            let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
            let all = Haystacks::build(&[Arc::new(memory("local", "Title", &tags, "high", 1))]);
            let folded = fold::folded(&wanted);
            let is = |tag: &&str| if begins {
                fold::starts_with(tag, &folded)
            } else {
                fold::equals(tag, &folded)
            };
            if tags.iter().any(is) {
                prop_assert!(all.row(0, &[]).unwrap().may_have_tag(&folded, begins));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_title_begins_with_what_it_begins_with(title in "[aAbé -]{0,20}", cut in 0_usize..22, other in "[abé -]{0,3}", whole: bool) {
            let folded = fold::folded(title.trim());
            let mut phrase: Vec<u32> = folded.iter().copied().take(cut).collect();
            if !whole {
                phrase.extend(fold::folded(&other));
            }
            let all = Haystacks::build(&[Arc::new(memory("x", &title, &[], "high", 1))]);
            let naive = folded.starts_with(&phrase).then_some(folded.len() == phrase.len());
            prop_assert_eq!(all.row(0, &[]).unwrap().title_starts(&Phrase::new(phrase.into())), naive);
        }
    }

    proptest! {
        #[test]
        fn the_first_letter_scores_like_any_other(title in "[aA1é/ \t.-]{0,6}", letter in "[a1A]") {
            let all = Haystacks::build(&[Arc::new(memory("y", &title, &[], "high", 1))]);
            let word = Word::new(&letter, crate::search::word::Kind::Fuzzy).unwrap();
            let (found, whole) = with_tools(|tools| {
                let title = all.texts.hay(all.rows[0].title).unwrap();
                let points = word.score(title.head(), tools);
                let whole = points.map(|points| Found::new(word.fit(title), true, points));
                (all.look_for(0, &word, Where::All, tools), whole)
            });
            if whole.is_some() {
                prop_assert_eq!(found, whole);
            }
        }
    }

    #[test]
    fn a_title_that_was_cut_is_as_plain_as_another() {
        let of = |title| Haystacks::build(&[Arc::new(memory("local", title, &[], "high", 1))]);
        let cut = of("Money crosses borders as…");
        assert_eq!(cut.bytes(), of("Money crosses borders as").bytes());
        assert!(cut.rows[0].title.len & WIDE == 0);
    }

    #[test]
    fn a_tag_that_is_nowhere_is_seen_to_be_missing() {
        let all = Haystacks::build(&[Arc::new(memory(
            "local",
            "Title",
            &["docs", "b"],
            "high",
            1,
        ))]);
        let row = all.row(0, &[]).unwrap();
        let may = |tag: &str, begins| row.may_have_tag(&fold::folded(tag), begins);
        assert!(may("docs", false) && may("do", true));
        assert!(!may("do", false) && !may("x", true) && !may("docset", true));
    }
}
