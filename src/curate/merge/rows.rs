//! Memories that are rows: layer by layer.

use serde_json::{Map, Value as Json};

use super::{relations, text, union};
use crate::memory::edit::FieldEdit;
use crate::memory::rum::{LAYERS, LINKS, RUM};
use crate::memory::{Memory, Role, Value};

/// Members of a layer of which there is one: the first memory's stays.
const ONE: [&str; 4] = ["goal", "task_type", "failure_category", "success"];

/// Relations that follow from those of other memories.
const DERIVED: [&str; 2] = ["superseded_by", "chapters"];

/// The edits that make the first row say what both say. The rows are JSON with their layers as
/// what they hold.
pub fn rows(
    (keep, own): (&Memory, &Json),
    (with, theirs): (&Memory, &Json),
) -> Result<Vec<FieldEdit>, String> {
    let is_memory = std::ptr::eq(keep.schema, &RUM);
    if keep.id.store != with.id.store
        && with.schema.roles(Role::Relations).any(|spec| {
            with.field(spec.name)
                .is_some_and(|value| value.items().len() > 0)
        })
    {
        return Err(format!(
            "{} has links to memories of its own database",
            with.id
        ));
    }
    let mut edits = Vec::new();
    if is_memory {
        edits.extend(layers(own, theirs)?);
    } else {
        edits.extend(summary(keep, with));
    }
    for spec in keep.schema.fields {
        let Some(value) = with.field(spec.name) else {
            continue;
        };
        match spec.role {
            Role::Relations if !DERIVED.contains(&spec.name) => {
                edits.extend(linked(keep, with, spec.name));
            }
            Role::Importance => edits.extend(super::field(keep, with, spec)),
            Role::Tags => edits.extend(union(keep, spec.name, value.items().cloned())),
            Role::Plain if !is_memory && spec.kind.is_list() => {
                edits.extend(union(keep, spec.name, value.items().cloned()));
            }
            _ => {}
        }
    }
    Ok(edits)
}

/// The links of a kind, without those that the other end holds.
fn linked(keep: &Memory, with: &Memory, kind: &str) -> Vec<FieldEdit> {
    // What this led to names it as its cause, and is told otherwise itself.
    if kind == "led_to" {
        return Vec::new();
    }
    relations(keep, with, kind)
}

/// Whether what another memory names stands with that memory, and not with the one it names.
pub(super) fn is_its_own(other: &Memory, with: &Memory, field: &str) -> bool {
    if !other.schema.in_rows() || !LINKS.contains(&field) && !DERIVED.contains(&field) {
        return true;
    }
    let named = |memory: &Memory, field: &str, end: &Memory| {
        let mut items = memory.field(field).into_iter().flat_map(Value::items);
        items.any(|item| super::names(item, end))
    };
    match field {
        "led_to" => !named(with, "caused_by", other),
        field => !DERIVED.contains(&field),
    }
}

/// The layers that change.
fn layers(own: &Json, theirs: &Json) -> Result<Vec<FieldEdit>, String> {
    let mut edits = Vec::new();
    for layer in LAYERS {
        let (a, b) = (own.get(layer), theirs.get(layer));
        let (a, b) = (a.unwrap_or(&Json::Null), b.unwrap_or(&Json::Null));
        if a.is_string() || b.is_string() {
            return Err(format!("the layer `{layer}` of one of them cannot be read"));
        }
        let mut both = joined(layer, a, b);
        if layer == "intent" {
            remember_goal(&mut both, a, b);
        }
        if both != *a {
            edits.push(FieldEdit::Set {
                field: layer.to_owned(),
                value: Value::from(both.to_string()),
            });
        }
    }
    Ok(edits)
}

/// Another goal is part of the context: of goals there is one.
fn remember_goal(both: &mut Json, a: &Json, b: &Json) {
    let goal = |layer: &Json| layer.get("goal").and_then(Json::as_str).map(str::to_owned);
    let Some(other) = goal(b).filter(|other| goal(a).as_ref() != Some(other)) else {
        return;
    };
    if let Json::Object(layer) = both {
        let context = layer.get("context").cloned().unwrap_or(Json::Null);
        layer.insert(
            "context".to_owned(),
            joined("context", &context, &other.into()),
        );
    }
}

/// Two values as one: lists and objects have the items of both, texts stand below one another.
fn joined(name: &str, a: &Json, b: &Json) -> Json {
    match (a, b) {
        (Json::Null, other) => other.clone(),
        (_, Json::Null) => a.clone(),
        _ if a == b || ONE.contains(&name) => a.clone(),
        (Json::Object(a), Json::Object(b)) => {
            let mut all: Map<String, Json> = a.clone();
            for (name, value) in b {
                let own = all.get(name).unwrap_or(&Json::Null);
                let both = joined(name, own, value);
                all.insert(name.clone(), both);
            }
            Json::Object(all)
        }
        (Json::Array(a), b) => {
            let mut all = a.clone();
            let more = b.as_array().map_or(std::slice::from_ref(b), Vec::as_slice);
            for item in more {
                if !all.contains(item) {
                    all.push(item.clone());
                }
            }
            Json::Array(all)
        }
        (Json::String(a), Json::String(b)) => {
            let rest = text::rest(b, a, "");
            if rest.is_empty() {
                return a.as_str().into();
            }
            format!("{}\n{rest}", a.trim_end()).into()
        }
        _ => a.clone(),
    }
}

/// What a chapter or wisdom says, with what only the other says.
fn summary(keep: &Memory, with: &Memory) -> Option<FieldEdit> {
    let text = |memory: &Memory| {
        let value = memory.field("summary")?;
        Some(value.to_string()).filter(|text| !text.is_empty())
    };
    let (own, theirs) = (text(keep).unwrap_or_default(), text(with)?);
    let rest = text::rest(&theirs, &own, "");
    (!rest.is_empty()).then(|| FieldEdit::Set {
        field: "summary".to_owned(),
        value: format!("{own}\n{rest}").trim_start().into(),
    })
}
