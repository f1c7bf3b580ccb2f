//! Stores outside of every repository, or ignored by it: compared with copies of their files that
//! the last review left.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Review;
use super::files::{Reviewed, Versions};
use super::sides::Place;
use crate::curate::Digest;
use crate::curate::differences::{Against, Entry, Kind};
use crate::memory::Memory;
use crate::store::collection::{Collection, root_hash};
use crate::store::{At as _, Overlay, Result, Store, StoreInfo};

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

/// The copy of a store.
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
        self.notes.extend((count > 0).then(|| {
            format!(
                "{id}: not in git; its {count} {noun} count as reviewed, changes from now on are listed"
            )
        }));
        Ok(())
    }

    /// The copy of a file of a store.
    pub(super) fn copy_of(&self, info: &StoreInfo, path: &Path) -> Option<PathBuf> {
        let file = place(info).below_root(path)?;
        Some(folder(self.collection, info).join(file))
    }

    /// Remembers that a row of a database is kept, whose copy is not written to.
    pub(super) fn remember_row(
        &self,
        info: &StoreInfo,
        entry: &Entry,
        overlay: &mut Overlay,
    ) -> Result {
        let path = folder(self.collection, info).join(KEPT);
        let mut bytes = overlay.read(&path, None)?.to_vec();
        let line = serde_json::to_vec(&kept(entry));
        bytes.extend(line.at(&path)?);
        bytes.push(b'\n');
        overlay.write(&path, bytes)
    }
}

/// Copies files of a store to a folder that takes the place of an earlier copy.
fn copy(place: &Place<'_>, paths: &BTreeSet<&Path>, folder: &Path) -> io::Result<()> {
    let new = folder.with_extension("new");
    let _ = fs::remove_dir_all(&new);
    for path in paths {
        let Some(file) = place.below_root(path) else {
            continue;
        };
        let to = new.join(file);
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::copy(path, &to)?;
        // Log of a database, with rows not yet in its file.
        let log = |path: &Path| {
            let parts = [path.as_os_str(), OsStr::new("-wal")];
            PathBuf::from(parts.join(OsStr::new("")))
        };
        if log(path).is_file() {
            fs::copy(log(path), log(&to))?;
        }
    }
    fs::create_dir_all(&new)?;
    fs::write(new.join(KEPT), "")?;
    let _ = fs::remove_dir_all(folder);
    fs::rename(&new, folder)
}
