//! The prompt: a JSON array of memories, each with the fields of the depth (formats: rum, "Depth";
//! `rum-memory-schema`, "Depth Levels for Retrieval").

use serde_json::{Map, Value, json};

use super::ask::{Ask, Depth};
use super::word_weights::texts;
use crate::memory::Memory;
use crate::retrieval::Texts;
use crate::systems::rum::layers::{items, of};

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

/// A memory as the real code returns it; what the memory does not have is left out.
fn by_code(row: &Value, depth: Depth) -> Value {
    let (intent, outcome) = (of(row, "intent"), of(row, "outcome"));
    let mut out = picked(row, &["id", "agent_id", "created_at"]);
    out.insert("confidence".to_owned(), 1.into());
    out.insert(
        "intent".to_owned(),
        picked(intent, &["goal", "task_type"]).into(),
    );
    out.insert(
        "outcome".to_owned(),
        picked(outcome, &["success", "summary"]).into(),
    );
    let deeper = [
        (Depth::Outcome, outcome, "learnings"),
        (Depth::Reasoning, row, "reasoning"),
        (Depth::Full, row, "perception"),
        (Depth::Complete, row, "actions"),
    ];
    for (_, from, name) in deeper.iter().filter(|(from, ..)| depth >= *from) {
        if is_truthy(of(from, name)) {
            out.extend(picked(from, &[*name]));
        }
    }
    Value::Object(out)
}

/// The members of an object that have one of these names.
fn picked(object: &Value, names: &[&str]) -> Map<String, Value> {
    let member = |name: &&str| Some(((*name).to_owned(), object.get(name)?.clone()));
    names.iter().filter_map(member).collect()
}

/// True for the values that `if (value)` takes in JavaScript.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// A memory as the specification has it.
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
    let outline = |action: &Value| match action {
        Value::Object(_) => picked(action, &["type", "timestamp", "result"]).into(),
        other => other.clone(),
    };
    items(of(row, "actions")).iter().map(outline).collect()
}

fn links(memory: &Memory) -> Value {
    let kinds = crate::systems::rum::LINKS.iter();
    let links = kinds.map(|kind| (*kind, texts(memory, kind).collect::<Vec<_>>()));
    let links = links.filter(|(_, ends)| !ends.is_empty());
    Value::Object(
        links
            .map(|(kind, ends)| (kind.to_owned(), json!(ends)))
            .collect(),
    )
}
