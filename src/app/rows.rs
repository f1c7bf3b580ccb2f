//! What follows when the memories or the matches are others: which rows are listed, and on which
//! of them the person stands.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Model, desk};
use crate::memory::MemoryId;
use crate::retrieval::Snapshot;
use crate::search::Hit;

/// The rows of a moment, and the one the person stood on.
struct Listed {
    memories: Snapshot,
    rows: Vec<u32>,
    row: usize,
}

impl Listed {
    fn new(model: &Model) -> Self {
        Self {
            memories: Arc::clone(&model.world.memories),
            rows: model.browse.rows.clone(),
            row: model.browse.cursor.row,
        }
    }

    /// The row of the nearest memory that is listed still: the first one below, else above.
    fn nearest(&self, model: &Model) -> Option<usize> {
        let now = model.browse.rows.iter().enumerate();
        let now = now.filter_map(|(row, n)| Some((&model.world.memory(*n as usize)?.id, row)));
        let now: HashMap<&MemoryId, usize> = now.collect();
        let (above, below) = self.rows.split_at_checked(self.row)?;
        let mut near = below.iter().chain(above.iter().rev());
        near.find_map(|n| now.get(&self.memories.get(*n as usize)?.id).copied())
    }
}

/// All memories, after the load or after something changed on disk.
pub(super) fn snapshot(model: &mut Model, memories: Snapshot, problems: Vec<String>) {
    let before = Listed::new(model);
    if let Some(first) = problems
        .first()
        .filter(|_| problems != model.world.problems)
    {
        let more = match problems.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        model.status.fail(format!("{first}{more}"), None);
    }
    model.world.replace(memories, problems);
    model.browse.stale();
    // Until the filter is answered anew, what matched is what is still there of it.
    if let Some(hits) = &mut model.browse.filter.hits {
        carry_over(hits, &before.memories, &model.world.memories);
    }
    if !model.browse.picked.is_empty() {
        let all = model.world.memories.iter();
        let there: HashSet<&MemoryId> = all.map(|memory| &memory.id).collect();
        model.browse.picked.retain(|id| there.contains(id));
    }
    model.arrange();
    desk::memories_read(model);
    model.renew_pair();
    stay(model, &before);
    // A person who has moved already stays where they are.
    let opens_on = model
        .opens_on
        .take()
        .filter(|_| model.browse.cursor.row == 0);
    if let Some(id) = opens_on {
        let is_it = |row: &usize| {
            let memory = model.browse.on(&model.world, *row);
            memory.is_some_and(|memory| memory.id.to_string() == id)
        };
        if let Some(row) = (0..model.world.memories.len()).find(is_it) {
            model.browse.go(&model.world, row);
        }
    }
}

/// Hits of one snapshot as those of another.
fn carry_over(hits: &mut Vec<Hit>, old: &Snapshot, new: &Snapshot) {
    let places: HashMap<&MemoryId, u32> = new.iter().map(|memory| &memory.id).zip(0..).collect();
    hits.retain_mut(|hit| {
        let memory = old.get(hit.index as usize);
        let place = memory.and_then(|memory| places.get(&memory.id));
        hit.index = place.copied().unwrap_or(hit.index);
        place.is_some()
    });
}

/// The filter is answered.
pub(super) fn matched(model: &mut Model, hits: Vec<Hit>) {
    let before = Listed::new(model);
    let filter = &mut model.browse.filter;
    let known = filter.answered.as_ref();
    let anew = filter.hits.is_none() || known.is_some_and(|of| Some(of) != filter.asked.as_ref());
    filter.hits = Some(hits);
    filter.answered = filter.asked.clone();
    filter.awaited = false;
    model.arrange();
    if !model.browse.filter.editing {
        if anew && !is_listed(model) {
            // Of other words the best match is stood on.
            model.browse.go(&model.world, 0);
        } else {
            stay(model, &before);
        }
    }
    model.filtered();
}

/// Where the chosen memory is no longer listed, goes to the nearest that was and still is: a
/// person who goes on down a list meets no memory that was not shown.
fn stay(model: &mut Model, before: &Listed) {
    if !is_listed(model) {
        let row = before.nearest(model).unwrap_or(before.row);
        model.browse.go(&model.world, row);
    }
}

/// Whether the chosen memory is among the rows, or none was chosen.
fn is_listed(model: &Model) -> bool {
    let browse = &model.browse;
    let on = browse.on(&model.world, browse.cursor.row);
    browse
        .cursor
        .chosen
        .as_ref()
        .is_none_or(|id| on.is_some_and(|memory| memory.id == *id))
}
