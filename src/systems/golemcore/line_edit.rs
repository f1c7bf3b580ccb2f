//! Changes of one line: only the bytes of the value that is meant change, and with them
//! `updatedAt`, and the fingerprint where content or type did (formats: golemcore, "Upsert").

use super::schema::{CONTENT, GOLEMCORE, ORDER};
use super::{fingerprint, java, lines, marker, row};
use crate::memory::edit::{EditError, FieldEdit, wanted::wanted};
use crate::memory::frontmatter::with_crlf;
use crate::memory::json::splice::{self as json_edit, Object, object};
use crate::memory::json::{self, Kind};
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
            (CONTENT, set(line, &object, CONTENT, &value))
        }
        FieldEdit::Set { field, value } => {
            let value = coerced(field, &cleaned(value, neutralised));
            (field.as_str(), set(line, &object, field, &value))
        }
        FieldEdit::Unset { field } => (field.as_str(), unset(line, &object, field)),
        FieldEdit::AddItem { field, .. }
        | FieldEdit::RemoveItem { field, .. }
        | FieldEdit::SetItem { field, .. }
        | FieldEdit::MoveItem { field, .. } => {
            (field.as_str(), list(line, &object, &fields, edit)?)
        }
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
    // Typed text has line feeds; a text with other line ends keeps them.
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

fn set(line: &[u8], object: &Object, field: &str, value: &Value) -> Vec<u8> {
    match object.entry(line, field) {
        Some(entry) if same(&row::meaning(line, field, &entry.value), value) => line.to_vec(),
        _ => object.set(line, field, json::write(value).as_bytes(), ORDER),
    }
}

/// True if two values are one to the reader.
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

/// Takes a value away: a property of the system's becomes null, as the system writes it; any
/// other goes, every one of that name.
fn unset(line: &[u8], object: &Object, field: &str) -> Vec<u8> {
    match object.entry(line, field) {
        None => line.to_vec(),
        Some(_) if ORDER.contains(&field) => set(line, object, field, &Value::Null),
        Some(_) => object.without(line, field),
    }
}

/// Changes an item of a list.
fn list(
    line: &[u8],
    object: &Object,
    fields: &Fields,
    edit: &FieldEdit,
) -> Result<Vec<u8>, EditError> {
    let field = edit.field_name();
    let node = object.entry(line, field).map(|entry| &entry.value);
    let is_new = matches!(edit, FieldEdit::AddItem { .. });
    let items = match node.map(|node| &node.kind) {
        Some(Kind::List(items)) => items.as_slice(),
        None | Some(Kind::Null) if is_new => &[],
        _ => {
            return Err(EditError::NotAList {
                field: field.into(),
            });
        }
    };
    let Some(wanted) = wanted(fields, edit)? else {
        return Ok(line.to_vec());
    };
    let value = wanted.iter().find(|(name, _)| name == field);
    let new: Vec<&Value> = value.iter().flat_map(|(_, value)| value.items()).collect();
    let write = |item: &Value, _: Option<&[u8]>| Ok(json::write(item));
    match node.filter(|node| node.kind != Kind::Null) {
        Some(node) => json_edit::relisted(line, &node.span, items, &new, write),
        None => {
            let value = new.into_iter().cloned().collect();
            Ok(set(line, object, field, &value))
        }
    }
}

/// After a change of one property: the line is one line, every other property has the bytes it
/// had, and nothing outside the object moved.
fn check(before: &[u8], after: &[u8], field: &str) -> Result<(), EditError> {
    let is_one = lines::lines(after).len() == lines::lines(before).len();
    match is_one && json_edit::differs_in(before, after, field) {
        true => Ok(()),
        false => Err(EditError::NotMinimal(field.to_owned())),
    }
}

/// Applies the consequences of an edit: a fingerprint of the new content, and the date.
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
    let after = set(line, &object, field, value);
    check(line, &after, field)?;
    Ok(after)
}

#[cfg(test)]
mod tests;
