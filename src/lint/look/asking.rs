//! What a rule that looks at one memory asks beside it, and what it keeps for the end: both are
//! remembered, so that it is known whom a change concerns.

use super::Look;
use crate::lint::asks::{self, Ask};
use crate::lint::stale_symbol::Spot;
use crate::memory::{Memory, Timestamp};

/// What a memory has for the rules that tell of all of them at the end.
#[derive(Clone, Default)]
pub(in crate::lint) struct Gathered {
    /// Paths and names of the code that could not be looked up, and files that could not be
    /// compared.
    pub unchecked: [u32; 3],
    /// Names of the code.
    pub spots: Vec<Spot>,
    /// Whether there is more, for which it has to be looked at again.
    pub more: bool,
}

impl<'a> Look<'a> {
    /// The time, where what is found depends on it beside on whether the memory is over.
    pub(in crate::lint) fn now(&self) -> Timestamp {
        self.asks([asks::CLOCK]);
        self.cx.now
    }

    /// The memory of its store with this LOCAL, of which anything may be asked.
    pub(in crate::lint) fn local(&self, local: &str) -> Option<usize> {
        let store = &self.memory.id.store;
        self.asks([asks::local(store, local)]);
        let found = self.facts.local(store, local)?;
        let other = self.cx.memories.get(found)?;
        self.asks([asks::text(&other.id), asks::ANSWERS]);
        Some(found)
    }

    /// The active memories of its store whose title is this one, by [`fold`].
    pub(in crate::lint) fn titled(&self, folded: &str) -> impl Iterator<Item = usize> + use<'a> {
        let store = &self.memory.id.store;
        self.asks([asks::titled(store, folded)]);
        let found: Vec<usize> = self.facts.titled(store, folded).collect();
        found.into_iter()
    }

    /// The first memories of the files of its store with this name but for case and folder,
    /// archived ones too.
    pub(in crate::lint) fn named(&self, name: &str) -> impl Iterator<Item = (usize, &'a Memory)> {
        let store = &self.memory.id.store;
        self.asks([asks::named(store, name)]);
        self.facts.named(store, name)
    }

    /// The first memories of files of its store whose names share something with this one.
    pub(in crate::lint) fn like(&self, name: &str) -> impl Iterator<Item = (usize, &'a Memory)> {
        let store = &self.memory.id.store;
        self.asks(asks::like(store, name));
        self.facts.like(store, name)
    }

    fn asks(&self, asked: impl IntoIterator<Item = Ask>) {
        self.asked.borrow_mut().extend(asked);
    }

    /// Keeps what there is for a rule that tells of all at the end.
    pub(in crate::lint) fn gathers(&self, add: impl FnOnce(&mut Gathered)) {
        add(&mut self.gathered.borrow_mut());
    }

    /// What was gathered so far.
    pub(in crate::lint) fn gathered(&self) -> Gathered {
        self.gathered.take()
    }

    /// Takes over what was asked for another part of the memory.
    pub(in crate::lint) fn also_asked(&self, part: &Self) {
        self.asks(part.asked());
    }

    /// What was asked so far.
    pub(in crate::lint) fn asked(&self) -> Vec<Ask> {
        self.asked.take()
    }
}
