//! The fields of a document and their faults; at the end rawko's own loader (formats: rawko).

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem;

use super::text_of;
use crate::memory::document::{BOM, Document, loader_reads, part};
use crate::memory::format::{Broken, Table};
use crate::memory::frontmatter::Locations;
use crate::memory::lines::Lines;
use crate::memory::schema::{FieldSpec, Kind, Style};
use crate::memory::{
    Fields, Memory, Problem, Role, Schema, Severity, Sight, Timestamp, Value, frontmatter, to_u32,
};
use crate::store::markdown::MarkdownStore;
use crate::systems::rawko::not_valid;

/// Lines of a file in which its fields may begin.
const FIRST: u32 = 40;

/// The fields of a document as its loader takes them, and why they are not trusted.
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
    let is_rawko = store.is_rawko() && number == 0;
    let Some(seen) = is_rawko.then(|| other_front(bytes, front)).flatten() else {
        if let (Some(front), None) = (front, ours.1) {
            let text = text_of(part(bytes, front.clone()));
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
        problems.push(Problem::load_error((document.front_line, 1), message));
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
    if let Some(line) = low_fields(table, bytes) {
        let message = "the first line is not `---`: the loader reads no fields";
        problems.push(Problem::load_error((line, 1), message));
    }
    let Some(front) = &document.front else {
        let is_needed = table.schema.fields.iter().any(|spec| spec.required);
        if is_index || !is_needed {
            not_a_front(table, bytes, document, problems);
            return (open_fields(table, bytes), None);
        }
        if problems.is_empty() {
            let message =
                "no frontmatter: the file does not begin with fields between two lines `---`";
            problems.push(Problem::load_error((document.line, 1), message));
        }
        return (Fields::default(), Some("it has no frontmatter"));
    };
    let text = text_of(part(bytes, front.clone()));
    let error = match frontmatter::read_as(table.schema, &text) {
        Ok(fields) => return (fields, None),
        Err(error) => error,
    };
    let fields = frontmatter::tolerant(table.schema, &text);
    if table.frontmatter == Broken::Lines {
        return (fields, None);
    }
    let line = document.front_line as usize + error.line.saturating_sub(1);
    let message = format!("the frontmatter is not YAML: {}", error.message);
    let (severity, why) = match table.frontmatter {
        Broken::Hidden => (Severity::Error, Some("its frontmatter is not YAML")),
        _ => (Severity::Warning, None),
    };
    let place = (to_u32(line), to_u32(error.column));
    problems.push(Problem::new("load-error", severity, place, message));
    (fields, why)
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
    let own = fields.iter();
    let own = own.filter(|(name, _)| table.schema.field(name).is_some());
    let own = own.map(|(name, value)| (name.to_owned(), value.clone()));
    own.collect()
}

/// The line, from 1, of fields that a loader does not read, for it wants them on the first line.
pub(in crate::store::markdown) fn low_fields(table: &Table, bytes: &[u8]) -> Option<u32> {
    let text = text_of(bytes.strip_prefix(BOM).unwrap_or(bytes));
    let found = table.fence_first.then(|| fence_of_fields(table, &text));
    let (line, is_closed) = found.flatten()?;
    (line > 1 && is_closed).then_some(line)
}

/// The line, from 1, of a fence that opens fields, and true if another closes it. A rule between
/// paragraphs opens nothing, nor does a fence in code that does not begin the file.
fn fence_of_fields(table: &Table, text: &str) -> Option<(u32, bool)> {
    let (mut open, mut has_field) = (None, false);
    let (mut in_code, mut is_begun) = (false, false);
    for (line, number) in text.lines().map(str::trim_end).zip(1..) {
        if let Some(fence) = open {
            if line == "---" {
                return has_field.then_some((fence, true));
            }
            has_field |= is_field(table, line);
            continue;
        }
        in_code ^= is_begun && line.trim_start().starts_with("```");
        is_begun |= !line.is_empty();
        match line {
            "---" if !in_code => open = Some(number),
            _ if number > FIRST => return None,
            _ => {}
        }
    }
    open.filter(|_| has_field).map(|fence| (fence, false))
}

fn is_field(table: &Table, line: &str) -> bool {
    let key = line.split_once(':').map(|(key, _)| key);
    key.is_some_and(|key| table.schema.field(key).is_some())
}

/// Reports text that only looks like frontmatter: never closed, or not on the first line.
fn not_a_front(table: &Table, bytes: &[u8], document: &Document, problems: &mut Vec<Problem>) {
    if table.frontmatter == Broken::None || !problems.is_empty() {
        return;
    }
    let text = text_of(part(bytes, document.span.clone()));
    let Some((fence, _)) = fence_of_fields(table, &text) else {
        return;
    };
    let message = match fence {
        1 if table.open_front => {
            "the frontmatter is never closed: the whole file is taken for fields"
        }
        1 => "the frontmatter is never closed: its fields are text",
        _ => "text stands before the frontmatter: its fields are text, and the loader reads none",
    };
    let place = (document.line + fence - 1, 1);
    problems.push(Problem::load_error(place, message));
}

/// Reports fields that are missing, of the wrong type or with an unknown value.
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
        let value = spec.value_in(fields);
        if let Some(value) = value.filter(|value| **value != Value::Null) {
            if let Some((rule, severity, item, what)) = fault(spec, value) {
                let message = match item {
                    Some(item) => format!("item {} of `{name}` {what}", item + 1),
                    None => format!("`{name}` {what}"),
                };
                problems.push(Problem::new(rule, severity, place(name, item), message));
            }
        } else if spec.required && spec.role != Role::Tags {
            // The specs call tags optional; that the loader does not is said by `sight`.
            let at = match fields.get(name) {
                Some(_) => place(name, None),
                None => (first_line, 1),
            };
            let message = format!("`{name}` is missing");
            problems.push(Problem::new("missing-field", Severity::Error, at, message));
        }
    }
}

/// The rule that a value of a field breaks, how bad that is, the item of a list, and the problem.
fn fault(
    spec: &FieldSpec,
    value: &Value,
) -> Option<(&'static str, Severity, Option<usize>, String)> {
    // Types that people make up are read like the others.
    let severity = match spec.role {
        _ if spec.required => Severity::Error,
        Role::Type => Severity::Info,
        _ => Severity::Warning,
    };
    let unknown = |item, what| Some(("unknown-value", severity, item, what));
    match (spec.kind, value) {
        (Kind::Choice(words), Value::Text(word)) if !words.contains(&&**word) => {
            let what = format!("is `{word}`, not one of {}", words.join(", "));
            unknown(None, what)
        }
        (Kind::Date, value) if Timestamp::of_value(value).is_none() => {
            let what = format!("is `{value}`, not an ISO 8601 date");
            Some(("bad-date", Severity::Warning, None, what))
        }
        (Kind::Text | Kind::Choice(_), Value::Text(_)) | (Kind::Date, _) => None,
        (Kind::Patterns, Value::Text(_)) | (Kind::Bool, Value::Bool(_)) => None,
        (Kind::Number(..), Value::Int(_) | Value::Float(_)) => None,
        (Kind::Tags, Value::Text(_)) if !spec.required => None,
        (kind, _) if spec.style == Style::Bare && kind != Kind::Bool => None,
        (kind, Value::List(items)) if kind.is_list() => {
            let mut items = items.iter().enumerate();
            let (at, item) = items.find(|(_, item)| item.as_str().is_none())?;
            unknown(Some(at), format!("is {}, not text", item.kind()))
        }
        (kind, value) => {
            let wanted = match kind {
                Kind::Bool => "true or false",
                Kind::Number(..) => "a number",
                kind if kind.is_list() => "a list",
                _ => "text",
            };
            unknown(None, format!("is {}, not {wanted}", value.kind()))
        }
    }
}

/// The loader's frontmatter where it is not ours: up to the first line that begins with `---`.
fn other_front<'a>(bytes: &'a [u8], ours: Option<&Range<usize>>) -> Option<Cow<'a, str>> {
    let seen = loader_reads(bytes).ok()?.front;
    let same = ours.is_some_and(|ours| ours.start == seen.start && ours.end == seen.end + 1);
    (!same).then(|| String::from_utf8_lossy(part(bytes, seen)))
}

/// Extent to which rawko's loader reads a memory; `broken` says why fields are not trusted.
pub fn sight(bytes: &[u8], memory: &Memory, broken: Option<&str>) -> (Sight, Option<String>) {
    let (sight, why) = match (loader_reads(bytes), broken) {
        (Err(reason), _) => {
            let why = format!("the loader finds no frontmatter: {reason}");
            (Sight::NoFields, why)
        }
        (Ok(_), _) if memory.document > 0 => {
            let why = "it is not the first memory of its file, and the loader reads only the first frontmatter";
            (Sight::Later, why.to_owned())
        }
        (Ok(_), Some(why)) => (Sight::NoFields, why.to_owned()),
        (Ok(_), None) => match not_valid(memory) {
            Some(why) => (Sight::Invalid, format!("the loader skips it: {why}")),
            None => return (Sight::Seen, None),
        },
    };
    (sight, Some(why))
}

/// The date of the last `## Update (2026-01-24)` of a body.
pub(super) fn last_update(body: &[u8]) -> Option<Timestamp> {
    const HEADING: &[u8] = b"\n## Update (";
    let dates = memmem::find_iter(body, HEADING).filter_map(|at| {
        let rest = body.get(at + HEADING.len()..)?;
        let date = rest.get(..memchr::memchr(b')', rest.get(..40.min(rest.len()))?)?)?;
        Timestamp::parse_iso(std::str::from_utf8(date).ok()?)
    });
    dates.max()
}

#[cfg(test)]
mod tests {
    use super::low_fields;
    use crate::memory::format::table;

    #[test]
    fn fields_below_the_first_line_are_found_where_the_loader_wants_them_there() {
        let line = |name: &str, text: &str| low_fields(table(name).unwrap(), text.as_bytes());
        let front = "---\napplyTo: \"**\"\n---\n";
        for (above, expected) in [
            ("\n \n", 3),
            ("<!-- a note -->\n", 2),
            ("```instructions\n", 2),
            ("\u{feff}\n", 2),
            ("Text.\n", 2),
        ] {
            let text = format!("{above}{front}Text.\n");
            assert_eq!(line("copilot", &text), Some(expected), "{text}");
        }
        assert_eq!(line("copilot", "\r\n---\r\napplyTo: x\r\n---"), Some(2));
        for text in [
            "---\napplyTo: x\n---\n",
            "Text.\n---\nnote: x\n---\n",
            "Text.\n---\napplyTo: x\n",
            "How to write one:\n```yaml\n---\napplyTo: x\n---\n```\n",
            "",
        ] {
            assert_eq!(line("copilot", text), None, "{text}");
        }
        assert_eq!(line("kiro", "\n---\ninclusion: always\n---\n"), None);
    }
}
