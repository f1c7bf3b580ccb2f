//! The places of the memories of one snapshot in the next.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::questions::{self, Question};
use crate::memory::{Memory, MemoryId};
use crate::retrieval::Snapshot;

/// The indexes of memories of an old snapshot in a new one, if they did not change.
pub(super) struct Moves {
    /// The new index by the old one; none if the memory changed or is gone.
    to: Vec<Option<usize>>,
    /// How many lines further down in its file each memory is; empty if none moved.
    down: Vec<i32>,
    /// True if each memory that is still there has its old index and line.
    pub all_stay: bool,
}

impl Moves {
    /// Finds the memories of the old snapshot in the new one: those that were not read again, and
    /// those that were and are as before, the text included. `has_same_text` is asked with both
    /// indexes.
    pub(super) fn new(
        old: &Snapshot,
        new: &Snapshot,
        has_same_text: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Self {
        let by_id: HashMap<&MemoryId, usize> = new.iter().map(|one| &one.id).zip(0..).collect();
        let is_same = |n: usize, memory: &Arc<Memory>, at: usize| {
            let found = new.get(at)?;
            let is = Arc::ptr_eq(found, memory) || found.is_as(memory) && has_same_text(n, at);
            is.then_some(at)
        };
        let find = |(n, memory): (usize, &Arc<Memory>)| {
            let stays = new.get(n).filter(|one| Arc::ptr_eq(one, memory));
            let at = stays
                .map(|_| n)
                .or_else(|| by_id.get(&memory.id).copied())?;
            is_same(n, memory, at)
        };
        let mut to: Vec<Option<usize>> = old.par_iter().enumerate().map(find).collect();
        let mut met = HashSet::new();
        for to in &mut to {
            // Of two memories with one id only one is found.
            *to = to.filter(|at| met.insert(*at));
        }
        let line = |memories: &Snapshot, n: usize| memories.get(n).map_or(0, |memory| memory.line);
        let down = |(n, to): (usize, &Option<usize>)| {
            to.map_or(0, |to| {
                line(new, to).cast_signed() - line(old, n).cast_signed()
            })
        };
        let mut down: Vec<i32> = to.iter().enumerate().map(down).collect();
        if down.iter().all(|down| *down == 0) {
            down = Vec::new();
        }
        let mut indexes = to.iter().enumerate();
        let all_stay = indexes.all(|(n, to)| to.is_none_or(|to| to == n)) && down.is_empty();
        Self { to, down, all_stay }
    }

    /// The new line for a line of the file of a memory of the old snapshot.
    pub fn line(&self, index: usize, line: u32) -> u32 {
        line.saturating_add_signed(self.down(index))
    }

    /// How many lines further down a memory of the old snapshot is.
    pub fn down(&self, index: usize) -> i32 {
        self.down.get(index).copied().unwrap_or_default()
    }

    /// The new index of a memory of the old snapshot.
    pub fn to(&self, index: usize) -> Option<usize> {
        *self.to.get(index)?
    }

    /// The questions with another answer in the new snapshot; none if the order of memories
    /// changed, for that may change the answer to any question.
    pub(super) fn touched(&self, old: &Snapshot, new: &Snapshot) -> Option<HashSet<Question>> {
        let mut from: Vec<Option<usize>> = vec![None; new.len()];
        let mut gone: HashMap<&MemoryId, usize> = HashMap::new();
        for (n, memory) in old.iter().enumerate() {
            match self.to(n).and_then(|to| from.get_mut(to)) {
                Some(from) => *from = Some(n),
                None => drop(gone.insert(&memory.id, n)),
            }
        }
        let mut touched = HashSet::new();
        let mut others = false;
        for (memory, from) in new.iter().zip(&mut from).filter(|(_, from)| from.is_none()) {
            *from = gone.remove(&memory.id);
            others |= from.is_none();
            let before = from.and_then(|n| old.get(n));
            questions::touch(memory, before.map(AsRef::as_ref), &mut touched);
        }
        others |= !gone.is_empty();
        for memory in gone.into_values().filter_map(|n| old.get(n)) {
            questions::touch(memory, None, &mut touched);
        }
        // Whether an answer holds for a renamed memory depends on all ids.
        touched.extend(others.then_some(questions::ANSWERS));
        from.iter().flatten().is_sorted().then_some(touched)
    }
}
