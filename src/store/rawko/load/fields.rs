//! The fields of a document, and what is wrong with them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::facts::{slice, text_of};
use crate::memory::document::{self, Document};
use crate::memory::frontmatter::Locations;
use crate::memory::lines::Lines;
use crate::memory::schema::{Kind, RAWKO};
use crate::memory::{Fields, Problem, Role, Severity, Timestamp, Value, frontmatter};

/// The fields of a document, as the system's loader takes them where it finds any, and why they
/// cannot be trusted.
pub(super) fn fields(
    bytes: &[u8],
    number: u32,
    document: &Document,
    problems: &mut Vec<Problem>,
) -> (Fields, Option<&'static str>) {
    let known = problems.len();
    let ours = our_fields(bytes, document, problems);
    let front = document.front.as_ref();
    let Some(seen) = other_front(bytes, number, front) else {
        if let (Some(front), None) = (front, ours.1) {
            let text = text_of(slice(bytes, front));
            check_fields(&ours.0, &text, document.front_line, problems);
        }
        return ours;
    };
    // What it makes of its own text counts, and is the worse surprise.
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
    bytes: &[u8],
    document: &Document,
    problems: &mut Vec<Problem>,
) -> (Fields, Option<&'static str>) {
    let Some(front) = &document.front else {
        let message = "no frontmatter: the file does not begin with fields between two lines `---`";
        if problems.is_empty() {
            let place = (document.line, 1);
            problems.push(Problem::new("load-error", Severity::Error, place, message));
        }
        return (Fields::default(), Some("it has no frontmatter"));
    };
    let text = text_of(slice(bytes, front));
    match frontmatter::read(&text) {
        Ok(fields) => (fields, None),
        Err(error) => {
            let line = document.front_line + error.line.saturating_sub(1);
            let message = format!("the frontmatter is not YAML: {}", error.message);
            let place = (line, error.column);
            problems.push(Problem::new("load-error", Severity::Error, place, message));
            let reason = "its frontmatter is not YAML";
            (frontmatter::tolerant(&text), Some(reason))
        }
    }
}

/// What the system's loader takes for the frontmatter of a file, where that is another text than
/// memkeep's: it stops at the first line that begins with `---`, and reads whatever comes before.
fn other_front<'a>(
    bytes: &'a [u8],
    number: u32,
    ours: Option<&Range<usize>>,
) -> Option<Cow<'a, str>> {
    if number > 0 {
        return None;
    }
    let seen = document::loader_reads(bytes).ok()?.front;
    let same = ours.is_some_and(|ours| ours.start == seen.start && ours.end == seen.end + 1);
    (!same).then(|| text_of(slice(bytes, &seen)))
}

/// What the validity check of the system's loader finds missing.
pub(super) fn not_valid(fields: &Fields) -> Option<String> {
    let text = |name: &str| matches!(fields.get(name), Some(Value::Text(_)));
    let importance = RAWKO.field("importance").map(|spec| spec.kind);
    let known =
        |word: &str| matches!(importance, Some(Kind::Choice(words)) if words.contains(&word));
    let list = |name: &str| matches!(fields.get(name), Some(Value::List(_)));
    let word = fields.get("importance").and_then(Value::as_str);
    // In the order in which the loader looks.
    let checks = [
        ("title", text("title"), "text"),
        (
            "whenToUse",
            text("whenToUse") || list("whenToUse"),
            "text or a list",
        ),
        ("tags", list("tags"), "a list"),
        (
            "importance",
            word.is_some_and(known),
            "low, medium, high or critical",
        ),
        ("discoveredAt", text("discoveredAt"), "text"),
        ("discoveredBy", text("discoveredBy"), "text"),
    ];
    let (name, _, wanted) = checks.into_iter().find(|(_, right, _)| !right)?;
    let wrong = match fields.get(name) {
        None | Some(Value::Null) => format!("`{name}` is missing"),
        Some(_) => format!("`{name}` is not {wanted}"),
    };
    Some(format!("the loader skips it: {wrong}"))
}

/// What is missing, of the wrong type or has an unknown value, with its place.
fn check_fields(fields: &Fields, text: &str, first_line: u32, problems: &mut Vec<Problem>) {
    let read = OnceCell::new();
    let place = |name: &str, item: Option<usize>| {
        let (known, lines) =
            read.get_or_init(|| (Locations::new(text), Lines::new(text.as_bytes())));
        let at = known.locate(name, item).map_or(0, |range| range.start);
        let (line, column) = lines.in_file(text.as_bytes(), at);
        (first_line + line - 1, column)
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
