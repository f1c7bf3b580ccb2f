//! The part that is edited: a form, a text, or a conflict between a text and the disk. Their keys
//! are their own; here is what becomes of what they say.

mod draft;
mod meanwhile;
mod open;

use std::sync::Arc;

use super::Model;
use super::conflict::{self, Conflict};
use super::editor::{self, Editor};
use super::form::{self, Form};
use super::key::Key;
use super::msg::{Change, Draft, DraftFields, Effect};
use super::scope::{Action, Scope};
use crate::memory::edit::FieldEdit;
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
    /// Something that is about to be edited, once it is read.
    Opening {
        /// Which memory.
        id: MemoryId,
        /// What of it.
        what: What,
        /// Keys that were typed meanwhile: they are text, not commands.
        typed: Vec<Key>,
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
    /// The whole text as it would be saved.
    fn whole(&self) -> String {
        format!("{}{}", self.head, self.editor.text())
    }

    fn draft(&self) -> Draft {
        Draft {
            id: self.id.to_string(),
            base: self.base.clone(),
            text: self.whole(),
            form: None,
        }
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

    /// The scopes whose commands the keys reach, the innermost first.
    pub fn scopes(&self) -> &'static [Scope] {
        match self {
            Self::Form { form, .. } => form.scopes(),
            Self::Text(writing) => writing.editor.scopes(),
            // Only to leave; every other key waits for the text.
            Self::Opening { .. } => &[Scope::Text],
            Self::Conflict { .. } => &[Scope::Conflict],
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

    /// The commands that matter now, most telling first.
    pub fn hints(&self) -> &'static [&'static str] {
        match self {
            Self::Form { form, .. } => form.hints(),
            Self::Text(writing) => writing.editor.hints(),
            Self::Opening { .. } => &["leave-text"],
            Self::Conflict { .. } => conflict::HINTS,
        }
    }
}

/// Does an action in the part that is edited.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match model.desk.take() {
        Some(Desk::Opening { .. }) if action == Action::Leave => Vec::new(),
        Some(Desk::Conflict {
            mut conflict,
            writing,
        }) => {
            let outcome = conflict.act(action, model.extents.page);
            conflict_said(model, conflict, writing, outcome)
        }
        desk => {
            model.desk = desk;
            type_into(model, |form| form.act(action), |text| text.act(action))
        }
    }
}

/// Takes a key that no command has; a part that is about to be edited takes it later.
pub fn typed(model: &mut Model, key: Key) -> Vec<Effect> {
    if let Some(Desk::Opening { typed, .. }) = &mut model.desk {
        typed.push(key);
    }
    type_into(model, |form| form.typed(key), |text| text.typed(key))
}

/// Takes pasted text.
pub fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    type_into(model, |form| form.paste(text), |editor| editor.paste(text))
}

/// Changes the form or the text, and does what it answers.
fn type_into(
    model: &mut Model,
    form: impl FnOnce(&mut Form) -> form::Outcome,
    text: impl FnOnce(&mut Editor) -> editor::Outcome,
) -> Vec<Effect> {
    match model.desk.take() {
        Some(Desk::Text(mut writing)) => {
            let outcome = text(&mut writing.editor);
            text_said(model, writing, outcome)
        }
        mut desk => {
            let outcome = match &mut desk {
                Some(Desk::Form { form: own, .. }) => form(own),
                _ => form::Outcome::Nothing,
            };
            model.desk = desk;
            form_said(model, outcome)
        }
    }
}

/// Opens the text that an editor waits for, once it was read; the keys that were typed meanwhile.
pub fn text_came(model: &mut Model, id: &MemoryId) -> (Vec<Effect>, Vec<Key>) {
    let opening = model
        .desk
        .take_if(|desk| matches!(desk, Desk::Opening { id: waits, .. } if waits == id));
    let Some(Desk::Opening {
        what, typed, draft, ..
    }) = opening
    else {
        return (Vec::new(), Vec::new());
    };
    if let Some(Err(why)) = &model.reading.text {
        let why = why.clone();
        model.status.fail(why, None);
        return (Vec::new(), Vec::new());
    }
    let effects = match what {
        What::Fields => open_form(model),
        What::Body => open_text(model, false),
        What::Text => open_text(model, true),
    };
    if let Some(before) = draft {
        draft::taken_up(model, &before);
    }
    (effects, typed)
}

fn form_said(model: &mut Model, outcome: form::Outcome) -> Vec<Effect> {
    match outcome {
        form::Outcome::Nothing => Vec::new(),
        form::Outcome::Redraw | form::Outcome::Changed => draft::keep_form(model),
        form::Outcome::Cancel => left(model),
        form::Outcome::EditText => {
            let mut effects = left(model);
            effects.extend(open_text(model, true));
            effects
        }
        form::Outcome::Save => save_form(model),
    }
}

/// Leaves what is edited; what was kept of it is let go.
fn left(model: &mut Model) -> Vec<Effect> {
    saved(model).into_iter().collect()
}

fn save_form(model: &mut Model) -> Vec<Effect> {
    let Some(Desk::Form {
        form,
        memory,
        store,
    }) = &model.desk
    else {
        return Vec::new();
    };
    let change = match memory {
        Some(memory) => {
            let edits: Vec<FieldEdit> = form.edits();
            if edits.is_empty() {
                model.status.say("nothing was changed", None);
                return left(model);
            }
            Change::Edit {
                ids: vec![memory.id.clone()],
                edits,
                seen: form.seen(),
            }
        }
        None => {
            let (title, fields, body) = form.new_memory();
            Change::Add {
                store: store.clone(),
                title,
                fields,
                body,
            }
        }
    };
    // The form stays open until the change is made: a refused one loses nothing.
    model.apply(change)
}

fn text_said(model: &mut Model, writing: Box<Writing>, outcome: editor::Outcome) -> Vec<Effect> {
    match outcome {
        editor::Outcome::Leave => vec![Effect::KeepDraft(None)],
        editor::Outcome::Changed => {
            let draft = writing.draft();
            model.desk = Some(Desk::Text(writing));
            vec![Effect::KeepDraft(Some(draft))]
        }
        editor::Outcome::Save => save_text(model, writing),
        editor::Outcome::Nothing | editor::Outcome::Redraw => {
            model.desk = Some(Desk::Text(writing));
            Vec::new()
        }
    }
}

fn save_text(model: &mut Model, writing: Box<Writing>) -> Vec<Effect> {
    if let Some(theirs) = &writing.theirs {
        let conflict = Conflict::new(&writing.base, &writing.whole(), theirs);
        model.desk = Some(Desk::Conflict {
            conflict: Box::new(conflict),
            writing,
        });
        return Vec::new();
    }
    if writing.whole() == writing.base {
        model.status.say("nothing was changed", None);
        return vec![Effect::KeepDraft(None)];
    }
    let change = Change::Text {
        id: writing.id.clone(),
        expected: writing.base.clone(),
        text: writing.whole(),
    };
    model.desk = Some(Desk::Text(writing));
    model.apply(change)
}

fn conflict_said(
    model: &mut Model,
    conflict: Box<Conflict>,
    mut writing: Box<Writing>,
    outcome: conflict::Outcome,
) -> Vec<Effect> {
    match outcome {
        conflict::Outcome::Nothing | conflict::Outcome::Redraw => {
            model.desk = Some(Desk::Conflict { conflict, writing });
            Vec::new()
        }
        conflict::Outcome::Back => {
            model.desk = Some(Desk::Text(writing));
            Vec::new()
        }
        conflict::Outcome::TakeTheirs => {
            model.status.say("kept the version on disk", None);
            vec![Effect::KeepDraft(None)]
        }
        conflict::Outcome::KeepMine => {
            let change = Change::Text {
                id: writing.id.clone(),
                expected: conflict.theirs().to_owned(),
                text: conflict.mine().to_owned(),
            };
            // Until it is made the editor stands behind it, ready for another conflict.
            writing.base = conflict.theirs().to_owned();
            writing.theirs = None;
            model.desk = Some(Desk::Text(writing));
            model.apply(change)
        }
        conflict::Outcome::EditMerged => {
            match Editor::recover(conflict.theirs(), conflict.merged(), None) {
                Ok(mut editor) => {
                    editor.go_to(conflict.first_overlap(), 0);
                    writing.editor = editor;
                    writing.head = String::new();
                    writing.base = conflict.theirs().to_owned();
                    writing.theirs = None;
                    model.desk = Some(Desk::Text(writing));
                }
                Err(refusal) => {
                    model.status.fail(refusal.why, None);
                    model.desk = Some(Desk::Conflict { conflict, writing });
                }
            }
            Vec::new()
        }
    }
}

/// A change was made: what was edited is saved.
pub fn saved(model: &mut Model) -> Option<Effect> {
    let kept = match model.desk.take() {
        Some(Desk::Text(_) | Desk::Conflict { .. }) => true,
        Some(Desk::Form { form, .. }) => form.kept != DraftFields::default(),
        Some(Desk::Opening { .. }) | None => false,
    };
    kept.then_some(Effect::KeepDraft(None))
}
