//! A step on the disk. New content goes to temporary files, then names are exchanged, so that every
//! failure can be taken back without room on the disk.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use super::{blocked, digest, progress, stage, store_staged};
use crate::curate::{Digest, FileChange, Plan};
use crate::store::disk::{Disk, Progress};
use crate::store::{At as _, Result, StoreError, files, rows};

/// How often a file goes back to a program that keeps writing it.
const MOST_EXCHANGES: usize = 1000;

/// A plan on the disk.
pub struct Step<'a> {
    /// The file system.
    pub disk: &'a Disk,
    /// Plan to carry out.
    pub plan: &'a Plan,
    /// The random part of the names of its temporary files.
    pub token: &'a str,
}

/// State in which a step left the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Everything as it was before the plan.
    Old,
    /// The plan, made.
    New,
    /// A part of the plan.
    Part,
}

impl Step<'_> {
    /// Makes the plan, up to the old content under temporary names, which [`Self::end`] removes. If
    /// a change or `written` fails, all is taken back. Gives what stands then, with the error.
    pub fn make(&self, written: impl FnOnce() -> Result) -> (Left, Option<StoreError>) {
        if let Some(error) = blocked(self.disk, self.plan) {
            return (Left::Old, Some(error));
        }
        let mut folders = Vec::new();
        let Err(error) = self.make_all(&mut folders).and_then(|()| written()) else {
            return (Left::New, None);
        };
        let left = self.take_back();
        for folder in folders.iter().rev().filter(|_| left == Left::Old) {
            let _ = self.disk.remove_folder(folder);
        }
        (left, Some(error))
    }

    fn make_all(&self, folders: &mut Vec<PathBuf>) -> Result {
        let changes = || self.plan.changes.iter().enumerate();
        changes().try_for_each(|(number, change)| self.prepare(number, change, folders))?;
        changes().try_for_each(|(number, change)| self.commit(number, change))?;
        let paths = changes().flat_map(|(_, change)| change.paths());
        let folders: BTreeSet<&Path> = paths.filter_map(Path::parent).collect();
        let folders = folders.into_iter();
        folders.for_each(|folder| self.disk.sync_folder(folder));
        Ok(())
    }

    /// Writes the new content of a file to its temporary file; makes the folder of a new file.
    fn prepare(&self, number: usize, change: &FileChange, folders: &mut Vec<PathBuf>) -> Result {
        if let Some(folder) = change.made().and_then(Path::parent) {
            self.disk.make_folder(folder, folders).at(folder)?;
        }
        let own = match change {
            FileChange::Stage(own) => return store_staged(self.disk, own),
            FileChange::Write(own) if own.after.is_some() => own,
            _ => return Ok(()),
        };
        let path = &own.path;
        let old = own.before.as_ref().map(|_| self.disk.read(path));
        let old = old.transpose().at(path)?;
        let new = change.applied(old.as_deref()).flatten();
        let bytes = new.ok_or_else(|| StoreError::Changed(path.clone()))?;
        let Some(temporary) = self.temporary(number) else {
            return Ok(());
        };
        let write = || -> io::Result<()> {
            let file = self.disk.create(&temporary)?;
            self.disk.write(&temporary, &file, &bytes)?;
            self.disk.set_mode(path, &file, own.mode)?;
            self.disk.sync(&temporary, &file)
        };
        write().at(path)
    }

    /// Makes one change, its new content being in its temporary file.
    fn commit(&self, number: usize, change: &FileChange) -> Result {
        let temporary = self.temporary(number).unwrap_or_default();
        match change {
            FileChange::Rows { path, rows } => rows::make(self.disk, path, rows),
            FileChange::Stage(own) => stage(self.disk, own),
            FileChange::Write(own) => match (&own.before, &own.after) {
                (None, _) => self.rename(&temporary, &own.path),
                (Some(before), Some(after)) => self.swap(&own.path, &temporary, before, after),
                (Some(before), None) => self.put_aside(&own.path, &temporary, before),
            },
            FileChange::Move { from, to, .. } => self.rename(from, to),
        }
    }

    /// Never takes the name of another file. Errors about the new name are reported on it.
    fn rename(&self, from: &Path, to: &Path) -> Result {
        let renamed = self.disk.rename(from, to);
        renamed.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists(to.to_owned()),
            io::ErrorKind::NotFound => files::io(from, source),
            _ => files::io(to, source),
        })
    }

    pub(super) fn has(&self, path: &Path, content: &Digest) -> Result<bool> {
        Ok(digest(self.disk, path)?.as_ref() == Some(content))
    }

    /// Exchanges a file that must have a certain content with a temporary one. It is looked at
    /// afterwards: a program that writes at the same moment is noticed and gets its file back.
    fn swap(&self, path: &Path, temporary: &Path, before: &Digest, after: &Digest) -> Result {
        let changed = || StoreError::Changed(path.to_owned());
        match self.disk.exchange(temporary, path) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                if !self.has(path, before)? {
                    return Err(changed());
                }
                return self.disk.rename_over(temporary, path).at(path);
            }
            exchanged => exchanged.at(path)?,
        }
        let error = match self.has(temporary, before) {
            Ok(true) => return Ok(()),
            Ok(false) => changed(),
            Err(error) => error,
        };
        // The other program may write again before it has its file back. An exchange that returns
        // any file but the one put there has found a newer one than the one going in: that goes
        // back too.
        let mut put_there = Some(after.clone());
        let mut goes_in = digest(self.disk, temporary).ok().flatten();
        for _ in 0..MOST_EXCHANGES {
            let exchanged = self.disk.exchange(temporary, path);
            let came_out = digest(self.disk, temporary).ok().flatten();
            if exchanged.is_ok() && (came_out.is_none() || came_out == put_there) {
                break;
            }
            if exchanged.is_ok() {
                put_there = std::mem::replace(&mut goes_in, came_out);
            }
        }
        Err(error)
    }

    /// Gives a file with a certain content a temporary name; a program that writes keeps its file.
    fn put_aside(&self, path: &Path, temporary: &Path, before: &Digest) -> Result {
        self.disk.rename(path, temporary).at(path)?;
        let error = match self.has(temporary, before) {
            Ok(true) => return Ok(()),
            Ok(false) => StoreError::Changed(path.to_owned()),
            Err(error) => error,
        };
        // If another file has taken the path, both stay.
        let _ = self.disk.rename(temporary, path);
        Err(error)
    }

    /// Takes back what is made of the plan, as far as the disk lets it.
    pub fn take_back(&self) -> Left {
        let changes = self.plan.changes.iter().enumerate();
        let mut undone = Vec::new();
        for (number, change) in changes.rev() {
            if matches!(progress(self.disk, change), Ok(Progress::After)) {
                // How far it went is looked at below.
                let _ = self.undo(number, change);
                undone.push(change.inverse());
            }
        }
        let changes = self.plan.changes.iter();
        let stands: Vec<_> = changes.map(|one| progress(self.disk, one).ok()).collect();
        let is_undone = |stand: &Option<Progress>| stand.is_some_and(|one| one != Progress::After);
        if stands.iter().all(is_undone) {
            // Temporary files stand in folders that are to go.
            self.clean();
            self.forget(&undone, &self.plan.folders);
            Left::Old
        } else if stands.iter().all(|stand| *stand == Some(Progress::After)) {
            Left::New
        } else {
            Left::Part
        }
    }

    /// Takes one change back: with the old file under the temporary name, else by writing anew.
    fn undo(&self, number: usize, change: &FileChange) -> Result {
        let temporary = self.temporary(number).unwrap_or_default();
        if let FileChange::Write(own) = change
            && let Some(before) = &own.before
            && self.has(&temporary, before)?
        {
            return match &own.after {
                Some(after) => self.swap(&own.path, &temporary, after, before),
                None => self.rename(&temporary, &own.path),
            };
        }
        self.clear(number)?;
        let back = change.inverse();
        self.prepare(number, &back, &mut Vec::new())?;
        self.commit(number, &back)
    }

    /// Removes folders that a change left empty: archives, trees of rows, those below the new place
    /// of a moved file, and these `folders`.
    pub(super) fn forget(&self, changes: &[FileChange], folders: &[PathBuf]) {
        changes.iter().for_each(|change| self.forget_around(change));
        for folder in folders {
            let _ = self.disk.remove_folder(folder);
        }
    }

    fn forget_around(&self, change: &FileChange) {
        let (path, to) = match change {
            FileChange::Move { from, to, .. } => (&**from, to.parent()),
            change => match change.removed() {
                Some((path, ..)) => (path, None),
                None => return,
            },
        };
        for folder in path.ancestors().skip(1) {
            let below = to.is_some_and(|to| folder != to && folder.starts_with(to));
            if !(below || folder.ends_with("archive") || is_of_tree(path, folder))
                || self.disk.remove_folder(folder).is_err()
            {
                return;
            }
        }
    }

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

    /// Gives files of other programs their names back, which a crash left under a temporary one.
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

    /// Removes the temporary file of a change, if any; false where the step did not write it.
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

    /// True if a temporary file holds what its change takes away or writes, or the beginning.
    fn is_own(&self, change: &FileChange, temporary: &Path, now: &Digest) -> bool {
        let FileChange::Write(own) = change else {
            return *now == Digest::of(b"");
        };
        let path = change.rewritten();
        let old = path.and_then(|path| self.disk.read(path).ok());
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

/// True if a folder is one of a tree of rows, which has no other files.
fn is_of_tree(path: &Path, folder: &Path) -> bool {
    const TREES: [(&str, &[&str]); 2] = [
        ("archive", &["items", "scopes"]),
        ("scopes", &["session", "goal", "task"]),
    ];
    let is_it = |(tree, parts): &(&str, &[&str])| {
        let above = folder.ancestors().find(|above| above.ends_with(tree));
        let below = above.and_then(|above| folder.strip_prefix(above).ok());
        below.is_some_and(|below| parts.iter().any(|part| below.starts_with(part)))
    };
    let is_rows = path.extension().is_some_and(|end| end == "jsonl");
    is_rows && TREES.iter().any(is_it)
}

/// Temporary files have the letters of their step and the number of their change between these.
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
