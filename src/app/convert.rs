//! Stores that memories can be copied to, and the ways to promote one.

pub use crate::curate::promote::{Target, Way};
use crate::memory::MemoryId;

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
