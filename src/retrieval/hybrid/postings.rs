//! Which memories have which terms, how often and where: a list for each term; and how common terms are.

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::*;

use super::importance;
use super::terms::{self, Counted, Counts, Each, Likes, Names, Terms};
use crate::memory::{Memory, Sight, State};
use crate::retrieval::Texts;

/// Least number of memories that are worth a thread.
const PIECE: usize = 64;

/// How soon more of the same word says nothing new (the k1 of BM25). Tuned on `bench/retrieval`.
const SATURATION: f64 = 2.5;

/// Number of memories that the table of words counts as beside those of the store: what is rare in a
/// small store is told by the table, in a large one by the store. Tuned on `bench/retrieval`.
const ELSEWHERE: f64 = 200.0;

#[derive(Default)]
pub struct Index {
    pub names: Names,
    /// The terms that are words, by what they look like.
    pub likes: Likes,
    /// For each term the memories that have it, ascending, with their counts.
    lists: Vec<Vec<(u32, Counts)>>,
    /// For each memory, the length of each place in terms.
    lengths: Vec<Each<u32>>,
    /// For each memory, how important it is, 0 to 1; none where it does not say.
    pub levels: Vec<Option<f64>>,
    means: Each<f64>,
    /// Memories that can be selected.
    count: usize,
    background: Background,
}

/// True if a memory can be selected: what its system's loader finds wanting can still be read.
pub fn counts(memory: &Memory) -> bool {
    memory.state == State::Active
        && !matches!(memory.sight, Sight::Skipped | Sight::Off | Sight::NoFields)
}

/// The counted words of a memory, where it counts, and its importance.
type Read = (Option<Counted>, Option<f64>);

impl Index {
    pub fn build(memories: &[Arc<Memory>], texts: &dyn Texts, background: Background) -> Self {
        // A word is stemmed once in each piece: few large ones are fast.
        let size = memories.len().div_ceil(rayon::current_num_threads());
        let pieces = memories.par_chunks(size.max(PIECE)).map(|piece| {
            let mut terms = Terms::default();
            let read = |memory: &Arc<Memory>| {
                let counted = counts(memory).then(|| terms.of(memory, texts));
                (counted, importance(memory).map(|(level, _)| level))
            };
            let read: Vec<_> = piece.iter().map(read).collect();
            (terms.names, read)
        });
        let pieces: Vec<(Names, Vec<Read>)> = pieces.collect();
        let mut index = Self {
            background,
            ..Self::default()
        };
        for (names, read) in pieces {
            let own = names.names.iter();
            let own = own.map(|(term, word)| index.names.number(term, word));
            let own: Vec<u32> = own.collect();
            index.lists.resize_with(index.names.names.len(), Vec::new);
            for (counted, level) in read {
                index.add(&own, counted, level);
            }
        }
        let count = index.count.max(1) as f64;
        for lengths in &index.lengths {
            for (mean, length) in index.means.iter_mut().zip(lengths) {
                *mean += f64::from(*length) / count;
            }
        }
        index.likes = Likes::of(&index.names);
        index
    }

    /// Adds the next memory; `own` has the numbers of its terms in the index.
    fn add(&mut self, own: &[u32], counted: Option<Counted>, level: Option<f64>) {
        let at = u32::try_from(self.levels.len()).unwrap_or(u32::MAX);
        self.levels.push(level);
        self.count += usize::from(counted.is_some());
        let (terms, lengths) = counted.map(|one| (one.terms, one.lengths)).unzip();
        self.lengths.push(lengths.unwrap_or_default());
        for (term, counts) in terms.unwrap_or_default() {
            let term = own.get(term as usize);
            if let Some(list) = term.and_then(|term| self.lists.get_mut(*term as usize)) {
                list.push((at, counts));
            }
        }
    }

    /// The weight of a term: little where many texts have it, here or elsewhere.
    pub fn rarity(&self, term: &str, number: Option<u32>) -> f64 {
        let elsewhere = ELSEWHERE * self.background.share(term);
        let has = self.having(number).len() as f64 + elsewhere;
        let all = self.count as f64 + ELSEWHERE;
        (1.0 + (all - has + 0.5) / (has + 0.5)).ln()
    }

    /// The memories that have a term, with their counts, by index.
    pub fn having(&self, term: Option<u32>) -> &[(u32, Counts)] {
        let list = term.and_then(|term| self.lists.get(term as usize));
        list.map_or(&[], Vec::as_slice)
    }

    /// How often a memory has a term in each place; none if it does not.
    pub fn counts(&self, at: usize, term: Option<u32>) -> Option<Counts> {
        let having = self.having(term);
        let found = having.binary_search_by_key(&at, |(at, _)| *at as usize);
        having.get(found.ok()?).map(|(_, counts)| *counts)
    }

    pub fn lengths(&self, at: usize) -> Each<u32> {
        self.lengths.get(at).copied().unwrap_or_default()
    }

    /// The worth of counts in each place and together, before the term's rarity.
    pub fn values(&self, lengths: &Each<u32>, counts: &Counts) -> (Each<f64>, f64) {
        let values = terms::values(counts, lengths, &self.means);
        let sum: f64 = values.iter().sum();
        (values, sum * (SATURATION + 1.0) / (sum + SATURATION))
    }
}

static TABLE: &str = include_str!("../../../assets/hybrid/word-shares.txt");

/// Level of a stem that the table does not have: it stands in fewer than one of 200 texts.
pub const UNKNOWN: u8 = 16;

/// Share of texts that have a word of a level: half of that two levels before.
fn share(level: u8) -> f64 {
    0.5_f64.powf(f64::from(level) / 2.0)
}

/// How common words are in texts at large: counted in public memories, manuals and README files of
/// ten languages (`cargo bench --bench hook -- --write`). In a store of five every word is rare. It
/// is searched as it lies in the program: sorted lines, each a stem and the letter of its level.
#[derive(Clone, Copy, Debug)]
pub struct Background(&'static str);

impl Default for Background {
    fn default() -> Self {
        Self(TABLE)
    }
}

impl Background {
    /// A table that is measured.
    pub const fn new(lines: &'static str) -> Self {
        Self(lines)
    }

    /// The share of texts that have a word.
    pub fn share(self, stem: &str) -> f64 {
        share(self.level(stem).unwrap_or(UNKNOWN))
    }

    fn level(self, stem: &str) -> Option<u8> {
        let bytes = self.0.as_bytes();
        let (mut from, mut to) = (0, bytes.len());
        while from < to {
            let middle = from + (to - from) / 2;
            let before = bytes.get(from..middle)?;
            let start = memchr::memrchr(b'\n', before).map_or(from, |at| from + at + 1);
            let line = bytes.get(start..to)?;
            let line = line.get(..memchr::memchr(b'\n', line)?)?;
            let (level, word) = line.split_last()?;
            match word.cmp(stem.as_bytes()) {
                Ordering::Equal => return Some(level.wrapping_sub(b'a')),
                Ordering::Less => from = start + line.len() + 1,
                Ordering::Greater => to = start,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_small() {
        let words = TABLE.lines().map(|line| line.split_at(line.len() - 1));
        let words: Vec<(&str, &str)> = words.collect();
        assert!(words.is_sorted_by(|one, other| one.0 < other.0));
        let levels = words.iter().map(|(_, level)| level.as_bytes()[0] - b'a');
        assert!(levels.max() < Some(UNKNOWN));
        assert!(TABLE.len() < 400_000);
        let background = Background::default();
        for (word, level) in words.iter().step_by(97) {
            let level = share(level.as_bytes()[0] - b'a');
            assert_eq!(background.share(word), level, "{word}");
        }
    }

    #[test]
    fn everyday_words_are_common_in_each_language() {
        let background = Background::default();
        let rare = background.share("zeppelin");
        for word in "file error может pued можн 使用 する fichi".split(' ') {
            assert!(background.share(word) > 4.0 * rare, "{word}");
        }
    }
}
