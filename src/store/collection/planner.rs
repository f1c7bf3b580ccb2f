//! Finds memories with their stores, and stages what takes them out or gives them another name.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::Collection;
use crate::curate::merge::renamed;
use crate::memory::{Memory, MemoryId, State};
use crate::store::{NewName, Overlay, Request, Result, Store, StoreError};

/// Plans changes of some memories: finds them with their stores, and stages what each change alters.
pub struct Planner<'a> {
    /// The stores.
    pub collection: &'a Collection,
    /// The memories, as a load gave them.
    pub memories: &'a [Arc<Memory>],
    /// They by their ids; of those that share one, the first.
    by_id: HashMap<&'a MemoryId, &'a Arc<Memory>>,
    /// Everything staged so far.
    pub overlay: &'a mut Overlay,
}

impl Collection {
    /// A planner of changes of these memories.
    pub fn planner<'a>(
        &'a self,
        memories: &'a [Arc<Memory>],
        overlay: &'a mut Overlay,
    ) -> Planner<'a> {
        // Of two with one id the first is found.
        let by_id = memories.iter().rev().map(|memory| (&memory.id, memory));
        Planner {
            collection: self,
            memories,
            by_id: by_id.collect(),
            overlay,
        }
    }
}

impl<'a> Planner<'a> {
    /// The memory with an id.
    pub(super) fn get(&self, id: &MemoryId) -> Option<&'a Memory> {
        self.by_id.get(id).map(|memory| &***memory)
    }

    /// The memory with an id, and its store; refused where it is gone.
    pub(super) fn find(&self, id: &MemoryId) -> Result<(&'a dyn Store, &'a Memory)> {
        let found = self.collection.store_of(id).zip(self.get(id));
        found.ok_or_else(|| StoreError::Refused(format!("{id} is not there any more")))
    }

    /// Memories with their stores, the last of a file first, so that the places of the earlier ones
    /// stay right.
    pub(super) fn last_first(&self, ids: &[MemoryId]) -> Result<Vec<(&'a dyn Store, &'a Memory)>> {
        let found: Result<Vec<_>> = ids.iter().map(|id| self.find(id)).collect();
        let mut found = found?;
        found.sort_by_key(|&(_, memory)| Reverse((&memory.path, memory.document)));
        Ok(found)
    }

    /// Stages the same request for each memory, those of a store together.
    pub(super) fn all(
        &mut self,
        ids: &[MemoryId],
        request: fn(&'a Memory) -> Request<'a>,
    ) -> Result {
        let found = self.last_first(ids)?;
        for run in found.chunk_by(|(_, a), (_, b)| a.id.store == b.id.store) {
            let requests: Vec<Request<'_>> = run.iter().map(|(_, one)| request(one)).collect();
            let Some((store, _)) = run.first() else {
                continue;
            };
            store.stage_all(&requests, self.overlay)?;
        }
        Ok(())
    }

    /// Takes memories out of their stores, those of a store together, and out of the texts that
    /// name them.
    pub(super) fn take_out(
        &mut self,
        ids: &[MemoryId],
        request: fn(&'a Memory) -> Request<'a>,
    ) -> Result {
        self.all(ids, request)?;
        let found = self.last_first(ids)?.into_iter();
        let gone: Vec<_> = found.map(|(_, memory)| (memory, NewName::Gone)).collect();
        self.follow(&gone)?;
        self.follow_mentions(&gone, false)
    }

    /// Renames a memory, and with it every relation that names it; see [`Self::follow`] for texts.
    pub(super) fn rename(&mut self, id: &MemoryId, to: &str) -> Result {
        let (store, memory) = self.find(id)?;
        store.stage(&Request::Rename { memory, to }, self.overlay)?;
        let to = to.strip_suffix(".md").unwrap_or(to);
        self.overlay.note(store.fixed_name(memory));
        if memory.state == State::Active {
            self.carry_over(id, &MemoryId::new(&id.store, to))?;
        }
        let others = self.memories.iter();
        let is_other =
            |other: &&Arc<Memory>| other.id.store == id.store && other.path != memory.path;
        for memory in others.filter(is_other) {
            let edits = &*renamed(memory, &id.local, to);
            if edits.is_empty() {
                continue;
            }
            match store.stage(&Request::Edit { memory, edits }, self.overlay) {
                // A neighbour with broken fields is no reason to refuse; lint names what it says.
                Ok(()) | Err(StoreError::Edit(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
