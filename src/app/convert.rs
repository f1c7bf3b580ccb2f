//! Stores that memories can be copied to, and the ways to promote one.

use crate::curate::Change;
use crate::curate::change::Destination;
use crate::memory::MemoryId;

/// A store that memories can be written to, in its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its id, or the name of the format of a new one.
    pub name: String,
    /// Where it is, or would be.
    pub about: String,
    /// The store.
    pub to: Destination,
    /// True for a store of the project, which the team shares.
    pub is_project: bool,
}

/// A way to promote memories.
#[derive(Clone, Debug)]
pub struct Way {
    /// Where they go, in a word or two.
    pub name: String,
    /// What that does.
    pub about: String,
    /// The change.
    pub change: Change,
}

/// The ways to promote memories, to choose one of.
#[derive(Debug)]
pub struct Ways {
    /// What the window asks.
    pub title: String,
    /// The ways, the widest first.
    pub rows: Vec<Way>,
    /// The selected one.
    pub row: usize,
}

/// The stores to choose one of.
#[derive(Debug)]
pub struct Targets {
    /// The memories that are copied.
    pub ids: Vec<MemoryId>,
    /// What the window asks.
    pub title: String,
    /// The stores.
    pub rows: Vec<Target>,
    /// The selected one.
    pub row: usize,
}
