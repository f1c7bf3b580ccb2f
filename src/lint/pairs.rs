//! What two memories say of the same: which contradict each other, and which say it twice.
//!
//! ```text
//! every text, once ──> features of its statements ──> index ──> pairs that share rare ones
//!                                                                   │ their texts, again
//!                               contradictions, likeness <── statement by statement
//! ```

pub(super) mod compare;
mod index;
pub(super) mod statement;
pub(super) mod table;
mod verify;
pub(super) mod words;

use std::sync::OnceLock;

use super::{Context, Look};
pub(super) use verify::{Conflict, Found, SHORTER, Side, shingles};

/// What rules about pairs share: the index, and what was found with it, once.
pub(super) struct Pairs {
    index: index::Index,
    found: OnceLock<Vec<Found>>,
}

impl Pairs {
    /// For so many memories.
    pub fn new(memories: usize) -> Self {
        Self {
            index: index::Index::new(memories),
            found: OnceLock::new(),
        }
    }

    /// Takes in a memory; gives what is kept of it.
    pub fn add(&self, look: &Look<'_>) -> Vec<u32> {
        let features = self.index.features(look.body().1);
        self.index.add(look.index, &features);
        features
    }

    /// Takes in a memory of which this was kept.
    pub fn put(&self, memory: usize, features: &[u32]) {
        self.index.add(memory, features);
    }

    /// What the memories that were taken in have to do with each other, by index.
    pub fn found(&self, cx: &Context<'_>) -> &[Found] {
        self.found
            .get_or_init(|| verify::verify(cx, &self.index.pairs()))
    }
}
