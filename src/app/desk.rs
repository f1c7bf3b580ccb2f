//! The part that is edited: a form, a text, or a conflict between a text and the disk. Their keys
//! go there, and what comes of them is done here.

mod draft;
mod meanwhile;
mod open;

use std::sync::Arc;

use super::Model;
use super::conflict::Conflict;
use super::editor::Editor;
use super::form::Form;
use super::key::Key;
use super::msg::{Change, Draft, DraftFields, Effect};
use super::scope::{Action, Outcome, Scope};
use crate::memory::{Memory, MemoryId, StoreId};

pub use draft::open_draft;
pub use meanwhile::{inner_read, memories_read, text_read};
pub use open::{open_form, open_new, open_text};

/// The edited part of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Its fields.
    Fields,
    /// Its body.
    Body,
    /// Its whole text.
    Text,
}

/// The part that is edited.
#[derive(Debug)]
pub enum Desk {
    /// Something that is about to be edited, once it is read; keys wait meanwhile.
    Opening {
        /// Which memory.
        id: MemoryId,
        /// What of it.
        what: What,
        /// Unsaved fields of an earlier run, to be taken up.
        draft: Option<Box<DraftFields>>,
    },
    /// The fields of a memory, or a new memory.
    Form {
        /// The form.
        form: Box<Form>,
        /// The memory it was opened on; none for a new one.
        memory: Option<Arc<Memory>>,
        /// The store that a new one goes to; the first where none is named.
        store: Option<StoreId>,
    },
    /// A text.
    Text(Box<Writing>),
    /// A text that changed on disk meanwhile.
    Conflict {
        /// Both texts.
        conflict: Box<Conflict>,
        /// The editor to go back to.
        writing: Box<Writing>,
    },
}

/// A text being edited.
#[derive(Debug)]
pub struct Writing {
    /// The editor.
    pub editor: Editor,
    /// Which memory.
    pub id: MemoryId,
    /// The text before the edited part: the frontmatter, where only the body is edited.
    head: String,
    /// The whole text it was made from.
    base: String,
    /// The whole text as it is on disk, where that differs from `base`.
    theirs: Option<String>,
}

impl Writing {
    /// The whole text of a memory in an editor.
    fn whole(editor: Editor, id: MemoryId, base: String) -> Self {
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

impl Desk {
    /// Tells the parts how much room they have.
    pub fn resize(&mut self, width: u16, height: u16) {
        match self {
            Self::Form { form, .. } => form.resize(width, height),
            Self::Text(writing) => writing.editor.resize(width, height),
            Self::Opening { .. } | Self::Conflict { .. } => {}
        }
    }

    /// The scopes whose commands the keys reach, the innermost first, and the commands that matter
    /// now, most telling first.
    pub fn keys(&self) -> (&'static [Scope], &'static str) {
        match self {
            Self::Form { form, .. } => form.keys(),
            Self::Text(writing) => writing.editor.keys(),
            // Only to leave; every other key waits for the text.
            Self::Opening { .. } => (&[Scope::Text], "leave-text"),
            Self::Conflict { .. } => (
                &[Scope::Conflict],
                "keep-mine take-theirs edit-merged leave-conflict",
            ),
        }
    }

    /// True if letters are text now.
    pub fn writing(&self) -> bool {
        match self {
            Self::Form { form, .. } => form.typing(),
            Self::Text(_) => true,
            Self::Opening { .. } | Self::Conflict { .. } => false,
        }
    }
}

/// Does an action in the part that is edited.
pub fn act(model: &mut Model, action: Action) {
    match model.desk.take() {
        Some(Desk::Opening { .. }) if action == Action::Leave => model.typed_ahead.clear(),
        Some(Desk::Conflict { conflict, writing }) => decide(model, conflict, writing, action),
        desk => {
            model.desk = desk;
            type_into(model, |form| form.act(action), |text| text.act(action));
        }
    }
}

/// Takes a key that no command has.
pub fn typed(model: &mut Model, key: Key) {
    type_into(model, |form| form.typed(key), |text| text.typed(key));
}

/// Takes pasted text.
pub fn paste(model: &mut Model, text: &str) {
    type_into(model, |form| form.paste(text), |editor| editor.paste(text));
}

/// Changes the form or the text, and does what it answers.
fn type_into(
    model: &mut Model,
    form: impl FnOnce(&mut Form) -> Outcome,
    text: impl FnOnce(&mut Editor) -> Outcome,
) {
    let outcome = match &mut model.desk {
        Some(Desk::Form { form: own, .. }) => form(own),
        Some(Desk::Text(writing)) => text(&mut writing.editor),
        _ => Outcome::Nothing,
    };
    match outcome {
        Outcome::Nothing => {}
        Outcome::Redraw | Outcome::Changed => keep_draft(model, outcome),
        Outcome::Leave => saved(model),
        Outcome::EditText => {
            saved(model);
            open_text(model, true);
        }
        Outcome::Save => save(model),
    }
}

/// Keeps what is typed against the end of the program.
fn keep_draft(model: &mut Model, outcome: Outcome) {
    match &model.desk {
        Some(Desk::Text(writing)) if outcome == Outcome::Changed => {
            let draft = Draft {
                id: writing.id.to_string(),
                base: writing.base.clone(),
                text: writing.text(),
                form: None,
            };
            model.send(Effect::KeepDraft(Some(draft)));
        }
        _ => draft::keep_form(model),
    }
}

/// Saves what is edited. It stays open until the change is made: a refused one loses nothing.
fn save(model: &mut Model) {
    let change = match &model.desk {
        Some(Desk::Form {
            form,
            memory: Some(memory),
            ..
        }) => Change::Edit {
            ids: vec![memory.id.clone()],
            edits: form.edits(),
            seen: form.seen(),
        },
        Some(Desk::Form { form, store, .. }) => {
            let (title, fields, body) = form.new_memory();
            Change::Add {
                store: store.clone(),
                title,
                fields,
                body,
            }
        }
        Some(Desk::Text(writing)) if writing.theirs.is_some() => {
            return open::show_conflict(model);
        }
        Some(Desk::Text(writing)) => Change::Text {
            id: writing.id.clone(),
            expected: writing.base.clone(),
            text: writing.text(),
        },
        _ => return,
    };
    let is_same = match &change {
        Change::Edit { edits, .. } => edits.is_empty(),
        Change::Text { expected, text, .. } => expected == text,
        _ => false,
    };
    if is_same {
        model.status.say("nothing was changed", None);
        return saved(model);
    }
    model.apply(change);
}

/// Decides between a text and the one on disk.
fn decide(
    model: &mut Model,
    mut conflict: Box<Conflict>,
    mut writing: Box<Writing>,
    action: Action,
) {
    match action {
        Action::Leave => model.desk = Some(Desk::Text(writing)),
        Action::TakeTheirs => {
            model.status.say("kept the version on disk", None);
            model.send(Effect::KeepDraft(None));
        }
        Action::KeepMine => {
            // Until it is made the editor stands behind it, ready for another conflict.
            writing.base = writing.theirs.take().unwrap_or_default();
            model.desk = Some(Desk::Text(writing));
            save(model);
        }
        Action::EditMerged => {
            let theirs = writing.theirs.clone().unwrap_or_default();
            match Editor::recover(&theirs, &conflict.merged, None) {
                Ok(mut editor) => {
                    editor.go_to(conflict.first_overlap(), 0);
                    let merged = Writing::whole(editor, writing.id, theirs);
                    model.desk = Some(Desk::Text(Box::new(merged)));
                }
                Err(refusal) => {
                    model.status.fail(refusal.why, None);
                    model.desk = Some(Desk::Conflict { conflict, writing });
                }
            }
        }
        _ => {
            conflict.scroll(action, model.extents.page);
            model.desk = Some(Desk::Conflict { conflict, writing });
        }
    }
}

/// Opens what waited for a text, once that was read.
pub fn open_awaited(model: &mut Model, id: &MemoryId) {
    let is_it = |desk: &mut Desk| matches!(desk, Desk::Opening { id: waits, .. } if waits == id);
    let Some(Desk::Opening { what, draft, .. }) = model.desk.take_if(is_it) else {
        return;
    };
    if let Some(Err(why)) = &model.reading.text {
        let why = why.clone();
        model.status.fail(why, None);
        model.typed_ahead.clear();
        return;
    }
    match what {
        What::Fields => open_form(model),
        What::Body => open_text(model, false),
        What::Text => open_text(model, true),
    }
    if let Some(before) = draft {
        draft::take_up(model, &before);
    }
}

/// A change was made, or nothing is left to save: what was edited is let go, and what was kept of it.
pub fn saved(model: &mut Model) {
    let kept = match model.desk.take() {
        Some(Desk::Text(_) | Desk::Conflict { .. }) => true,
        Some(Desk::Form { form, .. }) => form.kept != DraftFields::default(),
        Some(Desk::Opening { .. }) | None => false,
    };
    if kept {
        model.send(Effect::KeepDraft(None));
    }
}
