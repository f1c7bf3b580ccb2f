//! Bringing memories back out of the journal, byte for byte where their files allow it.

use std::path::{Path, PathBuf};

use super::apply::{Progress, progress};
use super::journal::Entry;
use crate::curate::FileChange;
use crate::memory::{Memory, MemoryId};

/// A memory that is wanted back.
pub enum Gone<'a> {
    /// It stands in the archive.
    Archived(&'a MemoryId, &'a Memory),
    /// It is in the journal only; the file it stood in.
    Deleted(&'a MemoryId, PathBuf),
}

impl Gone<'_> {
    /// Its id.
    pub const fn id(&self) -> &MemoryId {
        match self {
            Self::Archived(id, _) | Self::Deleted(id, _) => id,
        }
    }

    /// Whether a step took this memory out of its store.
    fn is_of(&self, entry: &Entry) -> bool {
        match self {
            Self::Archived(id, memory) => {
                let took = entry
                    .plan
                    .taken
                    .iter()
                    .any(|taken| is_name_of(&taken.id, id));
                // Where the archive is one file, every archived memory touches it.
                let whole = entry.plan.taken.is_empty();
                // So the step has to have made the file for it, or to name the memory.
                let own = |change: &FileChange| change.paths().contains(&&*memory.path);
                let made = |change: &FileChange| {
                    matches!(
                        change,
                        FileChange::Move { .. } | FileChange::Write { before: None, .. }
                    )
                };
                let mut changes = entry.plan.changes.iter();
                let mut touched =
                    || changes.any(|change| own(change) && (made(change) || names(entry, id)));
                entry.action == "archive" && (took || whole && touched())
            }
            Self::Deleted(id, path) => {
                deleted(entry, id)
                    && (taken_from(entry, id).is_some() || touches(&entry.plan.changes, path))
            }
        }
    }

    /// The file that came or went with it.
    pub fn file(&self) -> &Path {
        match self {
            Self::Archived(_, memory) => &memory.path,
            Self::Deleted(_, path) => path,
        }
    }
}

/// Whether a step was about the memory that has this id in the archive.
fn names(entry: &Entry, id: &MemoryId) -> bool {
    let local = id.local.strip_prefix("archive/").unwrap_or(&id.local);
    entry.ids.contains(&format!("{}:{local}", id.store))
}

/// Whether a step deleted the memory with this id.
pub fn deleted(entry: &Entry, id: &MemoryId) -> bool {
    entry.action == "delete" && entry.ids.contains(&id.to_string())
}

/// Whether an archived memory had this id before.
fn is_name_of(before: &str, archived: &MemoryId) -> bool {
    let (store, local) = before.split_once(':').unwrap_or_default();
    let own = |local: &str| local.split('#').next().map(ToOwned::to_owned);
    let now = archived
        .local
        .strip_prefix("archive/")
        .unwrap_or(&archived.local);
    *store == *archived.store.0 && own(local) == own(now)
}

/// The text that a step took from a file which holds other memories too.
fn taken_from<'a>(entry: &'a Entry, id: &MemoryId) -> Option<&'a [u8]> {
    let id = id.to_string();
    let taken = entry.plan.taken.iter().find(|taken| taken.id == id);
    taken.map(|taken| taken.text.as_slice())
}

/// The text of a deleted memory that stood in a file with others, of the last step that took it.
pub fn taken<'a>(applied: &'a [Entry], id: &MemoryId) -> Option<&'a [u8]> {
    let steps = applied.iter().rev().filter(|entry| deleted(entry, id));
    steps.filter_map(|entry| taken_from(entry, id)).next()
}

fn touches(changes: &[FileChange], path: &Path) -> bool {
    changes.iter().any(|change| change.paths().contains(&path))
}

/// The changes that take back exactly what took these memories away, and the memories for which
/// there are none: the files are not as that step left them.
pub fn exact<'a>(
    wanted: &'a [Gone<'a>],
    applied: &[Entry],
) -> (Vec<FileChange>, Vec<&'a Gone<'a>>) {
    let mut rest: Vec<&Gone<'_>> = wanted.iter().collect();
    let mut changes = Vec::new();
    for entry in applied.iter().rev() {
        let of_entry: Vec<&Gone<'_>> = rest
            .iter()
            .copied()
            .filter(|gone| gone.is_of(entry))
            .collect();
        if of_entry.is_empty() {
            continue;
        }
        if of_entry.len() == entry.ids.len() {
            let back = entry.plan.inverse().changes;
            if possible(&back) {
                changes.extend(back);
                rest.retain(|gone| !gone.is_of(entry));
            }
            continue;
        }
        // A part of a step: only what took one whole file is a change of its own.
        for gone in of_entry {
            let file = gone.file();
            let whole = |change: &&FileChange| {
                let part = matches!(change, FileChange::Write { .. } | FileChange::Rows { .. });
                !part && change.paths().contains(&file)
            };
            let of_file = entry.plan.changes.iter().filter(whole);
            let back: Vec<FileChange> = of_file.map(FileChange::inverse).collect();
            if possible(&back) {
                changes.extend(back);
                rest.retain(|other| other.id() != gone.id());
            }
        }
    }
    // What is put back into a file that others share must not meet another change of that file.
    let is_shared = |change: &FileChange| match change {
        FileChange::Write { before, .. } => before.is_some(),
        FileChange::Rows { .. } => true,
        _ => false,
    };
    if !rest.is_empty() && changes.iter().any(is_shared) {
        return (Vec::new(), wanted.iter().collect());
    }
    (changes, rest)
}

fn possible(back: &[FileChange]) -> bool {
    !back.is_empty()
        && back
            .iter()
            .all(|change| progress(change) == Progress::Before)
}
