//! Candidates for promotion.

use std::collections::HashMap;
use std::sync::Arc;

use super::Workspace;
use crate::app::convert::Way;
use crate::lint::{self, Selection};
use crate::memory::{Memory, MemoryId};
use crate::retrieval::Snapshot;
use crate::store::collection::Candidate;

impl Workspace {
    /// The memories that can be promoted, with near duplicates as evidence.
    pub fn promotable(&self, memories: &Snapshot) -> Vec<Candidate> {
        let collection = &self.collection;
        let (basis, facts) = (self.lint_basis(), self.lint_facts(self.now));
        let cx = facts.context(&basis, memories, collection);
        let rules = Selection::of(&["near-duplicate"]).unwrap_or_default();
        let mut repeated: HashMap<MemoryId, [MemoryId; 2]> = HashMap::new();
        for finding in lint::run(&cx, &rules) {
            for one in finding.each() {
                let id = |at: &usize| Some(memories.get(*at)?.id.clone());
                let Some((keep, with)) = one.related.first().and_then(id).zip(id(&one.memory))
                else {
                    continue;
                };
                for of in [&keep, &with] {
                    let pair = || [keep.clone(), with.clone()];
                    repeated.entry(of.clone()).or_insert_with(pair);
                }
            }
        }
        collection.candidates(memories, self.now, &|id| repeated.get(id).cloned())
    }
}

/// Candidates as rows of a list.
pub fn rows(candidates: Vec<Candidate>, memories: &[Arc<Memory>]) -> Vec<Way> {
    let way = |one: Candidate| {
        let memory = memories.iter().find(|memory| memory.id == one.id)?;
        let missing = one.missing.map(|missing| format!("missing: {missing}"));
        let about = std::iter::once(one.why).chain(missing).chain(one.evidence);
        Some(Way {
            name: crate::lint::mask(&memory.title).into_owned(),
            about: about.collect::<Vec<_>>().join("; "),
            change: one.change,
        })
    };
    candidates.into_iter().filter_map(way).collect()
}
