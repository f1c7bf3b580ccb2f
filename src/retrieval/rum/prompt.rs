//! What recall returns: a JSON array with the fields of the depth (formats: rum, "Depth";
//! `rum-memory-schema`, "Depth Levels for Retrieval").

use serde_json::{Map, Value, json};

use super::ask::{Ask, Depth};
use super::facts::texts;
use crate::memory::Memory;
use crate::memory::rum::layers::{Layers, of};
use crate::retrieval::Texts;

/// The text an agent is given; empty where nothing is returned.
pub fn prompt<'a>(
    memories: impl Iterator<Item = &'a Memory>,
    ask: &Ask<'_>,
    texts: &dyn Texts,
) -> String {
    let shown: Vec<Value> = memories
        .map(|memory| {
            let row = texts.loader_body(memory);
            let row: Value = row
                .and_then(|row| serde_json::from_str(&row).ok())
                .unwrap_or_default();
            if ask.is_ranked() {
                by_spec(memory, &row, ask.depth)
            } else {
                by_code(&row, ask.depth)
            }
        })
        .collect();
    if shown.is_empty() {
        return String::new();
    }
    // Values that were read as JSON can be written as JSON.
    serde_json::to_string_pretty(&shown).unwrap_or_default()
}

/// What the real code returns.
fn by_code(row: &Value, depth: Depth) -> Value {
    let (intent, outcome) = (of(row, "intent"), of(row, "outcome"));
    let mut out = Map::new();
    let mut put = |name: &str, value: &Value| drop(out.insert(name.to_owned(), value.clone()));
    put("goal", of(intent, "goal"));
    put("task_type", of(intent, "task_type"));
    put("success", of(outcome, "success"));
    put("summary", of(outcome, "summary"));
    if depth >= Depth::Outcome {
        put("learnings", of(outcome, "learnings"));
    }
    let deeper = [
        (Depth::Reasoning, "reasoning"),
        (Depth::Full, "perception"),
        (Depth::Complete, "actions"),
    ];
    for (from, name) in deeper {
        if depth >= from {
            put(name, of(row, name));
        }
    }
    Value::Object(out)
}

/// What the specification says.
fn by_spec(memory: &Memory, row: &Value, depth: Depth) -> Value {
    let (intent, outcome) = (of(row, "intent"), of(row, "outcome"));
    let mut out = json!({
        "intent": { "goal": of(intent, "goal") },
        "outcome": { "summary": of(outcome, "summary") },
    });
    let mut put = |name: &str, value: Value| {
        if let Value::Object(out) = &mut out {
            out.insert(name.to_owned(), value);
        }
    };
    if depth >= Depth::Outcome {
        put("outcome", outcome.clone());
    }
    if depth >= Depth::Reasoning {
        put("reasoning", of(row, "reasoning").clone());
    }
    if depth >= Depth::Full {
        put("intent", intent.clone());
        put("perception", of(row, "perception").clone());
        put("actions", actions(row, depth));
        put("links", links(memory));
        put("tags", texts(memory, "tags").collect());
        for name in ["importance", "created_at", "agent_id", "session_id"] {
            put(name, of(row, name).clone());
        }
    }
    out
}

/// The actions, their details only at the deepest level.
fn actions(row: &Value, depth: Depth) -> Value {
    if depth == Depth::Complete {
        return of(row, "actions").clone();
    }
    let layers = Layers {
        actions: of(row, "actions").clone(),
        ..Layers::default()
    };
    layers
        .actions()
        .map(crate::memory::rum::layers::Action::outline)
        .collect()
}

fn links(memory: &Memory) -> Value {
    let kinds = crate::memory::rum::LINKS.iter();
    let links = kinds.map(|kind| (*kind, texts(memory, kind).collect::<Vec<_>>()));
    let links = links.filter(|(_, ends)| !ends.is_empty());
    Value::Object(
        links
            .map(|(kind, ends)| (kind.to_owned(), json!(ends)))
            .collect(),
    )
}
