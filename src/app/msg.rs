//! What reaches the program and what it asks for: the two enums between the pure part and the
//! world.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use super::convert::Way;
use super::history::Made;
use super::links::Neighbour;
pub use crate::curate::Change;
use crate::curate::Version;
use crate::lint::Digest;
use crate::memory::{Fields, Memory, MemoryId, Timestamp, Value};
use crate::retrieval::expect::{Judged, TaskEffect};
use crate::retrieval::tasks::Written;
use crate::retrieval::{Limits, Preview, Snapshot, Task, Verdict};
use crate::search::Hit;

/// Numbers the requests of one slot; an answer to an older one is dropped in `update`.
pub type Ticket = u64;

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
        /// What a store without memories holds that is none.
        skipped: Vec<String>,
    },
    /// What lint goes by beside the memories is another: settings, answers, the baseline.
    Decided,
    /// The text of a memory.
    Text {
        /// Which request this answers.
        ticket: Ticket,
        /// Which memory.
        id: MemoryId,
        /// Its text, or why it could not be read.
        text: Result<Arc<str>, String>,
        /// Its fields that it does not hold.
        inner: Fields,
        /// What is known of those that it names and that are no memories.
        beside: Vec<(&'static str, String)>,
        /// The text that the system's own loader reads, where it is another one.
        seen: Option<Arc<str>>,
        /// The memories that it names.
        related: Vec<Neighbour>,
    },
    /// The texts of two memories.
    Texts {
        /// Which request this answers.
        ticket: Ticket,
        /// The texts, or why they could not be read.
        texts: [Result<Arc<str>, String>; 2],
    },
    /// The versions of a memory.
    Versions {
        /// Which request this answers.
        ticket: Ticket,
        /// The versions, newest first, or why there are none.
        versions: Result<Vec<Version>, String>,
    },
    /// The changes that memkeep made.
    Changes {
        /// Which request this answers.
        ticket: Ticket,
        /// The changes, newest first, or why they cannot be read.
        changes: Result<Vec<Made>, String>,
    },
    /// When archived memories were archived, and by which change.
    Archived {
        /// Which request this answers.
        ticket: Ticket,
        /// Those that the journal knows.
        by: HashMap<MemoryId, (Timestamp, String)>,
    },
    /// The memories that can be promoted, the ready ones first.
    Candidates {
        /// Which request this answers.
        ticket: Ticket,
        /// Each with what promotion does and what speaks for it.
        candidates: Vec<Way>,
    },
    /// The rows that match the filter.
    Filtered {
        /// Which request this answers.
        ticket: Ticket,
        /// The rows, best first.
        hits: Vec<Hit>,
    },
    /// What would be injected.
    Previewed {
        /// Which request this answers.
        ticket: Ticket,
        /// The preview, boxed for it is large.
        preview: Arc<Preview>,
        /// The verdicts that were wanted beside it.
        verdicts: Vec<Verdict>,
        /// The preview with the edit under the cursor made, where one was asked for.
        what_if: Option<Arc<Preview>>,
    },
    /// Verdicts of single memories.
    Verdicts {
        /// Which request this answers.
        ticket: Ticket,
        /// The verdicts, their indexes those of the snapshot asked about.
        verdicts: Vec<Verdict>,
    },
    /// How the saved tasks come out.
    Tasks {
        /// Which request this answers.
        ticket: Ticket,
        /// The tasks with what came of them, or why they cannot be read.
        tasks: Result<Vec<(Written, Judged)>, String>,
        /// What the edit under the cursor does to them, where it does something.
        effects: Vec<TaskEffect>,
    },
    /// What lint found.
    Linted {
        /// Which request this answers.
        ticket: Ticket,
        /// The snapshot the indexes stand for.
        memories: Snapshot,
        /// What was found.
        digest: Digest,
    },
    /// What differs from the last commit; comes twice, the second time with findings.
    Reviewed {
        /// Which request this answers.
        ticket: Ticket,
        /// The queue, or why there is none.
        queue: Result<super::review::Queue, String>,
    },
    /// What was kept is committed; the commit in words.
    Committed(String),
    /// How far a model was asked.
    Asking {
        /// Which request this answers.
        ticket: Ticket,
        /// What is being sent, in a line.
        progress: String,
    },
    /// A model was asked, or it is known how much would be sent to it.
    Asked {
        /// Which request this answers.
        ticket: Ticket,
        /// What came of it.
        outcome: Result<Asked, Failure>,
    },
    /// A change is planned but not made: to be shown as a diff.
    Planned {
        /// Which request this answers.
        ticket: Ticket,
        /// The unified diff, or why the change cannot be made.
        diff: Result<Arc<str>, Failure>,
        /// Number of places that go on mentioning a name that is lost.
        mentions: usize,
    },
    /// A change was made.
    Applied {
        /// What was done, in the past tense.
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
    /// Code of the reading pane with its colours.
    Highlighted {
        /// Which request this answers.
        ticket: Ticket,
        /// For each code block of the text, in order, its lines of (role or colour, text).
        blocks: Vec<Vec<Vec<(Rgb, String)>>>,
    },
    /// Unsaved text found from a run that ended without saving.
    Draft(Draft),
    /// Unsaved text that was discarded last; it is shown on demand.
    Discarded(Draft),
    /// Something worth a line at the bottom: the watcher is not available, a theme is broken.
    Notice(String),
}

/// What came of asking a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// There is nothing to ask; why.
    Nothing(String),
    /// How much would be sent; nothing was.
    Size(String),
    /// What the model said.
    Judged(String),
}

/// A colour as three bytes.
pub type Rgb = (u8, u8, u8);

/// Why a change was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What was typed into fields, where it is that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<DraftFields>,
}

/// What was typed into a form and is not saved.
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
    /// Reads a memory's text and its fields that it does not hold, and finds the memories that it
    /// names.
    ReadText {
        /// To recognise the answer.
        ticket: Ticket,
        /// Which memory.
        memory: Arc<Memory>,
        /// Where what it names is looked for.
        memories: Snapshot,
    },
    /// Reads the texts of two memories.
    ReadTexts {
        /// To recognise the answer.
        ticket: Ticket,
        /// Which memories.
        memories: [Arc<Memory>; 2],
    },
    /// Reads the versions of a memory.
    ReadVersions {
        /// To recognise the answer.
        ticket: Ticket,
        /// Which memory.
        memory: Arc<Memory>,
    },
    /// Reads when archived memories were archived.
    ReadArchived {
        /// To recognise the answer.
        ticket: Ticket,
        /// The memories.
        memories: Snapshot,
    },
    /// Works out which memories can be promoted.
    ReadCandidates {
        /// To recognise the answer.
        ticket: Ticket,
        /// The memories.
        memories: Snapshot,
    },
    /// Reads the changes that memkeep made.
    ReadChanges {
        /// To recognise the answer.
        ticket: Ticket,
    },
    /// Filters the snapshot.
    Filter {
        /// To recognise the answer.
        ticket: Ticket,
        /// The query as typed, already parsed without error.
        query: crate::search::Query,
        /// What is filtered.
        memories: Snapshot,
        /// The marks of each memory, in the snapshot's order.
        marks: Arc<Vec<crate::search::query::Marks>>,
        /// Rows of the answer to a shorter form of the same query, where one is known.
        within: Option<Arc<Vec<u32>>>,
        /// Whether the texts of the memories are looked at too.
        texts: bool,
    },
    /// Previews a task; with the edit under the cursor too, where there is one.
    Preview {
        /// To recognise the answer.
        ticket: Ticket,
        /// The snapshot.
        memories: Snapshot,
        /// The task.
        task: Task,
        /// How much is selected.
        limits: Limits,
        /// The memory being edited, by index, as it would be.
        what_if: Option<(usize, Box<Memory>)>,
        /// The memories on the screen, by their indexes: their verdicts come with the preview, so
        /// that one frame shows both.
        wanted: Vec<usize>,
    },
    /// Asks for the verdicts of single memories: rows that came to the screen after the preview,
    /// which does not report them.
    Verdicts {
        /// To recognise the answer.
        ticket: Ticket,
        /// The snapshot.
        memories: Snapshot,
        /// The task.
        task: Task,
        /// How much is selected.
        limits: Limits,
        /// The memories, by their indexes.
        wanted: Vec<usize>,
    },
    /// Plays the saved tasks; with the edit under the cursor too, where there is one.
    Tasks {
        /// To recognise the answer.
        ticket: Ticket,
        /// The snapshot.
        memories: Snapshot,
        /// The memory being edited, by index, as it would be.
        what_if: Option<(usize, Box<Memory>)>,
    },
    /// Lints the snapshot.
    Lint {
        /// To recognise the answer.
        ticket: Ticket,
        /// The snapshot.
        memories: Snapshot,
    },
    /// Compares the memories with the last commit.
    Review {
        /// To recognise the answer.
        ticket: Ticket,
        /// The snapshot.
        memories: Snapshot,
    },
    /// Commits what is staged, the terminal given over meanwhile. The commit message.
    Commit(String),
    /// Asks a model which memories contradict or repeat each other; answered by `Asking` and
    /// `Asked`.
    Ask {
        /// To recognise the answer.
        ticket: Ticket,
        /// The snapshot.
        memories: Snapshot,
        /// Whether anything is sent; else it is only worked out how much would be.
        send: bool,
    },
    /// Plans a change without making it.
    Plan {
        /// To recognise the answer.
        ticket: Ticket,
        /// The change.
        change: Change,
    },
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
    /// Colours the code blocks of a text.
    Highlight {
        /// To recognise the answer.
        ticket: Ticket,
        /// Language and text of each block.
        blocks: Vec<(String, String)>,
        /// Whether the theme is a light one.
        light: bool,
        /// Whether another text may follow with the next key that is typed.
        more: bool,
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
