//! The two versions of a store's memories that a review compares, and what could not be read of
//! them: that is neither gone nor empty.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Review;
use crate::curate::differences::{Against, Entry, Side, pair};
use crate::memory::{Memory, Stamp};
use crate::store::Store;
use crate::store::disk::Disk;

/// Files that were not read, each with a note for the person.
pub type Unread = BTreeMap<PathBuf, String>;

/// The memories of one version of a store.
#[derive(Default)]
pub struct Sides {
    /// Those that were read.
    pub read: Vec<Side>,
    /// Files that were not.
    pub unread: Unread,
}

/// A memory with this text.
pub(super) fn side_of(store: &dyn Store, memory: &Arc<Memory>, text: &[u8]) -> Side {
    let unix = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    Side {
        memory: Arc::clone(memory),
        text: unix(text).into(),
        body: unix(&store.body_of(memory, text)).into(),
    }
}

impl Sides {
    /// Notes that a file is not compared, and why.
    pub(super) fn leave_out(&mut self, path: &Path, why: impl std::fmt::Display) {
        let note = format!("not reviewed, for it cannot be read: {why}");
        self.unread.insert(path.to_owned(), note);
    }

    /// Leaves out files that are there and of which the load gave no memory, though it did before:
    /// they were not read then, and nothing in them is gone.
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

    /// A memory as it is now.
    pub(super) fn side(&self, memory: &Arc<Memory>) -> Option<Side> {
        let store = self.collection.store_of(&memory.id)?;
        self.sides(store, std::iter::once(memory)).read.pop()
    }

    /// The entries of one store. Files that were not read, then or now, have none, and while there
    /// are any no memory counts as new or as deleted: it may have come from one of them.
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
