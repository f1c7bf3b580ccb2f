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
pub struct Naming<'a>(HashMap<&'a str, Vec<&'a Arc<Memory>>>);

impl<'a> Naming<'a> {
    /// What these memories say.
    pub fn of(memories: &'a [Arc<Memory>]) -> Self {
        let mut naming: HashMap<&str, Vec<&Arc<Memory>>> = HashMap::new();
        for memory in memories {
            for (_, name, _) in named_in(memory) {
                naming.entry(name).or_default().push(memory);
            }
        }
        Self(naming)
    }

    /// A memory and those that name it.
    pub fn concerned(&self, memory: &Arc<Memory>) -> Vec<Arc<Memory>> {
        let others = self.0.get(&*memory.id.local).into_iter().flatten();
        std::iter::once(memory)
            .chain(others.copied())
            .cloned()
            .collect()
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
        let lists = fixes.iter().filter_map(|(_, action)| match action {
            FixAction::Unlist(gone) => Some(gone),
            _ => None,
        });
        let gone: Vec<_> = lists.flatten().cloned().collect();
        let unlisted = match gone.is_empty() {
            true => Ok(()),
            false => overlay.attempt(|overlay| self.unlist(&gone, overlay)),
        };
        let unlisted = unlisted.map_err(|error| error.to_string());
        let mut stage = |(id, action): &(MemoryId, FixAction)| {
            let one = by_id.only(id);
            overlay.attempt(|overlay| {
                let (store, memory) = self.find(id, one)?;
                match action {
                    FixAction::Edit(edits) => {
                        store.stage(&Request::Edit { memory, edits }, overlay)
                    }
                    FixAction::Rename(to) => {
                        let concerned = one.first().map(|one| naming.concerned(one));
                        self.rename(id, to, &concerned.unwrap_or_default(), overlay)
                    }
                    FixAction::SplitFile => store.stage(&Request::SplitFile(memory), overlay),
                    FixAction::Normalize => store.stage(&Request::Normalize(memory), overlay),
                    FixAction::Merge(with) => self.merge((id, with), false, memories, overlay),
                    FixAction::Archive => store.stage(&Request::Archive(memory), overlay),
                    // All at once, above.
                    FixAction::Unlist(_) => unlisted.clone().map_err(StoreError::Refused),
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
