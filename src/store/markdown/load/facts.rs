//! Reads the facts of memories from a file's bytes.

use std::path::Path;
use std::sync::Arc;

use super::fields::{fields, last_update, low_fields, sight};
use crate::memory::document::{Document, part};
use crate::memory::format::Untitled;
use crate::memory::lines::Lines;
use crate::memory::problem::report_conflict;
use crate::memory::{
    Fields, Memory, MemoryId, Problem, Role, Severity, Sight, Stamp, State, Timestamp, Value,
    title_of, tokens_of,
};
use crate::store::markdown::{MarkdownStore, context};

pub(super) struct FileFacts<'a> {
    pub store: &'a MarkdownStore,
    pub path: Arc<Path>,
    /// LOCAL of its first memory.
    pub local: Box<str>,
    pub state: State,
    pub stamp: Stamp,
    /// Why the system's loader skips the whole file.
    pub skipped: Option<(Sight, &'a str)>,
}

impl FileFacts<'_> {
    fn blank(&self, document: u32, title: Option<Box<str>>) -> Memory {
        let local = match document {
            0 => self.local.clone(),
            number => format!("{}#{}", self.local, number + 1).into(),
        };
        let id = MemoryId::new(&self.store.info.id, local);
        let mut memory = Memory::new(id, self.path.clone(), self.store.table.schema);
        memory.title = title.unwrap_or(memory.title);
        memory.document = document;
        memory.state = self.state;
        memory.stamp = self.stamp;
        memory
    }

    pub(super) fn unreadable(&self, message: String) -> Memory {
        Memory {
            sight: Sight::Skipped,
            hidden: self.skipped.map(|(_, why)| why.into()),
            problems: [Problem::load_error((1, 1), message)].into(),
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
        let is_blank = number == 0 && bytes.iter().all(u8::is_ascii_whitespace);
        let mut specs = self.store.table.schema.fields.iter();
        if is_blank && specs.any(|spec| spec.required) {
            problems.push(Problem::load_error((1, 1), "the file is empty"));
        } else {
            problems.extend(not_utf8(bytes, document));
        }
        let is_whole = self.store.is_whole(&self.local);
        if is_whole && document.front.is_some() {
            let message = "its fields are not read: the system gives all of the file as text";
            let warning = Severity::Warning;
            problems.push(Problem::new("load-error", warning, (1, 1), message));
        }
        let is_named = self.state == State::Active && number == 0;
        if let Some(why) = self.store.bad_name(&self.local).filter(|_| is_named) {
            let message = format!("agents cannot open it by its name: {why}");
            problems.push(Problem::load_error((1, 1), message));
        }
        let is_index = self.store.is_index(&self.path);
        let place = (number, document);
        let (fields, broken) = match is_whole {
            true => (Fields::default(), None),
            false => fields(self.store, bytes, place, is_index, &mut problems),
        };
        let schema = self.store.table.schema;
        let date = |role| match schema.role(role)?.value_in(&fields)? {
            Value::Null => None,
            at => Timestamp::of_value(at),
        };
        let (created, changed) = (date(Role::Created), date(Role::Updated));
        let body = part(bytes, document.body.clone());
        let title = self.title(&fields, body);
        let dated = self.store.is_rawko().then(|| last_update(body));
        let dated = dated.flatten();
        let given = context::given(self.store, &self.path, body).len();
        let memory = Memory {
            line: document.line,
            span: document.span.clone(),
            body: document.body.clone(),
            created,
            updated: dated.or(changed),
            words: crate::memory::words_of(body),
            tokens: u32::try_from(tokens_of(given)).unwrap_or(u32::MAX),
            fields,
            problems: problems.into(),
            ..self.blank(number, title)
        };
        let (sight, hidden) = self.sight(bytes, &memory, broken);
        Memory {
            sight,
            hidden: hidden.map(Into::into),
            ..memory
        }
        .with_caution(body)
    }

    /// Extent to which the system's own loader reads a memory, and why no further.
    fn sight(&self, bytes: &[u8], memory: &Memory, fault: Option<&str>) -> (Sight, Option<String>) {
        if self.state == State::Archived {
            return (Sight::Skipped, Some("it is archived".to_owned()));
        }
        if let Some((sight, reason)) = self.skipped {
            return (sight, Some(reason.to_owned()));
        }
        let empty = self.store.table.skips_empty.as_ref();
        if let Some(reason) = empty.filter(|_| memory.body.is_empty()) {
            return (Sight::Skipped, Some(reason.clone()));
        }
        if self.store.is_rawko() {
            return sight(bytes, memory, fault);
        }
        match fault {
            Some(why) => (Sight::NoFields, Some(why.to_owned())),
            None if low_fields(self.store.table, bytes).is_some() => (Sight::TextOnly, None),
            None => (Sight::Seen, None),
        }
    }

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
            let mut in_code = false;
            let heading = text.lines().take(50).find_map(|line| {
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

fn not_utf8(bytes: &[u8], document: &Document) -> Option<Problem> {
    let text = part(bytes, document.span.clone());
    let at = std::str::from_utf8(text).err()?.valid_up_to();
    let (line, column) = Lines::new(text).in_file(text, at);
    let place = (document.line.saturating_add(line) - 1, column);
    Some(Problem::load_error(place, "not UTF-8 from here on"))
}
