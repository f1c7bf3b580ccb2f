//! Secrets in the columns of Markdown tables whose heading names a password or a token.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::TABLE;
use crate::lint::rows::{Hits, Row};
use crate::text::patterns::compact;

/// Headings of columns of passwords (first group) and of other secrets (second group).
static HEADING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)(?:^|[ _/-])(?:(passw(?:or)?d|pwd|passphrase|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord)|(token|secret|(?:api|access|secret|private|signing|encryption|integration|licen[cs]e)[ _-]?key))$",
    )
});

/// Bytes that a password has at least.
const SHORTEST: usize = 6;

/// Adds the secrets of the tables in a text to those that were found otherwise.
pub(super) fn find(text: &str, hits: &mut Hits) {
    if !text.contains('|') {
        return;
    }
    let mut columns: Vec<Option<&'static Row>> = Vec::new();
    let mut before = "";
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.contains('|') {
            columns.clear();
        } else if is_rule(line) {
            columns = cells(before).map(|(_, cell)| row_of(cell)).collect();
        } else if columns.iter().any(Option::is_some) {
            for ((place, cell), row) in cells(line).zip(&columns) {
                let at = start + place.start..start + place.end;
                if let Some(row) = row
                    && cell.len() >= SHORTEST
                    && !cell.contains(char::is_whitespace)
                    && TABLE.is_value(row, text, &at)
                {
                    hits.add(row, at);
                }
            }
        }
        start += line.len();
        before = line;
    }
}

/// True if a line is the one between the headings of a table and its rows.
fn is_rule(line: &str) -> bool {
    let inside = line.trim_start_matches(['>', '+', ' ']).trim();
    let mut bytes = inside.bytes();
    inside.contains("--") && bytes.all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// The cells of a row, without emphasis and the marks of code, quotations and diffs, and their bytes.
fn cells(line: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let marks = |c: char| matches!(c, '>' | '+' | '-') || c.is_whitespace();
    let row = line.trim_start_matches(marks);
    let row = row.strip_prefix('|').unwrap_or(row).trim_end();
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(move |cell| {
        let cell = cell.trim_matches(|c: char| c.is_whitespace() || "`*\"'".contains(c));
        // The cells are slices of the line.
        let start = cell.as_ptr() as usize - line.as_ptr() as usize;
        (start..start + cell.len(), cell)
    })
}

/// The row whose values stand below a heading.
fn row_of(heading: &str) -> Option<&'static Row> {
    let captures = HEADING.as_ref()?.captures(heading)?;
    let password = captures.get(1).is_some();
    TABLE.row(if password { "password" } else { "secret" })
}
