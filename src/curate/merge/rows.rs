//! Memories that are rows: layer by layer.

use std::ops::Range;

use serde_json::Value as Json;

use super::text::rest;
use super::{relations, union};
use crate::memory::edit::FieldEdit;
use crate::memory::json::splice::{items, member, rebuilt, set_text};
use crate::memory::{Memory, Role, Severity, Value};
use crate::systems::rum::{LAYERS, LINKS, RUM};

/// Members of a layer of which there is one: the first memory's stays.
const ONE: [&str; 4] = ["goal", "task_type", "failure_category", "success"];

/// Relations that follow from those of other memories.
const DERIVED: [&str; 2] = ["superseded_by", "chapters"];

/// The edits that make the first row say what both say. The rows are JSON with their layers as
/// they are written: what does not change keeps its bytes, and what is taken over those it had.
pub fn rows(
    (keep, own): (&Memory, &str),
    (with, theirs): (&Memory, &str),
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
    // What cannot be read would count as nothing, and the other's take its place.
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
fn layers(own: &str, theirs: &str) -> Vec<FieldEdit> {
    let mut edits = Vec::new();
    for layer in LAYERS {
        let (a, b) = (member(own, layer), member(theirs, layer));
        let (a, b) = (a.unwrap_or("null"), b.unwrap_or("null"));
        let mut both = joined(layer, a, b);
        if layer == "intent" {
            both = with_goal(&both, a, b).unwrap_or(both);
        }
        if both != a {
            edits.push(FieldEdit::Set {
                field: layer.to_owned(),
                value: Value::from(both),
            });
        }
    }
    edits
}

/// What a JSON text says.
fn read(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_default()
}

/// Another goal is part of the context where it names what the intent does not: of goals there is
/// one, and a task is no context.
fn with_goal(both: &str, a: &str, b: &str) -> Option<String> {
    let goal = |layer: &str| read(layer).get("goal")?.as_str().map(str::to_owned);
    let names = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let named = word.contains(|c: char| c.is_ascii_digit() || "_/.-:".contains(c))
            || word.chars().skip(1).any(char::is_uppercase);
        named && !both.contains(word)
    };
    let other = goal(b).filter(|other| goal(a).as_ref() != Some(other))?;
    let other = Some(other).filter(|other| other.split_whitespace().any(names))?;
    let context = member(both, "context").unwrap_or("null");
    let context = joined("context", context, &Json::from(other).to_string());
    set_text(both, "context", Some(&context))
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
        (Json::Array(mut known), b) => {
            let places = items(own).unwrap_or_default();
            let written = |text: &str, place: Range<usize>| -> String {
                text.get(place).unwrap_or_default().to_owned()
            };
            let mut all: Vec<(Option<usize>, Vec<u8>)> = places
                .iter()
                .enumerate()
                .map(|(n, place)| (Some(n), written(own, place.clone()).into_bytes()))
                .collect();
            let more: Vec<String> = match (b, items(theirs)) {
                (Json::Array(_), Some(places)) => {
                    let places = places.into_iter();
                    places.map(|place| written(theirs, place)).collect()
                }
                _ => vec![theirs.to_owned()],
            };
            for text in more {
                let item = read(&text);
                if !known.contains(&item) {
                    known.push(item);
                    all.push((None, text.into_bytes()));
                }
            }
            if all.len() == places.len() {
                return own.to_owned();
            }
            let list = own.find('[').unwrap_or_default()..own.rfind(']').map_or(0, |end| end + 1);
            String::from_utf8_lossy(&rebuilt(own.as_bytes(), &list, &places, &all)).into_owned()
        }
        (Json::String(a), Json::String(b)) => {
            let rest = rest(&b, &a, "");
            if rest.is_empty() {
                return own.to_owned();
            }
            if a.trim().is_empty() {
                return Json::from(rest).to_string();
            }
            let (start, more) = (a.trim_end(), Json::from(format!("\n{rest}")).to_string());
            let begun = own.strip_suffix('"').filter(|_| start == a);
            let added = begun.zip(more.strip_prefix('"'));
            added.map_or_else(
                || Json::from(format!("{start}\n{rest}")).to_string(),
                |(begun, more)| format!("{begun}{more}"),
            )
        }
        _ => own.to_owned(),
    }
}

/// What a chapter or wisdom says, with what only the other says.
fn summary(keep: &Memory, with: &Memory) -> Option<FieldEdit> {
    let text = |memory: &Memory| {
        let value = memory.field("summary")?;
        Some(value.to_string()).filter(|text| !text.is_empty())
    };
    let (own, theirs) = (text(keep).unwrap_or_default(), text(with)?);
    let rest = rest(&theirs, &own, "");
    (!rest.is_empty()).then(|| FieldEdit::Set {
        field: "summary".to_owned(),
        value: format!("{own}\n{rest}").trim_start().into(),
    })
}
