//! Raising and lowering memories.

use std::sync::Arc;

use super::Collection;
use crate::memory::{Memory, MemoryId};
use crate::store::{Overlay, StoreError};

impl Collection {
    /// Raises or lowers memories; refused where their system would not, unless that is meant.
    pub(super) fn promote(
        &self,
        ids: &[MemoryId],
        (up, sure): (bool, bool),
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        self.each(ids, memories, |store, memory| {
            let promotion = store.promote(memory, up, overlay)?;
            overlay.note(Some(promotion.why));
            match promotion.doubt {
                Some(doubt) if !sure => {
                    Err(StoreError::Doubtful(format!("{}: {doubt}", memory.id)))
                }
                doubt => {
                    overlay.note(doubt);
                    Ok(())
                }
            }
        })
    }
}
