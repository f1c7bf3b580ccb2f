//! Reads the facts of memories from a file's bytes.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::fields::fields;
use crate::memory::document::Document;
use crate::memory::format::Untitled;
use crate::memory::problem::report_conflict;
use crate::memory::{
    Fields, Memory, MemoryId, Problem, Role, Severity, Sight, Stamp, State, Timestamp, Value,
    title_of, tokens_of,
};
use crate::store::markdown::MarkdownStore;
use crate::store::markdown::fence::LowFields;

/// Facts shared by all memories of one file.
pub(super) struct FileFacts<'a> {
    /// The store it is in.
    pub store: &'a MarkdownStore,
    /// Its place.
    pub path: Arc<Path>,
    /// LOCAL of its first memory.
    pub local: Box<str>,
    /// In use, or in the archive.
    pub state: State,
    /// Its state when it was read.
    pub stamp: Stamp,
    /// Why the system's loader skips the whole file.
    pub skipped: Option<(Sight, &'a str)>,
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
        let id = MemoryId::new(&self.store.info.id, self.local(document));
        let mut memory = Memory::new(id, self.path.clone(), self.store.table.schema);
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
            hidden: self.skipped.map(|(_, why)| why.into()),
            problems: [Problem::new("load-error", Severity::Error, (1, 1), message)].into(),
            ..self.blank(0, None)
        }
    }

    /// The memories in these bytes; never none.
    pub(super) fn memories(&self, bytes: &[u8]) -> impl Iterator<Item = Memory> {
        let layout = self.store.layout(bytes);
        let memory = |(n, document)| self.memory(bytes, n, &document);
        let mut all: Vec<Memory> = (0..).zip(layout.documents).map(memory).collect();
        report_conflict(bytes, all.iter_mut());
        all.into_iter()
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
        let is_whole = self.store.is_whole(&self.local);
        let unread = document.front.is_some() && is_whole;
        problems.extend(unread.then(|| {
            let message = "its fields are not read: the system gives all of the file as text";
            Problem::new("load-error", Severity::Warning, (1, 1), message)
        }));
        let is_named = self.state == State::Active && number == 0;
        let bad_name = is_named.then(|| self.store.bad_name(&self.local));
        problems.extend(bad_name.flatten().map(|why| {
            let message = format!("agents cannot open it by its name: {why}");
            Problem::new("load-error", Severity::Error, (1, 1), message)
        }));
        let is_index = self.store.is_index(&self.path);
        let place = (number, document);
        let (fields, broken) = match is_whole {
            true => (Fields::default(), None),
            false => fields(self.store, bytes, place, is_index, &mut problems),
        };
        let schema = self.store.table.schema;
        let date = |role| {
            let at = schema.role(role).and_then(|spec| {
                let mut names = std::iter::once(&spec.name).chain(spec.aliases);
                names.find_map(|name| fields.at(name))
            });
            at.filter(|at| **at != Value::Null)
                .and_then(Timestamp::of_value)
        };
        let (created, changed) = (date(Role::Created), date(Role::Updated));
        let body = slice(bytes, &document.body);
        let (sight, hidden) = self.sight(bytes, place, &fields, broken);
        let title = self.title(&fields, body);
        let given = self.store.given(&self.path, body).len();
        Memory {
            line: document.line,
            span: document.span.clone(),
            body: document.body.clone(),
            created,
            updated: self.store.loader.updated(body).or(changed),
            words: crate::memory::words::count(body),
            tokens: u32::try_from(tokens_of(given)).unwrap_or(u32::MAX),
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
        (number, document): (u32, &Document),
        fields: &Fields,
        broken: Option<&str>,
    ) -> (Sight, Option<String>) {
        if self.state == State::Archived {
            return (Sight::Skipped, Some("it is archived".to_owned()));
        }
        if let Some((sight, reason)) = self.skipped {
            return (sight, Some(reason.to_owned()));
        }
        let empty = self.store.table.skips_empty.as_ref();
        if let Some(reason) = empty.filter(|_| document.body.is_empty()) {
            return (Sight::Skipped, Some(reason.clone()));
        }
        let seen = self.store.loader.sight(bytes, number, fields, broken);
        let has_low_fields = || LowFields::of(self.store.table, bytes).is_some();
        match seen.0 {
            Sight::Seen if has_low_fields() => (Sight::TextOnly, None),
            _ => seen,
        }
    }

    /// The title to show; none where only its name is left.
    fn title(&self, fields: &Fields, body: &[u8]) -> Option<Box<str>> {
        let table = self.store.table;
        let spec = table.schema.role(Role::Title);
        let field = spec.and_then(|spec| fields.get(spec.name));
        let field = field.and_then(Value::as_str).map(str::trim);
        if let Some(title) = field.filter(|title| !title.is_empty()) {
            return Some(title.into());
        }
        let text = String::from_utf8_lossy(body);
        let heading = || {
            let (mut lines, mut in_code) = (text.lines().take(50), false);
            let heading = lines.find_map(|line| {
                in_code ^= line.trim_start().starts_with("```");
                line.trim_start().strip_prefix("# ").filter(|_| !in_code)
            });
            let heading = heading.map(str::trim).filter(|heading| !heading.is_empty());
            heading.map(Into::into)
        };
        table.untitled.iter().find_map(|way| match way {
            Untitled::Heading => heading(),
            Untitled::Stem => self.local.rsplit('/').next().map(Into::into),
            Untitled::Line => Some(title_of(&text)).filter(|title| !title.is_empty()),
        })
    }
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
