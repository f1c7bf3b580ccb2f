//! Carrying a plan out: all of it or none of it, and never over a file that changed.

use std::fs;
use std::path::Path;

use super::StoreError;
use super::files::{self, read};
use crate::curate::{Digest, FileChange, Plan};

/// How far the disk is with one change of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// As before the change.
    Before,
    /// As after it.
    After,
    /// Neither: something else changed the file.
    Other,
}

/// Carries a plan out. Where one change fails, those made before it are taken back.
pub fn apply(plan: &Plan) -> Result<(), StoreError> {
    for change in &plan.changes {
        match progress(change) {
            Progress::Before => {}
            _ => return Err(conflict(change)),
        }
    }
    for (done, change) in plan.changes.iter().enumerate() {
        if let Err(error) = make(change) {
            for earlier in plan.changes.iter().take(done).rev() {
                // What cannot be taken back stays in the journal as unfinished.
                let _ = make(&earlier.inverse());
            }
            return Err(error);
        }
    }
    Ok(())
}

/// Where the disk stands with a change.
pub fn progress(change: &FileChange) -> Progress {
    let digest = |path: &Path| read(path).ok().map(|(bytes, _)| Digest::of(&bytes));
    let there = |path: &Path| fs::symlink_metadata(path).is_ok();
    let (before, after) = match change {
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
            let end = splice.at.saturating_add(splice.removed.len());
            let parts = old
                .get(..splice.at)
                .zip(old.get(splice.at..end))
                .zip(old.get(end..));
            let Some(((head, removed), tail)) = parts else {
                return Err(StoreError::Changed(path.clone()));
            };
            if removed != splice.removed {
                return Err(StoreError::Changed(path.clone()));
            }
            files::replace(
                path,
                Some(before),
                &[head, &splice.inserted, tail].concat(),
                *mode,
            )
        }
        FileChange::Remove { path, .. } => {
            fs::remove_file(path).map_err(|source| files::io(path, source))?;
            forget_folder(path);
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
            forget_folder(from);
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

/// Takes an archive folder away that the last change left empty, so that an undo leaves nothing.
fn forget_folder(path: &Path) {
    if let Some(folder) = path.parent().filter(|folder| folder.ends_with("archive")) {
        let _ = fs::remove_dir(folder);
    }
}
