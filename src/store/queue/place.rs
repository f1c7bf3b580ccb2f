//! Locates a store in a repository, and reads it at a revision.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::sides::{Sides, side_of};
use crate::memory::Memory;
use crate::project::git::GitError;
use crate::project::revision::Revision;
use crate::store::{Store, StoreInfo, files};

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
        moved(
            path,
            (&self.info.path, &self.path),
            (&self.info.archive, &self.archive),
        )
    }

    /// The path of a file of the store that git names so.
    pub fn in_store(&self, file: &Path) -> Option<PathBuf> {
        moved(
            file,
            (&self.path, &self.info.path),
            (&self.archive, &self.info.archive),
        )
    }
}

/// The path of a store's file in a copy of the store.
fn moved(path: &Path, store: (&Path, &Path), archive: (&Path, &Path)) -> Option<PathBuf> {
    let part = |(of, below): (&Path, &Path)| {
        let rest = path.strip_prefix(of).ok()?;
        // Nothing joined is a slash at the end.
        Some(match rest.as_os_str().is_empty() {
            true => below.to_owned(),
            false => below.join(rest),
        })
    };
    part(store).or_else(|| part(archive))
}

/// The folders of stores and their archives, from the root of the work tree.
pub fn folders(places: &[Place<'_>]) -> Vec<PathBuf> {
    let folders = places
        .iter()
        .flat_map(|place| [&place.path, &place.archive]);
    folders.cloned().collect()
}

/// Changed files of a store as they were.
pub struct Past<'a> {
    info: &'a StoreInfo,
    store: Option<Box<dyn Store>>,
    /// The memories they held; their paths are those of the store as it is.
    memories: Vec<Arc<Memory>>,
    /// Holds the files for as long as their texts are read.
    _folder: Option<tempfile::TempDir>,
}

impl<'a> Past<'a> {
    /// The files as they were at a revision.
    pub fn new(
        revision: &Revision,
        place: &Place<'a>,
        files: &[PathBuf],
    ) -> Result<Self, GitError> {
        let folder = tempfile::tempdir().map_err(GitError::Io)?;
        revision.write_out(files, folder.path())?;
        let store = super::open_at(place, folder.path()).map_err(GitError::Io)?;
        Ok(Self {
            _folder: Some(folder),
            ..Self::of_store(place.info, store)
        })
    }

    /// The files of a copy of the store.
    pub(super) fn of_store(info: &'a StoreInfo, store: Option<Box<dyn Store>>) -> Self {
        let loaded = store.as_ref().map(|store| store.load(&[], &mut |_| true));
        Self {
            info,
            store,
            memories: loaded.unwrap_or_default().memories,
            _folder: None,
        }
    }

    /// The memories with their texts, their paths those of the store as it is.
    pub fn sides(&self) -> Sides {
        let mut all = Sides::default();
        let Some(store) = &self.store else {
            return all;
        };
        let there = store.info();
        for memory in &self.memories {
            let path = moved(
                &memory.path,
                (&there.path, &self.info.path),
                (&there.archive, &self.info.archive),
            );
            let path = path.map_or_else(|| Arc::clone(&memory.path), Into::into);
            match store.text(memory) {
                Ok(text) => {
                    let mut memory = Memory::clone(memory);
                    memory.path = path;
                    all.read.push(side_of(&**store, &memory.into(), &text));
                }
                Err(error) => all.leave_out(&path, error),
            }
        }
        all
    }
}
