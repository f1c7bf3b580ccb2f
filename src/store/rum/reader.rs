//! Reading all rows: each gives a memory, whatever is wrong with it.

mod edges;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use self::edges::Edges;
use super::RumStore;
use super::db::{Reader, Unread, is_busy, local_of, read, words};
use super::tables::{TABLES, Table};
use crate::memory::row::Cell;
use crate::memory::{Memory, MemoryId, Problem, Severity, Sight};
use crate::store::Loaded;
use crate::systems::rum::read::Cells;

/// Rows that are read before they are handed on.
const FIRST_PIECE: usize = 256;
const PIECE: usize = 1024;
/// Rows that cannot be read and are stepped over, before the rest is given up.
const MOST_BROKEN: usize = 100;

/// Reads the database and its archive; see [`crate::store::Store::load`].
pub(super) fn load(
    store: &RumStore,
    known: &[Arc<Memory>],
    emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool,
) -> Loaded {
    let mut load = Load {
        store,
        known: known
            .iter()
            .map(|memory| (&*memory.id.local, memory))
            .collect(),
        memories: Vec::new(),
        archived: 0,
        seen: HashMap::new(),
        emit,
        ended: false,
        started: false,
        faults: Vec::new(),
        held: false,
    };
    let archived = super::archive::load(store).unwrap_or_else(|error| {
        load.faults.push(error.to_string());
        Vec::new()
    });
    load.archived = archived.len();
    if !archived.is_empty() {
        load.push(archived);
    }
    if store.info.path.exists() {
        load.database();
    }
    store.held.store(load.held, Ordering::Relaxed);
    if !load.faults.is_empty() {
        let whole = store.whole(std::mem::take(&mut load.faults));
        load.push(vec![whole]);
    }
    Loaded {
        memories: load.memories,
        ..Loaded::default()
    }
}

/// Facts about a row beside its own cells.
struct Surroundings {
    edges: Edges,
    /// The projects that the name of the database stands for; none where RUM would not open it.
    projects: Vec<String>,
}

impl Surroundings {
    /// Why RUM does not see a row of another project: every query of its has the project.
    fn foreign(&self, cells: Cells<'_>) -> Option<String> {
        let project = self.projects.first()?;
        cells.get("project_id")?;
        let own = cells.text("project_id").unwrap_or_default();
        let is_known = self.projects.iter().any(|project| **project == *own);
        (!is_known).then(|| {
            format!("its project_id is `{own}`, but RUM asks this database only for `{project}`")
        })
    }
}

struct Load<'a> {
    store: &'a RumStore,
    known: HashMap<&'a str, &'a Arc<Memory>>,
    memories: Vec<Arc<Memory>>,
    /// Number of archived memories, which come first.
    archived: usize,
    /// How often an id was met.
    seen: HashMap<Box<str>, usize>,
    emit: &'a mut dyn FnMut(&[Arc<Memory>]) -> bool,
    ended: bool,
    /// True if a row of the database was read.
    started: bool,
    /// Faults of the database as a whole.
    faults: Vec<String>,
    /// True if another program holds it.
    held: bool,
}

impl Load<'_> {
    fn database(&mut self) {
        let store = self.store;
        let read = store.db.read(|reader| {
            self.version(reader)?;
            let around = Surroundings {
                edges: Edges::read(reader, &mut self.faults),
                projects: store.projects(),
            };
            for table in TABLES {
                self.table(reader, table, &around);
            }
            Ok(())
        });
        if let Err(Unread { why, busy }) = read {
            self.held |= busy;
            // Earlier memories are still worth seeing while another program writes.
            let path = &store.file;
            let known = self.known.values().filter(|memory| memory.path == *path);
            let known = known.filter(|memory| memory.sight != Sight::NoFields);
            if !self.started {
                self.memories.extend(known.map(|memory| (**memory).clone()));
                let known = self.memories.get_mut(self.archived..).unwrap_or_default();
                known.sort_by_key(|memory| memory.document);
                self.ended |= !(self.emit)(known);
            }
            self.faults.push(why);
        }
    }

    /// The system writes no version of its schema (formats: rum): one that has some is another.
    fn version(&mut self, reader: &Reader<'_>) -> rusqlite::Result<()> {
        let version: i64 = reader
            .0
            .query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version != 0 {
            self.faults.push(format!(
                "the schema is of version {version}; memkeep knows the one without a version"
            ));
        }
        let columns = reader.columns("memories")?;
        if columns.is_empty() {
            self.faults.push("there is no table `memories`".to_owned());
        } else if !columns.iter().any(|name| name == "id") {
            self.faults
                .push("the table `memories` has no column `id`".to_owned());
        }
        Ok(())
    }

    /// Reads the rows of a table, stepping over those that cannot be read.
    fn table(&mut self, reader: &Reader<'_>, table: &'static Table, around: &Surroundings) {
        let Ok((names, start)) = reader.select(table) else {
            self.faults
                .push(format!("table {}: its columns cannot be read", table.name));
            return;
        };
        if !names.iter().any(|name| name == "id") {
            return;
        }
        let by_row = format!(
            "SELECT rowid FROM \"{}\" WHERE rowid > ?1 ORDER BY rowid LIMIT 1",
            table.name
        );
        let mut from = i64::MIN;
        for _ in 0..MOST_BROKEN {
            let error = match self.rows(reader, table, &names, &start, &mut from, around) {
                Ok(()) => return,
                Err(error) => error,
            };
            if is_busy(&error) {
                self.held = true;
                self.faults.push(words(&error));
                return;
            }
            let next = reader
                .0
                .query_row(&by_row, [from], |row| row.get::<_, i64>(0));
            let place = match &next {
                Ok(row) => format!("row {row}"),
                Err(_) if from == i64::MIN => "from the first row on".to_owned(),
                Err(_) => format!("after row {from}"),
            };
            self.faults
                .push(format!("table {}, {place}: {}", table.name, words(&error)));
            match next {
                Ok(next) => from = next,
                Err(_) => return,
            }
        }
    }

    fn rows(
        &mut self,
        reader: &Reader<'_>,
        table: &'static Table,
        names: &Arc<[String]>,
        start: &str,
        from: &mut i64,
        around: &Surroundings,
    ) -> rusqlite::Result<()> {
        let by_row =
            start.replacen("SELECT ", "SELECT rowid, ", 1) + " WHERE rowid > ?1 ORDER BY rowid";
        // A table without row ids is read in the order of its key.
        let plain =
            start.replacen("SELECT ", "SELECT 0, ", 1) + " WHERE ?1 IS NOT NULL ORDER BY id";
        let mut statement = reader
            .0
            .prepare(&by_row)
            .or_else(|_| reader.0.prepare(&plain))?;
        let mut rows = statement.query([*from])?;
        let (mut most, mut result) = (FIRST_PIECE, Ok(true));
        while matches!(result, Ok(true)) && !self.ended {
            let mut piece: Vec<(i64, Vec<Cell>)> = Vec::with_capacity(most);
            while piece.len() < most && matches!(result, Ok(true)) {
                let read = next(&mut rows, names.len(), from);
                result = read.map(|cells| cells.map(|cells| piece.push((*from, cells))).is_some());
            }
            most = PIECE;
            self.started |= !piece.is_empty();
            let first = self.memories.len() - self.archived;
            let rows = piece.par_iter().enumerate();
            let made = rows.map(|(at, (place, cells))| {
                let document = u32::try_from(first + at).unwrap_or(u32::MAX);
                let cells = Cells { names, cells };
                memory(self.store, table, cells, around, (*place, document))
            });
            let made = made.collect();
            self.push(made);
        }
        result.map(drop)
    }

    /// Adds memories; one that is as it was is the one that is known.
    fn push(&mut self, made: Vec<Memory>) {
        let from = self.memories.len();
        for mut memory in made {
            let count = self.seen.entry(memory.id.local.clone()).or_default();
            *count += 1;
            if *count > 1 {
                let what = format!(
                    "another row has the id `{}` too: its system finds one of them",
                    memory.id.local
                );
                let place = (memory.line, 1);
                let problem = Problem::new("duplicate-id", Severity::Warning, place, what);
                memory.problems = memory.problems.iter().cloned().chain([problem]).collect();
                memory.id.local = format!("{}#{count}", memory.id.local).into();
            }
            let known = self.known.get(&*memory.id.local).copied();
            let same = known.filter(|known| ***known == memory);
            self.memories.push(match same {
                Some(known) => Arc::clone(known),
                None => Arc::new(memory),
            });
        }
        self.ended |= !(self.emit)(self.memories.get(from..).unwrap_or_default());
    }
}

/// Reads a row that was asked for with its place before it.
fn next(
    rows: &mut rusqlite::Rows<'_>,
    columns: usize,
    place: &mut i64,
) -> rusqlite::Result<Option<Vec<Cell>>> {
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let cells = read(row, 1, columns)?;
    *place = row.get(0)?;
    Ok(Some(cells))
}

/// The memory of a row.
fn memory(
    store: &RumStore,
    table: &'static Table,
    cells: Cells<'_>,
    around: &Surroundings,
    (place, document): (i64, u32),
) -> Memory {
    let id = cells.text("id").unwrap_or_default();
    let mut read = (table.read)(cells, around.edges.around(&id));
    if id.is_empty() {
        let what = "the row has no id: its system can neither find nor change it".to_owned();
        read.faults.push((Severity::Error, "missing-field", what));
    }
    let local = if id.is_empty() {
        local_of(table, place).into()
    } else {
        id
    };
    let memory = Memory::new(
        MemoryId::new(&store.info.id, &*local),
        store.file.clone(),
        table.schema,
    );
    let memory = read.into_memory(memory, document);
    let foreign = || around.foreign(cells).map(Into::into);
    Memory {
        stamp: cells.stamp(),
        hidden: memory.hidden.clone().or_else(foreign),
        ..memory
    }
}
