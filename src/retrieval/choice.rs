//! The system's own policy, or memkeep's in its place where a person asks for that.

use std::sync::{Arc, OnceLock};

use super::hybrid::Hybrid;
use super::together::{Together, Way};
use super::{Limits, Policy, Preview, Scorer, Snapshot, Task, Texts, Verdict};
use crate::memory::Memory;

/// The name of memkeep's own policy among the dialects.
pub const HYBRID: &str = "hybrid";

/// A scorer that does what the systems do, and ranks by [`Hybrid`] where that is the dialect.
pub struct Choice {
    own: Box<dyn Scorer>,
    ways: Vec<Way>,
    memories: Snapshot,
    /// Made when it is first asked for: its index takes room.
    hybrid: OnceLock<Box<dyn Scorer>>,
}

impl Choice {
    /// The scorer of a snapshot that holds the memories of these stores.
    pub fn new(own: Box<dyn Scorer>, ways: &[Way], memories: &Snapshot) -> Self {
        let way = |way: &Way| Way {
            policy: &Hybrid,
            ..way.clone()
        };
        Self {
            own,
            ways: ways.iter().map(way).collect(),
            memories: memories.clone(),
            hybrid: OnceLock::new(),
        }
    }

    fn of(&self, limits: &Limits) -> &dyn Scorer {
        if limits.dialect != HYBRID {
            return &*self.own;
        }
        let hybrid = self.hybrid.get_or_init(|| match &self.ways[..] {
            [_] => Hybrid.scorer(self.memories.clone()),
            ways => Box::new(Together::new(ways, &self.memories)),
        });
        &**hybrid
    }
}

impl Scorer for Choice {
    fn index(&mut self, texts: &dyn Texts) {
        self.own.index(texts);
    }

    fn preview(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Arc<Preview> {
        self.of(limits).preview(task, limits, what_if, texts)
    }

    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        texts: &dyn Texts,
    ) -> Vec<Verdict> {
        self.of(limits).verdicts(task, limits, wanted, texts)
    }
}
