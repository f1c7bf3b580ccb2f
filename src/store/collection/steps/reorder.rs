//! Undoing or redoing an entry before later ones, whose plans are made anew; else refused.

use std::collections::HashSet;
use std::path::Path;

use crate::curate::threeway::reorder;
use crate::curate::{FileChange, Plan, RowChange};
use crate::store::collection::Collection;
use crate::store::journal::{Begun, Entry, Kind};
use crate::store::{Result, StoreError};

/// The entry of a step, and those that it passes.
pub struct Next {
    pub entry: Entry,
    pub order: i64,
    /// Those that would come first; the very first one last.
    pub later: Vec<Entry>,
}

pub fn in_the_way(kind: Kind, other: &Entry) -> StoreError {
    let title = crate::lint::mask(&other.plan.title);
    let (what, verb) = match kind {
        Kind::Redo => ("another undone change", "redo"),
        Kind::Do | Kind::Undo => ("a later change", "undo"),
    };
    let seq = other.seq;
    StoreError::Later(format!(
        "{what} stands in the same place: {verb} #{seq} first, {title}"
    ))
}

/// A change as undoing its entry takes it back; for a redo the reversal of the one undo made.
fn turned(kind: Kind, change: &FileChange) -> FileChange {
    match kind {
        Kind::Redo => change.inverse(),
        Kind::Do | Kind::Undo => change.clone(),
    }
}

impl Next {
    /// The last one of the others that changes a file of the entry.
    pub fn beside(&self) -> Option<&Entry> {
        let own = self.entry.plan.by_path();
        self.later.iter().rev().find(|other| {
            let mut paths = other.plan.changes.iter().flat_map(FileChange::paths);
            paths.any(|path| own.contains_key(path))
        })
    }

    /// The step, with the plans that all entries have afterwards.
    pub fn reorder(&self, collection: &Collection, kind: Kind) -> Result<Begun> {
        let entry = &self.entry;
        let own_ids: HashSet<String> = ids(entry).collect();
        let own = entry.plan.by_path();
        for other in self.later.iter().rev() {
            let is_here = other.home == entry.home;
            // Other projects have stores with the same ids.
            let is_near = is_here || collection.is_ours(other);
            let meets = |change: &FileChange| {
                let own = change.paths().into_iter().flat_map(|path| own.get(path));
                // In other journals any change of the file; lines are compared below.
                own.flatten().any(|own| !is_here || meet(own, change))
            };
            if is_near && ids(other).any(|id| own_ids.contains(&id))
                || other.plan.changes.iter().any(meets)
            {
                return Err(in_the_way(kind, other));
            }
        }
        let mut plan = entry.plan.clone();
        let passed = self.later.iter().map(|other| (other, other.plan.clone()));
        let mut passed: Vec<(&Entry, Plan)> = passed.collect();
        let mut changed = HashSet::new();
        for change in &mut plan.changes {
            let mut others: Vec<(&Entry, &mut FileChange)> = Vec::new();
            for (other, plan) in &mut passed {
                let is_same = |one: &&mut FileChange| {
                    one.rewritten().is_some() && one.rewritten() == change.rewritten()
                };
                let own = plan.changes.iter_mut().filter(is_same);
                others.extend(own.map(|one| (*other, one)));
            }
            if others.is_empty() {
                continue;
            }
            let path = change.rewritten().map(Path::to_owned);
            let Some(path) = path else { continue };
            let both = both_ways(collection, kind, change, &others);
            let [with, without] = both.map_err(|other| in_the_way(kind, other))?;
            let write = |before: &[u8], after: &[u8]| {
                turned(kind, &FileChange::write(&path, Some(before), Some(after)))
            };
            for ((other, one), pair) in others.into_iter().zip(without.windows(2)) {
                let [before, after] = pair else { continue };
                *one = write(before, after);
                changed.insert(other.seq);
            }
            if let (Some(before), Some(after)) = (without.last(), with.last()) {
                *change = write(before, after);
            }
        }
        let passed = passed.into_iter().map(|(other, plan)| (other.seq, plan));
        Ok(Begun {
            seq: entry.seq,
            order: self.order,
            plan: (!changed.is_empty()).then_some(plan),
            passed: passed.filter(|(seq, _)| changed.contains(seq)).collect(),
            ..Begun::default()
        })
    }
}

/// A file after a change and each later one, and the same without it; else what is in the way.
fn both_ways<'a>(
    collection: &Collection,
    kind: Kind,
    change: &FileChange,
    others: &[(&'a Entry, &mut FileChange)],
) -> Result<[Vec<Vec<u8>>; 2], &'a Entry> {
    let (Some((last, _)), Some(path)) = (others.last(), change.rewritten()) else {
        return Ok([Vec::new(), Vec::new()]);
    };
    let (disk, texts) = (&collection.journals.disk, collection.journals.texts());
    let mut with = vec![disk.read(path).map_err(|_| *last)?];
    let backwards = others.iter().rev().map(|(other, one)| (*other, &**one));
    for (other, one) in backwards.chain([(*last, change)]) {
        let (now, change) = (with.last(), turned(kind, one));
        let before = now.and_then(|now| texts.taken_back(now, &change));
        with.push(before.ok_or(other)?);
    }
    let undone = with.pop().unwrap_or_default();
    with.reverse();
    let without = reorder(&undone, &with);
    let without = without.map_err(|at| others.get(at).map_or(*last, |(other, _)| *other))?;
    let (now, new) = (with.last(), without.last());
    let sound = collection.sound();
    match now.zip(new).is_some_and(|(now, new)| sound(path, now, new)) {
        true => Ok([with, without]),
        false => Err(last),
    }
}

/// The ids of an entry, archived memories by the ids that they had.
fn ids(entry: &Entry) -> impl Iterator<Item = String> {
    entry.ids.iter().map(|id| id.replacen(":archive/", ":", 1))
}

/// True if two changes of one path depend on each other whatever lines they change.
fn meet(a: &FileChange, b: &FileChange) -> bool {
    use FileChange::{Rows, Stage};
    let is_part = |change: &FileChange| change.rewritten().is_some();
    match (a, b) {
        (Rows { rows: a, .. }, Rows { rows: b, .. }) => {
            let same = |a: &RowChange, b: &RowChange| a.table == b.table && a.key == b.key;
            a.iter().any(|a| b.iter().any(|b| same(a, b)))
        }
        // The index of git has another content than the working file.
        (Stage { .. }, other) | (other, Stage { .. }) => !is_part(other),
        _ => !is_part(a) || !is_part(b),
    }
}
