//! RUM's databases: `NAME.rum.db` (`rum-memory-schema`; formats: rum). A memory is a row. Reading
//! writes nothing, and nobody who writes is kept waiting (`store::rows`).

mod add;
mod archive;
pub(in crate::store) mod db;
mod edit;
mod reader;
pub(in crate::store) mod records;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;

use super::discover::formats::{Format, System};
use super::{
    Deleted, Emit, Loaded, Overlay, Request, Result, Store, StoreError, StoreInfo, files, refuse,
    refuse_unless,
};
use crate::curate::RowChange;
use crate::memory::row::{Cell, Row};
use crate::memory::schema::Kind;
use crate::memory::{Fields, Memory, MemoryId, Problem, Schema, Severity, Sight, Stamp, State};
use crate::systems::rum::layers::{self, Layers};
use crate::systems::rum::read::body;
use crate::systems::rum::{LAYERS, RUM, entries};
use db::{Database, PLACE};
use edit::Edit;
use records::{Record, TABLES, Table};

const END: &str = ".db";

/// The end of the names of the databases that the system opens: what stands before is the project.
const PROJECT_END: &str = ".rum.db";

struct Rum;

impl System for Rum {
    /// The file of archived memories, a JSON line each: RUM opens `{project}.rum.db` only.
    fn archive(&self, database: &Path) -> PathBuf {
        let database = &files::target(database).unwrap_or_else(|_| database.to_owned());
        let name = database.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.strip_suffix(END).unwrap_or(&name);
        database.with_file_name(format!("{stem}.archive.jsonl"))
    }

    /// A database by its content, SQLite with memories; by its name if it cannot be read.
    fn holder(&self, path: &Path) -> Option<PathBuf> {
        let is_rum = || {
            let columns = Database::new(path.to_owned()).read(|reader| reader.columns("memories"));
            let columns = columns.unwrap_or_default();
            let mut wanted = ["id", "intent", "outcome"].iter();
            wanted.all(|wanted| columns.iter().any(|column| column.name == *wanted))
        };
        let is_it = project_of(path).is_some() || db::begins_like_a_database(path) && is_rum();
        (path.is_file() && is_it).then(|| path.to_owned())
    }

    fn open(&'static self, info: StoreInfo) -> Box<dyn Store> {
        Box::new(RumStore::new(info))
    }
}

pub(super) fn format() -> Format {
    let places: [&[_]; 2] = [&["*.rum.db"], &[".rum/projects/*/*.rum.db"]];
    Format::coded("rum", 40, places, &Rum)
}

/// The project that the system opens a database as, by its name.
fn project_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    Some(name.strip_suffix(PROJECT_END)?.to_owned())
}

pub struct RumStore {
    info: StoreInfo,
    file: Arc<Path>,
    db: Database,
    /// The state of the files when they were last read.
    last: Mutex<Option<(Stamp, Stamp)>>,
    /// True if another program held the database when it was last read.
    held: AtomicBool,
}

impl RumStore {
    pub fn new(info: StoreInfo) -> Self {
        Self {
            db: Database::new(info.path.clone()),
            file: info.path.as_path().into(),
            last: Mutex::default(),
            held: AtomicBool::default(),
            info,
        }
    }

    /// The row of a memory as JSON; a layer that can be read is written as it stands.
    fn json(&self, memory: &Memory) -> Result<String> {
        use serde_json::Value;
        let row = self.row(memory)?;
        let (layers, _) = Layers::read(&row);
        let members = row.0.iter().map(|(name, cell)| {
            let value = match cell {
                cell if LAYERS.contains(&&**name) => match (layers.of(name), cell.as_str()) {
                    (Value::Null, _) | (_, None) => layers.of(name).to_string(),
                    (_, Some(own)) => own.trim().to_owned(),
                },
                Cell::Int(number) => number.to_string(),
                Cell::Real(number) => Value::from(*number).to_string(),
                Cell::Null => Value::Null.to_string(),
                cell => Value::from(cell.shown()).to_string(),
            };
            format!("{}:{value}", Value::from(name.as_str()))
        });
        let links = self.shown_links(row.text("id").unwrap_or_default())?;
        let links = format!("\"links\":{}", Value::from(links));
        let members: Vec<String> = members.collect();
        Ok(format!("{{{},{links}}}", members.join(",")))
    }

    /// Links as the system shows them: causes and relations by their ends, then effects.
    fn shown_links(&self, id: &str) -> Result<serde_json::Map<String, Json>, StoreError> {
        let sql = "SELECT * FROM (SELECT link_type, target_id FROM memory_links
                WHERE source_id = ?1 AND link_type IN ('caused_by', 'related_to')
                ORDER BY target_id, link_type)
            UNION ALL SELECT * FROM (SELECT 'led_to', source_id FROM memory_links
                WHERE target_id = ?1 AND link_type = 'caused_by' ORDER BY rowid)";
        let links = self.ask(|reader| {
            if reader.columns("memory_links")?.is_empty() {
                return Ok(Vec::new());
            }
            let mut statement = reader.0.prepare_cached(sql)?;
            let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<rusqlite::Result<Vec<(String, String)>>>()
        })?;
        let mut shown = serde_json::Map::new();
        for (kind, end) in links {
            let ends = shown.entry(kind).or_insert_with(|| Json::Array(Vec::new()));
            if let Json::Array(ends) = ends {
                ends.push(end.into());
            }
        }
        Ok(shown)
    }

    /// The projects that the database can be opened as, by its name and by that of a link's target.
    fn projects(&self) -> Vec<String> {
        let target = files::target(&self.info.path).ok();
        let paths = std::iter::once(&self.info.path).chain(&target);
        paths.filter_map(|path| project_of(path)).collect()
    }

    fn ask<T>(&self, run: impl FnOnce(&db::Reader<'_>) -> rusqlite::Result<T>) -> Result<T> {
        let read = self.db.read(run);
        read.map_err(|error| db::error(&self.info.path, &error))
    }

    /// The record of a memory as it is now; of several rows with one id the one that was seen.
    fn record(&self, memory: &Memory) -> Result<Option<Record>> {
        let (table, local) = (Table::of(memory.schema), &*memory.id.local);
        let mut found = self.ask(|reader| {
            let with_id = reader.records(table.name, "id", own_id(local))?;
            match reader::place_in(table, local).filter(|_| with_id.is_empty()) {
                Some(place) => reader.records(table.name, PLACE, place),
                None => Ok(with_id),
            }
        })?;
        let is_seen = |record: &Record| table.stamp(&record.row) == memory.stamp;
        let at = found.iter().position(is_seen).unwrap_or_default();
        Ok((at < found.len()).then(|| found.swap_remove(at)))
    }

    fn row(&self, memory: &Memory) -> Result<Row> {
        let row = match memory.state {
            State::Archived => Some(archive::row(self, memory)?),
            _ => self.record(memory)?.map(|record| record.row),
        };
        let row = row.ok_or_else(|| StoreError::Changed(self.info.path.clone()))?;
        Ok(Table::of(memory.schema).loaded(&row))
    }

    /// The record of a memory, in the state in which the person saw it, or as it is staged.
    fn current(&self, memory: &Memory, overlay: &Overlay) -> Result<Record> {
        if memory.state == State::Archived {
            return refuse("it is archived: restore it first");
        }
        if memory.sight == Sight::NoFields {
            return refuse("it stands for a database that cannot be read as it is");
        }
        let changed = || StoreError::Changed(self.info.path.clone());
        let table = Table::of(memory.schema);
        let mut record = self.record(memory)?.ok_or_else(changed)?;
        if record.text("id").is_empty() {
            return refuse(
                "the row has no id, which alone tells one row from another: give it one first, with \
                 its system or with `sqlite3`",
            );
        }
        match overlay.row(&self.info.path, table.name, &record.key) {
            // Of a staged row only the compared cells are held.
            Some(staged) => {
                for (name, cell) in &staged.ok_or_else(changed)?.0 {
                    record.row.set(name, cell.clone());
                }
                Ok(record)
            }
            None if table.stamp(&record.row) == memory.stamp => Ok(record),
            None => Err(changed()),
        }
    }

    /// True if a row with an id is staged to come or to stay, false if to go.
    fn is_staged(&self, table: &str, id: &str, overlay: &Overlay) -> Option<bool> {
        let key: Row = [("id", Cell::from(id))].into_iter().collect();
        let row = overlay.row(&self.info.path, table, &key)?;
        Some(row.is_some())
    }

    fn stage_changes(&self, changes: Vec<RowChange>, overlay: &mut Overlay) {
        for change in changes {
            overlay.change_row(&self.info.path, change);
        }
    }

    /// Takes a memory out, with all that hangs on it; gives its line of the archive.
    fn take_out(&self, memory: &Memory, overlay: &mut Overlay) -> Result<Vec<u8>> {
        let own = self.current(memory, overlay)?;
        let id = own_id(&memory.id.local);
        let records = self.ask(|reader| {
            let hanging = reader.hanging(&own.table, id)?;
            let all = std::iter::once(own).chain(hanging);
            let all = all.map(|record| {
                let missing = reader.missing(&record.table, &record.row, &|_, _| None)?;
                let loose = missing.is_some();
                Ok(Record { loose, ..record })
            });
            all.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let mut changes = records::changes(&records, Vec::new());
        // A row that depends on two memories goes with the first of them.
        changes.retain(|change| {
            overlay.row(&self.info.path, &change.table, &change.key) != Some(None)
        });
        self.stage_changes(changes, overlay);
        Ok(archive::line(memory, records, overlay))
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
fn own_id(local: &str) -> &str {
    let numbered = local.rsplit_once('#');
    let numbered = numbered.filter(|(_, number)| number.parse().is_ok_and(|n: usize| n > 1));
    numbered.map_or(local, |(id, _)| id)
}

impl Store for RumStore {
    fn info(&self) -> &StoreInfo {
        &self.info
    }

    fn schema(&self) -> &'static Schema {
        &RUM
    }

    fn load(&self, known: &[Arc<Memory>], emit: Emit<'_>) -> Loaded {
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

    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result {
        match *request {
            Request::Edit(memory, edits) => Edit::apply(self, memory, edits, overlay),
            Request::Add(new) => add::add(self, new, overlay),
            Request::Delete(memory) => {
                let line = match memory.state {
                    State::Archived => archive::take_out(self, memory, overlay)?,
                    _ => self.take_out(memory, overlay)?,
                };
                overlay.took(&memory.id, line);
                Ok(())
            }
            Request::Archive(memory) => {
                let line = self.take_out(memory, overlay)?;
                archive::append(self, &line, overlay)
            }
            Request::Restore(memory) => {
                refuse_unless(State::Archived, memory)?;
                let line = archive::take_out(self, memory, overlay)?;
                archive::put_back(self, &line, overlay)
            }
            Request::Save(..) => {
                refuse("the text of a RUM memory is drawn from its layers: edit its fields")
            }
            Request::Rename(..) => refuse("a row has no name but its id, which stays"),
            Request::SplitFile(_) | Request::Normalize(_) => {
                refuse("a database has no text to be put right")
            }
        }
    }

    fn put_back(&self, deleted: &Deleted<'_>, overlay: &mut Overlay) -> Result {
        match deleted.id.local.starts_with("archive/") {
            true => archive::append(self, deleted.text, overlay),
            false => archive::put_back(self, deleted.text, overlay),
        }
    }

    fn text(&self, memory: &Memory) -> Result<Vec<u8>> {
        if memory.sight == Sight::NoFields {
            return Ok(Vec::new());
        }
        let row = self.row(memory)?;
        Ok(body(memory.schema, &row).into_bytes())
    }

    fn text_in(&self, memory: &Memory, _bytes: &[u8]) -> Vec<u8> {
        self.text(memory).unwrap_or_default()
    }

    fn loader_body(&self, memory: &Memory) -> Result<Vec<u8>> {
        self.json(memory).map(String::into_bytes)
    }

    fn loader_body_in(&self, memory: &Memory, _bytes: &[u8]) -> Vec<u8> {
        self.loader_body(memory).unwrap_or_default()
    }

    fn other_schemas(&self) -> Vec<&'static Schema> {
        let all = TABLES.iter().skip(1);
        all.map(|table| &**table.schema).collect()
    }

    fn is_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }

    fn come_back(&self, gone: &[&RowChange], overlay: &mut Overlay) -> Result {
        archive::come_back(self, gone, overlay)
    }

    fn goes_with(&self, memory: &Memory) -> Result<Vec<String>> {
        if memory.state == State::Archived || memory.sight == Sight::NoFields {
            return Ok(Vec::new());
        }
        let id = own_id(&memory.id.local);
        let hanging = self.ask(|reader| reader.hanging(Table::of(memory.schema).name, id))?;
        let tables = hanging.iter().map(|one| one.table.as_str());
        Ok(records::in_words(tables))
    }

    fn said(&self, memory: &Memory) -> Result<Option<String>> {
        if memory.sight == Sight::NoFields {
            return Ok(None);
        }
        let (row, schema) = (self.row(memory)?, memory.schema);
        let kind = |name: &str| schema.field(name).map(|one| one.kind);
        let is_list = |name: &str| kind(name) == Some(Kind::Lines);
        let says = |name: &str| match std::ptr::eq(schema, &*RUM) {
            true => LAYERS.contains(&name),
            false => name == "summary" || is_list(name),
        };
        let said = row.0.iter().filter(|(name, _)| says(name));
        Ok(Some(said.map(|(_, cell)| layers::said(cell)).collect()))
    }

    fn inner(&self, memory: &Memory) -> Result<Fields> {
        if memory.schema.inner.is_empty() || memory.sight == Sight::NoFields {
            return Ok(Fields::default());
        }
        let row = self.row(memory)?;
        Ok(entries::fields(&Layers::read(&row).0))
    }

    /// The text is drawn; of its row nothing stands in a line.
    fn places_of(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        Some(vec![(memory.line, 1); bytes.len()])
    }

    fn body_of(&self, _memory: &Memory, text: &[u8]) -> Vec<u8> {
        text.to_vec()
    }
}
