//! The tables of the system and what hangs on what (formats: rum), and records of their rows.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use itertools::Itertools as _;
use rusqlite::params_from_iter;
use serde::{Deserialize, Serialize};

use super::db::{PLACE, Reader, quoted, read};
use crate::curate::RowChange;
use crate::memory::row::{Cell, Row};
use crate::memory::{Schema, Stamp, Timestamp};
use crate::systems::rum::read::{COUNTED, stamp};
use crate::systems::rum::{CHAPTER, RUM, WISDOM};

/// A table whose rows are memories.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    pub schema: &'static LazyLock<Schema>,
    columns: &'static str,
}

pub static TABLES: [Table; 3] = [
    Table {
        name: "memories",
        schema: &RUM,
        columns: "id agent_id project_id session_id created_at intent_goal intent_type \
            outcome_success outcome_summary intent perception reasoning actions outcome tags \
            importance access_count last_accessed embedding",
    },
    Table {
        name: "chapters",
        schema: &CHAPTER,
        columns: "id project_id created_at updated_at title summary learnings start_ts end_ts tags \
            topics origin",
    },
    Table {
        name: "wisdom",
        schema: &WISDOM,
        columns: "id project_id created_at updated_at summary insights patterns best_practices \
            tags start_ts end_ts",
    },
];

/// References: table, column, and the table of the row it names. A database may declare more.
const REFERENCES: [(&str, &str, &str); 7] = [
    ("memory_files", "memory_id", "memories"),
    ("memory_links", "source_id", "memories"),
    ("memory_links", "target_id", "memories"),
    ("chapter_memories", "memory_id", "memories"),
    ("chapter_memories", "chapter_id", "chapters"),
    ("wisdom_chapters", "chapter_id", "chapters"),
    ("wisdom_chapters", "wisdom_id", "wisdom"),
];

/// Tables whose rows join two others: what one row is, and what several are.
const JOINS: [(&str, &str, &str); 3] = [
    ("memory_links", "link", "links"),
    (
        "chapter_memories",
        "place in a chapter",
        "places in a chapter",
    ),
    ("wisdom_chapters", "place in wisdom", "places in wisdom"),
];

impl Table {
    /// The table whose rows have a schema; that of memories where none has.
    pub fn of(schema: &'static Schema) -> &'static Self {
        let [memories, ..] = &TABLES;
        let mut tables = TABLES.iter();
        let own = tables.find(|table| std::ptr::eq::<Schema>(&**table.schema, schema));
        own.unwrap_or(memories)
    }

    /// The columns that are read, where the table has them.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.columns.split_whitespace()
    }

    /// A row as a load has it: the columns that are read, and of an embedding its length.
    pub fn loaded(&self, row: &Row) -> Row {
        let cell = |name| match (name, row.get(name)?.clone()) {
            ("embedding", Cell::Blob(bytes)) => {
                Some((name, Cell::Int(i64::try_from(bytes.len()).ok()?)))
            }
            (_, cell) => Some((name, cell)),
        };
        self.columns().filter_map(cell).collect()
    }

    pub fn stamp(&self, row: &Row) -> Stamp {
        stamp(&self.loaded(row))
    }
}

pub fn is_join(table: &str) -> bool {
    JOINS.iter().any(|(join, ..)| *join == table)
}

/// The column with the other end of the rows of a table that join two others, and its table.
pub fn other_end(table: &str, own: &str) -> (&'static str, &'static str) {
    let mut ends = REFERENCES.iter().filter(|end| end.0 == table);
    let other = ends.find(|end| end.1 != own);
    let other = other.map(|(_, column, of)| (*column, *of));
    other.unwrap_or_default()
}

/// The ids that a row joins, each with its table.
pub fn ends<'a>(table: &'a str, row: &'a Row) -> impl Iterator<Item = (&'static str, &'a str)> {
    let own = REFERENCES.iter();
    let own = own.filter(move |own| own.0 == table && is_join(table));
    own.map(|(_, column, other)| (*other, row.text(column).unwrap_or_default()))
}

/// Note about rows that stay away, by its table and the id it would need; none where nothing does.
pub fn away(rows: &[(String, String)]) -> Option<String> {
    let what = in_words(rows.iter().map(|(table, _)| table.as_str())).join(", ");
    let mut needed: Vec<&str> = rows.iter().map(|(_, id)| id.as_str()).collect();
    needed.sort_unstable();
    needed.dedup();
    let stays = match rows.len() {
        0 => return None,
        1 => "stays",
        _ => "stay",
    };
    let is = if needed.len() == 1 { "is" } else { "are" };
    let needed = needed.join(", ");
    Some(format!("{what} {stays} away until {needed} {is} there"))
}

/// Numbers of rows of each table, in words; the files of a memory are its own.
pub fn in_words<'a>(tables: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for table in tables.filter(|table| *table != "memory_files") {
        *counts.entry(table).or_default() += 1;
    }
    let joins = JOINS.iter().filter_map(|(join, one, several)| {
        let count = counts.get(join)?;
        let noun = if *count == 1 { one } else { several };
        Some(format!("{count} {noun}"))
    });
    let others = counts.iter().filter(|(table, _)| !is_join(table));
    let others = others.map(|(table, count)| match count {
        1 => format!("1 row of {table}"),
        _ => format!("{count} rows of {table}"),
    });
    joins.chain(others).collect()
}

/// A row of a table, with the columns that tell it from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub table: String,
    /// The columns that tell it.
    pub key: Row,
    pub row: Row,
    /// True if something that it refers to is missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loose: bool,
}

impl Record {
    /// True if both are the same row of the same table, whatever they hold.
    pub fn is(&self, other: &Self) -> bool {
        self.table == other.table && self.key == other.key
    }

    pub fn text(&self, column: &str) -> &str {
        self.row.text(column).unwrap_or_default()
    }

    /// The record with another cell, where the table has the column.
    pub fn with(&self, column: &str, cell: Cell) -> Self {
        let mut new = self.clone();
        new.row.set(column, cell);
        new
    }

    /// The record as a new one is written: cells without a value are left to the database.
    pub fn without_nulls(mut self) -> Self {
        self.row.0.retain(|(_, cell)| !cell.is_null());
        self
    }

    pub fn addition(self) -> RowChange {
        RowChange {
            table: self.table,
            key: self.key,
            before: None,
            after: Some(self.row),
            loose: self.loose,
        }
    }

    /// The change to another state, if any, without counters and embeddings that stay.
    fn update(&self, after: &Self) -> Option<RowChange> {
        let is_same = |name: &str| {
            let both = self.row.get(name).zip(after.row.get(name));
            both.is_some_and(|(one, other)| one.same(other))
        };
        let stays = |name: &str| matches!(self.row.get(name), Some(Cell::Blob(_))) && is_same(name);
        let is_compared = |name: &str| name != PLACE && !COUNTED.contains(&name) && !stays(name);
        let compared = |row: &Row| {
            let cells = row.0.iter().filter(|(name, _)| is_compared(name));
            cells.cloned().collect()
        };
        (self.row != after.row).then(|| RowChange {
            table: self.table.clone(),
            key: self.key.clone(),
            before: Some(compared(&self.row)),
            after: Some(compared(&after.row)),
            loose: false,
        })
    }
}

/// The changes from some records to others. The first record goes last: the others hang on it.
pub(super) fn changes(before: &[Record], after: Vec<Record>) -> Vec<RowChange> {
    let gone = before.iter().skip(1).chain(before.first());
    let gone = gone.filter(|old| !after.iter().any(|new| new.is(old)));
    let removal = |old: &Record| old.clone().addition().inverse();
    let mut changes: Vec<RowChange> = gone.map(removal).collect();
    changes.extend(after.into_iter().filter_map(
        |new| match before.iter().find(|old| old.is(&new)) {
            Some(old) => old.update(&new),
            None => Some(new.addition()),
        },
    ));
    changes
}

/// An id of the system's kind, made of moment and purpose: the same command writes the same.
pub(super) fn fresh_id(prefix: &str, now: Timestamp, parts: &[&str]) -> String {
    let seed = format!("{prefix}\n{}\n{}", now.0, parts.join("\n"));
    let hex = crate::curate::Digest::of(seed.as_bytes()).0;
    let part = |(from, to): (usize, usize)| hex.get(from..to).unwrap_or_default();
    let [a, b, c, d, e] = [(0, 8), (8, 12), (13, 16), (17, 20), (20, 32)].map(part);
    // Version 4, variant 1, as of a random one.
    format!("{prefix}_{a}-{b}-4{c}-a{d}-{e}")
}

impl Reader<'_> {
    /// A new record of a table: its columns, with the values of those that have one.
    pub fn fresh(&self, table: &str, cells: &[(&str, Cell)]) -> rusqlite::Result<Record> {
        let columns = self.columns(table)?;
        let cell = |name: &str| {
            let own = cells.iter().find(|(own, _)| *own == name);
            own.map_or(Cell::Null, |(_, cell)| cell.clone())
        };
        let row = |is_wanted: &dyn Fn(bool) -> bool| -> Row {
            let wanted = columns.iter().filter(|column| is_wanted(column.is_key));
            let cells = wanted.map(|column| (&*column.name, cell(&column.name)));
            cells.collect()
        };
        let (key, row) = (row(&|is_key| is_key), row(&|_| true));
        Ok(Record {
            table: table.to_owned(),
            key: if key.0.is_empty() { row.clone() } else { key },
            row,
            loose: false,
        })
    }

    /// The rows of a table that have a value in a column, or are at a place.
    pub fn records(&self, table: &str, column: &str, value: &str) -> rusqlite::Result<Vec<Record>> {
        let columns = self.columns(table)?;
        let mut names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
        if names.is_empty() || (column != PLACE && !names.contains(&column)) {
            return Ok(Vec::new());
        }
        if !names.contains(&PLACE) {
            names.insert(0, PLACE);
        }
        let list = names.iter().map(|name| quoted(name)).join(", ");
        let (from, own) = (quoted(table), quoted(column));
        let sql = format!("SELECT {list} FROM {from} WHERE {own} = ?1 ORDER BY {PLACE}");
        let mut statement = self.0.prepare_cached(&sql)?;
        let keys = columns.iter().filter(|column| column.is_key);
        let mut keys: Vec<&str> = keys.map(|column| &*column.name).collect();
        if keys.is_empty() {
            keys.push(PLACE);
        }
        let records = statement.query_map([value], |row| {
            let cells = read(row, 0, names.len())?;
            let row: Row = names.iter().copied().zip(cells).collect();
            let key = row.0.iter().filter(|(name, _)| keys.contains(&&**name));
            Ok(Record {
                table: table.to_owned(),
                key: key.cloned().collect(),
                row,
                loose: false,
            })
        })?;
        records.collect()
    }

    /// Everything that refers to a row and goes with it.
    pub fn hanging(&self, table: &str, id: &str) -> rusqlite::Result<Vec<Record>> {
        let mut all: Vec<Record> = Vec::new();
        for [from, column, to, by] in self.references()? {
            if to != table || by != "id" {
                continue;
            }
            for record in self.records(&from, &column, id)? {
                if !all.iter().any(|known| known.is(&record)) {
                    all.push(record);
                }
            }
        }
        Ok(all)
    }

    /// References that the database declares, and the system's: table, column, to table and column.
    fn references(&self) -> rusqlite::Result<Vec<[String; 4]>> {
        let declared = "SELECT s.name, f.\"from\", lower(f.\"table\"), coalesce(f.\"to\", 'id')
            FROM sqlite_schema s, pragma_foreign_key_list(s.name) f
            WHERE s.type = 'table' ORDER BY s.rowid";
        let mut statement = self.0.prepare_cached(declared)?;
        let rows = statement.query_map([], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
        })?;
        let mut all = rows.collect::<rusqlite::Result<Vec<[String; 4]>>>()?;
        for (from, column, to) in REFERENCES {
            let is_it = |known: &[String; 4]| known[..2] == [from, column];
            if !all.iter().any(is_it) {
                all.push([from, column, to, "id"].map(str::to_owned));
            }
        }
        Ok(all)
    }

    /// The first dangling reference of a row; `staged` says if a row will be there, where known.
    pub fn missing(
        &self,
        table: &str,
        row: &Row,
        staged: &dyn Fn(&str, &str) -> Option<bool>,
    ) -> rusqlite::Result<Option<(String, String)>> {
        let all = self.references()?.into_iter();
        for [_, column, to, id] in all.filter(|[from, ..]| from == table) {
            let cell = row.get(&column).filter(|cell| !cell.is_null());
            let Some(cell) = cell else { continue };
            let wanted = cell.shown();
            let known = staged(&to, &wanted).filter(|_| id == "id");
            if !known.unwrap_or_else(|| self.has(&to, &id, &wanted)) {
                return Ok(Some((column, wanted)));
            }
        }
        Ok(None)
    }

    pub fn has(&self, table: &str, column: &str, value: &str) -> bool {
        let (table, column) = (quoted(table), quoted(column));
        let sql = format!("SELECT 1 FROM {table} WHERE {column} = ?1");
        self.value(&sql, &[value]).is_some()
    }

    /// One value that a statement gives; none where it gives none or cannot be run.
    pub fn value(&self, sql: &str, with: &[&str]) -> Option<Cell> {
        let mut statement = self.0.prepare_cached(sql).ok()?;
        let cells = statement.query_row(params_from_iter(with), |row| read(row, 0, 1));
        cells.ok()?.pop()
    }
}
