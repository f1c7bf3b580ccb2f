//! What an index says of all memories for one task, and the last of it.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

use super::hits::Hits;
use super::index::Index;
use super::judge::Judge;
use super::near::Scores;
use crate::retrieval::{Limits, Snapshot, Task};

/// Scores and matches of all memories for one task.
pub struct Scoring {
    /// What they earn.
    pub scores: Scores,
    /// Which patterns match.
    pub hits: Hits,
    /// Score and index of those that match and are important enough.
    pub candidates: Vec<Candidate>,
}

/// Score and index; the better one is the greater one.
pub type Candidate = (i64, Reverse<usize>);

impl Scoring {
    fn of(index: &Index, memories: &Snapshot, judge: &Judge<'_>) -> Self {
        let scores = index.near.scores(judge);
        let hits = Hits::of(index, memories, judge);
        let candidate = |at: usize| {
            let counts = hits.has(index, at) && index.near.is_enough(&scores, at);
            Some((scores.of(at).filter(|_| counts)?, Reverse(at)))
        };
        let candidates = (0..memories.len()).filter_map(candidate).collect();
        Self {
            scores,
            hits,
            candidates,
        }
    }
}

/// The scoring of the last task: the screen asks for a preview, for the same with an edit made,
/// and for the verdicts of its rows, and all of them begin with it.
#[derive(Default)]
pub struct Last(Mutex<Option<(Task, Limits, Arc<Scoring>)>>);

impl Last {
    /// The scoring of a task.
    pub fn of(
        &self,
        (task, limits): (&Task, &Limits),
        index: &Index,
        memories: &Snapshot,
        judge: &Judge<'_>,
    ) -> Arc<Scoring> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((of, by, scoring)) if of == task && by == limits => Arc::clone(scoring),
            _ => {
                let scoring = Arc::new(Scoring::of(index, memories, judge));
                *last = Some((task.clone(), limits.clone(), Arc::clone(&scoring)));
                scoring
            }
        }
    }
}
