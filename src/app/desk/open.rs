//! Opening what is edited: fields, a new memory, a text.

use std::sync::Arc;

use super::{Desk, What, Writing};
use crate::app::Model;
use crate::app::editor::{Editor, cut_in};
use crate::app::form::{Form, Known};
use crate::app::msg::Effect;
use crate::memory::{Fields, Memory, Schema, StoreId, Value};

/// Opens the text of the current memory: its body, or all of it where its frontmatter is broken.
pub fn open_text(model: &mut Model, whole: bool) -> Vec<Effect> {
    let Some(memory) = model.current().cloned() else {
        return Vec::new();
    };
    let Some(text) = model.reading.text() else {
        let what = if whole { What::Text } else { What::Body };
        return wait(model, &memory, what);
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
            let (id, head) = (memory.id.clone(), head.to_owned());
            model.desk = Some(Desk::Text(Box::new(Writing {
                editor,
                id,
                head,
                base: text,
                theirs: None,
            })));
        }
        Err(refusal) => {
            let hint = refusal.hint.to_owned();
            model.status.fail(refusal.why, Some(hint));
        }
    }
    Vec::new()
}

/// Waits for what is edited to be read; keys are kept meanwhile.
fn wait(model: &mut Model, memory: &Memory, what: What) -> Vec<Effect> {
    model.desk = Some(Desk::Opening {
        id: memory.id.clone(),
        what,
        typed: Vec::new(),
        draft: None,
    });
    Vec::new()
}

/// Opens the fields of the current memory.
pub fn open_form(model: &mut Model) -> Vec<Effect> {
    let Some(memory) = model.current().cloned() else {
        return Vec::new();
    };
    if memory.schema.inner.is_empty() {
        show_form(model, memory, &Fields::default());
        return Vec::new();
    }
    let Some(inner) = model.reading.inner.clone() else {
        return wait(model, &memory, What::Fields);
    };
    show_form(model, memory, &inner);
    Vec::new()
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
pub fn open_new(model: &mut Model) -> Vec<Effect> {
    // It joins the memory a person stands on, where there are several stores.
    let here = model.current().map(|memory| memory.schema.format);
    let schemas = &model.world.schemas;
    let own = schemas.iter().find(|schema| Some(schema.format) == here);
    if let Some(schema) = own.or(schemas.first()).copied() {
        let store = model.current().map(|memory| memory.id.store.clone());
        let name = store.as_ref().map_or(schema.format, |store| &store.0);
        let title = format!("new memory in {name}");
        open_empty(model, schema, store, title, &[]);
    }
    Vec::new()
}

/// Opens a form for something that is not there yet.
pub(super) fn open_empty(
    model: &mut Model,
    schema: &'static Schema,
    store: Option<StoreId>,
    title: String,
    given: &[(&str, Value)],
) {
    let agent = model.inject.agent.text().to_owned();
    let form = Form::create(schema, &known(model), model.now, &agent, given);
    model.desk = Some(Desk::Form {
        form: Box::new(form.called(title)),
        memory: None,
        store,
    });
}

/// Words that the field editor can complete, and the task to try patterns on.
pub(super) fn known(model: &Model) -> Known {
    let mut tags: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    let mut agents: Vec<&str> = Vec::new();
    for memory in model.world.memories.iter() {
        for tag in memory.tags() {
            *tags.entry(tag).or_default() += 1;
        }
        if let Some(author) = memory.author()
            && !agents.contains(&author)
        {
            agents.push(author);
        }
    }
    let mut tags: Vec<(&str, usize)> = tags.into_iter().collect();
    tags.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    agents.sort_unstable();
    let task = model.inject.is_set().then(|| model.inject.text.text());
    let tasks = task
        .into_iter()
        .chain(model.known.tasks.iter().map(|task| &**task));
    let names = model
        .world
        .memories
        .iter()
        .map(|memory| memory.id.local.clone());
    Known {
        tags: tags.into_iter().map(|(tag, _)| tag.into()).collect(),
        names: names.collect(),
        agents: agents.into_iter().map(Into::into).collect(),
        tasks: tasks.map(Into::into).collect(),
        patterns: Arc::clone(&model.known.patterns),
    }
}
