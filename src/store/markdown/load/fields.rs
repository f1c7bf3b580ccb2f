//! The fields of a document, and what is wrong with them.

use std::cell::OnceCell;

use super::facts::{slice, text_of};
use crate::memory::document::{BOM, Document};
use crate::memory::format::{Broken, Table};
use crate::memory::frontmatter::Locations;
use crate::memory::lines::Lines;
use crate::memory::problem::LOW_FIELDS;
use crate::memory::schema::{Kind, Style};
use crate::memory::{Fields, Problem, Role, Schema, Severity, Timestamp, Value, frontmatter};
use crate::store::markdown::MarkdownStore;
use crate::store::markdown::fence::LowFields;

/// The fields of a document, as the system's loader takes them where it finds any, and why they
/// cannot be trusted. An index has no required fields.
pub(super) fn fields(
    store: &MarkdownStore,
    bytes: &[u8],
    (number, document): (u32, &Document),
    is_index: bool,
    problems: &mut Vec<Problem>,
) -> (Fields, Option<&'static str>) {
    let known = problems.len();
    let ours = our_fields(store.table, bytes, (document, is_index), problems);
    let front = document.front.as_ref();
    let Some(seen) = store.loader.other_front(bytes, number, front) else {
        if let (Some(front), None) = (front, ours.1) {
            let text = text_of(slice(bytes, front));
            let schema = store.table.schema;
            check_fields(schema, &ours.0, &text, document.front_line, problems);
            if is_index {
                problems.retain(|problem| problem.rule != "missing-field");
            }
        }
        return ours;
    };
    // The loader's own reading of its text counts, and is the worse surprise.
    problems.truncate(known);
    if problems.is_empty() {
        let message = "the loader takes another text for the frontmatter: it ends before the first line that begins with `---`";
        let place = (document.front_line, 1);
        problems.push(Problem::new("load-error", Severity::Error, place, message));
    }
    match frontmatter::read(&seen) {
        Ok(fields) => (fields, None),
        Err(_) => {
            let reason = "what the loader takes for its frontmatter is not YAML";
            (ours.0, Some(reason))
        }
    }
}

/// The fields between memkeep's fences, and why they cannot be trusted.
fn our_fields(
    table: &Table,
    bytes: &[u8],
    (document, is_index): (&Document, bool),
    problems: &mut Vec<Problem>,
) -> (Fields, Option<&'static str>) {
    if let Some(low) = LowFields::of(table, bytes) {
        let place = (low.line, 1);
        let problem = Problem::new("load-error", Severity::Error, place, LOW_FIELDS);
        problems.push(problem);
    }
    let Some(front) = &document.front else {
        let is_needed = table.schema.fields.iter().any(|spec| spec.required);
        if is_index || !is_needed {
            not_a_front(table, bytes, document, problems);
            return (open_fields(table, bytes), None);
        }
        let message = "no frontmatter: the file does not begin with fields between two lines `---`";
        if problems.is_empty() {
            let place = (document.line, 1);
            problems.push(Problem::new("load-error", Severity::Error, place, message));
        }
        return (Fields::default(), Some("it has no frontmatter"));
    };
    let text = text_of(slice(bytes, front));
    match frontmatter::read_as(table.schema, &text) {
        Ok(fields) => (fields, None),
        Err(_) if table.frontmatter == Broken::Lines => {
            (frontmatter::tolerant(table.schema, &text), None)
        }
        Err(error) => {
            let line = document.front_line + error.line.saturating_sub(1);
            let message = format!("the frontmatter is not YAML: {}", error.message);
            let place = (line, error.column);
            let hidden = table.frontmatter == Broken::Hidden;
            let severity = if hidden {
                Severity::Error
            } else {
                Severity::Warning
            };
            problems.push(Problem::new("load-error", severity, place, message));
            let reason = "its frontmatter is not YAML";
            (
                frontmatter::tolerant(table.schema, &text),
                hidden.then_some(reason),
            )
        }
    }
}

/// The fields of a file that begins with a fence and has no other one.
fn open_fields(table: &Table, bytes: &[u8]) -> Fields {
    let text = text_of(bytes.strip_prefix(BOM).unwrap_or(bytes));
    let mut parts = text.splitn(2, '\n');
    let is_fence = |line: &str| line.trim_end() == "---";
    let is_open = table.open_front && parts.next().is_some_and(is_fence);
    let rest = parts.next().unwrap_or_default();
    if !is_open || rest.lines().any(is_fence) {
        return Fields::default();
    }
    // Lines of the text look like fields too.
    let fields = frontmatter::tolerant(table.schema, rest);
    let own = fields
        .iter()
        .filter(|(name, _)| table.schema.field(name).is_some());
    own.map(|(name, value)| (name.to_owned(), value.clone()))
        .collect()
}

/// Reports text that only looks like frontmatter: a fence that is never closed, or one that is not
/// on the first line although the loader requires it there.
fn not_a_front(table: &Table, bytes: &[u8], document: &Document, problems: &mut Vec<Problem>) {
    if table.frontmatter == Broken::None || !problems.is_empty() {
        return;
    }
    let text = String::from_utf8_lossy(slice(bytes, &document.span));
    let is_fence = |line: &str| line.trim_end() == "---";
    let fence = text.lines().take(40).position(is_fence);
    let Some(fence) = fence else { return };
    let after = text.lines().skip(fence + 1);
    let is_key = |line: &str| {
        let key = line.split_once(':').map(|(key, _)| key);
        key.is_some_and(|key| table.schema.field(key).is_some())
    };
    // A rule between paragraphs opens nothing.
    if !after.take_while(|line| !is_fence(line)).any(is_key) {
        return;
    }
    let message = match fence {
        0 if table.open_front => {
            "the frontmatter is never closed: the whole file is taken for fields"
        }
        0 => "the frontmatter is never closed: its fields are text",
        _ => "text stands before the frontmatter: its fields are text, and the loader reads none",
    };
    let line = document.line + u32::try_from(fence).unwrap_or_default();
    problems.push(Problem::new(
        "load-error",
        Severity::Error,
        (line, 1),
        message,
    ));
}

/// Reports fields that are missing, of the wrong type or have an unknown value, with their
/// position.
fn check_fields(
    schema: &'static Schema,
    fields: &Fields,
    text: &str,
    first_line: u32,
    problems: &mut Vec<Problem>,
) {
    let read = OnceCell::new();
    let place = |name: &str, item: Option<usize>| {
        let (known, lines) =
            read.get_or_init(|| (Locations::new(text), Lines::new(text.as_bytes())));
        let at = known.locate(name, item).map_or(0, |range| range.start);
        let (line, column) = lines.in_file(text.as_bytes(), at);
        (first_line + line - 1, column)
    };
    for spec in schema.fields {
        let name = spec.name;
        let mut names = std::iter::once(&name).chain(spec.aliases);
        let value = names.find_map(|name| fields.at(name));
        let Some(value) = value.filter(|value| **value != Value::Null) else {
            // The specs call tags optional; that the loader does not is said by `sight`.
            if spec.required && spec.role != Role::Tags {
                let at = if fields.get(name).is_some() {
                    place(name, None)
                } else {
                    (first_line, 1)
                };
                problems.push(Problem::new(
                    "missing-field",
                    Severity::Error,
                    at,
                    format!("`{name}` is missing"),
                ));
            }
            continue;
        };
        let mut report = |rule, severity, item, message| {
            problems.push(Problem::new(rule, severity, place(name, item), message));
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
            (Kind::Patterns, Value::Text(_)) | (Kind::Bool, Value::Bool(_)) => {}
            (Kind::Number(..), Value::Int(_) | Value::Float(_)) => {}
            (Kind::Tags, Value::Text(_)) if !spec.required => {}
            (kind, _) if spec.style == Style::Bare && kind != Kind::Bool => {}
            (kind, Value::List(items)) if kind.is_list() => {
                let odd = items.iter().position(|item| item.as_str().is_none());
                if let Some((at, item)) = odd.and_then(|at| items.get(at).map(|item| (at, item))) {
                    let message =
                        format!("item {} of `{name}` is {}, not text", at + 1, item.kind());
                    report("unknown-value", Severity::Error, Some(at), message);
                }
            }
            (kind, value) => {
                let wanted = match kind {
                    Kind::Bool => "true or false",
                    Kind::Number(..) => "a number",
                    kind if kind.is_list() => "a list",
                    _ => "text",
                };
                let message = format!("`{name}` is {}, not {wanted}", value.kind());
                report("unknown-value", Severity::Error, None, message);
            }
        }
    }
}
