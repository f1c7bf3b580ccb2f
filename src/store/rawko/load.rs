//! Reading a folder of rawko memories: every file gives its memories, whatever is wrong with it.

mod facts;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::RawkoStore;
use crate::memory::{Memory, Stamp, State};
use crate::store::files::{self, Folder};
use crate::store::{Loaded, Store as _};
use facts::FileFacts;

/// Files read before the first rows are handed on, and in each later piece.
const FIRST_PIECE: usize = 128;
const PIECE: usize = 4096;
/// Files that one thread reads in a row.
const TOGETHER: usize = 32;
/// A larger file is listed, not read.
const LARGEST: u64 = 512 << 20;
/// Folders below folders: no real store nests deeper.
const DEEPEST: usize = 16;

/// Reads the store; see [`crate::store::Store::load`].
pub(super) fn load(
    store: &RawkoStore,
    known: &[Arc<Memory>],
    emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool,
) -> Loaded {
    let mut loaded = Loaded::default();
    let mut found = Vec::new();
    list(&store.info().path, 0, &mut found, &mut loaded.problems);
    found.par_sort_unstable_by(|a, b| a.bytes().cmp(b.bytes()));
    let known = by_path(known);
    let folder = Folder::open(&store.info().path);
    let reader = || Reader::new(store, &folder, &known);
    let mut rest = found.as_slice();
    let mut size = FIRST_PIECE;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(size.min(rest.len()));
        let read: Vec<Vec<Arc<Memory>>> = piece
            .par_chunks(TOGETHER)
            .map_init(reader, |reader, files| {
                let mut memories = Vec::with_capacity(files.len());
                files
                    .iter()
                    .for_each(|file| reader.read(file, &mut memories));
                memories
            })
            .collect();
        let from = loaded.memories.len();
        loaded.memories.extend(read.into_iter().flatten());
        if !emit(loaded.memories.get(from..).unwrap_or_default()) {
            break;
        }
        (rest, size) = (later, PIECE);
    }
    loaded
}

/// The runs of known memories that stand in one file.
fn by_path(known: &[Arc<Memory>]) -> HashMap<&Path, &[Arc<Memory>]> {
    known
        .chunk_by(|a, b| a.path == b.path)
        .filter_map(|run| run.first().map(|memory| (&*memory.path, run)))
        .collect()
}

/// What is named like a memory.
struct Found {
    path: PathBuf,
    /// A regular file, as far as the folder says.
    is_file: bool,
    /// In a folder below the store.
    nested: bool,
}

impl Found {
    fn bytes(&self) -> &[u8] {
        self.path.as_os_str().as_encoded_bytes()
    }
}

/// Everything that is named like a memory, below folders too.
fn list(folder: &Path, depth: usize, found: &mut Vec<Found>, problems: &mut Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => {
            problems.push(format!("{}: {error}", folder.display()));
            return;
        }
    };
    for entry in entries.flatten() {
        let kind = entry.file_type();
        let path = entry.path();
        if path.as_os_str().as_encoded_bytes().ends_with(b".md") {
            let is_file = kind.is_ok_and(|kind| kind.is_file());
            found.push(Found {
                path,
                is_file,
                nested: depth > 0,
            });
        } else if kind.is_ok_and(|kind| kind.is_dir())
            && depth < DEEPEST
            && !entry.file_name().as_encoded_bytes().starts_with(b".")
        {
            list(&path, depth + 1, found, problems);
        }
    }
}

/// Reads files of one store, over and over with the same memory.
struct Reader<'a> {
    store: &'a RawkoStore,
    folder: &'a Folder,
    known: &'a HashMap<&'a Path, &'a [Arc<Memory>]>,
    bytes: Vec<u8>,
}

impl<'a> Reader<'a> {
    const fn new(
        store: &'a RawkoStore,
        folder: &'a Folder,
        known: &'a HashMap<&'a Path, &'a [Arc<Memory>]>,
    ) -> Self {
        Self {
            store,
            folder,
            known,
            bytes: Vec::new(),
        }
    }

    /// Adds the memories of one file; never none.
    fn read(&mut self, found: &Found, to: &mut Vec<Arc<Memory>>) {
        let known = self
            .known
            .get(found.path.as_path())
            .copied()
            .unwrap_or_default();
        // A file that may be known is asked for its state before it is opened.
        let plain = known.is_empty() && found.is_file;
        let stamp = plain
            .then(|| self.folder.read(&found.path, LARGEST, &mut self.bytes))
            .flatten();
        let (stamp, is_link) = match stamp {
            Some(stamp) => (stamp, false),
            None => match self.read_carefully(&found.path, known) {
                Ok(Some(read)) => read,
                Ok(None) => return to.extend(known.iter().cloned()),
                Err((stamp, message)) => {
                    let local = self.store.local(&found.path);
                    let facts = self.facts(found, &local, stamp, Some("it cannot be read"));
                    return to.push(Arc::new(facts.unreadable(message)));
                }
            },
        };
        let skipped = match (found.nested, is_link) {
            (true, _) => {
                Some("it stands in a folder below the store, where the loader does not look")
            }
            (_, true) => Some("it is a symbolic link, which the loader skips"),
            _ => None,
        };
        let local = self.store.local(&found.path);
        let facts = self.facts(found, &local, stamp, skipped);
        to.extend(facts.memories(&self.bytes).map(Arc::new));
    }

    fn facts<'f>(
        &'f self,
        found: &Found,
        local: &'f str,
        stamp: Stamp,
        skipped: Option<&'static str>,
    ) -> FileFacts<'f> {
        let info = self.store.info();
        // The archive is a folder below the store, so that most files need not be asked.
        let archived = (found.nested || !info.archive.starts_with(&info.path))
            && found.path.starts_with(&info.archive);
        let state = if archived {
            State::Archived
        } else {
            State::Active
        };
        FileFacts {
            store: &info.id,
            path: found.path.as_path().into(),
            local,
            state,
            stamp,
            skipped,
        }
    }

    /// Reads what may be anything: its state and whether it is a link, nothing where it is as it
    /// is known, or why it cannot be read.
    fn read_carefully(
        &mut self,
        path: &Path,
        known: &[Arc<Memory>],
    ) -> Result<Option<(Stamp, bool)>, (Stamp, String)> {
        let failed = |stamp, message: String| Err((stamp, message));
        let link = fs::symlink_metadata(path);
        let is_link = link.as_ref().is_ok_and(|meta| meta.is_symlink());
        let meta = match if is_link { fs::metadata(path) } else { link } {
            Ok(meta) => meta,
            Err(error) if is_link => {
                let to = fs::read_link(path).unwrap_or_default();
                let message = format!(
                    "a symbolic link to {}, which cannot be read: {error}",
                    to.display()
                );
                return failed(Stamp::default(), message);
            }
            Err(error) => return failed(Stamp::default(), error.to_string()),
        };
        let stamp = files::stamp_of(&meta);
        if known.first().is_some_and(|memory| memory.stamp == stamp) {
            return Ok(None);
        }
        if meta.is_dir() {
            return failed(stamp, "a folder, not a file".to_owned());
        }
        if meta.len() > LARGEST {
            return failed(stamp, format!("too large to read: {} MB", meta.len() >> 20));
        }
        match files::read(path) {
            Ok((bytes, meta)) => {
                self.bytes = bytes;
                Ok(Some((files::stamp_of(&meta), is_link)))
            }
            Err(error) => failed(stamp, error.to_string()),
        }
    }
}
