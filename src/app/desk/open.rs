//! Opening what is edited: fields, a new memory, a text.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::{Desk, What, Writing};
use crate::app::Model;
use crate::app::conflict::Conflict;
use crate::app::editor::{Editor, cut_in};
use crate::app::form::{Form, Known};
use crate::app::msg::DraftFields;
use crate::memory::{Fields, Memory, Schema, StoreId};

/// Opens the text of the current memory: its body, or all of it where its frontmatter is broken.
pub fn open_text(model: &mut Model, whole: bool) {
    let Some(memory) = model.current().cloned() else {
        return;
    };
    let Some(text) = model.reading.text() else {
        let what = if whole { What::Text } else { What::Body };
        return wait(model, &memory, what, None);
    };
    let text = text.to_owned();
    let body = text.get(model.reading.head..).unwrap_or_default();
    // The blank lines below the frontmatter are none of the body's.
    let blank = body.len() - body.trim_start_matches(['\r', '\n']).len();
    let at = if whole { 0 } else { model.reading.head + blank };
    let (head, rest) = text.split_at_checked(at).unwrap_or(("", &text));
    let cut = if whole { None } else { cut_in(&memory) };
    match Editor::open(rest, cut) {
        Ok(editor) => {
            let head = head.to_owned();
            model.desk = Some(Desk::Text(Box::new(Writing {
                head,
                ..Writing::whole(editor, memory.id.clone(), text)
            })));
        }
        Err(refusal) => model
            .status
            .fail(refusal.why, Some(refusal.hint.to_owned())),
    }
}

/// Shows a text beside the one that is on disk now.
pub(super) fn show_conflict(model: &mut Model) {
    if let Some(Desk::Text(writing)) = model.desk.take() {
        let theirs = writing.theirs.as_deref().unwrap_or_default();
        let conflict = Conflict::new(&writing.base, &writing.text(), theirs);
        let conflict = Box::new(conflict);
        model.desk = Some(Desk::Conflict { conflict, writing });
    }
}

/// Waits for what is edited to be read; keys are kept meanwhile.
pub(super) fn wait(
    model: &mut Model,
    memory: &Memory,
    what: What,
    draft: Option<Box<DraftFields>>,
) {
    let id = memory.id.clone();
    model.desk = Some(Desk::Opening { id, what, draft });
}

/// Opens the fields of the current memory.
pub fn open_form(model: &mut Model) {
    let Some(memory) = model.current().cloned() else {
        return;
    };
    if memory.schema.inner.is_empty() {
        show_form(model, memory, &Fields::default());
    } else if let Some(inner) = model.reading.inner.clone() {
        show_form(model, memory, &inner);
    } else {
        wait(model, &memory, What::Fields, None);
    }
}

/// Shows the form of a memory, with the fields that it does not hold.
pub(super) fn show_form(model: &mut Model, memory: Arc<Memory>, inner: &Fields) {
    let form = Form::open(&memory.with_inner(inner), &known(model), model.now);
    model.desk = Some(Desk::Form {
        form: Box::new(form),
        memory: Some(memory),
        store: None,
    });
}

/// Opens a form for a new memory.
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
pub(super) fn open_empty(model: &mut Model, schema: &'static Schema, store: Option<StoreId>) {
    let agent = model.inject.agent.text();
    let name = store.as_ref().map_or(schema.format, |store| &store.0);
    let form = Form::create(schema, &known(model), model.now, agent);
    let form = form.called(format!("new memory in {name}"));
    model.desk = Some(Desk::Form {
        form: Box::new(form),
        memory: None,
        store,
    });
}

/// Words that the field editor can complete, and the task to try patterns on.
fn known(model: &Model) -> Known {
    let memories = &model.world.memories;
    let mut tags: HashMap<&str, usize> = HashMap::new();
    for tag in memories.iter().flat_map(|memory| memory.tags()) {
        *tags.entry(tag).or_default() += 1;
    }
    let mut tags: Vec<(&str, usize)> = tags.into_iter().collect();
    tags.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let agents: BTreeSet<&str> = memories.iter().filter_map(|one| one.author()).collect();
    let task = model.inject.is_set().then(|| model.inject.text.text());
    let tasks = model.known.tasks.iter().map(|task| &**task);
    let tasks = task.into_iter().chain(tasks).map(Into::into);
    Known {
        tags: tags.into_iter().map(|(tag, _)| tag.into()).collect(),
        names: memories.iter().map(|one| one.id.local.clone()).collect(),
        agents: agents.into_iter().map(Into::into).collect(),
        tasks: tasks.collect(),
        patterns: model.known.patterns.clone(),
    }
}
