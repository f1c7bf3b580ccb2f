//! Reading a folder of memories: every file gives its memories, whatever is wrong with it.

mod facts;
mod fields;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use regex::RegexSet;

use super::{MarkdownStore, patterns_of};
use crate::memory::{Memory, Sight, Stamp, State};
use crate::retrieval::full_names;
use crate::store::files;
use crate::store::{Emit, Loaded, Scope, Store as _, by_path};
use facts::FileFacts;
pub(super) use fields::low_fields;

/// Files read before the first rows are handed on, and in each later piece.
const FIRST_PIECE: usize = 128;
const PIECE: usize = 4096;
/// Files that one thread reads in a row.
const TOGETHER: usize = 32;
/// A larger file is listed, not read.
const LARGEST: u64 = 512 << 20;
/// Folders below folders: no real store nests deeper.
const DEEPEST: usize = 16;
/// Maximum number of folders that are listed behind symbolic links.
const LINKED: usize = 1000;

pub fn load(store: &MarkdownStore, known: &[Arc<Memory>], emit: Emit<'_>) -> Loaded {
    let known = by_path(known);
    let source = Source::new(store, &known);
    let walk = Walk::new(&source);
    let mut found = walk.found;
    found.par_sort_unstable_by(|a, b| a.path.as_os_str().cmp(b.path.as_os_str()));
    let mut loaded = Loaded {
        problems: walk.problems,
        ..Loaded::default()
    };
    let (first, rest) = found.split_at(FIRST_PIECE.min(found.len()));
    for piece in first.chunks(FIRST_PIECE).chain(rest.chunks(PIECE)) {
        let files = piece.par_iter().with_min_len(TOGETHER);
        let read = files.map_init(Vec::new, |bytes, found| source.memories(found, bytes));
        let read: Vec<Vec<Arc<Memory>>> = read.collect();
        let from = loaded.memories.len();
        loaded.memories.extend(read.into_iter().flatten());
        if !emit(loaded.memories.get(from..).unwrap_or_default()) {
            break;
        }
    }
    loaded
}

/// The text of bytes; nearly all are UTF-8, which is seen much faster than it is repaired.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

pub fn parse(store: &MarkdownStore, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    let nested = path.parent() != Some(&store.info().path);
    let found = Found {
        path: path.to_owned(),
        is_file: !is_link,
        nested,
    };
    let known = HashMap::new();
    let source = Source::new(store, &known);
    let facts = source.facts(&found, stamp, source.skipped(&found, is_link));
    facts.memories(bytes).map(Arc::new).collect()
}

/// File named like a memory.
struct Found {
    path: PathBuf,
    /// A regular file, as far as the folder says.
    is_file: bool,
    nested: bool,
}

/// Lists everything that is named like a memory, in folders and beside them.
struct Walk<'a> {
    source: &'a Source<'a>,
    found: Vec<Found>,
    /// The folders that links lead to, of those on the way here.
    linked: Vec<PathBuf>,
    behind: usize,
    problems: Vec<String>,
}

impl<'a> Walk<'a> {
    fn new(source: &'a Source<'a>) -> Self {
        let (store, info) = (source.store, source.store.info());
        let (is_file, is_context) = (store.is_file(), store.table.schema.can.context);
        let alone = is_file.then(|| info.path.clone()).into_iter();
        let alone = alone.chain(store.beside()).filter_map(|path| {
            let kind = fs::symlink_metadata(&path).ok()?.file_type();
            Some(Found {
                path,
                is_file: kind.is_file(),
                nested: false,
            })
        });
        let mut walk = Self {
            source,
            found: alone.collect(),
            linked: Vec::new(),
            behind: 0,
            problems: Vec::new(),
        };
        if !is_file && !is_context {
            walk.enter(&info.path, 0);
        }
        // The archive may lie beside the store.
        if !source.archive_below && !is_context {
            walk.enter(&info.archive, 1);
        }
        walk
    }

    fn enter(&mut self, path: &Path, depth: usize) {
        match fs::read_dir(path) {
            Ok(all) => all.flatten().for_each(|entry| self.visit(&entry, depth)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.problems.push(format!("{}: {error}", path.display())),
        }
    }

    /// Enters the folder that a link leads to, unless that would go in a circle.
    fn enter_linked(&mut self, path: &Path, depth: usize) {
        let real = fs::canonicalize(path).ok().filter(|real| real.is_dir());
        let Some(real) = real else { return };
        let store = files::real(&self.source.store.info().path);
        let is_circle = |folder: &PathBuf| folder.starts_with(&real);
        let why = if is_circle(&store) || self.linked.iter().any(is_circle) {
            "a link that leads in a circle"
        } else if self.behind >= LINKED {
            "not followed: there are too many folders behind links"
        } else {
            self.linked.push(real);
            self.enter(path, depth);
            self.linked.pop();
            return;
        };
        self.problems.push(format!("{}: {why}", path.display()));
    }

    fn visit(&mut self, entry: &fs::DirEntry, depth: usize) {
        let source = self.source;
        let (kind, path, name) = (entry.file_type().ok(), entry.path(), entry.file_name());
        let is_behind = !self.linked.is_empty();
        if source.is_named(name.as_encoded_bytes()) {
            if is_behind {
                source.store.links().insert(path.clone());
            }
            return self.found.push(Found {
                path,
                is_file: kind.is_some_and(|kind| kind.is_file()),
                nested: depth > 0,
            });
        }
        let is_listed = source.is_listed(name.as_encoded_bytes());
        let is_listed = is_listed || path == source.store.info().archive;
        let kind = kind.filter(|_| is_listed && depth < DEEPEST);
        let Some(kind) = kind else { return };
        if kind.is_dir() {
            self.behind += usize::from(is_behind);
            self.enter(&path, depth + 1);
        } else if kind.is_symlink() && source.store.table.linked_folders {
            self.behind += 1;
            self.enter_linked(&path, depth + 1);
        }
    }
}

struct Source<'a> {
    store: &'a MarkdownStore,
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
        let ignored = patterns.map(|own| patterns_of(info, own, &own.ignored));
        Self {
            store,
            ignored: ignored.map(|all| full_names(all.iter().map(String::as_str))),
            known,
            archive_below,
        }
    }

    fn is_listed(&self, name: &[u8]) -> bool {
        let not = self.store.table.not.iter();
        let mut not = not.filter_map(|not| not.strip_suffix('/'));
        !name.starts_with(b".") && !not.any(|not| not.as_bytes() == name)
    }

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
        let known = self.known.get(found.path.as_path());
        let known = known.copied().unwrap_or_default();
        // A file that may be known is asked for its state before it is opened.
        let plain = known.is_empty() && found.is_file;
        let stamp = plain.then(|| files::read_plain(&found.path, LARGEST, bytes));
        let (stamp, is_link) = match stamp.flatten() {
            Some(stamp) => (stamp, false),
            None => match files::read_anew(&found.path, known, LARGEST) {
                Ok(Some((read, stamp, is_link))) => {
                    *bytes = read;
                    (stamp, is_link)
                }
                Ok(None) => return known.to_vec(),
                Err((stamp, message)) => {
                    // An unreadable file is most often a link that leads nowhere.
                    self.store.links().insert(found.path.clone());
                    let skipped = Some((Sight::Skipped, "it cannot be read"));
                    let facts = self.facts(found, stamp, skipped);
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

    fn facts(&self, found: &Found, stamp: Stamp, skip: Option<(Sight, &'a str)>) -> FileFacts<'a> {
        let info = self.store.info();
        let archived =
            (found.nested || !self.archive_below) && found.path.starts_with(&info.archive);
        FileFacts {
            store: self.store,
            path: found.path.as_path().into(),
            local: self.store.local(&found.path),
            state: match archived {
                true => State::Archived,
                false => State::Active,
            },
            stamp,
            skipped: skip,
        }
    }
}
