//! Messages to the program, its effects, and its questions to the background: the seam between the
//! pure part and the world.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crossterm::event::{KeyEvent, MouseEvent};

use super::world::News;
use super::{Command, Model};
pub use crate::curate::Change;
use crate::memory::{Memory, MemoryId, Timestamp, Value};
use crate::retrieval::Snapshot;

/// Numbers the requests of one slot; an answer to an older one is dropped in `update`.
pub type Ticket = u64;

/// The name of a slot, and of its thread.
pub type Slot = &'static str;

/// A colour as three bytes.
pub type Rgb = (u8, u8, u8);

/// A question for the background.
pub trait Question: fmt::Debug + Send + Sized + 'static {
    /// The slot: a newer question takes the place of one that waits.
    const SLOT: Slot;
    /// True if the next frame waits a moment for the answer.
    const AWAITED: bool = false;
    /// True if a person never waits for it: it leaves the processors to others.
    const ASIDE: bool = false;
    /// Its answer.
    type Answer: Send + 'static;

    /// Puts the answer into the model.
    fn settle(answer: Self::Answer, model: &mut Model);
}

/// A question of any type.
#[derive(Debug)]
pub struct Asked {
    /// Its slot.
    pub slot: Slot,
    /// True if the next frame waits a moment for the answer.
    pub is_awaited: bool,
    /// True if a person never waits for it.
    pub is_aside: bool,
    /// The question.
    pub question: Box<dyn Any + Send>,
}

impl<Q: Question> From<Q> for Asked {
    fn from(question: Q) -> Self {
        Self {
            slot: Q::SLOT,
            is_awaited: Q::AWAITED,
            is_aside: Q::ASIDE,
            question: Box::new(question),
        }
    }
}

/// Puts an answer into the model.
type Settle = dyn FnOnce(&mut Model) + Send;

/// An answer to a question of any type, ready to be put into the model.
pub struct Answer(Box<Settle>);

impl Answer {
    /// The answer to a question.
    pub fn to<Q: Question>(answer: Q::Answer) -> Self {
        Self(Box::new(|model| Q::settle(answer, model)))
    }

    pub(super) fn settle(self, model: &mut Model) {
        (self.0)(model);
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Answer")
    }
}

/// The moment in which a question is answered.
pub struct Turn<'a> {
    /// Turns true when the program ends.
    pub stop: &'a AtomicBool,
    /// True while no newer question waits in the slot.
    pub is_newest: &'a (dyn Fn() -> bool + Sync),
    /// Gives the memories as they were last read.
    pub memories: &'a (dyn Fn() -> Snapshot + Sync),
}

/// The newest ticket of every slot.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    last: Ticket,
    newest: HashMap<Slot, Ticket>,
}

impl Slots {
    /// A new ticket of a slot: answers to its older questions are dropped from now on.
    pub fn ticket(&mut self, slot: Slot) -> Ticket {
        self.last += 1;
        self.newest.insert(slot, self.last);
        self.last
    }

    /// True unless a message answers a question that is no longer the newest of its slot.
    pub fn wants(&self, msg: &Msg) -> bool {
        match msg {
            Msg::Done(slot, ticket, _) => self.newest.get(slot) == Some(ticket),
            _ => true,
        }
    }
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
    /// The files of settings changed: theme and keys, or why they cannot be used.
    Settings(Result<Look, String>),
    /// A piece of the first load: rows to append, in order.
    Rows(Vec<Arc<Memory>>),
    /// The first load ended, or a rescan found another state: all memories, archived ones included,
    /// and the places that could not be read.
    Snapshot(Snapshot, Vec<String>),
    /// Settings, answers or the baseline of lint changed.
    Decided,
    /// An answer to a question of the background: its slot and its ticket.
    Done(Slot, Ticket, Answer),
    /// The staged changes are committed; the commit in words.
    Committed(String),
    /// A change was made, and the command that takes it back: `undo`, or `redo` after an undo.
    Applied(Done, &'static str),
    /// A change was not made.
    Failed(Failure),
    /// Facts about the repository: `main ↑2`, where there is one, and the memories that are new or
    /// changed since the last commit.
    Git(Option<String>, News),
    /// When files of memories without a date were last committed.
    Dates(HashMap<PathBuf, Timestamp>),
    /// Number of changes that wait for review.
    Waiting(usize),
    /// Unsaved text found from a run that ended without saving; false if it was discarded since, and
    /// is shown on demand.
    Draft(Draft, bool),
    /// The person's theme files: their paths and texts.
    Themes(Vec<(PathBuf, String)>),
    /// Something worth a line at the bottom: the watcher is not available, a theme is broken.
    Notice(String),
    /// A command asked for by its id.
    Run(&'static Command),
    /// A row of the list, asked for by its number.
    Go(usize),
    /// A change that is made without a form.
    Make(Change),
}

impl Msg {
    /// The answer to a question with a ticket.
    pub fn done<Q: Question>(ticket: Ticket, answer: Q::Answer) -> Self {
        Self::Done(Q::SLOT, ticket, Answer::to::<Q>(answer))
    }
}

/// A change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Title in the past tense: `archived 3 memories`.
    pub title: String,
    /// The memory to stay on or go to.
    pub follow: Option<MemoryId>,
}

/// Why a change was not made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The file changed on disk since it was read: the person is shown both.
    pub changed: bool,
    /// The system itself would not do it: asked for again, it is done. The command, and the
    /// memories it was asked for.
    pub doubtful: Option<(&'static str, Vec<MemoryId>)>,
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
    /// Of a new memory its format.
    pub format: Option<String>,
}

/// Theme and keys of the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Name of the theme; by the terminal's background if there is none.
    pub theme: Option<String>,
    /// Keys of commands.
    pub keys: BTreeMap<String, Vec<String>>,
}

/// Something the world should do.
#[derive(Debug)]
pub enum Effect {
    /// Loads all stores; answered by `Rows` and `Snapshot`.
    Load,
    /// Asks the background; answered by `Done`, once or several times.
    Ask(Ticket, Asked),
    /// Commits what is staged, the terminal given over meanwhile. The commit message.
    Commit(String),
    /// Makes a change; answered by `Applied` or `Failed`, and by a `Snapshot`.
    Apply(Change),
    /// Takes the last change back.
    Undo,
    /// Takes the last decision on a memory in the review back.
    UndoDecision(MemoryId),
    /// Makes the last undone change again.
    Redo,
    /// Opens $VISUAL or $EDITOR on a file at a line, from 1, the terminal given over meanwhile.
    OpenEditor(PathBuf, u32),
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
    /// Takes the mouse, or gives it back to the terminal.
    Mouse(bool),
    /// Stops the program as `Ctrl-z` does, the terminal given back.
    Suspend,
    /// Ends the program.
    Quit,
}
