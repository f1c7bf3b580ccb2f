//! Reading a folder of memories: every file gives its memories, whatever is wrong with it.

mod facts;
mod fields;
mod other;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use regex::RegexSet;

use super::{MarkdownStore, patterns};
use crate::memory::{Memory, Sight, Stamp, State};
use crate::retrieval::full_names;
use crate::store::files::{self, Folder};
use crate::store::{Loaded, Scope, Store as _, by_path};
use facts::FileFacts;
pub(super) use other::{unlisted, unread};

/// Files read before the first rows are handed on, and in each later piece.
const FIRST_PIECE: usize = 128;
const PIECE: usize = 4096;
/// Files that one thread reads in a row.
const TOGETHER: usize = 32;
/// Files that one thread reads while the rest is still listed.
const AHEAD: usize = 512;
/// A larger file is listed, not read.
const LARGEST: u64 = 512 << 20;
/// Folders below folders: no real store nests deeper.
const DEEPEST: usize = 16;
/// Maximum number of folders that are listed behind symbolic links.
const LINKED: usize = 1000;

/// Reads the store; see [`crate::store::Store::load`].
pub(super) fn load(
    store: &MarkdownStore,
    known: &[Arc<Memory>],
    emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool,
) -> Loaded {
    let mut loaded = Loaded::default();
    let known = by_path(known);
    let source = Source::new(store, &known);
    let mut found = read_ahead(&source, &mut loaded.problems);
    found.par_sort_unstable_by(|a, b| a.bytes().cmp(b.bytes()));
    let mut rest = found.as_mut_slice();
    let mut size = FIRST_PIECE;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at_mut(size.min(rest.len()));
        let read: Vec<Vec<Arc<Memory>>> = piece
            .par_chunks_mut(TOGETHER)
            .map_init(Vec::new, |bytes, files| {
                let mut memories = Vec::with_capacity(files.len());
                for file in files {
                    source.read(file, bytes);
                    memories.append(&mut file.memories);
                }
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

/// Lists the store, and reads what is listed as long as the listing takes, which is one thread's
/// work. The files not reached by then are read in the order of paths.
fn read_ahead(source: &Source<'_>, problems: &mut Vec<String>) -> Vec<Found> {
    let is_listed = AtomicBool::new(false);
    let all = Mutex::new(Vec::new());
    let keep = |found: Vec<Found>| {
        all.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(found)
    };
    rayon::in_place_scope(|scope| {
        let mut ready = |mut found: Vec<Found>| {
            let (is_listed, keep) = (&is_listed, &keep);
            scope.spawn(move |_| {
                let mut bytes = Vec::new();
                for file in &mut found {
                    if is_listed.load(Ordering::Relaxed) {
                        break;
                    }
                    source.read(file, &mut bytes);
                }
                keep(found);
            });
        };
        let mut found = Vec::with_capacity(AHEAD);
        source.list_all(&mut found, &mut ready, problems);
        is_listed.store(true, Ordering::Relaxed);
        keep(found);
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The memories of a file with these bytes; see [`crate::store::Store::parse`].
pub(super) fn parse(
    store: &MarkdownStore,
    path: &Path,
    bytes: &[u8],
    stamp: Stamp,
) -> Vec<Arc<Memory>> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    let nested = path.parent() != Some(&store.info().path);
    let found = Found {
        path: path.to_owned(),
        is_file: !is_link,
        nested,
        memories: Vec::new(),
    };
    let known = HashMap::new();
    let source = Source::new(store, &known);
    let facts = source.facts(&found, stamp, source.skipped(&found, is_link));
    facts.memories(bytes).map(Arc::new).collect()
}

/// File named like a memory.
struct Found {
    /// Its place; empty once it is read, for its memories hold it then.
    path: PathBuf,
    /// A regular file, as far as the folder says.
    is_file: bool,
    /// In a folder below the store.
    nested: bool,
    /// Memories read; never none.
    memories: Vec<Arc<Memory>>,
}

impl Found {
    fn bytes(&self) -> &[u8] {
        let read = self.memories.first().map(|memory| &*memory.path);
        let path = read.unwrap_or(&self.path);
        path.as_os_str().as_encoded_bytes()
    }
}

/// State of a listing of folders.
struct Walk<'w> {
    /// Files that were not passed to `ready` yet.
    found: &'w mut Vec<Found>,
    /// Starts to read some files.
    ready: &'w mut dyn FnMut(Vec<Found>),
    /// Folders that cannot be listed, each with the reason.
    problems: &'w mut Vec<String>,
    /// Targets of the links on the way to the current folder.
    linked: Vec<PathBuf>,
    /// Number of folders listed behind links.
    behind: usize,
}

/// Source of files.
struct Source<'a> {
    store: &'a MarkdownStore,
    folder: Folder,
    known: &'a HashMap<&'a Path, &'a [Arc<Memory>]>,
    /// The archive is a folder below the store, so that most files need not be asked.
    archive_below: bool,
    /// Names that the system's settings leave out.
    ignored: Option<RegexSet>,
}

impl<'a> Source<'a> {
    fn new(store: &'a MarkdownStore, known: &'a HashMap<&'a Path, &'a [Arc<Memory>]>) -> Self {
        let info = store.info();
        let archive_below = info.archive != info.path && info.archive.starts_with(&info.path);
        // A person's own store lists them all the same (formats: serena, "Patterns").
        let patterns = store.table.name_patterns.as_ref();
        let patterns = patterns.filter(|_| info.scope == Scope::Project);
        let ignored = patterns.map(|own| patterns::listed(info, own, &own.ignored));
        Self {
            store,
            ignored: ignored.and_then(|all| full_names(all.iter().map(String::as_str))),
            folder: Folder::open(&info.path),
            known,
            archive_below,
        }
    }

    /// Reads the memories of one file, where they are not read yet; `bytes` is used again.
    fn read(&self, found: &mut Found, bytes: &mut Vec<u8>) {
        if found.memories.is_empty() {
            found.memories = self.memories(found, bytes);
            found.path = PathBuf::new();
        }
    }

    /// Everything that is named like a memory.
    fn list_all(
        &self,
        found: &mut Vec<Found>,
        ready: &mut dyn FnMut(Vec<Found>),
        problems: &mut Vec<String>,
    ) {
        let info = self.store.info();
        let is_context = self.store.table.schema.can.context;
        let mut walk = Walk {
            found,
            ready,
            problems,
            linked: Vec::new(),
            behind: 0,
        };
        if !self.store.is_file() && !is_context {
            self.list(&info.path, 0, &mut walk);
        }
        // The archive may lie beside the store.
        if !self.archive_below && !is_context {
            self.list(&info.archive, 1, &mut walk);
        }
        let alone = self.store.is_file().then(|| info.path.clone());
        for path in alone.into_iter().chain(self.store.beside()) {
            let kind = fs::symlink_metadata(&path).map(|meta| meta.file_type());
            let Ok(kind) = kind else { continue };
            found.push(Found {
                path,
                is_file: kind.is_file(),
                nested: false,
                memories: Vec::new(),
            });
        }
    }

    /// Everything in a folder that is named like a memory, below folders too.
    fn list(&self, folder: &Path, depth: usize, walk: &mut Walk<'_>) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => {
                walk.problems.push(format!("{}: {error}", folder.display()));
                return;
            }
        };
        let is_behind = !walk.linked.is_empty();
        walk.behind += usize::from(is_behind);
        for entry in entries.flatten() {
            let kind = entry.file_type();
            let path = entry.path();
            let name = entry.file_name();
            if self.is_named(name.as_encoded_bytes()) {
                let is_file = kind.is_ok_and(|kind| kind.is_file());
                if is_behind {
                    self.store.links().insert(path.clone());
                }
                walk.found.push(Found {
                    path,
                    is_file,
                    nested: depth > 0,
                    memories: Vec::new(),
                });
                if walk.found.len() == AHEAD {
                    (walk.ready)(std::mem::replace(walk.found, Vec::with_capacity(AHEAD)));
                }
            } else if depth < DEEPEST
                && (self.is_listed(name.as_encoded_bytes()) || path == self.store.info().archive)
            {
                match kind {
                    Ok(kind) if kind.is_dir() => self.list(&path, depth + 1, walk),
                    Ok(kind) if kind.is_symlink() && self.store.table.linked_folders => {
                        self.list_linked(&path, depth + 1, walk);
                    }
                    _ => {}
                }
            }
        }
    }

    /// True if a folder with this name may hold memories.
    fn is_listed(&self, name: &[u8]) -> bool {
        let not = self.store.table.not.iter();
        let mut not = not.filter_map(|not| not.strip_suffix('/'));
        !name.starts_with(b".") && !not.any(|not| not.as_bytes() == name)
    }

    /// Lists the folder that a link leads to, unless that contains the store or a linked folder on
    /// the way here: such a link forms a cycle.
    fn list_linked(&self, path: &Path, depth: usize, walk: &mut Walk<'_>) {
        let Some(real) = fs::canonicalize(path).ok().filter(|real| real.is_dir()) else {
            return;
        };
        let store = files::real(&self.store.info().path);
        let is_around = |open: &PathBuf| open.starts_with(&real);
        let why = if is_around(&store) || walk.linked.iter().any(is_around) {
            "a link that leads in a circle"
        } else if walk.behind >= LINKED {
            "not followed: there are too many folders behind links"
        } else {
            walk.linked.push(real);
            self.list(path, depth, walk);
            walk.linked.pop();
            return;
        };
        walk.problems.push(format!("{}: {why}", path.display()));
    }

    /// True if a file has the name of a memory.
    fn is_named(&self, name: &[u8]) -> bool {
        let table = self.store.table;
        let mut ends = table.ends.iter().chain(table.unread.keys());
        // A store that is one file may have any name, which its archive keeps.
        let own = self.store.info().path.file_name();
        let is_own = || table.may_be_file && own.is_some_and(|own| own.as_encoded_bytes() == name);
        is_own()
            || ends.any(|end| name.ends_with(end.as_bytes()))
                && !table.not.iter().any(|not| not.as_bytes() == name)
    }

    /// Why the system's loader does not open a file.
    fn skipped(&self, found: &Found, is_link: bool) -> Option<(Sight, &'a str)> {
        let table = self.store.table;
        let in_folder = table.in_folders.as_deref().filter(|_| found.nested);
        let link = || table.skips_links.as_deref().filter(|_| is_link);
        let unread = || {
            // The file of a store that is one file has any name.
            let name = found.path.file_name()?.to_str()?;
            // Of a store that is a file, and of files beside a folder, the place tells what they are.
            let has_own_name = !found.path.starts_with(&self.store.info().path)
                || self.store.is_file()
                || table.schema.can.context;
            table.end_of(name).filter(|_| !has_own_name)?.1
        };
        let ignored = || {
            let all = self.ignored.as_ref()?;
            let is_one = all.is_match(&self.store.local(&found.path));
            is_one.then_some((Sight::Off, "the system's settings ignore its name"))
        };
        let skipped = in_folder.or_else(link).or_else(unread);
        skipped.map(|why| (Sight::Skipped, why)).or_else(ignored)
    }

    fn memories(&self, found: &Found, bytes: &mut Vec<u8>) -> Vec<Arc<Memory>> {
        let known = self
            .known
            .get(found.path.as_path())
            .copied()
            .unwrap_or_default();
        // A file that may be known is asked for its state before it is opened.
        let plain = known.is_empty() && found.is_file;
        let stamp = plain
            .then(|| self.folder.read(&found.path, LARGEST, bytes))
            .flatten();
        let (stamp, is_link) = match stamp {
            Some(stamp) => (stamp, false),
            None => match read_carefully(&found.path, known, bytes) {
                Ok(Some(read)) => read,
                Ok(None) => return known.to_vec(),
                Err((stamp, message)) => {
                    // An unreadable file is most often a link that leads nowhere.
                    self.store.links().insert(found.path.clone());
                    let facts =
                        self.facts(found, stamp, Some((Sight::Skipped, "it cannot be read")));
                    return vec![Arc::new(facts.unreadable(message))];
                }
            },
        };
        let facts = self.facts(found, stamp, self.skipped(found, is_link));
        if is_link {
            self.store.links().insert(found.path.clone());
        }
        if is_link && !self.store.is_own(bytes) {
            let message = match fs::read_link(&found.path) {
                Ok(to) => format!("a symbolic link to {}, which is no memory", to.display()),
                Err(error) => error.to_string(),
            };
            return vec![Arc::new(facts.unreadable(message))];
        }
        facts.memories(bytes).map(Arc::new).collect()
    }

    fn facts(
        &self,
        found: &Found,
        stamp: Stamp,
        skipped: Option<(Sight, &'a str)>,
    ) -> FileFacts<'a> {
        let info = self.store.info();
        let archived =
            (found.nested || !self.archive_below) && found.path.starts_with(&info.archive);
        FileFacts {
            store: self.store,
            path: found.path.as_path().into(),
            local: self.store.local(&found.path),
            state: if archived {
                State::Archived
            } else {
                State::Active
            },
            stamp,
            skipped,
        }
    }
}

/// Reads what may be anything: its state and whether it is a link, nothing where it is as it
/// is known, or why it cannot be read.
fn read_carefully(
    path: &Path,
    known: &[Arc<Memory>],
    bytes: &mut Vec<u8>,
) -> Result<Option<(Stamp, bool)>, (Stamp, String)> {
    let failed = |stamp, message: String| Err((stamp, message));
    let link = fs::symlink_metadata(path);
    let is_link = link.as_ref().is_ok_and(|meta| meta.is_symlink());
    let meta = match if is_link { fs::metadata(path) } else { link } {
        Ok(meta) => meta,
        Err(error) => return failed(Stamp::default(), files::unreadable(path, &error)),
    };
    let stamp = files::stamp_of(&meta);
    if known.first().is_some_and(|memory| memory.stamp == stamp) {
        return Ok(None);
    }
    if meta.is_dir() {
        return failed(stamp, "a folder, not a file".to_owned());
    }
    if let Some(message) = files::too_large(&meta, LARGEST) {
        return failed(stamp, message);
    }
    match files::read(path) {
        Ok((read, meta)) => {
            *bytes = read;
            Ok(Some((files::stamp_of(&meta), is_link)))
        }
        Err(error) => failed(stamp, error.to_string()),
    }
}
