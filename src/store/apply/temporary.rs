//! The temporary files of a step: their names, and what becomes of them.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};

use super::progress::digest;
use super::step::Step;
use crate::curate::{Digest, FileChange};
use crate::store::{At as _, Result, StoreError};

/// The names of temporary files: random letters of their step and the number of their change
/// stand between these.
const TEMPORARY: (&str, &str) = (".memkeep-", ".tmp");
/// Outcome of removing the temporary files of a step.
#[derive(Debug, Default)]
pub struct Cleaned {
    /// Those that hold what the step did not write; they are left alone.
    pub strange: Vec<PathBuf>,
    /// The first one that could not be taken away, with the reason.
    pub stuck: Option<StoreError>,
}

/// A random part of names that nobody can foresee.
pub fn token() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// True if a file has the name of a temporary one.
pub fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

impl Step<'_> {
    /// The temporary file of a change, beside the file it changes.
    pub fn temporary(&self, number: usize) -> Option<PathBuf> {
        let path = self.plan.changes.get(number)?.paths().into_iter().next()?;
        let (start, end) = TEMPORARY;
        Some(path.with_file_name(format!("{start}{}-{number}{end}", self.token)))
    }

    /// The temporary files of all changes.
    pub fn temporaries(&self) -> impl Iterator<Item = (usize, PathBuf)> {
        (0..self.plan.changes.len()).filter_map(|number| Some((number, self.temporary(number)?)))
    }

    /// Gives files of other programs their names back, which a crash left under a temporary name
    /// in the moment in which they were exchanged. Gives those files.
    pub fn give_back(&self) -> Vec<PathBuf> {
        let given = self.temporaries().filter_map(|(number, temporary)| {
            let change = self.plan.changes.get(number)?;
            let now = digest(self.disk, &temporary).ok()??;
            if self.is_own(change, &temporary, &now) {
                return None;
            }
            let FileChange::Write(own) = change else {
                return None;
            };
            let back = match (&own.before, &own.after) {
                (Some(_), Some(after)) => {
                    self.has(&own.path, after).ok().filter(|is_ours| *is_ours)?;
                    self.disk.exchange(&temporary, &own.path)
                }
                (_, None) => self.disk.rename(&temporary, &own.path),
                (None, Some(_)) => return None,
            };
            back.ok().map(|()| own.path.clone())
        });
        given.collect()
    }

    /// Takes the temporary files of a step that was made away, and the folders that it left empty.
    pub fn end(&self) -> Cleaned {
        let cleaned = self.clean();
        self.forget(&self.plan.changes, &self.plan.emptied);
        cleaned
    }

    /// Takes the temporary files of the step away. Files that the step did not write stay.
    pub fn clean(&self) -> Cleaned {
        let mut cleaned = Cleaned::default();
        for (number, temporary) in self.temporaries() {
            match self.clear(number) {
                Ok(true) => {}
                Ok(false) => cleaned.strange.push(temporary),
                Err(error) => cleaned.stuck = cleaned.stuck.or(Some(error)),
            }
        }
        cleaned
    }

    /// Takes the temporary file of a change away, where there is one; false where the step did
    /// not write it.
    pub(super) fn clear(&self, number: usize) -> Result<bool> {
        let temporary = self.temporary(number).unwrap_or_default();
        if self.disk.look(&temporary).at(&temporary)?.is_none() {
            return Ok(true);
        }
        let now = digest(self.disk, &temporary)?;
        let change = self.plan.changes.get(number).zip(now);
        if !change.is_some_and(|(change, now)| self.is_own(change, &temporary, &now)) {
            return Ok(false);
        }
        self.disk.remove(&temporary).at(&temporary)?;
        Ok(true)
    }

    /// True if a temporary file holds what its change takes away or writes, or the beginning of
    /// that: the journal has its content, or the file of the change does.
    fn is_own(&self, change: &FileChange, temporary: &Path, now: &Digest) -> bool {
        let FileChange::Write(own) = change else {
            return *now == Digest::of(b"");
        };
        let old = change
            .rewritten()
            .and_then(|path| self.disk.read(path).ok());
        let old = old.unwrap_or_default();
        let back = own.splice.clone().inverse();
        let texts = [own.splice.applied(&old), back.applied(&old)];
        let known = [own.before.as_ref(), own.after.as_ref()];
        let begins = || {
            let bytes = self.disk.read(temporary).ok();
            bytes.is_some_and(|bytes| texts.iter().flatten().any(|text| text.starts_with(&bytes)))
        };
        known.contains(&Some(now)) || *now == Digest::of(b"") || begins()
    }
}
