//! The order of candidates, before and after the second ranking (steps 4 and 5).

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
