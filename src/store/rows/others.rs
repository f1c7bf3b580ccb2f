//! The rows that a change leaves alone: where a database has rules of its own, they are compared.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Params, Result, params_from_iter};

use super::{cells, condition, name};
use crate::curate::RowChange;

/// Of each table that is changed and has triggers, a number that its other rows share only while
/// they stay as they are. Without triggers nothing reaches them, and nothing is read.
pub(super) fn of(connection: &Connection, rows: &[RowChange]) -> Result<BTreeMap<String, u64>> {
    let mut tables: BTreeMap<String, Vec<&RowChange>> = BTreeMap::new();
    if !has_triggers(connection)? {
        return Ok(BTreeMap::new());
    }
    for change in rows {
        let changes = tables.entry(change.table.clone()).or_default();
        // A row that is changed twice is left out once.
        if changes.iter().all(|other| other.key != change.key) {
            changes.push(change);
        }
    }
    let of_others = |(table, changes): (String, Vec<&RowChange>)| {
        let mut sum = digest(connection, &table, "", [])?;
        for change in changes {
            let own = format!(" WHERE {}", condition(&change.key));
            let key = params_from_iter(cells([&change.key]));
            sum = sum.wrapping_sub(digest(connection, &table, &own, key)?);
        }
        Ok((table, sum))
    };
    tables.into_iter().map(of_others).collect()
}

fn has_triggers(connection: &Connection) -> Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM sqlite_master WHERE type = 'trigger'")?
        .exists([])
}

/// The sum of the digests of rows: in whatever order they come.
fn digest(connection: &Connection, table: &str, which: &str, given: impl Params) -> Result<u64> {
    let sql = format!("SELECT * FROM {}{which}", name(table));
    let mut statement = connection.prepare(&sql)?;
    let columns = statement.column_count();
    let mut rows = statement.query(given)?;
    let mut sum = 0_u64;
    while let Some(row) = rows.next()? {
        let mut hasher = DefaultHasher::new();
        for column in 0..columns {
            match row.get_ref(column)? {
                ValueRef::Null => 0_u8.hash(&mut hasher),
                ValueRef::Integer(number) => (1_u8, number).hash(&mut hasher),
                ValueRef::Real(number) => (2_u8, number.to_bits()).hash(&mut hasher),
                ValueRef::Text(bytes) => (3_u8, bytes).hash(&mut hasher),
                ValueRef::Blob(bytes) => (4_u8, bytes).hash(&mut hasher),
            }
        }
        sum = sum.wrapping_add(hasher.finish());
    }
    Ok(sum)
}
