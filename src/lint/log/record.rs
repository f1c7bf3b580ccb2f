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
    /// Bytes of the key.
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

/// A key with its sign: a label at the beginning of a line or a clause, or an assignment.
static KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = KEYS.iter().flat_map(|(_, words)| words.iter());
    let words: Vec<String> = words.map(|word| word.replace('-', "[ _-]")).collect();
    let key = words.join("|");
    compact(&format!(
        r"(?im)(?:^[*_`>\-\[\] \t.;,]*|[.;,|/] *)(?P<label>{key})[*_`\]]*:|(?:^|[ ,;(>`*])(?P<key>{key})="
    ))
});

/// The fields of a text, in order.
fn fields(text: &str) -> Vec<Field> {
    let keys = KEY.iter().flat_map(|key| key.captures_iter(text));
    let keys = keys.filter_map(|found| {
        let (label, end) = (found.name("label"), found.get(0)?.end());
        let key = label.or(found.name("key"))?;
        let after = text.get(end..)?;
        let follows = match label {
            Some(_) => after.is_empty() || after.starts_with([' ', '\t', '*', '_', '\n', '\r']),
            None => !after.starts_with(['=', '>']),
        };
        let name = key.as_str().to_lowercase().replace([' ', '_'], "-");
        let (part, _) = KEYS.iter().find(|(_, keys)| keys.has(&name))?;
        follows.then_some((*part, label.is_some(), key.range(), end))
    });
    let keys: Vec<_> = keys.collect();
    let next = keys.iter().skip(1).map(|(.., key, _)| key.start);
    let ends = next.chain([text.len()]);
    let field = |((part, label, key, at), end): (&(Part, bool, Range<usize>, usize), usize)| {
        let line = text.get(*at..end)?.lines().next()?;
        let value = line.trim_start_matches([' ', '*', '_']);
        let start = at + line.len() - value.len();
        let value = value.trim_end_matches(|c: char| c.is_whitespace() || ",;|/(*_`".contains(c));
        (!value.is_empty()).then(|| Field {
            part: *part,
            label: *label,
            key: key.clone(),
            value: start..start + value.len(),
        })
    };
    keys.iter().zip(ends).filter_map(field).collect()
}
