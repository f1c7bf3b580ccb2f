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
mod outcome;
pub(crate) mod proposals;
pub(crate) mod sides;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

pub use self::decide::new_warnings;
use self::files::{Owners, Parts, Reviewed, Topics, Versions, topics, versions};
pub(super) use self::outcome::unstage_gone;
use self::sides::{Place, Unread, folders};
use super::collection::{Collection, root_hash};
use super::{At as _, Overlay, Result, Store, StoreInfo};
use crate::curate::Digest;
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
    base: String,
    heads: Vec<Revision>,
    files: BTreeMap<PathBuf, Versions>,
    topics: Topics,
    /// The stores that are compared with their copies.
    outside: HashSet<StoreId>,
    takes_copies: bool,
}

impl<'a> Review<'a> {
    /// Compares the stores with a revision, or with the last review outside of every repository.
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
        let disk = &self.collection.journals.disk;
        let mut all = versions((disk, root), (&base, &head), &index, &changed)?;
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
            let memory = &entry.after.as_ref()?.memory;
            let versions = self.files.get(&*memory.path)?;
            let (base, work) = (versions.base.as_deref()?, versions.work.as_deref()?);
            let is_index = entry.kind == Kind::Modified && memory.index_table().is_some();
            let mixed = || owners.mixed((store, &memory.path), [base, work], &names, false);
            Some(is_index && mixed() == work)
        };
        entries.retain(|entry| is_only_listing(entry) != Some(true));
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

fn written_at(path: &Path) -> Option<Timestamp> {
    let stamp = super::files::stamp_of(&std::fs::metadata(path).ok()?);
    Some(Timestamp(stamp.modified / 1_000_000))
}

/// Stores with more bytes are not copied.
const LARGEST: u64 = 256 << 20;

/// Names the rows of databases that were kept since the copy was made, one a line.
const KEPT: &str = "kept.jsonl";

/// A row that was kept as it then was: its id, and the digest of its text; none where it was gone.
type Kept = (String, Option<String>);

fn kept(entry: &Entry) -> Kept {
    let now = entry.after.as_ref().filter(|_| entry.kind != Kind::Deleted);
    let digest = now.map(|side| {
        let text = format!("{}{:?}", side.text, side.memory.fields);
        Digest::of(text.as_bytes()).0
    });
    (entry.id.to_string(), digest)
}

fn folder(collection: &Collection, info: &StoreInfo) -> PathBuf {
    collection.state.join("review").join(root_hash(&info.path))
}

/// The folders of a store and of its archive in their copy.
fn place(info: &StoreInfo) -> Place<'_> {
    let name = |path: &Path| path.file_name().map(PathBuf::from).unwrap_or_default();
    let path = Path::new("store").join(name(&info.path));
    let archive = match info.archive.strip_prefix(&info.path) {
        Ok(below) => path.join(below),
        Err(_) => Path::new("archive").join(name(&info.archive)),
    };
    Place {
        info,
        path,
        archive,
    }
}

impl Review<'_> {
    /// Compares a store with its copy. Without one it is copied: what it holds counts as reviewed.
    pub(super) fn since_last(&mut self, store: &dyn Store) -> Result {
        let info = store.info();
        let folder = folder(self.collection, info);
        let own = |memory: &&Arc<Memory>| memory.id.store == info.id;
        let memories: Vec<Arc<Memory>> = self.memories.iter().filter(own).cloned().collect();
        let disk = &self.collection.journals.disk;
        let Some(known) = disk.bytes(&folder.join(KEPT))? else {
            return self.take(info, &memories);
        };
        let before = place(info).sides_in(&folder).at(&folder)?;
        let after = self.sides(store, memories.iter());
        let lines = known.split(|byte| *byte == b'\n');
        let known = lines.filter_map(|line| serde_json::from_slice::<Kept>(line).ok());
        let known: HashMap<_, _> = known.collect();
        let mut entries = self.paired(store, [before, after], &Against::LastReview);
        entries.retain(|entry| {
            let (id, now) = kept(entry);
            known.get(&id) != Some(&now)
        });
        if !store.schema().can.in_rows {
            let sides = entries.iter().flat_map(Entry::sides);
            let paths: BTreeSet<_> = sides.map(|side| side.memory.path.clone()).collect();
            for path in paths {
                if let Some(copy) = self.copy_of(info, &path) {
                    let reviewed = self.collection.journals.disk.bytes(&copy)?;
                    let versions = Versions {
                        base: reviewed.clone(),
                        head: reviewed.clone(),
                        index: reviewed,
                        work: self.collection.journals.disk.bytes(&path)?,
                        reviewed: Reviewed::Copy(copy),
                        refused: None,
                    };
                    self.files.insert(path.to_path_buf(), versions);
                }
            }
        }
        self.add(store, entries)
    }

    /// Copies the files of a store, unless that is not wanted or they are too large.
    fn take(&mut self, info: &StoreInfo, memories: &[Arc<Memory>]) -> Result {
        if !self.takes_copies {
            return Ok(());
        }
        let paths: BTreeSet<&Path> = memories.iter().map(|memory| &*memory.path).collect();
        let size = |path: &&Path| fs::metadata(path).map_or(0, |meta| meta.len());
        let id = &info.id;
        if paths.iter().map(size).sum::<u64>() > LARGEST {
            self.notes.push(format!(
                "{id}: not in git and too large to copy; its changes are not listed"
            ));
            return Ok(());
        }
        let folder = folder(self.collection, info);
        copy(&place(info), &paths, &folder).at(&folder)?;
        let count = memories.len();
        let noun = if count == 1 { "memory" } else { "memories" };
        if count > 0 {
            self.notes.push(format!(
                "{id}: not in git; its {count} {noun} count as reviewed, changes from now on are listed"
            ));
        }
        Ok(())
    }

    pub(super) fn copy_of(&self, info: &StoreInfo, path: &Path) -> Option<PathBuf> {
        let file = place(info).below_root(path)?;
        Some(folder(self.collection, info).join(file))
    }

    /// Remembers that a row of a database is kept, whose copy is not written to.
    pub(super) fn remember_row(&self, entry: &Entry, overlay: &mut Overlay) -> Result {
        let info = self.collection.store(&entry.id.store)?.info();
        let path = folder(self.collection, info).join(KEPT);
        let mut bytes = overlay.read(&path, None)?.to_vec();
        let line = serde_json::to_vec(&kept(entry));
        bytes.extend(line.at(&path)?);
        bytes.push(b'\n');
        overlay.write(&path, bytes)
    }
}

fn copy(place: &Place<'_>, paths: &BTreeSet<&Path>, folder: &Path) -> io::Result<()> {
    let new = folder.with_extension("new");
    let _ = fs::remove_dir_all(&new);
    for path in paths {
        let file = place.below_root(path);
        let Some(file) = file else { continue };
        let to = new.join(file);
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::copy(path, &to)?;
        // Log of a database, with rows not yet in its file.
        let log = |path: &Path| super::files::with_end(path, "-wal");
        if log(path).is_file() {
            fs::copy(log(path), log(&to))?;
        }
    }
    fs::create_dir_all(&new)?;
    fs::write(new.join(KEPT), "")?;
    let _ = fs::remove_dir_all(folder);
    fs::rename(&new, folder)
}
