//! The values that the program is started with.

use std::collections::HashMap;

use super::{Keymap, convert, dialect, form};
use crate::memory::{Schema, StoreId, Timestamp};
use crate::retrieval::Limits;

/// The values that the program is started with.
#[derive(Debug)]
pub struct Setup {
    /// The clock.
    pub now: Timestamp,
    /// The terminal's columns and rows.
    pub size: (u16, u16),
    /// The project's name, for the header.
    pub project: String,
    /// The folder that shown paths begin at.
    pub root: std::path::PathBuf,
    /// The places where stores were looked for; true if one was found there.
    pub looked: Vec<(String, bool)>,
    /// The stores that are there: format and path.
    pub opened: Vec<(&'static str, String)>,
    /// The stores that memories can be copied to.
    pub destinations: Vec<convert::Target>,
    /// Why nothing may be written; none where it may.
    pub read_only: Option<String>,
    /// The keys.
    pub keymap: Keymap,
    /// The limits of the selection.
    pub limits: Limits,
    /// The dialects to choose from, the first without a name: that of each store.
    pub dialects: Vec<dialect::Dialect>,
    /// The dialect of each store; of a policy that has none, its name.
    pub own_dialects: Vec<(StoreId, &'static str)>,
    /// The limits with the settings of an agent's own file, by agent.
    pub agents: HashMap<String, Limits>,
    /// The agent that the task box begins with.
    pub agent: String,
    /// True if code is coloured for a light screen.
    pub light: bool,
    /// The themes to choose from, each with whether it is for a light screen, and the one that is
    /// shown.
    pub themes: Vec<(String, bool)>,
    /// See `themes`.
    pub theme: String,
    /// True if no store's policy goes by what the task says, so that there is a preview without.
    pub needs_no_task: bool,
    /// The memory that the list opens on; the first one where that is not there.
    pub opens_on: Option<String>,
    /// The schemas of the stores at hand, for a new memory where there is none yet.
    pub schemas: Vec<&'static Schema>,
    /// Facts for the field editor beside the memories: how patterns are read, and sample tasks.
    pub known: form::Known,
}
