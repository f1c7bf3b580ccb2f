//! Edits that bring a memory into the selection.

use super::msg::Change;
use super::{Model, View};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Value};
use crate::retrieval::Reason;

/// An edit that brings a memory in.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Its title, as an order.
    pub title: String,
    /// The change.
    pub change: Change,
}

/// The edit that brings the current memory into the selection for the current task.
pub fn suggestion(model: &Model) -> Option<Suggestion> {
    if model.view == View::Lint {
        return None;
    }
    let index = model.current_index()?;
    let memory = model.world.memory(index)?;
    let verdict = model.inject.verdict(index)?;
    if !verdict.remedy.is_empty() {
        let titles: Vec<String> = verdict.remedy.iter().filter_map(title).collect();
        return Some(Suggestion {
            title: titles.join(", "),
            change: Change::edit(&memory.id, verdict.remedy.clone()),
        });
    }
    match verdict.reason {
        Reason::Archived => Some(Suggestion {
            title: "restore it from the archive".to_owned(),
            change: Change::Restore(vec![memory.id.clone()]),
        }),
        Reason::Invisible | Reason::Invalid => {
            let mut findings = model.world.own_findings(&memory.id);
            let fix = findings.find_map(|finding| finding.fix.as_deref())?;
            Some(Suggestion {
                title: fix.title.clone(),
                change: Change::Fix(vec![fix.change.clone()]),
            })
        }
        _ => None,
    }
}

/// The title of an edit, as an order.
fn title(edit: &FieldEdit) -> Option<String> {
    match edit {
        FieldEdit::AddItem { field, item } => Some(format!("add `{item}` to {field}")),
        FieldEdit::Set { field, value } => Some(format!("make {field} {value}")),
        _ => None,
    }
}

/// A memory as edits of its fields would make it; none where they are about its text.
pub fn edited(memory: &Memory, edits: &[FieldEdit]) -> Option<Memory> {
    if edits.is_empty() {
        return None;
    }
    let fields = memory.fields.iter();
    let fields = fields.map(|(name, value)| (name.into(), value.clone()));
    let mut fields: Vec<(Box<str>, Value)> = fields.collect();
    for edit in edits {
        let (field, value) = match edit {
            FieldEdit::Set { field, value } => (field, value.clone()),
            FieldEdit::AddItem { field, item } => {
                let before = memory.field(field).into_iter().flat_map(Value::items);
                (field, before.cloned().chain([item.clone()]).collect())
            }
            _ => return None,
        };
        match fields.iter_mut().find(|(name, _)| **name == **field) {
            Some(slot) => slot.1 = value,
            None => fields.push((field.as_str().into(), value)),
        }
    }
    let mut edited = memory.clone();
    edited.fields = fields.into_iter().collect();
    Some(edited)
}
