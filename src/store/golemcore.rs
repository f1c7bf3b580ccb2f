//! Trees of golemcore's Memory V2: `memory/items/…` and `memory/scopes/…/items/…` (formats:
//! golemcore, "Storage").

mod preferences;
mod reader;
mod requests;

use std::collections::HashMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::discover::formats::{Coded, Format};
use super::entries::LastFiles;
use super::{Deleted, Extras, Loaded, Overlay, Promotion, Request, Store, StoreError, StoreInfo};
use crate::memory::json::splice::object;
use crate::memory::json::{self, slice};
use crate::memory::lines::Lines;
use crate::memory::{Memory, Schema, Stamp};
use crate::retrieval::Options;
use crate::systems::golemcore::schema::CONTENT;
use crate::systems::golemcore::{Config, GOLEMCORE, row};

/// The folder below the store that archived rows go to, in the same tree as above it. The bot
/// looks into `items` and `scopes` only.
const ARCHIVE: &str = "archive";

/// Folder of the files of a tree.
pub(in crate::store) const ITEMS: &str = "items";
const SCOPES: &str = "scopes";

/// A tree of golemcore memories.
pub struct GolemcoreStore {
    info: StoreInfo,
    /// True if it is one file that stands in no tree.
    is_file: bool,
    /// Ids that stand in more than one row, with the rows that have them, as the last load found
    /// them: a single file does not say which of them its rows are.
    repeats: Mutex<Repeats>,
    last: LastFiles,
}

/// For an id, the files of the rows that have it, in order.
type Repeats = HashMap<Box<str>, Vec<Arc<Path>>>;

impl GolemcoreStore {
    /// The store at `info.path`.
    pub fn new(info: StoreInfo) -> Self {
        Self {
            is_file: is_rows(&info.path),
            info,
            repeats: Mutex::default(),
            last: LastFiles::default(),
        }
    }

    /// The path of a file below the store; of a store that is one file, that file.
    fn file(&self, below: &Path) -> PathBuf {
        if self.is_file {
            self.info.path.clone()
        } else {
            self.info.path.join(below)
        }
    }

    /// The settings of the system's own configuration.
    fn config(&self) -> Config {
        let options = preferences::read(&self.info);
        Config::of(|name| options.get(name))
    }
}

/// Opens stores of this format.
static SYSTEM: Coded = Coded {
    archive,
    holder,
    place,
    open: |info| Box::new(GolemcoreStore::new(info)),
};

/// The format.
pub(super) fn format() -> Format {
    Format {
        name: "golemcore",
        order: 30,
        policy: "golemcore",
        project: &[
            "memory/items",
            "memory/scopes",
            "*/memory/items",
            "*/memory/scopes",
            ".golemcore/workspace/memory/items",
            ".golemcore/workspace/memory/scopes",
        ],
        user: &[
            ".golemcore/workspace/memory/items",
            ".golemcore/workspace/memory/scopes",
        ],
        home_env: None,
        folder_setting: None,
        is_context: false,
        system: &SYSTEM,
    }
}

impl Store for GolemcoreStore {
    fn info(&self) -> &StoreInfo {
        &self.info
    }

    fn schema(&self) -> &'static Schema {
        &GOLEMCORE
    }

    fn load(&self, known: &[Arc<Memory>], emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool) -> Loaded {
        reader::load(self, known, emit)
    }

    fn is_own(&self, bytes: &[u8]) -> bool {
        bytes.trim_ascii().is_empty() || are_memories(bytes, 0)
    }

    fn parse(&self, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
        reader::parse(self, path, bytes, stamp)
    }

    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        requests::stage(self, request, overlay)
    }

    fn promote(
        &self,
        memory: &Memory,
        up: bool,
        overlay: &mut Overlay,
    ) -> Result<Promotion, StoreError> {
        requests::promote(self, memory, up, overlay)
    }

    fn put_back(&self, deleted: &Deleted<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        requests::put_back(self, deleted, overlay)
    }

    /// A tree is known by its files: an empty one of facts.
    fn make(&self, overlay: &mut Overlay) -> Result<(), StoreError> {
        let first = self.file(&Path::new(ITEMS).join("semantic.jsonl"));
        overlay.write(&first, Vec::new())
    }

    fn watch(&self) -> Vec<(PathBuf, bool)> {
        let own = match self.info.path.parent().filter(|_| self.is_file) {
            Some(folder) => (folder.to_path_buf(), false),
            None => (self.info.path.clone(), true),
        };
        let mut folders = vec![own];
        folders.extend(preferences::folder(&self.info.path).map(|folder| (folder, false)));
        folders
    }

    fn text(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        Ok(self.text_in(memory, &self.last.bytes(memory)?))
    }

    fn text_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        text_of(slice(bytes, &memory.span))
    }

    fn settings(&self, _root: &Path) -> Result<Options, StoreError> {
        Ok(preferences::read(&self.info))
    }

    fn extras(&self) -> &dyn Extras {
        self
    }
}

impl Extras for GolemcoreStore {
    fn forget(&self, memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
        requests::forget(self, memory, overlay)
    }

    fn places_of(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        let file = self.last.bytes(memory).ok()?;
        let line = slice(&file, &memory.span);
        let lines = Lines::new(line);
        let sources = sources(line, bytes).into_iter();
        let columns = sources.map(|byte| lines.in_file(line, byte).1);
        Some(columns.map(|column| (memory.line, column)).collect())
    }

    fn body_of(&self, _memory: &Memory, text: &[u8]) -> Vec<u8> {
        text.to_vec()
    }
}

/// Positions in a line of bytes of its text, in order.
fn sources(line: &[u8], bytes: &[usize]) -> Vec<usize> {
    let Ok(object) = object(line) else {
        return bytes.to_vec();
    };
    let Some(entry) = object.entry(line, CONTENT) else {
        return vec![0; bytes.len()];
    };
    let span = &entry.value.span;
    match entry.value.kind {
        json::Kind::Text => {
            let places = json::sources(slice(line, span), bytes).into_iter();
            places.map(|at| span.start + at).collect()
        }
        _ => vec![span.start; bytes.len()],
    }
}

/// The text of a line as people read it: its content, of a line that is no object the line.
fn text_of(line: &[u8]) -> Vec<u8> {
    let Ok(object) = object(line) else {
        return line.to_vec();
    };
    let content = object.entry(line, CONTENT).map(|entry| &entry.value);
    let text = content.map(|node| row::meaning(line, CONTENT, node).to_string());
    text.unwrap_or_default().into_bytes()
}

/// The store that a path is or lies in: the folder above `items`, `scopes` or `archive` where
/// rows stand below it.
pub fn holder(path: &Path) -> Option<PathBuf> {
    // A tree reads what is called so; a copy under another name is a store of its own.
    if !is_named_rows(path) && has_memories(path) {
        return Some(path.to_path_buf());
    }
    let mut folders = path.ancestors().filter(|folder| folder.is_dir()).take(9);
    // The outermost: in `memory/scopes/task/t/items` the inner folder looks like a store, too.
    let inside = |folder: &Path| {
        let parts = path.strip_prefix(folder).ok()?;
        let first = parts.components().next()?.as_os_str().to_str()?;
        [ITEMS, SCOPES, ARCHIVE].contains(&first).then_some(())
    };
    let own = |folder: &Path| folder == path || inside(folder).is_some();
    let candidates: Vec<&Path> = folders
        .by_ref()
        .filter(|folder| own(folder) && has_rows(folder))
        .collect();
    let store = candidates.last().map(|folder| folder.to_path_buf());
    store.or_else(|| has_memories(path).then(|| path.to_path_buf()))
}

/// True if a path has the name of a file of rows.
fn is_named_rows(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl")
}

/// True if a store is one file of rows, which need not be there yet.
fn is_rows(path: &Path) -> bool {
    path.is_file() || is_named_rows(path) && !path.is_dir()
}

/// True if a file that stands in no tree has memories: any, where it is called one of rows, else
/// as many as it has other lines, for a text may show one.
fn has_memories(path: &Path) -> bool {
    let mut head = Vec::new();
    let mut read = || fs::File::open(path)?.take(HEAD).read_to_end(&mut head);
    if !path.is_file() || read().is_err() {
        return false;
    }
    are_memories(&head, if is_named_rows(path) { 0 } else { 50 })
}

/// True if there are memories among rows, and at least so many of a hundred are.
fn are_memories(bytes: &[u8], percent: usize) -> bool {
    let is_memory = |row: &reader::RowPlace| {
        let line = slice(bytes, &row.span);
        let has = |name| object(line).is_ok_and(|object| object.entry(line, name).is_some());
        ["id", CONTENT].into_iter().all(has) && ["layer", "type"].into_iter().any(has)
    };
    let rows = reader::rows(bytes);
    let memories = rows.iter().filter(|row| is_memory(row)).count();
    memories > 0 && 100 * memories >= percent * rows.len()
}

/// Bytes of a file that are looked at to know what it is.
const HEAD: u64 = 1 << 16;

/// Place of the archived rows of a store: below it, or beside the one file that it is.
pub fn archive(store: &Path) -> PathBuf {
    match store.file_name().filter(|_| is_rows(store)) {
        Some(_) if is_named_rows(store) => store.with_extension("archive.jsonl"),
        Some(name) => {
            let mut name = name.to_owned();
            name.push(".archive.jsonl");
            store.with_file_name(name)
        }
        None => store.join(ARCHIVE),
    }
}

/// True if a folder has files where the system keeps rows.
fn has_rows(folder: &Path) -> bool {
    let items = folder.join(ITEMS);
    let plain = ["semantic.jsonl", "procedural.jsonl"]
        .iter()
        .any(|name| items.join(name).is_file());
    let empty = folder.ends_with("memory") && items.is_dir();
    plain
        || empty
        || items.join("episodic").is_dir()
        || folder.join(SCOPES).is_dir() && (items.is_dir() || has_scopes(folder))
}

/// True if a folder has trees of scopes: a bot that only ever talked in sessions has no others.
fn has_scopes(folder: &Path) -> bool {
    let has = |kind| folder.join(SCOPES).join(kind).is_dir();
    folder.ends_with("memory") && ["session", "goal", "task"].into_iter().any(has)
}

/// The store that a path is taken for where the person says it is one of this format.
pub fn place(path: &Path) -> PathBuf {
    if let Some(store) = holder(path) {
        return store;
    }
    match path.parent() {
        Some(parent) if !path.is_file() && path.ends_with(ITEMS) => parent.to_path_buf(),
        _ => path.to_path_buf(),
    }
}
