//! The five layers of a memory: JSON as agents wrote it, read leniently. Nothing in it has to be
//! there, and nothing has to be of the type that the specification gives it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::LAYERS;
use crate::memory::row::Cell;

/// The layers of one memory; null for a missing one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    /// The agent's goal.
    pub intent: Value,
    /// Its observations.
    pub perception: Value,
    /// Its decision.
    pub reasoning: Value,
    /// Its actions, in order.
    pub actions: Value,
    /// Its outcome.
    pub outcome: Value,
}

/// A layer that cannot be read: its column and why.
pub type Broken = (&'static str, String);

impl Layers {
    /// Reads the layers from the cells of their columns.
    pub fn read<'a>(cell: impl Fn(&str) -> Option<&'a Cell>) -> (Self, Vec<Broken>) {
        let mut broken = Vec::new();
        let [intent, perception, reasoning, actions, outcome] = LAYERS.map(|column| {
            let (value, why) = layer(column, cell(column));
            broken.extend(why.map(|why| (column, why)));
            value
        });
        let layers = Self {
            intent,
            perception,
            reasoning,
            actions,
            outcome,
        };
        (layers, broken)
    }

    /// The layer in a column.
    pub fn of(&self, column: &str) -> Option<&Value> {
        match column {
            "intent" => Some(&self.intent),
            "perception" => Some(&self.perception),
            "reasoning" => Some(&self.reasoning),
            "actions" => Some(&self.actions),
            "outcome" => Some(&self.outcome),
            _ => None,
        }
    }

    /// What it did.
    pub fn actions(&self) -> impl Iterator<Item = Action<'_>> {
        items(&self.actions).iter().map(Action)
    }

    /// The parts of the text that the system makes an embedding of; empty ones are no part of it.
    pub fn embedded(&self) -> [&Value; 6] {
        let part = |value, name| match of(value, name) {
            Value::String(text) if text.is_empty() => &Value::Null,
            Value::Array(items) if items.is_empty() => &Value::Null,
            value => value,
        };
        [
            part(&self.intent, "goal"),
            part(&self.intent, "task_type"),
            part(&self.intent, "context"),
            part(&self.outcome, "summary"),
            part(&self.outcome, "learnings"),
            part(&self.reasoning, "approach_chosen"),
        ]
    }

    /// The files that actions and perception name, with what was done to each, as the system
    /// enters them in `memory_files`: the type of the action, or `relevant`; the first wins
    /// (formats: rum).
    pub fn files(&self) -> Vec<(String, String)> {
        let of_actions = self
            .actions()
            .filter_map(|action| Some((action.text("file_path")?, action.kind())));
        let relevant = items(of(&self.perception, "relevant_files")).iter();
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
        Some(Cell::Text(bytes) | Cell::Blob(bytes)) => bytes,
        Some(other) => return (Value::Null, Some(format!("{}, not JSON", other.shown()))),
    };
    if bytes.is_empty() {
        return (Value::Null, None);
    }
    match serde_json::from_slice::<Value>(bytes) {
        Err(error) => (Value::Null, Some(format!("not JSON: {error}"))),
        Ok(Value::Null) => (Value::Null, None),
        Ok(value) => {
            let wanted = if column == "actions" {
                value.is_array()
            } else {
                value.is_object()
            };
            let what = if column == "actions" {
                "a list"
            } else {
                "an object"
            };
            let why = (!wanted).then(|| format!("not {what}"));
            (value, why)
        }
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

/// One action. The specification nests `details` and `result`, the program writes them flat.
#[derive(Clone, Copy, Debug)]
pub struct Action<'a>(pub &'a Value);

impl<'a> Action<'a> {
    /// Its type.
    pub fn kind(self) -> Cow<'a, str> {
        text(of(self.0, "type")).unwrap_or("action".into())
    }

    /// A detail, nested or flat.
    pub fn text(self, name: &str) -> Option<Cow<'a, str>> {
        text(of(of(self.0, "details"), name)).or_else(|| text(of(self.0, name)))
    }

    /// Its result, where it is an object.
    pub fn result(self) -> &'a Value {
        of(self.0, "result")
    }

    /// The action without what only the deepest recall gives: its details.
    pub fn outline(self) -> Value {
        let Value::Object(all) = self.0 else {
            return self.0.clone();
        };
        let kept = ["type", "timestamp", "result"];
        let kept = all.iter().filter(|(name, _)| kept.contains(&name.as_str()));
        Value::Object(
            kept.map(|(k, v)| (k.clone(), v.clone()))
                .collect::<Map<_, _>>(),
        )
    }
}
