//! Git's index as a place that plans change: staging is undone, redone and recovered as other
//! changes are.

use std::path::Path;

use super::disk::{Call, Disk};
use super::{Result, StoreError, files};
use crate::curate::{FileChange, Plan, Staged};
use crate::project::git::GitError;
use crate::project::staging;

/// Returns the bytes of a file in the index.
pub(super) fn staged(disk: &Disk, root: &Path, file: &Path, path: &Path) -> Result<Option<Staged>> {
    let checked = disk.check(Call::Read, path);
    checked.map_err(|source| files::io(path, source))?;
    staging::staged(root, file).map_err(|error| refused(root, error))
}

/// Stores the blob that is to be staged.
pub(super) fn prepare(disk: &Disk, change: &FileChange) -> Result {
    let FileChange::Stage {
        root,
        path,
        after: Some(after),
        content,
        ..
    } = change
    else {
        return Ok(());
    };
    if staging::blob_id(content, after.id.len() > 40) != after.id {
        return Ok(());
    }
    let checked = disk.check(Call::Write, path);
    checked.map_err(|source| files::io(path, source))?;
    let stored = staging::store_blob(root, content).map_err(|error| refused(root, error))?;
    match stored == after.id {
        true => Ok(()),
        false => Err(StoreError::Refused(format!(
            "git stored {} under another id",
            path.display()
        ))),
    }
}

/// Has the index hold what the change says, unless it changed since that was planned.
pub(super) fn stage(disk: &Disk, change: &FileChange) -> Result {
    let FileChange::Stage {
        root,
        file,
        path,
        before,
        after,
        ..
    } = change
    else {
        return Ok(());
    };
    let checked = disk.check(Call::Commit, path);
    checked.map_err(|source| files::io(path, source))?;
    match staging::stage(root, file, before.as_ref(), after.as_ref()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::Changed(path.clone())),
        Err(error) => Err(refused(root, error)),
    }
}

/// True if all that a plan does is to stage files of which nothing is staged any more: they are
/// committed, and taking it back would stage the version before that commit.
pub(super) fn is_committed(plan: &Plan) -> bool {
    let is_in_head = |change: &FileChange| match change {
        FileChange::Stage { root, file, .. } => staging::is_committed(root, file),
        _ => false,
    };
    !plan.changes.is_empty() && plan.changes.iter().all(is_in_head)
}

/// Why git did not do it.
pub(super) fn refused(root: &Path, error: GitError) -> StoreError {
    match staging::is_locked(&error) {
        true => StoreError::Locked(root.join(".git/index.lock")),
        false => error.into(),
    }
}
