//! Tables that a team brings along, beside those of the program.

use std::sync::{PoisonError, RwLock};

use super::{TABLES, Table};
use crate::memory::Schema;

static ADDED: RwLock<Vec<&'static Table>> = RwLock::new(Vec::new());

/// Makes a team's table known by its name; one with the same name that was read before is
/// replaced.
pub fn add(table: &'static Table) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.retain(|known| known.name() != table.name());
    added.push(table);
}

/// The tables that were added.
pub fn added() -> Vec<&'static Table> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    added.clone()
}

/// The table that a schema comes from; none for a format that has code of its own.
pub fn table_of(schema: &'static Schema) -> Option<&'static Table> {
    let is_it = |table: &&'static Table| table.schema == schema;
    let bundled = TABLES.iter().find(is_it);
    bundled.or_else(|| added().into_iter().find(|table| is_it(table)))
}
