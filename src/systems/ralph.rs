//! Ralph's `memories.md`: one Markdown file with an entry below each `### mem-…` heading
//! (formats: ralph; specs: ralph-memories R2).
//!
//! A file is read in two ways at once. [`read`] gives what is *written*: every entry with its
//! bytes, and between them text that is nobody's and stays as it is. With each entry comes what
//! *Ralph* takes for it ([`Seen`]), which is not always the same: its parser goes by four
//! patterns, line by line, and knows nothing of blocks.
//!
//! ```text
//! ## Fixes                                     a section: the type of what follows
//!
//! ### mem-1773910000-a3f8                      the entry begins; its id
//! > First line                                 ┐ its content, quoted
//! >                                            │ (a blank line, which Ralph drops)
//! > Second line                                ┘
//! <!-- tags: a, b | created: 2026-03-19 -->    its tags and its date
//! ```

pub mod codec;
mod entry_edit;
pub mod policy;
mod problems;
mod scan;

pub use entry_edit::{Edit, add_block, change, put_back, take_out};
pub use scan::{Entry, Layout, Metadata, Seen, Stray, read};

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::memory::format::schema_in;
use crate::memory::lines::Lines;
use crate::memory::schema::{Capabilities, Schema};
use crate::memory::{Timestamp, document};
use crate::systems::codec::{Result, refuse};
use scan::Rule;

/// The fields of an entry.
pub static RALPH: LazyLock<Schema> = LazyLock::new(|| {
    let can = Capabilities {
        closed: true,
        heading: true,
        all_or_none: true,
        undated_is_today: true,
        ..Capabilities::default()
    };
    let fields = include_str!("../../assets/schemas/ralph.toml");
    schema_in(fields, "memory", "ralph", can)
});

/// Kind of knowledge (R3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// How the code base does things. Entries before any section have this type.
    #[default]
    Pattern,
    /// Why something was chosen.
    Decision,
    /// The solution to a problem that comes back.
    Fix,
    /// Knowledge of the project.
    Context,
}

impl Type {
    /// All of them, in the order in which Ralph writes and injects their sections.
    pub const ALL: [Self; 4] = [Self::Pattern, Self::Decision, Self::Fix, Self::Context];
    /// Their words, in the same order.
    pub const WORDS: [&str; 4] = ["pattern", "decision", "fix", "context"];
    const SECTIONS: [&str; 4] = ["Patterns", "Decisions", "Fixes", "Context"];

    /// The word of the command line and of JSON.
    pub fn word(self) -> &'static str {
        Self::WORDS.get(self as usize).copied().unwrap_or_default()
    }

    /// The name of its section.
    pub fn section(self) -> &'static str {
        let section = Self::SECTIONS.get(self as usize);
        section.copied().unwrap_or_default()
    }

    /// The type with this word, in any case, as Ralph reads it on its command line.
    pub fn named(word: &str) -> Option<Self> {
        let known = |kind: &Self| kind.word().eq_ignore_ascii_case(word.trim());
        Self::ALL.into_iter().find(known)
    }
}

fn part<'a>(bytes: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    document::part(bytes, range.clone())
}

/// The content of quoted lines: what is behind `> `, a line each. A quoted line without text is
/// a blank line.
pub fn content(text: &[u8]) -> Vec<u8> {
    let lines = scan::lines(text).filter_map(|line| scan::quoted(line.of(text)));
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// Positions of bytes of the content of quoted lines, in order: the line of the block, the first one
/// 0, and the column in characters, from 1. None where no line is quoted.
pub fn places(block: &[u8], bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
    let places = Lines::new(block);
    // Of each quoted line: where its content begins in the content, and in the block.
    let mut starts: Vec<(usize, Range<usize>)> = Vec::new();
    let mut at = 0;
    for line in scan::lines(block) {
        if let Some(rest) = scan::quoted(line.of(block)) {
            let end = line.text.end;
            starts.push((at, end - rest.len()..end));
            at += rest.len() + 1;
        }
    }
    let place = |byte: &usize| {
        let line = starts.partition_point(|(start, _)| start <= byte);
        let (start, content) = starts.get(line.checked_sub(1)?)?;
        let (line, column) = places.in_file(block, (content.start + byte - start).min(content.end));
        Some((line - 1, column))
    };
    bytes.iter().map(place).collect()
}

/// The content as Ralph reads it: only lines with `> ` and something behind it, up to the next
/// section or id, whatever stands between.
pub fn seen_content(text: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    for (number, line) in scan::lines(text).enumerate() {
        match scan::rule(line.of(text)) {
            scan::Rule::Section(_) | scan::Rule::Id(_) if number > 0 => break,
            scan::Rule::Content(rest) => content.push(rest),
            _ => {}
        }
    }
    content.join(&b'\n')
}

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
    let first = lines.iter().position(is_text);
    let Some((first, last)) = first.zip(lines.iter().rposition(is_text)) else {
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
    let tags = tags(own.replace('|', ",").as_bytes());
    (tags, date.map(|date| date.as_str().to_owned()))
}

/// Tags as Ralph reads them.
pub fn tags(part: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(part);
    let all = text.split(',').map(str::trim).filter(|tag| !tag.is_empty());
    all.map(ToOwned::to_owned).collect()
}
