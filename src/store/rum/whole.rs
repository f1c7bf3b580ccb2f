//! Whole rows, with everything that hangs on them: what a change takes away and puts back.

use rusqlite::{Connection, params_from_iter};
use serde::{Deserialize, Serialize};

use super::db::{PLACE, Reader, read};
use super::tables::ends;
use crate::curate::RowChange;
use crate::memory::Timestamp;
use crate::memory::row::{Cell, Row};
use crate::store::StoreError;

/// References to rows by table: the system's tables, where the database itself does not
/// say so (formats: rum).
const HANGS: [(&str, &str, &str); 6] = [
    ("memories", "memory_files", "memory_id"),
    ("memories", "memory_links", "source_id"),
    ("memories", "memory_links", "target_id"),
    ("memories", "chapter_memories", "memory_id"),
    ("chapters", "chapter_memories", "chapter_id"),
    ("chapters", "wisdom_chapters", "chapter_id"),
];

/// More of them, for the last table.
const HANGS_ON_WISDOM: [(&str, &str, &str); 1] = [("wisdom", "wisdom_chapters", "wisdom_id")];

/// A row of a table, with the columns that tell it from the others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Whole {
    /// Its table.
    pub table: String,
    /// The columns that tell it.
    pub key: Row,
    /// All its cells.
    pub row: Row,
    /// True if something that it refers to is missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loose: bool,
}

/// A column of a table as the database describes it.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// True if it needs a value and has none by itself.
    pub needed: bool,
    /// True if it is a part of the key.
    pub is_key: bool,
}

/// Columns that the system counts in whenever a memory is read: they are nobody's change.
const COUNTED: [&str; 2] = ["access_count", "last_accessed"];

pub(super) fn refused(why: &str) -> StoreError {
    StoreError::Refused(why.to_owned())
}

/// The change that takes a row away.
pub(super) fn removal(whole: &Whole) -> RowChange {
    RowChange {
        table: whole.table.clone(),
        key: whole.key.clone(),
        before: Some(whole.row.clone()),
        after: None,
        loose: whole.loose,
    }
}

/// The change that adds a row.
pub(super) fn addition(whole: Whole) -> RowChange {
    RowChange {
        table: whole.table,
        key: whole.key,
        before: None,
        after: Some(whole.row),
        loose: whole.loose,
    }
}

/// The change of a row that stays: what the system counts in is not looked at, nor is an
/// embedding that stays as it is.
pub(super) fn change(before: &Whole, after: Row) -> RowChange {
    let looked = |name: &str| {
        let same = || {
            before
                .row
                .get(name)
                .zip(after.get(name))
                .is_some_and(|(a, b)| a.same(b))
        };
        let blob = matches!(before.row.get(name), Some(Cell::Blob(_)));
        name != PLACE && !COUNTED.contains(&name) && !(blob && same())
    };
    let part = |row: &Row| {
        row.0
            .iter()
            .filter(|(name, _)| looked(name))
            .cloned()
            .collect()
    };
    RowChange {
        table: before.table.clone(),
        key: before.key.clone(),
        before: Some(part(&before.row)),
        after: Some(part(&after)),
        loose: false,
    }
}

/// A list as the system writes it.
pub(super) fn list(items: &[String]) -> Cell {
    serde_json::Value::from(items.to_vec()).to_string().into()
}

/// An id of the system's kind. It follows from the moment and from what it is for, so that the
/// same command at the same time writes the same.
pub(super) fn fresh_id(prefix: &str, now: Timestamp, parts: &[&str]) -> String {
    let seed = format!("{prefix}\n{}\n{}", now.0, parts.join("\n"));
    let hex = crate::curate::Digest::of(seed.as_bytes()).0;
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    // Version 4, variant 1, as of a random one.
    format!(
        "{prefix}_{}-{}-4{}-a{}-{}",
        part(0, 8),
        part(8, 12),
        part(13, 16),
        part(17, 20),
        part(20, 32)
    )
}

impl Reader<'_> {
    /// The columns of a table.
    pub fn described(&self, table: &str) -> rusqlite::Result<Vec<Column>> {
        let sql = "SELECT name, \"notnull\", dflt_value IS NULL, pk FROM pragma_table_info(?1)";
        let mut statement = self.0.prepare_cached(sql)?;
        let columns = statement.query_map([table], |row| {
            let is_key = row.get::<_, i64>(3)? > 0;
            Ok(Column {
                name: row.get(0)?,
                needed: (row.get::<_, bool>(1)? && row.get::<_, bool>(2)?) || is_key,
                is_key,
            })
        })?;
        columns.collect()
    }

    /// The rows of a table that have a value in a column.
    pub fn wholes(&self, table: &str, column: &str, value: &str) -> rusqlite::Result<Vec<Whole>> {
        let columns = self.described(table)?;
        let mut names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        if !names.iter().any(|name| name == column) {
            return Ok(Vec::new());
        }
        let quoted = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
        let list: Vec<String> = names.iter().map(quoted).collect();
        let list = list.join(", ");
        let table_name = quoted(&table.to_owned());
        let column = quoted(&column.to_owned());
        let by_place = format!(
            "SELECT {PLACE}, {list} FROM {table_name} WHERE {column} = ?1 ORDER BY {PLACE}"
        );
        let plain = format!("SELECT {list} FROM {table_name} WHERE {column} = ?1");
        let named_so = names.iter().any(|name| name == PLACE);
        let mut statement = match self.0.prepare(&by_place) {
            Ok(statement) if !named_so => {
                names.insert(0, PLACE.to_owned());
                statement
            }
            _ => self.0.prepare(&plain)?,
        };
        let mut rows = statement.query([value])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let cells = read(row, 0, names.len())?;
            let row: Row = names.iter().cloned().zip(cells).collect();
            let keys: Vec<&str> = columns
                .iter()
                .filter(|c| c.is_key)
                .map(|c| &*c.name)
                .collect();
            let is_key = |name: &str| match keys.is_empty() {
                true => name == PLACE,
                false => keys.contains(&name),
            };
            let key: Row = row
                .0
                .iter()
                .filter(|(name, _)| is_key(name))
                .cloned()
                .collect();
            all.push(Whole {
                table: table.to_owned(),
                key,
                row,
                loose: false,
            });
        }
        Ok(all)
    }

    /// Everything that refers to a row and goes with it, what refers to that first.
    pub fn hanging(&self, table: &str, id: &str) -> rusqlite::Result<Vec<Whole>> {
        let mut all: Vec<Whole> = Vec::new();
        for (other, column) in self.references(table)? {
            for whole in self.wholes(&other, &column, id)? {
                let known = |one: &Whole| one.table == whole.table && one.key == whole.key;
                if !all.iter().any(known) {
                    all.push(whole);
                }
            }
        }
        Ok(all)
    }

    /// The tables and columns that refer to a table: those that the database declares, and those
    /// of the system.
    fn references(&self, table: &str) -> rusqlite::Result<Vec<(String, String)>> {
        let declared = "SELECT s.name, f.\"from\" FROM sqlite_schema s, pragma_foreign_key_list(s.name) f
            WHERE s.type = 'table' AND lower(f.\"table\") = ?1 AND f.\"to\" IS 'id' ORDER BY s.rowid";
        let mut all: Vec<(String, String)> = Vec::new();
        let mut statement = self.0.prepare_cached(declared)?;
        let rows = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for row in rows {
            all.push(row?);
        }
        for (of, other, column) in HANGS.iter().chain(&HANGS_ON_WISDOM) {
            let reference = ((*other).to_owned(), (*column).to_owned());
            if *of == table && !all.contains(&reference) {
                all.push(reference);
            }
        }
        Ok(all)
    }

    /// References of the rows of a table: the column, the other table, and the column there; those
    /// that the database declares, and those of the system.
    pub fn refers(&self, table: &str) -> rusqlite::Result<Vec<(String, String, String)>> {
        let declared = "SELECT \"from\", \"table\", coalesce(\"to\", 'id')
            FROM pragma_foreign_key_list(?1)";
        let mut statement = self.0.prepare_cached(declared)?;
        let rows = statement.query_map([table], |row| {
            let other: String = row.get(1)?;
            Ok((row.get(0)?, other.to_ascii_lowercase(), row.get(2)?))
        })?;
        let mut all: Vec<(String, String, String)> = rows.collect::<rusqlite::Result<_>>()?;
        for (column, other) in ends(table) {
            if !all.iter().any(|(known, ..)| known == column) {
                all.push(((*column).into(), (*other).into(), "id".into()));
            }
        }
        Ok(all)
    }

    /// The first of what a row refers to that is not there: its column, the table it would be in,
    /// and the name. `staged` says of a table and a name what will be, where that is known.
    pub fn missing(
        &self,
        table: &str,
        row: &Row,
        staged: &dyn Fn(&str, &str) -> Option<bool>,
    ) -> rusqlite::Result<Option<(String, String, String)>> {
        for (column, other, its) in self.refers(table)? {
            let Some(id) = row.get(&column).filter(|cell| !cell.is_null()) else {
                continue;
            };
            let id = id.shown();
            let there = match staged(&other, &id).filter(|_| its == "id") {
                Some(there) => there,
                None => {
                    let [other, its] = [&other, &its].map(|name| name.replace('"', "\"\""));
                    let sql = format!("SELECT 1 FROM \"{other}\" WHERE \"{its}\" = ?1");
                    self.value(&sql, &[&id]).is_some()
                }
            };
            if !there {
                return Ok(Some((column, other, id)));
            }
        }
        Ok(None)
    }

    /// One value that a statement gives; none where it gives none or cannot be run.
    pub fn value(&self, sql: &str, with: &[&str]) -> Option<Cell> {
        value(self.0, sql, with)
    }
}

fn value(connection: &Connection, sql: &str, with: &[&str]) -> Option<Cell> {
    let mut statement = connection.prepare(sql).ok()?;
    let cells = statement
        .query_row(params_from_iter(with), |row| read(row, 0, 1))
        .ok()?;
    cells.into_iter().next()
}
