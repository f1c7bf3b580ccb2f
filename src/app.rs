//! The program as data: a model, messages, and an `update` that answers with effects.

mod act;
pub(crate) mod browse;
pub mod command;
mod cursor;
pub(crate) mod editor;
pub(crate) mod filter;
pub mod form;
pub(crate) mod hints;
pub(crate) mod history;
pub mod inject;
pub mod key;
mod keymap;
pub(crate) mod layout;
pub(crate) mod line;
pub mod links;
pub(crate) mod lints;
mod listing;
mod mouse;
pub mod msg;
pub(crate) mod overlay;
pub(crate) mod pair;
pub(crate) mod proposal;
pub(crate) mod queue;
pub(crate) mod reading;
pub mod text;
mod update;
pub(crate) mod world;

pub use command::{Command, Scope};
pub use editor::{Editor, merge};
pub use filter::FilterMemories;
pub use hints::hints;
pub use history::ReadVersions;
pub use inject::tasks;
pub use keymap::{Keymap, Resolved};
pub use line::Line;
pub use lints::{Lint, Row as LintRow, members};
pub use msg::{Effect, Msg};
pub use overlay::{Overlay, Palette};
pub use pair::ReadPair;
pub use proposal::{PlanChange, edited};
pub use queue::{Card, Found, Queue, ReadQueue};
pub use reading::{MemoryText, ReadText};
pub use update::update;
pub use world::News;

use crate::curate::promote::Target;
use crate::memory::{MemoryId, StoreId, Timestamp};

/// Which question the screen answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum View {
    /// The memories.
    #[default]
    Browse,
    /// The preview of a task.
    Inject,
    /// The findings.
    Lint,
    /// The changes since the last commit.
    Review,
}

/// Which part of the screen moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pane {
    /// The list.
    #[default]
    List,
    /// The right side.
    Side,
    /// The prompt below it.
    Prompt,
}

/// The page of the right side.
#[derive(Clone, Debug, Default)]
pub enum Page {
    /// The page of the view: the text, why it is injected, what is wrong with it.
    #[default]
    Usual,
    /// Why it is or is not injected, and what would change that.
    Explain,
    /// The diff of a fix.
    Fix(Box<proposal::Proposal>),
    /// Two memories that a rule asks about.
    Pair(Box<pair::Pair>),
    /// The earlier versions of the memory.
    Versions(Box<history::Versions>),
}

/// Which part has the keys; follows from the rest of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// The palette.
    Palette,
    /// A list to pick a row of.
    Pick,
    /// The answer to a question.
    Ask,
    /// The part that is edited.
    Editor,
    /// The filter's text.
    Filter,
    /// The task box.
    Task,
    /// A pane.
    Pane(Pane),
}

/// The program as data. Who starts it sets what the environment says, from the clock to the facts
/// for the field editor.
#[derive(Debug, Default)]
pub struct Model {
    /// The clock; the loop sets it before each batch of messages.
    pub now: Timestamp,
    /// The terminal's columns and rows.
    pub size: (u16, u16),
    /// The project's name.
    pub project: String,
    /// The folder that shown paths begin at.
    pub root: std::path::PathBuf,
    /// Files of agents that are here, if there is no store.
    pub agents_here: Vec<String>,
    /// The stores that are there, and their paths as they are shown.
    pub opened: Vec<(StoreId, String)>,
    /// The stores that memories can be copied to.
    pub destinations: Vec<Target>,
    /// Why nothing may be written.
    pub read_only: Option<String>,
    /// The keys.
    pub keymap: Keymap,
    /// True if code is coloured for a light screen.
    pub light: bool,
    /// The themes to choose from: name, a few words, and whether it is for a light screen.
    pub themes: Vec<(String, String, bool)>,
    /// The theme that is shown.
    pub theme: String,
    /// Facts for the field editor beside the memories.
    pub known: form::Known,
    /// `main ↑2`, where there is a repository.
    pub head: Option<String>,
    /// The memories and what is known of them.
    pub world: world::World,
    /// Which question the screen answers.
    pub view: View,
    /// Which part moves.
    pub pane: Pane,
    /// True if that part has the screen to itself.
    pub zoom: bool,
    /// The percentage of the width that the list takes more than half of it.
    pub split: i16,
    /// The mouse.
    pub mouse: mouse::Mouse,
    /// The list.
    pub browse: browse::Browse,
    /// The text of the current memory.
    pub reading: reading::Reading,
    /// The task and its preview.
    pub inject: inject::Inject,
    /// The findings.
    pub lints: lints::Lints,
    /// The changes since the last commit.
    pub review: queue::Review,
    /// The page of the right side.
    pub page: Page,
    /// Which of a memory's findings is looked at.
    pub finding: Option<(MemoryId, usize)>,
    /// The state that the list was last scrolled for.
    pub shown_at: (View, usize, usize, usize),
    /// The part that is edited.
    pub editor: Option<editor::Editor>,
    /// The command that is done when it is asked for again.
    pub asked_again: Option<hints::Again>,
    /// Keys that wait until the filter is answered, or the text is read that they are typed into.
    pub typed_ahead: Vec<key::Key>,
    /// The window over everything.
    pub overlay: Option<Overlay>,
    /// Unsaved text of an earlier run, and whether a line still offers it.
    pub unsaved: Option<(msg::Draft, bool)>,
    /// True if a key was pressed: until then the bottom line says what waits.
    pub is_used: bool,
    /// The message at the bottom.
    pub status: hints::Status,
    /// The beginning of a sequence of keys.
    pub pending: Vec<key::Key>,
    /// How far the panes can scroll; the view measures it.
    pub extents: Extents,
    /// Which answers are wanted.
    pub slots: msg::Slots,
    /// Effects that the message at hand has so far.
    pub effects: Vec<Effect>,
}

/// Lines of the scrolling panes, as measured by the last drawing. It is only used to stop scrolling
/// at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    /// Lines of the right side that do not fit.
    pub page: usize,
    /// Lines of the prompt that do not fit.
    pub prompt: usize,
}

impl Model {
    /// Adds an effect of the message at hand.
    pub(crate) fn send(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Asks the background a question; answers to older ones of its slot are dropped from now on.
    pub(crate) fn request(&mut self, question: impl msg::Question) {
        let question = msg::Asked::from(question);
        let ticket = self.slots.ticket(question.slot);
        self.send(Effect::Ask(ticket, question));
    }

    /// Which part has the keys.
    pub const fn focus(&self) -> Focus {
        match &self.overlay {
            Some(Overlay::Palette(_)) => Focus::Palette,
            Some(Overlay::Pick(_)) => Focus::Pick,
            Some(Overlay::Ask(..)) => Focus::Ask,
            None if self.editor.is_some() => Focus::Editor,
            None if self.browse.filter.editing => Focus::Filter,
            None if self.inject.editing => Focus::Task,
            None => Focus::Pane(self.pane),
        }
    }

    /// The scopes whose commands the keys reach, the innermost first.
    pub fn scopes(&self) -> Vec<Scope> {
        let editor = self.editor.as_ref();
        let mut scopes = match self.focus() {
            Focus::Palette => vec![Scope::Palette],
            Focus::Pick => vec![Scope::Pick],
            Focus::Ask => vec![Scope::Ask],
            Focus::Editor => editor.map_or(vec![], |one| one.keys().0.to_vec()),
            Focus::Filter => vec![Scope::Filter],
            Focus::Task => vec![Scope::Task],
            Focus::Pane(pane) => self.pane_scopes(pane),
        };
        scopes.push(Scope::Always);
        scopes
    }

    /// The scopes of the panes, whatever stands over them.
    pub fn pane_scopes(&self, pane: Pane) -> Vec<Scope> {
        let page = match self.page {
            Page::Usual => None,
            Page::Explain => Some(Scope::Explain),
            Page::Fix(_) => Some(Scope::Fix),
            // Of the two memories none is the one that a command on a memory is about.
            Page::Pair(_) => return vec![Scope::Pair, Scope::Global],
            Page::Versions(_) => return vec![Scope::Versions, Scope::Global],
        };
        let view = match self.view {
            View::Browse if pane == Pane::List => Some(Scope::List),
            View::Review => Some(Scope::Review),
            View::Browse | View::Inject | View::Lint => None,
        };
        let own = page.into_iter().chain(view);
        own.chain([Scope::Memory, Scope::Global]).collect()
    }

    /// True if something is open that needs the room of the list on a narrow screen.
    pub const fn covers_list(&self) -> bool {
        !matches!(self.page, Page::Usual) || self.editor.is_some()
    }

    /// A path as it is shown: below the root where it is.
    pub fn shown(&self, path: &std::path::Path) -> String {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        below.display().to_string()
    }
}
