//! The shapes that nearly all frontmatter has, read several times faster than by a YAML parser:
//! `key: scalar`, `key: [scalars]` and `key:` with `- scalar` or `key: scalar` lines below it.
//!
//! Anything else, and anything that might mean something else, is left to the reader of record.

use crate::memory::value::FieldsBuilder;
use crate::memory::{Fields, Value};

/// The fields, or nothing where this reader is not sure.
pub(super) fn read(text: &str) -> Option<Fields> {
    if !is_plain(text) {
        return None;
    }
    let mut lines = Lines { rest: text };
    let mut fields = FieldsBuilder::new();
    while let Some(line) = lines.next() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, rest) = key(line)?;
        let value = match rest.as_bytes().first() {
            None => block(&mut lines)?,
            Some(b'[') => flow(rest)?,
            Some(_) => scalar(rest)?,
        };
        // So many are not frontmatter, and comparing each with each would take long.
        if fields.len() >= 64 || !fields.push(name, value) {
            return None;
        }
    }
    (fields.len() > 0).then(|| fields.finish())
}

/// Whether there are only characters that mean the same to every reader, and no tabs.
fn is_plain(text: &str) -> bool {
    // No early way out: this way the compiler makes it one of vectors.
    let odd = text.bytes().fold(false, |odd, byte| {
        odd | !(byte == b'\n' || (0x20..0x7f).contains(&byte))
    });
    !odd || text.replace("\r\n", "\n").chars().all(|c| {
        // Left out: controls, the line ends U+0085, U+2028 and U+2029, and the byte order mark.
        matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}'
            | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
    })
}

/// Lines without their ends and without spaces before them.
struct Lines<'a> {
    rest: &'a str,
}

impl<'a> Lines<'a> {
    fn split(&self) -> Option<(&'a str, &'a str)> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = match memchr::memchr(b'\n', self.rest.as_bytes()) {
            Some(end) => (self.rest.get(..end)?, self.rest.get(end + 1..)?),
            None => (self.rest, ""),
        };
        let line = line.strip_suffix('\r').unwrap_or(line);
        Some((line.trim_end_matches(' '), rest))
    }

    fn next(&mut self) -> Option<&'a str> {
        let (line, rest) = self.split()?;
        self.rest = rest;
        Some(line)
    }
}

/// An identifier at the beginning of a line, and what stands after its colon.
fn key(line: &str) -> Option<(&str, &str)> {
    let bytes = line.as_bytes();
    let end = bytes
        .iter()
        .position(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'-')?;
    let (name, rest) = line.split_at_checked(end)?;
    let first = *bytes.first()?;
    if !(first.is_ascii_alphabetic() || first == b'_') || end > 200 || !is_text_word(name) {
        return None;
    }
    let rest = rest.strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| (name, rest.trim_start_matches(' ')))
}

/// Whether a word is text and not true, false or nothing.
fn is_text_word(word: &str) -> bool {
    !matches!(
        word,
        "null" | "Null" | "NULL" | "~" | "true" | "True" | "TRUE" | "false" | "False" | "FALSE"
    )
}

/// The `- item` lines below a key; without any, nothing. What stands below in another way is not
/// a key, so the caller gives up on it.
fn block(lines: &mut Lines<'_>) -> Option<Value> {
    let Some((first, _)) = lines.split() else {
        return Some(Value::Null);
    };
    let indent = first.len() - first.trim_start_matches(' ').len();
    if indent > 0 && !first.trim_start_matches(' ').starts_with('-') {
        return mapping(lines, indent);
    }
    let mut items = Vec::new();
    while let Some((line, rest)) = lines.split() {
        let Some((space, item)) = line.split_at_checked(indent) else {
            break;
        };
        let Some(item) = item.strip_prefix("- ") else {
            break;
        };
        if space.bytes().any(|byte| byte != b' ') {
            break;
        }
        items.push(scalar(item.trim_start_matches(' '))?);
        lines.rest = rest;
    }
    Some(if items.is_empty() {
        Value::Null
    } else {
        Value::List(items.into())
    })
}

/// The `key: scalar` lines below a key, all as deep as the first.
fn mapping(lines: &mut Lines<'_>, indent: usize) -> Option<Value> {
    let mut fields = FieldsBuilder::new();
    while let Some((line, rest)) = lines.split() {
        let inner = line.trim_start_matches(' ');
        match line.len() - inner.len() {
            0 => break,
            own if own != indent => return None,
            _ => {}
        }
        let (name, value) = key(inner)?;
        let is_scalar = !value.is_empty() && !value.starts_with('[');
        let value = is_scalar.then(|| scalar(value)).flatten()?;
        if fields.len() >= 64 || !fields.push(name, value) {
            return None;
        }
        lines.rest = rest;
    }
    Some(Value::Map(Box::new(fields.finish())))
}

/// A list in brackets on one line.
fn flow(text: &str) -> Option<Value> {
    let mut rest = text.strip_prefix('[')?.strip_suffix(']')?.trim_matches(' ');
    let mut items = Vec::new();
    while !rest.is_empty() {
        let (item, after) = if rest.starts_with(['"', '\'']) {
            quoted(rest)?
        } else {
            let end = memchr::memchr(b',', rest.as_bytes()).unwrap_or(rest.len());
            let (item, after) = rest.split_at_checked(end)?;
            let item = item.trim_end_matches(' ');
            let odd = |b: u8| matches!(b, b'[' | b']' | b'{' | b'}' | b':' | b'?' | b'#' | b'"');
            if item.bytes().any(odd) {
                return None;
            }
            (plain(item)?, after)
        };
        items.push(item);
        rest = after.trim_start_matches(' ');
        if let Some(next) = rest.strip_prefix(',') {
            rest = next.trim_start_matches(' ');
            // A comma at the end, or two of them.
            if rest.is_empty() {
                return None;
            }
        } else if !rest.is_empty() {
            return None;
        }
    }
    Some(Value::List(items.into()))
}

/// A scalar that fills the rest of a line.
fn scalar(text: &str) -> Option<Value> {
    if text.starts_with(['"', '\'']) {
        return quoted(text).and_then(|(value, rest)| rest.is_empty().then_some(value));
    }
    // One pass for both, without calls: the texts are short.
    let mut before = b' ';
    for byte in text.bytes() {
        if before == b':' && byte == b' ' || before == b' ' && byte == b'#' {
            return None;
        }
        before = byte;
    }
    if before == b':' {
        return None;
    }
    plain(text)
}

/// A scalar in quotes and what stands after it.
fn quoted(text: &str) -> Option<(Value, &str)> {
    let (double, rest) = match text.strip_prefix('"') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('\'')?),
    };
    let stop = if double {
        memchr::memchr2(b'"', b'\\', rest.as_bytes())?
    } else {
        memchr::memchr(b'\'', rest.as_bytes())?
    };
    let (start, after) = rest.split_at_checked(stop)?;
    let more = if double {
        after.starts_with('\\')
    } else {
        after.starts_with("''")
    };
    if !more {
        return Some((start.into(), after.get(1..)?));
    }
    let mut value = String::new();
    value.push_str(start);
    let mut chars = after.chars();
    loop {
        match chars.next()? {
            '"' if double => break,
            '\\' if double => value.push(match chars.next()? {
                c @ ('"' | '\\' | '/') => c,
                'n' => '\n',
                't' => '\t',
                _ => return None,
            }),
            '\'' if !double => match chars.as_str().strip_prefix('\'') {
                Some(rest) => {
                    value.push('\'');
                    chars = rest.chars();
                }
                None => break,
            },
            c => value.push(c),
        }
    }
    Some((value.into(), chars.as_str()))
}

/// What a scalar without quotes means.
fn plain(text: &str) -> Option<Value> {
    let bytes = text.as_bytes();
    let first = *bytes.first()?;
    match first {
        b't' | b'T' | b'f' | b'F' | b'n' | b'N' | b'~' => match text {
            "true" | "True" | "TRUE" => Some(Value::Bool(true)),
            "false" | "False" | "FALSE" => Some(Value::Bool(false)),
            text => Some(if is_text_word(text) {
                text.into()
            } else {
                Value::Null
            }),
        },
        b'0'..=b'9' | b'.' | b'+' => number(text),
        b'-' if bytes.get(1).is_some_and(u8::is_ascii_alphanumeric) => number(text),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'/' | b'(' | b'<' | b'$' | b'^' | b'\\' | 0x80.. => {
            Some(text.into())
        }
        _ => None,
    }
}

/// Text that begins like a number: a date, a version, or a short whole number. Other numbers are
/// left to the reader of record.
fn number(text: &str) -> Option<Value> {
    let bytes = text.as_bytes();
    let numeric = |byte: &u8| {
        byte.is_ascii_hexdigit() || matches!(byte, b'x' | b'X' | b'o' | b'.' | b'+' | b'-')
    };
    if !bytes.iter().all(numeric) {
        // Left out: `.inf`, `-.NaN` and their kin.
        let special = text.len() <= 5 && !text.starts_with(|c: char| c.is_ascii_digit());
        return (!special).then(|| text.into());
    }
    if bytes.iter().all(u8::is_ascii_digit) {
        let short = bytes.len() < 19 && (bytes.len() == 1 || !text.starts_with('0'));
        return short.then(|| text.parse().ok().map(Value::Int))?;
    }
    // 2026-01-23
    let (year, rest) = text.split_at_checked(4)?;
    let is_date = year.bytes().all(|b| b.is_ascii_digit())
        && rest.len() == 6
        && rest.bytes().enumerate().all(|(n, b)| {
            if n % 3 == 0 {
                b == b'-'
            } else {
                b.is_ascii_digit()
            }
        });
    is_date.then(|| text.into())
}
