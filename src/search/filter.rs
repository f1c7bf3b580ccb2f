//! Which memories match a query, best first.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::columns::{Bits, LANES};
pub use super::haystack::Haystacks;
use super::haystack::{Row, lanes};
use super::known::Scores;
use super::query::{Marks, Needed, Query};
use super::rank::is_loose;
use super::word::{Tools, with_tools};
use crate::memory::{Fields, Memory, Timestamp};

/// A memory that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The memory, by its index in the snapshot.
    pub index: u32,
    /// How well it matches; higher is better, 0 where only fields were asked for.
    pub score: u32,
}

impl Hit {
    /// Whether some word of the query is there with its letters scattered only.
    pub const fn is_loose(self) -> bool {
        is_loose(self.score)
    }
}

/// Reads what a memory does not hold.
#[derive(Clone, Copy)]
pub struct Reads<'a> {
    /// The fields of a memory beside those it holds, where the query asks for one.
    pub inner: &'a (dyn Fn(&Memory) -> Fields + Sync),
    /// The text of a memory; none where texts are not looked at.
    pub body: Option<Body<'a>>,
}

fn no_fields(_: &Memory) -> Fields {
    Fields::default()
}

/// Reads the text of a memory.
pub type Body<'a> = &'a (dyn Fn(&Memory) -> Option<String> + Sync);

impl Reads<'_> {
    /// For memories that hold all their fields, and whose texts are not looked at.
    pub const NOTHING: Self = Self {
        inner: &no_fields,
        body: None,
    };
}

/// Memories looked at by one thread at a time.
const PIECE: usize = 4096;
const _: () = assert!(PIECE.is_multiple_of(LANES) && 64_usize.is_multiple_of(LANES));

/// The memories that match, by score and then by their order.
///
/// `within` limits the search to these memories, in any order: the hits of an earlier query that
/// this one [extends](Query::extends), with the same memories, marks and clock. A memory without
/// a haystack or marks is matched all the same. What is read of a memory is read only where it
/// may decide.
pub fn filter(
    memories: &[Arc<Memory>],
    haystacks: &Haystacks,
    marks: &[Marks],
    query: &Query,
    now: Timestamp,
    within: Option<&[u32]>,
    reads: Reads<'_>,
) -> Vec<Hit> {
    let known = haystacks.known(query.all_words());
    let scan = Scan {
        known: &known,
        memories,
        haystacks,
        marks,
        query,
        inner: query.may_ask_inner(),
        needed: if reads.body.is_none() {
            query.needed()
        } else {
            // A word may stand in the text.
            Needed::default()
        },
        now,
        reads,
    };
    let among = within.map(|within| Among::new(memories.len(), within));
    let pieces = (0..memories.len()).into_par_iter().step_by(PIECE);
    let pieces = pieces.map(|start| {
        let piece = start..memories.len().min(start + PIECE);
        scan.keys(piece, among.as_ref())
    });
    let mut found = Vec::new();
    pieces.collect_into_vec(&mut found);
    in_order(&found)
}

/// A set of memories that is gone through in their order, whatever order it came in.
struct Among(Vec<u64>);

impl Among {
    fn new(len: usize, indexes: &[u32]) -> Self {
        let mut bits = vec![0; len.div_ceil(64)];
        for &index in indexes {
            if let Some(word) = bits.get_mut(index as usize / 64) {
                *word |= 1 << (index % 64);
            }
        }
        Self(bits)
    }

    /// The bits of [`LANES`] memories.
    fn lanes(&self, start: usize) -> Bits {
        let word = self.0.get(start / 64).copied().unwrap_or(0);
        Bits::try_from(word >> (start % 64) & u64::from(Bits::MAX)).unwrap_or(0)
    }
}

/// Digits of thirteen bits that a score has; two of them have all bits of a rank.
const DIGITS: usize = 3;
const DIGIT: u32 = 13;

fn digit(key: u64, n: usize) -> usize {
    (key >> (32 + DIGIT * u32::try_from(n).unwrap_or(0))) as usize & ((1 << DIGIT) - 1)
}

/// The hits of pieces of keys, best first. The indexes ascend from piece to piece already: only
/// the scores are looked at, digit by digit, which takes a quarter of the time of comparing
/// 100,000 keys.
fn in_order(pieces: &[Vec<u64>]) -> Vec<Hit> {
    let len = pieces.iter().map(Vec::len).sum();
    let keys = || pieces.iter().flatten().copied();
    if len < 1024 {
        let mut keys: Vec<u64> = keys().collect();
        keys.sort_unstable();
        return keys.into_iter().map(hit).collect();
    }
    let mut counts = [[0_usize; 1 << DIGIT]; DIGITS];
    for key in keys() {
        for (n, counts) in counts.iter_mut().enumerate() {
            if let Some(count) = counts.get_mut(digit(key, n)) {
                *count += 1;
            }
        }
    }
    let mut sorted: Option<Vec<u64>> = None;
    for (n, counts) in counts.iter_mut().enumerate() {
        // Where all have the same digit they stand in its order already.
        if counts.contains(&len) {
            continue;
        }
        let mut sum = 0;
        for count in &mut *counts {
            sum += std::mem::replace(count, sum);
        }
        let mut to = vec![0; len];
        let mut put = |key: u64| {
            if let Some(place) = counts.get_mut(digit(key, n))
                && let Some(to) = to.get_mut(*place)
            {
                *to = key;
                *place += 1;
            }
        };
        match &sorted {
            Some(sorted) => sorted.iter().copied().for_each(&mut put),
            None => keys().for_each(&mut put),
        }
        sorted = Some(to);
    }
    match sorted {
        Some(sorted) => sorted.into_iter().map(hit).collect(),
        None => keys().map(hit).collect(),
    }
}

/// Ascending keys are descending scores, then ascending indexes.
const fn key(index: u32, score: u32) -> u64 {
    ((u32::MAX - score) as u64) << 32 | index as u64
}

#[expect(clippy::cast_possible_truncation, reason = "takes the halves apart")]
const fn hit(key: u64) -> Hit {
    Hit {
        index: key as u32,
        score: u32::MAX - (key >> 32) as u32,
    }
}

struct Scan<'a> {
    known: &'a [Scores<'a>],
    memories: &'a [Arc<Memory>],
    haystacks: &'a Haystacks,
    marks: &'a [Marks],
    query: &'a Query,
    /// It may ask for fields that a memory does not hold.
    inner: bool,
    needed: Needed,
    now: Timestamp,
    reads: Reads<'a>,
}

impl Scan<'_> {
    fn keys(&self, piece: Range<usize>, among: Option<&Among>) -> Vec<u64> {
        let mut keys = Vec::with_capacity(piece.len());
        with_tools(|tools| {
            for start in piece.clone().step_by(LANES) {
                let some = among.map_or(Bits::MAX, |among| among.lanes(start));
                let beyond = (start + LANES).saturating_sub(piece.end);
                let some = some & Bits::MAX >> beyond & self.fitting(start);
                self.haystacks
                    .look_in_titles(start, some, self.known, tools);
                for lane in lanes(some) {
                    let index = start + lane;
                    let score = match self.haystacks.row(index, self.known) {
                        Some(row) if self.needed.all => self.query.score_words(row, tools),
                        row => self.score(index, row, tools),
                    };
                    if let (Some(score), Ok(index)) = (score, u32::try_from(index)) {
                        keys.push(key(index, score));
                    }
                }
            }
        });
        keys
    }

    /// The bits of those of [`LANES`] memories that may match.
    fn fitting(&self, start: usize) -> Bits {
        let fitting = self.haystacks.having(start, self.needed.mask);
        if self.needed.all {
            return fitting;
        }
        let fits = |lane: &usize| {
            let mask = self.haystacks.mask(start + lane);
            self.reads.body.is_some() || mask.is_none_or(|mask| self.query.fits(mask))
        };
        let fitting = lanes(fitting).filter(fits);
        fitting.fold(0, |all, lane| all | 1 << lane)
    }

    fn score(&self, index: usize, row: Option<Row<'_>>, tools: &mut Tools) -> Option<u32> {
        let memory = self.memories.get(index)?;
        let none = Marks::default();
        let marks = self.marks.get(index).unwrap_or(&none);
        let alone;
        let row = match row {
            Some(row) => row,
            None => {
                alone = Haystacks::build(std::slice::from_ref(memory));
                alone.row(0, &[])?
            }
        };
        let whole;
        let memory = if self.inner && self.query.asks_inner(memory) {
            whole = memory.with_inner(&(self.reads.inner)(memory));
            &whole
        } else {
            &**memory
        };
        let (query, now) = (self.query, self.now);
        let found = query.score(memory, row, marks, now, None, tools);
        match self.reads.body {
            // A word in a text counts more than its letters scattered elsewhere, and nothing else.
            Some(read) if found.is_none_or(is_loose) || query.asks_body() => {
                let body = read(memory);
                query.score(memory, row, marks, now, body.as_deref(), tools)
            }
            _ => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memory::format;
    use crate::search::samples::{NOW, memory};

    fn text() -> impl Strategy<Value = String> {
        "[abcABC éЖж日1/_-]{0,14}"
    }

    fn memories() -> impl Strategy<Value = Vec<Arc<Memory>>> {
        let one = (text(), "[abé]{0,4}", "[a-c/]{1,6}", 0_i64..60);
        let one = one.prop_map(|(title, tag, local, days)| {
            Arc::new(memory(&local, &title, &[&tag], "high", days))
        });
        proptest::collection::vec(one, 0..60)
    }

    fn query() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            "[!'^]{0,2}[abcABCéж1/-]{1,3}[$]{0,1}",
            Just("created:<30d".to_owned()),
            Just("tag:a*".to_owned()),
            Just("|".to_owned()),
        ];
        proptest::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn it_finds_what_matches_in_order(memories in memories(), text in query(), built in 0_usize..60) {
            let query = Query::parse(&text, &[format::schema("rawko")]).unwrap();
            // A part of the haystacks may not be built yet.
            let some = memories.get(..built).unwrap_or(&memories);
            let hits = filter(&memories, &Haystacks::build(some), &[], &query, NOW, None, Reads::NOTHING);
            let mut naive: Vec<Hit> = memories
                .iter()
                .enumerate()
                .filter_map(|(index, memory)| {
                    let score = query.matches(memory, &Marks::default(), NOW, None)?;
                    Some(Hit { index: index as u32, score })
                })
                .collect();
            naive.sort_by(|a, b| b.score.cmp(&a.score).then(a.index.cmp(&b.index)));
            prop_assert_eq!(hits, naive);
        }

        #[test]
        fn texts_are_looked_at_where_they_may_decide(memories in memories(), text in query(), bodies in proptest::collection::vec("[abc ]{0,9}", 1..9)) {
            let query = Query::parse(&text, &[format::schema("rawko")]).unwrap();
            let body = |memory: &Memory| bodies.get(memory.id.local.len() % bodies.len()).cloned();
            let reads = Reads { body: Some(&body), ..Reads::NOTHING };
            let haystacks = Haystacks::build(&memories);
            let hits = filter(&memories, &haystacks, &[], &query, NOW, None, reads);
            let mut naive: Vec<Hit> = memories
                .iter()
                .enumerate()
                .filter_map(|(index, memory)| {
                    let score = query.matches(memory, &Marks::default(), NOW, body(memory).as_deref())?;
                    Some(Hit { index: index as u32, score })
                })
                .collect();
            naive.sort_by(|a, b| b.score.cmp(&a.score).then(a.index.cmp(&b.index)));
            prop_assert_eq!(hits, naive);
        }

        #[test]
        fn what_was_looked_for_before_changes_nothing(memories in memories(), texts in proptest::collection::vec(query(), 1..12), built in 0_usize..60) {
            let build = || Haystacks::build(memories.get(..built).unwrap_or(&memories));
            let asked = build();
            for text in &texts {
                let query = Query::parse(text, &[format::schema("rawko")]).unwrap();
                let run = |haystacks| filter(&memories, haystacks, &[], &query, NOW, None, Reads::NOTHING);
                prop_assert_eq!(run(&asked), run(&build()), "{}", text);
            }
        }

        #[test]
        fn looking_within_earlier_hits_finds_the_same(memories in memories(), text in query(), cut in 0_usize..8) {
            let earlier: String = text.chars().take(cut).collect();
            let query = Query::parse(&text, &[format::schema("rawko")]).unwrap();
            let Ok(earlier) = Query::parse(&earlier, &[format::schema("rawko")]) else { return Ok(()) };
            let haystacks = Haystacks::build(&memories);
            let run = |query: &Query, within| filter(&memories, &haystacks, &[], query, NOW, within, Reads::NOTHING);
            if query.extends(&earlier) {
                let within: Vec<u32> = run(&earlier, None).iter().map(|hit| hit.index).collect();
                prop_assert_eq!(run(&query, Some(&within)), run(&query, None));
            }
        }
    }

    proptest! {
        #[test]
        fn many_keys_are_sorted_by_all_of_the_score(scores in proptest::collection::vec(prop_oneof![0_u32..4, any::<u32>()], 1000..3000)) {
            let keys: Vec<u64> = (0..).zip(scores).map(|(index, score)| key(index, score)).collect();
            let pieces: Vec<Vec<u64>> = keys.chunks(700).map(<[u64]>::to_vec).collect();
            let mut compared = keys;
            compared.sort();
            let compared: Vec<Hit> = compared.into_iter().map(hit).collect();
            prop_assert_eq!(in_order(&pieces), compared);
        }
    }

    #[test]
    fn a_word_in_the_text_counts_where_a_field_is_enough() {
        let all = [Arc::new(memory("a", "Title", &[], "high", 1))];
        let body = |_: &Memory| Some("rates".to_owned());
        let reads = Reads {
            body: Some(&body),
            ..Reads::NOTHING
        };
        for text in ["created:<30d | rates", "rates | created:<30d"] {
            let query = Query::parse(text, &[format::schema("rawko")]).unwrap();
            let haystacks = Haystacks::build(&all);
            let hits = filter(&all, &haystacks, &[], &query, NOW, None, reads);
            let score = query.matches(&all[0], &Marks::default(), NOW, Some("rates"));
            assert_eq!(hits.first().map(|hit| hit.score), score, "{text}");
            assert!(score > Some(0), "{text}");
        }
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let all = [Arc::new(memory("a", "Auth", &[], "high", 1))];
        let query = Query::parse("a", &[]).unwrap();
        let hits = filter(
            &all,
            &Haystacks::default(),
            &[],
            &query,
            NOW,
            Some(&[0, 7, u32::MAX]),
            Reads::NOTHING,
        );
        assert_eq!(hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn more_memories_can_be_added() {
        let one = memory("a", "Auth", &["x"], "high", 1);
        let two = memory("b", "Кэш и café", &[], "high", 1);
        let mut haystacks = Haystacks::build(&[Arc::new(one.clone())]);
        haystacks.extend([&two]);
        assert_eq!(haystacks.len(), 2);
        assert!(!haystacks.is_empty() && haystacks.bytes() > 0);
        let both = [Arc::new(one), Arc::new(two)];
        let query = Query::parse("кэш cafe", &[]).unwrap();
        let hits = filter(&both, &haystacks, &[], &query, NOW, None, Reads::NOTHING);
        assert_eq!(hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [1]);
    }
}
