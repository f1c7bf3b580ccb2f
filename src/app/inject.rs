//! The task, and what would be injected for it.

pub(crate) mod limits;
pub mod preview;
pub mod tasks;

use std::collections::HashMap;
use std::sync::Arc;

use super::Model;
use super::cursor::{Cursor, Dividers, next};
use super::form::WhatIf;
use super::line::Line;
use crate::memory::{Memory, MemoryId, StoreId, Timestamp};
use crate::retrieval::hybrid::HYBRID;
use crate::retrieval::{Limits, Note, Preview, Snapshot, StorePart, Task, Verdict};
use crate::search::query::MARKED;
use tasks::Saved;

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
    /// All, in the order they are gone through.
    pub const ALL: [Self; 5] = [
        Self::Text,
        Self::Agent,
        Self::Files,
        Self::Dialect,
        Self::Settings,
    ];
}

/// The dialect that holds for a store where nobody asks for another.
#[derive(Debug)]
pub struct OwnDialect {
    /// The store.
    pub store: StoreId,
    /// The dialect; of a policy that has none, its name.
    pub name: &'static str,
    /// All that its policy has.
    pub known: &'static [&'static str],
}

/// The task box and its preview.
#[derive(Debug, Default)]
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
    pub dialects: Vec<&'static str>,
    /// The dialect of each store.
    pub own_dialects: Vec<OwnDialect>,
    /// The limits with the settings of an agent's own file, by agent.
    pub agents: HashMap<String, Limits>,
    /// The preview, and the snapshot its indexes stand for.
    preview: Option<(Snapshot, Arc<Preview>)>,
    /// The store that is shown, where there are several.
    pub store: Option<StoreId>,
    /// The rows: places among the selected and behind them the rejected.
    rows: Vec<u32>,
    /// The rows above the line between in and out.
    pub cut: usize,
    /// The rows that begin a group of near misses, each with the hint that its rows share.
    pub heads: Vec<(usize, String)>,
    /// The line between in and out, and those of the heads.
    pub dividers: Dividers,
    /// True if any policy gives points.
    pub has_points: bool,
    /// The same with the edit under the cursor made.
    pub what_if: Option<Arc<Preview>>,
    /// The effect of the present edit on the ranking.
    pub moves: Option<WhatIf>,
    /// The inputs of the last request.
    asked: Option<preview::Inputs>,
    /// Verdicts of rows that are not in the preview, by index in the snapshot.
    verdicts: HashMap<usize, Verdict>,
    /// The rows for which verdicts were last asked.
    wanted: Vec<usize>,
    /// The selected row.
    pub cursor: Cursor<MemoryId>,
    /// The first line of the prompt on the screen.
    pub scroll: usize,
}

impl Inject {
    /// An empty task box with the limits of the selection, the dialects to choose from, those of
    /// the stores, and the limits by agent.
    pub fn new(
        limits: Limits,
        dialects: Vec<&'static str>,
        own_dialects: Vec<OwnDialect>,
        agents: HashMap<String, Limits>,
    ) -> Self {
        Self {
            limits,
            dialects,
            own_dialects,
            agents,
            ..Self::default()
        }
    }

    /// Notes of the preview on the store of a row, or of all.
    pub fn notes(&self, row: usize) -> impl Iterator<Item = &str> {
        let store = self.on(row).and_then(|verdict| self.id_of(verdict));
        let store = store.map(|id| &id.store);
        let notes = self.preview.iter().flat_map(|(_, preview)| &preview.notes);
        let own = move |note: &&Note| note.store.is_none() || note.store.as_ref() == store;
        notes.filter(own).map(|note| note.text.as_str())
    }

    /// True if there is something to preview: a task, unless no policy goes by it.
    pub fn is_set(&self) -> bool {
        self.needs_no_task || self.has_text() || self.saved.row.is_some()
    }

    /// True if a task is typed.
    pub fn has_text(&self) -> bool {
        !self.text.text().trim().is_empty()
    }

    /// The task as it is typed, or the saved one under the cursor.
    pub fn task(&self, now: Timestamp) -> Task {
        if let Some(chosen) = self.chosen() {
            return chosen.task(now);
        }
        let files = limits::words(self.files.text()).into_iter();
        Task {
            text: self.text.text().to_owned(),
            agent: self.agent.text().trim().to_owned(),
            plan: None,
            history: None,
            files: files.collect(),
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

    /// The dialect that is in use: the chosen one if the store that is shown has it, else its own.
    pub fn dialect(&self) -> &'static str {
        let shown = self.own_dialects.iter().find(|own| self.is_shown(own));
        let own = shown.or(self.own_dialects.first());
        match self.limits.dialect {
            chosen if self.can_choose(chosen) && !chosen.is_empty() => chosen,
            _ => own.map_or("", |own| own.name),
        }
    }

    fn is_shown(&self, own: &OwnDialect) -> bool {
        self.store.as_ref().is_none_or(|store| *store == own.store)
    }

    /// True if a dialect means something to what is shown.
    fn can_choose(&self, name: &str) -> bool {
        let mut shown = self.own_dialects.iter().filter(|own| self.is_shown(own));
        name.is_empty() || name == HYBRID || shown.any(|own| own.known.contains(&name))
    }

    /// The dialects that mean something to what is shown.
    pub fn shown_dialects(&self) -> Vec<&'static str> {
        let all = self.dialects.iter().copied();
        all.filter(|name| self.can_choose(name)).collect()
    }

    /// Takes the next dialect of what is shown, or the one before.
    pub fn turn_dialect(&mut self, by: isize) {
        let all = self.shown_dialects();
        self.limits.dialect = next(&all, &self.limits.dialect, by).unwrap_or_default();
    }

    /// The preview, if it is known.
    pub fn preview(&self) -> Option<&Preview> {
        self.preview.as_ref().map(|(_, preview)| &**preview)
    }

    /// The snapshot that the preview's indexes stand for.
    pub fn previewed(&self) -> Option<&Snapshot> {
        self.preview.as_ref().map(|(memories, _)| memories)
    }

    /// Shows a preview of a snapshot, and the same with an edit made.
    pub fn show(&mut self, memories: Snapshot, preview: Arc<Preview>, after: Option<Arc<Preview>>) {
        self.what_if = after;
        if let Some((shown, known)) = &self.preview
            && Arc::ptr_eq(known, &preview)
            && Arc::ptr_eq(shown, &memories)
        {
            return;
        }
        self.has_points = preview.verdicts().any(|one| one.score.is_some());
        self.preview = Some((memories, preview));
        self.verdicts.clear();
        self.arrange();
        self.follow();
    }

    /// Forgets the preview: there is no task any more.
    pub fn clear(&mut self) {
        self.preview = None;
        self.rows.clear();
        self.cut = 0;
        self.heads.clear();
        self.what_if = None;
        self.moves = None;
        self.asked = None;
        self.verdicts.clear();
    }

    /// The highest score of a store in the preview.
    pub fn best(&self, store: &StoreId) -> f64 {
        let selected = self.preview().into_iter().flat_map(|one| &one.selected);
        let own = selected.filter(|one| self.id_of(one).is_some_and(|id| id.store == *store));
        let scores = own.filter_map(|verdict| verdict.score);
        scores.reduce(f64::max).unwrap_or_default()
    }

    /// The memory of a verdict of the preview.
    pub fn memory_of(&self, verdict: &Verdict) -> Option<&Arc<Memory>> {
        self.previewed()?.get(verdict.memory)
    }

    /// The id of the memory of a verdict.
    pub fn id_of(&self, verdict: &Verdict) -> Option<&MemoryId> {
        self.memory_of(verdict).map(|memory| &memory.id)
    }

    /// The verdict of a memory of the current snapshot, where it is known.
    pub fn verdict(&self, index: usize) -> Option<&Verdict> {
        let own = self.preview()?.verdicts().find(|one| one.memory == index);
        own.or_else(|| self.verdicts.get(&index))
    }

    /// The stores of the preview, where there are several.
    pub fn parts(&self) -> &[StorePart] {
        let parts = self.preview().map_or(&[][..], |preview| &preview.parts);
        if parts.len() > 1 { parts } else { &[] }
    }

    /// The part of the store that is shown.
    pub fn part(&self) -> Option<&StorePart> {
        let mut parts = self.parts().iter();
        parts.find(|part| Some(&part.store) == self.store.as_ref())
    }

    /// Another task is about to come: its ranking is read from the top.
    pub fn from_top(&mut self) {
        self.cursor = Cursor::default();
    }

    /// Shows the store after the one that is shown, or before it.
    pub fn turn_store(&mut self, by: isize) {
        let stores = self.parts().iter().map(|part| Some(part.store.clone()));
        self.store = next(&stores.collect::<Vec<_>>(), &self.store, by).flatten();
        self.cursor = Cursor::default();
        self.scroll = 0;
        self.arrange();
        self.go(0);
    }

    /// Works out which verdicts have rows: those of the store that is shown, and of the rejected
    /// those that were near.
    fn arrange(&mut self) {
        if self.part().is_none() {
            let mut parts = self.parts().iter();
            let first = parts.find(|part| part.selected > 0);
            let first = first.or_else(|| self.parts().first());
            self.store = first.map(|part| part.store.clone());
        }
        let Some(preview) = self.preview() else {
            return;
        };
        let is_shown = |verdict: &Verdict| {
            let store = self.id_of(verdict).map(|id| &id.store);
            self.store.is_none() || store == self.store.as_ref()
        };
        let all = (0..).zip(preview.verdicts());
        let shown = all.filter(|(_, verdict)| is_shown(verdict));
        let rows = shown.filter_map(|(at, verdict)| Some((verdict.nearness()?, at)));
        let mut rows: Vec<(u8, u32)> = rows.collect();
        rows.sort_by_key(|(near, _)| *near);
        self.cut = rows.iter().filter(|(near, _)| *near == 0).count();
        self.rows = rows.into_iter().map(|(_, at)| at).collect();
        self.group();
    }

    /// The verdict on a row: the selected, then the near misses.
    pub fn on(&self, row: usize) -> Option<&Verdict> {
        let place = *self.rows.get(row)? as usize;
        let preview = self.preview()?;
        let rejected = || preview.rejected.get(place - preview.selected.len());
        preview.selected.get(place).or_else(rejected)
    }

    /// The rows of the preview.
    pub const fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Goes to a row.
    pub fn go(&mut self, row: usize) {
        let rows = self.rows();
        let on = self.on(row.min(rows.saturating_sub(1)));
        let id = on.and_then(|verdict| self.id_of(verdict)).cloned();
        self.cursor.go(row, rows, |_| id);
    }

    /// After another preview: stays on the memory.
    pub fn follow(&mut self) {
        let Some(id) = self.cursor.chosen.clone() else {
            return self.cursor.follow(self.rows(), |_| None);
        };
        let is_part = |part: &StorePart| part.store == id.store;
        if self.store.as_ref() != Some(&id.store) && self.parts().iter().any(is_part) {
            self.store = Some(id.store.clone());
            self.arrange();
        }
        let is_it = |row: &usize| self.on(*row).and_then(|one| self.id_of(one)) == Some(&id);
        let found = (0..self.rows()).find(is_it);
        self.cursor.follow(self.rows(), |_| found);
    }

    /// True if a memory is injected for the task in the box.
    pub fn injects(&self, id: &MemoryId) -> bool {
        let selected = self.preview().into_iter().flat_map(|one| &one.selected);
        let mut ids = selected.filter_map(|verdict| self.id_of(verdict));
        ids.any(|own| own == id)
    }
}

impl Model {
    /// The warnings about a memory that is or may be injected: the mark of each, and what is wrong.
    /// One about two memories counts if the other is injected.
    pub fn caveats(&self, id: &MemoryId) -> impl Iterator<Item = (&'static str, String)> {
        let world = &self.world;
        let found = world.findings_of(id).iter().chain(world.findings_with(id));
        let found = found.filter_map(|n| world.finding(*n));
        let found = found.filter(|finding| finding.misleads());
        found.filter_map(move |finding| {
            let parties = finding.parties().filter_map(|n| world.linted(n));
            let ids: Vec<&MemoryId> = parties.map(|memory| &memory.id).collect();
            let mut others = ids.into_iter().filter(|other| *other != id);
            let is_given = others.clone().all(|id| self.inject.injects(id));
            let mut known = MARKED.iter();
            let known = known.find(|(.., rules)| rules.contains(&finding.rule));
            let words = others.next().map(|other| format!("contradicts {other}"));
            let words = words.unwrap_or_else(|| finding.message.clone());
            is_given.then_some((known.map_or("!", |(mark, ..)| mark), words))
        })
    }
}
