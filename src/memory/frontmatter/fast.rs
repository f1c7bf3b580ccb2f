//! Values of the plain shapes that nearly all frontmatter has, read from the scan of
//! [`spans`](super::spans) several times faster than by a YAML parser: scalars on one line, lists of
//! them, and a mapping of both below a key.
//!
//! Anything else, and anything that might mean something else, is left to the reader of record.

use super::spans::{Entry, Item, Kind, Node, entries};
use crate::memory::{Fields, Value};

/// More keys than this are no frontmatter, and comparing each with each would take long.
const MOST: usize = 64;

/// The fields of a text; none if this reader is not sure.
pub(super) fn read(text: &str) -> Option<Fields> {
    if !is_plain(text) {
        return None;
    }
    mapping(text, true).filter(|fields| !fields.is_empty())
}

/// The fields of a mapping that fills a text.
fn mapping(text: &str, is_top: bool) -> Option<Fields> {
    let entries = entries(text)?;
    let is_known = |n: usize, key: &str| entries.iter().take(n).any(|other| other.key == key);
    if entries.len() > MOST || (0..).zip(&entries).any(|(n, own)| is_known(n, &own.key)) {
        return None;
    }
    let field = |entry: &Entry| {
        let value = value(text, entry, is_top).filter(|_| is_name(text, entry))?;
        Some((entry.key.clone(), value))
    };
    entries.iter().map(field).collect()
}

/// True if a key is an identifier, and text.
fn is_name(text: &str, entry: &Entry) -> bool {
    let written = text.get(entry.start + entry.indent..);
    entry
        .key
        .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && entry.key.len() <= 200
        && is_text_word(&entry.key)
        && written.is_some_and(|written| written.starts_with(&*entry.key))
}

fn value(text: &str, entry: &Entry, is_top: bool) -> Option<Value> {
    let item = |item: &Item, is_flow| scalar(text, &item.node, is_flow);
    match &entry.node.kind {
        Kind::Empty => Some(Value::Null),
        Kind::Flow(items) => {
            let all: Option<Vec<Value>> = items.iter().map(|one| item(one, true)).collect();
            let is_line = !text.get(entry.node.range.clone())?.contains('\n');
            all.filter(|_| is_line).map(|all| Value::List(all.into()))
        }
        Kind::Lines(items) => {
            let all: Option<Vec<Value>> = items.iter().map(|one| item(one, false)).collect();
            all.map(|all| Value::List(all.into()))
        }
        Kind::Other if is_top => {
            // On the lines below its key.
            let start = text.get(..entry.node.range.start)?.rfind('\n')? + 1;
            let below = (start > entry.colon).then(|| text.get(start..entry.node.range.end))??;
            mapping(below, false).map(|fields| Value::Map(Box::new(fields)))
        }
        _ => scalar(text, &entry.node, false),
    }
}

/// A scalar on one line.
fn scalar(text: &str, node: &Node, is_flow: bool) -> Option<Value> {
    let text = text.get(node.range.clone())?;
    match node.kind {
        _ if text.contains('\n') => None,
        Kind::Plain => {
            let odd = |b: u8| matches!(b, b'[' | b']' | b'{' | b'}' | b':' | b'?' | b'#' | b'"');
            let is_odd = is_flow && text.bytes().any(odd);
            (!is_odd).then(|| plain(text))?
        }
        Kind::Single | Kind::Double => quoted(text),
        _ => None,
    }
}

/// True if there are only characters that mean the same to every reader, and no tabs.
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

/// True if a word is text and not true, false or nothing.
fn is_text_word(word: &str) -> bool {
    !matches!(
        word,
        "null" | "Null" | "NULL" | "~" | "true" | "True" | "TRUE" | "false" | "False" | "FALSE"
    )
}

/// A scalar in quotes.
fn quoted(text: &str) -> Option<Value> {
    let (double, rest) = match text.strip_prefix('"') {
        Some(rest) => (true, rest.strip_suffix('"')?),
        None => (false, text.strip_prefix('\'')?.strip_suffix('\'')?),
    };
    if !rest.contains(if double { '\\' } else { '\'' }) {
        return Some(rest.into());
    }
    if !double {
        return Some(rest.replace("''", "'").into());
    }
    let mut value = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        value.push(match c {
            '\\' => match chars.next()? {
                c @ ('"' | '\\' | '/') => c,
                'n' => '\n',
                't' => '\t',
                _ => return None,
            },
            c => c,
        });
    }
    Some(value.into())
}

/// The value of a scalar without quotes.
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
