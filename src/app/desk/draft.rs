//! Unsaved text: kept while it is typed, and taken up after a run that ended without saving.

use super::open::{open_empty, open_form, wait};
use super::{Desk, What, Writing};
use crate::app::editor::Editor;
use crate::app::form::Form;
use crate::app::msg::{Draft, DraftFields, Effect};
use crate::app::{Model, View};
use crate::memory::{Schema, StoreId, Value};

/// Keeps what is typed into the form that is open, where that is something else than before.
pub(super) fn keep_form(model: &mut Model) {
    let Some(Desk::Form {
        form,
        memory,
        store,
    }) = &mut model.desk
    else {
        return;
    };
    let mut typed = form.unsaved();
    if typed == form.kept {
        return;
    }
    form.kept = typed.clone();
    if typed == DraftFields::default() {
        return model.send(Effect::KeepDraft(None));
    }
    let id = match memory {
        Some(memory) => memory.id.to_string(),
        None => {
            typed.store = store.as_ref().map(ToString::to_string);
            typed.kind = kind(&model.world.schemas, form);
            form.title()
        }
    };
    let line = |name: &str, value: &Option<Value>| match value {
        Some(value) => format!("{name}: {value}\n"),
        None => format!("{name}:\n"),
    };
    let fields = typed.fields.iter();
    let base = fields.clone().map(|(name, then, _)| line(name, then));
    let text = fields.map(|(name, _, now)| line(name, now));
    let draft = Draft {
        id,
        base: base.collect(),
        text: text.collect::<String>() + &typed.body,
        form: Some(typed),
    };
    model.send(Effect::KeepDraft(Some(draft)));
}

/// Which of the kinds of its format a form is for.
fn kind(schemas: &[&'static Schema], form: &Form) -> Option<(String, usize)> {
    let format = form.schema.format;
    let mut kinds = schemas.iter().filter(|schema| schema.format == format);
    let at = kinds.position(|schema| std::ptr::eq(*schema, form.schema))?;
    Some((format.to_owned(), at))
}

/// Opens a found draft: the text as it was left over the text it was made from, or the form with
/// what was typed into it.
pub fn open_draft(model: &mut Model, draft: Draft) {
    let kind = draft.form.as_ref().and_then(|typed| typed.kind.as_ref());
    let lost = if let Some((format, at)) = kind {
        let schemas = model.world.schemas.iter();
        let mut kinds = schemas.filter(|schema| schema.format == format);
        if let Some(schema) = kinds.nth(*at).copied() {
            let typed = draft.form.unwrap_or_default();
            open_empty(model, schema, typed.store.as_deref().map(StoreId::from));
            take_up(model, &typed);
            return;
        }
        "its store"
    } else {
        let mut memories = model.world.memories.iter();
        let memory = memories.find(|memory| memory.id.to_string() == draft.id);
        if let Some(memory) = memory.cloned() {
            model.show(View::Browse);
            model.browse.cursor.chosen = Some(memory.id.clone());
            model.arrange();
            let of = Some((memory.id.clone(), memory.stamp));
            match draft.form {
                None => match Editor::recover(&draft.base, &draft.text, None) {
                    Ok(editor) => {
                        let writing = Writing::whole(editor, memory.id.clone(), draft.base);
                        model.desk = Some(Desk::Text(Box::new(writing)));
                    }
                    Err(refusal) => model.status.fail(refusal.why, None),
                },
                // The fields that the memory does not hold are read first.
                Some(typed)
                    if !memory.schema.inner.is_empty()
                        && (model.reading.of != of || model.reading.inner.is_none()) =>
                {
                    wait(model, &memory, What::Fields, Some(Box::new(typed)));
                }
                Some(typed) => {
                    open_form(model);
                    take_up(model, &typed);
                }
            }
            return;
        }
        &draft.id
    };
    // There is nothing left to open; what was typed is not lost.
    let text = format!("{lost} is no longer there; the unsaved text was copied");
    model.status.fail(text, None);
    model.send(Effect::Copy(draft.text));
}

/// Takes up in the form that was opened what was typed before.
pub(super) fn take_up(model: &mut Model, typed: &DraftFields) {
    if let Some(Desk::Form { form, .. }) = &mut model.desk {
        form.take_up(typed);
    }
}
