//! Finds pairs of memories that may say the same: an inverted index over words and neighbouring
//! words, in which rare keys count and keys of many memories do not.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::text::compare::{Sentence, Weights};
use crate::text::shingles::join;
use crate::text::tokens::{hash, stems};

/// Keys held of all memories together, 8 bytes each.
const HELD: usize = 2_500_000;

/// A key of more memories than this is never followed.
const COMMON: usize = 64;

/// Pairs that are counted at most.
const COUNTED: usize = 4_000_000;

/// Pairs given out: between these, and about as many as memories.
const PAIRS: (usize, usize) = (5_000, 40_000);

/// Neighbouring words that more statements of a store have are a template.
pub const TEMPLATE: u8 = 4;

/// A label that more statements of a store have is one of a template.
pub const LABEL: u8 = 2;

/// The keys of a body, sorted, each as often as statements have it, and the number of statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features(Box<[u32]>, usize);

/// The words and neighbours of words of all memories.
pub struct Index {
    memories: usize,
    /// Number of statements with a key, by its low bits; no more than 255.
    counts: Box<[AtomicU8]>,
    statements: AtomicUsize,
    /// Keys in the upper half of each entry, memories in the lower.
    entries: Mutex<Vec<u64>>,
}

/// A key for each two neighbouring content words of a statement, by their stems.
pub fn neighbours(stems: &[u32]) -> impl Iterator<Item = u32> {
    let two = stems.windows(2);
    two.filter_map(|two| Some(join(*two.first()?, *two.last()?)))
}

/// The key of a label with these stems.
pub fn label(stems: &[u32]) -> u32 {
    const SALT: u32 = 0x6c61_6265;
    stems.iter().copied().fold(SALT, join)
}

impl Features {
    /// The keys of this body.
    pub fn new(body: &str, weights: &Weights) -> Self {
        let mut keys = Vec::new();
        let all = Sentence::all(body, weights);
        for (at, one) in &all {
            let telling: Vec<u32> = one.content().collect();
            let mut own: Vec<u32> = neighbours(&telling)
                .chain(telling.iter().copied())
                .collect();
            let of_label = at.label.clone().and_then(|at| body.get(at));
            own.extend(of_label.map(|text| label(&stems(text))));
            own.sort_unstable();
            own.dedup();
            keys.append(&mut own);
        }
        // A copy shares this, however common its statements are.
        let words = body.split_whitespace();
        keys.push(words.fold(7, |all, word| join(all, hash(word))));
        keys.sort_unstable();
        Self(keys.into(), all.len())
    }
}

impl Index {
    /// An empty index for so many memories.
    pub fn new(memories: usize) -> Self {
        let slots = (memories * 64).next_power_of_two().clamp(1 << 12, 1 << 24);
        Self {
            memories,
            statements: AtomicUsize::new(0),
            counts: (0..slots).map(|_| AtomicU8::default()).collect(),
            entries: Mutex::default(),
        }
    }

    fn count(&self, key: u32) -> Option<&AtomicU8> {
        self.counts.get(key as usize & (self.counts.len() - 1))
    }

    /// Adds a memory.
    pub fn add(&self, memory: usize, features: &Features) {
        for key in &features.0 {
            let count = self.count(*key);
            let more = |count: u8| count.checked_add(1);
            count.map(|count| count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more));
        }
        self.statements.fetch_add(features.1, Ordering::Relaxed);
        // Of many memories the keys with the smallest hashes are held: both of a pair hold the same.
        let each = u32::try_from(HELD / self.memories.max(1)).unwrap_or(u32::MAX);
        let share = each.saturating_mul(u32::MAX / 128);
        let held = |key: &&u32| each >= 128 || key.wrapping_mul(0x85eb_ca6b) < share;
        let mut own: Vec<u32> = features.0.iter().filter(held).copied().collect();
        own.dedup();
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = |key| (u64::from(key) << 32) | memory as u64;
        entries.extend(own.into_iter().map(entry));
    }

    /// Number of statements that a statement is compared with, to the next power of two: one more
    /// statement does not change what is said of the others.
    pub fn compared(&self) -> usize {
        let count = self.statements.load(Ordering::Relaxed) / 2;
        (count + 1).next_power_of_two() / 2
    }

    /// True if more statements of the store than this have a key.
    pub fn recurs(&self, key: u32, most: u8) -> bool {
        let count = self.count(key);
        count.is_some_and(|count| count.load(Ordering::Relaxed) > most)
    }

    /// The pairs of memories that share most rare keys, sorted, the lower index first; empties
    /// the index.
    pub fn pairs(&self) -> Vec<(u32, u32)> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = std::mem::take(&mut *entries);
        rayon::slice::ParallelSliceMut::par_sort_unstable(&mut *entries);
        let groups = || {
            let groups = entries.chunk_by(|a, b| *a >> 32 == *b >> 32);
            groups.filter(|group| (2..=COMMON).contains(&group.len()))
        };
        // The rarest keys first, as many as there is room for their pairs.
        let mut sizes = [0_usize; COMMON + 1];
        for group in groups() {
            if let Some(size) = sizes.get_mut(group.len()) {
                *size += group.len() * (group.len() - 1) / 2;
            }
        }
        let mut room = COUNTED;
        let fits = |size: &&usize| {
            let fits = **size <= room;
            room = room.saturating_sub(**size);
            fits
        };
        let most = sizes.iter().take_while(fits).count();
        let count = sizes.iter().take(most).sum();
        let mut found: Vec<u64> = Vec::with_capacity(count);
        let low = |entry: u64| entry & u64::from(u32::MAX);
        for group in groups().filter(|group| group.len() < most) {
            for (n, a) in group.iter().enumerate() {
                let later = group.iter().skip(n + 1);
                found.extend(later.map(|b| (low(*a) << 32) | low(*b)));
            }
        }
        drop(entries);
        rayon::slice::ParallelSliceMut::par_sort_unstable(&mut *found);
        let groups = found.chunk_by(|a, b| a == b);
        let mut counted: Vec<(usize, u64)> = groups
            .filter_map(|group| Some((group.len(), *group.first()?)))
            .filter(|(shared, _)| *shared > 1)
            .collect();
        let most = self.memories.clamp(PAIRS.0, PAIRS.1);
        if counted.len() > most {
            counted.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            counted.truncate(most);
        }
        let half = |half: u64| u32::try_from(half).unwrap_or_default();
        let mut pairs: Vec<(u32, u32)> = counted
            .into_iter()
            .map(|(_, pair)| (half(pair >> 32), half(low(pair))))
            .collect();
        pairs.sort_unstable();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(bodies: &[String]) -> Index {
        let index = Index::new(bodies.len());
        for (n, body) in bodies.iter().enumerate() {
            index.add(n, &Features::new(body, Weights::bundled()));
        }
        index
    }

    #[test]
    fn two_that_share_what_is_rare_are_found_among_many_of_one_template() {
        let mut bodies: Vec<String> = (0..300)
            .map(|n| {
                format!(
                    "Ticket {n} was closed by the harbour team. Owner of module{n}: team {}.",
                    n % 7
                )
            })
            .collect();
        bodies.push("The ferry of Gotland leaves the harbour at noon.".to_owned());
        bodies.push("The ferry of Gotland leaves the harbour at midnight.".to_owned());
        let index = index(&bodies);
        assert_eq!(index.pairs().last(), Some(&(300, 301)));
        let template = |text: &str| {
            let one = Sentence::new(text, Weights::bundled());
            let stems: Vec<u32> = one.content().collect();
            neighbours(&stems).all(|key| index.recurs(key, TEMPLATE))
        };
        assert!(!template("The ferry of Gotland leaves"));
        assert!(template("closed by the harbour team"));
    }
}
