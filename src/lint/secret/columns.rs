//! Secrets in the columns of Markdown tables whose heading says what stands below it.

use std::ops::Range;

use super::table::{KINDS, Kind, PASSWORD, SECRET};
use super::{Hits, holds};

/// Headings of columns, and how they end, below which each cell is a password or a token.
static COLUMNS: &[(&str, &str)] = &[
    ("password", PASSWORD),
    ("passwd", PASSWORD),
    ("pwd", PASSWORD),
    ("passphrase", PASSWORD),
    ("passwort", PASSWORD),
    ("kennwort", PASSWORD),
    ("mot de passe", PASSWORD),
    ("contraseña", PASSWORD),
    ("senha", PASSWORD),
    ("wachtwoord", PASSWORD),
    ("token", SECRET),
    ("secret", SECRET),
    ("api key", SECRET),
    ("api-key", SECRET),
    ("api_key", SECRET),
    ("apikey", SECRET),
    ("access key", SECRET),
    ("secret key", SECRET),
    ("private key", SECRET),
    ("signing key", SECRET),
    ("encryption key", SECRET),
    ("integration key", SECRET),
    ("license key", SECRET),
    ("licence key", SECRET),
];

/// Adds the secrets of the tables in a text to those that were found otherwise.
pub(super) fn find(text: &str, hits: &mut Hits) {
    if !text.contains('|') {
        return;
    }
    let mut columns: Vec<Option<&'static Kind>> = Vec::new();
    let mut before = "";
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if !line.contains('|') {
            columns.clear();
        } else if is_rule(line) {
            columns = cells(before).map(|(_, cell)| kind(cell)).collect();
        } else if columns.iter().any(Option::is_some) {
            for ((place, cell), kind) in cells(line).zip(&columns) {
                let Some(kind) = kind else {
                    continue;
                };
                let at = start + place.start..start + place.end;
                let sound = cell.len() >= SHORTEST && !cell.contains(char::is_whitespace);
                hits.add(kind, at, |at| sound && holds(kind, text, cell, at.start));
            }
        }
        before = line;
    }
}

/// Bytes that a password has at least.
const SHORTEST: usize = 6;

/// Whether a line is the one between the headings of a table and its rows.
fn is_rule(line: &str) -> bool {
    let inside = line.trim_start_matches(['>', '+', ' ']).trim();
    inside.contains("--")
        && inside
            .bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// A line without the marks of a quotation or of a diff before it.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|c: char| matches!(c, '>' | '+' | '-') || c.is_whitespace())
}

/// The cells of a row, without what marks them as code or as important, and their bytes.
fn cells(line: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let row = unquoted(line);
    let row = row.strip_prefix('|').unwrap_or(row).trim_end();
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(move |cell| {
        let cell = cell.trim_matches(|c: char| c.is_whitespace() || "`*\"'".contains(c));
        // The cells are slices of the line.
        let start = cell.as_ptr() as usize - line.as_ptr() as usize;
        (start..start + cell.len(), cell)
    })
}

/// What stands below a heading.
fn kind(heading: &str) -> Option<&'static Kind> {
    let heading = heading.to_lowercase();
    let of = |(words, _): &&(&str, &str)| {
        let rest = heading.strip_suffix(words);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '-', '_', '/']))
    };
    let (_, name) = COLUMNS.iter().find(of)?;
    KINDS.iter().find(|kind| kind.name == *name)
}
