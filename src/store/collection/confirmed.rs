//! Memories that a person said are still right.

use std::sync::Arc;

use super::Collection;
use crate::lint::confirmed::{Confirmation, Confirmations};
use crate::memory::{Memory, MemoryId};
use crate::project::git;
use crate::retrieval::Texts as _;
use crate::store::{Overlay, StoreError, shared};

impl Collection {
    /// Adds that these memories, as they are now, are still right.
    pub(super) fn stage_confirm(
        &self,
        ids: &[MemoryId],
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let by = git::person(&self.root);
        let mut lines = String::new();
        for id in ids {
            let (store, memory) = self.find(id, memories)?;
            // Its clocks count days: once on one is enough.
            let today = overlay.day(overlay.now);
            if memory.confirmed.is_some_and(|at| overlay.day(at) == today) {
                continue;
            }
            let text = store.text(memory)?;
            let text = String::from_utf8_lossy(&text);
            let one = Confirmation::new(memory, &text, overlay.now, by.clone());
            lines.push_str(&one.to_line());
        }
        if lines.is_empty() {
            return Ok(());
        }
        shared::append(&self.root, shared::ANSWERS, &lines, overlay)
    }

    /// Says of each memory when it was confirmed, where it was and has the same text.
    pub(super) fn mark_confirmed(&self, memories: &mut [Arc<Memory>]) {
        let lines = shared::lines(&self.root, shared::ANSWERS);
        let all = Confirmations::parse(lines.into_iter().flatten());
        for memory in memories {
            if all.is_empty() && memory.confirmed.is_none() {
                continue;
            }
            let at = all.of(memory, &memory.id, &|memory| self.text(memory));
            if memory.confirmed != at {
                Arc::make_mut(memory).confirmed = at;
            }
        }
    }
}
