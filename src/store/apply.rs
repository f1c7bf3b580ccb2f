//! Carrying a plan out: all of it or none of it, and never over a file that changed.

use std::fs;
use std::path::Path;

use super::StoreError;
use super::files::{self, read};
use super::rows;
use crate::curate::{Digest, FileChange, Plan, Splice};

/// How far the disk is with one change of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// As before the change.
    Before,
    /// As after it.
    After,
    /// Neither: something else changed the file.
    Other,
    /// Not to be told: another program is writing to the database.
    Busy,
}

/// A plan that could not be carried out.
#[derive(Debug)]
pub struct Failed {
    /// Why.
    pub error: StoreError,
    /// Whether a part of it was made and could not be taken back.
    pub stuck: bool,
}

/// Why a plan cannot be carried out on the files as they are.
pub fn blocked(plan: &Plan) -> Option<StoreError> {
    plan.changes
        .iter()
        .find_map(|change| match progress(change) {
            Progress::Before => None,
            Progress::Busy => {
                let path = change.paths().first().map(|path| path.to_path_buf());
                Some(StoreError::Busy(path.unwrap_or_default()))
            }
            Progress::After | Progress::Other => Some(conflict(change)),
        })
}

/// A plan for the files as they are.
pub struct Fitted {
    /// The plan, with the same changes in the same order.
    pub plan: Plan,
    /// Which of them are not to be made: all stands there as they want it.
    pub stood: Vec<usize>,
    /// What of it is left out, in words.
    pub away: Vec<String>,
}

/// Whether a file has sound memories after a change that was made for other bytes: its path, its
/// bytes as they are, and as they would be.
pub type Sound<'a> = &'a dyn Fn(&Path, &[u8], &[u8]) -> bool;

/// The same plan for files that something else wrote to since; none where it is not sure what it
/// changes in them.
pub fn fitted(plan: &Plan, sound: Sound<'_>) -> Option<Fitted> {
    let (mut stood, mut away) = (Vec::new(), Vec::new());
    let mut changes = Vec::with_capacity(plan.changes.len());
    for (number, change) in plan.changes.iter().enumerate() {
        let mut change = change.clone();
        if let FileChange::Rows { path, rows } = &mut change {
            away.extend(rows::leave_loose(path, rows));
        }
        match progress(&change) {
            Progress::Before => {}
            Progress::After => stood.push(number),
            Progress::Busy => return None,
            Progress::Other => match moved(&change, sound)? {
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
fn moved(change: &FileChange, sound: Sound<'_>) -> Option<Option<FileChange>> {
    let FileChange::Write {
        path,
        before: Some(_),
        splice,
        ..
    } = change
    else {
        return None;
    };
    let (now, _) = read(path).ok()?;
    let after = splice.again(&now)?;
    if after == now {
        return Some(None);
    }
    let is_sound = sound(path, &now, &after);
    is_sound.then(|| Some(FileChange::write(path, Some(&now), &after)))
}

/// Carries a plan out. Where one change fails, those made before it are taken back.
pub fn apply(plan: &Plan) -> Result<(), Failed> {
    if let Some(error) = blocked(plan) {
        return Err(Failed {
            error,
            stuck: false,
        });
    }
    for (done, change) in plan.changes.iter().enumerate() {
        if let Err(error) = make(change) {
            let mut stuck = false;
            for earlier in plan.changes.iter().take(done).rev() {
                stuck |= make(&earlier.inverse()).is_err() && progress(earlier) == Progress::After;
            }
            return Err(Failed { error, stuck });
        }
    }
    Ok(())
}

/// Removes what an interrupted step left beside the files of its plan. What another program
/// wrote at the same moment, and the crash left under a temporary name, gets its name back.
pub fn clear(plan: &Plan) {
    let paths = plan.changes.iter().flat_map(FileChange::paths);
    let mut folders: Vec<&Path> = paths.filter_map(Path::parent).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        for temporary in files::temporaries(folder) {
            let Ok((bytes, _)) = read(&temporary) else {
                continue;
            };
            // An empty one was just made, or never written to.
            if bytes.is_empty() || plan.changes.iter().any(|change| is_ours(change, &bytes)) {
                let _ = fs::remove_file(&temporary);
            } else {
                give_back(plan, folder, &temporary);
            }
        }
    }
}

/// Whether a temporary file is what a change replaces, or the beginning of what it writes.
fn is_ours(change: &FileChange, bytes: &[u8]) -> bool {
    let digest = Digest::of(bytes);
    match change {
        FileChange::Write {
            before,
            after,
            splice,
            path,
            ..
        } => {
            let begun = || {
                let old = before.as_ref().and_then(|_| read(path).ok());
                let old = old.map(|(bytes, _)| bytes).unwrap_or_default();
                spliced(&old, splice).is_some_and(|new| new.starts_with(bytes))
            };
            before.as_ref() == Some(&digest) || *after == digest || begun()
        }
        FileChange::Remove { before, .. } => *before == digest,
        FileChange::Link { .. } | FileChange::Move { .. } | FileChange::Rows { .. } => false,
    }
}

/// Puts the content of another program back under the name that the last change took from it.
fn give_back(plan: &Plan, folder: &Path, temporary: &Path) {
    let made = plan.changes.iter().rev().find(|change| {
        change.paths().first().and_then(|path| path.parent()) == Some(folder)
            && progress(change) == Progress::After
    });
    match made {
        Some(FileChange::Write { path, .. }) => drop(fs::rename(temporary, path)),
        Some(FileChange::Remove { path, .. }) => drop(files::rename(temporary, path)),
        _ => {}
    }
}

/// Bytes with a splice made in them; none where other bytes stand there.
fn spliced(old: &[u8], splice: &Splice) -> Option<Vec<u8>> {
    let end = splice.at.checked_add(splice.removed.len())?;
    let matches = old.get(splice.at..end)? == splice.removed;
    matches.then_some(())?;
    Some([old.get(..splice.at)?, &splice.inserted, old.get(end..)?].concat())
}

/// Where the disk stands with a change.
pub fn progress(change: &FileChange) -> Progress {
    let digest = |path: &Path| read(path).ok().map(|(bytes, _)| Digest::of(&bytes));
    let there = |path: &Path| fs::symlink_metadata(path).is_ok();
    let (before, after) = match change {
        FileChange::Rows { path, rows } => return rows::progress(path, rows),
        FileChange::Write {
            path,
            before: None,
            after,
            ..
        } => (!there(path), digest(path).as_ref() == Some(after)),
        FileChange::Write {
            path,
            before: Some(before),
            after,
            ..
        } => {
            let now = digest(path);
            (now.as_ref() == Some(before), now.as_ref() == Some(after))
        }
        FileChange::Remove { path, before, .. } => {
            (digest(path).as_ref() == Some(before), !there(path))
        }
        FileChange::Link {
            path,
            target,
            remove,
        } => {
            let linked = fs::read_link(path).is_ok_and(|now| now == *target);
            if *remove {
                (linked, !there(path))
            } else {
                (!there(path), linked)
            }
        }
        FileChange::Move {
            from,
            to,
            digest: content,
        } => (
            digest(from).as_ref() == Some(content) && !there(to),
            digest(to).as_ref() == Some(content) && !there(from),
        ),
    };
    match (before, after) {
        (true, _) => Progress::Before,
        (false, true) => Progress::After,
        (false, false) => Progress::Other,
    }
}

fn conflict(change: &FileChange) -> StoreError {
    let blocked = match change {
        FileChange::Write {
            path, before: None, ..
        } => Some(path),
        FileChange::Move { to, .. } => Some(to),
        FileChange::Link {
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

/// Makes one change.
fn make(change: &FileChange) -> Result<(), StoreError> {
    match change {
        FileChange::Rows { path, rows } => rows::make(path, rows),
        FileChange::Write {
            path,
            before: None,
            splice,
            mode,
            ..
        } => {
            make_folder(path)?;
            files::replace(path, None, &splice.inserted, *mode)
        }
        FileChange::Write {
            path,
            before: Some(before),
            splice,
            mode,
            ..
        } => {
            let (old, _) = read(path)?;
            let new = spliced(&old, splice).ok_or_else(|| StoreError::Changed(path.clone()))?;
            files::replace(path, Some(before), &new, *mode)
        }
        FileChange::Remove { path, before, .. } => {
            files::remove(path, before)?;
            forget_folder(path, None);
            Ok(())
        }
        FileChange::Link {
            path, remove: true, ..
        } => fs::remove_file(path).map_err(|source| files::io(path, source)),
        FileChange::Link {
            path,
            target,
            remove: false,
        } => link(path, target),
        FileChange::Move { from, to, .. } => {
            make_folder(to)?;
            files::rename(from, to)?;
            forget_folder(from, to.parent());
            to.parent()
                .into_iter()
                .chain(from.parent())
                .for_each(files::sync_folder);
            Ok(())
        }
    }
}

#[cfg(unix)]
fn link(path: &Path, target: &Path) -> Result<(), StoreError> {
    std::os::unix::fs::symlink(target, path).map_err(|source| files::io(path, source))
}

#[cfg(not(unix))]
fn link(path: &Path, _target: &Path) -> Result<(), StoreError> {
    Err(StoreError::Refused(format!(
        "{}: links cannot be made on this system",
        path.display()
    )))
}

fn make_folder(path: &Path) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder).map_err(|source| files::io(folder, source))
}

/// Takes folders away that the last change left empty, so that an undo leaves nothing: an
/// archive, those of a tree in it and of scopes, and those below the folder that a file moved up to.
fn forget_folder(path: &Path, to: Option<&Path>) {
    const TREES: [(&str, &[&str]); 2] = [
        ("archive", &["items", "scopes"]),
        ("scopes", &["session", "goal", "task"]),
    ];
    let is_of_tree = |folder: &Path| {
        let is_it = |(tree, parts): &(&str, &[&str])| {
            let above = folder.ancestors().find(|above| above.ends_with(tree));
            let below = above.and_then(|above| folder.strip_prefix(above).ok());
            below.is_some_and(|below| parts.iter().any(|part| below.starts_with(part)))
        };
        let is_rows = path.extension().is_some_and(|end| end == "jsonl");
        is_rows && TREES.iter().any(is_it)
    };
    for folder in path.ancestors().skip(1) {
        let below = to.is_some_and(|to| folder != to && folder.starts_with(to));
        if !(below || folder.ends_with("archive") || is_of_tree(folder))
            || fs::remove_dir(folder).is_err()
        {
            return;
        }
    }
}
