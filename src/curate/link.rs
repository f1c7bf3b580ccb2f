//! Relations between memories, as changes: links from one to others, and chapters made of several.

use super::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::schema::FieldSpec;
use crate::memory::{Memory, Role, Value};

/// The kinds of links that a memory can be given: its fields that name others, without those that
/// only repeat what another memory says.
pub fn kinds(memory: &Memory) -> impl Iterator<Item = &'static FieldSpec> + use<> {
    let schema = memory.schema;
    let own = |spec: &&FieldSpec| !schema.follows.contains(&spec.name);
    schema.roles(Role::Relations).filter(own)
}

/// Finds the item of a field that names another memory.
pub fn place(memory: &Memory, field: &str, other: &Memory) -> Option<usize> {
    let mut items = memory.field(field).into_iter().flat_map(Value::items);
    let bare = |name: &str| name.trim_end_matches(".md") == &*other.id.local;
    items.position(|item| item.as_str().is_some_and(bare))
}

/// The change that links a memory to others; nothing is to do where all of it is there already.
pub fn link(from: &Memory, field: &str, to: &[&Memory]) -> Result<Change, String> {
    if to.iter().any(|to| to.id.store != from.id.store) {
        return Err("a link stays within a store".to_owned());
    }
    let new = to.iter().filter(|to| place(from, field, to).is_none());
    Ok(Change::Edit {
        seen: Vec::new(),
        ids: vec![from.id.clone()],
        edits: new
            .map(|to| FieldEdit::AddItem {
                field: field.to_owned(),
                item: Value::from(&*to.id.local),
            })
            .collect(),
    })
}

/// Returns the initial fields of a chapter of these memories, taken from them (formats: rum,
/// "Chapters auto"); or why there is none.
pub fn chapter(members: &[&Memory]) -> Result<Vec<(&'static str, Value)>, String> {
    let Some(first) = members.first() else {
        return Err("a chapter is made of memories: name some".to_owned());
    };
    let format = first.schema.format;
    if members.iter().any(|other| other.id.store != first.id.store) {
        return Err("a chapter stays within a store".to_owned());
    }
    if members
        .iter()
        .any(|one| one.schema.field("chapters").is_none())
    {
        return Err(match first.schema.field("members") {
            Some(_) => "a chapter is made of memories, not of chapters".to_owned(),
            None => format!("{format} memories make no chapters"),
        });
    }
    let all = |tag: &&str| members.iter().all(|one| one.tags().any(|own| own == *tag));
    let shared = first.tags().find(all);
    let title = shared.map_or_else(|| first.title.to_string(), |tag| format!("Topic: {tag}"));
    let names = members.iter().map(|one| Value::from(&*one.id.local));
    let said = |field: &'static str| members.iter().filter_map(move |one| one.field(field));
    let joined = |field| {
        let all: Vec<String> = said(field).map(ToString::to_string).collect();
        all.join("; ")
    };
    let summary = format!("Goals: {}. Outcomes: {}", joined("goal"), joined("summary"));
    let mut learnings: Vec<Value> = Vec::new();
    for learning in said("learnings").flat_map(Value::items) {
        if !learnings.contains(learning) {
            learnings.push(learning.clone());
        }
    }
    Ok(vec![
        ("title", title.into()),
        ("type", "chapter".into()),
        ("summary", summary.into()),
        ("learnings", learnings.into_iter().collect()),
        ("members", names.collect()),
    ])
}
