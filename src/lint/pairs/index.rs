//! Which memories share something rare: pairs worth reading again.
//!
//! Of each statement the features with the smallest hashes are kept (bottom-k sampling: Broder,
//! "On the resemblance and containment of documents", 1997), so that two statements which are
//! alike keep some of the same.

use std::sync::{Mutex, PoisonError};

use super::statement::statements;
use super::words::{hash, join};

/// Features kept of a statement: these in a large store, up to [`MOST_KEPT`] in a small one,
/// where nearly every pair of like statements is then found.
const KEPT: usize = 4;

/// Features kept of a statement at most.
const MOST_KEPT: usize = 16;

/// Features kept of all memories together, 8 bytes each.
const ALL: usize = 3_000_000;

/// More memories than this share a feature that says nothing.
const COMMON: usize = 64;

/// Up to so many memories that share a feature, each is held against each; of more only
/// neighbours are.
const EACH: usize = 12;

/// The same in a store of which every pair would be too much.
const EACH_OF_MANY: usize = 4;

/// A store of more memories is one of many.
const MANY: usize = 20_000;

/// Pairs that are read again at most, the likeliest: about one for each memory, within these.
const LEAST_PAIRS: usize = 5_000;
const MOST_PAIRS: usize = 20_000;

/// In a store of more memories two have to share more than one feature: by chance too many
/// share one.
const SMALL: usize = 2_000;

/// Parts by hash, so that no list of all features has to grow in one piece.
const PARTS: usize = 64;

/// Features in a piece of a part.
const PIECE: usize = 1_024;

/// Features of all memories.
pub struct Index {
    parts: Mutex<Vec<Vec<Vec<u64>>>>,
    memories: usize,
}

impl Index {
    /// An empty index for so many memories.
    pub fn new(memories: usize) -> Self {
        Self {
            parts: Mutex::new(vec![Vec::new(); PARTS]),
            memories,
        }
    }

    /// Takes in the body of a memory.
    pub fn add(&self, memory: usize, body: &str) {
        let Ok(memory) = u32::try_from(memory) else {
            return;
        };
        let room = ALL / self.memories.max(1);
        let mut kept = features(body, (room / 10).clamp(KEPT, MOST_KEPT));
        kept.truncate(room.clamp(24, 600));
        kept.push(whole(body));
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        for feature in kept {
            let Some(part) = parts.get_mut(feature as usize % PARTS) else {
                continue;
            };
            // Pieces of one size: a list that doubles would be half empty.
            if part.last().is_none_or(|piece| piece.len() == PIECE) {
                part.push(Vec::with_capacity(PIECE));
            }
            if let Some(piece) = part.last_mut() {
                piece.push((u64::from(feature) << 32) | u64::from(memory));
            }
        }
    }

    /// Pairs of memories that share features, the first before the second, the likeliest where
    /// there are too many; empties the index.
    pub fn pairs(&self) -> Vec<(u32, u32)> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = std::mem::take(&mut *parts);
        let mut shared: Vec<u64> = Vec::new();
        for part in parts {
            let mut part = part.concat();
            part.sort_unstable();
            part.dedup();
            for group in part.chunk_by(|a, b| a >> 32 == b >> 32) {
                self.share(group, &mut shared);
            }
        }
        shared.sort_unstable();
        let counted = shared.chunk_by(|a, b| a == b);
        let mut pairs: Vec<(usize, u64)> = counted
            .filter_map(|group| Some((group.len(), *group.first()?)))
            .collect();
        drop(shared);
        if self.memories > SMALL {
            pairs.retain(|(count, _)| *count > 1);
        }
        let most = self.memories.clamp(LEAST_PAIRS, MOST_PAIRS);
        if pairs.len() > most {
            pairs.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            pairs.truncate(most);
        }
        pairs.sort_unstable_by_key(|(_, pair)| *pair);
        pairs
            .into_iter()
            .map(|(_, pair)| (high(pair), low(pair)))
            .collect()
    }

    /// The pairs of a group of memories that share a feature.
    fn share(&self, group: &[u64], shared: &mut Vec<u64>) {
        let each = if self.memories > MANY {
            EACH_OF_MANY
        } else {
            EACH
        };
        let pair = |a: u64, b: u64| (u64::from(low(a)) << 32) | u64::from(low(b));
        if group.len() <= each {
            for (n, a) in group.iter().enumerate() {
                shared.extend(group.iter().skip(n + 1).map(|b| pair(*a, *b)));
            }
        } else if group.len() <= COMMON {
            shared.extend(
                group
                    .iter()
                    .zip(group.iter().skip(1))
                    .map(|(a, b)| pair(*a, *b)),
            );
        }
    }
}

fn high(pair: u64) -> u32 {
    u32::try_from(pair >> 32).unwrap_or_default()
}

fn low(pair: u64) -> u32 {
    u32::try_from(pair & u64::from(u32::MAX)).unwrap_or_default()
}

/// The features kept of a body, the smallest first.
fn features(body: &str, most: usize) -> Vec<u32> {
    let mut kept = Vec::new();
    for statement in statements(body) {
        let mut features = statement.features();
        features.truncate(most);
        kept.append(&mut features);
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// A feature of the whole body: copies share it, however common their statements are.
fn whole(body: &str) -> u32 {
    body.split_whitespace()
        .fold(7, |all, word| join(all, hash(word.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_something_rare_is_a_pair() {
        let index = Index::new(4);
        index.add(0, "The pool holds ten connections in production.");
        index.add(1, "Amounts are stored in whole cents everywhere.");
        index.add(2, "The pool holds 20 connections in production.");
        index.add(3, "- Amounts are stored in whole cents, everywhere.");
        assert_eq!(index.pairs(), [(0, 2), (1, 3)]);
        assert!(index.pairs().is_empty());
    }

    #[test]
    fn what_all_share_pairs_copies_with_their_neighbours_only() {
        let index = Index::new(300);
        for n in 0..300 {
            index.add(n, "Read the guide before you change the parser.");
        }
        assert!(index.pairs().is_empty() || index.pairs().len() < 300);
    }
}
