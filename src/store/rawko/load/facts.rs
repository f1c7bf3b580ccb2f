//! What a file's bytes say of its memories.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::fields::{fields, not_valid};
use memchr::memmem;

use crate::memory::document::{self, Document};
use crate::memory::schema::RAWKO;
use crate::memory::{
    Fields, Memory, MemoryId, Problem, Severity, Sight, Stamp, State, StoreId, Timestamp, Value,
    tokens_of,
};

/// What all memories of one file share.
pub(super) struct FileFacts<'a> {
    /// The store it is in.
    pub store: &'a StoreId,
    /// Its place.
    pub path: Arc<Path>,
    /// LOCAL of its first memory.
    pub local: Box<str>,
    /// In use, or in the archive.
    pub state: State,
    /// Its state when it was read.
    pub stamp: Stamp,
    /// Why the system's loader skips the whole file.
    pub skipped: Option<&'static str>,
}

impl FileFacts<'_> {
    fn local(&self, document: u32) -> Box<str> {
        if document == 0 {
            self.local.clone()
        } else {
            format!("{}#{}", self.local, document + 1).into()
        }
    }

    fn blank(&self, document: u32, title: Option<Box<str>>) -> Memory {
        let id = MemoryId::new(self.store, self.local(document));
        let mut memory = Memory::new(id, self.path.clone(), &RAWKO);
        memory.title = title.unwrap_or(memory.title);
        memory.document = document;
        memory.state = self.state;
        memory.stamp = self.stamp;
        memory
    }

    /// The memory of a file that cannot be read.
    pub(super) fn unreadable(&self, message: String) -> Memory {
        Memory {
            sight: Sight::Skipped,
            hidden: self.skipped.map(Into::into),
            problems: [Problem::new("load-error", Severity::Error, (1, 1), message)].into(),
            ..self.blank(0, None)
        }
    }

    /// The memories in these bytes; never none.
    pub(super) fn memories(&self, bytes: &[u8]) -> impl Iterator<Item = Memory> {
        let layout = document::layout(bytes);
        (0..)
            .zip(layout.documents)
            .map(|(n, document)| self.memory(bytes, n, &document))
    }

    fn memory(&self, bytes: &[u8], number: u32, document: &Document) -> Memory {
        let mut problems = Vec::new();
        if number == 0 && bytes.iter().all(u8::is_ascii_whitespace) {
            problems.push(Problem::new(
                "load-error",
                Severity::Error,
                (1, 1),
                "the file is empty",
            ));
        } else {
            problems.extend(not_utf8(bytes, document));
        }
        let (fields, broken) = fields(bytes, number, document, &mut problems);
        let body = slice(bytes, &document.body);
        let (sight, hidden) = self.sight(bytes, number, &fields, broken);
        let title = title(&fields, body);
        Memory {
            line: document.line,
            span: document.span.clone(),
            body: document.body.clone(),
            created: fields
                .get("discoveredAt")
                .filter(|at| **at != Value::Null)
                .and_then(Timestamp::of_value),
            updated: last_update(body),
            words: crate::memory::words::count(body),
            tokens: u32::try_from(tokens_of(body.len())).unwrap_or(u32::MAX),
            sight,
            hidden: hidden.map(Into::into),
            fields,
            problems: problems.into(),
            ..self.blank(number, title)
        }
    }

    /// How far the system's own loader gets with a memory, and why no further (formats: rawko,
    /// "Loader").
    fn sight(
        &self,
        bytes: &[u8],
        number: u32,
        fields: &Fields,
        broken: Option<&str>,
    ) -> (Sight, Option<String>) {
        if self.state == State::Archived {
            return (Sight::Skipped, Some("it is archived".to_owned()));
        }
        if let Some(reason) = self.skipped {
            return (Sight::Skipped, Some(reason.to_owned()));
        }
        if let Err(reason) = document::loader_reads(bytes) {
            return (
                Sight::NoFields,
                Some(format!("the loader finds no frontmatter: {reason}")),
            );
        }
        if number > 0 {
            let reason = "it is not the first memory of its file, and the loader reads only the first frontmatter";
            return (Sight::Later, Some(reason.to_owned()));
        }
        match (broken, not_valid(fields)) {
            (Some(reason), _) => (Sight::NoFields, Some(reason.to_owned())),
            (None, Some(reason)) => (Sight::Invalid, Some(reason)),
            (None, None) => (Sight::Seen, None),
        }
    }
}

/// The title to show; none where only its name is left.
fn title(fields: &Fields, body: &[u8]) -> Option<Box<str>> {
    let field = fields.get("title").and_then(Value::as_str).map(str::trim);
    if let Some(title) = field.filter(|title| !title.is_empty()) {
        return Some(title.into());
    }
    let text = String::from_utf8_lossy(body);
    let heading = text
        .lines()
        .take(50)
        .find_map(|line| line.trim_start().strip_prefix("# "));
    heading
        .map(str::trim)
        .filter(|heading| !heading.is_empty())
        .map(Into::into)
}

/// The text of bytes; nearly all are UTF-8, which is seen much faster than it is repaired.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The bytes of a range, none where it lies outside.
pub(super) fn slice<'a>(bytes: &'a [u8], range: &std::ops::Range<usize>) -> &'a [u8] {
    bytes.get(range.clone()).unwrap_or_default()
}

/// The first bytes of a document that are not UTF-8.
fn not_utf8(bytes: &[u8], document: &Document) -> Option<Problem> {
    let text = slice(bytes, &document.span);
    let at = std::str::from_utf8(text).err()?.valid_up_to();
    let before = text.get(..at)?;
    let line = memchr::memchr_iter(b'\n', before).count();
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let column = String::from_utf8_lossy(before.get(start..)?)
        .chars()
        .count()
        + 1;
    let place = (
        document.line + u32::try_from(line).ok()?,
        u32::try_from(column).ok()?,
    );
    Some(Problem::new(
        "load-error",
        Severity::Error,
        place,
        "not UTF-8 from here on",
    ))
}

/// The date of the last `## Update (2026-01-24)` of a body.
fn last_update(body: &[u8]) -> Option<Timestamp> {
    const HEADING: &[u8] = b"\n## Update (";
    static FINDER: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(HEADING));
    FINDER
        .find_iter(body)
        .filter_map(|at| {
            let rest = body.get(at + HEADING.len()..)?;
            let date = rest.get(..memchr::memchr(b')', rest.get(..40.min(rest.len()))?)?)?;
            Timestamp::parse_iso(std::str::from_utf8(date).ok()?)
        })
        .max()
}
