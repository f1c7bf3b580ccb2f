//! The program as data: a model, messages, and an `update` that answers with effects.
//!
//! ```text
//!  ┌ header ──────────────────────────────────────────────────────────────┐ View
//!  │ task box (inject)                                                    │ inject
//!  │┌ list ─────────────────────────┐┌ page ──────────────────────────────┐│
//!  ││ browse · inject · lints       ││ reading · explanation · fix · form ││ Page
//!  ││                               │├ prompt (inject) ───────────────────┤│
//!  │└───────────────────────────────┘└────────────────────────────────────┘│ layout
//!  │ status: what happened                                                │ status
//!  └ hints: the keys that matter now, from the table of commands ─────────┘ command
//! ```
//! Pure.

pub mod browse;
pub mod command;
pub mod conflict;
pub mod convert;
mod current;
pub mod cursor;
pub mod desk;
pub mod editor;
pub mod fixes;
pub mod form;
pub mod hints;
pub mod history;
pub mod inject;
pub mod key;
pub mod keymap;
pub mod layout;
pub mod line;
pub mod links;
pub mod lints;
mod listing;
pub mod msg;
pub mod pair;
pub mod palette;
pub mod picker;
pub mod prompt;
pub mod questions;
pub mod reading;
pub mod review;
mod rows;
pub mod scope;
mod settle;
mod setup;
pub mod slots;
pub mod status;
pub mod suggest;
pub mod update;
pub mod world;

mod act;
mod mouse;

use std::sync::Arc;

pub use command::{Command, Scope, key_table};
pub use inject::{dialect, tasks};
pub use keymap::Keymap;
pub use msg::{Effect, Msg};
pub use setup::Setup;
pub use update::update;

use crate::memory::{Memory, MemoryId, Timestamp};

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
    Fix(Box<Proposal>),
    /// Two memories that a rule asks about.
    Pair(Box<pair::Pair>),
    /// The earlier versions of the memory.
    Versions(Box<history::Versions>),
}

/// A change that is shown before it is made.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Its title, as an order.
    pub title: String,
    /// The finding it puts right, where it is one: what it is known by, and its index.
    pub about: Option<(lints::Key, usize)>,
    /// The change.
    pub change: msg::Change,
    /// The memories as they were when lint worked the change out.
    pub of: Vec<Arc<Memory>>,
    /// Its unified diff, when it is worked out.
    pub diff: Option<Arc<str>>,
    /// The first line of the diff on the screen.
    pub scroll: usize,
    /// The question it answers, where it answers one.
    pub answering: Option<pair::Answering>,
    /// The page to go back to.
    pub behind: Option<Box<Page>>,
}

impl Proposal {
    /// A change of these memories that is about no finding.
    pub fn new(title: String, change: msg::Change, of: Vec<Arc<Memory>>) -> Self {
        Self {
            title,
            about: None,
            change,
            of,
            diff: None,
            scroll: 0,
            answering: None,
            behind: None,
        }
    }
}

/// A window over everything else, which has the keys.
#[derive(Debug)]
pub enum Overlay {
    /// All commands.
    Palette(palette::Palette),
    /// The unsaved text of an earlier run, to be decided on.
    Draft(msg::Draft),
    /// A list to pick a row of.
    Pick(picker::Picker),
    /// A question that is answered in a line.
    Ask(prompt::Prompt),
}

impl Overlay {
    /// The title of the command that takes the selected row or the answer.
    pub const fn verb(&self) -> Option<&'static str> {
        match self {
            Self::Pick(picker) => Some(picker.verb()),
            Self::Ask(prompt) => {
                let [_, _, verb] = prompt.question.words();
                Some(verb)
            }
            Self::Palette(_) | Self::Draft(_) => None,
        }
    }
}

/// Which part has the keys; follows from the rest of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// The palette.
    Palette,
    /// The offer of a found draft.
    Draft,
    /// A list to pick a row of.
    Pick,
    /// The answer to a question.
    Ask,
    /// The part that is edited.
    Desk,
    /// The filter's text.
    Filter,
    /// The task box.
    Task,
    /// A pane.
    Pane(Pane),
}

/// The program as data.
#[derive(Debug)]
pub struct Model {
    /// The clock; the loop sets it before each batch of messages.
    pub now: Timestamp,
    /// The terminal's columns and rows.
    pub size: (u16, u16),
    /// The project's name.
    pub project: String,
    /// The folder that shown paths begin at.
    pub root: std::path::PathBuf,
    /// The places where stores were looked for; true if one was found there.
    pub looked: Vec<(String, bool)>,
    /// The stores that are there: format and path.
    pub opened: Vec<(&'static str, String)>,
    /// The stores that memories can be copied to.
    pub destinations: Vec<convert::Target>,
    /// Why nothing may be written.
    pub read_only: Option<String>,
    /// The keys.
    pub keymap: Keymap,
    /// True if code is coloured for a light screen.
    pub light: bool,
    /// The themes to choose from, each with whether it is for a light screen.
    pub themes: Vec<(String, bool)>,
    /// The theme that is shown.
    pub theme: String,
    /// The memory that the list opens on, until it is there.
    pub opens_on: Option<String>,
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
    /// The list's part of the width, in percent.
    pub split: u16,
    /// The list.
    pub browse: browse::Browse,
    /// The text of the current memory.
    pub reading: reading::Reading,
    /// The task and its preview.
    pub inject: inject::Inject,
    /// The findings.
    pub lints: lints::Lints,
    /// The changes since the last commit.
    pub review: review::Review,
    /// The page of the right side.
    pub page: Page,
    /// Which of a memory's findings is looked at.
    pub finding: Option<(MemoryId, usize)>,
    /// The answer that is being made.
    pub answering: Option<pair::Answering>,
    /// The state that the list was last scrolled for.
    shown_at: (View, usize, usize, usize),
    /// The last requests.
    asked: settle::Asked,
    /// The part that is edited.
    pub desk: Option<desk::Desk>,
    /// Facts for the field editor beside the memories.
    pub known: form::Known,
    /// The command that is done when it is asked for again.
    pub asked_again: Option<status::Again>,
    /// Keys for the list that wait until the filter is answered.
    pub typed_ahead: Vec<key::Key>,
    /// The window over everything.
    pub overlay: Option<Overlay>,
    /// Unsaved text of an earlier run, and whether a line still offers it.
    pub unsaved: Option<(msg::Draft, bool)>,
    /// True if a key was pressed: until then the bottom line says what waits.
    pub is_used: bool,
    /// The message at the bottom.
    pub status: status::Status,
    /// The beginning of a sequence of keys.
    pub pending: Vec<key::Key>,
    /// How far the panes can scroll; the view measures it.
    pub extents: Extents,
    /// Which answers are wanted.
    pub slots: slots::Slots,
}

/// Lines of the scrolling panes, as measured by the last drawing. It is only used to stop scrolling
/// at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    /// Lines of the right side that do not fit.
    pub page: usize,
    /// Lines of the prompt that do not fit.
    pub prompt: usize,
    /// The place to which the right side is scrolled: the first byte of the body that it shows.
    pub byte: Option<usize>,
}

impl Model {
    /// The program before anything is loaded.
    pub fn new(setup: Setup) -> Self {
        let mut inject = inject::Inject::new(setup.limits, setup.dialects, &setup.agent);
        inject.own_dialects = setup.own_dialects;
        inject.agents = setup.agents;
        inject.needs_no_task = setup.needs_no_task;
        Self {
            now: setup.now,
            size: setup.size,
            project: setup.project,
            root: setup.root,
            looked: setup.looked,
            opened: setup.opened,
            destinations: setup.destinations,
            read_only: setup.read_only,
            keymap: setup.keymap,
            light: setup.light,
            themes: setup.themes,
            theme: setup.theme,
            head: None,
            opens_on: setup.opens_on,
            world: world::World::with(setup.schemas),
            view: View::default(),
            pane: Pane::default(),
            zoom: false,
            split: 50,
            browse: browse::Browse::default(),
            reading: reading::Reading::default(),
            inject,
            lints: lints::Lints::default(),
            review: review::Review::default(),
            page: Page::default(),
            finding: None,
            answering: None,
            shown_at: (View::default(), 0, 0, 0),
            asked: settle::Asked::default(),
            desk: None,
            known: setup.known,
            asked_again: None,
            typed_ahead: Vec::new(),
            overlay: None,
            unsaved: None,
            is_used: false,
            status: status::Status::default(),
            pending: Vec::new(),
            extents: Extents::default(),
            slots: slots::Slots::default(),
        }
    }

    /// The effects of the start.
    pub fn start(&self) -> Vec<Effect> {
        vec![Effect::Load]
    }

    /// Which part has the keys.
    pub const fn focus(&self) -> Focus {
        match &self.overlay {
            Some(Overlay::Palette(_)) => Focus::Palette,
            Some(Overlay::Draft(_)) => Focus::Draft,
            Some(Overlay::Pick(_)) => Focus::Pick,
            Some(Overlay::Ask(_)) => Focus::Ask,
            None if self.desk.is_some() => Focus::Desk,
            None if self.browse.filter.editing => Focus::Filter,
            None if self.inject.editing => Focus::Task,
            None => Focus::Pane(self.pane),
        }
    }

    /// The scopes whose commands the keys reach, the innermost first.
    pub fn scopes(&self) -> Vec<Scope> {
        let mut scopes = match self.focus() {
            Focus::Palette => vec![Scope::Palette],
            Focus::Draft => vec![Scope::Draft],
            Focus::Pick => vec![Scope::Pick],
            Focus::Ask => vec![Scope::Ask],
            Focus::Desk => {
                let scopes = self.desk.as_ref().map(desk::Desk::scopes);
                scopes.unwrap_or_default().to_vec()
            }
            Focus::Filter => vec![Scope::Filter],
            Focus::Task => vec![Scope::Task],
            Focus::Pane(pane) => self.pane_scopes(pane),
        };
        scopes.push(Scope::Always);
        scopes
    }

    /// The scopes of the panes, whatever stands over them.
    pub fn pane_scopes(&self, pane: Pane) -> Vec<Scope> {
        let mut scopes = Vec::with_capacity(6);
        match self.page {
            Page::Usual => {}
            Page::Explain => scopes.push(Scope::Explain),
            Page::Fix(_) => scopes.push(Scope::Fix),
            // Of the two memories none is the one that a command on a memory is about.
            Page::Pair(_) => return vec![Scope::Pair, Scope::Global],
            Page::Versions(_) => return vec![Scope::Versions, Scope::Global],
        }
        if self.view == View::Browse && pane == Pane::List {
            scopes.push(Scope::List);
        }
        if self.view == View::Review {
            scopes.push(Scope::Review);
        }
        scopes.extend([Scope::Memory, Scope::Global]);
        scopes
    }

    /// True if something is open that needs the room of the list on a narrow screen.
    pub const fn covers_list(&self) -> bool {
        !matches!(self.page, Page::Usual) || self.desk.is_some()
    }

    /// A path as it is shown: below the root where it is.
    pub fn shown(&self, path: &std::path::Path) -> String {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        below.display().to_string()
    }
}
