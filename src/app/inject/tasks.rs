//! The tasks that a team saved, to choose one of, and how each comes out.

use std::sync::Arc;

use super::preview::{WhatIf, what_if};
use super::{Inject, Part, limits};
use crate::app::line::Line;
use crate::app::msg::{Question, Slot};
use crate::app::world::{Stamp, stamp};
use crate::app::{Model, View};
use crate::memory::MemoryId;
use crate::retrieval::expect::{Judged, TaskEffect};
use crate::retrieval::tasks::Written;
use crate::retrieval::{Snapshot, Verdict};

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
    /// The inputs of the last request.
    pub(in crate::app) asked: Option<(Stamp, WhatIf)>,
}

/// Plays the saved tasks; with the edit under the cursor too, if there is one.
#[derive(Debug)]
pub struct PlayTasks {
    /// The memories.
    pub memories: Snapshot,
    /// The memory being edited, as it would be.
    pub what_if: WhatIf,
}

impl Question for PlayTasks {
    const SLOT: Slot = "tasks";
    /// The tasks with their results, and the effects of the edit on them.
    type Answer = Result<(Vec<(Written, Judged)>, Vec<TaskEffect>), String>;

    fn settle(played: Self::Answer, model: &mut Model) {
        let saved = &mut model.inject.saved;
        (saved.all, saved.effects, saved.problem) = match played {
            Ok((all, effects)) => (all, effects, None),
            Err(why) => (Vec::new(), Vec::new(), Some(why)),
        };
        let last = saved.all.len().checked_sub(1);
        saved.row = saved.row.zip(last).map(|(row, last)| row.min(last));
    }
}

/// The saved tasks are played where they are seen, and again with the edit that is being made.
pub fn ask(model: &mut Model) {
    let is_seen = model.view == View::Inject || model.editor.is_some();
    if !model.world.complete || !is_seen {
        return;
    }
    let inputs = Some((stamp(&model.world.memories), what_if(model)));
    if model.inject.saved.asked == inputs {
        return;
    }
    let what_if = inputs.as_ref().and_then(|(_, what_if)| what_if.clone());
    model.inject.saved.asked = inputs;
    let memories = Arc::clone(&model.world.memories);
    model.request(PlayTasks { memories, what_if });
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

    /// Goes to another saved task while one is chosen, or begins to in an empty box; false if
    /// neither was meant.
    pub fn turn_saved(&mut self, by: isize) -> bool {
        let is_empty = self.text.is_empty() && self.part == Part::Text;
        let last = self.saved.all.len().saturating_sub(1);
        match &mut self.saved.row {
            Some(row) => *row = row.saturating_add_signed(by).min(last),
            None if is_empty && by > 0 => return self.choose(),
            None => return false,
        }
        true
    }

    /// The saved task under the cursor, while one is chosen.
    pub fn chosen(&self) -> Option<&Written> {
        let (task, _) = self.saved.all.get(self.saved.row?)?;
        Some(task)
    }

    /// Takes the selected task into the box, where one was chosen.
    pub fn take_saved(&mut self) {
        let chosen = self.chosen().cloned();
        self.saved.row = None;
        if let Some(task) = chosen {
            self.text = Line::new(task.task);
            self.agent = Line::new(task.agent);
            self.files = Line::new(shell_words::join(&task.files));
            self.from_top();
        }
    }

    /// The task in the box as what must be given for it: what the store that is shown gives now, by
    /// the task where its policy goes by that. With it, the names that the saved task expects and that
    /// are not given now, and true if it differs from the saved task. A saved task keeps its files
    /// where the box has none.
    pub fn expectation(&self) -> Option<(Written, Vec<String>, bool)> {
        let text = self.text.text().trim();
        let preview = self.preview().filter(|_| !text.is_empty())?;
        let by_task = |one: &&Verdict| one.score.is_some() || one.matched.is_some();
        let is_shown = |one: &&Verdict| {
            let own = self.id_of(one).map(|id| &id.store);
            self.parts().is_empty() || own == self.store.as_ref()
        };
        let mut chosen: Vec<_> = preview.selected.iter().filter(is_shown).collect();
        if chosen.iter().any(by_task) {
            chosen.retain(by_task);
        }
        let ids = chosen.into_iter().filter_map(|one| self.id_of(one));
        let ids: Vec<&MemoryId> = ids.collect();
        let agent = self.agent.text().trim();
        let known = self.saved.all.iter().map(|(task, _)| task);
        let mut known = known.filter(|task| task.task == text && task.agent == agent);
        let known = known.next().cloned().unwrap_or_default();
        let (mut task, dropped) = known.expecting(&ids);
        (task.task, task.agent) = (text.to_owned(), agent.to_owned());
        let files = limits::words(self.files.text());
        task.files = if files.is_empty() { task.files } else { files };
        let is_changed = task != known;
        Some((task, dropped, is_changed))
    }
}
