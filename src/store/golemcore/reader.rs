//! Reading a tree of golemcore memories: every line that is not blank is a memory, whatever is
//! wrong with it.

mod row;

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use rayon::prelude::*;

use super::{ARCHIVE, GolemcoreStore, ITEMS, Repeats, SCOPES};
use crate::memory::problem::report_conflict;
use crate::memory::{Memory, MemoryId, Problem, Severity, Stamp, State, Value};
use crate::store::{Loaded, by_path, files};
use crate::systems::golemcore::Config;
use crate::systems::golemcore::lines::lines;
use row::FileFacts;

/// Rows that one thread reads in a row, and in a piece that is handed on.
const TOGETHER: usize = 256;
const PIECE: usize = 8192;
/// A larger file is listed, not read.
const LARGEST: u64 = 1 << 30;
/// Folders below folders: a goal's episodes are five deep.
const DEEPEST: usize = 8;

/// Reads the store; see [`crate::store::Store::load`].
pub(super) fn load(
    store: &GolemcoreStore,
    known: &[Arc<Memory>],
    emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool,
) -> Loaded {
    let mut loaded = Loaded::default();
    let mut paths = Vec::new();
    if store.is_file {
        let both = [&store.info.path, &store.info.archive].into_iter();
        paths.extend(both.filter(|path| path.is_file()).cloned());
    }
    for folder in [ARCHIVE, ITEMS, SCOPES]
        .into_iter()
        .filter(|_| !store.is_file)
    {
        list(
            &store.info.path.join(folder),
            0,
            &mut paths,
            &mut loaded.problems,
        );
    }
    paths.sort_unstable_by(|a: &PathBuf, b| bytes_of(a).cmp(bytes_of(b)));
    let options = super::preferences::read(&store.info);
    loaded
        .problems
        .extend(options.get("fault").map(str::to_owned));
    let config = Config::of(|name| options.get(name));
    let known = by_path(known);
    let mut names = Names::default();
    let mut done = true;
    for path in paths {
        let run = known.get(path.as_path()).copied().unwrap_or_default();
        let file = read(&path, run.first().map(|memory| memory.stamp));
        let facts = FileFacts::new(store, &path, &config);
        let mut hand_on = |mut piece: Vec<Arc<Memory>>| {
            names.give(&mut piece);
            let from = loaded.memories.len();
            loaded.memories.append(&mut piece);
            emit(loaded.memories.get(from..).unwrap_or_default())
        };
        done = match file {
            Err(message) => hand_on(vec![Arc::new(facts.unreadable(message))]),
            Ok(File::Known) => hand_on(run.to_vec()),
            Ok(File::New(bytes, stamp)) => {
                let rows = rows(&bytes);
                rows.chunks(PIECE)
                    .all(|piece| hand_on(facts.memories(&bytes, stamp, piece)))
            }
        };
        if !done {
            break;
        }
    }
    if done {
        *store.repeats.lock().unwrap_or_else(PoisonError::into_inner) = names.repeats();
    }
    loaded
}

/// The memories of a file with these bytes; see [`crate::store::Store::parse`].
pub(super) fn parse(
    store: &GolemcoreStore,
    path: &Path,
    bytes: &[u8],
    stamp: Stamp,
) -> Vec<Arc<Memory>> {
    let config = store.config();
    let facts = FileFacts::new(store, path, &config);
    let mut memories = facts.memories(bytes, stamp, &rows(bytes));
    let repeats = store.repeats.lock().unwrap_or_else(PoisonError::into_inner);
    let mut names = Names::before(path, &repeats);
    drop(repeats);
    names.give(&mut memories);
    memories
}

/// A row: its number among the rows of the file, its line, its bytes.
pub(super) struct RowPlace {
    /// Among the rows, from 0.
    pub number: u32,
    /// The line, from 1.
    pub line: u32,
    /// Its bytes, without the line's end.
    pub span: Range<usize>,
}

/// The rows of a file: the lines that are not blank.
pub(super) fn rows(bytes: &[u8]) -> Vec<RowPlace> {
    let is_row = |(_, span): &(u32, Range<usize>)| {
        let line = bytes.get(span.clone()).unwrap_or_default();
        let plain = line.first().is_some_and(|byte| byte.is_ascii_graphic());
        plain || !crate::systems::golemcore::java::is_blank(&String::from_utf8_lossy(line))
    };
    let all = (1..).zip(lines(bytes)).filter(is_row);
    all.zip(0..)
        .map(|((line, span), number)| RowPlace { number, line, span })
        .collect()
}

/// State of a file.
enum File {
    /// Unchanged since the last load.
    Known,
    /// Bytes and their state.
    New(Vec<u8>, Stamp),
}

fn read(path: &Path, known: Option<Stamp>) -> Result<File, String> {
    let meta = fs::metadata(path).map_err(|error| files::unreadable(path, &error))?;
    if known.is_some_and(|stamp| stamp == files::stamp_of(&meta)) {
        return Ok(File::Known);
    }
    if let Some(message) = files::too_large(&meta, LARGEST) {
        return Err(message);
    }
    let (bytes, meta) = files::read(path).map_err(|error| error.to_string())?;
    Ok(File::New(bytes, files::stamp_of(&meta)))
}

/// The files of rows below a folder.
fn list(folder: &Path, depth: usize, found: &mut Vec<PathBuf>, problems: &mut Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => {
            problems.push(format!("{}: {error}", folder.display()));
            return;
        }
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if name.starts_with(b".") {
            continue;
        }
        // A folder that is called like a file of rows is one that cannot be read.
        if name.ends_with(b".jsonl") {
            found.push(path);
        } else if is_folder && depth < DEEPEST {
            list(&path, depth + 1, found, problems);
        }
    }
}

/// Sort key of files.
fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Gives rows their names: an id that has been there already gets a number.
#[derive(Default)]
struct Names(HashMap<Box<str>, Vec<Arc<Path>>>);

impl Names {
    /// The names that are taken by the files before one.
    fn before(path: &Path, repeats: &Repeats) -> Self {
        let earlier = |paths: &Vec<Arc<Path>>| {
            let is_before = |other: &&Arc<Path>| bytes_of(other) < bytes_of(path);
            let before = paths.iter().filter(is_before);
            before.cloned().collect::<Vec<_>>()
        };
        Self(
            repeats
                .iter()
                .map(|(id, paths)| (id.clone(), earlier(paths)))
                .collect(),
        )
    }

    fn give(&mut self, memories: &mut [Arc<Memory>]) {
        for memory in memories {
            let base = base_name(memory);
            let named = self.take(&base, memory);
            let local = match named.0 {
                1 => base,
                n => format!("{base}#{n}").into(),
            };
            if memory.id.local != local {
                let id = MemoryId::new(&memory.id.store, local);
                Arc::make_mut(memory).id = id;
            }
            let same_id = (named.0 > 1).then_some(("id", named.1));
            let twin = same_id.or_else(|| {
                let print = memory.field("fingerprint").and_then(Value::as_str);
                let print = print.filter(|print| !print.trim().is_empty());
                let counts = memory.state == State::Active && memory.hidden.is_none();
                let key = format!("{FINGERPRINT}{}", print.filter(|_| counts)?);
                let (count, first) = self.take(&key, memory);
                (count > 1).then_some(("fingerprint", first))
            });
            mark(memory, twin);
        }
    }

    /// Counts a name; how many rows have it now, and the file of the first.
    fn take(&mut self, name: &str, memory: &Memory) -> (usize, Arc<Path>) {
        let rows = match self.0.get_mut(name) {
            Some(rows) => rows,
            None => self.0.entry(name.into()).or_default(),
        };
        rows.push(memory.path.clone());
        let first = rows.first().unwrap_or(&memory.path).clone();
        (rows.len(), first)
    }

    /// Those that more than one row has.
    fn repeats(mut self) -> Repeats {
        self.0.retain(|_, rows| rows.len() > 1);
        self.0
    }
}

/// Prefix of a fingerprint among the names; no id of a row begins so.
const FINGERPRINT: &str = "\u{1}fingerprint ";

/// Says that a memory has the id or fingerprint of an earlier one, or no longer. In one file
/// that is a mistake; a copy in another one is what the system's promotion leaves behind.
fn mark(memory: &mut Arc<Memory>, twin: Option<(&'static str, Arc<Path>)>) {
    const RULE: &str = "duplicate-id";
    let problem = twin.map(|(what, first)| {
        let same = first == memory.path;
        let name = first.file_name().unwrap_or_default().to_string_lossy();
        let severity = if same {
            Severity::Warning
        } else {
            Severity::Info
        };
        let message = format!("the same {what} as an earlier row of {name}");
        Problem::new(RULE, severity, (memory.line, 1), message)
    });
    let known = memory.problems.iter().find(|problem| problem.rule == RULE);
    if known == problem.as_ref() {
        return;
    }
    let others = memory
        .problems
        .iter()
        .filter(|problem| problem.rule != RULE);
    let problems = others.cloned().chain(problem).collect();
    Arc::make_mut(memory).problems = problems;
}

/// The name of a row before it is numbered: its id, else its file and line.
fn base_name(memory: &Memory) -> Box<str> {
    let id = match memory.field("id") {
        Some(Value::Text(id)) if !id.trim().is_empty() => id.to_string(),
        Some(id @ (Value::Int(_) | Value::Float(_) | Value::Bool(_))) => id.to_string(),
        _ => {
            let name = memory
                .path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy();
            format!("{name}:{}", memory.line)
        }
    };
    match memory.state {
        State::Active => id.into(),
        State::Archived => format!("{ARCHIVE}/{id}").into(),
    }
}

impl FileFacts<'_> {
    /// The memories of some rows, read by several threads.
    fn memories(&self, bytes: &[u8], stamp: Stamp, rows: &[RowPlace]) -> Vec<Arc<Memory>> {
        let read: Vec<Vec<Arc<Memory>>> = rows
            .par_chunks(TOGETHER)
            .map(|rows| {
                let memory = |row| Arc::new(self.memory(bytes, stamp, row));
                rows.iter().map(memory).collect()
            })
            .collect();
        let mut all: Vec<Arc<Memory>> = read.into_iter().flatten().collect();
        report_conflict(bytes, all.iter_mut().map(Arc::make_mut));
        all
    }
}
