//! Changes on disk of a memory that is being edited.

use std::sync::Arc;

use super::{Desk, open};
use crate::app::Model;
use crate::app::form::Form;
use crate::memory::{Fields, Memory, MemoryId};

/// The text of a memory was read again while it is edited.
pub fn text_read(model: &mut Model, id: &MemoryId, text: &str) {
    let Some(Desk::Text(writing)) = &mut model.desk else {
        return;
    };
    if writing.id != *id {
        return;
    }
    if text == writing.base {
        writing.theirs = None;
    } else if writing.theirs.as_deref() != Some(text) {
        writing.theirs = Some(text.to_owned());
        let hint = model
            .keymap
            .label("save")
            .map(|key| format!("{key} shows both"));
        let what = "this memory changed on disk while you were editing";
        model.status.fail(what, hint);
    }
}

/// The memories were read again while fields are edited: says which of them changed on disk.
pub fn memories_read(model: &mut Model) {
    let Some((form, memory)) = edited(&mut model.desk) else {
        return;
    };
    let mut now = model.world.memories.iter();
    let Some(now) = now.find(|now| now.id == memory.id).cloned() else {
        let what = "this memory is no longer on disk";
        let leave = model.keymap.label("leave-fields");
        return model
            .status
            .fail(what, leave.map(|key| format!("{key} leaves it")));
    };
    if now.fields == memory.fields {
        *memory = now;
        return;
    }
    let schema = now.schema;
    if form.at_rest() {
        let inner = form.stored(|name| schema.is_inner(name));
        let focus = form.focus;
        open::show_form(model, now, &inner);
        if let Some((form, _)) = edited(&mut model.desk) {
            form.focus = focus.min(form.places().saturating_sub(1));
        }
    } else {
        let changed = differences(&memory.fields, &now.fields);
        form.rebase(&now.fields, |name| !schema.is_inner(name));
        *memory = now;
        say(model, &changed);
    }
}

/// The fields that a memory does not hold were read again while fields are edited.
pub fn inner_read(model: &mut Model, id: &MemoryId, inner: &Fields) {
    let Some((form, memory)) = edited(&mut model.desk) else {
        return;
    };
    let schema = memory.schema;
    let before = form.stored(|name| schema.is_inner(name));
    let changed = differences(&before, inner);
    if memory.id != *id || changed.is_empty() {
        return;
    }
    let at_rest = form.at_rest();
    form.rebase(inner, |name| schema.is_inner(name));
    if !at_rest {
        say(model, &changed);
    }
}

/// The form of a memory that is there already, and the memory as it was when the form was drawn.
fn edited(desk: &mut Option<Desk>) -> Option<(&mut Form, &mut Arc<Memory>)> {
    match desk {
        Some(Desk::Form {
            form,
            memory: Some(memory),
            ..
        }) => Some((form, memory)),
        _ => None,
    }
}

/// Lists the fields that changed, with their new values.
fn differences(before: &Fields, now: &Fields) -> Vec<String> {
    let other = now
        .iter()
        .filter(|(name, value)| before.get(name) != Some(value));
    let other = other.map(|(name, value)| format!("{name} is now `{value}`"));
    let gone = before.iter().filter(|(name, _)| now.get(name).is_none());
    let gone = gone.map(|(name, _)| format!("{name} is gone"));
    other.chain(gone).collect()
}

fn say(model: &mut Model, changed: &[String]) {
    let what = format!("changed on disk meanwhile: {}", changed.join(", "));
    let clashes = edited(&mut model.desk).is_some_and(|(form, _)| form.clashing().next().is_some());
    let hint = if clashes {
        let save = model.keymap.label("save").unwrap_or_default();
        format!("{save} shows both before it saves")
    } else {
        "reloaded; your edits are kept".to_owned()
    };
    model.status.fail(what, Some(hint));
}
