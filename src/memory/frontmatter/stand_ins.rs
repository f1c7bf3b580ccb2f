//! Characters that npm's `yaml` takes for themselves and the reader of record does not: U+0085,
//! U+2028 and U+2029, which it takes for line ends, control characters, byte order marks at the
//! beginning of lines, and halves of surrogate pairs in escapes (`"\ud83d\ude00"`), as JSON has
//! them.
//!
//! The reader of record gets a character for private use in the place of each, U+100000 and more,
//! and the values that it reads get the original back.

use crate::memory::{Fields, Value};

/// The byte order mark.
const MARK: char = '\u{feff}';

/// The beginning of the escape of a stand-in; the four digits of the original follow.
const ESCAPE: &str = "\\U0010";

/// A text with stand-ins; none where it needs none, or has such characters of its own.
pub(super) fn disguised(text: &str) -> Option<String> {
    let has_mark = text.starts_with(MARK) || text.contains("\n\u{feff}");
    let is_needed = has_mark || text.contains("\\u") || text.contains(is_odd);
    if !is_needed || text.contains(|c| c >= '\u{100000}') || text.contains(ESCAPE) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut began = false;
    for line in text.split_inclusive('\n') {
        let mut rest = line.strip_prefix(MARK).unwrap_or(line);
        // Before the first entry a byte order mark is taken away, after it is a character.
        if rest.len() < line.len() && began {
            out.extend(stand_in(MARK));
        }
        let bare = rest.trim();
        began |= !bare.is_empty() && !bare.starts_with('#');
        while let Some(c) = rest.chars().next() {
            let digits = rest.strip_prefix("\\u").and_then(digits_of);
            let is_half = |digits: &&str| {
                let unit = u16::from_str_radix(digits, 16);
                unit.is_ok_and(|unit| (0xd800..0xe000).contains(&unit))
            };
            let taken = match digits.filter(is_half) {
                Some(digits) => {
                    out.extend([ESCAPE, digits]);
                    "\\u".len() + digits.len()
                }
                None => {
                    out.extend(if is_odd(c) { stand_in(c) } else { Some(c) });
                    c.len_utf8()
                }
            };
            rest = rest.get(taken..)?;
        }
    }
    Some(out)
}

/// A text with the originals in the place of their stand-ins. Half a pair without the other becomes
/// U+FFFD, as it does when JavaScript writes it to a file.
pub(super) fn restored(text: &str) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        // If it is no escape, a half appears in the text as its digits.
        if let Some(digits) = rest.strip_prefix(ESCAPE).and_then(digits_of) {
            units.extend("\\u".encode_utf16().chain(digits.encode_utf16()));
            rest = rest.get(ESCAPE.len() + digits.len()..).unwrap_or_default();
            continue;
        }
        match u32::from(c).checked_sub(0x10_0000).map(u16::try_from) {
            Some(Ok(original)) => units.push(original),
            _ => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
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

fn stand_in(c: char) -> Option<char> {
    char::from_u32(0x10_0000 + u32::from(c))
}

/// The four hexadecimal digits that a text begins with.
fn digits_of(text: &str) -> Option<&str> {
    let digits = text.get(..4)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then_some(digits)
}

/// True for a character that the reader of record refuses or takes for a line end.
const fn is_odd(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}
