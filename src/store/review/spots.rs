//! The files that an entry has bytes in, and who owns which bytes of them.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::place::Place;
use super::{Repository, Review, ReviewError};
use crate::curate::Staged;
use crate::curate::review::{Entry, Kind, Other, Stage};
use crate::curate::segments::{self, Owned, Version};
use crate::memory::{Stamp, index};
use crate::project::revision::Revision;
use crate::project::staging::{self, Index};
use crate::store::collection::Collection;
use crate::store::disk::Disk;
use crate::store::{Store, markdown};

/// The versions of one changed file, as git stores them; none where it is not there.
#[derive(Default)]
pub(super) struct Versions {
    pub(super) base: Option<Vec<u8>>,
    pub(super) head: Option<Vec<u8>>,
    pub(super) index: Option<Vec<u8>>,
    /// The entry of the index that `index` is the content of.
    pub(super) staged: Option<Staged>,
    pub(super) work: Option<Vec<u8>>,
    /// Why it cannot be staged.
    pub(super) refused: Option<String>,
}

/// A file that an entry has bytes in.
pub(super) struct Spot<'a> {
    pub(super) repository: &'a Repository,
    pub(super) file: PathBuf,
    pub(super) path: PathBuf,
    pub(super) versions: &'a Versions,
    /// Who owns bytes of it.
    pub(super) owner: String,
    /// True if what no memory owns is the entry's too.
    pub(super) frame: bool,
}

/// The paths of memories that have entries, by store: lines of an index about them are theirs.
pub(super) type Topics = HashMap<PathBuf, String>;

impl Review<'_> {
    /// The files that an entry has bytes in.
    pub(super) fn spots_in<'r>(
        &self,
        repository: &'r Repository,
        place: &Place<'_>,
        owners: &Owners<'_>,
        entry: &Entry,
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
        let shifted = |(path, ..): &(PathBuf, String, bool)| {
            let names = entry.shifted.iter();
            let spots = names.map(|name| (path.clone(), name.to_string(), false));
            spots.collect::<Vec<_>>()
        };
        let shifted: Vec<_> = paths.iter().flat_map(shifted).collect();
        paths.extend(shifted);
        let listing = owners.store.schema().can.index;
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
            let parts = parts.map(|bytes| spot.part(owners, bytes.as_deref()));
            // A file of which it owns nothing in any version is none of its.
            let is_own = frame || versions.refused.is_some() || parts.iter().any(Option::is_some);
            is_own.then_some(spot)
        };
        paths.into_iter().filter_map(spot).collect()
    }
}

/// Parts of an entry in its files, as a person is shown them.
pub(super) struct Parts {
    /// Its part of an index that has lines of other entries.
    pub(super) own: Option<(Arc<str>, Arc<str>)>,
    beside: Vec<(PathBuf, [String; 2])>,
}

impl Parts {
    pub(super) fn new(owners: &Owners<'_>, spots: &[Spot<'_>], entry: &Entry) -> Self {
        let sides = [&entry.before, &entry.after].into_iter().flatten();
        let paths: Vec<&Path> = sides.map(|side| &*side.memory.path).collect();
        let (mut own, mut beside) = (None, Vec::new());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        // Refused files have no content here to compare.
        for spot in spots.iter().filter(|spot| spot.versions.refused.is_none()) {
            let [old, new] = [&spot.versions.base, &spot.versions.work];
            if spot.frame && entry.kind == Kind::Modified {
                own = old.as_ref().zip(new.as_ref()).map(|(old, new)| {
                    let new = spot.with_frame(owners, old, new);
                    (text(old).into(), text(&new).into())
                });
            } else if !paths.contains(&&*spot.path) {
                let both = [old, new].map(|bytes| {
                    let part = spot.part(owners, bytes.as_deref());
                    text(&part.unwrap_or_default())
                });
                if both[0] != both[1] {
                    beside.push((spot.path.clone(), both));
                }
            }
        }
        Self { own, beside }
    }

    pub(super) fn others(&self, collection: &Collection) -> Vec<Other> {
        let other = |(path, [old, new]): &(PathBuf, [String; 2])| Other {
            path: collection.shown(path),
            old: old.clone(),
            new: new.clone(),
        };
        self.beside.iter().map(other).collect()
    }
}

impl Spot<'_> {
    /// True if the file differs from the last commit.
    pub(super) fn is_uncommitted(&self) -> bool {
        let head = match &self.repository.head {
            Some(_) => &self.versions.head,
            None => &self.versions.base,
        };
        *head != self.versions.work
    }

    /// A version of the file with what no memory owns as another one has it.
    fn with_frame(&self, owners: &Owners<'_>, old: &[u8], new: &[u8]) -> Vec<u8> {
        let own = |bytes| owned(owners.store, &self.path, bytes, owners.topics);
        let (of_old, of_new) = (own(old), own(new));
        let version = |bytes, owned| Version { bytes, owned };
        let none = HashSet::new();
        segments::compose(version(old, &of_old), version(new, &of_new), &none, true)
    }

    /// Returns the entry's bytes in a version of the file.
    pub(super) fn part(&self, owners: &Owners<'_>, bytes: Option<&[u8]>) -> Option<Vec<u8>> {
        let bytes = bytes?;
        if self.frame {
            let all = owned(owners.store, &self.path, bytes, owners.topics);
            let none = Version {
                bytes: b"",
                owned: &[],
            };
            let new = Version { bytes, owned: &all };
            return Some(segments::compose(none, new, &HashSet::new(), true));
        }
        let all = owners.ranges(&self.path, bytes);
        let own = all.get(&self.owner)?.iter();
        let own: Vec<&[u8]> = own.filter_map(|range| bytes.get(range.clone())).collect();
        Some(own.join(&b'\n'))
    }
}

/// The places of each owner in one version of a file.
type Ranges = HashMap<String, Vec<Range<usize>>>;

/// Who owns which bytes, worked out once for each version of a file: a file may have thousands of
/// entries.
pub(super) struct Owners<'t> {
    pub(super) store: &'t dyn Store,
    pub(super) topics: &'t Topics,
    /// By the address and length of the bytes, which outlive this.
    known: RefCell<HashMap<(usize, usize), Rc<Ranges>>>,
}

impl<'t> Owners<'t> {
    pub(super) fn new(store: &'t dyn Store, topics: &'t Topics) -> Self {
        Self {
            store,
            topics,
            known: RefCell::default(),
        }
    }

    fn ranges(&self, path: &Path, bytes: &[u8]) -> Rc<Ranges> {
        let key = (bytes.as_ptr().addr(), bytes.len());
        if let Some(known) = self.known.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut ranges = Ranges::new();
        for one in owned(self.store, path, bytes, self.topics) {
            ranges.entry(one.owner).or_default().push(one.range);
        }
        let ranges = Rc::new(ranges);
        self.known.borrow_mut().insert(key, Rc::clone(&ranges));
        ranges
    }
}

/// Returns the extent to which an entry is staged: its bytes in the index are neither those of the
/// last commit nor, unless all is staged, those of the work tree.
pub(super) fn stage(owners: &Owners<'_>, spots: &[Spot<'_>]) -> Stage {
    let (mut differs, mut waits) = (false, false);
    for spot in spots {
        let all = spot.versions;
        let head = match &spot.repository.head {
            Some(_) => &all.head,
            None => &all.base,
        };
        let [head, index, work] =
            [head, &all.index, &all.work].map(|bytes| spot.part(owners, bytes.as_deref()));
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
pub(super) fn topics(entries: &[Entry]) -> Topics {
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
/// itself, the listed memories their entries.
pub(super) fn owned(store: &dyn Store, path: &Path, bytes: &[u8], topics: &Topics) -> Vec<Owned> {
    let memories = store.parse(path, bytes, Stamp::default());
    let index = memories
        .iter()
        .find_map(|one| Some((one, one.index_table()?)));
    let Some((one, table)) = index else {
        let own = memories.iter().map(|memory| Owned {
            range: memory.span.clone(),
            owner: memory.id.local.to_string(),
        });
        return own.collect();
    };
    let folder = path.parent().unwrap_or(path);
    let lines = index::entries(bytes, one.body.start, table).into_iter();
    lines
        .filter_map(|line| {
            let target = markdown::joined(folder, &line.target);
            let owner = topics.get(&target)?.clone();
            let range = line.own;
            Some(Owned { range, owner })
        })
        .collect()
}

/// True if a file is the index of its store.
pub(super) fn is_index(store: &dyn Store, path: &Path, bytes: &[u8]) -> bool {
    let memories = store.parse(path, bytes, Stamp::default());
    memories.iter().any(|memory| memory.index_table().is_some())
}

/// The versions of changed files. A working file that cannot be read has its reason in
/// [`Versions::refused`].
pub(super) fn versions(
    (disk, root): (&Disk, &Path),
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
    let (mut there, mut work) = (Vec::new(), HashMap::new());
    for file in changed {
        match disk.bytes(&root.join(file)) {
            Ok(bytes) => there.extend(bytes.map(|bytes| (file.clone(), bytes))),
            Err(error) => drop(work.insert(file, Err(error.to_string()))),
        }
    }
    let stored = staging::stored(root, &there)?;
    work.extend(there.iter().map(|(file, _)| file).zip(stored));
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
            staged: index.files.get(file).cloned(),
            work,
            refused,
        };
        (file.clone(), versions)
    };
    Ok(changed.iter().map(one).collect())
}
