//! Reads the memories of a file's bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::memory::problem::report_conflict;
use crate::memory::{
    Fields, Memory, MemoryId, OTHER_TEXT, Problem, Severity, Sight, Stamp, State, StoreId,
    Timestamp, Value, title_of, tokens_of,
};
use crate::store::ralph::ARCHIVED;
use crate::systems::ralph::{self, Entry, Layout, RALPH, Seen, Stray, TEMPLATE, line};

/// Facts that all memories of one file share.
pub(super) struct FileFacts<'a> {
    /// The store it is in.
    pub store: &'a StoreId,
    /// Its place.
    pub path: Arc<Path>,
    /// In use, or the archive.
    pub state: State,
    /// Its state when it was read.
    pub stamp: Stamp,
}

/// Message about a file that is no text.
const NO_TEXT: &str = "not UTF-8 from here on: Ralph reads nothing of the file";

/// The line from which on a file is no text.
fn not_text(bytes: &[u8]) -> Option<u32> {
    let error = std::str::from_utf8(bytes).err()?;
    let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    Some(u32::try_from(line).unwrap_or(u32::MAX))
}

/// The other entry with an id: its line, and whether it says the same.
struct Twin {
    line: u32,
    is_equal: bool,
}

/// True if a file holds nothing but Ralph's template, or a title.
pub(in crate::store::ralph) fn is_blank(bytes: &[u8]) -> bool {
    let known = |line: &str| line.trim().is_empty() || TEMPLATE.lines().any(|own| own == line);
    String::from_utf8_lossy(bytes).lines().all(known)
}

impl FileFacts<'_> {
    fn local(&self, name: &str) -> Box<str> {
        match self.state {
            State::Archived => format!("{ARCHIVED}{name}").into(),
            State::Active => name.into(),
        }
    }

    /// The memory that stands for a file which cannot be read, from a line on.
    pub(super) fn unreadable(&self, line: u32, message: String) -> Memory {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let id = MemoryId::new(self.store, self.local(&name));
        Memory {
            title: name.into(),
            state: self.state,
            stamp: self.stamp,
            sight: Sight::Skipped,
            hidden: Some(match self.state {
                State::Archived => "it is archived".into(),
                State::Active => "the file cannot be read".into(),
            }),
            line,
            problems: [problem("load-error", Severity::Error, line, message)].into(),
            ..Memory::new(id, self.path.clone(), &RALPH)
        }
    }

    /// The memories in these bytes.
    pub(super) fn memories(&self, bytes: &[u8]) -> Vec<Arc<Memory>> {
        let layout = ralph::read(bytes);
        let broken = not_text(bytes);
        if let Some(line) = broken.filter(|_| layout.entries.is_empty()) {
            return vec![Arc::new(self.unreadable(line, NO_TEXT.to_owned()))];
        }
        let (counts, twins) = counted(bytes, &layout);
        let room = layout.entries.par_iter().zip(counts).enumerate();
        let read = room.map(|(number, (entry, count))| {
            let name = name_of(bytes, entry, count);
            let mut problems = Vec::new();
            if let Some(twin) = twins.get(&number) {
                problems.push(doubled(entry, twin));
            }
            if let Some(line) = broken.filter(|_| number == 0) {
                problems.push(problem("load-error", Severity::Error, line, NO_TEXT.into()));
            }
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            let mut memory = self.memory(bytes, entry, &name, problems);
            memory.document = number;
            if let Some(line) = broken.filter(|_| self.state == State::Active) {
                memory.sight = Sight::Skipped;
                memory.hidden = Some(
                    format!("the file is not UTF-8 on line {line}, and Ralph reads nothing of it")
                        .into(),
                );
            }
            Arc::new(memory)
        });
        let mut all: Vec<Arc<Memory>> = read.collect();
        report_conflict(bytes, all.iter_mut().map(Arc::make_mut));
        all
    }

    fn memory(&self, bytes: &[u8], entry: &Entry, name: &str, problems: Vec<Problem>) -> Memory {
        let part = |range: &std::ops::Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        let content = ralph::content(part(&entry.body));
        let length = content.len();
        let content = String::from_utf8_lossy(&content);
        let (tags, created) = written(bytes, entry);
        let (sight, hidden) = self.sight(bytes, entry);
        let mut problems = problems;
        if self.state == State::Active {
            all_problems(bytes, entry, &tags, created.as_deref(), &mut problems);
            problems.sort_by_key(|problem| (problem.line, problem.column));
        }
        let seen = (sight == Sight::Seen)
            .then(|| read_otherwise(bytes, entry, &tags, created.as_deref()))
            .flatten();
        let mut fields = vec![
            ("type", Value::from(entry.kind.word())),
            (
                "tags",
                tags.iter().map(|tag| Value::from(tag.as_str())).collect(),
            ),
        ];
        fields.extend(
            created
                .as_deref()
                .map(|date| ("created", Value::from(date))),
        );
        let id = MemoryId::new(self.store, self.local(name));
        let title = title_of(&content);
        Memory {
            title: if title.is_empty() { name.into() } else { title },
            line: entry.line,
            span: entry.span.clone(),
            body: entry.span.start..entry.span.start + length,
            created: created.as_deref().and_then(Timestamp::parse_iso),
            words: crate::memory::words::count(content.as_bytes()),
            tokens: u32::try_from(tokens_of(content.len())).unwrap_or(u32::MAX),
            state: self.state,
            sight,
            hidden: hidden.map(Into::into),
            seen: seen.map(Box::new),
            fields: fields.into_iter().collect::<Fields>(),
            problems: problems.into(),
            stamp: self.stamp,
            ..Memory::new(id, self.path.clone(), &RALPH)
        }
    }

    /// How far Ralph gets with an entry, and why no further.
    fn sight(&self, bytes: &[u8], entry: &Entry) -> (Sight, Option<String>) {
        if self.state == State::Archived {
            return (Sight::Skipped, Some("it is archived".to_owned()));
        }
        match &entry.seen {
            Some(seen) if seen.kept => (Sight::Seen, None),
            Some(_) => {
                let why =
                    "no line of it begins with `> ` and has text, and Ralph drops such an entry";
                (Sight::Invalid, Some(why.to_owned()))
            }
            None => {
                let id = String::from_utf8_lossy(entry.id(bytes));
                let why = format!(
                    "`{id}` is no id for Ralph, which wants mem-SECONDS- and four digits of 0-9a-f: \
                     it takes the text for that of the entry above"
                );
                (Sight::NoFields, Some(why))
            }
        }
    }
}

/// The name of an entry: its id, `#2` for the second with that id.
fn name_of<'a>(bytes: &'a [u8], entry: &Entry, count: u32) -> Cow<'a, str> {
    let id = String::from_utf8_lossy(entry.id(bytes));
    match count {
        1 => id,
        _ => format!("{id}#{count}").into(),
    }
}

/// Which of those with its id each entry is, from 1; and of those that share one, the first.
fn counted(bytes: &[u8], layout: &Layout) -> (Vec<u32>, HashMap<usize, Twin>) {
    let mut firsts: HashMap<&[u8], (usize, u32)> = HashMap::with_capacity(layout.entries.len());
    let mut counts = Vec::with_capacity(layout.entries.len());
    let mut twins = HashMap::new();
    for (number, entry) in layout.entries.iter().enumerate() {
        let id = entry.id(bytes);
        let (first, count) = firsts.entry(id).or_insert((number, 0));
        *count += 1;
        counts.push(*count);
        if *count == 1 {
            continue;
        }
        if let Some(first) = layout.entries.get(*first) {
            let text = |entry: &Entry| bytes.get(entry.body.clone());
            let twin = Twin {
                line: first.line,
                is_equal: text(first) == text(entry),
            };
            twins.insert(number, twin);
        }
    }
    (counts, twins)
}

/// Tags and date as they are written, whether Ralph reads them or not.
fn written(bytes: &[u8], entry: &Entry) -> (Vec<String>, Option<String>) {
    let Some(metadata) = &entry.metadata else {
        return (Vec::new(), None);
    };
    let part = |range: &std::ops::Range<usize>| bytes.get(range.clone()).unwrap_or_default();
    match &metadata.parts {
        Some((tags, created)) => {
            let created = String::from_utf8_lossy(part(created)).into_owned();
            (ralph::tags(part(tags)), Some(created))
        }
        None => ralph::as_meant(part(&metadata.line)),
    }
}

/// Where Ralph reads another text, other tags or another date than are written: those fields.
fn read_otherwise(
    bytes: &[u8],
    entry: &Entry,
    tags: &[String],
    created: Option<&str>,
) -> Option<Fields> {
    let seen = entry.seen.as_ref()?;
    let part = |range: &std::ops::Range<usize>| bytes.get(range.clone()).unwrap_or_default();
    let own = entry.metadata.as_ref().and_then(|own| own.parts.as_ref());
    let mut fields = Vec::new();
    if seen.metadata.as_ref() != own || (own.is_none() && entry.metadata.is_some()) {
        let read = seen.metadata.as_ref();
        let read_tags = read.map_or_else(Vec::new, |(tags, _)| ralph::tags(part(tags)));
        let date = read.map(|(_, date)| String::from_utf8_lossy(part(date)).into_owned());
        if read_tags != tags {
            let value = read_tags.into_iter().map(Value::from).collect();
            fields.push(("tags", value));
        }
        if date.as_deref() != created {
            fields.push(("created", date.map_or(Value::Null, Value::from)));
        }
    }
    if seen.stray.is_some() || seen.blank > 0 || seen.tight.is_some() {
        fields.push((OTHER_TEXT, Value::Bool(true)));
    }
    (!fields.is_empty()).then(|| fields.into_iter().collect())
}

/// Faults of an entry, in Ralph's sense.
fn all_problems(
    bytes: &[u8],
    entry: &Entry,
    tags: &[String],
    created: Option<&str>,
    out: &mut Vec<Problem>,
) {
    let Some(seen) = &entry.seen else {
        return;
    };
    if entry.has_tail() {
        let message = "Ralph drops what stands behind the id of the heading";
        out.push(problem(
            "load-error",
            Severity::Info,
            entry.line,
            message.into(),
        ));
    }
    section_problem(bytes, entry, out);
    if seen.kept {
        text_problems(entry, seen, out);
        metadata_problems(bytes, entry, seen, (tags, created), out);
    }
    let date = created.filter(|date| Timestamp::parse_iso(date).is_none());
    if let Some(date) = date {
        let message = format!("`created` is {date}, which is no date");
        out.push(problem(
            "bad-date",
            Severity::Warning,
            metadata_line(bytes, entry),
            message,
        ));
    }
}

/// An entry that stands below a heading that is none of Ralph's sections.
fn section_problem(bytes: &[u8], entry: &Entry, out: &mut Vec<Problem>) {
    let kind = entry.kind.word();
    let message = match &entry.section {
        None => format!("it stands above the first section: Ralph takes it for a {kind}"),
        Some((heading, _)) => {
            let text = bytes.get(heading.clone()).unwrap_or_default();
            let name = String::from_utf8_lossy(text);
            let name = name.trim_end();
            match line::section(text) {
                Some(kind) if name.strip_prefix("## ") == Some(kind.section()) => return,
                Some(_) => format!("`{name}` counts as `## {}` for Ralph", entry.kind.section()),
                None => format!("Ralph does not know `{name}`: it takes the entry for a {kind}"),
            }
        }
    };
    out.push(problem("load-error", Severity::Info, entry.line, message));
}

fn text_problems(entry: &Entry, seen: &Seen, out: &mut Vec<Problem>) {
    if let Some(Stray { line, count }) = seen.stray {
        let message = format!(
            "Ralph adds {} below another heading, from line {line} on, to this entry",
            lines(count)
        );
        out.push(problem("load-error", Severity::Warning, line, message));
    }
    if let Some(Stray { line, count }) = seen.tight {
        let message = format!("Ralph drops {} without a blank behind `>`", lines(count));
        out.push(problem("load-error", Severity::Warning, line, message));
    }
    if seen.blank > 0 {
        let message = format!(
            "Ralph drops {} of the text, and loses {} when it writes the file",
            match seen.blank {
                1 => "a blank line".to_owned(),
                count => format!("{count} blank lines"),
            },
            if seen.blank == 1 { "it" } else { "them" }
        );
        out.push(problem("load-error", Severity::Info, entry.line, message));
    }
}

fn metadata_problems(
    bytes: &[u8],
    entry: &Entry,
    seen: &Seen,
    (tags, created): (&[String], Option<&str>),
    out: &mut Vec<Problem>,
) {
    let own = entry.metadata.as_ref();
    let unread = own.is_some_and(|own| own.parts.is_none());
    let line = metadata_line(bytes, entry);
    let foreign = |(from, left_over): (u32, bool)| match left_over {
        true => {
            format!("tags and date are those of line {from}, which Ralph dropped with their entry")
        }
        false => {
            format!("tags and date are those of line {from}, below another heading, for Ralph")
        }
    };
    match (seen.foreign, unread) {
        (Some(from), _) => out.push(problem(
            "load-error",
            Severity::Warning,
            line,
            foreign(from),
        )),
        (None, true) => {
            let lost = match (tags.is_empty(), created.is_some()) {
                (false, true) => "its tags are lost and the date",
                (false, false) => "its tags are lost, and the date",
                (true, _) => "the date",
            };
            let message = format!(
                "Ralph does not read this line, which it wants as `<!-- tags: a, b | created: \
                 YYYY-MM-DD -->`: {lost} is today's, every day anew"
            );
            let rule = if created.is_some() {
                "bad-date"
            } else {
                "load-error"
            };
            out.push(problem(rule, Severity::Warning, line, message));
        }
        (None, false) if own.is_none() => {
            let message = "no date: Ralph takes today's, every day anew".to_owned();
            out.push(problem("missing-field", Severity::Info, line, message));
        }
        _ => {}
    }
}

/// The line of an entry's tags and date, else its first.
fn metadata_line(bytes: &[u8], entry: &Entry) -> u32 {
    let Some(metadata) = &entry.metadata else {
        return entry.line;
    };
    let before = bytes
        .get(entry.span.start..metadata.line.start)
        .unwrap_or_default();
    let lines = memchr::memchr_iter(b'\n', before).count();
    entry.line + u32::try_from(lines).unwrap_or_default()
}

fn doubled(entry: &Entry, twin: &Twin) -> Problem {
    let message = match twin.is_equal {
        true => format!("the entry on line {} again, word for word", twin.line),
        false => format!(
            "the entry on line {} has the same id and says something else: Ralph shows the first \
             and deletes both",
            twin.line
        ),
    };
    problem("duplicate-id", Severity::Warning, entry.line, message)
}

fn lines(count: u32) -> String {
    match count {
        1 => "a quoted line".to_owned(),
        count => format!("{count} quoted lines"),
    }
}

fn problem(rule: &'static str, severity: Severity, line: u32, message: String) -> Problem {
    Problem::new(rule, severity, (line, 1), message)
}
