//! The team's decisions about findings and memories: read for lint, written like any change.

use std::sync::Arc;

use super::Collection;
use super::planner::Planner;
use crate::curate::{DecisionKey, Plan, Resolution, Silenced};
use crate::lint::Baseline;
use crate::lint::decisions::{Decision, Decisions, renamed, rewritten, to_line};
use crate::lint::judged::fingerprint;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::project::git;
use crate::retrieval::Texts as _;
use crate::retrieval::tasks::{self, Written};
use crate::store::{Overlay, Result, control, refuse, refused};

impl Collection {
    /// All decisions; none if the file cannot be read.
    pub fn decisions(&self) -> Decisions {
        let lines = control::decision_lines(&self.root);
        Decisions::from_lines(lines.into_iter().flatten())
    }

    /// All decisions as they are staged.
    pub fn decided(&self, overlay: &Overlay) -> Decisions {
        let staged = overlay.bytes(&control::decisions(&self.root));
        let staged = staged.map(|bytes| Decisions::parse(&String::from_utf8_lossy(bytes)));
        staged.unwrap_or_else(|| self.decisions())
    }

    /// The plan that appends lines to the decisions.
    pub fn plan_lines(&self, lines: &str, title: String, now: Timestamp) -> Result<Plan> {
        let mut overlay = self.overlay(now);
        control::append_decisions(&self.root, lines, &mut overlay)?;
        Ok(overlay.into_plan(title))
    }

    /// Plans a baseline: leaves these findings as they are, and drops outdated decisions.
    pub fn plan_baseline(
        &self,
        found: &[Silenced],
        changed: &Baseline,
        (memories, title): (&[Arc<Memory>], String),
        now: Timestamp,
    ) -> Result<Plan> {
        let mut overlay = self.overlay(now);
        let mut planner = self.planner(memories, &mut overlay);
        let new = planner.left(found, None, None)?;
        planner.stage_decisions(&[&changed.over[..], &changed.lost].concat(), new)?;
        Ok(overlay.into_plan(title))
    }

    /// Sets the time at which each memory was confirmed, if its text is the same still.
    pub(super) fn mark_confirmed(&self, memories: &mut [Arc<Memory>]) {
        let lines = control::decision_lines(&self.root);
        let lines = lines.into_iter().flatten();
        let confirmations = lines.filter(|line| line.contains("\"confirmed\""));
        let all = Decisions::from_lines(confirmations);
        for memory in memories {
            let at = all.confirmed(memory, &|memory| self.text(memory));
            if memory.confirmed != at {
                Arc::make_mut(memory).confirmed = at;
            }
        }
    }
}

impl Planner<'_> {
    pub(super) fn stage_decisions(&mut self, gone: &[DecisionKey], new: Vec<Decision>) -> Result {
        if gone.is_empty() && new.is_empty() {
            return Ok(());
        }
        let root = &self.collection.root;
        let path = control::decisions(root);
        let text = control::stage(root, &path, self.overlay)?.unwrap_or_default();
        let why = || {
            format!(
                "{} is not UTF-8, so no line of it is removed",
                path.display()
            )
        };
        let text = std::str::from_utf8(text).map_err(|_| refused(why()))?;
        let text = rewritten(text, gone, new);
        self.overlay.write(&path, text.into_bytes())
    }

    /// Decisions that leave findings as they are.
    pub(super) fn left(
        &self,
        found: &[Silenced],
        reason: Option<&str>,
        until: Option<&str>,
    ) -> Result<Vec<Decision>> {
        let root = &self.collection.root;
        let by = git::person(root);
        let mut new = Vec::new();
        for finding in found {
            let mut all = Vec::new();
            for id in &finding.ids {
                let (store, memory) = self.find(id)?;
                let text = store.text(memory)?;
                all.push((memory, String::from_utf8_lossy(&text).into_owned()));
            }
            if !all.iter().any(|(memory, _)| memory.path.starts_with(root)) {
                let id = finding.ids.first().map(ToString::to_string);
                return refuse(format!(
                    "{} is no memory of the project, and the baseline is the project's: set the rule \
                     under `[lint.store]` in your own configuration",
                    id.unwrap_or_default()
                ));
            }
            new.extend(Decision::leave(finding, &all).map(|one| Decision {
                reason: reason.map(str::to_owned),
                until: until.map(str::to_owned),
                ..one.signed(self.overlay.now, by.clone())
            }));
        }
        Ok(new)
    }

    pub(super) fn stage_answer(
        &mut self,
        rule: &str,
        (a, b): (&MemoryId, &MemoryId),
        (answer, scope): (Resolution, Option<&str>),
    ) -> Result {
        let print = |id: &MemoryId| -> Result<String> {
            let (store, memory) = self.find(id)?;
            // Text that changed since it was read is not the text that the person answered about.
            let text = store.text(memory)?;
            Ok(fingerprint(rule, memory, &String::from_utf8_lossy(&text)))
        };
        let answer = Decision {
            reason: scope.map(str::to_owned),
            ..Decision::answer(rule, (a, print(a)?), (b, print(b)?), answer)
        };
        let root = &self.collection.root;
        let answer = answer.signed(self.overlay.now, git::person(root));
        control::append_decisions(root, &to_line(&answer), self.overlay)
    }

    pub(super) fn stage_confirm(&mut self, ids: &[MemoryId]) -> Result {
        let root = &self.collection.root;
        let by = git::person(root);
        let mut lines = String::new();
        for id in ids {
            let (store, memory) = self.find(id)?;
            // Its clocks count days: once on one is enough.
            let day = |at| self.overlay.day(at);
            if memory.confirmed.map(day) == Some(day(self.overlay.now)) {
                continue;
            }
            let text = store.text(memory)?;
            let one = Decision::confirmed(memory, &String::from_utf8_lossy(&text));
            lines.push_str(&to_line(&one.signed(self.overlay.now, by.clone())));
        }
        match lines.is_empty() {
            true => Ok(()),
            false => control::append_decisions(root, &lines, self.overlay),
        }
    }

    pub(super) fn stage_task(&mut self, task: &Written) -> Result {
        let root = &self.collection.root;
        let path = root.join(tasks::PATH);
        let text = control::stage(root, &path, self.overlay)?.unwrap_or_default();
        let refused = |why| refused(format!("{}: {why}", tasks::PATH));
        let text = tasks::record(&String::from_utf8_lossy(text), task).map_err(refused)?;
        self.overlay.write(&path, text.into_bytes())
    }

    /// Lets decisions about a memory hold for it under another id; an unreadable file has none.
    pub(super) fn carry_over(&mut self, from: &MemoryId, to: &MemoryId) -> Result {
        let root = &self.collection.root;
        let path = control::decisions(root);
        let text = control::stage(root, &path, self.overlay).ok().flatten();
        let text = text.and_then(|text| std::str::from_utf8(text).ok());
        match text.and_then(|text| renamed(text, &from.to_string(), &to.to_string())) {
            Some(text) => self.overlay.write(&path, text.into_bytes()),
            None => Ok(()),
        }
    }
}
