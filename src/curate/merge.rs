//! Makes one memory of two: the first gets the text of the second below its own, and the second
//! can go. A person takes out what no longer holds.
//!
//! ```text
//!  keep  file, id and title stay ─┐
//!  with  text, list items, links ─┴─> edits of `keep`, and of the memories that name `with`
//! ```

use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::change::set_item;
use super::differences::without_number;
use crate::memory::edit::FieldEdit;
use crate::memory::json::splice::{member, set_text};
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Memory, Role, Severity, State, Timestamp, Value};
use crate::systems::rum::{LAYERS, LINKS, RUM};
use crate::text::fence_after;

/// A memory with its body as a person edits it.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The memory.
    pub memory: &'a Memory,
    /// Its body.
    pub body: &'a str,
}

/// Fields that tell a memory from others, or say how its system came by it.
const ITS_OWN: [&str; 4] = ["id", "fingerprint", "layer", "type"];

/// Fields that relate a memory to the one that replaces it; between the two they no longer hold.
const PLACES: [&str; 4] = ["supersedes", "superseded_by", "supersededBy", "replaces"];

/// Reason why two memories cannot be made one without losing something of either; none if they can.
pub fn refusal(keep: &Memory, with: &Memory) -> Option<String> {
    if keep.id == with.id {
        return Some("a memory is not merged with itself".to_owned());
    }
    if keep.schema.format != with.schema.format {
        return Some(format!(
            "{} is of the format {} and {} of {}",
            keep.id, keep.schema.format, with.id, with.schema.format
        ));
    }
    let mut both = [keep, with].into_iter();
    if let Some(archived) = both.find(|memory| memory.state == State::Archived) {
        return Some(format!("{} is archived: restore it first", archived.id));
    }
    let what = |memory: &Memory| {
        let kind = memory.field("type").and_then(Value::as_str);
        kind.unwrap_or("memory").to_owned()
    };
    if keep.schema != with.schema {
        let (own, other) = (what(keep), what(with));
        return Some(format!("{} is a {own}, {} a {other}", keep.id, with.id));
    }
    for name in ["scope", "success"] {
        let value = |memory: &Memory| memory.field(name).map(ToString::to_string);
        if let (Some(a), Some(b)) = (value(keep), value(with))
            && a != b
        {
            return Some(format!(
                "their `{name}` differs, `{a}` and `{b}`: one memory cannot have both"
            ));
        }
    }
    let ttl = |memory: &Memory| memory.field("ttlDays").and_then(Value::as_f64);
    if let Some(days) = ttl(keep).filter(|days| ttl(with).is_none_or(|other| other > *days)) {
        return Some(format!(
            "{} ends after {days} days and {} lasts longer: merge them the other way round",
            keep.id, with.id
        ));
    }
    None
}

/// Edits that give the first memory what only the second has, in the form of its format.
pub fn edits(keep: Side<'_>, with: Side<'_>, now: Timestamp) -> Result<Vec<FieldEdit>, String> {
    let mut all = body(keep, with, now)?;
    for spec in keep.memory.schema.fields {
        all.extend(field(keep.memory, with.memory, spec));
    }
    // Lists that the format does not know.
    let known = |name: &str| keep.memory.schema.field(name).is_some();
    let others = with.memory.fields.iter();
    for (name, value) in others.filter(|(name, _)| !known(name) && !PLACES.contains(name)) {
        if matches!(value, Value::List(_)) {
            all.extend(union(keep.memory, name, value.items().cloned()));
        }
    }
    Ok(all)
}

/// The body of the first with the text of the second below it; none if the first says it already.
fn body(keep: Side<'_>, with: Side<'_>, now: Timestamp) -> Result<Vec<FieldEdit>, String> {
    let title = &*with.memory.title;
    let theirs = with.body.trim();
    let heading = theirs.strip_prefix("# ");
    let below = heading.and_then(|text| text.strip_prefix(title));
    let below = below.filter(|text| text.starts_with(['\r', '\n']));
    let theirs = below.unwrap_or(theirs);
    let (own, theirs) = (keep.body.trim_end(), theirs.trim());
    if own.contains(theirs) {
        return Ok(Vec::new());
    }
    if own.lines().fold(None, fence_after).is_some() {
        return Err(format!(
            "a code block of {} has no end: what is put behind it would stand inside",
            keep.memory.id
        ));
    }
    let has_title = with.memory.schema.role(Role::Title).is_some();
    let other_title = has_title && title != &*keep.memory.title;
    // Below a heading the convention of the files; an entry is one text.
    let (is_dated, day) = (keep.memory.schema.can.dated_updates, now.date());
    let head = match (is_dated, other_title) {
        (true, true) => format!("---\n\n## Update ({day}): {title}\n\n"),
        (true, false) => format!("---\n\n## Update ({day})\n\n"),
        (false, true) => format!("{title}:\n\n"),
        (false, false) => String::new(),
    };
    let end = if is_dated { "\n" } else { "" };
    let text = format!("{own}\n\n{head}{theirs}{end}");
    Ok(vec![FieldEdit::Body(text.trim_start_matches('\n').into())])
}

fn field(keep: &Memory, with: &Memory, spec: &FieldSpec) -> Vec<FieldEdit> {
    let Some(theirs) = with.field(spec.name) else {
        return Vec::new();
    };
    let own = keep.field(spec.name);
    let set = |value: &Value| FieldEdit::set(spec.name, value.clone());
    match (spec.role, spec.kind) {
        (Role::Title, _) => Vec::new(),
        (Role::Relations, _) => relations(keep, with, spec.name),
        (_, kind) if kind.is_list() => union(keep, spec.name, theirs.items().cloned()),
        (Role::Importance, Kind::Choice(words)) => {
            let rank = |value: Option<&Value>| {
                let word = value.and_then(Value::as_str)?;
                words.iter().position(|known| *known == word)
            };
            let higher = rank(Some(theirs)) > rank(own);
            higher.then(|| set(theirs)).into_iter().collect()
        }
        // Importance and confidence: the higher value wins, as in the systems' own merges.
        (_, Kind::Number((_, 1.0))) => {
            let higher = theirs.as_f64() > own.and_then(Value::as_f64);
            higher.then(|| set(theirs)).into_iter().collect()
        }
        (Role::Plain, Kind::Text) if own.is_none() && !ITS_OWN.contains(&spec.name) => {
            vec![set(theirs)]
        }
        _ => Vec::new(),
    }
}

fn union(keep: &Memory, field: &str, items: impl Iterator<Item = Value>) -> Vec<FieldEdit> {
    let own = keep.field(field);
    let mut known: Vec<Value> = own.map_or_else(Vec::new, |own| own.items().cloned().collect());
    let mut edits = Vec::new();
    for item in items {
        if !known.contains(&item) {
            known.push(item.clone());
            edits.push(FieldEdit::add(field, item));
        }
    }
    match own {
        // A list of its own, and not a value that becomes one.
        None | Some(Value::Null) if !known.is_empty() => {
            vec![FieldEdit::set(field, Value::List(known.into()))]
        }
        _ => edits,
    }
}

/// Relations of the first, without the second, and those that only the second has.
fn relations(keep: &Memory, with: &Memory, field: &str) -> Vec<FieldEdit> {
    let own = keep.items(field).enumerate();
    let gone = own.filter(|(_, item)| names(item, with));
    let remove = |(index, _)| FieldEdit::RemoveItem {
        field: field.to_owned(),
        index,
    };
    let mut edits: Vec<FieldEdit> = gone.map(remove).collect();
    edits.reverse();
    // Names of another store lead nowhere here.
    if keep.id.store == with.id.store {
        let theirs = with.items(field);
        let new = theirs.filter(|item| !names(item, keep) && !names(item, with));
        edits.extend(union(keep, field, new.cloned()));
    }
    edits
}

/// The edits of another memory after which it names the first where it named the second.
pub fn redirected(other: &Memory, keep: &Memory, with: &Memory) -> Vec<FieldEdit> {
    if other.id.store != with.id.store || keep.id.store != with.id.store {
        return Vec::new();
    }
    let is_asked = |spec: &FieldSpec| is_its_own(other, with, spec.name);
    let to = without_number(&keep.id);
    replaced(other, is_asked, &|item| names(item, with), (to, Some(keep)))
}

/// The edits of another memory after which its relations have another name in the place of a LOCAL.
pub fn renamed(other: &Memory, from: &str, to: &str) -> Vec<FieldEdit> {
    let is_it = |item: &Value| item.as_str().map(bare) == Some(from);
    replaced(other, |_| true, &is_it, (to, None))
}

/// The edits that replace names in relations; where a memory is `merged` it is named once.
fn replaced(
    other: &Memory,
    is_asked: impl Fn(&FieldSpec) -> bool,
    is_old: &dyn Fn(&Value) -> bool,
    (to, merged): (&str, Option<&Memory>),
) -> Vec<FieldEdit> {
    let mut edits = Vec::new();
    let specs = other.schema.roles(Role::Relations);
    for spec in specs.filter(|spec| is_asked(spec)) {
        let items = || other.items(spec.name);
        let mut known = merged.is_some_and(|merged| items().any(|item| names(item, merged)));
        let mut own = Vec::new();
        for (index, item) in items().enumerate().filter(|(_, item)| is_old(item)) {
            let field = spec.name.to_owned();
            let written = item.as_str().unwrap_or_default();
            own.push(match known {
                true => FieldEdit::RemoveItem { field, index },
                false => set_item(field, index, written.replacen(bare(written), to, 1)),
            });
            known = merged.is_some();
        }
        // From the end, so that the places of the others stay right.
        edits.extend(own.into_iter().rev());
    }
    edits
}

/// True if a relation of another memory names a memory.
pub fn is_related(other: &Memory, memory: &Memory) -> bool {
    let mut specs = other.schema.roles(Role::Relations);
    specs.any(|spec| other.items(spec.name).any(|item| names(item, memory)))
}

/// True if an item of a relation is the name of a memory.
fn names(item: &Value, memory: &Memory) -> bool {
    item.as_str().is_some_and(|name| is_name_of(name, memory))
}

/// True if a name is that of a memory: its id, LOCAL, or the last parts of that.
pub fn is_name_of(written: &str, memory: &Memory) -> bool {
    let (name, id) = (bare(written), &memory.id);
    let head = without_number(id).strip_suffix(name);
    let is_end = head.is_some_and(|head| head.is_empty() || head.ends_with('/'));
    !name.is_empty() && (is_end || *id.local == *name || id.to_string() == name)
}

/// A name without link brackets and extension.
pub fn bare(written: &str) -> &str {
    let name = written.trim().trim_start_matches("[[");
    let name = name.trim_end_matches("]]").trim_start_matches("./");
    let ends = [".md", ".mdc"].into_iter();
    let mut named = ends.filter_map(|end| name.strip_suffix(end));
    named.next().unwrap_or(name)
}

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
    let mut specs = with.schema.roles(Role::Relations);
    let has_links = specs.any(|spec| with.items(spec.name).next().is_some());
    if keep.id.store != with.id.store && has_links {
        let id = &with.id;
        return Err(format!("{id} has links to memories of its own database"));
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
            // The result of this memory names it as its cause, and is updated separately.
            Role::Relations if spec.name == "led_to" || DERIVED.contains(&spec.name) => {}
            Role::Relations => edits.extend(relations(keep, with, spec.name)),
            Role::Importance => edits.extend(field(keep, with, spec)),
            Role::Tags => edits.extend(union(keep, spec.name, value.items().cloned())),
            Role::Plain if !is_memory && spec.kind.is_list() => {
                edits.extend(union(keep, spec.name, value.items().cloned()));
            }
            _ => {}
        }
    }
    Ok(edits)
}

/// True if a relation of another memory is stored with that memory, not with its target.
fn is_its_own(other: &Memory, with: &Memory, field: &str) -> bool {
    if !other.schema.can.in_rows || !LINKS.contains(&field) && !DERIVED.contains(&field) {
        return true;
    }
    match field {
        "led_to" => !with.items("caused_by").any(|item| names(item, other)),
        field => !DERIVED.contains(&field),
    }
}

fn layers(own: &str, theirs: &str) -> Vec<FieldEdit> {
    let edit = |layer: &str| {
        let [a, b] = [own, theirs].map(|all| member(all, layer).unwrap_or("null"));
        let both = joined(layer, a, b);
        (both != a).then(|| FieldEdit::set(layer, both))
    };
    LAYERS.into_iter().filter_map(edit).collect()
}

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
            let both = both.map(|(own, theirs)| format!("{own}\\n{theirs}"));
            both.unwrap_or_else(|| own.to_owned())
        }
        _ => own.to_owned(),
    }
}

/// The summary of a chapter or of wisdom, with that of the other below it.
fn summary(keep: &Memory, with: &Memory) -> Option<FieldEdit> {
    let text = |memory: &Memory| memory.field("summary").map(ToString::to_string);
    let (own, theirs) = (text(keep).unwrap_or_default(), text(with)?);
    let both = format!("{own}\n{theirs}");
    let is_new = !own.contains(theirs.trim());
    is_new.then(|| FieldEdit::set("summary", both.trim_start()))
}
