//! One memory of two.

use std::sync::Arc;

use super::Collection;
use crate::curate::merge::{self, Side};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId};
use crate::store::{NewName, Overlay, Request, Store, StoreError};

impl Collection {
    /// Gives the first of two memories what only the second has, has the others name it where they
    /// named the second, and archives the second, or deletes it.
    pub(super) fn merge(
        &self,
        (keep, with): (&MemoryId, &MemoryId),
        delete: bool,
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let (store, keep) = self.find(keep, memories)?;
        let (from, with) = self.find(with, memories)?;
        // Another one may have been merged into it by the same change.
        let staged = staged(store, keep, overlay);
        let keep = staged.as_deref().unwrap_or(keep);
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
            let own = match overlay.bytes(&keep.path).filter(|_| staged.is_some()) {
                Some(bytes) => body_in(store, keep, &store.text_in(keep, bytes))?,
                None => body(store, keep)?,
            };
            let theirs = body(from, with)?;
            let side = |memory, body| Side { memory, body };
            merge::edits(side(keep, &own), side(with, &theirs), overlay.now)
        };
        let edits = edits.map_err(StoreError::Refused)?;
        if !edits.is_empty() {
            let (memory, edits) = (keep, &*edits);
            store.stage(&Request::Edit { memory, edits }, overlay)?;
        }
        let has_both = edits
            .iter()
            .any(|edit| matches!(edit, FieldEdit::Body(_) | FieldEdit::Set { .. }));
        overlay.note(
            has_both.then(|| format!("{} has both texts: remove what no longer holds", keep.id)),
        );
        let others = memories.iter().filter(|other| {
            other.id.store == with.id.store && other.id != keep.id && other.id != with.id
        });
        for other in others {
            let (memory, edits) = (other, &*merge::redirected(other, keep, with));
            if !edits.is_empty() {
                from.stage(&Request::Edit { memory, edits }, overlay)?;
            }
        }
        let request = match delete {
            true => Request::Delete(with),
            false => Request::Archive(with),
        };
        from.stage(&request, overlay)?;
        let to = match from.info().id == store.info().id {
            true => NewName::Local(&keep.id.local),
            false => NewName::Gone,
        };
        self.follow(&[(with, to)], memories, overlay)?;
        self.follow_mentions(&[(with, NewName::Gone)], false, memories, overlay)
    }
}

/// Adds to a memory what a text says beyond it; its fields stay.
pub(super) fn update(
    store: &dyn Store,
    memory: &Memory,
    text: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let own = body(store, memory)?;
    let side = |body| Side { memory, body };
    let edits = merge::edits(side(&own), side(text), overlay.now);
    let edits = &edits.map_err(StoreError::Refused)?;
    store.stage(&Request::Edit { memory, edits }, overlay)
}

/// A memory as it is staged; none where its file is not changed.
fn staged(store: &dyn Store, memory: &Memory, overlay: &Overlay) -> Option<Arc<Memory>> {
    let is_changed = overlay.changed().any(|path| *path == *memory.path);
    let bytes = overlay.bytes(&memory.path).filter(|_| is_changed)?;
    let mut all = store.parse(&memory.path, bytes, memory.stamp).into_iter();
    all.find(|one| one.id == memory.id)
}

/// The body of a memory; refused where it is not text, for the rest of it would be lost.
fn body(store: &dyn Store, memory: &Memory) -> Result<String, StoreError> {
    body_in(store, memory, &store.text(memory)?)
}

fn body_in(store: &dyn Store, memory: &Memory, text: &[u8]) -> Result<String, StoreError> {
    String::from_utf8(store.extras().body_of(memory, text))
        .map_err(|_| StoreError::Refused(format!("{} is not all UTF-8", memory.id)))
}
