//! Versions of files with what some memories have in another version: what is staged, and what
//! comes back.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::place::Place;
use super::spots::{Owners, Spot, Topics, Versions, is_index, owned, topics};
use super::{Review, store_named};
use crate::curate::review::{Against, Entry};
use crate::curate::segments::{self, Version};
use crate::curate::{FileChange, Staged};
use crate::memory::StoreId;
use crate::project::staging;
use crate::store::{Overlay, Store, StoreError, files};

/// Parts taken of one file, for all entries of a plan.
struct Taken<'r, 's> {
    store: &'s dyn Store,
    spot: Spot<'r>,
    owners: HashSet<String>,
    frame: bool,
}

/// The files of some entries, by path.
type Files<'r, 's> = BTreeMap<PathBuf, Taken<'r, 's>>;

/// Bytes of an older version of a file, as a version of now takes them.
pub(super) enum Content {
    /// These.
    Bytes(Vec<u8>),
    /// The file goes.
    Gone,
}

impl Review<'_> {
    /// The files of entries that a commit is the base of.
    fn files(&self, entries: &[&Entry]) -> Result<(Files<'_, '_>, Topics), StoreError> {
        let topics = topics(&self.entries);
        let mut owners: HashMap<&StoreId, Owners<'_>> = HashMap::new();
        let mut files = Files::new();
        for entry in entries
            .iter()
            .filter(|entry| entry.against == Against::Commit)
        {
            let store = store_named(self.collection, &entry.id.store)?;
            let owners = owners
                .entry(&entry.id.store)
                .or_insert_with(|| Owners::new(store, &topics));
            for repository in &self.repositories {
                let Some(place) = Place::new(store.info(), &repository.base.root) else {
                    continue;
                };
                for spot in self.spots_in(repository, &place, owners, entry) {
                    let owner = spot.owner.clone();
                    let frame = spot.frame;
                    let file = files.entry(spot.path.clone()).or_insert_with(|| Taken {
                        store,
                        spot,
                        owners: HashSet::new(),
                        frame: false,
                    });
                    file.owners.insert(owner);
                    file.frame |= frame;
                }
            }
        }
        Ok((files, topics))
    }

    /// Changes of the index that stage entries. `written`: files as they will be in the work tree.
    pub(super) fn staged(
        &self,
        entries: &[&Entry],
        written: &HashMap<PathBuf, Vec<u8>>,
    ) -> Result<Vec<FileChange>, StoreError> {
        self.in_index(entries, |path, all| {
            let written = written.get(path).or(all.work.as_ref());
            (all.index.as_deref(), written.map(Vec::as_slice))
        })
    }

    /// Changes of the index that take back what is staged of entries.
    pub(super) fn unstaged(&self, entries: &[&Entry]) -> Result<Vec<FileChange>, StoreError> {
        // With HEAD as the base there is no other head.
        let has_head = self.repositories.iter().any(|one| one.head.is_some());
        self.in_index(entries, |_, all| {
            let head = if has_head { &all.head } else { &all.base };
            (all.index.as_deref(), head.as_deref())
        })
    }

    /// Changes of the index that take entries from one version of their files to another.
    fn in_index<'v>(
        &'v self,
        entries: &[&Entry],
        versions: impl Fn(&Path, &'v Versions) -> (Option<&'v [u8]>, Option<&'v [u8]>),
    ) -> Result<Vec<FileChange>, StoreError> {
        let (files, topics) = self.files(entries)?;
        let mut changes = Vec::new();
        for file in files.into_values() {
            let spot = &file.spot;
            let root = &spot.repository.base.root;
            if let Some(why) = &spot.versions.refused {
                return Err(StoreError::Refused(why.clone()));
            }
            let (old, new) = versions(&spot.path, spot.versions);
            let result = file.compose(old, new, &topics)?;
            let staged = spot.versions.staged.clone();
            let place = (&*spot.file, &*spot.path);
            changes.extend(stage_change(root, place, (staged, old), result)?);
        }
        Ok(changes)
    }

    /// Has the working files hold what the base has of entries.
    pub(super) fn bring_back(
        &self,
        entries: &[&Entry],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let (files, topics) = self.files(entries)?;
        for file in files.values() {
            let base = file.spot.versions.base.as_deref();
            put_back(file, base, &topics, overlay)?;
        }
        let own = entries
            .iter()
            .filter(|entry| entry.against == Against::LastReview);
        for entry in own {
            let store = store_named(self.collection, &entry.id.store)?;
            self.take_over(store, entry, Onto::Store, overlay)?;
        }
        Ok(())
    }

    /// Has the files of a store that no repository holds, or their copies, hold what the others
    /// have of an entry.
    pub(super) fn take_over(
        &self,
        store: &dyn Store,
        entry: &Entry,
        onto: Onto,
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let sides = [&entry.before, &entry.after].into_iter().flatten();
        let topics = topics(std::slice::from_ref(entry));
        for side in sides {
            let path = &*side.memory.path;
            let Some(copy) = self.copy_of(store.info(), path) else {
                continue;
            };
            let (from, to) = match onto {
                Onto::Copy => (path, &*copy),
                Onto::Store => (&*copy, path),
            };
            let new = self.collection.journals.disk.bytes(from)?;
            let old = overlay.current(to)?.map(<[u8]>::to_vec);
            let shifted = entry.shifted.iter().map(|name| name.to_string());
            let owners = shifted.chain([side.memory.id.local.to_string()]).collect();
            let frame = side.memory.index_table().is_some();
            let versions = (old.as_deref(), new.as_deref());
            let result = compose(store, path, versions, (&owners, frame), &topics);
            write(to, result, overlay)?;
        }
        Ok(())
    }
}

/// Which side of a review outside of git takes an entry over from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Onto {
    /// The copy of the store: the entry is kept.
    Copy,
    /// The store: the entry is rejected.
    Store,
}

impl Taken<'_, '_> {
    /// The old version of the file with what is taken of the new one. The requested parts must
    /// stand in it as in the new one.
    fn compose(
        &self,
        old: Option<&[u8]>,
        new: Option<&[u8]>,
        topics: &Topics,
    ) -> Result<Content, StoreError> {
        let spot = &self.spot;
        let taken = (&self.owners, self.frame);
        let result = compose(self.store, &spot.path, (old, new), taken, topics);
        let made = match &result {
            Content::Bytes(bytes) => Some(bytes.as_slice()),
            Content::Gone => None,
        };
        let owners = Owners::new(self.store, topics);
        let is_as_wanted = |owner: &String| {
            let one = Spot {
                owner: owner.clone(),
                frame: false,
                file: PathBuf::new(),
                path: spot.path.clone(),
                ..*spot
            };
            let [wanted, made] = [new, made].map(|bytes| one.part(&owners, bytes));
            wanted == made
        };
        match self.frame || self.owners.iter().all(is_as_wanted) {
            true => Ok(result),
            false => Err(StoreError::Refused(format!(
                "{} cannot be taken apart; stage it with `git add`",
                spot.file.display()
            ))),
        }
    }
}

/// A version of a file with what some memories have in another one.
pub(super) fn compose(
    store: &dyn Store,
    path: &Path,
    (old, new): (Option<&[u8]>, Option<&[u8]>),
    (owners, frame): (&HashSet<String>, bool),
    topics: &Topics,
) -> Content {
    let (before, after) = (old.unwrap_or_default(), new.unwrap_or_default());
    let (of_old, of_new) = (
        owned(store, path, before, topics),
        owned(store, path, after, topics),
    );
    let version = |bytes, owned| Version { bytes, owned };
    let taken: HashSet<&str> = owners.iter().map(String::as_str).collect();
    // An index is a memory itself: what none of the listed memories owns is its own.
    let lists = is_index(store, path, before) || is_index(store, path, after);
    let mut all = of_old.iter().chain(&of_new).peekable();
    if !lists && all.peek().is_some() && all.all(|one| taken.contains(&*one.owner)) {
        return new.map_or(Content::Gone, |bytes| Content::Bytes(bytes.to_vec()));
    }
    let bytes = segments::compose(
        version(before, &of_old),
        version(after, &of_new),
        &taken,
        frame,
    );
    let is_left = owned(store, path, &bytes, topics).is_empty() && (new.is_none() || old.is_none());
    match is_left && !lists {
        true if new.is_none() || bytes.is_empty() => Content::Gone,
        _ => Content::Bytes(bytes),
    }
}

/// The change of the index from what was read of it, `before` with the bytes `old`, to this
/// content of a file; `None` if it holds that already.
pub(super) fn stage_change(
    root: &Path,
    (file, path): (&Path, &Path),
    (before, old): (Option<Staged>, Option<&[u8]>),
    result: Content,
) -> Result<Option<FileChange>, StoreError> {
    let unchanged = match &result {
        Content::Bytes(bytes) => old == Some(bytes),
        Content::Gone => old.is_none(),
    };
    if unchanged {
        return Ok(None);
    }
    let there = root.join(file);
    if there.is_symlink() {
        let shown = file.display();
        let why = format!("{shown} is a symbolic link; stage it with `git add`");
        return Err(StoreError::Refused(why));
    }
    let (after, content) = match result {
        Content::Gone => (None, Vec::new()),
        Content::Bytes(bytes) => {
            let mode = before.as_ref().map(|staged| staged.mode.clone());
            let id = staging::blob_id(&bytes, staging::has_long_ids(root));
            let mode = mode.unwrap_or_else(|| mode_of(&there).to_owned());
            (Some(Staged { mode, id }), bytes)
        }
    };
    Ok(Some(FileChange::Stage {
        root: root.to_owned(),
        file: file.to_owned(),
        path: path.to_owned(),
        before,
        after,
        content,
    }))
}

/// Has a working file hold what the base has of some memories, with the line ends it has now.
fn put_back(
    file: &Taken<'_, '_>,
    base: Option<&[u8]>,
    topics: &Topics,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let path = &file.spot.path;
    let now = overlay.current(path)?.map(<[u8]>::to_vec);
    let has_returns = |bytes: &[u8]| bytes.windows(2).any(|pair| pair == b"\r\n");
    let base = base.map(|base| match &now {
        Some(now) if has_returns(now) && !has_returns(base) => {
            let lines = base.split(|byte| *byte == b'\n');
            lines.collect::<Vec<_>>().join(&b"\r\n"[..])
        }
        _ => base.to_vec(),
    });
    let result = file.compose(now.as_deref(), base.as_deref(), topics)?;
    write(path, result, overlay)
}

pub(super) fn write(path: &Path, result: Content, overlay: &mut Overlay) -> Result<(), StoreError> {
    match result {
        Content::Bytes(bytes) => overlay.write(path, bytes),
        Content::Gone if overlay.exists(path) => overlay.remove(path, None),
        Content::Gone => Ok(()),
    }
}

/// The mode that git gives a new file.
fn mode_of(path: &Path) -> &'static str {
    let mode = std::fs::metadata(path).ok().as_ref().and_then(files::mode);
    match mode.is_some_and(|mode| mode & 0o100 != 0) {
        true => "100755",
        false => "100644",
    }
}
