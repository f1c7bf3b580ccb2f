//! What a file's bytes say of its memories.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use memchr::memmem;

use crate::memory::document::{self, Document};
use crate::memory::schema::{Kind, RAWKO};
use crate::memory::{
    Fields, Memory, MemoryId, Problem, Role, Severity, Sight, Stamp, State, StoreId, Timestamp,
    Value, frontmatter, tokens_of,
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
            problems: [problem("load-error", Severity::Error, (1, 1), message)].into(),
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
            problems.push(problem(
                "load-error",
                Severity::Error,
                (1, 1),
                "the file is empty".to_owned(),
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
            words: count_words(body),
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
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The fields of a document, as the system's loader takes them where it finds any, and why they
/// cannot be trusted.
fn fields(
    bytes: &[u8],
    number: u32,
    document: &Document,
    problems: &mut Vec<Problem>,
) -> (Fields, Option<&'static str>) {
    let Some(front) = document.front.clone() else {
        if problems.is_empty() {
            let message =
                "no frontmatter: the file does not begin with fields between two lines `---`";
            problems.push(problem(
                "load-error",
                Severity::Error,
                (document.line, 1),
                message.to_owned(),
            ));
        }
        return (Fields::default(), Some("it has no frontmatter"));
    };
    let text = text_of(slice(bytes, &front));
    let fields = match frontmatter::read(&text) {
        Ok(fields) => fields,
        Err(error) => {
            let place = (
                document.front_line + error.line.saturating_sub(1),
                error.column,
            );
            let message = format!("the frontmatter is not YAML: {}", error.message);
            problems.push(problem("load-error", Severity::Error, place, message));
            return (
                frontmatter::tolerant(&text),
                Some("its frontmatter is not YAML"),
            );
        }
    };
    let Some(seen) = other_front(bytes, number, &front) else {
        check_fields(&fields, &text, document.front_line, problems);
        return (fields, None);
    };
    let message = "the loader takes another text for the frontmatter: it ends before the first line that begins with `---`";
    problems.push(problem(
        "load-error",
        Severity::Error,
        (document.front_line, 1),
        message.to_owned(),
    ));
    match frontmatter::read(&seen) {
        Ok(fields) => (fields, None),
        Err(_) => (
            fields,
            Some("what the loader takes for its frontmatter is not YAML"),
        ),
    }
}

/// What the system's loader takes for the frontmatter of a file, where that is another text than
/// memkeep's: it stops at the first line that begins with `---`.
fn other_front<'a>(bytes: &'a [u8], number: u32, ours: &Range<usize>) -> Option<Cow<'a, str>> {
    let seen = document::loader_reads(bytes)
        .ok()
        .filter(|_| number == 0)?
        .front;
    let same = ours.start == seen.start && ours.end == seen.end + 1;
    (!same).then(|| text_of(slice(bytes, &seen)))
}

fn slice<'a>(bytes: &'a [u8], range: &std::ops::Range<usize>) -> &'a [u8] {
    bytes.get(range.clone()).unwrap_or_default()
}

fn problem(rule: &'static str, severity: Severity, place: (u32, u32), message: String) -> Problem {
    Problem {
        rule,
        severity,
        line: place.0,
        column: place.1,
        message: message.into(),
    }
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
    Some(problem(
        "load-error",
        Severity::Error,
        place,
        "not UTF-8 from here on".to_owned(),
    ))
}

/// What the validity check of the system's loader finds missing.
fn not_valid(fields: &Fields) -> Option<String> {
    let text = |name: &str| matches!(fields.get(name), Some(Value::Text(_)));
    let importance = RAWKO.field("importance").map(|spec| spec.kind);
    let known =
        |word: &str| matches!(importance, Some(Kind::Choice(words)) if words.contains(&word));
    let wrong = if !text("title") {
        "`title` is not text"
    } else if !matches!(
        fields.get("whenToUse"),
        Some(Value::Text(_) | Value::List(_))
    ) {
        "`whenToUse` is neither text nor a list"
    } else if !matches!(fields.get("tags"), Some(Value::List(_))) {
        "`tags` is not a list"
    } else if !fields
        .get("importance")
        .and_then(Value::as_str)
        .is_some_and(known)
    {
        "`importance` is not low, medium, high or critical"
    } else if !text("discoveredAt") {
        "`discoveredAt` is not text"
    } else if !text("discoveredBy") {
        "`discoveredBy` is not text"
    } else {
        return None;
    };
    Some(format!("the loader skips it: {wrong}"))
}

/// What is missing, of the wrong type or has an unknown value, with its place.
fn check_fields(fields: &Fields, text: &str, first_line: u32, problems: &mut Vec<Problem>) {
    let place = |name: &str, item: Option<usize>| {
        let at = frontmatter::locate(text, name, item).map_or(0, |range| range.start);
        let before = text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count();
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        (
            first_line + u32::try_from(line).unwrap_or_default(),
            u32::try_from(column).unwrap_or(1),
        )
    };
    for spec in RAWKO.fields {
        let name = spec.name;
        let value = fields.get(name).filter(|value| **value != Value::Null);
        let Some(value) = value else {
            // The specs call tags optional; that the loader does not is said by `sight`.
            if spec.required && spec.role != Role::Tags {
                let at = if fields.get(name).is_some() {
                    place(name, None)
                } else {
                    (first_line, 1)
                };
                problems.push(problem(
                    "missing-field",
                    Severity::Error,
                    at,
                    format!("`{name}` is missing"),
                ));
            }
            continue;
        };
        let mut report = |rule, severity, item, message| {
            problems.push(problem(rule, severity, place(name, item), message));
        };
        match (spec.kind, value) {
            (Kind::Choice(words), Value::Text(word)) if !words.contains(&&**word) => {
                let message = format!("`{name}` is `{word}`, not one of {}", words.join(", "));
                report("unknown-value", Severity::Error, None, message);
            }
            (Kind::Date, value) if Timestamp::of_value(value).is_none() => {
                let message = format!("`{name}` is `{value}`, not an ISO 8601 date");
                report("bad-date", Severity::Warning, None, message);
            }
            (Kind::Text | Kind::Choice(_), Value::Text(_)) | (Kind::Date, _) => {}
            (Kind::Patterns, Value::Text(_)) => {}
            (kind, Value::List(items)) if kind.is_list() => {
                let odd = items.iter().position(|item| item.as_str().is_none());
                if let Some((at, item)) = odd.and_then(|at| items.get(at).map(|item| (at, item))) {
                    let message =
                        format!("item {} of `{name}` is {}, not text", at + 1, item.kind());
                    report("unknown-value", Severity::Error, Some(at), message);
                }
            }
            (kind, value) => {
                let wanted = if kind.is_list() { "a list" } else { "text" };
                let message = format!("`{name}` is {}, not {wanted}", value.kind());
                report("unknown-value", Severity::Error, None, message);
            }
        }
    }
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

/// Words, split at white space.
fn count_words(body: &[u8]) -> u32 {
    let words = if body.is_ascii() {
        count_ascii_words(body)
    } else {
        text_of(body).split_whitespace().count()
    };
    u32::try_from(words).unwrap_or(u32::MAX)
}

/// Counts where a blank is followed by something else, in pieces whose count fits a byte: so the
/// compiler compares many bytes at once.
fn count_ascii_words(body: &[u8]) -> usize {
    const PIECE: usize = 240;
    let blank = |byte: u8| byte == b' ' || byte.wrapping_sub(b'\t') < 5;
    let Some((first, next)) = body.split_first() else {
        return 0;
    };
    let pieces = body.chunks(PIECE).zip(next.chunks(PIECE));
    let starts = pieces.map(|(before, here)| {
        let pairs = before.iter().zip(here);
        usize::from(
            pairs
                .map(|(a, b)| u8::from(blank(*a) & !blank(*b)))
                .sum::<u8>(),
        )
    });
    usize::from(!blank(*first)) + starts.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_counted_as_they_are_split(text in "[a \n\t\r\u{b}\u{c}\u{1c}é\u{a0}]{0,600}") {
            prop_assert_eq!(super::count_words(text.as_bytes()) as usize, text.split_whitespace().count());
        }
    }
}
