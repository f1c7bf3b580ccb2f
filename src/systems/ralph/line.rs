//! Lines of Ralph's file, and what its parser takes each of them for.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;

use super::Type;

/// A line of a text: its bytes, without and with what ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Without the line end, as Rust's `str::lines` gives it: a carriage return goes with the
    /// newline behind it.
    pub text: Range<usize>,
    /// Start of the next line.
    pub end: usize,
}

impl Line {
    /// The bytes of the line without its end.
    pub fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.text.clone()).unwrap_or_default()
    }
}

/// The lines of a text.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = Line> {
    let mut at = 0;
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(move |line| {
            let start = at;
            at += line.len();
            let bare = line.strip_suffix(b"\n");
            let bare = bare.map_or(line, |bare| bare.strip_suffix(b"\r").unwrap_or(bare));
            Line {
                text: start..start + bare.len(),
                end: at,
            }
        })
}

/// What Ralph's parser does with a line; the first that fits, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule<'a> {
    /// `^## (Patterns|Decisions|Fixes|Context)`: a section begins.
    Section(Type),
    /// `^### (mem-\d+-[0-9a-f]{4})`: an entry begins; its id.
    Id(&'a [u8]),
    /// `^> (.+)$`: a line of content.
    Content(&'a [u8]),
    /// `<!-- tags: ([^|]*) \| created: (\d{4}-\d{2}-\d{2}) -->` anywhere: tags and date.
    Metadata(&'a [u8], &'a [u8]),
    /// Nothing.
    Ignored,
}

/// What Ralph takes a line for.
pub fn rule(line: &[u8]) -> Rule<'_> {
    if let Some(kind) = section(line) {
        return Rule::Section(kind);
    }
    if let Some(id) = id(line) {
        return Rule::Id(id);
    }
    match line.strip_prefix(b"> ") {
        Some(text) if !text.is_empty() => Rule::Content(text),
        _ => metadata(line).map_or(Rule::Ignored, |(tags, date)| Rule::Metadata(tags, date)),
    }
}

/// The type of the section that a line begins.
pub fn section(line: &[u8]) -> Option<Type> {
    let name = line.strip_prefix(b"## ")?;
    let of = |kind: &Type| name.starts_with(kind.section().as_bytes());
    Type::ALL.into_iter().find(of)
}

/// A pattern of Ralph's.
type Pattern = LazyLock<Option<Regex>>;

static ID: Pattern = LazyLock::new(|| Regex::new(r"^### (mem-\d+-[0-9a-f]{4})").ok());

/// One blank at each place, no `|` in the tags.
static METADATA: Pattern = LazyLock::new(|| {
    let pattern = r"<!-- tags: ((?-u:[^|])*) \| created: (\d{4}-\d{2}-\d{2}) -->";
    Regex::new(pattern).ok()
});

/// The id in a heading, as Ralph reads it: what comes behind four hexadecimal digits is dropped.
pub fn id(line: &[u8]) -> Option<&[u8]> {
    let found = ID.as_ref()?.captures(line)?;
    found.get(1).map(|id| id.as_bytes())
}

/// Tags and date in a line, as Ralph reads them.
fn metadata(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let found = METADATA.as_ref()?.captures(line)?;
    Some((found.get(1)?.as_bytes(), found.get(2)?.as_bytes()))
}

/// The text behind the mark of a quoted line: one blank behind `>` belongs to the mark.
pub fn quoted(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b">")?;
    Some(rest.strip_prefix(b" ").unwrap_or(rest))
}

/// True if a line is a heading of the first three levels: what follows it belongs to nobody
/// above it.
pub fn is_heading(line: &[u8]) -> bool {
    let marks = line.iter().take_while(|byte| **byte == b'#').count();
    (1..=3).contains(&marks)
        && line
            .get(marks)
            .is_none_or(|byte| matches!(byte, b' ' | b'\t'))
}

/// True if a line is meant as metadata though Ralph may not read it as that.
pub fn is_like_metadata(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    let Some(inner) = text.strip_prefix(b"<!--") else {
        return false;
    };
    let has = |word: &[u8]| memmem::find(inner, word).is_some();
    has(b"tags:") || has(b"created:")
}
