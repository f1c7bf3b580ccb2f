//! Answers on pairs of memories, and memories that were confirmed: read for lint, and written like
//! any other change.

use std::sync::Arc;

use super::Collection;
use crate::lint::answers::{Answer, Answers, Resolution, fingerprint};
use crate::lint::confirmed::{Confirmation, Confirmations};
use crate::memory::{Memory, MemoryId};
use crate::project::git;
use crate::retrieval::Texts as _;
use crate::store::{Overlay, StoreError, shared};

impl Collection {
    /// What was said of pairs; nothing where the file is not there or cannot be read.
    pub fn answers(&self) -> Answers {
        let text = shared::read(&self.root, shared::ANSWERS).unwrap_or_default();
        Answers::parse(&String::from_utf8_lossy(&text))
    }

    /// Adds an answer on two memories, as they are now, to the end of the file.
    pub(super) fn stage_answer(
        &self,
        rule: &str,
        (a, b): (&MemoryId, &MemoryId),
        (answer, scope): (Resolution, Option<&str>),
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let print = |id: &MemoryId| {
            let (store, memory) = self.find(id, memories)?;
            // What changed since it was read is not what the person answered about.
            let text = store.text(memory)?;
            let text = String::from_utf8_lossy(&text);
            Ok::<_, StoreError>(fingerprint(rule, memory, &text))
        };
        let answer = Answer::new(rule, (a, print(a)?), (b, print(b)?), answer)
            .within(scope.map(str::to_owned))
            .said(overlay.now, git::person(&self.root));
        shared::append(&self.root, shared::ANSWERS, &answer.to_line(), overlay)
    }

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
            let text = store.text(memory)?;
            let text = String::from_utf8_lossy(&text);
            let one = Confirmation::new(memory, &text, overlay.now, by.clone());
            lines.push_str(&one.to_line());
        }
        shared::append(&self.root, shared::ANSWERS, &lines, overlay)
    }

    /// Says of each memory when it was confirmed, where it was and has the same text.
    pub(super) fn mark_confirmed(&self, memories: &mut [Arc<Memory>]) {
        let text = shared::read(&self.root, shared::ANSWERS).unwrap_or_default();
        let all = Confirmations::parse(&String::from_utf8_lossy(&text));
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
