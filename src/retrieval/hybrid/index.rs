//! Which memories have which terms, how often and where: a list for each term, packed.

use rayon::prelude::*;

use super::like::Likes;
use super::part::{self, Counted, Counts, Names, PARTS, Terms};
use crate::memory::{Memory, Sight, State};
use crate::retrieval::{Snapshot, Texts};

/// Memories that are read before what was met in them is put into the lists.
const PIECE: usize = 2048;

/// How soon more of the same word says nothing new (the k1 of BM25). Tuned on `bench/retrieval`.
const SATURATION: f64 = 2.0;

/// The index of a snapshot.
#[derive(Default)]
pub struct Index {
    /// The terms.
    pub names: Names,
    /// The terms that are words, by what they look like.
    pub likes: Likes,
    lists: Vec<List>,
    /// For each memory, the length of each place in terms.
    lengths: Vec<[u16; PARTS]>,
    /// For each memory, how important it is, 0 to 1; not a number where it does not say.
    levels: Vec<f32>,
    /// For each memory, whether it can be selected for what it is.
    may: Vec<bool>,
    /// The sums of those lengths, and their means.
    sums: [u64; PARTS],
    means: [f64; PARTS],
    /// Memories that can be selected.
    count: usize,
}

/// The memories that have a term.
#[derive(Default)]
struct List {
    count: u32,
    last: u32,
    /// For each the distance to the one before, then its counts.
    bytes: Vec<u8>,
}

/// True if a memory can be selected: what its system's loader finds wanting can still be read.
pub fn counts(memory: &Memory) -> bool {
    memory.state == State::Active
        && !matches!(memory.sight, Sight::Skipped | Sight::Off | Sight::NoFields)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "digits that nobody asks for"
)]
fn level(memory: &Memory) -> f32 {
    super::importance(memory).map_or(f32::NAN, |(level, _)| level as f32)
}

impl Index {
    /// Builds the index of a snapshot.
    pub fn build(memories: &Snapshot, texts: &dyn Texts) -> Self {
        let mut index = Self {
            lengths: vec![[0; PARTS]; memories.len()],
            levels: memories.iter().map(|memory| level(memory)).collect(),
            may: memories
                .iter()
                .map(|memory| counts(memory) && memory.expires.is_none())
                .collect(),
            ..Self::default()
        };
        // So many pieces at once that what is met in them takes little room.
        let pieces: Vec<_> = memories
            .chunks(PIECE)
            .zip((0_u32..).step_by(PIECE))
            .collect();
        for some in pieces.chunks(4) {
            let read = some.par_iter().map(|(piece, first)| {
                let mut terms = Terms::default();
                let read = piece.iter().zip(*first..);
                let read = read.filter(|(memory, _)| counts(memory));
                let read: Vec<(u32, Counted)> = read
                    .map(|(memory, at)| (at, terms.of(memory, texts)))
                    .collect();
                (terms.names, read)
            });
            for (names, read) in read.collect::<Vec<_>>() {
                index.add(&names, read);
            }
        }
        for list in &mut index.lists {
            list.bytes.shrink_to_fit();
        }
        let count = index.count.max(1) as f64;
        index.means = index.sums.map(|sum| sum as f64 / count);
        index.likes = Likes::of(&index.names);
        index
    }

    fn add(&mut self, names: &Names, read: Vec<(u32, Counted)>) {
        let own = names.names.iter();
        let own: Vec<u32> = own
            .map(|(term, word)| self.names.number(term, word))
            .collect();
        self.lists
            .resize_with(self.names.names.len(), List::default);
        for (at, (terms, lengths)) in read {
            self.count += 1;
            for (sum, length) in self.sums.iter_mut().zip(lengths) {
                *sum += u64::from(length);
            }
            if let Some(known) = self.lengths.get_mut(at as usize) {
                *known = lengths.map(|length| u16::try_from(length).unwrap_or(u16::MAX));
            }
            for (term, counts) in terms {
                let term = own.get(term as usize);
                if let Some(list) = term.and_then(|term| self.lists.get_mut(*term as usize)) {
                    list.push(at, &counts);
                }
            }
        }
    }

    /// True if a memory can be selected for what it is, whenever that is.
    pub fn may(&self, at: usize) -> bool {
        self.may.get(at).copied().unwrap_or_default()
    }

    /// How important a memory is, 0 to 1; none where it does not say.
    pub fn level(&self, at: usize) -> Option<f64> {
        let level = self.levels.get(at).copied().filter(|level| !level.is_nan());
        level.map(f64::from)
    }

    /// The weight of a term: little where many memories have it.
    pub fn rarity(&self, term: u32) -> f64 {
        rarity_of(self.having_count(term), self.count)
    }

    /// Number of memories that have a term.
    pub fn having_count(&self, term: u32) -> u32 {
        self.lists.get(term as usize).map_or(0, |list| list.count)
    }

    /// The memories that have a term, with their counts, by index.
    pub fn having(&self, term: u32) -> impl Iterator<Item = (usize, Counts)> {
        let list = self.lists.get(term as usize);
        list.into_iter().flat_map(List::iter)
    }

    /// The worth of counts in each place of a memory, and together, before the term's rarity.
    pub fn values(&self, at: usize, counts: &Counts) -> ([f64; PARTS], f64) {
        let lengths = self.lengths.get(at).copied().unwrap_or_default();
        self.values_of(&lengths.map(u32::from), counts)
    }

    /// The same for a memory with places of this length.
    pub fn values_of(&self, lengths: &Counts, counts: &Counts) -> ([f64; PARTS], f64) {
        let values = part::values(counts, lengths, &self.means);
        let sum: f64 = values.iter().sum();
        (values, sum * (SATURATION + 1.0) / (sum + SATURATION))
    }
}

/// The weight of a term that so many of all memories have.
pub fn rarity_of(has: u32, all: usize) -> f64 {
    let (has, all) = (f64::from(has), all as f64);
    (1.0 + (all - has + 0.5).max(0.0) / (has + 0.5)).ln()
}

/// In this bit of its first byte an entry says that other places than the body have the term.
const MORE: u8 = 0x80;

impl List {
    fn push(&mut self, at: u32, counts: &Counts) {
        let mut distance = at - self.last;
        self.last = at;
        self.count += 1;
        while distance >= 0x80 {
            self.bytes.push((distance & 0x7f) as u8 | 0x80);
            distance >>= 7;
        }
        self.bytes.push(distance as u8);
        let [body, others @ ..] = counts.map(|count| u8::try_from(count.min(0x7f)).unwrap_or(0x7f));
        let has = |n: usize, count: u8| u8::from(count > 0) << n;
        let mask = others.iter().enumerate().map(|(n, count)| has(n, *count));
        let mask: u8 = mask.sum();
        if mask == 0 {
            return self.bytes.push(body);
        }
        self.bytes.extend([MORE | mask, body]);
        self.bytes
            .extend(others.into_iter().filter(|count| *count > 0));
    }

    fn iter(&self) -> impl Iterator<Item = (usize, Counts)> {
        let mut bytes = self.bytes.iter().copied();
        let mut at = 0_usize;
        std::iter::from_fn(move || {
            let mut shift = 0;
            loop {
                let byte = bytes.next()?;
                at += usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            let mut counts = Counts::default();
            let first = bytes.next()?;
            let [body, others @ ..] = &mut counts;
            if first & MORE == 0 {
                *body = u32::from(first);
            } else {
                *body = u32::from(bytes.next()?);
                for (n, count) in others.iter_mut().enumerate() {
                    if first & (1 << n) != 0 {
                        *count = u32::from(bytes.next()?);
                    }
                }
            }
            Some((at, counts))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_give_back_what_is_put_in() {
        let entries: [(u32, Counts); 5] = [
            (0, [1, 0, 0, 0, 0, 0, 0, 0]),
            (3, [0, 2, 0, 0, 0, 0, 0, 9]),
            (131, [7, 1, 0, 3, 0, 0, 127, 0]),
            (132, [127, 0, 0, 0, 0, 0, 0, 0]),
            (99_999, [300, 0, 0, 0, 0, 1, 0, 0]),
        ];
        let mut list = List::default();
        for (at, counts) in &entries {
            list.push(*at, counts);
        }
        let capped = entries.map(|(at, counts)| (at as usize, counts.map(|count| count.min(127))));
        assert_eq!(list.iter().collect::<Vec<_>>(), capped);
        assert_eq!(list.count, 5);
    }
}
