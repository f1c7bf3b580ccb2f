//! What is not saved: kept while it is typed, and taken up after a run that ended without saving.

use super::open::{open_empty, open_form};
use super::{Desk, What, Writing};
use crate::app::editor::Editor;
use crate::app::form::Form;
use crate::app::msg::{Draft, DraftFields, Effect};
use crate::app::{Model, View};
use crate::memory::{Memory, Schema, StoreId, Value};

/// Keeps what is typed into the form that is open, where that is something else than before.
pub(super) fn keep_form(model: &mut Model) -> Vec<Effect> {
    let Some(Desk::Form {
        form,
        memory,
        store,
    }) = &mut model.desk
    else {
        return Vec::new();
    };
    let mut typed = form.unsaved();
    if typed == form.kept {
        return Vec::new();
    }
    form.kept = typed.clone();
    if typed == DraftFields::default() {
        return vec![Effect::KeepDraft(None)];
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
    vec![Effect::KeepDraft(Some(Draft {
        id,
        base: base.collect(),
        text: text.collect::<String>() + &typed.body,
        form: Some(typed),
    }))]
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
pub fn open_draft(model: &mut Model, draft: Draft) -> Vec<Effect> {
    if let Some(typed) = draft.form.as_ref().filter(|typed| typed.kind.is_some()) {
        if let Some(effects) = open_new(model, typed) {
            return effects;
        }
        return lost(model, draft, "its store");
    }
    let mut memories = model.world.memories.iter();
    let memory = memories.find(|memory| memory.id.to_string() == draft.id);
    let Some(memory) = memory.cloned() else {
        let id = draft.id.clone();
        return lost(model, draft, &id);
    };
    model.show(View::Browse);
    model.browse.cursor.chosen = Some(memory.id.clone());
    model.arrange();
    if let Some(typed) = draft.form {
        return take_up(model, &memory, typed);
    }
    match Editor::recover(&draft.base, &draft.text, None) {
        Ok(editor) => {
            model.desk = Some(Desk::Text(Box::new(Writing {
                editor,
                id: memory.id.clone(),
                head: String::new(),
                base: draft.base,
                theirs: None,
            })));
        }
        Err(refusal) => model.status.fail(refusal.why, None),
    }
    Vec::new()
}

/// Says that there is nothing left to open; what was typed is not lost.
fn lost(model: &mut Model, draft: Draft, what: &str) -> Vec<Effect> {
    let text = format!("{what} is no longer there; the unsaved text was copied");
    model.status.fail(text, None);
    vec![Effect::Copy(draft.text)]
}

/// Opens the form of a new memory again.
fn open_new(model: &mut Model, typed: &DraftFields) -> Option<Vec<Effect>> {
    let (format, at) = typed.kind.as_ref()?;
    let schemas = model.world.schemas.iter();
    let schema = schemas.filter(|schema| schema.format == format).nth(*at);
    let schema = schema.copied()?;
    let store = typed.store.as_deref().map(StoreId::from);
    let name = store.as_ref().map_or(schema.format, |store| &store.0);
    let title = format!("new memory in {name}");
    open_empty(model, schema, store, title, &[]);
    taken_up(model, typed);
    Some(Vec::new())
}

/// Opens the form of a memory again, once what it does not hold is read.
fn take_up(model: &mut Model, memory: &Memory, typed: DraftFields) -> Vec<Effect> {
    let is_read = memory.schema.inner.is_empty()
        || model.reading.of == Some((memory.id.clone(), memory.stamp))
            && model.reading.inner.is_some();
    if is_read {
        let effects = open_form(model);
        taken_up(model, &typed);
        return effects;
    }
    model.desk = Some(Desk::Opening {
        id: memory.id.clone(),
        what: What::Fields,
        typed: Vec::new(),
        draft: Some(Box::new(typed)),
    });
    Vec::new()
}

/// Takes up in the form that was opened what was typed before.
pub(super) fn taken_up(model: &mut Model, typed: &DraftFields) {
    if let Some(Desk::Form { form, .. }) = &mut model.desk {
        form.take_up(typed);
    }
}
