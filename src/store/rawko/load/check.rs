//! What is wrong with a memory: its bytes, its fields, and what the system's own loader wants.

use crate::memory::document::{self, Document};
use crate::memory::schema::{Kind, RAWKO};
use crate::memory::{Fields, Problem, Severity, Timestamp, Value, frontmatter};

/// Something wrong at a line and column.
pub(super) fn problem(
    rule: &'static str,
    severity: Severity,
    place: (u32, u32),
    message: String,
) -> Problem {
    Problem {
        rule,
        severity,
        line: place.0,
        column: place.1,
        message: message.into(),
    }
}

/// The first bytes of a document that are not UTF-8.
pub(super) fn not_utf8(bytes: &[u8], document: &Document) -> Option<Problem> {
    let text = document::part(bytes, document.span.clone());
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
pub(super) fn not_valid(fields: &Fields) -> Option<String> {
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
pub(super) fn check_fields(
    fields: &Fields,
    text: &str,
    first_line: u32,
    problems: &mut Vec<Problem>,
) {
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
            if spec.required {
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
