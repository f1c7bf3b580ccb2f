//! Raising and lowering memories, and what else is done only where it is meant.

use std::sync::Arc;

use super::Collection;
use super::fixes::ById;
use crate::memory::{Memory, MemoryId};
use crate::store::{Overlay, StoreError};

/// Memories of which it is said what goes with each; of more that there are more.
const MOST_NAMED: usize = 3;

impl Collection {
    /// What goes with a memory when it is deleted, as people are told it; none where that is no
    /// more than the memory.
    pub fn goes_with(&self, memory: &Memory) -> Result<Option<String>, StoreError> {
        let store = self.store_of(&memory.id);
        let with = store
            .map(|store| store.extras().goes_with(memory))
            .transpose()?;
        let with = with.filter(|with| !with.is_empty());
        Ok(with.map(|with| format!("{} takes {} with it", memory.id, with.join(", "))))
    }

    /// Refuses to delete memories that more goes with, unless that is meant.
    pub(super) fn refuse_more(
        &self,
        ids: &[MemoryId],
        sure: bool,
        memories: &[Arc<Memory>],
    ) -> Result<(), StoreError> {
        if sure {
            return Ok(());
        }
        let by_id = ById::of(memories);
        let mut all = Vec::new();
        for id in ids {
            let Some(with) = self.goes_with(self.find(id, by_id.only(id))?.1)? else {
                continue;
            };
            if all.len() == MOST_NAMED {
                all.push("others take more with them".to_owned());
                break;
            }
            all.push(with);
        }
        match all.is_empty() {
            true => Ok(()),
            false => Err(StoreError::Doubtful(all.join("; "))),
        }
    }

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
