//! Rows of a SQLite database, changed in one short transaction that keeps nobody waiting for long.

use std::path::Path;
use std::time::Duration;

use itertools::Itertools as _;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{
    Connection, OpenFlags, OptionalExtension as _, TransactionBehavior, params_from_iter,
};

use super::disk::{Call, Disk, Progress};
use super::rum::db::{Database, PLACE, Reader, error, is_busy, quoted, read};
use super::rum::records::{self, Record};
use super::{At as _, Result, StoreError};
use crate::curate::RowChange;
use crate::memory::row::{Cell, Row};

const PATIENCE: Duration = Duration::from_secs(5);

impl rusqlite::ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Cell::Null => ValueRef::Null,
            Cell::Int(number) => ValueRef::Integer(*number),
            Cell::Real(number) => ValueRef::Real(*number),
            Cell::Text(bytes) => ValueRef::Text(bytes),
            Cell::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn cells<'a>(rows: impl IntoIterator<Item = &'a Row>) -> impl Iterator<Item = &'a Cell> {
    let rows = rows.into_iter().flat_map(|row| &row.0);
    rows.map(|(_, cell)| cell)
}

/// `a IS ? AND b IS ?`.
fn condition(key: &Row) -> String {
    let parts = columns(key).into_iter();
    parts.map(|column| format!("{column} IS ?")).join(" AND ")
}

fn columns(row: &Row) -> Vec<String> {
    row.0.iter().map(|(column, _)| quoted(column)).collect()
}

pub fn progress(path: &Path, rows: &[RowChange]) -> Result<Progress> {
    // Opened as it is to be read: where nobody writes, no file is made beside it.
    let stands = Database::new(path.to_owned()).read(|reader| {
        let mut stands = [true, true];
        for change in rows {
            for (stands, row) in stands.iter_mut().zip([&change.before, &change.after]) {
                *stands &= is_so(reader.0, change, row.as_ref())?;
            }
        }
        Ok(stands)
    });
    match stands {
        Ok([true, _]) => Ok(Progress::Before),
        Ok([false, true]) => Ok(Progress::After),
        Err(error) if is_busy(&error) => Err(StoreError::Busy(path.to_owned())),
        Ok([false, false]) | Err(_) => Ok(Progress::Other),
    }
}

/// Leaves out rows that would join what is not there any more, but never all; says which.
pub fn leave_loose(path: &Path, rows: &mut Vec<RowChange>) -> Option<String> {
    let comes = |change: &RowChange| change.before.is_none() && change.after.is_some();
    let staged = |table: &str, id: &str| {
        let mut own = rows.iter().rev().filter(|change| change.table == table);
        let own = own.find(|change| change.key.text("id") == Some(id))?;
        Some(own.after.is_some())
    };
    let joins = |one: &&RowChange| comes(one) && !one.loose && records::is_join(&one.table);
    let found = Database::new(path.to_owned()).read(|reader| {
        let mut away = Vec::new();
        for change in rows.iter().filter(joins) {
            let Some(row) = &change.after else { continue };
            if let Some((_, id)) = reader.missing(&change.table, row, &staged)? {
                away.push((change.clone(), id));
            }
        }
        Ok(away)
    });
    let away = found.ok().filter(|away| away.len() < rows.len())?;
    rows.retain(|change| away.iter().all(|(other, _)| other != change));
    let away = away.into_iter().map(|(change, id)| (change.table, id));
    records::away(&away.collect::<Vec<_>>())
}

/// True if a row is as a state of it says. Its place counts only where nothing else tells it.
pub fn is_so(db: &Connection, change: &RowChange, state: Option<&Row>) -> rusqlite::Result<bool> {
    let then = state.map(without_place).unwrap_or_default();
    let wanted = [vec!["1".to_owned()], columns(&then)].concat().join(", ");
    let (table, condition) = (quoted(&change.table), condition(&change.key));
    let sql = format!("SELECT {wanted} FROM {table} WHERE {condition}");
    let mut statement = db.prepare_cached(&sql)?;
    let key = params_from_iter(cells([&change.key]));
    let now = statement.query_row(key, |row| read(row, 1, then.0.len()));
    Ok(match (now.optional()?, state) {
        (Some(now), Some(_)) => {
            let mut both = then.0.iter().zip(&now);
            both.all(|((_, then), now)| then.same(now))
        }
        (now, state) => now.is_none() && state.is_none(),
    })
}

fn without_place(row: &Row) -> Row {
    let cells = row.0.iter().filter(|(column, _)| column != PLACE);
    cells.cloned().collect()
}

/// Makes all of the changes or none. A row that comes back may point to what was missing before
/// too, for other programs do not keep to foreign keys; one that another program attached to keeps
/// that.
pub fn make(disk: &Disk, path: &Path, rows: &[RowChange]) -> Result {
    for call in [Call::Open, Call::Commit] {
        disk.check(call, path).at(path)?;
    }
    attempt(path, rows).unwrap_or_else(|why| Err(error(path, &why)))
}

/// Writes in one transaction; unless all of it is as it should be, nothing is written.
fn attempt(path: &Path, rows: &[RowChange]) -> rusqlite::Result<Result> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    let may_dangle = rows.iter().any(|change| change.loose) && rows.iter().all(only_comes);
    connection.pragma_update(None, "foreign_keys", !may_dangle)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.pragma_update(None, "defer_foreign_keys", true)?;
    let more = || {
        StoreError::Refused(format!(
            "{}: a rule of the database would change more than was asked for",
            path.display()
        ))
    };
    let before = transaction.total_changes();
    let mut written = 0;
    for change in rows {
        if !is_so(&transaction, change, change.before.as_ref())?
            || takes_more(&transaction, change, rows)?
        {
            return Ok(Err(StoreError::Changed(path.to_owned())));
        }
        written += write(&transaction, change)?;
    }
    // Triggers count here, and what their rows are is not known.
    if transaction.total_changes() - before != written as u64 {
        return Ok(Err(more()));
    }
    for change in rows {
        // A row that is changed twice ends as the last change leaves it.
        let is_it = |other: &&RowChange| other.table == change.table && other.key == change.key;
        let last = rows.iter().rfind(is_it);
        let after = last.and_then(|last| last.after.as_ref());
        if !is_so(&transaction, change, after)? {
            return Ok(Err(more()));
        }
    }
    transaction.commit()?;
    Ok(Ok(()))
}

/// True if something refers to a row that goes, and is not to go with it.
fn takes_more(db: &Connection, change: &RowChange, rows: &[RowChange]) -> rusqlite::Result<bool> {
    let id = change.before.as_ref().and_then(|row| row.text("id"));
    let id = id.filter(|_| change.after.is_none());
    let Some(id) = id else { return Ok(false) };
    let goes = |record: &Record| {
        let mut changes = rows.iter().filter(|change| change.after.is_none());
        changes.any(|change| change.table == record.table && change.key == record.key)
    };
    let hanging = Reader(db).hanging(&change.table, id)?;
    Ok(!hanging.iter().all(goes))
}

/// True if a change adds a row, or leaves what a row points to.
fn only_comes(change: &RowChange) -> bool {
    let Some(after) = &change.after else {
        return false;
    };
    change.before.as_ref().is_none_or(|before| {
        let pointers = after.0.iter().filter(|(column, _)| column.ends_with("_id"));
        let mut same =
            pointers.map(|(name, new)| before.get(name).is_some_and(|old| old.same(new)));
        same.all(|same| same)
    })
}

fn write(connection: &Connection, change: &RowChange) -> rusqlite::Result<usize> {
    let table = quoted(&change.table);
    let run = |sql: &str, with: &[&Row]| {
        connection.execute(sql, params_from_iter(cells(with.iter().copied())))
    };
    let condition = condition(&change.key);
    match (&change.before, &change.after) {
        (None, Some(after)) => {
            // A row comes to the place it had, where that is free.
            let is_taken = match after.get(PLACE) {
                Some(place) => {
                    let sql = format!("SELECT 1 FROM {table} WHERE {PLACE} = ?");
                    connection.prepare_cached(&sql)?.exists([place])?
                }
                None => false,
            };
            let after = match is_taken {
                true => &without_place(after),
                false => after,
            };
            let marks = vec!["?"; after.0.len()].join(", ");
            let columns = columns(after).join(", ");
            let sql = format!("INSERT INTO {table} ({columns}) VALUES ({marks})");
            run(&sql, &[after])
        }
        (Some(_), None) => {
            let sql = format!("DELETE FROM {table} WHERE {condition}");
            run(&sql, &[&change.key])
        }
        (Some(before), Some(after)) => {
            let differs = |(column, cell): &&(String, Cell)| {
                before.get(column).is_none_or(|old| !old.same(cell)) && column != PLACE
            };
            let new: Row = after.0.iter().filter(differs).cloned().collect();
            if new.0.is_empty() {
                return Ok(0);
            }
            let set = columns(&new).join(" = ?, ");
            let sql = format!("UPDATE {table} SET {set} = ? WHERE {condition}");
            run(&sql, &[&new, &change.key])
        }
        (None, None) => Ok(0),
    }
}
