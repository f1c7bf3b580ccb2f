//! Lines of Ralph's file, and what its parser takes each of them for.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr, memmem};
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
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let start = at;
        let (end, mut to) = match memchr(b'\n', rest) {
            Some(newline) => (at + newline + 1, at + newline),
            None => (bytes.len(), bytes.len()),
        };
        if to < end && to > start && bytes.get(to - 1) == Some(&b'\r') {
            to -= 1;
        }
        at = end;
        Some(Line {
            text: start..to,
            end,
        })
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
    match line.first() {
        Some(b'#') => {
            if let Some(kind) = section(line) {
                return Rule::Section(kind);
            }
            if let Some(id) = id(line) {
                return Rule::Id(id);
            }
        }
        Some(b'>') => {
            if let Some(text) = line.strip_prefix(b"> ").filter(|text| !text.is_empty()) {
                return Rule::Content(text);
            }
        }
        Some(_) => {}
        None => return Rule::Ignored,
    }
    metadata(line).map_or(Rule::Ignored, |(tags, created)| {
        Rule::Metadata(tags, created)
    })
}

/// The type of the section that a line begins.
pub fn section(line: &[u8]) -> Option<Type> {
    let name = line.strip_prefix(b"## ")?;
    let of = |kind: &Type| name.starts_with(kind.section().as_bytes());
    Type::ALL.into_iter().find(of)
}

/// The id in a heading, as Ralph reads it: what comes behind four hexadecimal digits is dropped.
pub fn id(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"### ")?;
    let digits = rest.strip_prefix(b"mem-")?;
    if digits.first().is_some_and(|byte| !byte.is_ascii()) {
        return unusual_id(line);
    }
    let count = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let behind = digits.get(count..)?;
    if behind.first().is_some_and(|byte| !byte.is_ascii()) {
        return unusual_id(line);
    }
    let hex = behind.strip_prefix(b"-")?.get(..4)?;
    let lower = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (count > 0 && hex.iter().all(lower)).then_some(())?;
    rest.get(..4 + count + 1 + 4)
}

/// The pattern itself, for the digits of other scripts that `\d` knows too.
fn unusual_id(line: &[u8]) -> Option<&[u8]> {
    static PATTERN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^### (mem-\d+-[0-9a-f]{4})").ok());
    let found = PATTERN.as_ref()?.captures(line)?;
    found.get(1).map(|id| id.as_bytes())
}

/// Start of a metadata line.
pub const OPENING: &[u8] = b"<!-- tags: ";

/// Tags and date in a line, as Ralph reads them: one blank at each place, no `|` in the tags,
/// nothing but a date behind `created:`.
pub fn metadata(line: &[u8]) -> Option<(&[u8], &[u8])> {
    static FINDER: LazyLock<memmem::Finder<'static>> =
        LazyLock::new(|| memmem::Finder::new(OPENING));
    const MIDDLE: &[u8] = b" | created: ";
    let mut from = 0;
    loop {
        let start = from + FINDER.find(line.get(from..)?)? + OPENING.len();
        let rest = line.get(start..)?;
        let bar = memchr(b'|', rest)?;
        // The blank before the bar is not of the tags, and cannot be the one behind `tags:`.
        let tags = bar.checked_sub(1).and_then(|end| rest.get(..end));
        let behind = bar
            .checked_sub(1)
            .and_then(|at| rest.get(at..)?.strip_prefix(MIDDLE));
        if let (Some(tags), Some(behind)) = (tags, behind)
            && let Some(date) = date(behind)
        {
            return Some((tags, date));
        }
        from = start;
    }
}

/// `(\d{4}-\d{2}-\d{2}) -->` at the beginning of a text: the date.
fn date(text: &[u8]) -> Option<&[u8]> {
    const SHAPE: &[u8] = b"dddd-dd-dd";
    let (head, rest) = text.split_at_checked(SHAPE.len())?;
    let fits = |(byte, shape): (&u8, &u8)| match shape {
        b'd' => byte.is_ascii_digit(),
        shape => byte == shape,
    };
    if head.iter().zip(SHAPE).all(fits) {
        return rest.starts_with(b" -->").then_some(head);
    }
    if head.is_ascii() {
        return None;
    }
    static PATTERN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^(\d{4}-\d{2}-\d{2}) -->").ok());
    let found = PATTERN.as_ref()?.captures(text)?;
    found.get(1).map(|date| date.as_bytes())
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
