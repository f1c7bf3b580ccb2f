//! Entries as Ralph writes them, and what it would not read back.

use std::borrow::Cow;

use super::line::{self, Rule};
use super::{EditError, Type};
use crate::memory::Timestamp;

/// The file that Ralph makes (`template`).
pub const TEMPLATE: &str = "# Memories\n\n## Patterns\n\n## Decisions\n\n## Fixes\n\n## Context\n";

/// Ralph's template under another title.
pub fn template(title: &str) -> String {
    TEMPLATE.replacen("Memories", title, 1)
}

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
pub fn block(entry: &NewEntry<'_>, eol: &str) -> Result<String, EditError> {
    if line::id(format!("### {}", entry.id).as_bytes()) != Some(entry.id.as_bytes()) {
        return Err(EditError::new(format!(
            "`{}` is no id that Ralph reads: mem-, seconds, -, four digits of 0-9a-f",
            entry.id.escape_debug()
        )));
    }
    let lines = content_lines(entry.content)?;
    let metadata = metadata(entry.tags, entry.created)?;
    let mut out = format!("### {}{eol}", entry.id);
    for line in lines {
        out.push_str(&line);
        out.push_str(eol);
    }
    out.push_str(&metadata);
    out.push_str(eol);
    Ok(out)
}

/// Content as quoted lines without their ends. A blank line is quoted as a line with one more
/// blank, which Ralph keeps; one without anything behind the mark it would drop.
pub fn content_lines(content: &str) -> Result<Vec<String>, EditError> {
    let content = content.replace("\r\n", "\n");
    let is_blank = |line: &&str| line.trim().is_empty();
    let lines: Vec<&str> = content.split('\n').collect();
    let first = lines.iter().position(|line| !is_blank(line));
    let last = lines.iter().rposition(|line| !is_blank(line));
    let (Some(first), Some(last)) = (first, last) else {
        return Err(EditError::new("Ralph drops an entry without text"));
    };
    let lines = lines.get(first..=last).unwrap_or_default();
    if lines.iter().any(|line| line.ends_with('\r')) {
        return Err(EditError::new(
            "a carriage return at the end of a line is lost when Ralph reads it",
        ));
    }
    let quoted = |line: &&str| match line.trim().is_empty() {
        true => ">  ".to_owned(),
        false => format!("> {line}"),
    };
    Ok(lines.iter().map(quoted).collect())
}

/// The line of tags and date.
pub fn metadata(tags: &[String], created: &str) -> Result<String, EditError> {
    let out = format!("<!-- tags: {} | created: {created} -->", tag_list(tags)?);
    match line::rule(out.as_bytes()) {
        Rule::Metadata(_, date) if date == created.as_bytes() => Ok(out),
        _ => Err(EditError::new(format!(
            "`{}` is no date as Ralph reads it: YYYY-MM-DD",
            created.escape_debug()
        ))),
    }
}

/// Tags as they stand in a line; refused where Ralph would read others.
pub fn tag_list(tags: &[String]) -> Result<String, EditError> {
    let trimmed: Vec<&str> = tags.iter().map(|tag| tag.trim()).collect();
    for tag in &trimmed {
        check_tag(tag)?;
    }
    Ok(trimmed.join(", "))
}

/// Refuses a tag that Ralph would not read back.
pub fn check_tag(tag: &str) -> Result<(), EditError> {
    let bad = [",", "|", "-->", "<!--"]
        .into_iter()
        .find(|bad| tag.contains(bad));
    let refused = |why: Cow<'static, str>| {
        let tag = tag.escape_debug();
        Err(EditError::new(format!("`{tag}` cannot be a tag: {why}")))
    };
    match bad {
        Some(bad) => refused(format!("Ralph does not read one with `{bad}`").into()),
        None if tag.trim().is_empty() => refused("it is empty".into()),
        None if tag.contains(char::is_control) => refused("a tag is one line of text".into()),
        None => Ok(()),
    }
}

/// A date as Ralph writes it, of any point in time that is written as ISO 8601 and that there is.
pub fn date_of(text: &str) -> Option<String> {
    let at = Timestamp::parse_existing(text)?;
    let day = at.to_rfc3339();
    let date = day.get(..10)?;
    (day.as_bytes().get(10) == Some(&b'T')).then(|| date.to_owned())
}

/// Tags and date of a line as a person reads it, whether Ralph does or not.
pub fn as_meant(line: &[u8]) -> (Vec<String>, Option<String>) {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let inner = text.strip_prefix("<!--").unwrap_or(text);
    let inner = inner.split("-->").next().unwrap_or(inner);
    let created = inner.find("created:");
    let date = created.and_then(|at| {
        let rest = inner.get(at + "created:".len()..)?.trim_start();
        rest.get(..10).filter(|date| {
            let shape = |(n, byte): (usize, u8)| match n {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            };
            date.bytes().enumerate().all(shape)
        })
    });
    let tags = inner.find("tags:").and_then(|at| {
        let end = created.filter(|end| *end > at).unwrap_or(inner.len());
        inner.get(at + "tags:".len()..end)
    });
    let tags = tags
        .unwrap_or_default()
        .split([',', '|'])
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .map(ToOwned::to_owned);
    (tags.collect(), date.map(ToOwned::to_owned))
}

/// Tags as Ralph reads them.
pub fn tags(part: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(part)
        .split(',')
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}
