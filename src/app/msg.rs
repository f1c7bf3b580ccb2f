//! Messages to the program and its effects: the two enums between the pure part and the world.

use std::any::Any;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use super::Model;
pub use super::questions::Failure;
use super::questions::{Backend, Slot, Turn};
pub use super::reading::Rgb;
pub use crate::curate::Change;
use crate::memory::{Memory, MemoryId, Value};
use crate::retrieval::Snapshot;

/// Numbers the requests of one slot; an answer to an older one is dropped in `update`.
pub type Ticket = u64;

/// Any question.
pub trait AnyQuestion: fmt::Debug + Send {
    /// Its slot.
    fn slot(&self) -> Slot;
    /// True if the next frame waits a moment for the answer.
    fn is_awaited(&self) -> bool;
    /// True if a person never waits for it.
    fn is_aside(&self) -> bool;
    /// Has a backend answer it.
    fn answer(
        self: Box<Self>,
        backend: &dyn Backend,
        turn: &Turn<'_>,
        tell: &mut dyn FnMut(Box<dyn AnyAnswer>),
    );
    /// The question as the type that it is.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// Any answer.
pub trait AnyAnswer: fmt::Debug + Send {
    /// Puts it into the model.
    fn settle(self: Box<Self>, model: &mut Model) -> Vec<Effect>;
}

/// Something that happened.
#[derive(Debug)]
pub enum Msg {
    /// A key.
    Key(KeyEvent),
    /// Pasted text, never taken for keys.
    Paste(String),
    /// The mouse.
    Mouse(MouseEvent),
    /// The terminal has another size: columns, rows.
    Resize(u16, u16),
    /// The program was stopped and goes on, or an editor gave the terminal back.
    Resumed,
    /// The terminal says whether its background is light.
    Light(bool),
    /// A piece of the first load: rows to append, in order.
    Rows(Vec<Arc<Memory>>),
    /// The first load ended, or a rescan found another state.
    Snapshot {
        /// All memories, archived ones included.
        memories: Snapshot,
        /// Places that could not be read.
        problems: Vec<String>,
        /// Files of a store without memories that are none.
        skipped: Vec<String>,
    },
    /// Settings, answers or the baseline of lint changed.
    Decided,
    /// An answer to a question of the background.
    Done {
        /// The slot of the question.
        slot: Slot,
        /// Its ticket.
        ticket: Ticket,
        /// The answer.
        answer: Box<dyn AnyAnswer>,
    },
    /// The staged changes are committed; the commit in words.
    Committed(String),
    /// A change was made.
    Applied {
        /// Title in the past tense.
        title: String,
        /// The memory to stay on or go to.
        follow: Option<MemoryId>,
        /// The command that takes it back: `undo`, or `redo` after an undo.
        back: &'static str,
    },
    /// A change was not made.
    Failed(Failure),
    /// Facts about the repository.
    Git {
        /// `main ↑2`, where there is a repository.
        head: Option<String>,
        /// Files that are new or changed since the last commit, absolute.
        changed: Vec<PathBuf>,
        /// Memories of these files that are as the last commit has them.
        same: Vec<MemoryId>,
    },
    /// Number of changes that wait for review.
    Waiting(usize),
    /// Unsaved text found from a run that ended without saving.
    Draft(Draft),
    /// Unsaved text that was discarded last; it is shown on demand.
    Discarded(Draft),
    /// Something worth a line at the bottom: the watcher is not available, a theme is broken.
    Notice(String),
}

/// The unsaved text of an open editor, or the unsaved fields of an open form.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Draft {
    /// Which memory.
    pub id: String,
    /// The text it was made from.
    pub base: String,
    /// The text as it was left; of fields those that were changed, a line each.
    pub text: String,
    /// Values typed into fields, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<DraftFields>,
}

/// Unsaved input of a form.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DraftFields {
    /// The fields that differ: the name, what the store had, and what was typed.
    pub fields: Vec<(Box<str>, Option<Value>, Option<Value>)>,
    /// The body of a new memory.
    pub body: String,
    /// Of a new memory the store that it goes to, where one is named.
    pub store: Option<String>,
    /// Of a new memory its format, and which of the kinds of that format it is.
    pub kind: Option<(String, usize)>,
}

/// Something the world should do.
#[derive(Debug)]
pub enum Effect {
    /// Loads all stores; answered by `Rows` and `Snapshot`.
    Load,
    /// Asks the background; answered by `Done`, once or several times.
    Ask {
        /// The ticket of the question.
        ticket: Ticket,
        /// The question.
        question: Box<dyn AnyQuestion>,
    },
    /// Commits what is staged, the terminal given over meanwhile. The commit message.
    Commit(String),
    /// Makes a change; answered by `Applied` or `Failed`, and by a `Snapshot`.
    Apply(Change),
    /// Takes the last change back.
    Undo,
    /// Takes the change with this number back.
    UndoOne(u64),
    /// Makes the last undone change again.
    Redo,
    /// Opens $VISUAL or $EDITOR on a file at a line, the terminal given over meanwhile.
    OpenEditor {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u32,
    },
    /// Keeps the unsaved text of an editor against a crash; none drops it.
    KeepDraft(Option<Draft>),
    /// Puts the unsaved text that was found aside: the next start does not offer it.
    DiscardDraft,
    /// Goes on with the unsaved text that was found, discarded or not.
    TakeDraft,
    /// Write the name of a theme into the user's configuration.
    KeepTheme(String),
    /// Puts text on the clipboard.
    Copy(String),
    /// Stops the program as `Ctrl-z` does, the terminal given back.
    Suspend,
    /// Ends the program.
    Quit,
}
