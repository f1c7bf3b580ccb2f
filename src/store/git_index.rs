//! Git's index as a place that plans change: staging is undone, redone and recovered as other
//! changes are.

use std::path::Path;

use super::disk::{Call, Disk};
use super::{At as _, Result, StoreError};
use crate::curate::{FileChange, Plan, Staged, Staging};
use crate::project::git::GitError;
use crate::project::staging;

/// Returns the bytes of a file in the index.
pub(super) fn staged(disk: &Disk, own: &Staging) -> Result<Option<Staged>> {
    disk.check(Call::Read, &own.path).at(&own.path)?;
    staging::staged(&own.root, &own.file).map_err(|error| refused(&own.root, error))
}

/// Stores the blob that is to be staged.
pub(super) fn prepare(disk: &Disk, own: &Staging) -> Result {
    let Some(Staged { id, .. }) = &own.after else {
        return Ok(());
    };
    if staging::blob_id(&own.content, id.len() > 40) != *id {
        return Ok(());
    }
    disk.check(Call::Write, &own.path).at(&own.path)?;
    let stored = staging::store_blob(&own.root, &own.content);
    let path = own.path.display();
    match stored.map_err(|error| refused(&own.root, error))? == *id {
        true => Ok(()),
        false => Err(StoreError::Refused(format!(
            "git stored {path} under another id"
        ))),
    }
}

/// Has the index hold what the change says, unless it changed since that was planned.
pub(super) fn stage(disk: &Disk, own: &Staging) -> Result {
    disk.check(Call::Commit, &own.path).at(&own.path)?;
    match staging::stage(
        &own.root,
        &own.file,
        own.before.as_ref(),
        own.after.as_ref(),
    ) {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::Changed(own.path.clone())),
        Err(error) => Err(refused(&own.root, error)),
    }
}

/// True if all that a plan does is to stage files of which nothing is staged any more: they are
/// committed, and taking it back would stage the version before that commit.
pub(super) fn is_committed(plan: &Plan) -> bool {
    let is_in_head = |change: &FileChange| match change {
        FileChange::Stage(own) => staging::is_committed(&own.root, &own.file),
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
