//! Reading all rows: each gives a memory, whatever is wrong with it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::RumStore;
use super::db::{self, PLACE, Reader, is_busy, quoted, words};
use super::records::{TABLES, Table};
use crate::memory::row::{Cell, Row};
use crate::memory::{Memory, MemoryId, Problem, Severity, Sight};
use crate::store::{Emit, Loaded};
use crate::systems::rum::read::{self, Link, column, stamp};

/// Rows that are read before they are handed on.
const PIECE: usize = 1024;

/// The tables that join memories, and a statement for each: the id of an end, the field, the other
/// id. The cause of a memory has led to it, as the system derives it too (formats: rum).
const JOINS: [(&str, &str); 4] = [
    (
        "memory_links",
        "SELECT iif(own, source_id, target_id), iif(own, link_type,
                iif(link_type = 'caused_by', 'led_to', 'superseded_by')),
            iif(own, target_id, source_id)
            FROM memory_links, (SELECT 1 AS own UNION ALL SELECT 0)
            WHERE own OR link_type IN ('caused_by', 'supersedes')
            ORDER BY created_at, memory_links.rowid",
    ),
    (
        "memory_files",
        "SELECT memory_id, 'files', file_path FROM memory_files ORDER BY rowid",
    ),
    (
        "chapter_memories",
        "SELECT iif(own, chapter_id, memory_id), iif(own, 'members', 'chapters'),
            iif(own, memory_id, chapter_id)
            FROM chapter_memories, (SELECT 1 AS own UNION ALL SELECT 0)
            ORDER BY chapter_id, position IS NULL, position, chapter_memories.rowid",
    ),
    (
        "wisdom_chapters",
        "SELECT wisdom_id, 'members', chapter_id FROM wisdom_chapters ORDER BY rowid",
    ),
];

pub fn load(store: &RumStore, known: &[Arc<Memory>], emit: Emit<'_>) -> Loaded {
    let by_local = known.iter().map(|memory| (&*memory.id.local, memory));
    let mut load = Load {
        store,
        known: by_local.collect(),
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

/// Facts about rows beside their own cells.
struct Surroundings {
    /// What other tables say of each memory, by its id.
    links: HashMap<Box<str>, Vec<Link>>,
    /// The projects that the name of the database stands for; none where RUM would not open it.
    projects: Vec<String>,
}

impl Surroundings {
    /// Why RUM does not see a row of another project: every query of its has the project.
    fn foreign(&self, row: &Row) -> Option<String> {
        let project = self.projects.first()?;
        row.get("project_id")?;
        let own = column(row, "project_id").unwrap_or_default();
        let is_known = self.projects.iter().any(|project| **project == *own);
        (!is_known).then(|| {
            format!("its project_id is `{own}`, but RUM asks this database only for `{project}`")
        })
    }

    fn read(&mut self, reader: &Reader<'_>, table: &str, sql: &str) -> rusqlite::Result<()> {
        if reader.columns(table)?.is_empty() {
            return Ok(());
        }
        let mut statement = reader.0.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let text = |n: usize| {
                let cell = row.get_ref(n)?.as_bytes_or_null().ok().flatten();
                Ok::<_, rusqlite::Error>(String::from_utf8_lossy(cell.unwrap_or_default()))
            };
            let links = self.links.entry((&*text(0)?).into()).or_default();
            let link = ((&*text(1)?).into(), (&*text(2)?).into());
            if !links.contains(&link) {
                links.push(link);
            }
        }
        Ok(())
    }
}

struct Load<'a> {
    store: &'a RumStore,
    known: HashMap<&'a str, &'a Arc<Memory>>,
    memories: Vec<Arc<Memory>>,
    /// Number of archived memories, which come first.
    archived: usize,
    seen: HashMap<Box<str>, usize>,
    emit: &'a mut dyn FnMut(&[Arc<Memory>]) -> bool,
    ended: bool,
    /// True if a row of the database was read.
    started: bool,
    /// Faults of the database as a whole.
    faults: Vec<String>,
    held: bool,
}

impl Load<'_> {
    fn database(&mut self) {
        let store = self.store;
        let read = store.db.read(|reader| {
            self.version(reader)?;
            let mut around = Surroundings {
                links: HashMap::new(),
                projects: store.projects(),
            };
            for (table, sql) in JOINS {
                let read = around.read(reader, table, sql);
                self.fault(table, read)?;
            }
            for table in &TABLES {
                let read = self.table(reader, table, &around);
                self.fault(table.name, read)?;
            }
            Ok(())
        });
        if let Err(error) = read {
            self.held |= is_busy(&error);
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
            self.faults.push(words(&error));
        }
    }

    /// The system writes no version of its schema (formats: rum): one that has some is another.
    fn version(&mut self, reader: &Reader<'_>) -> rusqlite::Result<()> {
        let version = "PRAGMA user_version";
        let version: i64 = reader.0.query_row(version, [], |row| row.get(0))?;
        if version != 0 {
            self.faults.push(format!(
                "the schema is of version {version}; memkeep knows the one without a version"
            ));
        }
        let columns = reader.columns("memories")?;
        if columns.is_empty() {
            self.faults.push("there is no table `memories`".to_owned());
        } else if !columns.iter().any(|column| column.name == "id") {
            let what = "the table `memories` has no column `id`";
            self.faults.push(what.to_owned());
        }
        Ok(())
    }

    /// Notes that a table cannot be read, or not from a row on; passes on that it is in use.
    fn fault(&mut self, table: &str, read: rusqlite::Result<()>) -> rusqlite::Result<()> {
        match read {
            Err(error) if !is_busy(&error) => {
                let what = format!("table {table}: {}", words(&error));
                self.faults.push(what);
                Ok(())
            }
            read => read,
        }
    }

    /// Reads the rows of a table, piece by piece, up to the first that cannot be read.
    fn table(
        &mut self,
        reader: &Reader<'_>,
        table: &'static Table,
        around: &Surroundings,
    ) -> rusqlite::Result<()> {
        let columns = reader.columns(table.name)?;
        let is_there = |name: &&str| columns.iter().any(|column| column.name == *name);
        let names: Vec<&str> = table.columns().filter(is_there).collect();
        if !names.contains(&"id") {
            return Ok(());
        }
        let column = |name: &&str| match *name {
            // Of an embedding only the length is read.
            "embedding" => "length(CAST(embedding AS BLOB))".to_owned(),
            name => quoted(name),
        };
        let list = names.iter().map(column).collect::<Vec<_>>().join(", ");
        let name = table.name;
        let sql = format!("SELECT {PLACE}, {list} FROM {name} ORDER BY {PLACE}");
        let mut statement = reader.0.prepare(&sql)?;
        let mut rows = statement.query_map([], |row| {
            Ok((row.get::<_, i64>(0)?, db::read(row, 1, names.len())?))
        })?;
        let mut fault = Ok(());
        while fault.is_ok() && !self.ended {
            let read = rows.by_ref().take(PIECE);
            let read = read.map_while(|row| row.map_err(|why| fault = Err(why)).ok());
            let piece: Vec<(i64, Vec<Cell>)> = read.collect();
            if piece.is_empty() {
                break;
            }
            self.started = true;
            let first = self.memories.len() - self.archived;
            let rows = piece.into_par_iter().enumerate();
            let made = rows.map(|(at, (place, cells))| {
                let document = u32::try_from(first + at).unwrap_or(u32::MAX);
                let row = names.iter().copied().zip(cells).collect();
                memory(self.store, table, &row, around, (place, document))
            });
            let made = made.collect();
            self.push(made);
        }
        fault
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

/// The place in the LOCAL of a row without an id.
pub(super) fn place_in<'a>(table: &Table, local: &'a str) -> Option<&'a str> {
    let place = local.strip_prefix(table.name)?.strip_prefix('-')?;
    place.parse::<i64>().ok().map(|_| place)
}

fn memory(
    store: &RumStore,
    table: &'static Table,
    row: &Row,
    around: &Surroundings,
    (place, document): (i64, u32),
) -> Memory {
    let id = row.get("id").filter(|id| !id.is_null());
    let id = id.map_or_else(String::new, Cell::shown);
    let local = match id.is_empty() {
        true => format!("{}-{place}", table.name),
        false => id.clone(),
    };
    let local = MemoryId::new(&store.info.id, local);
    let memory = Memory::new(local, store.file.clone(), table.schema);
    let links = around.links.get(&*id).map_or(&[][..], Vec::as_slice);
    let memory = read::read(memory, table.name, row, links, document);
    let foreign = || around.foreign(row).map(Into::into);
    Memory {
        stamp: stamp(row),
        hidden: memory.hidden.clone().or_else(foreign),
        ..memory
    }
}
