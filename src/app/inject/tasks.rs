//! The tasks that a team saved, to choose one of, and how each comes out.

use super::{Inject, Part};
use crate::app::line::Line;
use crate::memory::MemoryId;
use crate::retrieval::expect::{Judged, TaskEffect};
use crate::retrieval::tasks::{Written, is_named};

/// The saved tasks.
#[derive(Debug, Default)]
pub struct Saved {
    /// The tasks with what came of each when they were last played.
    pub all: Vec<(Written, Judged)>,
    /// Why they cannot be read.
    pub problem: Option<String>,
    /// The selected one, while one is chosen.
    pub row: Option<usize>,
    /// The effects of the present edit on them.
    pub effects: Vec<TaskEffect>,
}

impl Saved {
    /// Number of tasks that pass.
    pub fn passed(&self) -> usize {
        let passed = self.all.iter().filter(|(_, judged)| judged.has_passed());
        passed.count()
    }
}

impl Inject {
    /// Begins to choose, where there are saved tasks.
    pub fn choose(&mut self) -> bool {
        self.saved.row = (!self.saved.all.is_empty()).then_some(0);
        self.editing = true;
        self.part = Part::Text;
        self.saved.row.is_some()
    }

    /// True if the saved tasks stand in the list.
    pub fn offers(&self) -> bool {
        let has_some = !self.saved.all.is_empty() || self.saved.problem.is_some();
        self.saved.row.is_some() || !self.is_set() && has_some
    }

    /// Goes to another saved task while one is chosen, or begins to in an empty box; whether that
    /// was meant.
    pub fn turn_saved(&mut self, by: isize) -> bool {
        let is_empty = self.text.is_empty() && self.part == Part::Text;
        let last = self.saved.all.len().saturating_sub(1);
        match self.saved.row {
            Some(row) => self.saved.row = Some(row.saturating_add_signed(by).min(last)),
            None if is_empty && by > 0 => return self.choose(),
            None => return false,
        }
        true
    }

    /// Takes the selected task into the box; whether one was chosen.
    pub fn take_saved(&mut self) -> bool {
        let Some(row) = self.saved.row.take() else {
            return false;
        };
        if let Some((task, _)) = self.saved.all.get(row) {
            self.text = Line::new(&task.task);
            self.agent = Line::new(&task.agent);
            let quoted = |file: &String| match file.contains(char::is_whitespace) {
                true => format!("\"{file}\""),
                false => file.clone(),
            };
            let files: Vec<String> = task.files.iter().map(quoted).collect();
            self.files = Line::new(files.join(" "));
            self.from_top();
        }
        true
    }

    /// The task in the box as what must be given for it: what the store that is shown gives now, by
    /// the task where its policy goes by that.
    pub fn expectation(&self) -> Option<Written> {
        let preview = self.preview()?;
        let by_task =
            |one: &&crate::retrieval::Verdict| one.score.is_some() || one.matched.is_some();
        let is_shown = |one: &&crate::retrieval::Verdict| {
            let own = self.id_of(one).map(|id| &id.store);
            self.parts().is_empty() || own == self.store.as_ref()
        };
        let shown = || preview.selected.iter().filter(is_shown);
        let mut chosen: Vec<_> = shown().filter(by_task).collect();
        if chosen.is_empty() {
            chosen = shown().collect();
        }
        let ids = chosen.into_iter().filter_map(|one| self.id_of(one));
        let ids: Vec<&MemoryId> = ids.collect();
        let text = self.text.text().trim();
        let known = self.saved.all.iter().map(|(task, _)| task);
        let mut known = known.filter(|task| task.task == text && task.agent == self.agent.text());
        let known = known.next().cloned().unwrap_or_default();
        // Names already listed keep their spelling.
        let is_in = |name: &&String| ids.iter().any(|id| is_named(name, id));
        let is_new = |id: &&&MemoryId| !known.must.iter().any(|name| is_named(name, id));
        let new = ids.iter().filter(is_new).map(ToString::to_string);
        let must = known
            .must
            .iter()
            .filter(is_in)
            .cloned()
            .chain(new)
            .collect();
        (!text.is_empty()).then(|| Written {
            task: text.to_owned(),
            agent: self.agent.text().trim().to_owned(),
            files: self
                .files
                .text()
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            must,
            ..known
        })
    }
}
