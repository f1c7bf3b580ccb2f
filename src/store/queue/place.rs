//! Locates a store in a repository, and reads it at a revision.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::sides::{Sides, side_of};
use crate::memory::Memory;
use crate::project::git::GitError;
use crate::project::revision::Revision;
use crate::store::{StoreInfo, discover, files};

/// Location of a store in the repository.
pub struct Place<'a> {
    /// The store.
    pub info: &'a StoreInfo,
    /// The store as git names it, below the root of the work tree.
    pub path: PathBuf,
    /// The same of its archive.
    pub archive: PathBuf,
}

impl<'a> Place<'a> {
    /// The place of a store; none where it lies outside of the repository.
    pub fn new(info: &'a StoreInfo, root: &Path) -> Option<Self> {
        let root = std::fs::canonicalize(root).ok()?;
        // Git knows no names that lead through links.
        let below = |path: &Path| Some(files::real(path).strip_prefix(&root).ok()?.to_owned());
        let path = below(&info.path)?;
        let archive = below(&info.archive).unwrap_or_else(|| path.join("archive"));
        Some(Self {
            info,
            path,
            archive,
        })
    }

    /// True if a file is the store's.
    pub fn holds(&self, file: &Path) -> bool {
        file.starts_with(&self.path) || file.starts_with(&self.archive)
    }

    /// The files among these that belong to the store.
    pub fn own(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        let own = files.iter().filter(|path| self.holds(path));
        own.cloned().collect()
    }

    /// A file of the store as git names it.
    pub fn below_root(&self, path: &Path) -> Option<PathBuf> {
        let (own, there) = (self.info, (&*self.path, &*self.archive));
        moved(path, (&own.path, &own.archive), there)
    }

    /// The path of a file of the store that git names so.
    pub fn in_store(&self, file: &Path) -> Option<PathBuf> {
        let (own, there) = (self.info, (&*self.path, &*self.archive));
        moved(file, there, (&own.path, &own.archive))
    }

    /// The memories of files of the store as they were at a revision.
    pub fn sides_at(&self, revision: &Revision, files: &[PathBuf]) -> Result<Sides, GitError> {
        let folder = tempfile::tempdir().map_err(GitError::Io)?;
        revision.write_out(files, folder.path())?;
        self.sides_in(folder.path()).map_err(GitError::Io)
    }

    /// The memories of a copy of the store below a folder, their paths those of the store as it is;
    /// none where there is no copy.
    pub(super) fn sides_in(&self, folder: &Path) -> io::Result<Sides> {
        let mut all = Sides::default();
        let info = StoreInfo {
            path: folder.join(&self.path),
            archive: folder.join(&self.archive),
            ..self.info.clone()
        };
        if !info.path.try_exists()? && !info.archive.try_exists()? {
            return Ok(all);
        }
        let store = discover::open(info);
        let (own, there) = (self.info, store.info());
        for memory in store.load(&[], &mut |_| true).memories {
            let from = (&*there.path, &*there.archive);
            let path = moved(&memory.path, from, (&own.path, &own.archive));
            let path = path.map_or_else(|| Arc::clone(&memory.path), Into::into);
            match store.text(&memory) {
                Ok(text) => {
                    let mut memory = Memory::clone(&memory);
                    memory.path = path;
                    all.read.push(side_of(&*store, &memory.into(), &text));
                }
                Err(error) => all.leave_out(&path, error),
            }
        }
        Ok(all)
    }
}

/// The path of a store's file in a copy of the store: the store and its archive, there and here.
fn moved(path: &Path, from: (&Path, &Path), to: (&Path, &Path)) -> Option<PathBuf> {
    let part = |of: &Path, below: &Path| {
        let rest = path.strip_prefix(of).ok()?;
        // Nothing joined is a slash at the end.
        Some(match rest.as_os_str().is_empty() {
            true => below.to_owned(),
            false => below.join(rest),
        })
    };
    part(from.0, to.0).or_else(|| part(from.1, to.1))
}

/// The folders of stores and their archives, from the root of the work tree.
pub fn folders(places: &[Place<'_>]) -> Vec<PathBuf> {
    let folders = places
        .iter()
        .flat_map(|place| [&place.path, &place.archive]);
    folders.cloned().collect()
}
