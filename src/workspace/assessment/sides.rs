//! The memories of a review as they were at its base and as they are, with their texts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::curate::differences::{Entry, Kind, Side};
use crate::memory::{Fields, Memory, MemoryId};
use crate::retrieval::{Snapshot, Texts};

/// The memories as they were at the base of the entries, and as they are with proposals made.
pub struct Sides {
    /// At the base.
    pub before: Snapshot,
    /// Now.
    pub after: Snapshot,
}

impl Sides {
    /// Both sides of a queue.
    pub fn new(memories: &Snapshot, entries: &[Entry]) -> Self {
        let sides = entries.iter();
        let sides = sides.flat_map(|entry| [&entry.before, &entry.after]);
        let touched: HashSet<&MemoryId> = sides.flatten().map(|side| &side.memory.id).collect();
        let side = |of: fn(&Entry) -> Option<&Side>| {
            // Of two changes of one memory the later one counts.
            let own = entries.iter().filter_map(of).map(|side| &side.memory);
            let own: BTreeMap<_, _> = own.map(|memory| (&memory.id, memory)).collect();
            let rest = memories.iter();
            let rest = rest.filter(|memory| !touched.contains(&memory.id));
            in_order(memories, rest.chain(own.into_values()).cloned().collect())
        };
        Self {
            before: side(|entry| entry.before.as_ref()),
            after: side(|entry| {
                let kept = entry.before.as_ref();
                let kept = kept.filter(|_| entry.kind != Kind::Deleted);
                entry.after.as_ref().or(kept)
            }),
        }
    }
}

/// Memories as a snapshot in the order of another one: by store, file and place.
pub fn in_order(memories: &Snapshot, mut all: Vec<Arc<Memory>>) -> Snapshot {
    let runs = memories.chunk_by(|a, b| a.id.store == b.id.store);
    let runs = runs.enumerate();
    let stores = runs.filter_map(|(at, run)| Some((run.first()?.id.store.clone(), at)));
    let stores: HashMap<_, _> = stores.collect();
    all.sort_by_cached_key(|memory| {
        let store = stores.get(&memory.id.store).copied().unwrap_or(usize::MAX);
        (store, memory.path.clone(), memory.document)
    });
    Arc::new(all)
}

/// Texts of a snapshot some memories of which are not those of the stores.
pub struct SideTexts<'a> {
    stores: &'a dyn Texts,
    own: HashMap<&'a MemoryId, &'a Side>,
}

impl<'a> SideTexts<'a> {
    /// The texts of some sides, and of the stores for all others.
    pub fn new(stores: &'a dyn Texts, sides: impl Iterator<Item = &'a Side>) -> Self {
        let own = sides.map(|side| (&side.memory.id, side)).collect();
        Self { stores, own }
    }

    /// True for a memory of these sides.
    pub fn has(&self, memory: &Memory) -> bool {
        self.own.contains_key(&memory.id)
    }

    /// A text of one of these sides, else that of the stores.
    fn pick(
        &self,
        memory: &Memory,
        own: impl Fn(&Side) -> &str,
        other: impl Fn(&dyn Texts) -> Option<String>,
    ) -> Option<String> {
        let side = self.own.get(&memory.id);
        side.map_or_else(|| other(self.stores), |side| Some(own(side).to_owned()))
    }
}

impl Texts for SideTexts<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.pick(memory, |side| &side.body, |stores| stores.body(memory))
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        self.pick(
            memory,
            |side| side.body.trim(),
            |stores| stores.loader_body(memory),
        )
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        self.pick(memory, |side| &side.text, |stores| stores.text(memory))
    }

    fn said(&self, memory: &Memory) -> Option<String> {
        self.pick(memory, |side| &side.body, |stores| stores.said(memory))
    }

    fn inner(&self, memory: &Memory) -> Fields {
        match self.has(memory) {
            true => Fields::default(),
            false => self.stores.inner(memory),
        }
    }
}
