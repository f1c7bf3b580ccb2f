//! Characters that npm's `yaml` takes for themselves and the reader of record does not: U+0085,
//! U+2028 and U+2029, which it takes for line ends, control characters, byte order marks at the
//! beginning of lines, and halves of surrogate pairs in escapes (`"\ud83d\ude00"`), as JSON has
//! them.
//!
//! The reader of record gets a character for private use in the place of each, U+100000 and more,
//! and the values that it reads get the original back.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::memory::{Fields, Value};

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
pub(super) fn disguised(text: &str) -> Option<String> {
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
        match (
            found.as_str().strip_prefix("\\u"),
            found.as_str().chars().next(),
        ) {
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
pub(super) fn restored(text: &str) -> String {
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

/// Fields with the originals in the place of their stand-ins.
pub(super) fn restored_fields(fields: &Fields) -> Fields {
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
