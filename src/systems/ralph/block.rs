//! Entries as Ralph writes them, and what it would not read back.

use std::sync::LazyLock;

use regex::Regex;

use super::scan::{self, Entry, Rule};
use super::{Type, part};
use crate::memory::Timestamp;
use crate::systems::codec::{Result, refuse};

/// The file that Ralph makes (`template`).
pub const TEMPLATE: &str = "# Memories\n\n## Patterns\n\n## Decisions\n\n## Fixes\n\n## Context\n";

/// An entry to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its type.
    pub kind: Type,
    /// Its content.
    pub content: &'a str,
    /// Its tags.
    pub tags: &'a [String],
    /// Its date, `YYYY-MM-DD`.
    pub created: &'a str,
}

/// The block of an entry as Ralph writes it (`format_memory`), without the blank line before it.
pub fn block(entry: &NewEntry<'_>, eol: &str) -> Result<String> {
    let heading = format!("### {}", entry.id);
    if scan::id(heading.as_bytes()) != Some(entry.id.as_bytes()) {
        return refuse(format!(
            "`{}` is no id that Ralph reads: mem-, seconds, -, four digits of 0-9a-f",
            entry.id.escape_debug()
        ));
    }
    let mut lines = vec![heading];
    lines.extend(content_lines(entry.content)?);
    lines.push(metadata(entry.tags, entry.created)?);
    Ok(lines.into_iter().map(|line| line + eol).collect())
}

/// Content as quoted lines without their ends. A blank line is quoted as a line with one more
/// blank, which Ralph keeps; one without anything behind the mark it would drop.
pub fn content_lines(content: &str) -> Result<Vec<String>> {
    let content = content.replace("\r\n", "\n");
    let lines: Vec<&str> = content.split('\n').collect();
    let is_text = |line: &&str| !line.trim().is_empty();
    let (first, last) = (
        lines.iter().position(is_text),
        lines.iter().rposition(is_text),
    );
    let (Some(first), Some(last)) = (first, last) else {
        return refuse("Ralph drops an entry without text");
    };
    let lines = lines.get(first..=last).unwrap_or_default();
    if lines.iter().any(|line| line.ends_with('\r')) {
        return refuse("a carriage return at the end of a line is lost when Ralph reads it");
    }
    let quoted = |line: &&str| format!("> {}", if is_text(line) { line } else { " " });
    Ok(lines.iter().map(quoted).collect())
}

/// The line of tags and date.
pub fn metadata(tags: &[String], created: &str) -> Result<String> {
    let out = format!("<!-- tags: {} | created: {created} -->", tag_list(tags)?);
    match scan::rule(out.as_bytes()) {
        Rule::Metadata(_, date) if date == created.as_bytes() => Ok(out),
        _ => refuse(format!(
            "`{}` is no date as Ralph reads it: YYYY-MM-DD",
            created.escape_debug()
        )),
    }
}

/// Tags as they stand in a line; refused where Ralph would read others.
pub fn tag_list(tags: &[String]) -> Result<String> {
    let tags: Vec<&str> = tags.iter().map(|tag| tag.trim()).collect();
    for tag in &tags {
        let mut marks = [",", "|", "-->", "<!--"].into_iter();
        let why = match marks.find(|mark| tag.contains(mark)) {
            Some(mark) => format!("Ralph does not read one with `{mark}`"),
            None if tag.is_empty() => "it is empty".to_owned(),
            None if tag.contains(char::is_control) => "a tag is one line of text".to_owned(),
            None => continue,
        };
        return refuse(format!("`{}` cannot be a tag: {why}", tag.escape_debug()));
    }
    Ok(tags.join(", "))
}

/// A date as Ralph writes it, of any point in time that is written as ISO 8601 and that there is.
pub fn date_of(text: &str) -> Option<String> {
    let at = Timestamp::parse_existing(text)?;
    let day = at.to_rfc3339();
    let date = day.get(..10)?;
    (day.as_bytes().get(10) == Some(&b'T')).then(|| date.to_owned())
}

/// Tags and date of an entry as they are written, whether Ralph reads them or not.
pub fn written(bytes: &[u8], entry: &Entry) -> (Vec<String>, Option<String>) {
    let part = |range| part(bytes, range);
    let Some(metadata) = &entry.metadata else {
        return (Vec::new(), None);
    };
    match &metadata.parts {
        Some((own, created)) => {
            let created = String::from_utf8_lossy(part(created)).into_owned();
            (tags(part(own)), Some(created))
        }
        None => as_meant(part(&metadata.line)),
    }
}

/// Tags and date of a line as a person reads it, whether Ralph does or not.
pub fn as_meant(line: &[u8]) -> (Vec<String>, Option<String>) {
    static DATE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^\s*([0-9]{4}-[0-9]{2}-[0-9]{2})").ok());
    let text = String::from_utf8_lossy(line);
    let inner = text.trim().trim_start_matches("<!--");
    let inner = inner.split("-->").next().unwrap_or(inner);
    let (head, created) = match inner.split_once("created:") {
        Some((head, created)) => (head, Some(created)),
        None => (inner, None),
    };
    let date = created.and_then(|created| DATE.as_ref()?.captures(created)?.get(1));
    // The one may stand before the other.
    let own = [head, created.unwrap_or_default()].into_iter();
    let own = own.filter_map(|part| part.split_once("tags:")).next();
    let own = own.map_or("", |(_, own)| own);
    (
        tags(own.replace('|', ",").as_bytes()),
        date.map(|date| date.as_str().to_owned()),
    )
}

/// Tags as Ralph reads them.
pub fn tags(part: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(part);
    let all = text.split(',').map(str::trim);
    all.filter(|tag| !tag.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}
