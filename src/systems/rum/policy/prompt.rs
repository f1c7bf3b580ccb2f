//! The prompt: a JSON array of memories, each with the fields of the depth (formats: rum, "Depth";
//! `rum-memory-schema`, "Depth Levels for Retrieval").

use serde_json::{Map, Value, json};

use super::{Ask, texts};
use crate::memory::Memory;
use crate::retrieval::Texts;
use crate::systems::rum::is_fragment;
use crate::systems::rum::layers::{items, of};

/// The text an agent is given; empty where nothing is returned.
pub fn prompt<'a>(
    memories: impl Iterator<Item = &'a Memory>,
    ask: &Ask<'_>,
    texts: &dyn Texts,
) -> String {
    let shown = memories.map(|memory| {
        let row = texts.loader_body(memory);
        let row: Option<Value> = row.and_then(|row| serde_json::from_str(&row).ok());
        match (ask.is_ranked, row.unwrap_or_default()) {
            (_, row) if !is_fragment(memory) => knowledge(memory, &row),
            (true, row) => by_spec(memory, &row, ask),
            (false, row) => by_code(&row, ask),
        }
    });
    let shown: Vec<Value> = shown.collect();
    if shown.is_empty() {
        return String::new();
    }
    // Values that were read as JSON can be written as JSON.
    serde_json::to_string_pretty(&shown).unwrap_or_default()
}

/// Columns of a chapter and of wisdom, in the order in which the system returns them.
const COLUMNS: &str = "id title summary learnings insights patterns best_practices start_ts end_ts \
    tags topics origin created_at updated_at";

/// A chapter or wisdom as the system's tools return it: its columns, lists read.
fn knowledge(memory: &Memory, row: &Value) -> Value {
    let columns: Vec<&str> = COLUMNS.split_whitespace().collect();
    let mut out = picked(row, &columns);
    for (name, value) in &mut out {
        let spec = memory.schema.field(name);
        if spec.is_some_and(|spec| spec.kind.is_list()) {
            let list = value
                .as_str()
                .and_then(|text| serde_json::from_str(text).ok());
            *value = list.unwrap_or_else(|| json!([]));
        }
    }
    if memory.schema.field("topics").is_some() {
        out.insert(
            "memory_count".to_owned(),
            texts(memory, "members").count().into(),
        );
    }
    out.into()
}

/// A memory as the real code returns it; what the memory does not have is left out.
fn by_code(row: &Value, ask: &Ask<'_>) -> Value {
    let (intent, outcome) = (of(row, "intent"), of(row, "outcome"));
    let mut out = picked(row, &["id", "agent_id", "created_at"]);
    out.extend([
        ("confidence".to_owned(), 1.into()),
        (
            "intent".to_owned(),
            picked(intent, &["goal", "task_type"]).into(),
        ),
        (
            "outcome".to_owned(),
            picked(outcome, &["success", "summary"]).into(),
        ),
    ]);
    let deeper = [
        ("outcome", outcome, "learnings"),
        ("reasoning", row, "reasoning"),
        ("full", row, "perception"),
        ("complete", row, "actions"),
    ];
    for (depth, from, name) in deeper {
        if ask.reaches(depth) && is_truthy(of(from, name)) {
            out.extend(picked(from, &[name]));
        }
    }
    if ask.has_links && ask.reaches("full") {
        out.extend(picked(row, &["links"]));
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
fn by_spec(memory: &Memory, row: &Value, ask: &Ask<'_>) -> Value {
    let layer = |name: &str| of(row, name).clone();
    let intent = match ask.reaches("full") {
        true => layer("intent"),
        false => json!({ "goal": of(of(row, "intent"), "goal") }),
    };
    let outcome = match ask.reaches("outcome") {
        true => layer("outcome"),
        false => json!({ "summary": of(of(row, "outcome"), "summary") }),
    };
    let mut out = vec![("intent", intent), ("outcome", outcome)];
    if ask.reaches("reasoning") {
        out.push(("reasoning", layer("reasoning")));
    }
    if ask.reaches("full") {
        let actions = match ask.reaches("complete") {
            true => layer("actions"),
            false => items(of(row, "actions")).iter().map(outline).collect(),
        };
        out.extend([
            ("perception", layer("perception")),
            ("actions", actions),
            ("links", links(memory)),
            ("tags", texts(memory, "tags").collect()),
        ]);
        let fields = ["importance", "created_at", "agent_id", "session_id"];
        out.extend(fields.map(|name| (name, layer(name))));
    }
    out.into_iter().collect()
}

/// An action without its details.
fn outline(action: &Value) -> Value {
    match action {
        Value::Object(_) => picked(action, &["type", "timestamp", "result"]).into(),
        other => other.clone(),
    }
}

fn links(memory: &Memory) -> Value {
    let links = crate::systems::rum::LINKS.iter();
    let links = links.map(|kind| (*kind, texts(memory, kind).collect::<Vec<_>>()));
    let links = links.filter(|(_, ends)| !ends.is_empty());
    links.map(|(kind, ends)| (kind, json!(ends))).collect()
}
