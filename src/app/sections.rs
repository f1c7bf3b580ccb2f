//! The rows and sections of the list, and what each store gives to every session.

use std::collections::HashMap;
use std::sync::Arc;

use super::Model;
use super::msg::{Question, Slot};
use super::world::stamp;
use crate::memory::{MemoryId, StoreId};
use crate::retrieval::Snapshot;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A memory, by its index in the snapshot.
    Memory(u32),
    /// A folded section, by its place among the sections.
    Folded(usize),
    /// A memory that only the last commit has, by its place among those.
    Deleted(usize),
}

impl Row {
    /// The index of the memory that it shows.
    pub const fn memory(self) -> Option<usize> {
        match self {
            Self::Memory(index) => Some(index as usize),
            Self::Folded(_) | Self::Deleted(_) => None,
        }
    }
}

/// The memories that stand together below a heading.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// Those that are new or changed since the last commit.
    Waiting,
    /// Those of a store.
    Store(StoreId),
    /// The files that agents read beside memories.
    Context,
}

/// A section of the list.
#[derive(Debug)]
pub struct Heading {
    /// Its memories.
    pub section: Section,
    /// Its first row; its only one where it is folded.
    pub row: usize,
    /// Number of its memories.
    pub count: usize,
    /// True if its memories have no rows.
    pub is_folded: bool,
}

impl Section {
    /// The key of a folded section for the cursor: an id that no memory has.
    pub fn key(&self) -> MemoryId {
        let none = || StoreId("".into());
        let (store, local) = match self {
            Self::Store(store) => (store.clone(), ""),
            Self::Waiting => (none(), "waiting"),
            Self::Context => (none(), "context"),
        };
        MemoryId {
            store,
            local: local.into(),
        }
    }
}

/// What every session is given of a store.
#[derive(Clone, Debug, Default)]
pub struct EverySession {
    /// Its tokens.
    pub tokens: usize,
    /// Of an index: what it has of what its system loads, and the unit.
    pub limits: Vec<(usize, usize, &'static str)>,
}

/// Asks what every session is given of each store.
#[derive(Debug)]
pub struct CountEverySession(pub Snapshot);

impl Question for CountEverySession {
    const SLOT: Slot = "sections";
    const ASIDE: bool = true;
    /// By store; of a store that goes by the task nothing.
    type Answer = HashMap<StoreId, EverySession>;

    fn settle(answer: Self::Answer, model: &mut Model) {
        model.browse.every_session = answer;
    }
}

/// Every complete snapshot is counted.
pub fn ask(model: &mut Model) {
    let now = stamp(&model.world.memories);
    if model.world.complete && model.browse.counted != Some(now) {
        model.browse.counted = Some(now);
        model.request(CountEverySession(Arc::clone(&model.world.memories)));
    }
}
