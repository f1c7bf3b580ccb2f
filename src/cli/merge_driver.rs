//! `memkeep merge-driver`: git's three versions of a file of memories, merged memory by memory.
//!
//! A file that git merges by lines without a conflict stays as git has it, unless a memory got lost
//! or twice. Other files are merged by memory, and a memory that both sides changed by lines: its
//! conflicts have git's own markers, and the exit code is 1. A failure leaves git's file alone and
//! ends with a code above 128, which git takes for no merge at all.

use super::prelude::*;
use crate::curate::threeway::{self, Merged, Split};
use crate::memory::Stamp;
use crate::project::git;
use crate::store::files;

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

pub fn run(ws: &Workspace, args: &MergeDriver, _: &mut Output) -> Result<u8> {
    let paths = [&args.ours, &args.base, &args.theirs].map(|path| ws.start.join(path));
    let read = |path: &PathBuf| Ok::<_, Error>(files::read(path)?.0);
    let [ours, base, theirs] = &paths;
    let (base, ours, theirs) = (read(base)?, read(ours)?, read(theirs)?);
    let lines = git::merge_file(&ws.start, &paths.each_ref().map(PathBuf::as_path));
    let root = git::tree(&ws.start).unwrap_or(&ws.collection.root);
    let path = root.join(&args.path);
    let merged = match ws.collection.store_at(&path) {
        Some(store) => by_memory(store, &path, [&base, &ours, &theirs], lines),
        None => lines,
    };
    let merged = merged.unwrap_or_else(|| Merged::conflict(&ours, &theirs));
    let to = ws.start.join(&args.ours);
    // In one step: a failure leaves git's file as it was.
    files::replace(&to, &merged.text)
        .map_err(|error| Error::wrong(format!("{} cannot be written: {error}", to.display())))?;
    Ok(exit::found(merged.conflicts == 0))
}

/// A version of a file with its memories. An index has none: its entries are lines.
struct Side<'a> {
    bytes: &'a [u8],
    memories: Vec<Arc<Memory>>,
}

impl<'a> Side<'a> {
    fn new(store: &dyn Store, path: &Path, bytes: &'a [u8]) -> Self {
        let mut memories = Vec::new();
        if !bytes.trim_ascii().is_empty() {
            memories = store.parse(path, bytes, Stamp::default());
        }
        memories.retain(|memory| memory.index_table().is_none());
        Self { bytes, memories }
    }

    fn split(&self) -> Split<'a> {
        Split::new(self.bytes, &self.memories)
    }

    /// The memories by name, each with its bytes without blank lines around.
    fn texts(&self) -> impl Iterator<Item = (Box<str>, Vec<u8>)> {
        let segments = self.split().segments.into_iter();
        let own = segments.filter(|one| one.is_memory);
        own.map(|one| (one.key.clone(), one.text.to_vec()))
    }

    fn keys(&self) -> Vec<Box<str>> {
        self.texts().map(|(key, _)| key).sorted_unstable().collect()
    }
}

/// Merges by memory, or takes git's `lines`; none where the result would lack something.
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
    let is_clean = |lines: &Merged| lines.conflicts == 0 && holds(lines);
    if lines.as_ref().is_some_and(is_clean) {
        return lines;
    }
    let merged = threeway::merge(&base.split(), &ours.split(), &theirs.split());
    Some(merged).filter(holds).or(lines)
}

/// True if a result has the memories that it has to, each once: what a side added is there byte
/// for byte, and what one took away and the other left is not.
fn is_whole(result: &Side<'_>, [base, ours, theirs]: [&Side<'_>; 3]) -> bool {
    let texts: HashSet<(Box<str>, Vec<u8>)> = result.texts().collect();
    let known = base.keys();
    let added = ours.texts().chain(theirs.texts());
    let mut added = added.filter(|(key, _)| !known.contains(key));
    let (here, there) = (ours.keys(), theirs.keys());
    let mut wanted: Vec<Box<str>> = here.iter().chain(&there).cloned().collect();
    wanted.retain(|key| !known.contains(key) || (here.contains(key) && there.contains(key)));
    wanted.sort_unstable();
    wanted.dedup();
    added.all(|one| texts.contains(&one)) && result.keys() == wanted
}
