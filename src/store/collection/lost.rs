//! Memories that no store has any more, and whose text the journal has.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::Collection;
use crate::curate::FileChange;
use crate::memory::{Memory, MemoryId, Stamp, State, document};
use crate::store::StoreError;

/// A memory that only the journal has.
pub struct Lost {
    /// Its id when it was added.
    pub id: MemoryId,
    /// The file that it stood in.
    pub path: PathBuf,
    /// Its text.
    pub text: Vec<u8>,
}

impl Collection {
    /// The memories that a change of the journal added or removed as a whole and that no store has,
    /// whether that change is in force or not; the latest first.
    pub fn lost(&self, memories: &[Arc<Memory>]) -> Result<Vec<Lost>, StoreError> {
        let mut known: HashSet<MemoryId> = memories.iter().map(|one| one.id.clone()).collect();
        let mut all = [self.applied()?, self.undone()?, self.dropped()?].concat();
        all.sort_by_key(|entry| Reverse(entry.order));
        let (mut lost, texts) = (Vec::new(), self.journals.texts());
        for change in all.iter().flat_map(|entry| &entry.plan.changes) {
            let (path, bytes, own) = match change {
                FileChange::Write {
                    path,
                    after: None,
                    splice,
                    ..
                } => (path, splice.removed.clone(), 0..splice.removed.len()),
                FileChange::Write { path, splice, .. } if splice.removed.is_empty() => {
                    let Some([_, after]) = texts.both(change) else {
                        continue;
                    };
                    let head = document::part(&after, 0..splice.at);
                    let line = memchr::memrchr(b'\n', head).map_or(0, |at| at + 1);
                    (path, after, line..splice.at + splice.inserted.len())
                }
                _ => continue,
            };
            let Some(store) = self.store_at(path) else {
                continue;
            };
            for memory in store.parse(path, &bytes, Stamp::default()) {
                let span = memory.span.clone();
                if own.contains(&span.start)
                    && memory.state == State::Active
                    && known.insert(memory.id.clone())
                {
                    lost.push(Lost {
                        id: memory.id.clone(),
                        path: path.clone(),
                        text: document::part(&bytes, span).to_vec(),
                    });
                }
            }
        }
        Ok(lost)
    }
}
