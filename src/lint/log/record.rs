//! The record of one failed command: `cmd=…, exit=…, error=…, next=…`, or the same as labelled lines.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::is_sentence;
use crate::text::patterns::compact;
use crate::text::statements::sentences;
use crate::text::word_lists::Words;

/// The meanings of keys of a record.
static KEYS: [(Part, Words); 4] = [
    (Part::Command, Words::named("command")),
    (Part::Code, Words::named("exit-code")),
    (Part::Output, Words::named("output")),
    (Part::Lesson, Words::named("lesson")),
];

/// Words that a log opens with: `failure: cmd=…`.
static OPENINGS: Words = Words::of("failure failed error");

/// Values that stand where nothing was written yet.
static UNWRITTEN: Words = Words::of("todo tbd none n/a pending unknown needs_fix");

/// A code with which a command failed.
static FAILED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let code = r"(?:exit(?:ed)?|returned|failed|terminated)(?: with)?(?: an?)?(?: exit| return)?(?: code| status)?";
    compact(&format!(
        r"(?i)(?:\b{code}[ :=]{{1,2}}|^)-?[1-9]\d{{0,9}}(?:[.:;,)]|\s*$)"
    ))
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Command,
    Code,
    Output,
    Lesson,
}

/// A key with its value.
#[derive(Debug)]
struct Field {
    part: Part,
    /// True for `key: value`, false for `key=value`.
    label: bool,
    /// Bytes from the key to the value.
    key: Range<usize>,
    /// Bytes of the value, to the next key or the end of the line.
    value: Range<usize>,
}

/// The record of one failed command.
pub(super) struct Record {
    /// True if a label names what mends the failure: the record is a lesson then.
    pub(super) settled: bool,
    /// True if a sentence stands beside the fields.
    pub(super) explained: bool,
    /// Its keys, for the evidence.
    pub(super) keys: Vec<String>,
}

/// The record that a body is, if it is one.
pub(super) fn record(body: &str) -> Option<Record> {
    let fields = fields(body);
    let value = |field: &Field| body.get(field.value.clone()).unwrap_or_default();
    let has = |part: Part| fields.iter().any(|field| field.part == part);
    // `error=…` and `cmd=<command>` explain the form of a log.
    let is_placeholder = |field| value(field).starts_with(['…', '<', '{']);
    if fields.iter().any(is_placeholder) {
        return None;
    }
    let head = body
        .get(..fields.first()?.key.start)?
        .trim()
        .trim_matches(MARKS);
    let opening = head.split(|c: char| !c.is_alphanumeric()).next()?;
    let opens = OPENINGS.has(&opening.to_lowercase());
    let is_record = match fields.iter().filter(|field| !field.label).count() {
        0 => {
            let failed = |text: &str| FAILED.as_ref().is_some_and(|one| one.is_match(text));
            let fails = |field: &Field| match (field.part, value(field).trim_matches(MARKS)) {
                (Part::Code, value) => value.parse::<i32>().is_ok_and(|code| code != 0),
                (_, value) => failed(value),
            };
            (failed(head) || fields.iter().any(fails)) && (has(Part::Command) || has(Part::Output))
        }
        1 => opens,
        _ => (opens || fields.len() >= 3) && (has(Part::Code) || has(Part::Command)),
    };
    let settles =
        |field: &Field| field.part == Part::Lesson && field.label && !is_unwritten(value(field));
    let last = fields.last().filter(|field| field.part != Part::Lesson);
    let explained = last.is_some_and(|last| is_explained(value(last))) || goes_on(body, &fields);
    let keys = fields
        .iter()
        .filter_map(|field| body.get(field.key.clone()));
    let keys = keys.map(|key| key.trim_matches(|c: char| !c.is_alphanumeric()));
    is_record.then(|| Record {
        settled: fields.iter().any(settles),
        explained,
        keys: keys.map(str::to_lowercase).collect(),
    })
}

const MARKS: &[char] = &['*', '_', '`', '>', '-', '[', ']', ' ', '\t', '.', ';', ','];

fn is_unwritten(value: &str) -> bool {
    let value = value.trim_matches(MARKS).to_lowercase();
    let first = value.split_whitespace().next();
    first.is_none_or(|word| UNWRITTEN.has(word))
}

/// True if somebody wrote a sentence behind a value.
fn is_explained(value: &str) -> bool {
    let mut behind = sentences(value).into_iter().skip(1);
    behind.any(|at| value.get(at).is_some_and(is_sentence))
}

/// True if a line below the first field is text and no part of a field.
fn goes_on(body: &str, fields: &[Field]) -> bool {
    let (mut at, from) = (0, fields.first().map_or(0, |field| field.key.start));
    body.split_inclusive('\n').any(|line| {
        let bytes = at..at + line.len();
        at = bytes.end;
        let has_field = fields.iter().any(|field| bytes.contains(&field.key.start));
        let is_text = line.split_whitespace().filter(|word| *word != ">").count() > 3;
        bytes.start > from && !has_field && is_text && !line.starts_with("```")
    })
}

/// The fields of a text, in order.
fn fields(text: &str) -> Vec<Field> {
    let mut all: Vec<Field> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let first = all.len();
        for at in memchr::memchr2_iter(b'=', b':', line.as_bytes()) {
            let Some((part, label, key)) = field_at(line, at) else {
                continue;
            };
            let value = start + at + 1..start + line.len();
            if let Some(last) = all.get_mut(first..).and_then(<[Field]>::last_mut) {
                last.value.end = start + key;
            }
            all.push(Field {
                part,
                label,
                key: start + key..start + at,
                value,
            });
        }
        start += line.len();
    }
    for field in &mut all {
        let value = text.get(field.value.clone()).unwrap_or_default();
        let ends = |c: char| c.is_whitespace() || ",;|/(*_`".contains(c);
        let begins = value.len() - value.trim_start_matches([' ', '*', '_']).len();
        let length = value
            .get(begins..)
            .map_or(0, |value| value.trim_end_matches(ends).len());
        field.value.start += begins.min(value.len());
        field.value.end = field.value.start + length;
    }
    all.retain(|field| !field.value.is_empty());
    all
}

/// The part, the form and the start of the key that a `=` or `:` of a line ends.
fn field_at(line: &str, at: usize) -> Option<(Part, bool, usize)> {
    let label = line.as_bytes().get(at) == Some(&b':');
    let before = line.get(..at)?;
    let after = line.get(at + 1..)?;
    let marks: &[char] = if label { &['*', '_', '`', ']'] } else { &[] };
    let before = before.trim_end_matches(marks);
    let follows = match label {
        true => after.starts_with([' ', '\t', '*', '_', '\n', '\r']) || after.is_empty(),
        false => !after.starts_with(['=', '>']),
    };
    let word = |text: &str| {
        text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
            .len()
    };
    let one = word(before);
    let spaced = before.get(..one)?.trim_end_matches([' ', '-']);
    let is_spaced = spaced.len() < one;
    let two = if is_spaced { word(spaced) } else { one };
    let found = [two, one].into_iter().find_map(|start| {
        let key = before.get(start..)?.to_lowercase().replace([' ', '_'], "-");
        let (part, _) = KEYS.iter().find(|(_, keys)| keys.has(&key))?;
        let head = before.get(..start)?;
        let bounded = match label {
            true => {
                head.trim_matches(MARKS).is_empty()
                    || head.ends_with(['.', ';', ',', '|', '/', ' '])
                        && head.trim_end().ends_with(['.', ';', ',', '|', '/'])
            }
            false => head.is_empty() || head.ends_with([' ', ',', ';', '(', '>', '`', '*']),
        };
        bounded.then_some((*part, label, start))
    });
    found.filter(|_| follows)
}
