//! Secrets: keys, tokens, private keys and passwords. No finding shows one in full.
//!
//! Forms are rows of `assets/lint/secrets.toml`; `columns` reads tables with a telling heading.

mod mask;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::chars::cut;
use super::rows::{Hits, Row, Table};
use super::{Finding, MarkedBy, Rule, Subject};
use crate::text::patterns::compact;

use super::rows::Hit;
pub use mask::{mask, mask_diff};

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/secrets.toml")));

/// Reports the secrets of a memory.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let hits = hits(subject);
    if hits.is_empty() {
        return;
    }
    // Random text beside a secret may be another secret.
    let masked = mask::hide_random(&mask(subject.text));
    for hit in hits {
        let secret = subject.text.get(hit.at.clone()).unwrap_or_default();
        let length = secret.chars().count();
        let s = if length == 1 { "" } else { "s" };
        let name = &hit.row.name;
        let finding = subject
            .finding(rule.id, rule.severity, subject.at(hit.at.start))
            .about(hit.at.clone())
            .marked_by(MarkedBy::Message)
            .sure(hit.row.confidence)
            .says(format!(
                "{name} of {length} character{s} stands in the memory"
            ))
            .because(line_around(&masked, &hit.at));
        out.push(finding);
    }
}

/// Removes from findings what must not be shown: those of one memory, or of all together.
pub fn redact(subject: Option<&Subject<'_>>, findings: &mut [Finding]) {
    match subject.filter(|_| !findings.is_empty()) {
        Some(subject) => mask::hide_all((subject.text, hits(subject)), findings),
        None => mask::hide_all(("", &[]), findings),
    }
}

/// The secrets in a memory: the rule reports them, and hides them in what other rules report.
fn hits<'l>(subject: &'l Subject<'_>) -> &'l [Hit] {
    subject.of(|| find(subject.text))
}

/// The secrets of a text, in order, none inside another.
pub(super) fn find(text: &str) -> Vec<Hit> {
    let mut hits = TABLE.find(text);
    find_in_columns(text, &mut hits);
    hits.into_vec()
}

/// Bytes around a secret that are shown.
const AROUND: usize = 60;

/// The line a secret stands in, masked, and cut where it is long.
fn line_around(masked: &str, at: &Range<usize>) -> String {
    let before = masked.get(..at.start).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let after = masked.get(at.start..).unwrap_or_default();
    let end = after.find('\n').map_or(masked.len(), |n| at.start + n);
    let from = cut(masked, start.max(at.start.saturating_sub(AROUND))).len();
    let to = cut(masked, end.min(at.start + AROUND)).len();
    let line = masked.get(from.max(start)..to).unwrap_or_default();
    line.trim().to_owned()
}

/// Headings of columns of passwords (first group) and of other secrets (second group).
static HEADING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)(?:^|[ _/-])(?:(passw(?:or)?d|pwd|passphrase|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord)|(token|secret|(?:api|access|secret|private|signing|encryption|integration|licen[cs]e)[ _-]?key))$",
    )
});

/// Bytes that a password has at least.
const SHORTEST: usize = 6;

/// Adds the secrets of the tables in a text to those that were found otherwise.
fn find_in_columns(text: &str, hits: &mut Hits) {
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

#[cfg(test)]
mod tests;
