//! Carrying a plan out: all of it or none of it, and never over a file that changed.

mod step;
mod temporary;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use self::step::{Failed, Left, Step};
pub use self::temporary::{Cleaned, beside, token};
use super::StoreError;
use super::disk::Disk;
use super::files;
use super::index;
use super::rows;
use super::texts::Texts;
use crate::curate::{Digest, FileChange, Plan};

/// State of the disk with regard to one change of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// As before the change.
    Before,
    /// As after it.
    After,
    /// Neither: something else changed the file.
    Other,
}

/// The folders that are not there for the new files of a plan, the innermost first.
pub fn new_folders(plan: &Plan) -> Vec<PathBuf> {
    let new = plan.changes.iter().filter_map(|change| match change {
        FileChange::Write {
            before: None, path, ..
        }
        | FileChange::Move { to: path, .. } => Some(path),
        _ => None,
    });
    let missing = new.flat_map(|path| {
        let folders = path.ancestors().skip(1);
        folders.take_while(|folder| fs::symlink_metadata(folder).is_err())
    });
    let missing: BTreeSet<&Path> = missing.collect();
    missing.into_iter().rev().map(Path::to_owned).collect()
}

/// Reason why a plan cannot be carried out on the files as they are.
pub fn blocked(disk: &Disk, plan: &Plan) -> Option<StoreError> {
    plan.changes
        .iter()
        .find_map(|change| match progress(disk, change) {
            Ok(Progress::Before) => may_write(change).err(),
            Ok(Progress::After | Progress::Other) => Some(conflict(change)),
            Err(error) => Some(error),
        })
}

/// Refuses to change the content of a file that its permissions protect. A rename over it needs
/// no permission but the folder's, and the superuser needs none at all, so the bits count too.
fn may_write(change: &FileChange) -> Result<(), StoreError> {
    let (FileChange::Write {
        path,
        before: Some(_),
        after: Some(_),
        ..
    }
    | FileChange::Rows { path, .. }) = change
    else {
        return Ok(());
    };
    let mode = fs::metadata(path).ok().as_ref().and_then(files::mode);
    #[cfg(unix)]
    let is_denied = rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err();
    #[cfg(not(unix))]
    let is_denied = fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly());
    let mode = mode.filter(|mode| is_denied || mode & 0o222 == 0);
    if mode.is_none() && !is_denied {
        return Ok(());
    }
    let mode = mode.map(|mode| format!(" (mode {mode:03o})"));
    Err(StoreError::Refused(format!(
        "{} may not be written to{}",
        path.display(),
        mode.unwrap_or_default()
    )))
}

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
    let FileChange::Write {
        path,
        before: Some(_),
        after: Some(_),
        ..
    } = change
    else {
        return None;
    };
    let now = disk.read(path).ok()?;
    let after = texts.made(&now, change)?;
    if after == now {
        return Some(None);
    }
    let is_sound = sound(path, &now, &after);
    is_sound.then(|| Some(FileChange::write(path, Some(&now), Some(&after))))
}

/// Compares the disk with both sides of a change.
pub fn progress(disk: &Disk, change: &FileChange) -> Result<Progress, StoreError> {
    let there = |path: &Path| match disk.look(path) {
        Ok(meta) => Ok(meta.is_some()),
        Err(source) => Err(files::io(path, source)),
    };
    let digest = |path: &Path| digest(disk, path);
    let holds = |path: &Path, content: &Digest| {
        Ok::<_, StoreError>(digest(path)?.as_ref() == Some(content))
    };
    let (before, after) = match change {
        FileChange::Stage {
            root,
            file,
            path,
            before,
            after,
            ..
        } => {
            let now = index::staged(disk, root, file, path)?;
            (now == *before, now == *after)
        }
        FileChange::Rows { path, rows } => {
            disk.check(super::disk::Call::Read, path)
                .map_err(|source| files::io(path, source))?;
            return rows::progress(path, rows);
        }
        FileChange::Write {
            path,
            before,
            after,
            ..
        } => {
            let now = digest(path)?;
            let is_free = now.is_none() && !there(path)?;
            let is = |wanted: &Option<Digest>| match wanted {
                Some(_) => now == *wanted,
                None => is_free,
            };
            (is(before), is(after))
        }
        FileChange::Link {
            path,
            target,
            remove,
        } => {
            let linked = fs::read_link(path).is_ok_and(|now| now == *target);
            if *remove {
                (linked, !there(path)?)
            } else {
                (!there(path)?, linked)
            }
        }
        FileChange::Move {
            from,
            to,
            digest: content,
        } => (
            holds(from, content)? && !there(to)?,
            holds(to, content)? && !there(from)?,
        ),
    };
    Ok(match (before, after) {
        (true, _) => Progress::Before,
        (false, true) => Progress::After,
        (false, false) => Progress::Other,
    })
}

/// The digest of a regular file; none where there is none.
fn digest(disk: &Disk, path: &Path) -> Result<Option<Digest>, StoreError> {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    match disk.read(path) {
        Ok(bytes) => Ok(Some(Digest::of(&bytes))),
        Err(error) => match error.kind() {
            NotFound | NotADirectory | InvalidFilename | InvalidInput => Ok(None),
            _ => Err(files::io(path, error)),
        },
    }
}

fn conflict(change: &FileChange) -> StoreError {
    let blocked = match change {
        FileChange::Write {
            path, before: None, ..
        }
        | FileChange::Move { to: path, .. }
        | FileChange::Link {
            path,
            remove: false,
            ..
        } => Some(path),
        _ => None,
    };
    match blocked {
        Some(path) if fs::symlink_metadata(path).is_ok() => StoreError::Exists(path.clone()),
        _ => StoreError::Changed(
            change
                .paths()
                .first()
                .map(|path| path.to_path_buf())
                .unwrap_or_default(),
        ),
    }
}
