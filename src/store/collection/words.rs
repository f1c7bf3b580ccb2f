//! What a change is called, and the names that change with another name.

use std::sync::Arc;

use crate::curate::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, Role, Value, first_line};

/// The names in the relations of a memory: their places, and the extension of each apart.
pub(super) fn named_in(memory: &Memory) -> impl Iterator<Item = (usize, &str, &str)> {
    let relations = memory.role(Role::Relations).into_iter();
    let names = relations.flat_map(Value::items).enumerate();
    names.filter_map(|(index, name)| {
        let name = name.as_str()?;
        let (stem, end) = name
            .strip_suffix(".md")
            .map_or((name, ""), |stem| (stem, ".md"));
        Some((index, stem, end))
    })
}

/// Where memories of `id`'s file are named in the relations of another memory, the new name.
pub(super) fn relation_edits(other: &Memory, from: &str, to: &str) -> Vec<FieldEdit> {
    let Some(spec) = other.schema.role(Role::Relations) else {
        return Vec::new();
    };
    let is_list = matches!(other.field(spec.name), Some(Value::List(_)));
    named_in(other)
        .filter(|(_, stem, _)| *stem == from)
        .map(|(index, _, end)| {
            let (field, value) = (spec.name.to_owned(), Value::from(format!("{to}{end}")));
            if is_list {
                FieldEdit::SetItem {
                    field,
                    index,
                    value,
                }
            } else {
                FieldEdit::Set { field, value }
            }
        })
        .collect()
}

/// What a change does, in the past tense, with asterisks in place of secrets.
pub(super) fn title(change: &Change, memories: &[Arc<Memory>]) -> String {
    crate::lint::mask(&done(change, memories)).into_owned()
}

fn done(change: &Change, memories: &[Arc<Memory>]) -> String {
    match change {
        Change::Edit { ids, edits, .. } => {
            let mut fields: Vec<&str> = edits.iter().map(FieldEdit::field_name).collect();
            fields.dedup();
            format!(
                "{}: {}",
                counted("edited", ids, memories),
                fields.join(", ")
            )
        }
        Change::Text { id, .. } => counted("edited", std::slice::from_ref(id), memories),
        Change::Add { title, body, .. } if title.is_empty() => {
            format!("added “{}”", first_line(body))
        }
        Change::Add { title, .. } => format!("added “{title}”"),
        Change::Rename { id, to } => format!("renamed {} to {to}", id.local),
        Change::Delete { ids, .. } => counted("deleted", ids, memories),
        Change::Archive(ids) => counted("archived", ids, memories),
        Change::Restore(ids) => counted("restored", ids, memories),
        Change::Promote { ids, up, .. } => {
            let verb = if *up { "promoted" } else { "demoted" };
            counted(verb, ids, memories)
        }
        Change::Merge { keep, with, .. } => {
            let title = |id: &MemoryId| {
                let memory = memories.iter().find(|memory| memory.id == *id);
                memory.map_or_else(|| id.to_string(), |memory| memory.title.to_string())
            };
            match (title(keep), title(with)) {
                (stays, goes) if stays == goes => {
                    format!("merged {with} into {keep}, both “{stays}”")
                }
                (stays, goes) => format!("merged “{goes}” into “{stays}”"),
            }
        }
        Change::Forget(ids) => counted("forgot", ids, memories),
        Change::Confirm(ids) => counted("confirmed", ids, memories),
        Change::Init => "made a store".to_owned(),
        Change::Fix(fixes) => {
            let ids: Vec<MemoryId> = fixes.iter().map(|(id, _)| id.clone()).collect();
            counted("fixed", &ids, memories)
        }
        Change::Answer { a, b, answer, .. } => {
            let (a, b) = (name(a, memories), name(b, memories));
            format!("answered {}: {a} and {b}", answer.word())
        }
        Change::Silence { found, .. } => match found.as_slice() {
            [old] => format!(
                "silenced {} of {}",
                old.finding.rule,
                name(&old.id, memories)
            ),
            _ => format!("silenced {} findings", found.len()),
        },
        Change::Together(all) => {
            let titles: Vec<String> = all.iter().map(|one| done(one, memories)).collect();
            titles.join(" · ")
        }
    }
}

/// A verb with what it was about.
pub(super) fn counted(verb: &str, ids: &[MemoryId], memories: &[Arc<Memory>]) -> String {
    match ids {
        [id] => format!("{verb} {}", name(id, memories)),
        _ => format!("{verb} {} memories", ids.len()),
    }
}

/// The title of a memory, else its id.
fn name(id: &MemoryId, memories: &[Arc<Memory>]) -> String {
    match memories.iter().find(|memory| memory.id == *id) {
        Some(memory) => format!("“{}”", memory.title),
        None => id.to_string(),
    }
}
