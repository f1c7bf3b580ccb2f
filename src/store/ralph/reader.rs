//! Reading Ralph's file: every entry that is written in it is a memory, whatever Ralph makes of
//! it.

mod entry;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{RalphStore, lock};
use crate::memory::{Memory, Stamp, State};
use crate::store::{Loaded, files};
use entry::FileFacts;
pub(in crate::store::ralph) use entry::is_blank;

/// A larger file is named, not read.
const LARGEST: u64 = 512 << 20;
/// Memories handed on at once.
const PIECE: usize = 4096;

/// Reads the store; see [`crate::store::Store::load`].
pub(super) fn load(
    store: &RalphStore,
    known: &[Arc<Memory>],
    emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool,
) -> Loaded {
    let mut loaded = Loaded::default();
    // One that writes may have emptied the file just now; what it holds for long is read as it
    // stands, and said.
    let guard = lock::shared(&store.info.path);
    if let Err(error) = &guard {
        let shown = format!("{error}; what is shown may be half written");
        loaded.problems.push(shown);
    }
    let mut files = [&store.info.archive, &store.info.path];
    files.sort_unstable_by_key(|path| path.as_os_str().as_encoded_bytes());
    for path in files {
        let of_file = known.iter().filter(|memory| *memory.path == **path);
        let of_file: Vec<Arc<Memory>> = of_file.cloned().collect();
        let from = loaded.memories.len();
        let read = read(store, path, of_file, &mut loaded.problems);
        loaded.memories.extend(read);
        let new = loaded.memories.get(from..).unwrap_or_default();
        if !new.chunks(PIECE).all(&mut *emit) {
            break;
        }
    }
    loaded
}

/// The memories of one file; `known` where it is as it was.
fn read(
    store: &RalphStore,
    path: &Path,
    known: Vec<Arc<Memory>>,
    problems: &mut Vec<String>,
) -> Vec<Arc<Memory>> {
    let facts = |stamp| facts_of(store, path, stamp);
    let failed = |stamp, message: String| vec![Arc::new(facts(stamp).unreadable(1, message))];
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) => {
            let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
            if error.kind() == std::io::ErrorKind::NotFound && !is_link {
                return Vec::new();
            }
            return failed(Stamp::default(), files::unreadable(path, &error));
        }
    };
    let stamp = files::stamp_of(&meta);
    if !known.is_empty() && known.iter().all(|memory| memory.stamp == stamp) {
        return known;
    }
    if meta.is_dir() {
        return failed(stamp, "a folder, not a file".to_owned());
    }
    if let Some(message) = files::too_large(&meta, LARGEST) {
        return failed(stamp, message);
    }
    match files::read(path) {
        Ok((bytes, meta)) => {
            let memories = parse(store, path, &bytes, files::stamp_of(&meta));
            if memories.is_empty() && !entry::is_blank(&bytes) {
                let shown = path.display();
                problems.push(format!("{shown} has text, and no entry that Ralph reads"));
            }
            memories
        }
        Err(error) => failed(stamp, error.to_string()),
    }
}

/// The memories of a file with these bytes.
pub(super) fn parse(
    store: &RalphStore,
    path: &Path,
    bytes: &[u8],
    stamp: Stamp,
) -> Vec<Arc<Memory>> {
    facts_of(store, path, stamp).memories(bytes)
}

fn facts_of<'a>(store: &'a RalphStore, path: &'a Path, stamp: Stamp) -> FileFacts<'a> {
    let archived = path == store.info.archive;
    FileFacts {
        store: &store.info.id,
        path: path.into(),
        state: if archived {
            State::Archived
        } else {
            State::Active
        },
        stamp,
    }
}
