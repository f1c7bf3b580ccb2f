//! The list of each view after something changed, the row a person stands on, and going from one
//! view to another.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;

use super::cursor::Dividers;
use super::line::Line;
use super::lints::{self, members};
use super::msg::{Change, Effect};
use super::overlay::Question;
use super::{Model, Overlay, Page, Pane, View, editor};
use crate::lint::Finding;
use crate::memory::{Memory, MemoryId};
use crate::retrieval::Snapshot;

/// The rows of a moment, and the one the person stood on.
pub struct Listed {
    memories: Snapshot,
    /// The memory of each row, by its index.
    rows: Vec<Option<usize>>,
    row: usize,
}

impl Listed {
    pub fn new(model: &Model) -> Self {
        let rows = model.browse.rows.iter();
        Self {
            memories: Arc::clone(&model.world.memories),
            rows: rows.map(|row| row.memory()).collect(),
            row: model.browse.cursor.row,
        }
    }

    /// If the chosen memory is no longer listed, goes to the nearest that was and still is, the
    /// first one below, else above: a person who goes on down a list meets no memory that was not
    /// shown.
    pub fn stay(&self, model: &mut Model) {
        if model.is_listed() {
            return;
        }
        let now = 0..model.browse.rows.len();
        let now = now.filter_map(|row| Some((&model.browse.on(&model.world, row)?.id, row)));
        let now: HashMap<&MemoryId, usize> = now.collect();
        let (above, below) = self.rows.split_at_checked(self.row).unwrap_or_default();
        let mut near = below.iter().chain(above.iter().rev());
        let row = near.find_map(|one| now.get(&self.memories.get((*one)?)?.id).copied());
        model.browse.go(&model.world, row.unwrap_or(self.row));
    }
}

/// Takes all memories in, after the load or after something changed on disk.
pub fn snapshot(model: &mut Model, memories: Snapshot, problems: Vec<String>) {
    let before = Listed::new(model);
    if let [first, more @ ..] = problems.as_slice()
        && problems != model.world.problems
    {
        let more = match more.len() {
            0 => String::new(),
            n => format!(" (and {n} more)"),
        };
        model.fail(format!("{first}{more}"));
    }
    model.world.replace(memories, problems);
    let ids = model.world.memories.iter().map(|memory| &memory.id);
    // Until the filter is answered anew, what matched is what is still there of it.
    if let Some(hits) = &mut model.browse.filter.hits {
        let places: HashMap<&MemoryId, u32> = ids.clone().zip(0..).collect();
        hits.retain_mut(|hit| {
            let memory = before.memories.get(hit.index as usize);
            let place = memory.and_then(|memory| places.get(&memory.id));
            hit.index = place.copied().unwrap_or(hit.index);
            place.is_some()
        });
    }
    if !model.browse.picked.is_empty() {
        let there: HashSet<&MemoryId> = ids.collect();
        model.browse.picked.retain(|id| there.contains(id));
    }
    model.arrange();
    editor::memories_read(model);
    model.renew_pair();
    before.stay(model);
}

impl Model {
    /// True if the chosen memory is among the rows, or none was chosen.
    pub(super) fn is_listed(&self) -> bool {
        let cursor = &self.browse.cursor;
        let is_folded = self.browse.folded_at(cursor.row).is_some();
        let key = || self.browse.key(&self.world, cursor.row);
        is_folded || cursor.chosen.is_none() || cursor.chosen == key()
    }

    pub(super) fn arrange(&mut self) {
        self.browse.arrange(&self.world);
    }

    /// Lists the findings of the memories that the filter leaves.
    pub(super) fn arrange_lints(&mut self) {
        let filter = &self.browse.filter;
        let matches = (filter.hits.as_deref(), filter.query.as_ref());
        self.lints.arrange(&self.world, matches, self.now);
    }

    /// Follows a changed filter; findings that are not on the screen follow when they are.
    pub(super) fn filtered(&mut self) {
        if self.view == View::Lint {
            self.arrange_lints();
        }
    }

    /// The selected row of the list of the view.
    pub const fn row(&self) -> usize {
        match self.view {
            View::Browse => self.browse.cursor.row,
            View::Inject => self.inject.cursor.row,
            View::Lint => self.lints.cursor.row,
            View::Review => self.review.cursor.row,
        }
    }

    /// The first line of the list that is on the screen.
    pub(super) const fn top_mut(&mut self) -> &mut usize {
        match self.view {
            View::Browse => &mut self.browse.cursor.top,
            View::Inject => &mut self.inject.cursor.top,
            View::Lint => &mut self.lints.cursor.top,
            View::Review => &mut self.review.cursor.top,
        }
    }

    /// Number of rows of the list of the view.
    pub const fn rows(&self) -> usize {
        match self.view {
            View::Browse => self.browse.rows.len(),
            View::Inject => self.inject.rows(),
            View::Lint => self.lints.rows.len(),
            View::Review => self.review.cards.len(),
        }
    }

    /// The lines between the rows of the list of the view.
    pub(super) fn dividers(&self) -> &Dividers {
        const NONE: &Dividers = &Dividers(Vec::new());
        match self.view {
            View::Browse => &self.browse.dividers,
            View::Inject => &self.inject.dividers,
            View::Lint | View::Review => NONE,
        }
    }

    pub(super) fn go(&mut self, row: usize) {
        match self.view {
            View::Browse => self.browse.go(&self.world, row),
            View::Inject => self.inject.go(row),
            View::Lint => self.lints.go(&self.world, row),
            View::Review => self.review.go(row),
        }
        self.page = Page::Usual;
    }

    /// Renews two memories side by side after one of them or their findings changed.
    pub(super) fn renew_pair(&mut self) {
        let Page::Pair(pair) = &self.page else {
            return;
        };
        match pair.renewed(&self.world) {
            Some(new) => {
                if !new.asked && pair.asked {
                    self.fail("one of the two changed on disk: review both again");
                }
                self.page = Page::Pair(Box::new(new));
            }
            None => {
                self.page = Page::Usual;
                self.say("the question about these two is settled");
            }
        }
    }

    /// The effect that makes a change, unless nothing may be written.
    pub(super) fn apply(&mut self, change: Change) {
        match &self.read_only {
            Some(why) => self.fail(why.clone()),
            None => self.send(Effect::Apply(change)),
        }
    }

    /// Says what happened; an error that was not read yet stays.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.status.say(text, None);
    }

    pub(super) fn fail(&mut self, text: impl Into<String>) {
        self.status.fail(text, None);
    }

    /// Asks a question, an answer typed already.
    pub(super) fn ask(&mut self, question: Question, typed: &str) {
        self.overlay = Some(Overlay::Ask(question, Line::new(typed)));
    }

    /// Goes to a view and stays on the memory.
    pub(super) fn show(&mut self, view: View) {
        let before = std::mem::replace(&mut self.view, view);
        self.pane = Pane::List;
        self.page = Page::Usual;
        if before == view {
            return;
        }
        let chosen = match before {
            View::Browse => self.browse.cursor.chosen.clone(),
            View::Inject => self.inject.cursor.chosen.clone(),
            View::Lint => self.lints.cursor.chosen.as_ref().map(|key| key.0.clone()),
            View::Review => self.review.cursor.chosen.clone(),
        };
        self.filtered();
        let Some(id) = chosen else {
            return;
        };
        match view {
            View::Browse => {
                self.browse.cursor.chosen = Some(id);
                self.arrange();
            }
            View::Inject => {
                self.inject.cursor.chosen = Some(id);
                self.inject.follow();
            }
            View::Lint => {
                let has_some = !self.world.findings_of(&id).is_empty();
                if has_some && self.first_finding_row(&id).is_none() && self.lints.suggest(true) {
                    self.arrange_lints();
                }
                if let Some(row) = self.first_finding_row(&id) {
                    // From the top: the rows above it are seen where there is room for both.
                    self.lints.cursor.top = 0;
                    self.lints.go(&self.world, row);
                }
            }
            View::Review => {
                let mut cards = self.review.cards.iter();
                if let Some(row) = cards.position(|card| card.entry.id == id) {
                    self.review.go(row);
                }
            }
        }
    }

    fn first_finding_row(&self, id: &MemoryId) -> Option<usize> {
        let of = self.world.findings_of(id);
        let mut rows = self.lints.rows.iter();
        rows.position(|row| matches!(row, lints::Row::Finding(n) if of.contains(n)))
    }
}

impl Model {
    /// The memory the person stands on, by its index in the snapshot.
    pub fn current_index(&self) -> Option<usize> {
        match self.view {
            View::Browse => {
                let row = self.browse.rows.get(self.browse.cursor.row)?;
                row.memory()
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

    /// The memory that the person stands on and only the last commit has: its id and title.
    pub fn on_deleted(&self) -> Option<(&MemoryId, &str)> {
        self.browse.deleted_at(&self.world, self.browse.cursor.row)
    }

    /// The finding that is looked at.
    pub fn on_finding(&self) -> Option<&Finding> {
        self.world.finding(self.current_finding()?)
    }

    /// The first key of a command and words behind it; none where it has no key.
    pub fn hint(&self, id: &str, words: &str) -> Option<String> {
        Some(format!("{} {words}", self.keymap.label(id)?))
    }

    /// The first key of a command, as it is shown; nothing where it has none.
    pub fn key(&self, id: &str) -> String {
        self.keymap.label(id).unwrap_or_default()
    }

    /// Which finding of the current memory was gone to, else is looked for by the filter.
    pub fn finding_of_current(&self) -> Option<usize> {
        let id = &self.current()?.id;
        let gone_to = self.finding.as_ref().filter(|(of, _)| of == id);
        gone_to.map(|(_, at)| *at).or_else(|| {
            let query = self.browse.filter.query.as_ref()?;
            let mut own = self.world.findings_of(id).iter();
            own.position(|n| {
                let finding = self.world.finding(*n);
                finding.is_some_and(|finding| query.asks_for(finding.rule))
            })
        })
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
            return memories.map(|memory| memory.id.clone()).unique().collect();
        }
        let browse = &self.browse;
        let listed = self.view == View::Browse;
        if !listed || (browse.picked.is_empty() && browse.range.is_none()) {
            return self.current().map(|m| m.id.clone()).into_iter().collect();
        }
        let all = self.world.memories.iter();
        let picked = all.filter(|memory| browse.picked.contains(&memory.id));
        let all = browse.ranged(&self.world).chain(picked);
        all.map(|memory| memory.id.clone()).unique().collect()
    }
}
