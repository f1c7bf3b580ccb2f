//! The record of one failed command: `cmd=…, exit=…, error=…, next=…`.

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
    /// Bytes of the key.
    key: Range<usize>,
    /// Bytes of the value, to the next key or the end of the line.
    value: Range<usize>,
}

/// The record of one failed command.
pub(super) struct Record {
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
    let head = body.get(..fields.first()?.key.start)?;
    let mut words = head.split(|c: char| !c.is_alphanumeric());
    let opening = words.find(|word| !word.is_empty()).unwrap_or_default();
    let opens = OPENINGS.has(&opening.to_lowercase());
    let is_record = match fields.len() {
        1 => opens,
        count => (opens || count >= 3) && (has(Part::Code) || has(Part::Command)),
    };
    let last = fields.last().filter(|field| field.part != Part::Lesson);
    let explained = last.is_some_and(|last| is_explained(value(last))) || goes_on(body, &fields);
    let keys = fields
        .iter()
        .filter_map(|field| body.get(field.key.clone()));
    is_record.then(|| Record {
        explained,
        keys: keys.map(str::to_lowercase).collect(),
    })
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

/// A key with its sign.
static KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = KEYS.iter().flat_map(|(_, words)| words.iter());
    let words: Vec<String> = words.map(|word| word.replace('-', "[ _-]")).collect();
    let key = words.join("|");
    compact(&format!(r"(?im)(?:^|[ ,;(>`*])(?P<key>{key})="))
});

/// The fields of a text, in order.
fn fields(text: &str) -> Vec<Field> {
    let keys = KEY.iter().flat_map(|key| key.captures_iter(text));
    let keys = keys.filter_map(|found| {
        let (key, end) = (found.name("key")?, found.get(0)?.end());
        let name = key.as_str().to_lowercase().replace([' ', '_'], "-");
        let (part, _) = KEYS.iter().find(|(_, keys)| keys.has(&name))?;
        let is_sign = text.get(end..)?.starts_with(['=', '>']);
        (!is_sign).then_some((*part, key.range(), end))
    });
    let keys: Vec<_> = keys.collect();
    let next = keys.iter().skip(1).map(|(_, key, _)| key.start);
    let ends = next.chain([text.len()]);
    let field = |((part, key, at), end): (&(Part, Range<usize>, usize), usize)| {
        let line = text.get(*at..end)?.lines().next()?;
        let value = line.trim_end_matches(|c: char| c.is_whitespace() || ",;|/(*_`".contains(c));
        (!value.is_empty()).then(|| Field {
            part: *part,
            key: key.clone(),
            value: *at..at + value.len(),
        })
    };
    keys.iter().zip(ends).filter_map(field).collect()
}
