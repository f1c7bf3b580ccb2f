//! RUM's databases: `NAME.rum.db` (`rum-memory-schema`; formats: rum).
//!
//! A memory is a row. Nothing is written where something is read, nobody who writes is kept
//! waiting, and what is written goes in one short transaction (`store::rows`).

mod add;
mod archive;
mod beside;
pub(in crate::store) mod db;
mod reader;
mod requests;
mod row_edit;
pub(in crate::store) mod tables;
pub(in crate::store) mod whole;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::discover::formats::{Coded, Format};
use super::{Deleted, Extras, Loaded, Overlay, Request, Store, StoreError, StoreInfo, files};
use crate::curate::RowChange;
use crate::memory::row::Cell;
use crate::memory::{Fields, Memory, MemoryId, Problem, Schema, Severity, Sight, Stamp, State};
use crate::systems::rum::layers::{self, Layers};
use crate::systems::rum::read::{Around, Cells};
use crate::systems::rum::{LAYERS, RUM, entries, markdown, read};
use db::Database;
use tables::{Table, table_of};

/// The columns that chapters and wisdom say something in.
const SAID: [&str; 6] = [
    "summary",
    "learnings",
    "topics",
    "insights",
    "patterns",
    "best_practices",
];

/// The end of the name of every database.
const END: &str = ".db";

/// The end of the names of the databases that the system opens: what stands before is the project.
const PROJECT_END: &str = ".rum.db";

/// The file beside a database that its archived memories go to, one JSON line each: RUM opens
/// `{project}.rum.db` and nothing else.
pub fn archive_of(database: &Path) -> PathBuf {
    let database = &files::target(database).unwrap_or_else(|_| database.to_owned());
    let name = database.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(END).unwrap_or(&name);
    database.with_file_name(format!("{stem}.archive.jsonl"))
}

/// The database that a path is, judged by its content: SQLite with a table of memories that
/// have an intent and an outcome; what can no longer be read by its name.
pub fn holder(path: &Path) -> Option<PathBuf> {
    let named = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().ends_with(PROJECT_END));
    if !path.is_file() {
        return None;
    }
    let is_rum = db::begins_like_a_database(path)
        && Database::new(path.to_owned()).is_ok_and(|columns| {
            ["id", "intent", "outcome"]
                .iter()
                .all(|wanted| columns.iter().any(|name| name == wanted))
        });
    (named || is_rum).then(|| path.to_owned())
}

/// The database at a path, where the person says that it is one.
pub fn place(path: &Path) -> PathBuf {
    path.to_owned()
}

/// A database of RUM.
pub struct RumStore {
    info: StoreInfo,
    /// The path of the database, shared by all memories.
    file: Arc<Path>,
    db: Database,
    /// The state of the files when they were last read.
    last: Mutex<Option<(Stamp, Stamp)>>,
    /// True if another program held the database when it was last read.
    held: AtomicBool,
}

impl RumStore {
    /// The store at `info.path`.
    pub fn new(info: StoreInfo) -> Self {
        Self {
            db: Database::new(info.path.clone()),
            file: info.path.as_path().into(),
            last: Mutex::default(),
            held: AtomicBool::default(),
            info,
        }
    }

    /// The row of a memory as JSON, the layers as what they hold, byte for byte.
    fn json(&self, memory: &Memory) -> Result<String, StoreError> {
        use serde_json::Value;
        let row = self.row(memory)?;
        let cells = row.cells();
        let (layers, _) = Layers::read(|name| cells.get(name));
        let members = row.names.iter().zip(&row.cells).map(|(name, cell)| {
            let value = match cell {
                cell if LAYERS.contains(&&**name) => {
                    let layer = layers.of(name);
                    let own = cell.as_str().unwrap_or_default().trim();
                    let read = serde_json::from_str::<Value>(own);
                    match read.is_ok_and(|read| read == *layer) {
                        true => own.to_owned(),
                        false => layer.to_string(),
                    }
                }
                Cell::Int(number) => number.to_string(),
                Cell::Real(number) => Value::from(*number).to_string(),
                Cell::Null => Value::Null.to_string(),
                cell => Value::from(cell.shown()).to_string(),
            };
            format!("{}:{value}", Value::from(name.as_str()))
        });
        Ok(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
    }

    /// The projects that the database can be opened as: by its name, and where that is a link by
    /// the name of the target.
    fn projects(&self) -> Vec<String> {
        let target = files::target(&self.info.path).ok();
        let paths = [Some(&self.info.path), target.as_ref()];
        let names = paths
            .into_iter()
            .flatten()
            .filter_map(|path| path.file_name());
        let project =
            |name: &OsStr| Some(name.to_string_lossy().strip_suffix(PROJECT_END)?.to_owned());
        names.filter_map(project).collect()
    }

    /// Reads the database, for what is planned on it.
    fn ask<T>(
        &self,
        run: impl FnOnce(&db::Reader<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let said = self.db.read(run);
        said.map_err(|why| why.into_error(&self.info.path))
    }

    /// The row of a memory as it is now.
    fn row(&self, memory: &Memory) -> Result<db::Raw, StoreError> {
        if memory.state == State::Archived {
            return archive::row(self, memory);
        }
        let table = table_of(memory.schema);
        let local = &*memory.id.local;
        let mut rows = self.ask(|reader| reader.found(table, local))?;
        let is_it = |row: &db::Raw| row.cells().stamp() == memory.stamp;
        let at = one_of(&rows, own_id(local).1, is_it);
        match at.filter(|at| *at < rows.len()) {
            Some(at) => Ok(rows.swap_remove(at)),
            None => Err(StoreError::Changed(self.info.path.clone())),
        }
    }

    /// A memory that stands for the database where something is wrong with it as a whole.
    fn whole(&self, faults: Vec<String>) -> Memory {
        let name = self.info.path.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let local = name.strip_suffix(END).unwrap_or(&name);
        let id = MemoryId::new(&self.info.id, local);
        let problem = |what| Problem::new("load-error", Severity::Error, (1, 1), what);
        Memory {
            title: name.clone().into(),
            sight: Sight::NoFields,
            problems: faults.into_iter().map(problem).collect(),
            ..Memory::new(id, self.file.clone(), &RUM)
        }
    }
}

/// The id of a row in a LOCAL: without the number of a later row with the same id.
fn own_id(local: &str) -> (&str, usize) {
    match local.rsplit_once('#') {
        Some((id, number)) => match number.parse() {
            Ok(number) if number > 1 => (id, number),
            _ => (local, 1),
        },
        None => (local, 1),
    }
}

/// Which of the rows with one id is meant: the nth where it is the one that was seen or none is,
/// else the one that was seen. A number counts rows of other tables too, and says less than that.
fn one_of<T>(rows: &[T], nth: usize, seen: impl Fn(&T) -> bool) -> Option<usize> {
    let nth = nth.saturating_sub(1);
    if rows.get(nth).is_some_and(&seen) {
        return Some(nth);
    }
    let found = rows.iter().position(seen);
    found.or_else(|| (nth < rows.len()).then_some(nth))
}

/// The body of a row.
fn body(table: &Table, cells: Cells<'_>) -> String {
    match table.name {
        "memories" => markdown::memory(&Layers::read(|name| cells.get(name)).0),
        "chapters" => read::chapter(cells, Around::default()).body,
        _ => read::wisdom(cells, Around::default()).body,
    }
}

/// Opens stores of this format.
static SYSTEM: Coded = Coded {
    archive: archive_of,
    holder,
    place,
    open: |info| Box::new(RumStore::new(info)),
};

/// The format.
pub(super) fn format() -> Format {
    Format {
        name: "rum",
        order: 40,
        policy: "rum",
        project: &["*.rum.db"],
        user: &[".rum/projects/*/*.rum.db"],
        home_env: None,
        folder_setting: None,
        is_context: false,
        system: &SYSTEM,
    }
}

impl Store for RumStore {
    fn info(&self) -> &StoreInfo {
        &self.info
    }

    fn schema(&self) -> &'static Schema {
        &RUM
    }

    fn load(&self, known: &[Arc<Memory>], emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool) -> Loaded {
        let stamps = (self.db.stamp(), db::stamp(&self.info.archive));
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.is_empty() && *last == Some(stamps) {
            let loaded = Loaded {
                memories: known.to_vec(),
                ..Loaded::default()
            };
            emit(&loaded.memories);
            return loaded;
        }
        let loaded = reader::load(self, known, emit);
        // A database that changed while it was read is read again the next time.
        let same = stamps == (self.db.stamp(), db::stamp(&self.info.archive));
        *last = same.then_some(stamps);
        loaded
    }

    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        requests::stage(self, request, overlay)
    }

    fn put_back(&self, deleted: &Deleted<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        match deleted.id.local.starts_with("archive/") {
            true => archive::append(self, deleted.text, overlay),
            false => archive::put_back(self, deleted.text, overlay),
        }
    }

    fn text(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        if memory.sight == Sight::NoFields {
            return Ok(Vec::new());
        }
        let row = self.row(memory)?;
        Ok(body(table_of(memory.schema), row.cells()).into_bytes())
    }

    fn text_in(&self, memory: &Memory, _bytes: &[u8]) -> Vec<u8> {
        self.text(memory).unwrap_or_default()
    }

    fn loader_body(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        self.json(memory).map(String::into_bytes)
    }

    fn loader_body_in(&self, memory: &Memory, _bytes: &[u8]) -> Vec<u8> {
        self.loader_body(memory).unwrap_or_default()
    }

    fn extras(&self) -> &dyn Extras {
        self
    }
}

impl Extras for RumStore {
    fn other_schemas(&self) -> Vec<&'static Schema> {
        let all = tables::TABLES
            .iter()
            .map(|table| -> &'static Schema { table.schema });
        all.filter(|schema| *schema != self.schema()).collect()
    }

    fn is_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }

    fn come_back(&self, gone: &[&RowChange], overlay: &mut Overlay) -> Result<(), StoreError> {
        archive::come_back(self, gone, overlay)
    }

    fn goes_with(&self, memory: &Memory) -> Result<Vec<String>, StoreError> {
        if memory.state == State::Archived || memory.sight == Sight::NoFields {
            return Ok(Vec::new());
        }
        let id = own_id(&memory.id.local).0;
        let hanging = self.ask(|reader| reader.hanging(table_of(memory.schema).name, id))?;
        Ok(tables::in_words(
            hanging.iter().map(|one| one.table.as_str()),
        ))
    }

    fn said(&self, memory: &Memory) -> Result<Option<String>, StoreError> {
        if memory.sight == Sight::NoFields {
            return Ok(None);
        }
        let row = self.row(memory)?;
        let columns = match table_of(memory.schema).name {
            "memories" => &LAYERS[..],
            _ => &SAID,
        };
        let said = columns.iter().filter_map(|name| row.cells().get(name));
        Ok(Some(said.map(layers::said).collect()))
    }

    fn inner(&self, memory: &Memory) -> Result<Fields, StoreError> {
        if memory.schema.inner.is_empty() || memory.sight == Sight::NoFields {
            return Ok(Fields::default());
        }
        let row = self.row(memory)?;
        Ok(entries::fields(
            &Layers::read(|name| row.cells().get(name)).0,
        ))
    }

    fn beside(&self, memory: &Memory) -> Result<Vec<(&'static str, String)>, StoreError> {
        beside::beside(self, memory)
    }

    /// The text is drawn; of its row nothing stands in a line.
    fn places_of(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        Some(vec![(memory.line, 1); bytes.len()])
    }

    fn body_of(&self, _memory: &Memory, text: &[u8]) -> Vec<u8> {
        text.to_vec()
    }
}
