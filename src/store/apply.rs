//! Carrying a plan out: all of it or none of it, and never over a file that changed.

mod progress;
mod step;
mod temporary;

use std::path::Path;

pub use self::progress::{blocked, new_folders, progress};
pub use self::step::{Left, Step};
pub use self::temporary::{Cleaned, is_temporary, token};
use super::disk::{Disk, Progress};
use super::rows;
use super::texts::Texts;
use crate::curate::{FileChange, Plan};

/// A plan for the files as they are.
pub struct Fitted {
    /// The plan, with the same changes in the same order.
    pub plan: Plan,
    /// Numbers of the changes that stand already.
    pub stood: Vec<usize>,
    /// Parts of it that are left out, in words.
    pub away: Vec<String>,
}

/// True if a file has sound memories after a change that was made for other bytes: its path, its
/// bytes as they are, and as they would be.
pub type Sound<'a> = &'a dyn Fn(&Path, &[u8], &[u8]) -> bool;

/// The same plan for files that something else wrote to since; none where it is not sure what it
/// changes in them.
pub fn fitted(disk: &Disk, plan: &Plan, sound: Sound<'_>, texts: &Texts) -> Option<Fitted> {
    let (mut stood, mut away) = (Vec::new(), Vec::new());
    let mut changes = Vec::with_capacity(plan.changes.len());
    for (number, change) in plan.changes.iter().enumerate() {
        let mut change = change.clone();
        if let FileChange::Rows { path, rows } = &mut change {
            away.extend(rows::leave_loose(path, rows));
        }
        match progress(disk, &change).ok()? {
            Progress::Before => {}
            Progress::After => stood.push(number),
            Progress::Other => match moved(disk, &change, sound, texts)? {
                None => stood.push(number),
                Some(moved) => change = moved,
            },
        }
        changes.push(change);
    }
    let plan = Plan {
        changes,
        ..plan.clone()
    };
    Some(Fitted { plan, stood, away })
}

/// A change for a file that something else wrote to since: none where that is not sure, and in
/// that none where all stands as wanted.
fn moved(
    disk: &Disk,
    change: &FileChange,
    sound: Sound<'_>,
    texts: &Texts,
) -> Option<Option<FileChange>> {
    let path = change.rewritten()?;
    let now = disk.read(path).ok()?;
    let after = texts.made(&now, change)?;
    if after == now {
        return Some(None);
    }
    let is_sound = sound(path, &now, &after);
    is_sound.then(|| Some(FileChange::write(path, Some(&now), Some(&after))))
}
