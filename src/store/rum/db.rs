//! Reads a database: without locks and new files where nobody writes, and never trusting it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::{FromSql, FromSqlResult, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use crate::memory::Stamp;
use crate::memory::row::Cell;
use crate::store::{StoreError, files};

/// How long a reader waits for a writer's lock.
const PATIENCE: Duration = Duration::from_millis(500);
/// KiB of pages that a connection keeps: the system keeps the file's pages too.
const PAGES: i64 = 256;
/// A longer text is not read.
const LONGEST: i32 = 64 << 20;
const MAGIC: &[u8] = b"SQLite format 3\0";

/// The column that tells the rows of most tables by their place.
pub const PLACE: &str = "rowid";

#[derive(Debug)]
pub struct Column {
    pub name: String,
    /// True if it needs a value and has none by itself.
    pub is_needed: bool,
    pub is_key: bool,
}

pub struct Database {
    path: PathBuf,
    /// A connection that has read this state of the file.
    idle: Mutex<Option<(Stamp, Connection)>>,
}

pub fn begins_like_a_database(path: &Path) -> bool {
    use std::io::Read as _;
    let mut head = [0; 16];
    // Opening a pipe would wait for a writer.
    let mut read = || fs::File::open(path)?.read_exact(&mut head);
    path.is_file() && read().is_ok() && head == *MAGIC
}

/// The state of a file; none where it is not there.
pub fn stamp(path: &Path) -> Stamp {
    fs::metadata(path).map_or_else(|_| Stamp::default(), |meta| files::stamp_of(&meta))
}

/// The bytes that stand as they are in a path that SQLite takes with parameters.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_')
    .remove(b':');

/// A path as SQLite takes it with parameters.
fn uri(path: &Path, parameters: &str) -> String {
    let path = path.to_string_lossy();
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    let before = match path.starts_with('/') {
        true => "//",
        false if cfg!(windows) => "///",
        false => "",
    };
    let path = utf8_percent_encode(&path, PLAIN);
    format!("file:{before}{path}{parameters}")
}

pub fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

impl FromSql for Cell {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Int(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(bytes) => Self::Text(bytes.to_vec()),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_vec()),
        })
    }
}

/// So many cells of a row that was asked for, from one of them on.
pub fn read(row: &rusqlite::Row<'_>, from: usize, count: usize) -> rusqlite::Result<Vec<Cell>> {
    (from..from + count).map(|n| row.get(n)).collect()
}

pub fn words(error: &rusqlite::Error) -> String {
    let extended = error.sqlite_error().map(|error| error.extended_code);
    let what = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not a SQLite database, or an encrypted one",
        Some(ErrorCode::DatabaseCorrupt) => "the database is damaged",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program is writing to the database"
        }
        Some(ErrorCode::TooBig) => "a value is too large to be read",
        Some(ErrorCode::ReadOnly) => "it may not be written to",
        // Of a database with a write-ahead log the files beside it cannot be made.
        Some(ErrorCode::CannotOpen) => "it cannot be opened, or its folder not written to",
        _ if extended == Some(ffi::SQLITE_CONSTRAINT_FOREIGNKEY) => {
            "what a row refers to is not there"
        }
        _ => return error.to_string(),
    };
    match error {
        rusqlite::Error::SqliteFailure(_, Some(said)) => format!("{what} ({said})"),
        _ => what.to_owned(),
    }
}

pub fn error(path: &Path, error: &rusqlite::Error) -> StoreError {
    if is_busy(error) {
        return StoreError::Busy(path.to_owned());
    }
    StoreError::Refused(format!("{}: {}", path.display(), words(error)))
}

pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Database {
    pub fn new(path: PathBuf) -> Self {
        // Of a link the log stands beside what it leads to.
        let path = files::target(&path).unwrap_or(path);
        let idle = Mutex::default();
        Self { path, idle }
    }

    /// The state of the database, its write-ahead log and its journal together.
    pub fn stamp(&self) -> Stamp {
        let main = stamp(&self.path);
        let sides = ["-wal", "-journal"].map(|end| stamp(&files::with_end(&self.path, end)));
        let all = |stamp: Stamp, side: &Stamp| Stamp {
            modified: stamp.modified.max(side.modified),
            size: stamp.size.wrapping_mul(31).wrapping_add(side.size),
            inode: stamp.inode,
        };
        sides.iter().fold(main, all)
    }

    /// True if something that is not in the database file yet may stand beside it.
    fn is_in_use(&self) -> bool {
        let filled =
            |end| fs::metadata(files::with_end(&self.path, end)).is_ok_and(|meta| meta.len() > 0);
        filled("-wal") || filled("-journal")
    }

    /// Reads, without locks and new files where nobody writes: compare the stamps around it.
    pub fn read<T>(
        &self,
        run: impl FnOnce(&Reader<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        if self.is_in_use() {
            return run(&Reader(&self.open(true)?));
        }
        let now = self.stamp();
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().take().filter(|(then, _)| *then == now);
        let open = match known {
            Some((_, open)) => open,
            None => self.open(false)?,
        };
        let result = run(&Reader(&open));
        *idle() = Some((now, open));
        result
    }

    fn open(&self, shared: bool) -> rusqlite::Result<Connection> {
        let parameters = if shared {
            "?mode=ro"
        } else {
            "?mode=ro&immutable=1"
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri(&self.path, parameters), flags)?;
        // Nothing that the file's own schema says is run beyond what reading needs.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
        connection.set_prepared_statement_cache_capacity(16);
        connection.busy_timeout(PATIENCE)?;
        // Negative are KiB (`PRAGMA cache_size`).
        connection.pragma_update(None, "cache_size", -PAGES)?;
        // Without its log, as in a folder that may not be written to, the file can be read.
        let first = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
        match first {
            Err(error) if shared && error.sqlite_error_code() == Some(ErrorCode::CannotOpen) => {
                self.open(false)
            }
            first => first.map(|()| connection),
        }
    }
}

pub struct Reader<'a>(pub &'a Connection);

impl Reader<'_> {
    /// The columns of a table; none where there is no such table. A view is none.
    pub fn columns(&self, table: &str) -> rusqlite::Result<Vec<Column>> {
        let sql = "SELECT name, \"notnull\", dflt_value IS NULL, pk > 0 FROM pragma_table_info(?1)
            WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1
                AND sql NOT LIKE 'create virtual%')";
        let mut statement = self.0.prepare_cached(sql)?;
        let columns = statement.query_map([table], |row| {
            let is_key = row.get(3)?;
            Ok(Column {
                name: row.get(0)?,
                is_needed: (row.get(1)? && row.get(2)?) || is_key,
                is_key,
            })
        })?;
        columns.collect()
    }
}
