//! The task, and what would be injected for it.

pub mod dialect;
pub(crate) mod limits;
mod rows;
pub mod tasks;

use std::collections::HashMap;
use std::sync::Arc;

use super::cursor::Cursor;
use super::form::WhatIf;
use super::line::Line;
use crate::memory::{Memory, MemoryId, StoreId, Timestamp};
use crate::retrieval::{Limits, Note, Preview, Reason, Snapshot, Task, Verdict};

use dialect::Dialect;
use tasks::Saved;

/// The most near misses that are asked for.
pub const REJECTED: usize = 200;

/// The parts of the task box, in the order Tab goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Part {
    /// The text of the task.
    #[default]
    Text,
    /// Which agent.
    Agent,
    /// The files it touches, with blanks between them.
    Files,
    /// The variant of the system's rules.
    Dialect,
    /// Settings of the policy.
    Settings,
}

impl Part {
    /// The next one.
    pub const fn next(self) -> Self {
        match self {
            Self::Text => Self::Agent,
            Self::Agent => Self::Files,
            Self::Files => Self::Dialect,
            Self::Dialect => Self::Settings,
            Self::Settings => Self::Text,
        }
    }

    /// The one before.
    pub const fn back(self) -> Self {
        match self {
            Self::Text => Self::Settings,
            Self::Settings => Self::Dialect,
            Self::Agent => Self::Text,
            Self::Files => Self::Agent,
            Self::Dialect => Self::Files,
        }
    }
}

/// The task box and its preview.
#[derive(Debug)]
pub struct Inject {
    /// The task.
    pub text: Line,
    /// The agent's name.
    pub agent: Line,
    /// The files it touches.
    pub files: Line,
    /// Settings of the policy, `name=value`.
    pub settings: Line,
    /// Which part of the box the keys go to.
    pub part: Part,
    /// True if the box has the keys.
    pub editing: bool,
    /// True if no store's policy goes by what the task says.
    pub needs_no_task: bool,
    /// The tasks that the team saved.
    pub saved: Saved,
    /// The limits of the selection.
    pub limits: Limits,
    /// The dialects to choose from, the first without a name: that of each store.
    pub dialects: Vec<Dialect>,
    /// The dialect of each store; of a policy that has none, its name.
    pub own_dialects: Vec<(StoreId, &'static str)>,
    /// The limits with the settings of an agent's own file, by agent.
    pub agents: HashMap<String, Limits>,
    /// The preview, and the snapshot its indexes stand for.
    preview: Option<(Snapshot, Arc<Preview>)>,
    /// The place of each memory of that snapshot in the preview, from 1; 0 for those not in it.
    row_of: Vec<u32>,
    /// The store that is shown, where there are several.
    pub store: Option<StoreId>,
    /// The rows: places among the selected and behind them the rejected.
    rows: Vec<u32>,
    /// The rows above the line between in and out.
    cut: usize,
    /// True if any policy gives points.
    pub has_points: bool,
    /// The highest score in each store.
    best: Vec<(StoreId, f64)>,
    /// The same with the edit under the cursor made.
    pub what_if: Option<Arc<Preview>>,
    /// The effect of the present edit on the ranking.
    pub moves: Option<WhatIf>,
    /// The snapshot of the request under way.
    pub asked: Snapshot,
    /// Verdicts of rows that are not in the preview, by index in the snapshot.
    pub verdicts: HashMap<usize, Verdict>,
    /// The rows for which verdicts were last asked.
    pub wanted: Vec<usize>,
    /// The selected row.
    pub cursor: Cursor<MemoryId>,
    /// The first line of the prompt on the screen.
    pub scroll: usize,
}

impl Inject {
    /// Notes of the preview on the store of a row, or of all.
    pub fn notes(&self, row: usize) -> impl Iterator<Item = &str> {
        let store = self.on(row).and_then(|verdict| self.id_of(verdict));
        let store = store.map(|id| &id.store);
        let notes = self.preview.iter().flat_map(|(_, preview)| &preview.notes);
        let own = move |note: &&Note| note.store.is_none() || note.store.as_ref() == store;
        notes.filter(own).map(|note| note.text.as_str())
    }

    /// An empty task box.
    pub fn new(limits: Limits, dialects: Vec<Dialect>, agent: &str) -> Self {
        Self {
            text: Line::default(),
            agent: Line::new(agent),
            files: Line::default(),
            settings: Line::default(),
            part: Part::default(),
            editing: false,
            needs_no_task: false,
            saved: Saved::default(),
            limits: Limits {
                rejected: REJECTED,
                ..limits
            },
            dialects,
            own_dialects: Vec::new(),
            agents: HashMap::new(),
            preview: None,
            row_of: Vec::new(),
            store: None,
            rows: Vec::new(),
            cut: 0,
            has_points: false,
            best: Vec::new(),
            what_if: None,
            moves: None,
            asked: Snapshot::default(),
            verdicts: HashMap::new(),
            wanted: Vec::new(),
            cursor: Cursor::default(),
            scroll: 0,
        }
    }

    /// True if there is something to preview: a task, unless no policy goes by it.
    pub fn is_set(&self) -> bool {
        self.needs_no_task || self.has_text()
    }

    /// True if a task is typed.
    pub fn has_text(&self) -> bool {
        !self.text.text().trim().is_empty()
    }

    /// The task as it is typed.
    pub fn task(&self, now: Timestamp) -> Task {
        Task {
            text: self.text.text().to_owned(),
            agent: self.agent.text().trim().to_owned(),
            plan: None,
            history: None,
            files: limits::words(self.files.text())
                .into_iter()
                .map(|(_, file)| file)
                .collect(),
            now,
        }
    }

    /// The line that has the keys; none for the dialect, which is chosen.
    pub const fn line(&mut self) -> Option<&mut Line> {
        match self.part {
            Part::Text => Some(&mut self.text),
            Part::Agent => Some(&mut self.agent),
            Part::Files => Some(&mut self.files),
            Part::Settings => Some(&mut self.settings),
            Part::Dialect => None,
        }
    }

    /// The preview, if it is known.
    pub fn preview(&self) -> Option<&Preview> {
        self.preview.as_ref().map(|(_, preview)| &**preview)
    }

    /// The snapshot that the preview's indexes stand for.
    pub fn previewed(&self) -> Option<&Snapshot> {
        self.preview.as_ref().map(|(memories, _)| memories)
    }

    /// Shows the answer to what was asked last.
    pub fn show(&mut self, preview: Arc<Preview>, what_if: Option<Arc<Preview>>) {
        self.what_if = what_if;
        let shown = self.preview.as_ref();
        if shown.is_some_and(|(memories, known)| {
            Arc::ptr_eq(known, &preview) && Arc::ptr_eq(memories, &self.asked)
        }) {
            return;
        }
        let memories = Arc::clone(&self.asked);
        self.row_of.clear();
        self.row_of.resize(memories.len(), 0);
        self.best.clear();
        self.has_points = false;
        for (row, verdict) in (1..).zip(preview.selected.iter().chain(&preview.rejected)) {
            self.has_points |= verdict.score.is_some();
            if let Some(slot) = self.row_of.get_mut(verdict.memory) {
                *slot = row;
            }
        }
        for verdict in &preview.selected {
            let scored = memories.get(verdict.memory).zip(verdict.score);
            let Some((memory, score)) = scored else {
                continue;
            };
            let store = &memory.id.store;
            match self.best.iter_mut().find(|(known, _)| known == store) {
                Some((_, best)) => *best = best.max(score),
                None => self.best.push((store.clone(), score)),
            }
        }
        self.preview = Some((memories, preview));
        self.arrange();
        self.verdicts.clear();
        self.follow();
    }

    /// There is no task any more.
    pub fn clear(&mut self) {
        self.preview = None;
        self.row_of.clear();
        self.rows.clear();
        self.cut = 0;
        self.best.clear();
        self.what_if = None;
        self.moves = None;
        self.verdicts.clear();
    }

    /// The highest score of a store in the preview.
    pub fn best(&self, store: &StoreId) -> f64 {
        let known = self.best.iter().find(|(known, _)| known == store);
        known.map_or(0.0, |(_, best)| *best)
    }

    /// The memory of a verdict of the preview.
    pub fn memory_of(&self, verdict: &Verdict) -> Option<&Arc<Memory>> {
        let (memories, _) = self.preview.as_ref()?;
        memories.get(verdict.memory)
    }

    /// The id of the memory of a verdict.
    pub fn id_of(&self, verdict: &Verdict) -> Option<&MemoryId> {
        let (memories, _) = self.preview.as_ref()?;
        memories.get(verdict.memory).map(|memory| &memory.id)
    }

    /// The verdict of a memory of the current snapshot, where it is known.
    pub fn verdict(&self, index: usize) -> Option<&Verdict> {
        let own = self.row_of.get(index).and_then(|at| at.checked_sub(1));
        let own = own.and_then(|at| self.at(at as usize));
        own.or_else(|| self.verdicts.get(&index))
    }

    /// The rank of a memory with the edit under the cursor made: none where nothing is edited,
    /// `Some(None)` where it would be out.
    pub fn rank_after(&self, index: usize) -> Option<Option<usize>> {
        let preview = self.what_if.as_ref()?;
        let after = preview.selected.iter().find(|v| v.memory == index);
        Some(after.and_then(|verdict| verdict.rank))
    }

    /// Goes to a row.
    pub fn go(&mut self, row: usize) {
        let keys: Option<MemoryId> = self
            .on(row.min(self.rows().saturating_sub(1)))
            .and_then(|verdict| self.id_of(verdict))
            .cloned();
        self.cursor.go(row, self.rows(), |_| keys);
    }

    /// After another preview: stays on the memory.
    pub fn follow(&mut self) {
        let chosen = self.cursor.chosen.clone();
        let elsewhere = chosen.as_ref().map(|id| &id.store);
        let elsewhere = elsewhere.filter(|store| self.store.as_ref() != Some(*store));
        if let Some(store) = elsewhere
            && self.parts().iter().any(|part| part.store == *store)
        {
            self.store = Some(store.clone());
            self.arrange();
        }
        let found = chosen.and_then(|id| {
            (0..self.rows())
                .find(|row| self.on(*row).and_then(|verdict| self.id_of(verdict)) == Some(&id))
        });
        self.cursor.follow(self.rows(), |_| found);
    }
}

/// Why a memory is out, in two or three words.
pub const fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Selected => "injected",
        Reason::NoMatch => "not matched",
        Reason::BelowImportance => "below minimum",
        Reason::OverLimit => "no place left",
        Reason::OverBudget => "over budget",
        Reason::Invalid => "invalid",
        Reason::Invisible => "invisible",
        Reason::Expired => "expired",
        Reason::Archived => "archived",
        Reason::Duplicate => "duplicate",
        Reason::Disabled => "disabled",
        Reason::Reachable => "reachable",
        Reason::NotApplicable => "not relevant",
        Reason::PatternTooSlow => "too slow",
    }
}
