//! What stands of a plan on the disk.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::curate::{Digest, FileChange, Plan};
use crate::store::disk::{Disk, Progress};
use crate::store::{At as _, Result, StoreError, files, git_index, rows};

/// The folders that are not there for the new files of a plan, the innermost first.
pub fn new_folders(plan: &Plan) -> Vec<PathBuf> {
    let new = plan.changes.iter().filter_map(FileChange::made);
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
fn may_write(change: &FileChange) -> Result {
    let path = match change {
        FileChange::Rows { path, .. } => path,
        change => match change.rewritten() {
            Some(path) => path,
            None => return Ok(()),
        },
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

/// Compares the disk with both sides of a change.
pub fn progress(disk: &Disk, change: &FileChange) -> Result<Progress> {
    let there = |path: &Path| Ok::<_, StoreError>(disk.look(path).at(path)?.is_some());
    let digest = |path: &Path| digest(disk, path);
    let holds = |path: &Path, content: &Digest| {
        Ok::<_, StoreError>(digest(path)?.as_ref() == Some(content))
    };
    let (before, after) = match change {
        FileChange::Stage(own) => {
            let now = git_index::staged(disk, own)?;
            (now == own.before, now == own.after)
        }
        FileChange::Rows { path, rows } => {
            disk.check(crate::store::disk::Call::Read, path).at(path)?;
            return rows::progress(path, rows);
        }
        FileChange::Write(own) => {
            let now = digest(&own.path)?;
            let is_free = now.is_none() && !there(&own.path)?;
            let is = |wanted: &Option<Digest>| match wanted {
                Some(_) => now == *wanted,
                None => is_free,
            };
            (is(&own.before), is(&own.after))
        }
        FileChange::Move { from, to, digest } => (
            holds(from, digest)? && !there(to)?,
            holds(to, digest)? && !there(from)?,
        ),
    };
    Ok(match (before, after) {
        (true, _) => Progress::Before,
        (false, true) => Progress::After,
        (false, false) => Progress::Other,
    })
}

/// The digest of a regular file; none where there is none.
pub(super) fn digest(disk: &Disk, path: &Path) -> Result<Option<Digest>> {
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
    match change.made() {
        Some(path) if fs::symlink_metadata(path).is_ok() => StoreError::Exists(path.to_owned()),
        _ => StoreError::Changed(
            change
                .paths()
                .first()
                .map(|path| path.to_path_buf())
                .unwrap_or_default(),
        ),
    }
}
