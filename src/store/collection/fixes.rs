//! Fixes by the thousand: what each of them needs to know is looked up, never searched for.

use std::collections::HashMap;
use std::sync::Arc;

use super::Collection;
use super::words::named_in;
use crate::lint::FixAction;
use crate::memory::{Memory, MemoryId};
use crate::store::{Overlay, Request, StoreError};

/// Memories by their ids; of those that share one, the first.
pub(super) struct ById<'a>(HashMap<&'a MemoryId, &'a Arc<Memory>>);

impl<'a> ById<'a> {
    pub(super) fn of(memories: &'a [Arc<Memory>]) -> Self {
        let mut by_id = HashMap::with_capacity(memories.len());
        for memory in memories {
            by_id.entry(&memory.id).or_insert(memory);
        }
        Self(by_id)
    }

    /// The memory with this id, as a slice to find it in; empty where there is none.
    pub(super) fn only(&self, id: &MemoryId) -> &'a [Arc<Memory>] {
        self.0
            .get(id)
            .map_or(&[], |memory| std::slice::from_ref(*memory))
    }
}

/// The memories whose relations say a name, by that name.
struct Naming<'a>(HashMap<&'a str, Vec<&'a Arc<Memory>>>);

impl<'a> Naming<'a> {
    fn of(memories: &'a [Arc<Memory>]) -> Self {
        let mut naming: HashMap<&str, Vec<&Arc<Memory>>> = HashMap::new();
        for memory in memories {
            for (_, name, _) in named_in(memory) {
                naming.entry(name).or_default().push(memory);
            }
        }
        Self(naming)
    }
}

impl Collection {
    /// Adds what fixes change to an overlay, each of them wholly or not at all, and says what
    /// came of each.
    pub fn stage_fixes(
        &self,
        fixes: &[(MemoryId, FixAction)],
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Vec<Result<(), StoreError>> {
        let by_id = ById::of(memories);
        let renames = |fix: &(MemoryId, FixAction)| matches!(fix.1, FixAction::Rename(_));
        let naming = Naming::of(if fixes.iter().any(renames) {
            memories
        } else {
            &[]
        });
        let mut stage = |(id, action): &(MemoryId, FixAction)| {
            let one = by_id.only(id);
            overlay.attempt(|overlay| {
                let (store, memory) = self.find(id, one)?;
                match action {
                    FixAction::Edit(edits) => {
                        store.stage(&Request::Edit { memory, edits }, overlay)
                    }
                    FixAction::Rename(to) => {
                        let others = naming.0.get(&*id.local).into_iter().flatten();
                        let concerned: Vec<Arc<Memory>> =
                            one.iter().chain(others.copied()).cloned().collect();
                        self.rename(id, to, &concerned, overlay)
                    }
                    FixAction::SplitFile => store.stage(&Request::SplitFile(memory), overlay),
                    FixAction::Normalize => store.stage(&Request::Normalize(memory), overlay),
                    FixAction::Archive => store.stage(&Request::Archive(memory), overlay),
                }
            })
        };
        // What leaves a file leaves it from its end, so that the places of the others stay right.
        let mut order: Vec<usize> = (0..fixes.len()).collect();
        order.sort_by_key(|n| {
            let fix = fixes.get(*n).filter(|fix| fix.1 == FixAction::Archive);
            fix.map(|(id, _)| {
                let memory = by_id.only(id).first();
                std::cmp::Reverse(memory.map(|memory| (memory.path.clone(), memory.document)))
            })
        });
        let mut staged: Vec<(usize, Result<(), StoreError>)> = order
            .into_iter()
            .filter_map(|n| Some((n, stage(fixes.get(n)?))))
            .collect();
        staged.sort_by_key(|(n, _)| *n);
        staged.into_iter().map(|(_, done)| done).collect()
    }
}
