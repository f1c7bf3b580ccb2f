//! Changes of one line: only the bytes of the value that is meant change, and with them
//! `updatedAt`, and the fingerprint where content or type did (formats: golemcore, "Upsert").

use std::ops::Range;

use super::schema::{CONTENT, GOLEMCORE, ORDER};
use super::{fingerprint, java, lines, marker, row};
use crate::memory::edit::{EditError, FieldEdit};
use crate::memory::frontmatter::with_crlf;
use crate::memory::json::{self, Entry, Kind, Node, slice};
use crate::memory::{Fields, Timestamp, Value};

/// A line after its edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// Its bytes.
    pub line: Vec<u8>,
    /// Markers of prompt injection that were neutralised in what was written.
    pub neutralised: usize,
}

/// Applies edits to a line, all or none. A value equal to the present one changes nothing.
pub fn apply(line: &[u8], edits: &[FieldEdit], now: Timestamp) -> Result<Edited, EditError> {
    let mut neutralised = 0;
    let mut after = line.to_vec();
    for edit in edits {
        after = apply_one(&after, edit, &mut neutralised)?;
    }
    let text_edit = edits.iter().any(|edit| matches!(edit, FieldEdit::Text(_)));
    if after != line && !text_edit {
        after = follow_up(line, &after, edits, now)?;
    }
    Ok(Edited {
        line: after,
        neutralised,
    })
}

/// The line of a new row: every property of the system's in its order, nulls written.
pub fn compose(fields: &[(String, Value)]) -> String {
    let value = |name: &str| {
        let found = fields.iter().find(|(known, _)| known == name);
        found.map_or(Value::Null, |(_, value)| value.clone())
    };
    let others = fields
        .iter()
        .filter(|(name, _)| !ORDER.contains(&name.as_str()));
    let known = ORDER.iter().map(|name| ((*name).to_owned(), value(name)));
    let all = known.chain(others.cloned()).map(|(name, value)| {
        let value = match value {
            Value::Null if matches!(&*name, "tags" | "references") => "[]".to_owned(),
            value => json::write(&value),
        };
        format!("{}:{value}", json::quote(&name))
    });
    format!("{{{}}}", all.collect::<Vec<_>>().join(","))
}

/// The properties of a line, and where its object stands.
pub struct Object {
    /// The whole object.
    pub span: Range<usize>,
    /// Its properties.
    pub entries: Vec<Entry>,
}

/// Reads the object of a line; behind it the system's reader does not look.
pub fn object(line: &[u8]) -> Result<Object, json::JsonError> {
    match json::value(line)? {
        (
            Node {
                span,
                kind: Kind::Map(entries),
            },
            _,
        ) => Ok(Object { span, entries }),
        (node, _) => Err(json::JsonError {
            at: node.span.start,
            message: "not an object",
        }),
    }
}

impl Object {
    /// The property that counts: of several with one name the last.
    pub fn entry(&self, line: &[u8], name: &str) -> Option<&Entry> {
        let is_it = |entry: &&Entry| json::name(slice(line, &entry.key)) == name;
        self.entries.iter().rev().find(is_it)
    }
}

const NOT_JSON: EditError =
    EditError::Refused("the line is not a JSON object; edit the text instead");

fn apply_one(line: &[u8], edit: &FieldEdit, neutralised: &mut usize) -> Result<Vec<u8>, EditError> {
    if let FieldEdit::Text(text) = edit {
        return Ok(clean_line(whole(text)?, neutralised));
    }
    let object = object(line).map_err(|_| NOT_JSON)?;
    let fields = row::fields(line, &object.entries);
    let mut edit = edit.clone();
    if let FieldEdit::AddItem { item: value, .. } | FieldEdit::SetItem { value, .. } = &mut edit {
        *value = cleaned(value, neutralised);
    }
    let edit = &edit;
    let (field, after) = match edit {
        FieldEdit::Body(text) => {
            let value = cleaned(&Value::from(body(&fields, text)), neutralised);
            (CONTENT, set(line, &object, CONTENT, &value)?)
        }
        FieldEdit::Set { field, value } => {
            let value = coerced(field, &cleaned(value, neutralised));
            (field.as_str(), set(line, &object, field, &value)?)
        }
        FieldEdit::Unset { field } => (field.as_str(), unset(line, &object, field)?),
        FieldEdit::AddItem { field, .. }
        | FieldEdit::RemoveItem { field, .. }
        | FieldEdit::SetItem { field, .. }
        | FieldEdit::MoveItem { field, .. } => (field.as_str(), list(line, &object, field, edit)?),
        FieldEdit::Text(_) => return Err(NOT_JSON),
    };
    check(line, &after, field)?;
    Ok(after)
}

/// A line that a person wrote, with the markers in its properties neutralised where it can be
/// read.
fn clean_line(line: Vec<u8>, neutralised: &mut usize) -> Vec<u8> {
    let names: Vec<String> = match object(&line) {
        Ok(object) => {
            let fields = row::fields(&line, &object.entries);
            fields.iter().map(|(name, _)| name.to_owned()).collect()
        }
        Err(_) => Vec::new(),
    };
    names.iter().fold(line, |line, name| {
        let fields = object(&line).map(|object| row::fields(&line, &object.entries));
        let value = fields.ok().and_then(|fields| fields.get(name).cloned());
        let (value, count) = value.as_ref().map_or((Value::Null, 0), marker::clean);
        match changed(&line, name, &value) {
            Ok(after) if count > 0 => {
                *neutralised += count;
                after
            }
            _ => line,
        }
    })
}

/// A whole line in the place of another.
fn whole(text: &str) -> Result<Vec<u8>, EditError> {
    let line = text.trim_end_matches(['\n', '\r']).as_bytes();
    if lines::lines(line).len() != 1 {
        return Err(EditError::Refused(
            "a memory is one line here, and not a blank one",
        ));
    }
    if java::is_blank(&String::from_utf8_lossy(line)) {
        return Err(EditError::Refused(
            "a blank line is no memory: delete it instead",
        ));
    }
    Ok(line.to_vec())
}

/// The text as it is saved: line ends at the end stay as they are.
fn body(fields: &Fields, text: &str) -> String {
    let old = fields
        .get(CONTENT)
        .and_then(Value::as_str)
        .unwrap_or_default();
    let end = |text: &str| text.trim_end_matches(['\n', '\r']).len();
    let tail = old.get(end(old)..).unwrap_or_default();
    let new = text.get(..end(text)).unwrap_or_default();
    // What is typed has line feeds; a text that has others keeps them.
    if old.contains("\r\n") {
        return with_crlf(new) + tail;
    }
    new.to_owned() + tail
}

/// A value with the markers in its texts neutralised, and counted.
fn cleaned(value: &Value, neutralised: &mut usize) -> Value {
    let (value, count) = marker::clean(value);
    *neutralised += count;
    value
}

/// A value as the field has it: a number where it holds numbers.
pub fn coerced(field: &str, value: &Value) -> Value {
    let kind = GOLEMCORE.field(field).map(|spec| spec.kind);
    match (kind, value.as_str()) {
        (Some(crate::memory::schema::Kind::Number(..)), Some(text)) => {
            let whole = text.parse().map(Value::Int);
            let number = || text.parse().ok().filter(|number: &f64| number.is_finite());
            whole
                .ok()
                .or_else(|| number().map(Value::Float))
                .unwrap_or_else(|| value.clone())
        }
        _ => value.clone(),
    }
}

fn set(line: &[u8], object: &Object, field: &str, value: &Value) -> Result<Vec<u8>, EditError> {
    match object.entry(line, field) {
        Some(entry) if same(&row::meaning(line, field, &entry.value), value) => Ok(line.to_vec()),
        Some(entry) => Ok(spliced(
            line,
            &entry.value.span,
            json::write(value).as_bytes(),
        )),
        None => insert(line, object, field, value),
    }
}

/// Whether two values are one to the reader.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "compared as the system holds them"
        )]
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
        (a, b) => a == b,
    }
}

/// Adds a property behind the one that comes before it in the system's order, spaced like the
/// others.
fn insert(line: &[u8], object: &Object, field: &str, value: &Value) -> Result<Vec<u8>, EditError> {
    let place = ORDER.iter().position(|known| *known == field);
    let before = |entry: &&Entry| {
        let name = json::name(slice(line, &entry.key));
        let at = ORDER.iter().position(|known| *known == name);
        place.is_none() || at.is_some_and(|at| Some(at) < place)
    };
    let colon = match object.entries.first() {
        Some(first) => slice(line, &(first.key.end..first.value.span.start)).to_vec(),
        None => b":".to_vec(),
    };
    let comma = match object.entries.get(..2) {
        Some([one, two]) => slice(line, &(one.value.span.end..two.key.start)).to_vec(),
        _ => b",".to_vec(),
    };
    let property = [
        json::quote(field).as_bytes(),
        &colon,
        json::write(value).as_bytes(),
    ]
    .concat();
    if let Some(entry) = object.entries.iter().rev().find(before) {
        let at = entry.value.span.end;
        return Ok(spliced(line, &(at..at), &[comma, property].concat()));
    }
    let at = match object.entries.first() {
        Some(first) => first.key.start,
        None => object.span.start + 1,
    };
    let tail = if object.entries.is_empty() {
        Vec::new()
    } else {
        comma
    };
    Ok(spliced(line, &(at..at), &[property, tail].concat()))
}

/// Takes a value away: a property of the system's becomes null, as the system writes it; any
/// other goes, every one of that name.
fn unset(line: &[u8], object: &Object, field: &str) -> Result<Vec<u8>, EditError> {
    if object.entry(line, field).is_none() {
        return Ok(line.to_vec());
    }
    if ORDER.contains(&field) {
        return set(line, object, field, &Value::Null);
    }
    let mut after = line.to_vec();
    for n in (0..object.entries.len()).rev() {
        let Some(entry) = object.entries.get(n) else {
            continue;
        };
        if json::name(slice(line, &entry.key)) != field {
            continue;
        }
        let before = n.checked_sub(1).and_then(|n| object.entries.get(n));
        let gone = match (before, object.entries.get(n + 1)) {
            (Some(before), _) => before.value.span.end..entry.value.span.end,
            (None, Some(next)) => entry.key.start..next.key.start,
            (None, None) => entry.key.start..entry.value.span.end,
        };
        after = spliced(&after, &gone, b"");
    }
    Ok(after)
}

fn list(line: &[u8], object: &Object, field: &str, edit: &FieldEdit) -> Result<Vec<u8>, EditError> {
    let none = EditError::NotAList {
        field: field.into(),
    };
    let entry = object.entry(line, field);
    let node = entry.map(|entry| &entry.value);
    let items = match node.map(|node| &node.kind) {
        Some(Kind::List(items)) => items.as_slice(),
        None | Some(Kind::Null) => match edit {
            FieldEdit::AddItem { item, .. } => {
                let value = std::iter::once(item.clone()).collect();
                return set(line, object, field, &value);
            }
            _ => return Err(none),
        },
        Some(_) => return Err(none),
    };
    let Some(node) = node else {
        return Err(none);
    };
    let raw = |item: &Node| slice(line, &item.span).to_vec();
    let mut parts: Vec<Vec<u8>> = items.iter().map(raw).collect();
    let missing = |index: &usize| EditError::NoSuchItem {
        field: field.into(),
        index: *index,
    };
    match edit {
        FieldEdit::AddItem { item, .. } => parts.push(json::write(item).into_bytes()),
        FieldEdit::RemoveItem { index, .. } if *index < parts.len() => drop(parts.remove(*index)),
        FieldEdit::SetItem { index, value, .. } => {
            let part = parts.get_mut(*index).ok_or_else(|| missing(index))?;
            if row::meaning(line, field, node).items().nth(*index) != Some(value) {
                *part = json::write(value).into_bytes();
            }
        }
        FieldEdit::MoveItem { from, to, .. } if *from < parts.len() && *to < parts.len() => {
            let part = parts.remove(*from);
            parts.insert(*to, part);
        }
        FieldEdit::RemoveItem { index, .. } => return Err(missing(index)),
        FieldEdit::MoveItem { from, to, .. } => return Err(missing(from.max(to))),
        _ => return Err(none),
    }
    Ok(spliced(
        line,
        &node.span,
        &relisted(line, node, items, parts),
    ))
}

/// A list of these items, spaced as it was.
fn relisted(line: &[u8], node: &Node, items: &[Node], parts: Vec<Vec<u8>>) -> Vec<u8> {
    let gap = |from: usize, to: usize| slice(line, &(from..to)).to_vec();
    let (open, close) = match (items.first(), items.last()) {
        (Some(first), Some(last)) => (
            gap(node.span.start, first.span.start),
            gap(last.span.end, node.span.end),
        ),
        _ => (b"[".to_vec(), b"]".to_vec()),
    };
    let commas: Vec<Vec<u8>> = items
        .windows(2)
        .filter_map(|pair| Some(gap(pair.first()?.span.end, pair.last()?.span.start)))
        .collect();
    let usual = commas.last().cloned().unwrap_or_else(|| b",".to_vec());
    let mut out = open;
    for (n, part) in parts.iter().enumerate() {
        if n > 0 {
            out.extend(commas.get(n - 1).unwrap_or(&usual));
        }
        out.extend(part);
    }
    out.extend(close);
    out
}

fn spliced(line: &[u8], range: &Range<usize>, new: &[u8]) -> Vec<u8> {
    let head = line.get(..range.start).unwrap_or_default();
    let tail = line.get(range.end..).unwrap_or_default();
    [head, new, tail].concat()
}

/// After a change of one property: the line is one line, every other property has the bytes it
/// had, and nothing outside the object moved.
fn check(before: &[u8], after: &[u8], field: &str) -> Result<(), EditError> {
    let refused = || EditError::NotMinimal(field.to_owned());
    let (old, new) = (
        object(before).map_err(|_| refused())?,
        object(after).map_err(|_| refused())?,
    );
    let outside = |line: &[u8], object: &Object| {
        let head = line.get(..object.span.start).map(<[u8]>::to_vec);
        (head, line.get(object.span.end..).map(<[u8]>::to_vec))
    };
    fn others(line: &[u8], object: &Object, field: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
        let bytes = |entry: &Entry| {
            let key = slice(line, &entry.key);
            (json::name(key) != field)
                .then(|| (key.to_vec(), slice(line, &entry.value.span).to_vec()))
        };
        object.entries.iter().filter_map(bytes).collect()
    }
    let same = outside(before, &old) == outside(after, &new)
        && others(before, &old, field) == others(after, &new, field)
        && lines::lines(after).len() == lines::lines(before).len();
    if same { Ok(()) } else { Err(refused()) }
}

/// What follows from an edit: a fingerprint of the new content, and the date.
fn follow_up(
    before: &[u8],
    after: &[u8],
    edits: &[FieldEdit],
    now: Timestamp,
) -> Result<Vec<u8>, EditError> {
    let by_hand = |name: &str| edits.iter().any(|edit| edit.field_name() == name);
    let read = |line: &[u8]| object(line).map(|object| row::fields(line, &object.entries));
    let (Ok(old), Ok(new)) = (read(before), read(after)) else {
        return Ok(after.to_vec());
    };
    let differs = |name: &str| old.get(name) != new.get(name);
    let mut line = after.to_vec();
    if (differs(CONTENT) || differs("type")) && !by_hand("fingerprint") {
        let text = |name: &str| new.get(name).and_then(Value::as_str);
        let content = text(CONTENT).unwrap_or_default();
        let made = fingerprint(text("type"), text("source"), content);
        line = changed(&line, "fingerprint", &Value::from(made))?;
    }
    if !by_hand("updatedAt") {
        line = changed(&line, "updatedAt", &Value::from(now.to_rfc3339()))?;
    }
    Ok(line)
}

fn changed(line: &[u8], field: &str, value: &Value) -> Result<Vec<u8>, EditError> {
    let object = object(line).map_err(|_| NOT_JSON)?;
    let after = set(line, &object, field, value)?;
    check(line, &after, field)?;
    Ok(after)
}

#[cfg(test)]
mod tests;
