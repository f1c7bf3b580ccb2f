//! Changes on disk of a memory that is being edited.

use std::sync::Arc;

use super::Editor;
use crate::app::Model;
use crate::app::form::Form;
use crate::memory::{Fields, Memory, MemoryId};

/// The text of a memory was read again while it is edited.
pub fn text_read(model: &mut Model, id: &MemoryId, text: &str) {
    let Some(Editor::Text(writing)) = &mut model.editor else {
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
            .map(|key| format!("{key} merges both texts"));
        let what = "this memory changed on disk while you were editing";
        model.status.fail(what, hint);
    }
}

/// The memories were read again while fields are edited.
pub fn memories_read(model: &mut Model) {
    let Some((form, memory)) = edited(&mut model.editor) else {
        return;
    };
    let Some(now) = model.world.find(&memory.id).cloned() else {
        let what = "this memory is no longer on disk";
        let leave = model.keymap.label("leave-fields");
        let hint = leave.map(|key| format!("{key} leaves it"));
        return model.status.fail(what, hint);
    };
    form.title = now.title.to_string();
    let before = std::mem::replace(memory, Arc::clone(&now));
    fields_read(model, &before.fields, &now.fields, false);
}

/// The fields that a memory does not hold were read again while fields are edited.
pub fn inner_read(model: &mut Model, id: &MemoryId, inner: &Fields) {
    if let Some((form, memory)) = edited(&mut model.editor)
        && memory.id == *id
    {
        let schema = memory.schema;
        let before = form.stored(|name| schema.is_inner(name));
        fields_read(model, &before, inner, true);
    }
}

/// Takes over what the disk has now of the fields, those that the memory holds or the others, and
/// says which of them changed where a person is at work on them.
fn fields_read(model: &mut Model, before: &Fields, now: &Fields, inner: bool) {
    let changed = differences(before, now);
    let Some((form, memory)) = edited(&mut model.editor).filter(|_| !changed.is_empty()) else {
        return;
    };
    let schema = memory.schema;
    let at_rest = form.at_rest();
    form.rebase(now, |name| schema.is_inner(name) == inner);
    if at_rest {
        return;
    }
    let hint = if form.clashing().next().is_some() {
        let save = model.keymap.label("save").unwrap_or_default();
        format!("{save} shows both before it saves")
    } else {
        "reloaded; your edits are kept".to_owned()
    };
    let what = format!("changed on disk meanwhile: {}", changed.join(", "));
    model.status.fail(what, Some(hint));
}

/// The form of a memory that is there already, and the memory as it was last read.
fn edited(editor: &mut Option<Editor>) -> Option<(&mut Form, &mut Arc<Memory>)> {
    match editor {
        Some(Editor::Form {
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
