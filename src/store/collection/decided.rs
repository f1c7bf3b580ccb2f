//! What a team decided about findings: read for lint, and written like any other change.

use std::sync::Arc;

use super::Collection;
use super::fixes::ById;
use crate::curate::Plan;
use crate::lint::answers::{Answer, Answers, Resolution, fingerprint};
use crate::lint::baseline::{Baseline, BaselineError, Key, Old};
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::project::git;
use crate::store::{Overlay, StoreError, shared};

impl Collection {
    /// What was said of pairs; nothing where the file is not there or cannot be read.
    pub fn answers(&self) -> Answers {
        let text = shared::read(&self.root, shared::ANSWERS).unwrap_or_default();
        Answers::parse(&String::from_utf8_lossy(&text))
    }

    /// The old findings, or what is wrong with their file.
    pub fn baseline(&self) -> Result<Baseline, BaselineError> {
        match shared::read(&self.root, shared::BASELINE) {
            Some(text) => Baseline::parse(&String::from_utf8_lossy(&text)),
            None => Ok(Baseline::default()),
        }
    }

    /// The plan that writes a baseline.
    pub fn plan_baseline(&self, baseline: &Baseline, now: Timestamp) -> Result<Plan, StoreError> {
        let mut overlay = self.overlay(now);
        self.stage_baseline(baseline, &mut overlay)?;
        Ok(overlay.into_plan(match baseline.len() {
            1 => "made a baseline of 1 finding".to_owned(),
            count => format!("made a baseline of {count} findings"),
        }))
    }

    fn stage_baseline(&self, new: &Baseline, overlay: &mut Overlay) -> Result<(), StoreError> {
        let path = shared::path(&self.root, shared::BASELINE);
        if overlay.exists(&path) {
            overlay.read(&path, None)?;
        }
        overlay.write(&path, new.to_text().into_bytes())
    }

    /// The baseline as it is staged.
    fn staged_baseline(&self, overlay: &mut Overlay) -> Result<Baseline, StoreError> {
        let path = shared::path(&self.root, shared::BASELINE);
        if !overlay.exists(&path) {
            return Ok(Baseline::default());
        }
        let text = String::from_utf8_lossy(overlay.read(&path, None)?).into_owned();
        let wrong = |error: BaselineError| {
            let BaselineError {
                line,
                column,
                message,
            } = error;
            let path = path.display();
            StoreError::Refused(format!("{path}:{line}:{column}: {message}"))
        };
        Baseline::parse(&text).map_err(wrong)
    }

    /// Takes findings out of the baseline.
    pub(super) fn unlist(
        &self,
        gone: &[(Key, usize)],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let left = self.staged_baseline(overlay)?.without(gone);
        self.stage_baseline(&left, overlay)
    }

    /// Puts findings into the baseline.
    pub(super) fn stage_silence(
        &self,
        found: &[Old],
        reason: Option<&str>,
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let mut baseline = self.staged_baseline(overlay)?;
        let by_id = ById::of(memories);
        for old in found {
            let (store, memory) = self.find(&old.id, by_id.only(&old.id))?;
            if !memory.path.starts_with(&self.root) {
                return Err(StoreError::Refused(format!(
                    "{} is no memory of the project, and the baseline is the project's: put a \
                     `memkeep-ignore` comment into it",
                    old.id
                )));
            }
            let text = store.text(memory)?;
            baseline.put(old, &String::from_utf8_lossy(&text), reason);
        }
        self.stage_baseline(&baseline, overlay)
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
