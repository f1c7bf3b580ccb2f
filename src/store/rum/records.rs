//! Records: rows with all that hangs on them, as a change takes them away and puts them back.

use rusqlite::params_from_iter;
use serde::{Deserialize, Serialize};

use super::db::{PLACE, Reader, quoted, read};
use super::tables::REFERENCES;
use crate::curate::RowChange;
use crate::memory::Timestamp;
use crate::memory::row::{Cell, Row};
use crate::store::StoreError;
use crate::systems::rum::read::COUNTED;

/// A row of a table, with the columns that tell it from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
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

/// A reference that leads nowhere.
pub struct Missing {
    /// The column of the reference.
    pub column: String,
    /// The id that no row has.
    pub id: String,
}

impl Record {
    /// True if a change is one of this record.
    pub fn is_changed_by(&self, change: &RowChange) -> bool {
        change.table == self.table && change.key == self.key
    }

    /// True if both are the same row of the same table, whatever they hold.
    pub fn is(&self, other: &Self) -> bool {
        self.table == other.table && self.key == other.key
    }

    /// The text of a column; empty where there is none.
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

    /// The change that takes the record away.
    pub fn removal(&self) -> RowChange {
        RowChange {
            table: self.table.clone(),
            key: self.key.clone(),
            before: Some(self.row.clone()),
            after: None,
            loose: self.loose,
        }
    }

    /// The change that adds the record.
    pub fn addition(self) -> RowChange {
        RowChange {
            table: self.table,
            key: self.key,
            before: None,
            after: Some(self.row),
            loose: self.loose,
        }
    }

    /// The change to another state; none where nothing differs. What the system counts in is not
    /// looked at, nor is an embedding that stays as it is.
    fn update(&self, after: &Self) -> Option<RowChange> {
        let is_same = |name: &str| {
            let both = self.row.get(name).zip(after.row.get(name));
            both.is_some_and(|(one, other)| one.same(other))
        };
        let is_kept_blob =
            |name: &str| matches!(self.row.get(name), Some(Cell::Blob(_))) && is_same(name);
        let is_compared =
            |name: &str| name != PLACE && !COUNTED.contains(&name) && !is_kept_blob(name);
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
    let mut changes: Vec<RowChange> = gone.map(Record::removal).collect();
    changes.extend(after.into_iter().filter_map(
        |new| match before.iter().find(|old| old.is(&new)) {
            Some(old) => old.update(&new),
            None => Some(new.addition()),
        },
    ));
    changes
}

pub(super) fn refused(why: impl Into<String>) -> StoreError {
    StoreError::Refused(why.into())
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
    /// A new record of a table: its columns, with the values of those that have one.
    pub fn fresh(&self, table: &str, cells: &[(&str, Cell)]) -> rusqlite::Result<Record> {
        let columns = self.columns(table)?;
        let cell = |name: &str| {
            let own = cells.iter().find(|(own, _)| *own == name);
            own.map_or(Cell::Null, |(_, cell)| cell.clone())
        };
        let row = |is_wanted: &dyn Fn(bool) -> bool| -> Row {
            let wanted = columns.iter().filter(|column| is_wanted(column.is_key));
            wanted
                .map(|column| (&*column.name, cell(&column.name)))
                .collect()
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
        let list: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let sql = format!(
            "SELECT {} FROM {} WHERE {} = ?1 ORDER BY {PLACE}",
            list.join(", "),
            quoted(table),
            quoted(column)
        );
        let mut statement = self.0.prepare_cached(&sql)?;
        let keys = columns.iter().filter(|column| column.is_key);
        let mut keys: Vec<&str> = keys.map(|column| &*column.name).collect();
        if keys.is_empty() {
            keys.push(PLACE);
        }
        let records = statement.query_map([value], |row| {
            let row: Row = names
                .iter()
                .copied()
                .zip(read(row, 0, names.len())?)
                .collect();
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
        for reference in self.references()? {
            if reference.to != table || reference.id != "id" {
                continue;
            }
            for record in self.records(&reference.from, &reference.column, id)? {
                if !all.iter().any(|known| known.is(&record)) {
                    all.push(record);
                }
            }
        }
        Ok(all)
    }

    /// The references between tables: those that the database declares, and those of the system.
    fn references(&self) -> rusqlite::Result<Vec<Reference>> {
        let declared = "SELECT s.name, f.\"from\", lower(f.\"table\"), coalesce(f.\"to\", 'id')
            FROM sqlite_schema s, pragma_foreign_key_list(s.name) f
            WHERE s.type = 'table' ORDER BY s.rowid";
        let mut statement = self.0.prepare_cached(declared)?;
        let rows = statement.query_map([], |row| {
            Ok(Reference {
                from: row.get(0)?,
                column: row.get(1)?,
                to: row.get(2)?,
                id: row.get(3)?,
            })
        })?;
        let mut all = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        for (from, column, to) in REFERENCES {
            if !all
                .iter()
                .any(|known| known.from == from && known.column == column)
            {
                let [from, column, to, id] = [from, column, to, "id"].map(str::to_owned);
                all.push(Reference {
                    from,
                    column,
                    to,
                    id,
                });
            }
        }
        Ok(all)
    }

    /// The first reference of a row that leads nowhere. `staged` says of a table and an id whether
    /// its row will be there, where that is known.
    pub fn missing(
        &self,
        table: &str,
        row: &Row,
        staged: &dyn Fn(&str, &str) -> Option<bool>,
    ) -> rusqlite::Result<Option<Missing>> {
        for Reference { column, to, id, .. } in self
            .references()?
            .into_iter()
            .filter(|own| own.from == table)
        {
            let Some(cell) = row.get(&column).filter(|cell| !cell.is_null()) else {
                continue;
            };
            let wanted = cell.shown();
            let known = staged(&to, &wanted).filter(|_| id == "id");
            if !known.unwrap_or_else(|| self.has(&to, &id, &wanted)) {
                return Ok(Some(Missing { column, id: wanted }));
            }
        }
        Ok(None)
    }

    /// True if a table has a row with a value in a column.
    pub fn has(&self, table: &str, column: &str, value: &str) -> bool {
        let sql = format!(
            "SELECT 1 FROM {} WHERE {} = ?1",
            quoted(table),
            quoted(column)
        );
        self.value(&sql, &[value]).is_some()
    }

    /// One value that a statement gives; none where it gives none or cannot be run.
    pub fn value(&self, sql: &str, with: &[&str]) -> Option<Cell> {
        let mut statement = self.0.prepare_cached(sql).ok()?;
        let cells = statement.query_row(params_from_iter(with), |row| read(row, 0, 1));
        cells.ok()?.pop()
    }
}

/// A column of a table that names a row of another one by a column there.
struct Reference {
    from: String,
    column: String,
    to: String,
    id: String,
}
