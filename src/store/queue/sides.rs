//! The two versions of a store's memories that a review compares. What could not be read of them is
//! neither gone nor empty.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Review;
use crate::curate::differences::{Against, Entry, Side, pair};
use crate::memory::{Memory, Stamp};
use crate::project::git::GitError;
use crate::project::revision::Revision;
use crate::store::disk::Disk;
use crate::store::{Result, Store, StoreInfo, discover, files};

/// Files that were not read, each with a note for the person.
pub type Unread = BTreeMap<PathBuf, String>;

#[derive(Default)]
pub struct Sides {
    pub read: Vec<Side>,
    pub unread: Unread,
}

pub(super) fn side_of(store: &dyn Store, memory: &Arc<Memory>, text: &[u8]) -> Side {
    let unix = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    Side {
        memory: Arc::clone(memory),
        text: unix(text).into(),
        body: unix(&store.body_of(memory, text)).into(),
    }
}

impl Sides {
    fn leave_out(&mut self, path: &Path, why: impl std::fmt::Display) {
        let note = format!("not reviewed, for it cannot be read: {why}");
        self.unread.insert(path.to_owned(), note);
    }

    /// Leaves out files that are there and gave no memory this time: nothing in them is gone.
    fn leave_out_missed(&mut self, store: &dyn Store, before: &Self, disk: &Disk) {
        let stands_for_file = |memory: &Memory| {
            let mut problems = memory.problems.iter();
            memory.span.is_empty()
                && memory.fields.is_empty()
                && problems.any(|one| one.rule == "load-error")
        };
        let of_file = |side: &&Side| stands_for_file(&side.memory);
        let is_partly_read = store.is_held()
            || store.schema().can.in_rows && self.read.iter().any(|side| of_file(&side));
        let loaded = self.read.iter().filter(|side| !of_file(side));
        let mut loaded: HashSet<Arc<Path>> = loaded.map(|side| side.memory.path.clone()).collect();
        if is_partly_read {
            loaded.clear();
        }
        for path in before.read.iter().map(|side| &side.memory.path) {
            if !loaded.insert(Arc::clone(path)) {
                continue;
            }
            match disk.bytes(path) {
                Ok(None) => {}
                Ok(Some(bytes)) => {
                    let memories = store.parse(path, &bytes, Stamp::default());
                    if is_partly_read || memories.iter().any(|memory| !stands_for_file(memory)) {
                        let path_shown = path.display();
                        self.leave_out(path, format!("{path_shown}: its store did not load it"));
                    }
                }
                Err(error) => self.leave_out(path, error),
            }
        }
    }
}

impl Review<'_> {
    /// Memories of a store as they are now. Each file is read once: it may hold thousands.
    pub(super) fn sides<'m>(
        &self,
        store: &dyn Store,
        memories: impl Iterator<Item = &'m Arc<Memory>>,
    ) -> Sides {
        let mut all = Sides::default();
        let mut read: (Option<&Path>, Option<Vec<u8>>) = (None, None);
        for memory in memories {
            if read.0 != Some(&*memory.path) {
                let bytes = self.collection.journals.disk.bytes(&memory.path);
                let bytes = bytes.map_err(|error| all.leave_out(&memory.path, error));
                read = (Some(&memory.path), bytes.ok().flatten());
            }
            if let Some(bytes) = &read.1 {
                let side = side_of(store, memory, &store.text_in(memory, bytes));
                all.read.push(side);
            }
        }
        all
    }

    pub(super) fn side(&self, memory: &Arc<Memory>) -> Option<Side> {
        let store = self.collection.store_of(&memory.id)?;
        self.sides(store, std::iter::once(memory)).read.pop()
    }

    /// Entries of one store. While files are unread no memory counts as new or deleted.
    pub(super) fn paired(
        &mut self,
        store: &dyn Store,
        [mut before, mut after]: [Sides; 2],
        against: &Against,
    ) -> Vec<Entry> {
        after.leave_out_missed(store, &before, &self.collection.journals.disk);
        let is_whole = before.unread.is_empty() && after.unread.is_empty();
        self.unread.append(&mut before.unread);
        self.unread.append(&mut after.unread);
        let is_read = |side: &Side| !self.unread.contains_key(&*side.memory.path);
        before.read.retain(is_read);
        after.read.retain(is_read);
        let mut entries = pair(before.read, after.read, against);
        let has_both = |entry: &Entry| entry.before.is_some() && entry.after.is_some();
        entries.retain(|entry| is_whole || has_both(entry));
        entries
    }
}

/// Location of a store in the repository.
pub struct Place<'a> {
    pub info: &'a StoreInfo,
    /// The store as git names it, below the root of the work tree.
    pub path: PathBuf,
    pub archive: PathBuf,
}

impl<'a> Place<'a> {
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

    pub fn holds(&self, file: &Path) -> bool {
        file.starts_with(&self.path) || file.starts_with(&self.archive)
    }

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

    /// The memories of a copy of the store below a folder, with the store's paths; none if none.
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

pub fn folders(places: &[Place<'_>]) -> Vec<PathBuf> {
    let places = places.iter();
    let folders = places.flat_map(|place| [&place.path, &place.archive]);
    folders.cloned().collect()
}
