//! Memories that are rows: layer by layer.

use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::{relations, union};
use crate::memory::edit::FieldEdit;
use crate::memory::json::splice::{member, set_text};
use crate::memory::{Memory, Role, Severity, Value};
use crate::systems::rum::{LAYERS, LINKS, RUM};

/// Members of a layer of which there is one: the first memory's stays.
const ONE: [&str; 4] = ["goal", "task_type", "failure_category", "success"];

/// Relations that follow from those of other memories.
const DERIVED: [&str; 2] = ["superseded_by", "chapters"];

/// Edits that give the first row the layers and relations of both. The rows are JSON with their
/// layers as they are written: unchanged and copied values keep their bytes.
pub fn rows(
    (keep, own): (&Memory, &str),
    (with, theirs): (&Memory, &str),
) -> Result<Vec<FieldEdit>, String> {
    let is_memory = std::ptr::eq(keep.schema, &*RUM);
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
    // An unreadable value would count as empty, and the other's would replace it.
    let broken = |memory: &&Memory| {
        let mut faults = memory.problems.iter();
        let fault = faults.find(|problem| problem.severity == Severity::Error)?;
        Some(format!("{} cannot be merged: {}", memory.id, fault.message))
    };
    if let Some(why) = [keep, with].iter().find_map(broken) {
        return Err(why);
    }
    let mut edits = Vec::new();
    if is_memory {
        edits.extend(layers(own, theirs));
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
    // The result of this memory names it as its cause, and is updated separately.
    if kind == "led_to" {
        return Vec::new();
    }
    relations(keep, with, kind)
}

/// True if a relation of another memory is stored with that memory, not with its target.
pub(super) fn is_its_own(other: &Memory, with: &Memory, field: &str) -> bool {
    if !other.schema.can.in_rows || !LINKS.contains(&field) && !DERIVED.contains(&field) {
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
fn layers(own: &str, theirs: &str) -> Vec<FieldEdit> {
    let mut edits = Vec::new();
    for layer in LAYERS {
        let (a, b) = (member(own, layer), member(theirs, layer));
        let (a, b) = (a.unwrap_or("null"), b.unwrap_or("null"));
        let both = joined(layer, a, b);
        if both != a {
            edits.push(FieldEdit::set(layer, both));
        }
    }
    edits
}

/// Parses a JSON text; null if it is none.
fn read(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_default()
}

/// Two values as one: lists and objects have the items of both, texts stand below one another.
fn joined(name: &str, own: &str, theirs: &str) -> String {
    match (read(own), read(theirs)) {
        (Json::Null, _) => theirs.to_owned(),
        (_, Json::Null) => own.to_owned(),
        (a, b) if a == b || ONE.contains(&name) => own.to_owned(),
        (Json::Object(_), Json::Object(b)) => {
            let mut all = own.to_owned();
            for name in b.keys() {
                let mine = member(&all, name).unwrap_or("null");
                let both = joined(name, mine, member(theirs, name).unwrap_or("null"));
                if both != mine {
                    all = set_text(&all, name, Some(&both)).unwrap_or(all);
                }
            }
            all
        }
        (Json::Array(mut known), other) => {
            let is_empty = known.is_empty();
            let items = match other {
                Json::Array(_) => serde_json::from_str(theirs),
                _ => serde_json::from_str(theirs).map(|one: &RawValue| vec![one]),
            };
            let mut new: Vec<&RawValue> = items.unwrap_or_default();
            new.retain(|item| {
                let item = read(item.get());
                let is_new = !known.contains(&item);
                known.push(item);
                is_new
            });
            let Some(head) = own.trim_end().strip_suffix(']').filter(|_| !new.is_empty()) else {
                return own.to_owned();
            };
            let comma = if own.contains(", ") { ", " } else { "," };
            let lead = if is_empty { "" } else { comma };
            let end = head.get(head.trim_end().len()..).unwrap_or_default();
            let new: Vec<&str> = new.into_iter().map(RawValue::get).collect();
            format!("{head}{lead}{}{end}]", new.join(comma))
        }
        (Json::String(a), Json::String(b)) if a.contains(b.trim()) => own.to_owned(),
        (Json::String(a), Json::String(_)) if a.trim().is_empty() => theirs.to_owned(),
        (Json::String(_), Json::String(_)) => {
            let both = own.strip_suffix('"').zip(theirs.strip_prefix('"'));
            both.map_or_else(
                || own.to_owned(),
                |(own, theirs)| format!("{own}\\n{theirs}"),
            )
        }
        _ => own.to_owned(),
    }
}

/// The summary of a chapter or of wisdom, with that of the other below it.
fn summary(keep: &Memory, with: &Memory) -> Option<FieldEdit> {
    let text = |memory: &Memory| memory.field("summary").map(ToString::to_string);
    let (own, theirs) = (text(keep).unwrap_or_default(), text(with)?);
    (!own.contains(theirs.trim()))
        .then(|| FieldEdit::set("summary", format!("{own}\n{theirs}").trim_start()))
}
