//! Reading a store of files of entries.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use super::{EntryStore, READING};
use crate::memory::problem::report_conflict;
use crate::memory::{Memory, MemoryId, Problem, Severity, Stamp, State, Value};
use crate::retrieval::Options;
use crate::store::disk::Lock;
use crate::store::{Emit, Guard, Loaded, Result, by_path, files};
use crate::systems::codec::ARCHIVED;

/// Memories handed on at once.
const PIECE: usize = 4096;
/// A larger file is named, not read.
const LARGEST: u64 = 1 << 30;
/// Folders below folders: a goal's episodes are five deep.
const DEEPEST: usize = 8;

pub fn load(store: &EntryStore, known: &[Arc<Memory>], emit: Emit<'_>) -> Loaded {
    let mut loader = Loader::new(store);
    // A writer may have emptied the file just now; one that holds it for long is told.
    let end = Instant::now() + READING;
    let locks = store.locks().into_iter();
    let locks = locks.filter_map(|lock| Lock::shared(&lock, end).transpose());
    let locks: Result<Guard> = locks.collect();
    if let Err(error) = &locks {
        let shown = format!("{error}; what is shown may be half written");
        loader.problems.push(shown);
    }
    let mut paths = Vec::new();
    if store.is_file() {
        paths.extend([store.info.archive.clone(), store.info.path.clone()]);
    }
    for folder in store.folders {
        loader.list(&store.info.path.join(folder), 0, &mut paths);
    }
    let fault = loader.options.get("fault").map(str::to_owned);
    loader.problems.extend(fault);
    paths.sort_unstable_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    let (known, mut names) = (by_path(known), Names::default());
    let (mut all, mut done) = (Vec::new(), true);
    for path in paths {
        let run = known.get(path.as_path()).copied().unwrap_or_default();
        let mut memories = loader.read(&path, run);
        names.give(store, &mut memories);
        done = memories.chunks(PIECE).all(&mut *emit);
        all.append(&mut memories);
        if !done {
            break;
        }
    }
    if done {
        names.0.retain(|_, files| files.len() > 1);
        *store.repeats.lock().unwrap_or_else(PoisonError::into_inner) = names.0;
    }
    Loaded {
        memories: all,
        problems: loader.problems,
    }
}

pub fn parse(store: &EntryStore, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
    let mut memories = Loader::new(store).entries(path, bytes, stamp);
    let repeats = store.repeats.lock().unwrap_or_else(PoisonError::into_inner);
    let earlier = repeats.iter().map(|(name, files)| {
        let files = files.iter().cloned();
        let files = files.filter(|file| file.as_os_str() < path.as_os_str());
        (name.clone(), files.collect())
    });
    let mut names = Names(earlier.collect());
    drop(repeats);
    names.give(store, &mut memories);
    memories
}

struct Loader<'a> {
    store: &'a EntryStore,
    options: Options,
    problems: Vec<String>,
}

impl<'a> Loader<'a> {
    fn new(store: &'a EntryStore) -> Self {
        Self {
            store,
            options: store.options(),
            problems: Vec::new(),
        }
    }

    /// The memories in these bytes, by names that others may have as well.
    fn entries(&self, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
        let facts = self.store.facts(path, stamp, &self.options);
        let mut all = self.store.codec().memories(bytes, &facts);
        report_conflict(bytes, all.iter_mut());
        all.into_iter().map(Arc::new).collect()
    }

    /// The memories of one file; `known` where it is as it was.
    fn read(&mut self, path: &Path, known: &[Arc<Memory>]) -> Vec<Arc<Memory>> {
        let (codec, options) = (self.store.codec(), &self.options);
        let failed = |stamp, why: &str| {
            let facts = self.store.facts(path, stamp, options);
            vec![Arc::new(facts.unreadable(1, why, codec.schema()))]
        };
        let (bytes, stamp) = match files::read_anew(path, known, LARGEST) {
            Ok(Some((bytes, stamp, _))) => (bytes, stamp),
            Ok(None) => return known.to_vec(),
            Err(_) if is_gone(path) => return Vec::new(),
            Err((stamp, why)) => return failed(stamp, &why),
        };
        let memories = self.entries(path, &bytes, stamp);
        if memories.is_empty() && !codec.is_own(&bytes) {
            let shown = path.display();
            let why = format!("{shown} has text, and no entry that its system reads");
            self.problems.push(why);
        }
        memories
    }

    fn list(&mut self, folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return,
            Err(error) => {
                let why = format!("{}: {error}", folder.display());
                return self.problems.push(why);
            }
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            // A folder that is called like a file of entries is one that cannot be read.
            match name.ends_with(self.store.system.end.as_bytes()) {
                _ if name.starts_with(b".") => {}
                true => found.push(entry.path()),
                false if is_folder && depth < DEEPEST => self.list(&entry.path(), depth + 1, found),
                false => {}
            }
        }
    }
}

fn is_gone(path: &Path) -> bool {
    let meta = path.symlink_metadata();
    meta.is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// Gives entries their names: one that has been there already gets a number.
#[derive(Default)]
struct Names(HashMap<Box<str>, Vec<Arc<Path>>>);

impl Names {
    fn give(&mut self, store: &EntryStore, memories: &mut [Arc<Memory>]) {
        let codec = store.codec();
        for memory in memories {
            let base: Box<str> = match (codec.name(memory), memory.state) {
                (Some(name), State::Archived) => format!("{ARCHIVED}{name}").into(),
                (Some(name), State::Active) => name.into(),
                (None, _) => memory.id.local.clone(),
            };
            let (number, first) = self.take(&base, memory);
            let local = match number {
                1 => base,
                number => format!("{base}#{number}").into(),
            };
            if memory.id.local != local {
                let id = MemoryId::new(&memory.id.store, local);
                Arc::make_mut(memory).id = id;
            }
            let field = codec.mark_of_copies();
            let Some(field) = field else { continue };
            let counts = memory.state == State::Active && memory.hidden.is_none() && number == 1;
            let text = memory.field(field).and_then(Value::as_str);
            let text = text.filter(|text| counts && !text.trim().is_empty());
            let mut twin = (number > 1).then_some(("id", first));
            // No name of an entry begins so.
            if let Some(key) = text.map(|text| format!("\u{1}{field} {text}")) {
                let (number, first) = self.take(&key, memory);
                twin = (number > 1).then_some((field, first));
            }
            mark(memory, twin);
        }
    }

    /// Counts a name; how many entries have it now, and the file of the first.
    fn take(&mut self, name: &str, memory: &Memory) -> (usize, Arc<Path>) {
        let files = self.0.entry(name.into()).or_default();
        files.push(memory.path.clone());
        (files.len(), files.first().unwrap_or(&memory.path).clone())
    }
}

/// Says if a memory has a mark of an earlier one: a mistake, or in another file a promotion's copy.
fn mark(memory: &mut Arc<Memory>, twin: Option<(&str, Arc<Path>)>) {
    const RULE: &str = "duplicate-id";
    let problem = twin.map(|(what, first)| {
        let severity = match first == memory.path {
            true => Severity::Warning,
            false => Severity::Info,
        };
        let name = first.file_name().unwrap_or_default().to_string_lossy();
        let why = format!("the same {what} as an earlier row of {name}");
        Problem::new(RULE, severity, (memory.line, 1), why)
    });
    let is_own = |known: &&Problem| known.rule == RULE;
    if memory.problems.iter().find(is_own) != problem.as_ref() {
        let others = memory.problems.iter().filter(|known| !is_own(known));
        let problems = others.cloned().chain(problem).collect();
        Arc::make_mut(memory).problems = problems;
    }
}
