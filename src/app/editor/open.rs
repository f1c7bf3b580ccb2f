//! Opening what is edited: fields, a new memory, a text.

use super::{Editor, Writing};
use crate::app::form::{Form, Known, unreadable};
use crate::app::msg::{Draft, DraftFields, Effect};
use crate::app::text::{TextEditor, cut_in};
use crate::app::{Model, View};
use crate::memory::{Fields, Memory, MemoryId, Schema, StoreId};

/// Opens the text of the current memory: its body, or all of it where its frontmatter is broken.
pub fn open_text(model: &mut Model, whole: bool) {
    let Some(memory) = model.current().cloned() else {
        return;
    };
    let Some(text) = model.reading.text() else {
        let then: Then = match whole {
            true => |model| open_text(model, true),
            false => |model| open_text(model, false),
        };
        return wait(model, &memory, then, None);
    };
    let text = text.to_owned();
    let body = text.get(model.reading.head..).unwrap_or_default();
    // The blank lines below the frontmatter are none of the body's.
    let blank = body.len() - body.trim_start_matches(['\r', '\n']).len();
    let at = if whole { 0 } else { model.reading.head + blank };
    let (head, rest) = text.split_at_checked(at).unwrap_or(("", &text));
    let cut = if whole { None } else { cut_in(&memory) };
    match TextEditor::open(rest, rest, cut) {
        Ok(editor) => {
            let head = head.to_owned();
            model.editor = Some(Editor::Text(Box::new(Writing {
                head,
                ..Writing::whole(editor, memory.id.clone(), text)
            })));
        }
        Err(refusal) => model.fail(refusal),
    }
}

/// Opens the current memory in an editor.
type Then = fn(&mut Model);

/// Waits for what is edited to be read; keys are kept meanwhile.
fn wait(model: &mut Model, memory: &Memory, then: Then, draft: Option<Box<DraftFields>>) {
    let id = memory.id.clone();
    model.editor = Some(Editor::Opening { id, then, draft });
}

/// Opens what waited for a text, once that was read.
pub fn open_awaited(model: &mut Model, id: &MemoryId) {
    let is_it =
        |editor: &mut Editor| matches!(editor, Editor::Opening { id: own, .. } if own == id);
    let Some(Editor::Opening { then, draft, .. }) = model.editor.take_if(is_it) else {
        return;
    };
    if let Some(Err(why)) = &model.reading.text {
        model.fail(why.clone());
        model.typed_ahead.clear();
        return;
    }
    then(model);
    if let Some(before) = draft {
        take_up(model, &before);
    }
}

/// Opens the fields of the current memory; its text where they cannot be read.
pub fn open_form(model: &mut Model) {
    let Some(memory) = model.current().cloned() else {
        return;
    };
    if let Some(why) = unreadable(&memory) {
        open_text(model, true);
        return model.fail(format!(
            "editing as text, for its fields cannot be read: {why}"
        ));
    }
    let inner = match &model.reading.inner {
        _ if memory.schema.inner.is_empty() => Fields::default(),
        Some(inner) => inner.clone(),
        None => return wait(model, &memory, open_form, None),
    };
    let form = Form::open(&memory.with_inner(&inner), &known(model), model.now);
    model.editor = Some(Editor::form(form, Some(memory), None));
}

pub fn open_new(model: &mut Model) {
    // It joins the memory a person stands on, where there are several stores.
    let here = model.current().map(|memory| memory.schema.format);
    let schemas = &model.world.schemas;
    let own = schemas.iter().find(|schema| Some(schema.format) == here);
    if let Some(schema) = own.or(schemas.first()).copied() {
        let store = model.current().map(|memory| memory.id.store.clone());
        open_empty(model, schema, store);
    }
}

/// Opens a form for something that is not there yet.
fn open_empty(model: &mut Model, schema: &'static Schema, store: Option<StoreId>) {
    let agent = model.inject.agent.text();
    let name = store.as_ref().map_or(schema.format, |store| &store.0);
    let mut form = Form::create(schema, &known(model), model.now, agent);
    form.title = format!("new memory in {name}");
    model.editor = Some(Editor::form(form, None, store));
}

/// Opens a found draft: the text as it was left over the text it was made from, or the form with
/// what was typed into it.
pub fn open_draft(model: &mut Model, draft: Draft) {
    let typed = draft.form.as_ref();
    if let Some(format) = typed.and_then(|typed| typed.format.as_ref()) {
        let mut schemas = model.world.schemas.iter();
        let Some(schema) = schemas.find(|schema| schema.format == format).copied() else {
            return lost(model, "its store", draft.text);
        };
        let typed = draft.form.unwrap_or_default();
        open_empty(model, schema, typed.store.as_deref().map(StoreId::from));
        return take_up(model, &typed);
    }
    let mut memories = model.world.memories.iter();
    let memory = memories.find(|memory| memory.id.to_string() == draft.id);
    let Some(memory) = memory.cloned() else {
        return lost(model, &draft.id, draft.text);
    };
    model.show(View::Browse);
    model.browse.cursor.chosen = Some(memory.id.clone());
    model.arrange();
    let of = Some((memory.id.clone(), memory.stamp));
    let is_read = model.reading.of == of && model.reading.inner.is_some();
    match draft.form {
        None => match TextEditor::open(&draft.base, &draft.text, None) {
            Ok(editor) => {
                let writing = Writing::whole(editor, memory.id.clone(), draft.base);
                model.editor = Some(Editor::Text(Box::new(writing)));
            }
            Err(refusal) => model.fail(refusal),
        },
        // The fields that the memory does not hold are read first.
        Some(typed) if !memory.schema.inner.is_empty() && !is_read => {
            wait(model, &memory, open_form, Some(Box::new(typed)));
        }
        Some(typed) => {
            open_form(model);
            take_up(model, &typed);
        }
    }
}

/// There is nothing left to open; what was typed is not lost.
fn lost(model: &mut Model, what: &str, text: String) {
    model.fail(format!(
        "{what} is no longer there; the unsaved text was copied"
    ));
    model.send(Effect::Copy(text));
}

/// Takes up in the form that was opened what was typed before.
fn take_up(model: &mut Model, typed: &DraftFields) {
    if let Some(Editor::Form(own)) = &mut model.editor {
        own.form.take_up(typed);
    }
}

/// The tasks to try patterns on, the current one first, and the matcher.
fn known(model: &Model) -> Known {
    let task = model.inject.is_set().then(|| model.inject.text.text());
    let tasks = model.known.tasks.iter().map(|task| &**task);
    let mut known = model.known.clone();
    known.tasks = task.into_iter().chain(tasks).map(Into::into).collect();
    known
}
