//! The rows of the ranking: one store at a time, what is in, the line below it, the near misses.

use super::Inject;
use crate::app::cursor::Cursor;
use crate::memory::{MemoryId, StoreId};
use crate::retrieval::{Reason, StorePart, Verdict};

impl Inject {
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

    /// Another task is about to come: its ranking is read from the first store's top.
    pub fn from_top(&mut self) {
        self.cursor = Cursor::default();
        self.store = None;
    }

    /// Shows the store after the one that is shown, or before it.
    pub fn turn_store(&mut self, by: isize) {
        let stores: Vec<StoreId> = self.parts().iter().map(|part| part.store.clone()).collect();
        let now = stores
            .iter()
            .position(|store| Some(store) == self.store.as_ref());
        let count = isize::try_from(stores.len().max(1)).unwrap_or(1);
        let now = now.and_then(|now| isize::try_from(now).ok()).unwrap_or(0);
        let next = usize::try_from((now + by).rem_euclid(count)).unwrap_or(0);
        self.store = stores.get(next).cloned();
        self.cursor = Cursor::default();
        self.scroll = 0;
        self.arrange();
        self.go(0);
    }

    /// Works out which verdicts have rows: those of the store that is shown, and of the rejected
    /// those that were near.
    pub(super) fn arrange(&mut self) {
        let stores = self.parts().iter();
        let first = stores.clone().find(|part| part.selected > 0);
        let first = first.or_else(|| self.parts().first());
        let is_there = self.part().is_some();
        if !is_there {
            self.store = first.map(|part| part.store.clone());
        }
        let Some((memories, preview)) = &self.preview else {
            return;
        };
        let is_shown = |verdict: &Verdict| {
            let memory = memories.get(verdict.memory);
            self.store.is_none() || memory.map(|memory| &memory.id.store) == self.store.as_ref()
        };
        let all = (0..).zip(preview.selected.iter().chain(&preview.rejected));
        let mut rows: Vec<(u8, u32)> = all
            .filter(|(_, verdict)| is_shown(verdict))
            .filter_map(|(at, verdict)| Some((nearness(verdict)?, at)))
            .collect();
        rows.sort_by_key(|(near, _)| *near);
        self.cut = rows.iter().filter(|(near, _)| *near == 0).count();
        self.rows = rows.into_iter().map(|(_, at)| at).collect();
    }

    /// The verdict on a row: the selected, then the near misses.
    pub fn on(&self, row: usize) -> Option<&Verdict> {
        self.at(*self.rows.get(row)? as usize)
    }

    /// The verdict at a place among the selected and the rejected.
    pub(super) fn at(&self, place: usize) -> Option<&Verdict> {
        let (_, preview) = self.preview.as_ref()?;
        let selected = preview.selected.len();
        let rejected = || preview.rejected.get(place.checked_sub(selected)?);
        preview.selected.get(place).or_else(rejected)
    }

    /// The rows of the preview.
    pub const fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The line between in and out.
    pub const fn cut(&self) -> usize {
        self.cut
    }

    /// The line a row begins on: the line between in and out and the hints of near misses take
    /// lines of their own.
    pub fn line_of(&self, row: usize) -> usize {
        if row < self.cut {
            return row;
        }
        let missed = self.rows.iter().take(row).skip(self.cut);
        let hints = missed.filter_map(|at| self.at(*at as usize));
        row + 1 + hints.filter(|verdict| verdict.hint.is_some()).count()
    }

    /// The lines of the whole list.
    pub fn lines(&self) -> usize {
        self.line_of(self.rows())
    }

    /// The row that stands on a line.
    pub fn row_at(&self, line: usize) -> Option<usize> {
        (0..self.rows())
            .take_while(|row| self.line_of(*row) <= line)
            .last()
    }
}

/// The order of a memory in the ranking: 0 is selected, 1 matched but was cut, 2 has a word of the task
/// that its patterns lack or can be read on request, 3 can never be selected. None if it has nothing to
/// do with the task.
const fn nearness(verdict: &Verdict) -> Option<u8> {
    match verdict.reason {
        Reason::Selected => Some(0),
        Reason::OverLimit | Reason::OverBudget | Reason::BelowImportance => Some(1),
        // A memory that its system does not read is never near, whatever its text.
        Reason::Invisible | Reason::Expired | Reason::Archived => None,
        // A memory that can never load is a mistake, which the hint explains.
        Reason::Invalid if verdict.hint.is_some() => Some(3),
        _ if verdict.hint.is_some() => Some(2),
        _ => None,
    }
}

impl crate::app::Model {
    /// True if a memory is injected for the task in the box.
    pub fn injects(&self, id: &MemoryId) -> bool {
        let selected = self
            .inject
            .preview()
            .into_iter()
            .flat_map(|one| &one.selected);
        let mut ids = selected.filter_map(|verdict| self.inject.id_of(verdict));
        ids.any(|own| own == id)
    }
}
