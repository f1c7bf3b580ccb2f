//! What would bring a memory in, as an edit.

use super::Model;
use super::msg::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::schema::Kind;
use crate::memory::{Fields, Memory, Role, Value};
use crate::retrieval::Reason;

/// An edit that brings a memory in.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// What it does, as an order.
    pub title: String,
    /// The change.
    pub change: Change,
    /// The edits in it, to see beforehand what they would do; none where it has no edits.
    pub edits: Vec<FieldEdit>,
}

/// What would bring the current memory in for the current task, where memkeep can do it.
pub fn suggestion(model: &Model) -> Option<Suggestion> {
    let index = model.current_index()?;
    let memory = model.world.memory(index)?;
    let verdict = model.inject.verdict(index)?;
    let edit = |title: String, edit: FieldEdit| Suggestion {
        title,
        change: Change::Edit {
            ids: vec![memory.id.clone()],
            edits: vec![edit.clone()],
        },
        edits: vec![edit],
    };
    match verdict.reason {
        Reason::NoMatch => {
            let hint = verdict.hint.as_deref().unwrap_or_default();
            let token = quoted(hint)
                .or_else(|| telling_word(memory, model.inject.text.text()))?
                .to_owned();
            let field = memory.schema.role(Role::Patterns)?.name;
            let title = format!("add `{token}` to {field}");
            Some(edit(title, add_item(memory, field, &token)))
        }
        Reason::BelowImportance | Reason::OverLimit => {
            let spec = memory.schema.role(Role::Importance)?;
            let word = raised(memory, model.inject.limits.min_importance.as_deref())?;
            let set = FieldEdit::Set {
                field: spec.name.to_owned(),
                value: Value::from(word),
            };
            Some(edit(format!("raise {} to {word}", spec.name), set))
        }
        Reason::Archived => Some(Suggestion {
            title: "restore it from the archive".to_owned(),
            change: Change::Restore(vec![memory.id.clone()]),
            edits: Vec::new(),
        }),
        Reason::Invisible | Reason::Invalid => {
            let findings = model.world.findings_of(&memory.id).iter();
            let fix = findings
                .filter_map(|n| model.world.finding(*n))
                .find_map(|finding| finding.fix.as_ref())?;
            let of = model.world.linted(fix.memory)?;
            Some(Suggestion {
                title: fix.title.clone(),
                change: Change::Fix(vec![(of.id.clone(), fix.action.clone())]),
                edits: Vec::new(),
            })
        }
        _ => None,
    }
}

/// The edit that adds an item to a list, or makes a list of a single value.
fn add_item(memory: &Memory, field: &str, item: &str) -> FieldEdit {
    let field_name = field.to_owned();
    match memory.field(field) {
        Some(Value::List(_)) => FieldEdit::AddItem {
            field: field_name,
            item: Value::from(item),
        },
        other => FieldEdit::Set {
            field: field_name,
            value: other
                .into_iter()
                .flat_map(Value::items)
                .cloned()
                .chain([Value::from(item)])
                .collect(),
        },
    }
}

/// The first part of a hint that stands between backticks or quotes.
fn quoted(hint: &str) -> Option<&str> {
    ['`', '"'].into_iter().find_map(|mark| {
        let (_, rest) = hint.split_once(mark)?;
        let (inside, _) = rest.split_once(mark)?;
        (!inside.is_empty()).then_some(inside)
    })
}

/// The longest word of the task that the title has too, else the longest word of the task.
fn telling_word<'a>(memory: &Memory, task: &'a str) -> Option<&'a str> {
    let title = memory.title.to_lowercase();
    task.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3)
        .max_by_key(|word| (title.contains(&word.to_lowercase()), word.len()))
}

/// The importance to raise a memory to: the least that is asked for, else one step up.
fn raised(memory: &Memory, least: Option<&str>) -> Option<&'static str> {
    let Kind::Choice(words) = memory.schema.role(Role::Importance)?.kind else {
        return None;
    };
    let place = |word: &str| words.iter().position(|known| *known == word);
    let now = memory.importance().and_then(place);
    let next = now.map_or(0, |now| now + 1);
    let least = least.and_then(place).unwrap_or(next);
    words.get(next.max(least)).copied()
}

/// A memory as edits of its fields would make it; none where they are about its text.
pub fn edited(memory: &Memory, edits: &[FieldEdit]) -> Option<Memory> {
    if edits.is_empty() {
        return None;
    }
    let mut fields: Vec<(Box<str>, Value)> = memory
        .fields
        .iter()
        .map(|(name, value)| (name.into(), value.clone()))
        .collect();
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
    Some(Memory {
        fields: fields.into_iter().collect::<Fields>(),
        ..memory.clone()
    })
}
