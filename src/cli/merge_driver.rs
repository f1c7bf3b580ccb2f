//! `memkeep merge-driver`: git's three versions of a file of memories, merged memory by memory.
//!
//! A file that git merges by lines without a conflict stays as git has it, unless a memory got lost
//! or twice. Other files are merged by memory, and a memory that both sides changed by lines: its
//! conflicts have git's own markers, and the exit code is 1. A failure leaves git's file alone and
//! ends with a code above 128, which git takes for no merge at all.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::Error;
use super::{Output, exit};
use crate::curate::threeway::{self, Merged, Split};
use crate::memory::{Memory, Stamp};
use crate::project::git;
use crate::store::{Store, files};
use crate::workspace::Workspace;

/// Arguments of `merge-driver`, as git fills them in: `%O %A %B %P`.
#[derive(Debug, clap::Args)]
pub struct MergeDriver {
    /// The version that both sides began with
    pub base: PathBuf,
    /// Our version; the result is written here
    pub ours: PathBuf,
    /// Their version
    pub theirs: PathBuf,
    /// The file in the repository
    pub path: PathBuf,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &MergeDriver, _: &mut Output) -> Result<u8, Error> {
    let read = |path: &Path| {
        let path = ws.start.join(path);
        files::read(&path)
            .map(|(bytes, _)| bytes)
            .map_err(Error::from)
    };
    let [base, ours, theirs] = [&args.base, &args.ours, &args.theirs].map(|path| read(path));
    let texts = [base?, ours?, theirs?];
    let paths = [&args.ours, &args.base, &args.theirs].map(|path| ws.start.join(path));
    let lines = git::merge_file(&ws.start, &paths.each_ref().map(PathBuf::as_path));
    let root = git::tree(&ws.start).unwrap_or(&ws.collection.root);
    let path = root.join(&args.path);
    let store = ws.collection.stores.iter().find(|store| {
        let info = store.info();
        [&info.path, &info.archive]
            .iter()
            .any(|own| path.starts_with(own))
    });
    let merged = match store {
        Some(store) => by_memory(&**store, &path, texts.each_ref().map(Vec::as_slice), lines),
        None => lines,
    };
    let merged = merged.unwrap_or_else(|| Merged::conflict(&texts[1], &texts[2]));
    let to = ws.start.join(&args.ours);
    replace(&to, &merged.text)
        .map_err(|error| Error::wrong(format!("{} cannot be written: {error}", to.display())))?;
    Ok(if merged.conflicts == 0 {
        exit::DONE
    } else {
        exit::NOTHING
    })
}

/// Replaces git's file in one step, so that a failure leaves it as it was.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(path))?;
    file.write_all(text)?;
    file.as_file()
        .set_permissions(path.metadata()?.permissions())?;
    file.persist(path)?;
    Ok(())
}

/// A version of a file with its memories. An index has none: its entries are lines.
struct Side<'a> {
    bytes: &'a [u8],
    memories: Vec<Arc<Memory>>,
}

impl<'a> Side<'a> {
    fn new(store: &dyn Store, path: &Path, bytes: &'a [u8]) -> Self {
        let is_blank = bytes.trim_ascii().is_empty();
        let mut memories = if is_blank {
            Vec::new()
        } else {
            store.parse(path, bytes, Stamp::default())
        };
        memories.retain(|memory| memory.index_table().is_none());
        Self { bytes, memories }
    }

    fn split(&self) -> Split<'a> {
        Split::new(self.bytes, &self.memories)
    }

    /// Number of times each memory is there, by its name and its bytes without blank lines around.
    fn texts(&self) -> HashMap<(Box<str>, Vec<u8>), usize> {
        let mut all = HashMap::new();
        let split = self.split();
        for one in split.segments.iter().filter(|one| one.is_memory) {
            *all.entry((one.key.clone(), one.text.to_vec())).or_default() += 1;
        }
        all
    }

    fn keys(&self) -> Vec<Box<str>> {
        let split = self.split();
        split
            .segments
            .into_iter()
            .filter(|one| one.is_memory)
            .map(|one| one.key)
            .collect()
    }
}

/// Merges by memory; `lines` is what git makes of it. None where the result would not hold what it
/// has to.
fn by_memory(
    store: &dyn Store,
    path: &Path,
    texts: [&[u8]; 3],
    lines: Option<Merged>,
) -> Option<Merged> {
    let [base, ours, theirs] = texts.map(|bytes| Side::new(store, path, bytes));
    let holds = |merged: &Merged| {
        let result = Side::new(store, path, &merged.text);
        merged.conflicts > 0 || is_whole(&result, [&base, &ours, &theirs])
    };
    let clean = lines
        .as_ref()
        .filter(|merged| merged.conflicts == 0 && holds(merged));
    if clean.is_some() {
        return lines;
    }
    let merged = threeway::merge(&base.split(), &ours.split(), &theirs.split());
    Some(merged).filter(holds).or(lines)
}

/// True if a result has the memories that it has to, each once: what a side added is there byte
/// for byte, and what one took away and the other left is not.
fn is_whole(result: &Side<'_>, [base, ours, theirs]: [&Side<'_>; 3]) -> bool {
    let texts = result.texts();
    let known = base.keys();
    let added = |side: &Side<'_>| {
        let all = side.texts().into_keys();
        all.filter(|(key, _)| !known.contains(key))
            .all(|one| texts.contains_key(&one))
    };
    let (here, there) = (ours.keys(), theirs.keys());
    let mut wanted: Vec<Box<str>> = here.iter().chain(&there).cloned().collect();
    wanted.retain(|key| !known.contains(key) || (here.contains(key) && there.contains(key)));
    wanted.sort_unstable();
    wanted.dedup();
    let mut keys = result.keys();
    keys.sort_unstable();
    added(ours) && added(theirs) && keys == wanted
}
