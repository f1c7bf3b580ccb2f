//! What a team decided about findings: read for lint, and written like any other change.

use std::sync::Arc;

use super::Collection;
use super::fixes::ById;
use crate::curate::{BaselineKey, Plan, Resolution, Silenced};
use crate::lint::answers::{Answer, Answers, fingerprint};
use crate::lint::baseline::{Baseline, BaselineError};
use crate::lint::confirmed::Confirmations;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::project::git;
use crate::retrieval::tasks::{self, Written};
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

    /// What was said of pairs, and the old findings, as they are staged.
    pub fn decided(&self, overlay: &Overlay) -> (Answers, Baseline) {
        let staged = |name| {
            let bytes = overlay.bytes(&shared::path(&self.root, name));
            bytes.map(|bytes| String::from_utf8_lossy(bytes))
        };
        let answers = staged(shared::ANSWERS).map(|text| Answers::parse(&text));
        let baseline = staged(shared::BASELINE).map(|text| Baseline::parse(&text));
        let baseline = baseline.unwrap_or_else(|| self.baseline());
        (
            answers.unwrap_or_else(|| self.answers()),
            baseline.unwrap_or_default(),
        )
    }

    /// The plan that writes a baseline of so many findings.
    pub fn plan_baseline(
        &self,
        baseline: &Baseline,
        findings: usize,
        now: Timestamp,
    ) -> Result<Plan, StoreError> {
        let mut overlay = self.overlay(now);
        self.stage_baseline(baseline, &mut overlay)?;
        Ok(overlay.into_plan(match findings {
            1 => "made a baseline of 1 finding".to_owned(),
            count => format!("made a baseline of {count} findings"),
        }))
    }

    fn stage_baseline(&self, new: &Baseline, overlay: &mut Overlay) -> Result<(), StoreError> {
        let path = shared::path(&self.root, shared::BASELINE);
        overlay.current(&path)?;
        overlay.write(&path, new.to_text().into_bytes())
    }

    /// Writes a task down, with what it has to be given.
    pub(super) fn stage_task(
        &self,
        task: &Written,
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let path = self.root.join(tasks::PATH);
        let text = overlay.current(&path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(text).into_owned();
        let refused = |why| StoreError::Refused(format!("{}: {why}", tasks::PATH));
        let text = tasks::record(&text, task).map_err(refused)?;
        overlay.write(&path, text.into_bytes())
    }

    /// The baseline as it is staged.
    fn staged_baseline(&self, overlay: &mut Overlay) -> Result<Baseline, StoreError> {
        let path = shared::path(&self.root, shared::BASELINE);
        let Some(text) = overlay.current(&path)? else {
            return Ok(Baseline::default());
        };
        let text = String::from_utf8_lossy(text).into_owned();
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
        gone: &[(BaselineKey, usize)],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let left = self.staged_baseline(overlay)?.without(gone);
        self.stage_baseline(&left, overlay)
    }

    /// Puts findings into the baseline.
    pub(super) fn stage_silence(
        &self,
        found: &[Silenced],
        reason: Option<&str>,
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let mut baseline = self.staged_baseline(overlay)?;
        let by_id = ById::of(memories);
        for old in found {
            let mut all = Vec::new();
            for id in &old.ids {
                let (store, memory) = self.find(id, by_id.only(id))?;
                let text = store.text(memory)?;
                all.push((memory, String::from_utf8_lossy(&text).into_owned()));
            }
            let own = |(memory, _): &(&Memory, _)| memory.path.starts_with(&self.root);
            if !all.iter().any(own) {
                return Err(StoreError::Refused(format!(
                    "{} is no memory of the project, and the baseline is the project's: put a \
                     `memkeep-ignore` comment into it",
                    old.ids
                        .first()
                        .map_or_else(String::new, ToString::to_string)
                )));
            }
            baseline.put(old, &all, reason);
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
            .signed(overlay.now, git::person(&self.root));
        shared::append(&self.root, shared::ANSWERS, &answer.to_line(), overlay)
    }

    /// The plan that remembers what a model answered, as lines of the file.
    pub fn plan_judgements(
        &self,
        lines: &str,
        title: String,
        now: Timestamp,
    ) -> Result<Plan, StoreError> {
        let mut overlay = self.overlay(now);
        shared::append(&self.root, shared::ANSWERS, lines, &mut overlay)?;
        Ok(overlay.into_plan(title))
    }

    /// Lets what was decided about a memory hold for it under another name.
    pub(super) fn carry_over(
        &self,
        from: &MemoryId,
        to: &MemoryId,
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let (from, to) = (from.to_string(), to.to_string());
        if self.is_named(shared::BASELINE, &from, overlay)
            // One that cannot be read says nothing, here as for lint.
            && let Ok(baseline) = self.staged_baseline(overlay)
            && let Some(renamed) = baseline.renamed(&from, &to)
        {
            self.stage_baseline(&renamed, overlay)?;
        }
        if self.is_named(shared::ANSWERS, &from, overlay) {
            let path = shared::path(&self.root, shared::ANSWERS);
            let text = String::from_utf8_lossy(overlay.read(&path, None)?).into_owned();
            let lines = [
                Answers::parse(&text).renamed(&from, &to),
                Confirmations::parse(&text).renamed(&from, &to),
            ];
            shared::append(&self.root, shared::ANSWERS, &lines.concat(), overlay)?;
        }
        Ok(())
    }

    /// Whether one of the files may say something of a memory.
    fn is_named(&self, name: &str, id: &str, overlay: &mut Overlay) -> bool {
        let path = shared::path(&self.root, name);
        let quoted = serde_json::Value::from(id).to_string();
        let bytes = overlay.current(&path).ok().flatten();
        bytes.is_some_and(|bytes| memchr::memmem::find(bytes, quoted.as_bytes()).is_some())
    }
}
