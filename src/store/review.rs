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
mod last;
pub mod place;
mod proposals;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::place::Place;
use super::collection::Collection;
use super::{Store, StoreError, discover, files};
use crate::curate::review::{Against, Entry, Kind, Side, Stage, pair};
use crate::curate::segments::{self, Owned, Version};
use crate::memory::{Memory, MemoryId, Stamp, StoreId, index};
use crate::project::git::{self, GitError};
use crate::project::revision::{Revision, RevisionError};
use crate::project::staging::{self, Index};
use crate::retrieval::{Snapshot, Texts as _};

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

/// What waits for a person.
pub struct Review<'a> {
    collection: &'a Collection,
    memories: Snapshot,
    /// The entries, by path and position.
    pub entries: Vec<Entry>,
    /// What could not be compared, and why.
    pub notes: Vec<String>,
    repositories: Vec<Repository>,
}

/// A repository with stores in it.
struct Repository {
    base: Revision,
    head: Option<Revision>,
    versions: HashMap<PathBuf, Versions>,
}

/// The versions of one changed file, as git stores them; none where it is not there.
#[derive(Default)]
struct Versions {
    base: Option<Vec<u8>>,
    head: Option<Vec<u8>>,
    index: Option<Vec<u8>>,
    work: Option<Vec<u8>>,
    /// Why it cannot be staged.
    refused: Option<String>,
}

/// A file that an entry has bytes in.
struct Spot<'a> {
    repository: &'a Repository,
    file: PathBuf,
    path: PathBuf,
    versions: &'a Versions,
    /// Who owns bytes of it.
    owner: String,
    /// Whether what no memory owns is the entry's too.
    frame: bool,
}

/// The paths of memories that have entries, by store: lines of an index about them are theirs.
type Topics = HashMap<PathBuf, String>;

impl<'a> Review<'a> {
    /// Compares the stores with a revision; those outside of every repository with what the last
    /// review left.
    pub fn open(
        collection: &'a Collection,
        base: &str,
        memories: &Snapshot,
    ) -> Result<Self, ReviewError> {
        let mut review = Self {
            collection,
            memories: Arc::clone(memories),
            entries: Vec::new(),
            notes: Vec::new(),
            repositories: Vec::new(),
        };
        let mut groups: BTreeMap<PathBuf, Vec<&dyn Store>> = BTreeMap::new();
        let mut outside: Vec<&dyn Store> = Vec::new();
        for store in collection.stores.iter() {
            let info = store.info();
            let around = info.path.parent().unwrap_or(&info.path);
            match git::tree(around).and_then(|tree| git::root(tree).ok()) {
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
            review.since_last(store)?;
        }
        review.proposed()?;
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
        if let Some(file) = index.unmerged.first() {
            self.notes.push(format!(
                "{} has conflicts: resolve them before it can be reviewed",
                file.display()
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
            let is_own = |file: &PathBuf| place.holds(file);
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
        let versions = versions(root, (&base, head.as_ref()), &index, &changed)?;
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
        let after = memories
            .iter()
            .filter(is_touched)
            .map(|memory| self.side(memory));
        let after: Vec<Side> = after.collect();
        let shared: HashSet<PathBuf> = before
            .iter()
            .map(|side| side.memory.path.to_path_buf())
            .collect();
        let mut entries: Vec<Entry> = pair(before, after)
            .into_iter()
            .filter_map(|(before, after, kind)| {
                entry(before, after, kind, Against::Commit, &shared)
            })
            .collect();
        let topics = topics(&entries);
        entries.retain(|entry| !self.is_only_listing(repository, place, store, entry, &topics));
        for entry in &mut entries {
            entry.staged = stage(
                store,
                &self.spots_in(repository, place, store, entry, &topics),
            );
        }
        self.entries.extend(entries);
        Ok(())
    }

    /// A memory as it is now.
    fn side(&self, memory: &Arc<Memory>) -> Side {
        let text = self.collection.text(memory).unwrap_or_default();
        let body = self.collection.body(memory).unwrap_or_default();
        Side {
            memory: Arc::clone(memory),
            text: text.replace("\r\n", "\n").into(),
            body: body.replace("\r\n", "\n").into(),
        }
    }

    /// Whether an index differs only in the lines of memories that have entries of their own.
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

    /// The files that an entry has bytes in.
    fn spots_in<'r>(
        &self,
        repository: &'r Repository,
        place: &Place<'_>,
        store: &dyn Store,
        entry: &Entry,
        topics: &Topics,
    ) -> Vec<Spot<'r>> {
        let sides = [&entry.before, &entry.after].into_iter().flatten();
        let mut paths: Vec<(PathBuf, String, bool)> = sides
            .map(|side| {
                let memory = &side.memory;
                let frame = memory.index_table().is_some();
                (
                    memory.path.to_path_buf(),
                    memory.id.local.to_string(),
                    frame,
                )
            })
            .collect();
        let listing = store.schema().can.index;
        if let Some(table) = listing {
            let folder = match place.info.path.is_dir() {
                true => place.info.path.clone(),
                false => place
                    .info
                    .path
                    .parent()
                    .unwrap_or(&place.info.path)
                    .to_owned(),
            };
            let index = folder.join(&table.file);
            if paths.iter().all(|(path, ..)| *path != index) {
                let own: Vec<String> = paths.iter().map(|(_, owner, _)| owner.clone()).collect();
                paths.extend(own.into_iter().map(|owner| (index.clone(), owner, false)));
            }
        }
        paths.dedup();
        let spot = |(path, owner, frame): (PathBuf, String, bool)| {
            let file = place.below_root(&path)?;
            let versions = repository.versions.get(&file)?;
            let spot = Spot {
                repository,
                file,
                path,
                versions,
                owner,
                frame,
            };
            let parts = [&versions.base, &versions.index, &versions.work];
            let parts = parts.map(|bytes| spot.part(store, bytes.as_deref(), topics));
            // A file of which it owns nothing in any version is none of its.
            (frame || parts.iter().any(Option::is_some)).then_some(spot)
        };
        paths.into_iter().filter_map(spot).collect()
    }
}

impl Spot<'_> {
    /// What the entry owns of a version of the file.
    fn part(&self, store: &dyn Store, bytes: Option<&[u8]>, topics: &Topics) -> Option<Vec<u8>> {
        let bytes = bytes?;
        let all = owned(store, &self.path, bytes, topics);
        if self.frame {
            let none = Version {
                bytes: b"",
                owned: &[],
            };
            let new = Version { bytes, owned: &all };
            return Some(segments::compose(none, new, &HashSet::new(), true));
        }
        let own = all.iter().filter(|one| one.owner == self.owner);
        let own: Vec<&[u8]> = own.filter_map(|one| bytes.get(one.range.clone())).collect();
        (!own.is_empty()).then(|| own.join(&b'\n'))
    }
}

/// How much of an entry is staged: its bytes in the index are neither those of the last commit
/// nor, unless all is staged, those of the work tree.
fn stage(store: &dyn Store, spots: &[Spot<'_>]) -> Stage {
    let topics = spots
        .iter()
        .map(|spot| (spot.path.clone(), spot.owner.clone()));
    let topics: Topics = topics.collect();
    let (mut differs, mut waits) = (false, false);
    for spot in spots {
        let all = spot.versions;
        let head = match &spot.repository.head {
            Some(_) => &all.head,
            None => &all.base,
        };
        let [head, index, work] =
            [head, &all.index, &all.work].map(|bytes| spot.part(store, bytes.as_deref(), &topics));
        differs |= index != head;
        waits |= index != work;
    }
    match (differs, waits) {
        (true, false) => Stage::Yes,
        (true, true) => Stage::Partly,
        (false, _) => Stage::No,
    }
}

/// The paths of the memories that have entries.
fn topics(entries: &[Entry]) -> Topics {
    let sides = entries
        .iter()
        .flat_map(|entry| [&entry.before, &entry.after]);
    let memories = sides.flatten().map(|side| &side.memory);
    memories
        .filter(|memory| memory.index_table().is_none())
        .map(|memory| (memory.path.to_path_buf(), memory.id.local.to_string()))
        .collect()
}

/// Who owns which bytes of a file: its memories their spans; of an index, which is a memory
/// itself, the listed memories their lines.
fn owned(store: &dyn Store, path: &Path, bytes: &[u8], topics: &Topics) -> Vec<Owned> {
    let memories = store.parse(path, bytes, Stamp::default());
    let [one] = memories.as_slice() else {
        let own = memories.iter().map(|memory| Owned {
            range: memory.span.clone(),
            owner: memory.id.local.to_string(),
        });
        return own.collect();
    };
    let Some(table) = one.index_table() else {
        let (range, owner) = (0..bytes.len(), one.id.local.to_string());
        return vec![Owned { range, owner }];
    };
    let folder = path.parent().unwrap_or(path);
    let lines = index::entries(bytes, one.body.start, table).into_iter();
    lines
        .filter_map(|line| {
            let target = super::markdown::link_target(folder, &line.target);
            let owner = topics.get(&target)?.clone();
            let range = line.range;
            Some(Owned { range, owner })
        })
        .collect()
}

/// Whether a file is the index of its store.
fn is_index(store: &dyn Store, path: &Path, bytes: &[u8]) -> bool {
    let memories = store.parse(path, bytes, Stamp::default());
    memories.iter().any(|memory| memory.index_table().is_some())
}

/// One entry; none where there is nothing to show.
fn entry(
    before: Option<Side>,
    after: Option<Side>,
    kind: Kind,
    against: Against,
    shared: &HashSet<PathBuf>,
) -> Option<Entry> {
    let side = match kind {
        Kind::Deleted => before.as_ref().or(after.as_ref()),
        _ => after.as_ref().or(before.as_ref()),
    };
    let memory = Arc::clone(&side?.memory);
    let is_appended = kind == Kind::Added && shared.contains(&*memory.path);
    Some(Entry {
        id: memory.id.clone(),
        kind,
        before,
        after,
        staged: Stage::No,
        against,
        is_appended,
    })
}

/// The versions of changed files.
fn versions(
    root: &Path,
    (base, head): (&Revision, Option<&Revision>),
    index: &Index,
    changed: &[PathBuf],
) -> Result<HashMap<PathBuf, Versions>, ReviewError> {
    let mut base = base.contents(changed)?;
    let mut head = match head {
        Some(head) => head.contents(changed)?,
        None => HashMap::new(),
    };
    let known: Vec<(&PathBuf, &str)> = changed
        .iter()
        .filter_map(|file| Some((file, index.files.get(file)?.id.as_str())))
        .collect();
    let ids: Vec<&str> = known.iter().map(|(_, id)| *id).collect();
    let contents = staging::blobs(root, &ids)?.into_iter();
    let mut staged: HashMap<&PathBuf, Vec<u8>> =
        known.iter().map(|(file, _)| *file).zip(contents).collect();
    let there: Vec<(PathBuf, Vec<u8>)> = changed
        .iter()
        .filter_map(|file| Some((file.clone(), files::read(&root.join(file)).ok()?.0)))
        .collect();
    let stored = staging::stored(root, &there)?;
    let mut work: HashMap<&PathBuf, Result<Vec<u8>, String>> =
        there.iter().map(|(file, _)| file).zip(stored).collect();
    let one = |file: &PathBuf| {
        let (work, refused) = match work.remove(file) {
            Some(Ok(bytes)) => (Some(bytes), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        let versions = Versions {
            base: base.remove(file),
            head: head.remove(file),
            index: staged.remove(file),
            work,
            refused,
        };
        (file.clone(), versions)
    };
    Ok(changed.iter().map(one).collect())
}

/// The store with this id.
fn store_named<'c>(collection: &'c Collection, id: &StoreId) -> Result<&'c dyn Store, StoreError> {
    let mut stores = collection.stores.iter().map(|store| &**store);
    let found = stores.find(|store| store.info().id == *id);
    found.ok_or_else(|| StoreError::Refused(format!("no store is `{id}`")))
}

/// Opens a store whose files stand elsewhere.
fn open_at(place: &Place<'_>, folder: &Path) -> Option<Box<dyn Store>> {
    let info = super::StoreInfo {
        path: folder.join(&place.path),
        archive: folder.join(&place.archive),
        ..place.info.clone()
    };
    let is_there = info.path.exists() || info.archive.exists();
    is_there.then(|| discover::open(info))
}
