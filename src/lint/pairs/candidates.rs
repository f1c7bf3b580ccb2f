//! Finds pairs of memories that may say the same: they share words and neighbouring words that few
//! memories have. All keys are counted, so that a pair does not depend on the memories beside it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::slice::ParallelSliceMut as _;

use crate::text::compare::{Sentence, Weights};
use crate::text::shingles::join;
use crate::text::tokens::{hash, stems};

/// Keys held of all memories together, 8 bytes each; of more than 30,000 memories a part is held.
const HELD: usize = 4_000_000;

/// A key of more memories than this is never followed.
const COMMON: usize = 64;

/// Pairs that are counted at most.
const COUNTED: usize = 4_000_000;

/// Pairs given out: between these, and about as many as memories.
const PAIRS: (usize, usize) = (5_000, 40_000);

/// Neighbouring words that more statements of a store have are a template.
pub const TEMPLATE: usize = 4;

/// A label that more statements of a store have is one of a template.
pub const LABEL: usize = 2;

/// The keys of a body, sorted, each as often as statements have it, and the number of statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features(Box<[u32]>, usize);

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

/// The keys of all memories, while they are gathered.
pub struct Keys {
    /// Keys with a larger hash are not held: both of a pair hold the same.
    limit: u32,
    statements: AtomicUsize,
    /// Keys in the upper half of each entry, memories in the lower; one for each statement.
    entries: Mutex<Vec<u64>>,
}

const fn is_held(key: u32, limit: u32) -> bool {
    key.wrapping_mul(0x85eb_ca6b) <= limit
}

impl Keys {
    /// No keys yet, of so many memories.
    pub fn new(memories: usize) -> Self {
        let each = u32::try_from(HELD / memories.max(1)).unwrap_or(u32::MAX);
        Self {
            limit: each.saturating_mul(u32::MAX / 128),
            statements: AtomicUsize::new(0),
            entries: Mutex::default(),
        }
    }

    /// Adds a memory.
    pub fn add(&self, memory: usize, features: &Features) {
        self.statements.fetch_add(features.1, Ordering::Relaxed);
        let held = features.0.iter().filter(|key| is_held(**key, self.limit));
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.extend(held.map(|key| (u64::from(*key) << 32) | memory as u64));
    }
}

/// The pairs worth comparing, and the keys that recur.
pub struct Candidates {
    /// The pairs of memories that share most rare keys, sorted, the lower index first.
    pub pairs: Vec<(u32, u32)>,
    /// Number of statements that a statement is compared with, to the next power of two: one more
    /// statement does not change what is said of the others.
    pub compared: usize,
    limit: u32,
    /// The keys that more statements have than a label may, with their number.
    recurring: Vec<(u32, usize)>,
}

impl Candidates {
    /// Finds the pairs of so many memories; takes their keys.
    pub fn new(keys: &Keys, memories: usize) -> Self {
        let mut entries = keys.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = std::mem::take(&mut *entries);
        entries.par_sort_unstable();
        let of_key = |a: &u64, b: &u64| *a >> 32 == *b >> 32;
        let counted = entries.chunk_by(of_key).filter(|all| all.len() > LABEL);
        let counted = counted.filter_map(|all| Some((half(*all.first()? >> 32), all.len())));
        let recurring = counted.collect();
        entries.dedup();
        let groups = entries.chunk_by(of_key);
        let groups: Vec<&[u64]> = groups
            .filter(|group| (2..=COMMON).contains(&group.len()))
            .collect();
        let statements = keys.statements.load(Ordering::Relaxed) / 2;
        Self {
            pairs: pairs(groups, memories),
            compared: (statements + 1).next_power_of_two() / 2,
            limit: keys.limit,
            recurring,
        }
    }

    /// True if more statements of the store than this have a key.
    pub fn recurs(&self, key: u32, most: usize) -> bool {
        let found = self.recurring.binary_search_by_key(&key, |one| one.0);
        let found = found.ok().and_then(|at| self.recurring.get(at));
        found.is_some_and(|(_, count)| *count > most)
    }

    /// True if a key is counted.
    pub const fn is_counted(&self, key: u32) -> bool {
        is_held(key, self.limit)
    }
}

fn half(half: u64) -> u32 {
    u32::try_from(half & u64::from(u32::MAX)).unwrap_or_default()
}

/// The pairs among memories that share keys: the rarest keys first, as many as there is room for.
fn pairs(mut groups: Vec<&[u64]>, memories: usize) -> Vec<(u32, u32)> {
    groups.sort_by_key(|group| group.len());
    let mut room = COUNTED;
    let mut shared: Vec<(u32, u32)> = Vec::new();
    for of_size in groups.chunk_by(|a, b| a.len() == b.len()) {
        let pairs = of_size
            .iter()
            .map(|group| group.len() * (group.len() - 1) / 2);
        let pairs: usize = pairs.sum();
        if pairs > room {
            break;
        }
        room -= pairs;
        for group in of_size {
            for (n, a) in group.iter().enumerate() {
                let later = group.iter().skip(n + 1);
                shared.extend(later.map(|b| (half(*a), half(*b))));
            }
        }
    }
    shared.par_sort_unstable();
    let counted = shared.chunk_by(|a, b| a == b);
    let mut counted: Vec<(usize, (u32, u32))> = counted
        .filter_map(|all| Some((all.len(), *all.first()?)))
        .filter(|(count, _)| *count > 1)
        .collect();
    counted.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    counted.truncate(memories.clamp(PAIRS.0, PAIRS.1));
    let mut pairs: Vec<(u32, u32)> = counted.into_iter().map(|(_, pair)| pair).collect();
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(bodies: &[String]) -> Candidates {
        let keys = Keys::new(bodies.len());
        for (n, body) in bodies.iter().enumerate() {
            keys.add(n, &Features::new(body, Weights::bundled()));
        }
        Candidates::new(&keys, bodies.len())
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
        let found = candidates(&bodies);
        assert_eq!(found.pairs.last(), Some(&(300, 301)));
        let template = |text: &str| {
            let one = Sentence::new(text, Weights::bundled());
            let stems: Vec<u32> = one.content().collect();
            neighbours(&stems).all(|key| found.recurs(key, TEMPLATE))
        };
        assert!(!template("The ferry of Gotland leaves"));
        assert!(template("closed by the harbour team"));
    }

    #[test]
    fn keys_of_long_memories_do_not_count_for_each_other() {
        let words = |n: usize| (0..2_000).map(move |at| format!("word{n}x{at} "));
        let mut bodies: Vec<String> = (0..20).map(|n| words(n).collect()).collect();
        bodies.push("The ferry of Gotland leaves the harbour at noon.".to_owned());
        bodies.push("The ferry of Gotland leaves the harbour at midnight.".to_owned());
        let found = candidates(&bodies);
        assert_eq!(found.pairs, [(20, 21)]);
        assert!(found.recurring.is_empty());
    }
}
