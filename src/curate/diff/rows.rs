//! Rows of a database as if each were a file, a line for each column.

use super::{head, hunks, line};
use crate::curate::RowChange;
use crate::memory::row::{Cell, Row};

/// The column that tells rows by their place; people are not shown it.
const PLACE: &str = "rowid";

/// The diff of one row.
pub(super) fn one(change: &RowChange, database: &str, out: &mut Vec<u8>) {
    let key: Vec<String> = change.key.0.iter().map(|(_, cell)| cell.shown()).collect();
    let name = format!("{database}/{}/{}", change.table, key.join(","));
    let text = |row: &Option<Row>| row.as_ref().map(text).unwrap_or_default();
    let (old, new) = (text(&change.before), text(&change.after));
    head(out, &name, &name);
    match (&change.before, &change.after) {
        (None, _) => line(out, "new row"),
        (_, None) => line(out, "deleted row"),
        _ => {}
    }
    let names = (
        change.before.as_ref().map(|_| &*name),
        change.after.as_ref().map(|_| &*name),
    );
    hunks(out, names, &old, &new);
}

/// A row, its columns with a value; JSON over several lines.
pub fn text(row: &Row) -> Vec<u8> {
    let mut out = Vec::new();
    let cells = row.0.iter().filter(|(name, _)| name != PLACE);
    for (name, cell) in cells.filter(|(_, cell)| !cell.is_null()) {
        let shown = json(cell).unwrap_or_else(|| cell.shown());
        line(&mut out, &format!("{name}: {shown}"));
    }
    out
}

/// A layer, indented.
fn json(cell: &Cell) -> Option<String> {
    let text = cell.as_str().filter(|text| text.starts_with(['{', '[']))?;
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    serde_json::to_string_pretty(&value).ok()
}
