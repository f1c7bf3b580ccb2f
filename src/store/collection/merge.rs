//! One memory of two.

use std::sync::Arc;

use super::planner::Planner;
use crate::curate::merge::{self, Side};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId};
use crate::store::{NewName, Request, Result, Store, StoreError};

impl Planner<'_> {
    /// Gives the first of two memories what only the second has, has the others name it where they
    /// named the second, and archives the second.
    pub(super) fn merge(&mut self, keep: &MemoryId, with: &MemoryId) -> Result {
        let (store, keep) = self.find(keep)?;
        let (from, with) = self.find(with)?;
        // Another one may have been merged into it by the same change.
        let staged = self.staged(store, keep);
        let keep = staged.as_deref().unwrap_or(keep);
        if let Some(why) = merge::refusal(keep, with) {
            return Err(StoreError::Refused(why));
        }
        let edits = if keep.schema.can.in_rows {
            let row = |store: &dyn Store, memory| utf8(memory, store.loader_body(memory)?);
            let (own, theirs) = (row(store, keep)?, row(from, with)?);
            merge::rows((keep, &own), (with, &theirs))
        } else {
            let own = match self.overlay.bytes(&keep.path).filter(|_| staged.is_some()) {
                Some(bytes) => store.text_in(keep, bytes),
                None => store.text(keep)?,
            };
            let own = utf8(keep, store.body_of(keep, &own))?;
            let theirs = body(from, with)?;
            let side = |memory, body| Side { memory, body };
            merge::edits(side(keep, &own), side(with, &theirs), self.overlay.now)
        };
        let edits = &*edits.map_err(StoreError::Refused)?;
        if !edits.is_empty() {
            let request = Request::Edit {
                memory: keep,
                edits,
            };
            store.stage(&request, self.overlay)?;
        }
        let adds = |edit: &FieldEdit| matches!(edit, FieldEdit::Body(_) | FieldEdit::Set { .. });
        let note = format!("{} has both texts: remove what no longer holds", keep.id);
        self.overlay.note(edits.iter().any(adds).then_some(note));
        let others = self.memories.iter().filter(|other| {
            other.id.store == with.id.store && other.id != keep.id && other.id != with.id
        });
        for memory in others {
            let edits = &*merge::redirected(memory, keep, with);
            if !edits.is_empty() {
                from.stage(&Request::Edit { memory, edits }, self.overlay)?;
            }
        }
        from.stage(&Request::Archive(with), self.overlay)?;
        let to = match from.info().id == store.info().id {
            true => NewName::Local(&keep.id.local),
            false => NewName::Gone,
        };
        self.follow(&[(with, to)])?;
        self.follow_mentions(&[(with, NewName::Gone)], false)
    }

    /// Adds to a memory what a text says beyond it; its fields stay.
    pub(super) fn update(&mut self, store: &dyn Store, memory: &Memory, text: &str) -> Result {
        let own = body(store, memory)?;
        let side = |body| Side { memory, body };
        let edits = merge::edits(side(&own), side(text), self.overlay.now);
        let edits = &edits.map_err(StoreError::Refused)?;
        store.stage(&Request::Edit { memory, edits }, self.overlay)
    }

    /// A memory as it is staged; none where its file is not changed.
    fn staged(&self, store: &dyn Store, memory: &Memory) -> Option<Arc<Memory>> {
        let is_changed = self.overlay.changed().any(|path| *path == *memory.path);
        let bytes = self.overlay.bytes(&memory.path).filter(|_| is_changed)?;
        let mut all = store.parse(&memory.path, bytes, memory.stamp).into_iter();
        all.find(|one| one.id == memory.id)
    }
}

/// The body of a memory.
fn body(store: &dyn Store, memory: &Memory) -> Result<String> {
    utf8(memory, store.body_of(memory, &store.text(memory)?))
}

/// Bytes of a memory as text; refused where they are none, for a part of them would be lost.
fn utf8(memory: &Memory, bytes: Vec<u8>) -> Result<String> {
    let refused = |_| StoreError::Refused(format!("{} is not all UTF-8", memory.id));
    String::from_utf8(bytes).map_err(refused)
}
