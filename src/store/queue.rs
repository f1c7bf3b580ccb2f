//! The review queue: which memories differ from a commit, from the last review, or by a proposal,
//! and what keeping or rejecting each of them changes.
//!
//! ```text
//! base commit, or copy ─┐
//! index, or copy       ─┼─> versions of each changed file ─> memories, paired ─> entries
//! work tree            ─┘      └─> keep: the index or the copy gets this memory's bytes
//!                              └─> reject: the work tree gets the base's bytes back
//! ```

mod decide;
mod files;
pub mod last;
mod outcome;
pub mod proposals;
pub mod sides;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::decide::new_warnings;
use self::files::{Owners, Parts, Topics, Versions, topics, versions};
pub(super) use self::outcome::unstage_gone;
use self::sides::Unread;
use self::sides::{Place, folders};
use super::collection::Collection;
use super::{Result, Store};
use crate::curate::differences::{Against, Entry, Kind, Stage};
use crate::memory::{Memory, MemoryId, StoreId, Timestamp};
use crate::project::git::{self, GitError};
use crate::project::revision::Revision;
use crate::project::staging::{self, Index};
use crate::retrieval::Snapshot;

/// Entries that wait for a person.
pub struct Review<'a> {
    collection: &'a Collection,
    memories: Snapshot,
    /// The entries, by path and position.
    pub entries: Vec<Entry>,
    /// Failed comparisons, with the reason.
    pub notes: Vec<String>,
    /// Files that are not compared, for one of their versions was not read.
    unread: Unread,
    /// The name of the revision that is compared with.
    base: String,
    /// Heads of the repositories with stores in them.
    heads: Vec<Revision>,
    /// The changed files of the stores.
    files: BTreeMap<PathBuf, Versions>,
    /// The paths of memories that have entries.
    topics: Topics,
    /// The stores that are compared with their copies.
    outside: HashSet<StoreId>,
    /// True if stores outside of every repository may be copied.
    takes_copies: bool,
}

impl<'a> Review<'a> {
    /// Compares the stores with a revision; those outside of every repository with what the last
    /// review left.
    pub fn open(collection: &'a Collection, base: &str, memories: &Snapshot) -> Result<Self> {
        Self::compared(collection, base, memories, !collection.read_only)
    }

    /// The stores of the entries that wait for a decision, one for each. Nothing is written.
    pub fn waiting(collection: &Collection, memories: &Snapshot) -> Result<Vec<StoreId>> {
        let review = Review::compared(collection, "HEAD", memories, false)?;
        let entries = review.entries.iter();
        let waiting = entries.filter(|entry| entry.staged != Stage::Yes);
        Ok(waiting.map(|entry| entry.id.store.clone()).collect())
    }

    fn compared(
        collection: &'a Collection,
        base: &str,
        memories: &Snapshot,
        takes_copies: bool,
    ) -> Result<Self> {
        let mut review = Self {
            collection,
            memories: Arc::clone(memories),
            entries: Vec::new(),
            notes: Vec::new(),
            unread: Unread::new(),
            base: base.to_owned(),
            heads: Vec::new(),
            files: BTreeMap::new(),
            topics: Topics::new(),
            outside: HashSet::new(),
            takes_copies,
        };
        let mut groups: BTreeMap<PathBuf, Vec<Place<'a>>> = BTreeMap::new();
        let mut outside: Vec<&dyn Store> = Vec::new();
        // Context files are the person's, and none of them is a memory.
        let stores = collection.stores.iter();
        for store in stores.filter(|store| !store.schema().can.context) {
            let info = store.info();
            let around = info.path.parent().unwrap_or(&info.path);
            let root = match git::tree(around).map(git::root) {
                None | Some(Err(GitError::NoRepository | GitError::Bare)) => None,
                Some(root) => Some(root?),
            };
            let place = root.as_ref().and_then(|root| Place::new(info, root));
            match root.zip(place) {
                Some((root, place)) => groups.entry(root).or_default().push(place),
                None => outside.push(store),
            }
        }
        for (root, places) in groups {
            for ignored in review.compare(&root, base, places)? {
                outside.push(collection.store(&ignored)?);
            }
        }
        for store in outside {
            review.outside.insert(store.info().id.clone());
            review.since_last(store)?;
        }
        review.proposed();
        review.notes.extend(review.unread.values().cloned());
        let position = |entry: &Entry| {
            let side = entry.side();
            side.map(|side| (side.memory.path.to_path_buf(), side.memory.document))
        };
        review.entries.sort_by_cached_key(position);
        Ok(review)
    }

    /// The memories as they are.
    pub fn memories(&self) -> Snapshot {
        Arc::clone(&self.memories)
    }

    /// The entry of a memory.
    pub fn entry(&self, id: &MemoryId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == *id)
    }

    /// Compares stores of one repository with a revision. Gives those that git ignores.
    fn compare(&mut self, root: &Path, name: &str, places: Vec<Place<'_>>) -> Result<Vec<StoreId>> {
        let base = Revision::find(root, name)?;
        let head = match name {
            "HEAD" => base.clone(),
            _ => Revision::find(root, "HEAD")?,
        };
        let folders = folders(&places);
        let index = Index::read(root, &folders)?;
        let changes = base.changes(&folders)?;
        self.notes.extend(changes.unknown_note());
        let mut unmerged = index.unmerged.clone();
        unmerged.dedup();
        if !unmerged.is_empty() {
            let names = unmerged.iter().map(|file| file.display().to_string());
            self.notes.push(format!(
                "not reviewed until their conflicts are resolved: {}",
                names.collect::<Vec<_>>().join(", ")
            ));
        }
        let mut changed = changes.files;
        changed.retain(|file| {
            let is_left_out = index.sparse.contains(file) && !root.join(file).exists();
            !is_left_out && !unmerged.contains(file)
        });
        let mut all = versions(
            (&self.collection.journals.disk, root),
            (&base, &head),
            &index,
            &changed,
        )?;
        let mut ignored = Vec::new();
        for place in places {
            let is_own = |file: &PathBuf| file.starts_with(&place.path);
            let is_known = index.files.keys().any(is_own) || changed.iter().any(is_own);
            if !is_known && staging::is_ignored(root, &place.path) {
                ignored.push(place.info.id.clone());
                continue;
            }
            let own = place.own(&changed);
            if own.is_empty() {
                continue;
            }
            let mut touched = HashSet::new();
            for file in &own {
                let path = place.in_store(file);
                touched.insert(path.clone());
                self.files.extend(path.zip(all.remove(file)));
            }
            let before = place.sides_at(&base, &own)?;
            let store = self.collection.store(&place.info.id)?;
            let memories = Arc::clone(&self.memories);
            let is_touched = |memory: &&Arc<Memory>| {
                memory.id.store == place.info.id
                    && touched.contains(&Some(memory.path.to_path_buf()))
            };
            let after = self.sides(store, memories.iter().filter(is_touched));
            let entries = self.paired(store, [before, after], &Against::Commit);
            self.add(store, entries)?;
        }
        self.heads.push(head);
        Ok(ignored)
    }

    /// Adds the entries of one store, with what a decision on them changes beside the memories.
    fn add(&mut self, store: &dyn Store, mut entries: Vec<Entry>) -> Result {
        self.topics.extend(topics(&entries));
        let owners = Owners::new(&self.topics);
        let names: HashSet<&str> = self.topics.values().map(String::as_str).collect();
        // An index that differs only in the lines of memories that have entries of their own.
        let is_only_listing = |entry: &Entry| {
            let side = entry.after.as_ref();
            let side = side.filter(|side| side.memory.index_table().is_some());
            let both = side.and_then(|side| {
                let versions = self.files.get(&*side.memory.path)?;
                versions.base.as_deref().zip(versions.work.as_deref())
            });
            let path = side.map(|side| &*side.memory.path).unwrap_or(Path::new(""));
            entry.kind == Kind::Modified
                && both.is_some_and(|(base, work)| {
                    owners.mixed((store, path), [base, work], &names, false) == work
                })
        };
        entries.retain(|entry| !is_only_listing(entry));
        for entry in &mut entries {
            let parts = self.parts(&owners, store, entry);
            entry.staged = owners.stage(&parts);
            owners.show(entry, &parts, &|path| self.collection.shown(path));
            if entry.kind == Kind::Deleted && store.schema().can.index.is_some() {
                let plan = self.without_lines(&[entry], Timestamp(0))?;
                entry.others.extend(self.others(self.entries_of(&plan)));
            }
            let is_uncommitted = |one: &Parts<'_>| one.versions.head != one.versions.work;
            if entry.against == Against::LastReview || parts.iter().any(is_uncommitted) {
                entry.modified = changed_at(entry);
            }
        }
        self.entries.extend(entries);
        Ok(())
    }
}

/// When the file of a change was written; `None` if that tells nothing of the change.
fn changed_at(entry: &Entry) -> Option<Timestamp> {
    let (before, after) = (entry.before.as_ref(), entry.after.as_ref());
    let side = match entry.kind {
        Kind::Deleted => before,
        // A file keeps its time when it is renamed.
        _ if before.map(|side| &side.text) == after.map(|side| &side.text) => None,
        _ => after,
    };
    written_at(&side?.memory.path)
}

/// When a file was written.
fn written_at(path: &Path) -> Option<Timestamp> {
    let stamp = super::files::stamp_of(&std::fs::metadata(path).ok()?);
    Some(Timestamp(stamp.modified / 1_000_000))
}
