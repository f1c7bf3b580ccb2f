//! One memory of two.

use std::sync::Arc;

use super::Collection;
use crate::curate::merge::{self, Side};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId};
use crate::store::{Overlay, Request, Store, StoreError};

impl Collection {
    /// Makes the first of two memories say what both say, has the others name it where they named
    /// the second, and archives the second, or deletes it.
    pub(super) fn merge(
        &self,
        (keep, with): (&MemoryId, &MemoryId),
        delete: bool,
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let (store, keep) = self.find(keep, memories)?;
        let (from, with) = self.find(with, memories)?;
        if let Some(why) = merge::refusal(keep, with) {
            return Err(StoreError::Refused(why));
        }
        let edits = if keep.schema.in_rows() {
            let row = |store: &dyn Store, memory: &Memory| {
                let bytes = store.loader_body(memory)?;
                String::from_utf8(bytes)
                    .map_err(|error| StoreError::Refused(format!("{}: {error}", memory.id)))
            };
            let (own, theirs) = (row(store, keep)?, row(from, with)?);
            merge::rows((keep, &own), (with, &theirs))
        } else {
            let (own, theirs) = (body(store, keep)?, body(from, with)?);
            let side = |memory, body| Side { memory, body };
            merge::edits(side(keep, &own), side(with, &theirs), overlay.now)
        };
        let edits = edits.map_err(StoreError::Refused)?;
        if !edits.is_empty() {
            edit(store, keep, &edits, overlay)?;
        }
        let others = memories.iter().filter(|other| {
            other.id.store == with.id.store && other.id != keep.id && other.id != with.id
        });
        for other in others {
            let edits = merge::redirected(other, keep, with);
            if !edits.is_empty() {
                edit(from, other, &edits, overlay)?;
            }
        }
        from.stage(
            &if delete {
                Request::Delete(with)
            } else {
                Request::Archive(with)
            },
            overlay,
        )
    }
}

fn edit(
    store: &dyn Store,
    memory: &Memory,
    edits: &[FieldEdit],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    store.stage(&Request::Edit { memory, edits }, overlay)
}

/// The body of a memory; refused where it is not text, for the rest of it would be lost.
fn body(store: &dyn Store, memory: &Memory) -> Result<String, StoreError> {
    let body = store.body_of(memory, &store.text(memory)?);
    String::from_utf8(body)
        .map_err(|_| StoreError::Refused(format!("{} is not all UTF-8", memory.id)))
}
