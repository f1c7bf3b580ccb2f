//! Bringing one memory back out of the journal, byte for byte where its files allow it.

use std::path::Path;

use super::apply::{Progress, progress};
use super::journal::Entry;
use crate::curate::FileChange;
use crate::memory::MemoryId;

/// The changes that take back exactly what archived the memory in this file; none where the
/// files are not as that left them.
pub fn archived(path: &Path, applied: &[Entry]) -> Option<Vec<FileChange>> {
    let of_file = |change: &&FileChange| change.paths().contains(&path);
    let entry = applied.iter().rev().find(|entry| {
        entry.action == "archive" && entry.plan.changes.iter().any(|change| of_file(&change))
    })?;
    exact(entry, of_file)
}

/// The changes that bring a deleted memory back.
pub fn deleted(id: &MemoryId, applied: &[Entry]) -> Option<Vec<FileChange>> {
    let full = id.to_string();
    let entry = applied
        .iter()
        .rev()
        .find(|entry| entry.action == "delete" && entry.ids.contains(&full))?;
    let file = format!("{}.md", id.local.split('#').next()?);
    exact(entry, |change| {
        change.paths().iter().any(|path| path.ends_with(&file))
    })
}

/// The whole step backwards where it was about one memory, else the part of it that took one
/// whole file.
fn exact(entry: &Entry, of_file: impl Fn(&&FileChange) -> bool) -> Option<Vec<FileChange>> {
    let back: Vec<FileChange> = if entry.ids.len() == 1 {
        entry.plan.inverse().changes
    } else {
        let whole = |change: &&FileChange| !matches!(change, FileChange::Write { .. });
        entry
            .plan
            .changes
            .iter()
            .filter(of_file)
            .filter(whole)
            .map(FileChange::inverse)
            .collect()
    };
    let possible = !back.is_empty()
        && back
            .iter()
            .all(|change| progress(change) == Progress::Before);
    possible.then_some(back)
}
