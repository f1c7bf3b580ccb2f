//! The reader of record: `serde_yaml`, straight into fields.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::YamlError;
use super::stand_ins::Disguised;
use crate::memory::{Fields, Value};

/// Prefix of the error for a repeated key.
const DUPLICATE: &str = "the key ";

/// No frontmatter is longer than this.
const MAX_TEXT: usize = 4 << 20;

/// Brackets inside brackets. The reader gives up at 128 only after a time that grows with the
/// square of the depth: 100,000 would take a minute.
const MAX_DEPTH: i32 = 200;

/// Blank lines that are read again without their tabs; each is one more reading.
const MOST_BLANK: usize = 32;

/// Reads a mapping; an empty text is an empty one.
pub(super) fn read(text: &str) -> Result<Fields, YamlError> {
    match Disguised::new(text) {
        None => read_with_tabs(text),
        Some(disguised) => match read_with_tabs(&disguised.text) {
            Ok(fields) => Ok(disguised.fields(&fields)),
            Err(error) => Err(YamlError {
                message: disguised.restored(&error.message),
                ..error
            }),
        },
    }
}

/// A blank line may hold tabs, which this reader takes for indentation: where it stops at one, it
/// reads again with blanks in their place.
fn read_with_tabs(text: &str) -> Result<Fields, YamlError> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MOST_BLANK {
        match read_as_it_is(&text) {
            Err(error) => match without_tabs(&text, error.line) {
                Some(other) => text = Cow::Owned(other),
                None => return Err(error),
            },
            read => return read,
        }
    }
    read_as_it_is(&text)
}

/// The text with blanks for the tabs of a line, where it is a blank one between entries. Inside a
/// value it would be part of it.
fn without_tabs(text: &str, number: u32) -> Option<String> {
    let before = text.split_inclusive('\n');
    let before = before.take(usize::try_from(number).ok()?.checked_sub(1)?);
    let (before, rest) = text.split_at_checked(before.map(str::len).sum())?;
    let line = rest.split('\n').next()?;
    let after = rest.get(line.len()..)?;
    let next = after.lines().map(str::trim).find(|line| !line.is_empty());
    let entry = next.is_none_or(|next| next.starts_with(['-', '#']) || next.contains(':'));
    (line.contains('\t') && line.trim().is_empty() && entry)
        .then(|| format!("{before}{}{after}", " ".repeat(line.len())))
}

fn read_as_it_is(text: &str) -> Result<Fields, YamlError> {
    match parse(text)? {
        Any(Value::Map(fields)) => Ok(*fields),
        Any(Value::Null) => Ok(Fields::default()),
        Any(Value::List(_)) => Err(wrong("a list where `key: value` lines belong")),
        Any(_) => Err(wrong("no `key: value` lines")),
    }
}

fn wrong(message: &str) -> YamlError {
    YamlError {
        line: 1,
        column: 1,
        message: message.into(),
    }
}

/// Parses YAML of any shape, frontmatter or a file of settings, unless it is too long or nests too
/// deeply for the reader of record.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    if text.len() > MAX_TEXT {
        return Err(wrong("longer than 4 MiB, too long for YAML"));
    }
    if is_deep(text) {
        return Err(wrong("brackets or dashes nested too deeply"));
    }
    serde_yaml::from_str(text).map_err(|error| explain(text, &error))
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
fn explain(text: &str, error: &serde_yaml::Error) -> YamlError {
    let whole = error.to_string();
    let message = whole.split(" at line ").next().unwrap_or_default();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).max(1);
    let at = error.location().map(|at| (at.line(), at.column()));
    // The reader puts a repeated key at the beginning of its mapping.
    let second = second_line(text, message).map(|line| (line, 1));
    let (line, column) = second.or(at).unwrap_or((1, 1));
    YamlError {
        line: number(line),
        column: number(column),
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

/// A value of any kind.
struct Any(Value);

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyVisitor).map(Any)
    }
}

struct AnyVisitor;

#[expect(clippy::cast_precision_loss, reason = "as JavaScript reads them")]
impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(Value::Float(value as f64))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(Value::Float(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Any(item)) = from.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut fields: Vec<(Box<str>, Value)> = Vec::new();
        let mut seen = HashSet::new();
        while let Some((Any(key), Any(value))) = from.next_entry()? {
            let key: Box<str> = match key {
                Value::Text(text) => text.into(),
                other => other.to_string().into(),
            };
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("{DUPLICATE}`{key}` occurs twice")));
            }
            fields.push((key, value));
        }
        Ok(Value::Map(Box::new(fields.into_iter().collect())))
    }

    /// A tag of the writer's own says nothing here: its value counts.
    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<Value, A::Error> {
        let (Any(_), value) = from.variant()?;
        value.newtype_variant().map(|Any(value)| value)
    }
}
