//! The order of candidates, before and after the second ranking (steps 4 and 5).

use std::cmp::Ordering;

use super::select::Candidate;
use crate::systems::golemcore::Config;

/// Gives candidates the key they are sorted by.
pub fn rerank(all: &mut [Candidate], config: &Config) {
    if !config.rerank || all.len() < 2 {
        return;
    }
    for candidate in all {
        candidate.key = candidate
            .boost
            .iter()
            .fold(candidate.score, |sum, part| sum + part);
    }
}

/// The order: by key, score, time (none last), then as they were collected.
pub fn compare(a: &Candidate, b: &Candidate) -> Ordering {
    (b.key.total_cmp(&a.key))
        .then_with(|| b.score.total_cmp(&a.score))
        // Nothing is less than something: turned round it comes last.
        .then_with(|| b.stamp.cmp(&a.stamp))
        .then_with(|| (a.place, a.number).cmp(&(b.place, b.number)))
        .then_with(|| a.memory.cmp(&b.memory))
}
