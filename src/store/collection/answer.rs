//! Answers on pairs of memories: read for lint, and written like any other change.

use std::sync::Arc;

use super::Collection;
use crate::lint::answers::{Answer, Answers, Resolution, fingerprint};
use crate::memory::{Memory, MemoryId};
use crate::project::git;
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
}
