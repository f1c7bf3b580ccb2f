//! JSON as it stands in a file: where every property and value is, so that one can be replaced
//! without touching the bytes around it.
//!
//! Duplicate keys, odd spacing and unknown properties are kept as they are. The grammar is that of
//! RFC 8259; bytes in texts that are not UTF-8 are let through and shown as U+FFFD.

mod source;
pub mod splice;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use compact_str::CompactString;

use super::{Fields, Value};
pub use source::sources;

/// Lists and objects inside each other; what nests deeper is refused, as common readers do.
const DEEPEST: usize = 500;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its bytes, quotes and brackets included.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number; its bytes say which.
    Number,
    /// A text; its bytes say which.
    Text,
    /// The items of a list.
    List(Vec<Node>),
    /// The properties of an object, in order, duplicates too.
    Map(Vec<Entry>),
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The bytes of its name, quotes included.
    pub key: Range<usize>,
    /// Its value.
    pub value: Node,
}

/// The place at which a text stops being JSON, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The byte.
    pub at: usize,
    /// The problem there.
    pub message: &'static str,
}

/// Reads the value that begins a text, blanks before it skipped; gives where it ends too.
pub fn value(bytes: &[u8]) -> Result<(Node, usize), JsonError> {
    let mut reader = Reader { bytes, at: 0 };
    reader.blanks();
    let node = reader.value(0)?;
    Ok((node, reader.at))
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fail<T>(&self, message: &'static str) -> Result<T, JsonError> {
        let at = self.at.min(self.bytes.len());
        Err(JsonError { at, message })
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == Some(byte);
        self.at += usize::from(is_it);
        is_it
    }

    fn value(&mut self, depth: usize) -> Result<Node, JsonError> {
        if depth > DEEPEST {
            return self.fail("nested too deep");
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => {
                self.text()?;
                Kind::Text
            }
            Some(b'{') => self.map(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                Kind::Number
            }
            Some(_) => self.word()?,
            None => return self.fail("it ends where a value should stand"),
        };
        Ok(Node {
            span: start..self.at,
            kind,
        })
    }

    fn word(&mut self) -> Result<Kind, JsonError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let words: [(&[u8], Kind); 3] = [
            (b"null", Kind::Null),
            (b"true", Kind::Bool(true)),
            (b"false", Kind::Bool(false)),
        ];
        for (word, kind) in words {
            let after = rest.get(word.len());
            if rest.starts_with(word) && !after.is_some_and(u8::is_ascii_alphanumeric) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        self.fail("no value of JSON begins like this")
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return self.fail("a number lacks a digit");
        }
        self.at += count;
        Ok(())
    }

    fn number(&mut self) -> Result<(), JsonError> {
        self.eat(b'-');
        if self.eat(b'0') {
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return self.fail("a number begins with 0");
            }
        } else {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        match self.peek() {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.fail("a number ends in a letter")
            }
            _ => Ok(()),
        }
    }

    /// A text with its quotes.
    fn text(&mut self) -> Result<(), JsonError> {
        self.at += 1;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
                self.at = self.bytes.len();
                return self.fail("a text is not closed");
            };
            let plain = rest.get(..found).unwrap_or_default();
            if let Some(control) = plain.iter().position(|byte| *byte < 0x20) {
                self.at += control;
                return self.fail("a control character stands in a text");
            }
            self.at += found;
            if self.eat(b'"') {
                return Ok(());
            }
            self.at += 1;
            match self.peek() {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                Some(b'u') => {
                    let digits = self.bytes.get(self.at + 1..self.at + 5);
                    if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                        return self.fail("`\\u` without four hexadecimal digits");
                    }
                    self.at += 5;
                }
                _ => return self.fail("an unknown escape"),
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Kind, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.eat(b']') {
            return Ok(Kind::List(items));
        }
        loop {
            self.blanks();
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.eat(b']') {
                return Ok(Kind::List(items));
            }
            if !self.eat(b',') {
                return self.fail("a list lacks `,` or `]`");
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Kind, JsonError> {
        self.at += 1;
        let mut entries = Vec::with_capacity(if depth == 0 { 16 } else { 0 });
        self.blanks();
        if self.eat(b'}') {
            return Ok(Kind::Map(entries));
        }
        loop {
            self.blanks();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.fail("an object lacks the name of a property");
            }
            self.text()?;
            let key = start..self.at;
            self.blanks();
            if !self.eat(b':') {
                return self.fail("a property lacks `:`");
            }
            self.blanks();
            let value = self.value(depth + 1)?;
            entries.push(Entry { key, value });
            self.blanks();
            if self.eat(b'}') {
                return Ok(Kind::Map(entries));
            }
            if !self.eat(b',') {
                return self.fail("an object lacks `,` or `}`");
            }
        }
    }
}

/// The bytes of a range; none where it lies outside.
pub fn slice<'a>(bytes: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    bytes.get(range.clone()).unwrap_or_default()
}

/// The text that a literal with its quotes means. Half a surrogate pair becomes U+FFFD.
pub fn text(literal: &[u8]) -> String {
    let end = literal.len().saturating_sub(1).max(1);
    let inner = literal.get(1..end).unwrap_or_default();
    if memchr::memchr(b'\\', inner).is_none() {
        return match std::str::from_utf8(inner) {
            Ok(plain) => plain.to_owned(),
            Err(_) => String::from_utf8_lossy(inner).into_owned(),
        };
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (plain, escape) = rest.split_at(at);
        out.push_str(&String::from_utf8_lossy(plain));
        rest = match escape.get(1) {
            Some(b'u') => unicode(escape, &mut out),
            Some(letter) => {
                out.push(match letter {
                    b'b' => '\u{8}',
                    b'f' => '\u{c}',
                    b'n' => '\n',
                    b'r' => '\r',
                    b't' => '\t',
                    other => char::from(*other),
                });
                escape.get(2..).unwrap_or_default()
            }
            None => &[],
        };
    }
    out.push_str(&String::from_utf8_lossy(rest));
    out
}

/// Reads `\uXXXX` and the low surrogate after it; returns the rest of the input.
fn unicode<'a>(escape: &'a [u8], out: &mut String) -> &'a [u8] {
    let unit = |from: &[u8]| {
        let digits = from.strip_prefix(b"\\u")?.get(..4)?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let first = unit(escape).unwrap_or(0xFFFD);
    let rest = escape.get(6..).unwrap_or_default();
    let second = unit(rest).filter(|second| (0xDC00..0xE000).contains(second));
    match second.filter(|_| (0xD800..0xDC00).contains(&first)) {
        Some(second) => {
            out.extend(
                char::decode_utf16([first, second])
                    .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)),
            );
            rest.get(6..).unwrap_or_default()
        }
        None => {
            out.push(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER));
            rest
        }
    }
}

/// The value that a node means.
pub fn meaning(bytes: &[u8], node: &Node) -> Value {
    let literal = slice(bytes, &node.span);
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(is) => Value::Bool(*is),
        Kind::Number => number(literal),
        Kind::Text => text(literal).into(),
        Kind::List(items) => items.iter().map(|item| meaning(bytes, item)).collect(),
        Kind::Map(entries) => Value::Map(Box::new(fields(bytes, entries))),
    }
}

/// The properties of an object; of a repeated one the last counts, as common readers have it.
pub fn fields(bytes: &[u8], entries: &[Entry]) -> Fields {
    fields_as(bytes, entries, |_, node| Some(meaning(bytes, node)))
}

/// The same with the values that a reader makes of a name and its node; none leaves it out.
pub fn fields_as(
    bytes: &[u8],
    entries: &[Entry],
    read: impl Fn(&str, &Node) -> Option<Value>,
) -> Fields {
    let mut all: Vec<(CompactString, Value)> = Vec::with_capacity(entries.len());
    let mut places = HashMap::new();
    for entry in entries {
        let name = CompactString::new(name(slice(bytes, &entry.key)));
        let Some(value) = read(&name, &entry.value) else {
            continue;
        };
        let at = *places.entry(name.clone()).or_insert(all.len());
        match all.get_mut(at) {
            Some((_, known)) => *known = value,
            None => all.push((name, value)),
        }
    }
    all.into_iter().collect()
}

/// The name that a literal with its quotes means.
pub fn name(literal: &[u8]) -> Cow<'_, str> {
    let end = literal.len().saturating_sub(1).max(1);
    let inner = literal.get(1..end).unwrap_or_default();
    match std::str::from_utf8(inner) {
        Ok(plain) if !plain.contains('\\') => Cow::Borrowed(plain),
        _ => text(literal).into(),
    }
}

fn number(literal: &[u8]) -> Value {
    let text = std::str::from_utf8(literal).unwrap_or_default();
    match text.parse::<i64>() {
        // There is no whole number minus zero.
        Ok(whole) if text != "-0" => Value::Int(whole),
        _ => Value::Float(text.parse().unwrap_or_default()),
    }
}

/// A text as JSON writes it. Whatever may end a line somewhere is escaped: `\R` of Java splits at
/// U+0085, U+2028 and U+2029 too (formats: golemcore, "JSON line").
pub fn quote(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value as JSON writes it, without blanks.
pub fn write(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(is) => is.to_string(),
        Value::Int(whole) => whole.to_string(),
        // JSON has no word for what is no number.
        Value::Float(number) if number.is_finite() => format!("{number:?}"),
        Value::Float(_) => "null".to_owned(),
        Value::Text(text) => quote(text),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(write).collect();
            format!("[{}]", items.join(","))
        }
        Value::Map(fields) => {
            let pairs = fields
                .iter()
                .map(|(name, value)| format!("{}:{}", quote(name), write(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
        }
    }
}

#[cfg(test)]
mod tests;
