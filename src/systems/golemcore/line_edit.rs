//! Changes of one line: only the bytes of the value that is meant change, and with them
//! `updatedAt`, and the fingerprint where content or type did (formats: golemcore, "Upsert").

use super::row::{self, fields_of};
use super::{CONTENT, GOLEMCORE, ORDER, fingerprint, java, marker};
use crate::memory::edit::{EditError, FieldEdit, wanted};
use crate::memory::frontmatter::with_crlf;
use crate::memory::json::splice::{Object, differs_in, object, relisted};
use crate::memory::json::{self, Kind};
use crate::memory::schema::Kind as FieldKind;
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
    let mut edited = Edited {
        line: line.to_vec(),
        neutralised: 0,
    };
    for edit in edits {
        edited.apply(edit)?;
    }
    let text_edit = edits.iter().any(|edit| matches!(edit, FieldEdit::Text(_)));
    if edited.line != line && !text_edit {
        edited.follow_up(line, edits, now)?;
    }
    Ok(edited)
}

/// The line of a new row: every property of the system's in its order, nulls written.
pub fn compose(fields: &Fields) -> String {
    let known = ORDER.iter();
    let known = known.map(|name| (*name, fields.get(name).unwrap_or(&Value::Null)));
    let others = fields.iter().filter(|(name, _)| !ORDER.contains(name));
    let all = known.chain(others).map(|(name, value)| {
        let value = match value {
            Value::Null if matches!(name, "tags" | "references") => "[]".to_owned(),
            value => json::write(value),
        };
        format!("{}:{value}", json::write(name))
    });
    format!("{{{}}}", all.collect::<Vec<_>>().join(","))
}

const NOT_JSON: &str = "the line is not a JSON object; edit the text instead";

impl Edited {
    fn apply(&mut self, edit: &FieldEdit) -> Result<(), EditError> {
        if let FieldEdit::Text(text) = edit {
            return self.replace(text);
        }
        let line = &self.line;
        let object = object(line).map_err(|_| NOT_JSON)?;
        let fields = row::fields(line, &object.entries);
        let mut edit = edit.clone();
        if let FieldEdit::Body(text) = &edit {
            edit = FieldEdit::set(CONTENT, body(&fields, text));
        }
        if let FieldEdit::Set { value, .. }
        | FieldEdit::AddItem { item: value, .. }
        | FieldEdit::SetItem { value, .. } = &mut edit
        {
            let count;
            (*value, count) = marker::clean(value);
            self.neutralised += count;
        }
        if let FieldEdit::Set { field, value } = &mut edit {
            *value = coerced(field, value);
            if fields.get(field).is_some_and(|old| same(old, value)) {
                return Ok(());
            }
        }
        let field = edit.field_name();
        let own = object.entry(line, field).map(|entry| &entry.value);
        let is_whole = matches!(edit, FieldEdit::Set { .. } | FieldEdit::Unset { .. });
        let items = match own.map(|node| &node.kind) {
            Some(Kind::List(items)) if !is_whole => Some(items),
            None | Some(Kind::Null) if matches!(edit, FieldEdit::AddItem { .. }) => None,
            _ if is_whole => None,
            _ => {
                return Err(EditError::not_a_list(field));
            }
        };
        let Some(wanted) = wanted(&fields, &edit)? else {
            return Ok(());
        };
        let value = wanted.iter().find(|(name, _)| name == field);
        let after = match (value, own.zip(items)) {
            (Some((_, value)), Some((node, items))) => {
                let new: Vec<&Value> = value.items().collect();
                relisted(line, &node.span, items, &new, |item, _| {
                    Ok::<_, EditError>(json::write(item))
                })?
            }
            (Some((_, value)), None) => set(line, &object, field, value),
            // A property of the system's becomes null, as the system writes it; of any other every
            // one of that name goes.
            (None, _) if ORDER.contains(&field) => set(line, &object, field, &Value::Null),
            (None, _) => object.without(line, field),
        };
        // The line is one line, every other property has the bytes it had, and nothing outside the
        // object moved.
        let is_one = java::lines(&after).len() == java::lines(line).len();
        if !is_one || !differs_in(line, &after, field) {
            return Err(EditError::not_minimal(field));
        }
        self.line = after;
        Ok(())
    }

    fn set(&mut self, field: &str, value: Value) -> Result<(), EditError> {
        self.apply(&FieldEdit::set(field, value))
    }

    /// A whole line in the place of another, with the markers in its properties neutralised where it
    /// can be read.
    fn replace(&mut self, text: &str) -> Result<(), EditError> {
        let text = text.trim_end_matches(['\n', '\r']);
        if java::lines(text.as_bytes()).len() != 1 {
            return Err("a memory is one line here, and not a blank one".into());
        }
        if java::is_blank(text) {
            return Err("a blank line is no memory: delete it instead".into());
        }
        self.line = text.as_bytes().to_vec();
        for (name, value) in fields_of(&self.line).unwrap_or_default().iter() {
            let known = self.neutralised;
            // A property that cannot be changed alone stays as it was typed.
            if marker::clean(value).1 > 0 && self.set(name, value.clone()).is_err() {
                self.neutralised = known;
            }
        }
        Ok(())
    }

    /// Applies the consequences of an edit: a fingerprint of the new content, and the date.
    fn follow_up(
        &mut self,
        before: &[u8],
        edits: &[FieldEdit],
        now: Timestamp,
    ) -> Result<(), EditError> {
        let by_hand = |name: &str| edits.iter().any(|edit| edit.field_name() == name);
        let (Some(old), Some(new)) = (fields_of(before), fields_of(&self.line)) else {
            return Ok(());
        };
        let differs = |name: &str| old.get(name) != new.get(name);
        if (differs(CONTENT) || differs("type")) && !by_hand("fingerprint") {
            let text = |name: &str| new.get(name).and_then(Value::as_str);
            let content = text(CONTENT).unwrap_or_default();
            let made = fingerprint(text("type"), text("source"), content);
            self.set("fingerprint", made.into())?;
        }
        if !by_hand("updatedAt") {
            self.set("updatedAt", now.to_rfc3339().into())?;
        }
        Ok(())
    }
}

/// The text as it is saved: line ends at the end stay as they are.
fn body(fields: &Fields, text: &str) -> String {
    let old = fields.get(CONTENT).and_then(Value::as_str);
    let old = old.unwrap_or_default();
    let end = |text: &str| text.trim_end_matches(['\n', '\r']).len();
    let tail = old.get(end(old)..).unwrap_or_default();
    let new = text.get(..end(text)).unwrap_or_default();
    // Typed text has line feeds; a text with other line ends keeps them.
    match old.contains("\r\n") {
        true => with_crlf(new) + tail,
        false => new.to_owned() + tail,
    }
}

/// A value as the field has it: a number where it holds numbers.
pub fn coerced(field: &str, value: &Value) -> Value {
    let kind = GOLEMCORE.field(field).map(|spec| spec.kind);
    let (Some(FieldKind::Number(..)), Some(text)) = (kind, value.as_str()) else {
        return value.clone();
    };
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    let whole = text.parse().ok().map(Value::Int);
    let number = whole.or(number.map(Value::Float));
    number.unwrap_or_else(|| value.clone())
}

/// True if two values are one to the reader.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
        (a, b) => a == b,
    }
}

fn set(line: &[u8], object: &Object, field: &str, value: &Value) -> Vec<u8> {
    object.set(line, field, json::write(value).as_bytes(), &ORDER)
}

#[cfg(test)]
mod tests;
