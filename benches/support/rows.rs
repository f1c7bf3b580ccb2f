//! Rows of labelled texts.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The rows of a file of JSON lines.
pub fn rows(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.trim().is_empty());
    rows.map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A text of a row; empty where there is none.
pub fn text(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap_or_default().to_owned()
}
