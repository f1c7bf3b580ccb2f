//! Candidates for promotion.

use std::collections::HashMap;

use super::Workspace;
use crate::lint::{self, Selection};
use crate::memory::MemoryId;
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
