//! The five layers of a memory: JSON as agents wrote it, read leniently. Nothing in it has to be
//! there, and nothing has to be of the type that the specification gives it.

use std::borrow::Cow;

use serde_json::Value;

use super::LAYERS;
use crate::memory::row::{Cell, Row};

/// The layers of one memory, in the order of [`LAYERS`]; null for a missing one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers(pub [Value; 5]);

/// A layer that cannot be read: its column and why.
pub type Broken = (&'static str, String);

impl Layers {
    /// Reads the layers from the cells of their columns.
    pub fn read(row: &Row) -> (Self, Vec<Broken>) {
        let mut broken = Vec::new();
        let layers = LAYERS.map(|column| {
            let (value, why) = layer(column, row.get(column));
            broken.extend(why.map(|why| (column, why)));
            value
        });
        (Self(layers), broken)
    }

    /// The layer in a column; null where the column holds none.
    pub fn of(&self, column: &str) -> &Value {
        let at = LAYERS.iter().position(|name| *name == column);
        at.and_then(|at| self.0.get(at)).unwrap_or(&Value::Null)
    }

    /// The parts of the text that the system makes an embedding of; empty ones are no part of it.
    pub fn embedded(&self) -> [&Value; 6] {
        [
            ("intent", "goal"),
            ("intent", "task_type"),
            ("intent", "context"),
            ("outcome", "summary"),
            ("outcome", "learnings"),
            ("reasoning", "approach_chosen"),
        ]
        .map(|(layer, name)| match of(self.of(layer), name) {
            Value::String(text) if text.is_empty() => &Value::Null,
            Value::Array(items) if items.is_empty() => &Value::Null,
            value => value,
        })
    }

    /// The files that actions and perception name, with what was done to each, as the system
    /// enters them in `memory_files`: the type of the action, or `relevant`; the first wins
    /// (formats: rum). The specification nests the path in `details`, the program writes it flat.
    pub fn files(&self) -> Vec<(String, String)> {
        let of_actions = items(self.of("actions")).iter().filter_map(|action| {
            let path = text(of(of(action, "details"), "file_path"));
            let path = path.or_else(|| text(of(action, "file_path")))?;
            Some((path, text(of(action, "type")).unwrap_or("action".into())))
        });
        let relevant = items(of(self.of("perception"), "relevant_files")).iter();
        let relevant = relevant.filter_map(|file| {
            let path = file.as_str().or_else(|| of(file, "path").as_str())?;
            Some((Cow::from(path), Cow::from("relevant")))
        });
        let mut files: Vec<(String, String)> = Vec::new();
        for (path, operation) in of_actions.chain(relevant) {
            if !path.is_empty() && !files.iter().any(|(known, _)| *known == path) {
                files.push((path.into_owned(), operation.into_owned()));
            }
        }
        files
    }
}

/// What `memory_files` says of a kind of [`Layers::files`] in the specification's schema: `read`,
/// `edit`, `create` or `delete`, where the program writes the kind itself.
pub fn operation(kind: &str) -> &str {
    match kind {
        "relevant" => "read",
        kind => kind.strip_prefix("file_").unwrap_or(kind),
    }
}

fn layer(column: &str, cell: Option<&Cell>) -> (Value, Option<String>) {
    let bytes = match cell {
        None | Some(Cell::Null) => return (Value::Null, None),
        Some(Cell::Text(bytes) | Cell::Blob(bytes)) if bytes.is_empty() => {
            return (Value::Null, None);
        }
        Some(Cell::Text(bytes) | Cell::Blob(bytes)) => bytes,
        Some(other) => return (Value::Null, Some(format!("{}, not JSON", other.shown()))),
    };
    match serde_json::from_slice::<Value>(bytes) {
        Err(error) => (Value::Null, Some(format!("not JSON: {error}"))),
        Ok(value) => {
            let why = (!is_layer(column, &value)).then(|| format!("not {}", kind_of(column)));
            (value, why)
        }
    }
}

/// True if a value can be the layer of a column: a list of actions, an object for the others.
pub fn is_layer(column: &str, value: &Value) -> bool {
    value.is_null()
        || match column {
            "actions" => value.is_array(),
            _ => value.is_object(),
        }
}

/// The kind of value that the layer of a column is.
pub fn kind_of(column: &str) -> &'static str {
    match column {
        "actions" => "a list",
        _ => "an object",
    }
}

/// A part of an object; null where there is none.
pub fn of<'a>(value: &'a Value, name: &str) -> &'a Value {
    static NOTHING: Value = Value::Null;
    value.get(name).unwrap_or(&NOTHING)
}

/// The items of a list; of anything else but null that one.
pub fn items(value: &Value) -> &[Value] {
    match value {
        Value::Null => &[],
        Value::Array(items) => items,
        one => std::slice::from_ref(one),
    }
}

/// A value as text: what is no text as JSON, nothing for null and the empty text.
pub fn text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.into()),
        other => Some(other.to_string().into()),
    }
}

/// The texts in a cell, a line each: those that are inside of its JSON, or what stands there.
pub fn said(cell: &Cell) -> String {
    fn add(value: &Value, out: &mut String) {
        match value {
            Value::String(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Value::Array(items) => items.iter().for_each(|item| add(item, out)),
            Value::Object(members) => members.values().for_each(|value| add(value, out)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let text = match cell {
        Cell::Text(bytes) => String::from_utf8_lossy(bytes),
        _ => return String::new(),
    };
    let read = serde_json::from_str(&text).unwrap_or_else(|_| Value::from(&*text));
    let mut out = String::new();
    add(&read, &mut out);
    out
}
