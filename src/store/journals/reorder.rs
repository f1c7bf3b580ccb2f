//! Undoing or redoing an entry before those that come first: either the others do not touch what it
//! changed, and their plans are made anew without it, or it is refused.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::View;
use crate::curate::{FileChange, RowChange, reorder};
use crate::store::StoreError;
use crate::store::apply::{Sound, taken_back};
use crate::store::disk::Disk;
use crate::store::journal::{Begun, Entry, Kind};

/// The entry of a step, and those that it passes.
pub struct Next {
    /// The home of its journal.
    pub home: String,
    /// The entry.
    pub entry: Entry,
    /// Its place in the order of all steps.
    pub order: i64,
    /// Those that would come first, with their homes; the very first one last.
    pub later: Vec<(String, Entry)>,
}

/// Why an entry cannot pass another one.
pub fn in_the_way(kind: Kind, other: &Entry) -> StoreError {
    let title = crate::lint::mask(&other.plan.title);
    StoreError::Later(match kind {
        Kind::Redo => format!(
            "another undone change stands in the same place: redo #{} first, {title}",
            other.seq
        ),
        Kind::Do | Kind::Undo => format!(
            "a later change stands in the same place: undo #{} first, {title}",
            other.seq
        ),
    })
}

/// A change as the undoing of its entry takes it back. What redoing makes is seen as the taking
/// back of what undoing made.
fn turned(kind: Kind, change: &FileChange) -> FileChange {
    match kind {
        Kind::Redo => change.inverse(),
        Kind::Do | Kind::Undo => change.clone(),
    }
}

impl Next {
    /// The last one of the others that changes a file of the entry.
    pub fn beside(&self) -> Option<&Entry> {
        let paths = |entry: &'_ Entry| -> HashSet<PathBuf> {
            let paths = entry.plan.changes.iter().flat_map(FileChange::paths);
            paths.map(Path::to_owned).collect()
        };
        let own = paths(&self.entry);
        let mut others = self.later.iter().rev().map(|(_, other)| other);
        others.find(|other| !paths(other).is_disjoint(&own))
    }

    /// The step, with the plans that all entries have afterwards.
    pub fn reorder(
        &self,
        disk: &Disk,
        kind: Kind,
        view: &View<'_>,
        sound: Sound<'_>,
    ) -> Result<Begun, StoreError> {
        let (entry, order) = (&self.entry, self.order);
        let touched = Touched::new(entry);
        for (home, other) in self.later.iter().rev() {
            // Other projects have stores with the same ids.
            let is_near = *home == self.home || (view.among)(home, other);
            if touched.meets(other, is_near) {
                return Err(in_the_way(kind, other));
            }
        }
        let mut plan = entry.plan.clone();
        let mut passed: Vec<_> = self.later.iter().map(|(_, other)| other.plan.clone()).collect();
        let mut changed = HashSet::new();
        for change in &mut plan.changes {
            let FileChange::Write { path, .. } = &*change else {
                continue;
            };
            let path = path.clone();
            let mut others: Vec<(usize, &mut FileChange)> = Vec::new();
            for (number, other) in passed.iter_mut().enumerate() {
                let own = other.changes.iter_mut();
                let own = own.filter(|one| matches!(one, FileChange::Write { path: to, .. } if *to == path));
                others.extend(own.map(|one| (number, one)));
            }
            let Some(last) = others.last().map(|(number, _)| *number) else {
                continue;
            };
            let blocked = |number: usize| match self.later.get(number) {
                Some((_, other)) => in_the_way(kind, other),
                None => StoreError::Changed(path.clone()),
            };
            let is_elsewhere = |number: usize| self.later.get(number).is_some_and(|(home, _)| *home != self.home);
            if let Some((number, _)) = others.iter().find(|(number, _)| is_elsewhere(*number)) {
                return Err(blocked(*number));
            }
            // The contents of the file right after the entry and after each of the others.
            let mut contents = vec![disk.read(&path).map_err(|_| blocked(last))?];
            for (number, other) in others.iter().rev() {
                let before = contents.last().and_then(|now| taken_back(now, &turned(kind, other)));
                contents.push(before.ok_or_else(|| blocked(*number))?);
            }
            let undone = contents.last().and_then(|now| taken_back(now, &turned(kind, change)));
            let undone = undone.ok_or_else(|| blocked(last))?;
            contents.reverse();
            let number_of = |at: usize| others.get(at).map_or(last, |(number, _)| *number);
            let without = reorder::reorder(&undone, &contents);
            let without = without.map_err(|at| blocked(number_of(at)))?;
            let (Some(now), Some(new)) = (contents.last(), without.last()) else {
                continue;
            };
            if !sound(&path, now, new) {
                return Err(blocked(last));
            }
            *change = turned(kind, &FileChange::write(&path, Some(new), now));
            for ((number, other), pair) in others.into_iter().zip(without.windows(2)) {
                let [before, after] = pair else { continue };
                *other = turned(kind, &FileChange::write(&path, Some(before), after));
                changed.insert(number);
            }
        }
        let seqs = self.later.iter().map(|(_, other)| other.seq);
        let passed = seqs.zip(passed).enumerate();
        let passed = passed.filter(|(number, _)| changed.contains(number));
        Ok(Begun {
            seq: entry.seq,
            order,
            plan: (!changed.is_empty()).then_some(plan),
            passed: passed.map(|(_, one)| one).collect(),
            ..Begun::default()
        })
    }
}

/// What an entry touches.
struct Touched<'a> {
    ids: HashSet<String>,
    changes: HashMap<&'a Path, Vec<&'a FileChange>>,
}

/// The ids of an entry, archived memories by the ids that they had.
fn ids(entry: &Entry) -> impl Iterator<Item = String> {
    entry.ids.iter().map(|id| id.replacen(":archive/", ":", 1))
}

impl<'a> Touched<'a> {
    fn new(entry: &'a Entry) -> Self {
        let mut changes: HashMap<&Path, Vec<&FileChange>> = HashMap::new();
        for change in &entry.plan.changes {
            for path in change.paths() {
                changes.entry(path).or_default().push(change);
            }
        }
        Self {
            ids: ids(entry).collect(),
            changes,
        }
    }

    /// True if both touch a memory, a file as a whole, or a row. Lines are compared elsewhere.
    fn meets(&self, other: &Entry, is_near: bool) -> bool {
        let meets_one = |change: &FileChange| {
            let own = change.paths().into_iter().flat_map(|path| self.changes.get(path));
            own.flatten().any(|own| meet(own, change))
        };
        is_near && ids(other).any(|id| self.ids.contains(&id))
            || other.plan.changes.iter().any(meets_one)
    }
}

/// True if two changes of one path depend on each other whatever lines they change.
fn meet(a: &FileChange, b: &FileChange) -> bool {
    use FileChange::{Rows, Stage, Write};
    let is_part = |change: &FileChange| matches!(change, Write { before: Some(_), .. });
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
