//! Stores that memories can be copied to.

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
