//! Changed files of stores: their versions, the parts that entries own, and mixed versions.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Review;
use crate::curate::differences::{Against, Entry, Kind, Other, Stage};
use crate::curate::segments::{self, Owned, Version};
use crate::curate::{FileChange, Staged, Staging};
use crate::memory::{Role, Stamp, index};
use crate::project::revision::Revision;
use crate::project::staging::{self, Index};
use crate::store::disk::Disk;
use crate::store::{Overlay, Result, Store, files, markdown, refuse};

/// Place of the version of a file that counts as reviewed.
pub(super) enum Reviewed {
    Index {
        root: PathBuf,
        file: PathBuf,
        staged: Option<Staged>,
    },
    Copy(PathBuf),
}

/// The versions of one changed file, as git stores them; none where it is not there.
pub(super) struct Versions {
    pub(super) reviewed: Reviewed,
    pub(super) base: Option<Vec<u8>>,
    pub(super) head: Option<Vec<u8>>,
    /// The bytes of [`Self::reviewed`].
    pub(super) index: Option<Vec<u8>>,
    pub(super) work: Option<Vec<u8>>,
    pub(super) refused: Option<String>,
}

/// The parts of one file of a store that some entries own.
pub(super) struct Parts<'r> {
    store: &'r dyn Store,
    pub(super) path: &'r Path,
    pub(super) versions: &'r Versions,
    /// The memories whose parts they are.
    names: BTreeSet<String>,
    /// True if bytes that belong to no memory are among them.
    frame: bool,
}

/// The paths of memories that have entries, by store: lines of an index about them are theirs.
pub(super) type Topics = HashMap<PathBuf, String>;

pub(super) fn topics(entries: &[Entry]) -> Topics {
    let sides = entries.iter().flat_map(Entry::sides);
    let memories = sides.map(|side| &side.memory);
    let own = memories.filter(|memory| memory.index_table().is_none());
    let own = own.map(|memory| (memory.path.to_path_buf(), memory.id.local.to_string()));
    own.collect()
}

/// The byte ranges of each owner in one version of a file.
type Ranges = HashMap<String, Vec<Range<usize>>>;

/// Owners of the bytes of files; each version is parsed once, for it may have thousands.
pub(super) struct Owners<'t> {
    topics: &'t Topics,
    /// By the address and length of the bytes, which outlive this.
    known: RefCell<HashMap<(usize, usize), Rc<Ranges>>>,
}

impl<'t> Owners<'t> {
    pub(super) fn new(topics: &'t Topics) -> Self {
        let known = RefCell::default();
        Self { topics, known }
    }

    /// The owned bytes of a file: spans of its memories, in an index the entries of listed ones.
    fn owned(&self, (store, path): (&dyn Store, &Path), bytes: &[u8]) -> Vec<Owned> {
        let memories = store.parse(path, bytes, Stamp::default());
        let mut indexes = memories.iter();
        let index = indexes.find_map(|one| Some((one, one.index_table()?)));
        let Some((one, table)) = index else {
            let own = memories.iter().map(|memory| Owned {
                range: memory.span.clone(),
                owner: memory.id.local.to_string(),
            });
            return own.collect();
        };
        let folder = path.parent().unwrap_or(path);
        let lines = index::entries(bytes, one.body.start, table).into_iter();
        let own = lines.filter_map(|line| {
            let owner = self.topics.get(&markdown::joined(folder, &line.target))?;
            let (range, owner) = (line.own, owner.clone());
            Some(Owned { range, owner })
        });
        own.collect()
    }

    fn ranges(&self, file: (&dyn Store, &Path), bytes: &[u8]) -> Rc<Ranges> {
        let key = (bytes.as_ptr().addr(), bytes.len());
        if let Some(known) = self.known.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut ranges = Ranges::new();
        for one in self.owned(file, bytes) {
            ranges.entry(one.owner).or_default().push(one.range);
        }
        let ranges = Rc::new(ranges);
        self.known.borrow_mut().insert(key, Rc::clone(&ranges));
        ranges
    }

    /// The old version with the parts of some owners from the new; with `frame` unowned bytes too.
    pub(super) fn mixed(
        &self,
        file: (&dyn Store, &Path),
        [old, new]: [&[u8]; 2],
        taken: &HashSet<&str>,
        frame: bool,
    ) -> Vec<u8> {
        let [of_old, of_new] = [old, new].map(|bytes| self.owned(file, bytes));
        let version = |bytes, owned| Version { bytes, owned };
        segments::compose(version(old, &of_old), version(new, &of_new), taken, frame)
    }

    fn bytes(&self, parts: &Parts<'_>, version: Option<&[u8]>) -> Option<Vec<u8>> {
        let bytes = version?;
        if parts.frame {
            return Some(self.mixed(parts.file(), [b"", bytes], &HashSet::new(), true));
        }
        let all = self.ranges(parts.file(), bytes);
        let own = parts.names.iter().filter_map(|name| all.get(name));
        let own = own.flatten().filter_map(|range| bytes.get(range.clone()));
        let own: Vec<&[u8]> = own.collect();
        (!own.is_empty()).then(|| own.join(&b'\n'))
    }

    /// The old version of a file with some parts of the new one; none if the file goes.
    fn composed(&self, parts: &Parts<'_>, [old, new]: [Option<&[u8]>; 2]) -> Option<Vec<u8>> {
        let file = parts.file();
        let both = [old, new].map(Option::unwrap_or_default);
        let taken: HashSet<&str> = parts.names.iter().map(String::as_str).collect();
        // An index is a memory itself: bytes that no listed memory owns are its own.
        let parsed = both.map(|bytes| parts.store.parse(parts.path, bytes, Stamp::default()));
        let mut memories = parsed.iter().flatten();
        let lists = memories.any(|memory| memory.index_table().is_some());
        let ranges = both.map(|bytes| self.ranges(file, bytes));
        let mut all = ranges.iter().flat_map(|one| one.keys()).peekable();
        if !lists && all.peek().is_some() && all.all(|one| taken.contains(&**one)) {
            return new.map(<[u8]>::to_vec);
        }
        let bytes = self.mixed(file, both, &taken, parts.frame);
        let goes = !lists
            && (new.is_none() || old.is_none() && bytes.is_empty())
            && self.owned(file, &bytes).is_empty();
        (!goes).then_some(bytes)
    }

    /// Extent of staging: an entry's bytes in the index against the last commit and the work tree.
    pub(super) fn stage(&self, files: &[Parts<'_>]) -> Stage {
        let (mut differs, mut waits) = (false, false);
        for parts in files {
            let all = parts.versions;
            let [head, index, work] = [&all.head, &all.index, &all.work].map(|version| {
                let version = version.as_deref();
                (self.bytes(parts, version), parts.kinds(version))
            });
            differs |= index != head;
            waits |= index != work;
        }
        match (differs, waits) {
            (true, false) => Stage::Yes,
            (true, true) => Stage::Partly,
            (false, _) => Stage::No,
        }
    }

    /// Gives an entry its part of an index with others' lines, and its parts of other files.
    pub fn show(&self, entry: &mut Entry, files: &[Parts<'_>], name: &dyn Fn(&Path) -> String) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        // Refused files have no content here to compare.
        for parts in files.iter().filter(|one| one.versions.refused.is_none()) {
            let both = [&parts.versions.base, &parts.versions.work].map(Option::as_deref);
            let mut sides = [&entry.before, &entry.after].into_iter().flatten();
            if parts.frame && entry.kind == Kind::Modified {
                if let [Some(old), Some(new)] = both {
                    let new = self.mixed(parts.file(), [old, new], &HashSet::new(), true);
                    entry.own = Some((text(old).into(), text(&new).into()));
                }
            } else if sides.all(|side| *side.memory.path != *parts.path) {
                let bytes = both.map(|version| self.bytes(parts, version).unwrap_or_default());
                let [old, new] = bytes.map(|bytes| text(&bytes));
                if old != new {
                    let path = name(parts.path);
                    entry.others.push(Other { path, old, new });
                }
            }
        }
    }
}

impl Review<'_> {
    pub(super) fn parts<'r>(
        &'r self,
        owners: &Owners<'_>,
        store: &'r dyn Store,
        entry: &Entry,
    ) -> Vec<Parts<'r>> {
        let mut wanted: BTreeMap<PathBuf, (BTreeSet<String>, bool)> = BTreeMap::new();
        let listing = store.schema().can.index.map(|table| {
            let store = &store.info().path;
            let folder = store.parent().filter(|_| !store.is_dir());
            folder.unwrap_or(store).join(&table.file)
        });
        for side in entry.sides() {
            let (memory, path) = (&side.memory, side.memory.path.to_path_buf());
            if let Some(index) = listing.as_ref().filter(|index| **index != path) {
                let (names, _) = wanted.entry(index.clone()).or_default();
                names.insert(memory.id.local.to_string());
            }
            let (names, frame) = wanted.entry(path).or_default();
            names.insert(memory.id.local.to_string());
            names.extend(entry.shifted.iter().map(ToString::to_string));
            *frame |= memory.index_table().is_some();
        }
        let parts = |(path, (names, frame)): (PathBuf, (BTreeSet<String>, bool))| {
            let (path, versions) = self.files.get_key_value(&path)?;
            let parts = Parts {
                store,
                path,
                versions,
                names,
                frame,
            };
            let all = [&versions.base, &versions.index, &versions.work];
            let is_there = |one: &Option<Vec<u8>>| owners.bytes(&parts, one.as_deref()).is_some();
            // A file in no version of which it owns anything is none of its.
            let is_own = frame || versions.refused.is_some() || all.into_iter().any(is_there);
            is_own.then_some(parts)
        };
        wanted.into_iter().filter_map(parts).collect()
    }

    /// The parts of files that some entries own, a file once; proposals have none.
    pub(super) fn taken(&self, entries: &[&Entry]) -> Result<Vec<Parts<'_>>> {
        let owners = Owners::new(&self.topics);
        let mut all: BTreeMap<&Path, Parts<'_>> = BTreeMap::new();
        for entry in entries {
            if matches!(entry.against, Against::Proposal(_)) {
                continue;
            }
            let store = self.collection.store(&entry.id.store)?;
            for mut parts in self.parts(&owners, store, entry) {
                if let Some(known) = all.get_mut(parts.path) {
                    known.names.append(&mut parts.names);
                    known.frame |= parts.frame;
                } else {
                    all.insert(parts.path, parts);
                }
            }
        }
        Ok(all.into_values().collect())
    }

    /// The old version of a file with the new parts, refused unless they stand in it as wanted.
    pub(super) fn composed(
        &self,
        parts: &Parts<'_>,
        old: Option<&[u8]>,
        new: Option<&[u8]>,
    ) -> Result<Option<Vec<u8>>> {
        let owners = Owners::new(&self.topics);
        let result = owners.composed(parts, [old, new]);
        let is_as_wanted = || owners.bytes(parts, new) == owners.bytes(parts, result.as_deref());
        if parts.frame || is_as_wanted() {
            return Ok(result);
        }
        let file = match &parts.versions.reviewed {
            Reviewed::Index { file, .. } => file.display(),
            Reviewed::Copy(_) => parts.path.display(),
        };
        let why = format!("{file} cannot be taken apart; stage it with `git add`");
        refuse(why)
    }
}

impl<'r> Parts<'r> {
    /// Types of its memories: a heading above an entry may say it, and its bytes do not.
    fn kinds(&self, version: Option<&[u8]>) -> Vec<String> {
        let memories = version.map(|bytes| self.store.parse(self.path, bytes, Stamp::default()));
        let memories = memories.into_iter().flatten();
        let own = memories.filter(|one| self.names.contains(&*one.id.local));
        own.filter_map(|one| Some(one.role(Role::Type)?.to_string()))
            .collect()
    }

    const fn file(&self) -> (&'r dyn Store, &'r Path) {
        (self.store, self.path)
    }
}

/// The change of the index from `before`, with the bytes `old`, to this content; none if equal.
pub(super) fn stage_change(
    (root, file, path): (&Path, &Path, &Path),
    (before, old): (Option<Staged>, Option<&[u8]>),
    new: Option<Vec<u8>>,
) -> Result<Option<FileChange>> {
    if old == new.as_deref() {
        return Ok(None);
    }
    let there = root.join(file);
    if there.is_symlink() {
        let shown = file.display();
        let why = format!("{shown} is a symbolic link; stage it with `git add`");
        return refuse(why);
    }
    let after = new.as_ref().map(|bytes| Staged {
        mode: match &before {
            Some(staged) => staged.mode.clone(),
            None => files::mode_in_git(&there).to_owned(),
        },
        id: staging::blob_id(bytes, staging::has_long_ids(root)),
    });
    Ok(Some(FileChange::Stage(Staging {
        root: root.to_owned(),
        file: file.to_owned(),
        path: path.to_owned(),
        before,
        after,
        content: new.unwrap_or_default(),
    })))
}

pub(super) fn write(path: &Path, result: Option<Vec<u8>>, overlay: &mut Overlay) -> Result {
    match result {
        Some(bytes) => overlay.write(path, bytes),
        None if overlay.exists(path) => overlay.remove(path, None),
        None => Ok(()),
    }
}

/// The versions of changed files; an unreadable one has its reason in [`Versions::refused`].
pub(super) fn versions(
    (disk, root): (&Disk, &Path),
    (base, head): (&Revision, &Revision),
    index: &Index,
    changed: &[PathBuf],
) -> Result<HashMap<PathBuf, Versions>> {
    let in_base = base.contents(changed)?;
    let in_head = match head == base {
        true => in_base.clone(),
        false => head.contents(changed)?,
    };
    let staged = |file: &PathBuf| index.files.get(file).cloned();
    let known = changed.iter();
    let known = known.filter_map(|file| Some((file, staged(file)?.id)));
    let (known, ids): (Vec<&PathBuf>, Vec<_>) = known.unzip();
    let blobs = staging::blobs(root, &ids.iter().map(|id| &**id).collect::<Vec<_>>())?;
    let in_index: HashMap<&PathBuf, Vec<u8>> = known.into_iter().zip(blobs).collect();
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
        let (work, refused) = match work.remove(file).transpose() {
            Ok(bytes) => (bytes, None),
            Err(why) => (None, Some(why)),
        };
        let versions = Versions {
            reviewed: Reviewed::Index {
                root: root.to_owned(),
                file: file.clone(),
                staged: staged(file),
            },
            base: in_base.get(file).cloned(),
            head: in_head.get(file).cloned(),
            index: in_index.get(file).cloned(),
            work,
            refused,
        };
        (file.clone(), versions)
    };
    Ok(changed.iter().map(one).collect())
}
