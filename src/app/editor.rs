//! The part that is edited: a form, or a text with its conflict with the disk. Their keys go there,
//! and what comes of them is done here.

mod open;

use std::sync::Arc;

use similar::TextMerge;

use super::Model;
use super::form::Form;
use super::key::{Key, Outcome, Scope};
use super::msg::{Change, Draft, DraftFields, Effect};
use super::text::TextEditor;
use crate::memory::{Fields, Memory, MemoryId, StoreId, Value};

pub use open::{open_awaited, open_draft, open_form, open_new, open_text};

/// The part that is edited.
#[derive(Debug)]
pub enum Editor {
    /// Something that is about to be edited, once it is read; keys wait meanwhile.
    Opening {
        /// Which memory.
        id: MemoryId,
        /// Opens it.
        then: fn(&mut Model),
        /// Unsaved fields of an earlier run, to be taken up.
        draft: Option<Box<DraftFields>>,
    },
    /// The fields of a memory, or a new memory.
    Form(Box<FormEdit>),
    /// A text.
    Text(Box<Writing>),
}

#[derive(Debug)]
pub struct FormEdit {
    pub form: Form,
    /// The memory it was opened on; none for a new one.
    pub memory: Option<Arc<Memory>>,
    /// The store that a new one goes to; the first where none is named.
    pub store: Option<StoreId>,
}

#[derive(Debug)]
pub struct Writing {
    pub editor: TextEditor,
    pub id: MemoryId,
    /// The text before the edited part: the frontmatter, where only the body is edited.
    head: String,
    /// The whole text it was made from.
    base: String,
    /// The whole text as it is on disk, where that differs from `base`.
    theirs: Option<String>,
}

impl Writing {
    fn whole(editor: TextEditor, id: MemoryId, base: String) -> Self {
        Self {
            editor,
            id,
            head: String::new(),
            base,
            theirs: None,
        }
    }

    /// The whole text as it would be saved.
    fn text(&self) -> String {
        format!("{}{}", self.head, self.editor.text())
    }
}

impl Editor {
    fn form(form: Form, memory: Option<Arc<Memory>>, store: Option<StoreId>) -> Self {
        Self::Form(Box::new(FormEdit {
            form,
            memory,
            store,
        }))
    }

    /// Tells the parts how much room they have.
    pub fn resize(&mut self, width: u16, height: u16) {
        match self {
            Self::Form(own) => own.form.resize(width, height),
            Self::Text(writing) => writing.editor.resize(width, height),
            Self::Opening { .. } => {}
        }
    }

    /// The scopes whose commands the keys reach, the innermost first, and the commands that matter
    /// now, most telling first.
    pub fn keys(&self) -> (&'static [Scope], &'static str) {
        match self {
            Self::Form(own) => own.form.keys(),
            Self::Text(writing) => writing.editor.keys(),
            // Only to leave; every other key waits for the text.
            Self::Opening { .. } => (&[Scope::Text], "leave-text"),
        }
    }

    /// True if letters are text now.
    pub fn writing(&self) -> bool {
        match self {
            Self::Form(own) => own.form.typing(),
            Self::Text(_) => true,
            Self::Opening { .. } => false,
        }
    }
}

pub fn act(
    model: &mut Model,
    id: &str,
    form: fn(&mut Form) -> Outcome,
    text: fn(&mut TextEditor) -> Outcome,
) {
    if let Some(Editor::Opening { .. }) = &model.editor {
        if id == "leave-text" {
            model.editor = None;
            model.typed_ahead.clear();
        }
        return;
    }
    type_into(model, |own| own.act(form), |own| own.act(text));
}

pub fn typed(model: &mut Model, key: Key) {
    type_into(model, |form| form.typed(key), |text| text.typed(key));
}

pub fn paste(model: &mut Model, text: &str) {
    type_into(model, |form| form.paste(text), |editor| editor.paste(text));
}

/// Changes the form or the text, and does what it answers.
fn type_into(
    model: &mut Model,
    form: impl FnOnce(&mut Form) -> Outcome,
    text: impl FnOnce(&mut TextEditor) -> Outcome,
) {
    let outcome = match &mut model.editor {
        Some(Editor::Form(own)) => form(&mut own.form),
        Some(Editor::Text(writing)) => text(&mut writing.editor),
        _ => Outcome::Nothing,
    };
    match outcome {
        Outcome::Nothing => {}
        Outcome::Redraw | Outcome::Changed => keep_draft(model, outcome),
        Outcome::Leave => saved(model),
        Outcome::Save => save(model),
    }
}

/// Keeps what is typed against the end of the program.
fn keep_draft(model: &mut Model, outcome: Outcome) {
    let draft = match &mut model.editor {
        Some(Editor::Text(writing)) if outcome == Outcome::Changed => Some(Draft {
            id: writing.id.to_string(),
            base: writing.base.clone(),
            text: writing.text(),
            form: None,
        }),
        Some(Editor::Form(own)) => {
            let typed = own.form.unsaved();
            if typed == own.form.kept {
                return;
            }
            own.form.kept = typed.clone();
            let is_typed = typed != DraftFields::default();
            is_typed.then(|| form_draft(own, typed))
        }
        _ => return,
    };
    model.send(Effect::KeepDraft(draft));
}

fn form_draft(own: &FormEdit, mut typed: DraftFields) -> Draft {
    let id = match &own.memory {
        Some(memory) => memory.id.to_string(),
        None => {
            typed.format = Some(own.form.schema.format.to_owned());
            typed.store = own.store.as_ref().map(ToString::to_string);
            own.form.title()
        }
    };
    let line = |name: &str, value: &Option<Value>| match value {
        Some(value) => format!("{name}: {value}\n"),
        None => format!("{name}:\n"),
    };
    let fields = typed.fields.iter();
    let base = fields.clone().map(|(name, then, _)| line(name, then));
    let text = fields.map(|(name, _, now)| line(name, now));
    Draft {
        id,
        base: base.collect(),
        text: text.collect::<String>() + &typed.body,
        form: Some(typed),
    }
}

/// Saves what is edited. It stays open until the change is made: a refused one loses nothing.
fn save(model: &mut Model) {
    let change = match &mut model.editor {
        Some(Editor::Form(own)) => match &own.memory {
            Some(memory) => Change::Edit {
                ids: vec![memory.id.clone()],
                edits: own.form.edits(),
                seen: own.form.seen(),
            },
            None => {
                let (title, fields, body) = own.form.new_memory();
                Change::Add {
                    store: own.store.clone(),
                    title,
                    fields,
                    body,
                }
            }
        },
        Some(Editor::Text(writing)) => {
            let (expected, text) = (writing.base.clone(), writing.text());
            if let Some(theirs) = writing.theirs.take() {
                return merged(model, &expected, &text, theirs);
            }
            Change::Text {
                id: writing.id.clone(),
                expected,
                text,
            }
        }
        _ => return,
    };
    let is_same = match &change {
        Change::Edit { edits, .. } => edits.is_empty(),
        Change::Text { expected, text, .. } => expected == text,
        _ => false,
    };
    if is_same {
        model.say("nothing was changed");
        return saved(model);
    }
    model.apply(change);
}

/// Opens the edited text and the one on disk as one text, to be saved once more.
fn merged(model: &mut Model, base: &str, mine: &str, theirs: String) {
    let Some(Editor::Text(writing)) = &mut model.editor else {
        return;
    };
    let (text, overlaps) = merge(base, mine, &theirs);
    match TextEditor::open(&theirs, &text, None) {
        Ok(mut editor) => {
            let mut lines = text.split('\n');
            let marked = lines.position(|line| line.starts_with(MARK));
            editor.go_to(marked.unwrap_or(0), 0);
            **writing = Writing::whole(editor, writing.id.clone(), theirs);
            let what = match overlaps {
                0 => "both texts are merged, no change overlaps".to_owned(),
                1 => "both texts are merged: 1 change overlaps and is marked".to_owned(),
                n => format!("both texts are merged: {n} changes overlap and are marked"),
            };
            let hint = model.hint("save", "saves this text");
            model.status.fail(what, hint);
        }
        Err(refusal) => model.fail(refusal),
    }
}

/// A change was made, or nothing is left to save: what was edited is let go, and what was kept of it.
pub fn saved(model: &mut Model) {
    let is_kept = match model.editor.take() {
        Some(Editor::Text(_)) => true,
        Some(Editor::Form(own)) => own.form.kept != DraftFields::default(),
        Some(Editor::Opening { .. }) | None => false,
    };
    if is_kept {
        model.send(Effect::KeepDraft(None));
    }
}

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
        let what = "this memory changed on disk while you were editing";
        let hint = model.hint("save", "merges both texts");
        model.status.fail(what, hint);
    }
}

pub fn memories_read(model: &mut Model) {
    let Some((form, memory)) = edited(&mut model.editor) else {
        return;
    };
    let Some(now) = model.world.find(&memory.id).cloned() else {
        let what = "this memory is no longer on disk";
        let hint = model.hint("leave-fields", "leaves it");
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
        let save = model.key("save");
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
        Some(Editor::Form(own)) => Some((&mut own.form, own.memory.as_mut()?)),
        _ => None,
    }
}

/// Lists the fields that changed, with their new values.
fn differences(before: &Fields, now: &Fields) -> Vec<String> {
    let other = now.iter();
    let other = other.filter(|(name, value)| before.get(name) != Some(value));
    let other = other.map(|(name, value)| format!("{name} is now `{value}`"));
    let gone = before.iter().filter(|(name, _)| now.get(name).is_none());
    let gone = gone.map(|(name, _)| format!("{name} is gone"));
    other.chain(gone).collect()
}

/// Texts of more lines are not merged line by line: comparing two that have nothing in common
/// would take seconds.
const MOST: usize = 10_000;

/// The beginning of a mark around overlapping changes.
const MARK: &str = "<<<<<<< ";

/// Merges the opened text as it was edited with the one on disk, line by line. Changes that overlap
/// stand beside one another between marks; returns their number too.
pub fn merge(base: &str, mine: &str, theirs: &str) -> (String, usize) {
    let is_long = |text: &&str| text.lines().count() > MOST;
    if [base, mine, theirs].iter().any(is_long) {
        let text = format!("{MARK}yours\n{mine}\n=======\n{theirs}\n>>>>>>> on disk\n");
        return (text, 1);
    }
    let mut merge = TextMerge::from_lines(base, mine, theirs);
    merge.labels("before", "yours", "on disk");
    (merge.to_string(), merge.conflict_count())
}
