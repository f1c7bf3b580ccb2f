//! The review queue: which memories differ from a commit, from the last review, or by a proposal,
//! and what keeping or rejecting each of them changes.
//!
//! ```text
//! base commit ─┐
//! index       ─┼─> versions of each changed file ─> memories, paired ─> entries
//! work tree   ─┘                     └─> keep: the index gets this memory's bytes
//!                                    └─> reject: the work tree gets the base's bytes back
//! ```

mod decide;
pub mod guard;
mod last;
mod outcome;
pub mod place;
mod proposals;
mod sides;
mod spots;
mod versions;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::place::Place;
use self::sides::Unread;
use self::spots::{Owners, Parts, Spot, Topics, Versions, owned, stage, topics};
use super::collection::Collection;
use super::{Store, StoreError, discover};
use crate::curate::review::{Against, Entry, Kind, Paired, Shifted, Stage, without_number};
use crate::curate::segments::{self, Version};
use crate::memory::{Memory, MemoryId, State, StoreId, Timestamp};
use crate::project::git::{self, GitError};
use crate::project::revision::{Revision, RevisionError};
use crate::project::staging::{self, Index};
use crate::retrieval::Snapshot;

/// Why there is no queue.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// There is no such revision.
    #[error(transparent)]
    Revision(#[from] RevisionError),
    /// Git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ReviewError> for StoreError {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::Store(error) => error,
            error => Self::Refused(error.to_string()),
        }
    }
}

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
    repositories: Vec<Repository>,
    /// The stores that are compared with their copies.
    outside: HashSet<StoreId>,
    /// True if stores outside of every repository may be copied.
    takes_copies: bool,
}

/// A repository with stores in it.
struct Repository {
    base: Revision,
    head: Option<Revision>,
    versions: HashMap<PathBuf, Versions>,
}

impl<'a> Review<'a> {
    /// Compares the stores with a revision; those outside of every repository with what the last
    /// review left.
    pub fn open(
        collection: &'a Collection,
        base: &str,
        memories: &Snapshot,
    ) -> Result<Self, ReviewError> {
        Self::compared(collection, base, memories, !collection.read_only)
    }

    /// Number of entries that wait for a decision. Nothing is written.
    pub fn count_waiting(
        collection: &Collection,
        memories: &Snapshot,
    ) -> Result<usize, ReviewError> {
        let review = Review::compared(collection, "HEAD", memories, false)?;
        let waits = |entry: &&Entry| entry.staged != Stage::Yes;
        Ok(review.entries.iter().filter(waits).count())
    }

    fn compared(
        collection: &'a Collection,
        base: &str,
        memories: &Snapshot,
        takes_copies: bool,
    ) -> Result<Self, ReviewError> {
        let mut review = Self {
            collection,
            memories: Arc::clone(memories),
            entries: Vec::new(),
            notes: Vec::new(),
            unread: Unread::new(),
            base: base.to_owned(),
            repositories: Vec::new(),
            outside: HashSet::new(),
            takes_copies,
        };
        let mut groups: BTreeMap<PathBuf, Vec<&dyn Store>> = BTreeMap::new();
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
            match root {
                Some(root) if Place::new(info, &root).is_some() => {
                    groups.entry(root).or_default().push(&**store);
                }
                _ => outside.push(&**store),
            }
        }
        for (root, stores) in groups {
            let ignored = review.compare(&root, base, &stores)?;
            outside.extend(ignored);
        }
        for store in outside {
            review.outside.insert(store.info().id.clone());
            review.since_last(store)?;
        }
        review.proposed()?;
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
    fn compare<'s>(
        &mut self,
        root: &Path,
        name: &str,
        stores: &[&'s dyn Store],
    ) -> Result<Vec<&'s dyn Store>, ReviewError> {
        let base = Revision::find(root, name)?;
        let head = (name != "HEAD").then(|| Revision::find(root, "HEAD"));
        let head = head.transpose()?;
        let places: Vec<Place<'_>> = stores
            .iter()
            .filter_map(|store| Place::new(store.info(), root))
            .collect();
        let folders = place::folders(&places);
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
        let is_left_out = |file: &PathBuf| {
            index.sparse.contains(file) && !root.join(file).exists()
                || index.unmerged.contains(file)
        };
        let changed: Vec<PathBuf> = changes
            .files
            .into_iter()
            .filter(|file| !is_left_out(file))
            .collect();
        let is_ignored = |place: &Place<'_>| {
            let is_own = |file: &PathBuf| file.starts_with(&place.path);
            !index.files.keys().any(is_own)
                && !changed.iter().any(is_own)
                && staging::is_ignored(root, &place.path)
        };
        let (mut ignored, mut wanted) = (Vec::new(), Vec::new());
        for (store, place) in stores.iter().zip(&places) {
            match is_ignored(place) {
                true => ignored.push(*store),
                false => wanted.push((*store, place)),
            }
        }
        let place = (&self.collection.journals.disk, root);
        let versions = spots::versions(place, (&base, head.as_ref()), &index, &changed)?;
        let at = self.repositories.len();
        self.repositories.push(Repository {
            base,
            head,
            versions,
        });
        for (store, place) in wanted {
            let own = place.own(&changed);
            if !own.is_empty() {
                self.compare_store(store, place, &own, at)?;
            }
        }
        Ok(ignored)
    }

    /// Adds the entries of one store.
    fn compare_store(
        &mut self,
        store: &dyn Store,
        place: &Place<'_>,
        own: &[PathBuf],
        at: usize,
    ) -> Result<(), ReviewError> {
        let Some(repository) = self.repositories.get(at) else {
            return Ok(());
        };
        let past = place::Past::new(&repository.base, place, own)?;
        let before = past.sides();
        let touched: HashSet<&Path> = own.iter().map(PathBuf::as_path).collect();
        let is_touched = |memory: &&Arc<Memory>| {
            memory.id.store == place.info.id
                && place
                    .below_root(&memory.path)
                    .is_some_and(|path| touched.contains(&*path))
        };
        let memories = Arc::clone(&self.memories);
        let after = self.sides(store, memories.iter().filter(is_touched));
        let mut entries = self.paired(store, [before, after], &Against::Commit);
        let Some(repository) = self.repositories.get(at) else {
            return Ok(());
        };
        let topics = topics(&entries);
        entries.retain(|entry| !self.is_only_listing(repository, place, store, entry, &topics));
        let owners = Owners::new(store, &topics);
        for entry in &mut entries {
            let spots = self.spots_in(repository, place, &owners, entry);
            entry.staged = stage(&owners, &spots);
            let parts = Parts::new(&owners, &spots, entry);
            entry.others = parts.others(self.collection);
            entry.own = parts.own;
            if entry.kind == Kind::Deleted && store.schema().can.index.is_some() {
                let plan = self.without_lines(std::iter::once(&*entry), Timestamp(0))?;
                entry.others.extend(self.others_of(&plan, None));
            }
            if spots.iter().any(Spot::is_uncommitted) {
                entry.modified = changed_at(entry);
            }
        }
        self.entries.extend(entries);
        Ok(())
    }

    /// True if an index differs only in the lines of memories that have entries of their own.
    fn is_only_listing(
        &self,
        repository: &Repository,
        place: &Place<'_>,
        store: &dyn Store,
        entry: &Entry,
        topics: &Topics,
    ) -> bool {
        let Some(side) = entry
            .after
            .as_ref()
            .filter(|_| entry.kind == Kind::Modified)
        else {
            return false;
        };
        let file = place.below_root(&side.memory.path);
        let versions = file.and_then(|file| repository.versions.get(&file));
        let both = versions.and_then(|all| all.base.as_ref().zip(all.work.as_ref()));
        let Some((base, work)) = both.filter(|_| side.memory.index_table().is_some()) else {
            return false;
        };
        let path = &side.memory.path;
        let (old, new) = (
            owned(store, path, base, topics),
            owned(store, path, work, topics),
        );
        let taken = topics.values().map(String::as_str).collect();
        let version = |bytes, owned| Version { bytes, owned };
        segments::compose(version(base, &old), version(work, &new), &taken, false) == *work
    }
}

/// The entries of one store.
fn entries(
    (pairs, shifted): (Vec<Paired>, Vec<Shifted>),
    against: &Against,
    shared: &HashSet<PathBuf>,
) -> Vec<Entry> {
    let one = |paired| entry(paired, against.clone(), shared);
    let mut all: Vec<Entry> = pairs.into_iter().filter_map(one).collect();
    for entry in all.iter_mut().filter(|_| !shifted.is_empty()) {
        let sides = [&entry.before, &entry.after].into_iter().flatten();
        let names: Vec<&str> = sides
            .map(|side| without_number(&side.memory.id.local))
            .collect();
        // A row that its line names goes where the rows around it go.
        let is_alike = |id: &&MemoryId| {
            let name = without_number(&id.local);
            names.contains(&name) || *name == *id.local
        };
        let both = shifted.iter().flat_map(|(was, is)| [was, is]);
        entry.shifted = both.filter(is_alike).map(|id| id.local.clone()).collect();
    }
    all
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
    let written = std::fs::metadata(path).ok()?.modified().ok()?;
    let since = written.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Timestamp(i64::try_from(since.as_millis()).ok()?))
}

/// One entry; none where there is nothing to show.
fn entry(
    (before, after, kind): Paired,
    against: Against,
    shared: &HashSet<PathBuf>,
) -> Option<Entry> {
    let side = match kind {
        Kind::Deleted => before.as_ref().or(after.as_ref()),
        _ => after.as_ref().or(before.as_ref()),
    };
    let memory = Arc::clone(&side?.memory);
    // A memory that was archived before anyone committed it is out of everyone's sight.
    if kind == Kind::Added && memory.state == State::Archived {
        return None;
    }
    let is_appended = kind == Kind::Added && shared.contains(&*memory.path);
    let id = memory.id.clone();
    Some(Entry {
        is_appended,
        ..Entry::new(id, kind, (before, after), against)
    })
}

/// The store with this id.
fn store_named<'c>(collection: &'c Collection, id: &StoreId) -> Result<&'c dyn Store, StoreError> {
    let mut stores = collection.stores.iter().map(|store| &**store);
    let found = stores.find(|store| store.info().id == *id);
    found.ok_or_else(|| StoreError::Refused(format!("no store is `{id}`")))
}

/// Opens a store whose files stand elsewhere; `None` if none of them does.
fn open_at(place: &Place<'_>, folder: &Path) -> io::Result<Option<Box<dyn Store>>> {
    let info = super::StoreInfo {
        path: folder.join(&place.path),
        archive: folder.join(&place.archive),
        ..place.info.clone()
    };
    let is_there = info.path.try_exists()? || info.archive.try_exists()?;
    Ok(is_there.then(|| discover::open(info)))
}
