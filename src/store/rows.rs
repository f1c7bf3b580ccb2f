//! Rows of a SQLite database: reading them, and changing them in one short transaction that
//! nobody is kept waiting by for long.

mod others;

use std::path::Path;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension as _, TransactionBehavior, params_from_iter,
};

use super::disk::{Call, Disk, Progress};
use super::rum::db::{Database, PLACE, Reader, is_busy, read};
use super::rum::tables;
use super::rum::whole::Whole;
use super::{StoreError, files};
use crate::curate::RowChange;
use crate::memory::row::{Cell, Row};

/// How long a change waits for another program's.
const PATIENCE: Duration = Duration::from_secs(5);
/// A cell as a bound value.
struct Bound<'a>(&'a Cell);

impl rusqlite::ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Cell::Null => ValueRef::Null,
            Cell::Int(number) => ValueRef::Integer(*number),
            Cell::Real(number) => ValueRef::Real(*number),
            Cell::Text(bytes) => ValueRef::Text(bytes),
            Cell::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// A name as SQL has it.
fn name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn cells<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<Bound<'a>> {
    let rows = rows.into_iter().flat_map(|row| &row.0);
    rows.map(|(_, cell)| Bound(cell)).collect()
}

/// `a IS ? AND b IS ?`.
fn condition(key: &Row) -> String {
    let parts = key
        .0
        .iter()
        .map(|(column, _)| format!("{} IS ?", name(column)));
    parts.collect::<Vec<_>>().join(" AND ")
}

fn failed(path: &Path, error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        _ if is_busy(&error) => StoreError::Busy(path.to_owned()),
        Some(ErrorCode::ReadOnly) => {
            StoreError::Refused(format!("{} may not be written to", path.display()))
        }
        // Of a database with a write-ahead log the files beside it cannot be made.
        Some(ErrorCode::CannotOpen) => StoreError::Refused(format!(
            "{} may not be written to, nor the folder it is in",
            path.display()
        )),
        _ if is_dangling(&error) => StoreError::Refused(format!(
            "{}: what a row refers to is not there",
            path.display()
        )),
        _ => StoreError::Refused(format!("{}: {error}", path.display())),
    }
}

/// How far the database is with the changes of its rows.
pub fn progress(path: &Path, rows: &[RowChange]) -> Result<Progress, StoreError> {
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
        Err(unread) if unread.busy => Err(StoreError::Busy(path.to_owned())),
        Ok([false, false]) | Err(_) => Ok(Progress::Other),
    }
}

/// Leaves rows out that would come back and join what is not there any more; says which. A change
/// that would be none then stays as it is.
pub fn leave_loose(path: &Path, rows: &mut Vec<RowChange>) -> Option<String> {
    let comes = |change: &RowChange| change.before.is_none() && change.after.is_some();
    let staged = |table: &str, id: &str| {
        let mut own = rows.iter().rev().filter(|change| change.table == table);
        let own = own.find(|change| change.key.text("id") == Some(id))?;
        Some(own.after.is_some())
    };
    let found = Database::new(path.to_owned()).read(|reader| {
        let joins = |change: &&RowChange| {
            comes(change) && !change.loose && !tables::ends(&change.table).is_empty()
        };
        let mut away = Vec::new();
        for change in rows.iter().filter(joins) {
            let Some(row) = &change.after else { continue };
            if let Some((_, _, id)) = reader.missing(&change.table, row, &staged)? {
                away.push((change.clone(), id));
            }
        }
        Ok(away)
    });
    let away = found.ok().filter(|away| away.len() < rows.len())?;
    rows.retain(|change| away.iter().all(|(other, _)| other != change));
    let away = away.into_iter().map(|(change, id)| (change.table, id));
    tables::away(&away.collect::<Vec<_>>())
}

/// True if a row is as a state of it says. Its place counts only where nothing else tells it.
pub fn is_so(
    connection: &Connection,
    change: &RowChange,
    state: Option<&Row>,
) -> rusqlite::Result<bool> {
    let Some(state) = state else {
        let sql = format!(
            "SELECT 1 FROM {} WHERE {}",
            name(&change.table),
            condition(&change.key)
        );
        let mut statement = connection.prepare_cached(&sql)?;
        return Ok(!statement.exists(params_from_iter(cells([&change.key])))?);
    };
    let looked: Row = state
        .0
        .iter()
        .filter(|(column, _)| column != PLACE)
        .cloned()
        .collect();
    let columns: Vec<String> = looked.0.iter().map(|(column, _)| name(column)).collect();
    let sql = format!(
        "SELECT {} FROM {} WHERE {}",
        columns.join(", "),
        name(&change.table),
        condition(&change.key)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let now = statement
        .query_row(params_from_iter(cells([&change.key])), |row| {
            read(row, 0, looked.0.len())
        })
        .optional()?;
    let same = |now: Vec<Cell>| {
        looked
            .0
            .iter()
            .zip(&now)
            .all(|((_, then), now)| then.same(now))
    };
    Ok(now.is_some_and(same))
}

/// Makes the changes, all of them or none: every row is as it was before, and is as it should
/// be afterwards, or nothing is written.
///
/// A row that comes back may point to what was not there when it went either, for other programs
/// do not keep to foreign keys. Rows that another program attached since keep it.
pub fn make(disk: &Disk, path: &Path, rows: &[RowChange]) -> Result<(), StoreError> {
    let changed = || StoreError::Changed(path.to_owned());
    let more = || {
        StoreError::Refused(format!(
            "{}: a rule of the database would change more than was asked for",
            path.display()
        ))
    };
    let check = |call| {
        disk.check(call, path)
            .map_err(|source| files::io(path, source))
    };
    check(Call::Open)?;
    check(Call::Commit)?;
    let made = match attempt(path, rows, true) {
        Err(error)
            if is_dangling(&error)
                && rows.iter().any(|change| change.loose)
                && rows.iter().all(only_comes) =>
        {
            attempt(path, rows, false)
        }
        made => made,
    };
    match made.map_err(|error| failed(path, error))? {
        Made::Done => Ok(()),
        Made::Changed => Err(changed()),
        Made::More => Err(more()),
    }
}

/// Outcome of an attempt; unless it is done, nothing is written.
enum Made {
    Done,
    /// A row was not as it was.
    Changed,
    /// Something else would change too.
    More,
}

fn attempt(path: &Path, rows: &[RowChange], keys: bool) -> rusqlite::Result<Made> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", keys)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.pragma_update(None, "defer_foreign_keys", true)?;
    let others = others::of(&transaction, rows)?;
    for change in rows {
        if !is_so(&transaction, change, change.before.as_ref())?
            || takes_more(&transaction, change, rows)?
        {
            return Ok(Made::Changed);
        }
        write(&transaction, change)?;
    }
    for change in rows {
        // A row that is changed twice ends as the last change leaves it.
        let last = rows
            .iter()
            .rev()
            .find(|other| other.table == change.table && other.key == change.key);
        let after = last.and_then(|last| last.after.as_ref());
        if !is_so(&transaction, change, after)? {
            return Ok(Made::More);
        }
    }
    if others::of(&transaction, rows)? != others {
        return Ok(Made::More);
    }
    transaction.commit()?;
    Ok(Made::Done)
}

/// True if something refers to a row that goes, and is not to go with it.
fn takes_more(
    connection: &Connection,
    change: &RowChange,
    rows: &[RowChange],
) -> rusqlite::Result<bool> {
    let id = change.before.as_ref().and_then(|row| row.text("id"));
    let Some(id) = id.filter(|_| change.after.is_none()) else {
        return Ok(false);
    };
    let goes = |one: &Whole| {
        let mut changes = rows.iter().filter(|change| change.after.is_none());
        changes.any(|change| change.table == one.table && change.key == one.key)
    };
    let hanging = Reader(connection).hanging(&change.table, id)?;
    Ok(!hanging.iter().all(goes))
}

/// True if a reference to a row that is not there was refused.
fn is_dangling(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY)
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

fn write(connection: &Connection, change: &RowChange) -> rusqlite::Result<()> {
    let table = name(&change.table);
    match (&change.before, &change.after) {
        (None, Some(after)) => insert(connection, &table, after),
        (Some(_), None) => {
            let sql = format!("DELETE FROM {table} WHERE {}", condition(&change.key));
            connection
                .execute(&sql, params_from_iter(cells([&change.key])))
                .map(drop)
        }
        (Some(before), Some(after)) => {
            let differs = |(column, cell): &&(String, Cell)| {
                before.get(column).is_none_or(|old| !old.same(cell)) && column != PLACE
            };
            let new: Row = after.0.iter().filter(differs).cloned().collect();
            if new.0.is_empty() {
                return Ok(());
            }
            let set: Vec<String> = new
                .0
                .iter()
                .map(|(column, _)| format!("{} = ?", name(column)))
                .collect();
            let sql = format!(
                "UPDATE {table} SET {} WHERE {}",
                set.join(", "),
                condition(&change.key)
            );
            connection
                .execute(&sql, params_from_iter(cells([&new, &change.key])))
                .map(drop)
        }
        (None, None) => Ok(()),
    }
}

/// Adds a row, at the place it had where that is free.
fn insert(connection: &Connection, table: &str, row: &Row) -> rusqlite::Result<()> {
    let add = |row: &Row| {
        let columns: Vec<String> = row.0.iter().map(|(column, _)| name(column)).collect();
        let marks = vec!["?"; row.0.len()].join(", ");
        let sql = format!(
            "INSERT INTO {table} ({}) VALUES ({marks})",
            columns.join(", ")
        );
        connection
            .execute(&sql, params_from_iter(cells([row])))
            .map(drop)
    };
    let taken = match row.get(PLACE) {
        Some(place) => {
            let sql = format!("SELECT 1 FROM {table} WHERE {PLACE} = ?");
            connection.prepare_cached(&sql)?.exists([Bound(place)])?
        }
        None => false,
    };
    if !taken {
        return add(row);
    }
    let rest = row.0.iter().filter(|(column, _)| column != PLACE);
    add(&rest.cloned().collect())
}
