//! The current row: the memory, the finding, and what a command is about.

use std::collections::HashSet;
use std::sync::Arc;

use super::lints::members;
use super::{Model, View};
use crate::lint::Finding;
use crate::memory::{Memory, MemoryId};

impl Model {
    /// The memory the person stands on, by its index in the snapshot.
    pub fn current_index(&self) -> Option<usize> {
        match self.view {
            View::Browse => {
                let row = self.browse.rows.get(self.browse.cursor.row)?;
                Some(*row as usize)
            }
            View::Inject => {
                let verdict = self.inject.on(self.inject.cursor.row)?;
                let memories = self.inject.previewed()?;
                let memory = memories.get(verdict.memory)?;
                self.world.index_near(&memory.id, verdict.memory)
            }
            View::Lint => {
                let finding = self.world.finding(self.lints.current()?)?;
                let memory = self.world.memory_of(finding)?;
                self.world.index_near(&memory.id, finding.memory)
            }
            View::Review => self.world.index_of(&self.review.current()?.entry.id),
        }
    }

    /// Number of changes that wait for review. The queue is up to date only while it is shown.
    pub fn waiting(&self) -> usize {
        let queue = self.review.is_known.then(|| self.review.waiting());
        let counted = self.review.counted;
        let known = match self.view {
            View::Review => queue.or(counted),
            _ => counted.or(queue),
        };
        known.unwrap_or_else(|| self.world.changed())
    }

    /// The memory the person stands on.
    pub fn current(&self) -> Option<&Arc<Memory>> {
        self.world.memory(self.current_index()?)
    }

    /// The finding that is looked at, by its index.
    pub fn current_finding(&self) -> Option<usize> {
        if self.view == View::Lint {
            return self.lints.current();
        }
        let findings = self.world.findings_of(&self.current()?.id);
        let at = self.finding_of_current().unwrap_or(0);
        findings.get(at).or_else(|| findings.first()).copied()
    }

    /// Which finding of the current memory was gone to, if one was.
    pub fn finding_of_current(&self) -> Option<usize> {
        let (id, at) = self.finding.as_ref()?;
        (self.current()?.id == *id).then_some(*at)
    }

    /// The finding that the person stands on in the list of findings, where it stands for several
    /// memories.
    pub fn joined(&self) -> Option<&Finding> {
        let current = self.lints.current().filter(|_| self.view == View::Lint);
        let finding = current.and_then(|n| self.world.finding(n));
        finding.filter(|finding| members(finding).is_some())
    }

    /// The memories a command is about: the picked ones, or those of the finding, else the one the
    /// person stands on.
    pub fn targets(&self) -> Vec<MemoryId> {
        if let Some(finding) = self.joined() {
            let memories = finding.each().filter_map(|one| self.world.memory_of(one));
            let mut known: HashSet<&MemoryId> = HashSet::new();
            let ids = memories.map(|memory| &memory.id);
            return ids.filter(|id| known.insert(id)).cloned().collect();
        }
        let browse = &self.browse;
        let listed = self.view == View::Browse;
        if !listed || (browse.picked.is_empty() && browse.range.is_none()) {
            return self.current().map(|m| m.id.clone()).into_iter().collect();
        }
        let ranged = (0..browse.rows.len())
            .filter(|row| browse.in_range(*row))
            .filter_map(|row| browse.on(&self.world, row));
        let all = self.world.memories.iter();
        let picked = all.filter(|memory| browse.picked.contains(&memory.id));
        let mut known: HashSet<&MemoryId> = HashSet::new();
        let ids = ranged.chain(picked).map(|memory| &memory.id);
        ids.filter(|id| known.insert(id)).cloned().collect()
    }
}
