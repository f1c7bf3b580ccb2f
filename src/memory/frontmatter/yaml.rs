//! The reader of record: `serde_yaml`, straight into fields.
//!
//! npm's `yaml` takes some characters for themselves that this reader does not: U+0085, U+2028 and
//! U+2029, which it takes for line ends, control characters, byte order marks at the beginning of
//! lines, and halves of surrogate pairs in escapes (`"\ud83d\ude00"`), as JSON has them. The reader
//! gets a character for private use in the place of each, U+100000 and more, and the values that it
//! reads get the original back.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::de::DeserializeOwned;

use crate::memory::problem::TextError;
use crate::memory::value::DUPLICATE;
use crate::memory::{Fields, Value};

/// No frontmatter is longer than this.
const MAX_TEXT: usize = 4 << 20;

/// Brackets inside brackets. The reader gives up at 128 only after a time that grows with the
/// square of the depth: 100,000 would take a minute.
const MAX_DEPTH: i32 = 200;

/// Reads a mapping; an empty text is an empty one.
pub(super) fn read(text: &str) -> Result<Fields, TextError> {
    let Some(disguised) = disguised(text) else {
        return read_with_tabs(text);
    };
    let read = read_with_tabs(&disguised);
    read.map(|fields| restored_fields(&fields))
        .map_err(|error| TextError {
            message: restored(&error.message),
            ..error
        })
}

/// A blank line may hold tabs, which this reader takes for indentation: where it fails, it reads
/// again with blanks in their place.
fn read_with_tabs(text: &str) -> Result<Fields, TextError> {
    read_as_it_is(text).or_else(|error| match without_tabs(text) {
        other if other == text => Err(error),
        other => read_as_it_is(&other),
    })
}

/// The text with blanks for the tabs of blank lines between entries. Inside a value they would be
/// part of it.
fn without_tabs(text: &str) -> String {
    let mut lines: Vec<Cow<'_, str>> = text.split('\n').map(Cow::Borrowed).collect();
    let mut is_entry = true;
    for line in lines.iter_mut().rev() {
        let words = line.trim();
        if !words.is_empty() {
            is_entry = words.starts_with(['-', '#']) || words.contains(':');
        } else if is_entry {
            *line = line.replace('\t', " ").into();
        }
    }
    lines.join("\n")
}

fn read_as_it_is(text: &str) -> Result<Fields, TextError> {
    let wrong = |message| Err(TextError::at_line(1, message));
    match parse(text)? {
        Value::Map(fields) => Ok(*fields),
        Value::Null => Ok(Fields::default()),
        Value::List(_) => wrong("a list where `key: value` lines belong"),
        _ => wrong("no `key: value` lines"),
    }
}

/// Parses YAML of any shape, frontmatter or a file of settings, unless it is too long or nests too
/// deeply for the reader of record.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, TextError> {
    let why = match text.len() > MAX_TEXT {
        true => "longer than 4 MiB, too long for YAML",
        false if is_deep(text) => "brackets or dashes nested too deeply",
        false => return serde_yaml::from_str(text).map_err(|error| explain(text, &error)),
    };
    Err(TextError::at_line(1, why))
}

/// True if brackets, or dashes and question marks on one line, open too many values in values.
fn is_deep(text: &str) -> bool {
    let (mut depth, mut marks, mut before) = (0, 0, b' ');
    text.bytes().any(|byte| {
        match (byte, before) {
            (b'[' | b'{', _) => depth += 1,
            (b']' | b'}', _) => depth = (depth - 1).max(0),
            (b'-' | b'?', b' ') => marks += 1,
            (b' ', _) => {}
            _ => marks = 0,
        }
        before = byte;
        depth > MAX_DEPTH || marks > MAX_DEPTH
    })
}

/// Takes the place out of the message.
fn explain(text: &str, error: &serde_yaml::Error) -> TextError {
    let whole = error.to_string();
    let message = whole.split(" at line ").next().unwrap_or_default();
    let at = error.location().map(|at| (at.line(), at.column()));
    // The reader puts a repeated key at the beginning of its mapping.
    let second = second_line(text, message).map(|line| (line, 1));
    let (line, column) = second.or(at).unwrap_or((1, 1));
    TextError {
        line: line.max(1),
        column: column.max(1),
        message: message.into(),
    }
}

/// The line of the second of two keys, where an error is about one that is repeated.
fn second_line(text: &str, message: &str) -> Option<usize> {
    let (_, key) = message.split_once(DUPLICATE)?;
    let key = key.strip_prefix('`')?.strip_suffix("` occurs twice")?;
    let is_key = |line: &str| {
        let line = line.trim_start().trim_start_matches(['"', '\'']);
        let rest = line.strip_prefix(key).unwrap_or_default();
        let rest = rest.trim_start_matches(['"', '\'']);
        rest.trim_start().starts_with(':')
    };
    let mut lines = text.lines().enumerate().filter(|(_, line)| is_key(line));
    lines.nth(1).map(|(number, _)| number + 1)
}

/// The byte order mark.
const MARK: char = '\u{feff}';

/// The beginning of the escape of a stand-in; the four digits of the original follow.
const ESCAPE: &str = "\\U0010";

/// What the reader of record refuses or takes for a line end.
static ODD: LazyLock<Result<Regex, regex::Error>> = LazyLock::new(|| {
    Regex::new(
        r"(?mx) \\u[dD][89a-fA-F][0-9a-fA-F]{2} | ^\x{feff}
        | [\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{9f}\x{2028}\x{2029}\x{fffe}\x{ffff}]",
    )
});

/// A text with stand-ins; none where it needs none, or has such characters of its own.
fn disguised(text: &str) -> Option<String> {
    let odd = ODD.as_ref().ok().filter(|odd| odd.is_match(text))?;
    if text.contains(|c| c >= '\u{100000}') || text.contains(ESCAPE) {
        return None;
    }
    // Before the first entry a byte order mark is taken away, after it is a character.
    let is_before = |line: &&str| {
        let line = line.trim_start_matches(MARK).trim();
        line.is_empty() || line.starts_with('#')
    };
    let lines = text.split_inclusive('\n').take_while(is_before);
    let first: usize = lines.map(str::len).sum();
    let stand_in = |found: &Captures<'_>| {
        let found = found.get_match();
        let text = found.as_str();
        match (text.strip_prefix("\\u"), text.chars().next()) {
            (Some(digits), _) => format!("{ESCAPE}{digits}"),
            (None, Some(MARK)) if found.start() <= first => String::new(),
            (None, c) => {
                let number = c.map(|c| 0x10_0000 + u32::from(c));
                number.and_then(char::from_u32).into_iter().collect()
            }
        }
    };
    Some(odd.replace_all(text, stand_in).into_owned())
}

/// A text with the originals in the place of their stand-ins. Half a pair without the other becomes
/// U+FFFD, as it does when JavaScript writes it to a file.
fn restored(text: &str) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    // If it is no escape, a half appears in the text as its digits.
    for c in text.replace(ESCAPE, "\\u").chars() {
        match u32::from(c).checked_sub(0x10_0000).map(u16::try_from) {
            Some(Ok(original)) => units.push(original),
            _ => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
        }
    }
    String::from_utf16_lossy(&units)
}

fn restored_fields(fields: &Fields) -> Fields {
    let fields = fields.iter();
    let fields = fields.map(|(name, value)| (restored(name), restored_value(value)));
    fields.collect()
}

fn restored_value(value: &Value) -> Value {
    match value {
        Value::Text(text) => restored(text).into(),
        Value::List(items) => items.iter().map(restored_value).collect(),
        Value::Map(fields) => restored_fields(fields).into(),
        other => other.clone(),
    }
}
