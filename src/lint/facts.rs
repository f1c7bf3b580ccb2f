//! Lookups among all memories of a run, and the state that rules keep while it lasts.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::lookup::{self, Index};
use super::report::counted;
use super::repository::History;
use super::{Context, Note};
use crate::memory::{Memory, State, StoreId, link};
use crate::retrieval::Snapshot;

/// One value of each type, made when it is first asked for.
#[derive(Default)]
pub(super) struct Values(OnceLock<Box<Entry>>);

struct Entry {
    value: Box<dyn Any + Send + Sync>,
    next: Values,
}

impl Values {
    /// The value of a type.
    pub fn of<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let mut values = self;
        loop {
            let entry = values.0.get_or_init(|| {
                Box::new(Entry {
                    value: Box::new(OnceLock::<T>::new()),
                    next: Self::default(),
                })
            });
            match entry.value.downcast_ref::<OnceLock<T>>() {
                Some(value) => return value.get_or_init(make),
                None => values = &entry.next,
            }
        }
    }
}

/// Lookups among all memories, and the state of rules.
#[derive(Default)]
pub struct Facts {
    memories: Snapshot,
    /// Findings of one rule that are held.
    pub(super) most: usize,
    state: Values,
    called: OnceLock<Index>,
    names: OnceLock<Index>,
    parts: OnceLock<Index>,
    locals: OnceLock<Index>,
    notes: Mutex<Vec<Note>>,
    unchecked: Mutex<BTreeMap<&'static str, u32>>,
    incomplete: Mutex<Vec<&'static str>>,
}

/// A memory with its index in the snapshot.
type Placed<'m> = (usize, &'m Memory);

impl Facts {
    /// The facts about these memories, of which so many findings of a rule are held.
    pub fn new(cx: &Context<'_>, most: usize) -> Self {
        Self {
            memories: cx.memories.clone(),
            most,
            ..Self::default()
        }
    }

    /// The state of this type, made when a rule first asks for it.
    pub(super) fn of<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        self.state.of(make)
    }

    /// Notes a part that a rule could not check. It is about no memory.
    pub fn note(&self, rule: &'static str, message: impl Into<String>) {
        let message = message.into();
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.push(Note { rule, message });
    }

    /// Counts things that a rule could not look up in a memory.
    pub(super) fn add_unchecked(&self, rule: &'static str, count: u32) {
        let mut unchecked = self.unchecked.lock();
        let unchecked = unchecked.iter_mut();
        unchecked.for_each(|all| *all.entry(rule).or_default() += count);
    }

    /// Notes how many things of this kind a rule could not look up, and why.
    pub(super) fn note_unchecked(&self, rule: &'static str, kind: &str, rest: &str, why: &str) {
        let unchecked = self.unchecked.lock();
        let count = unchecked.map_or(0, |all| all.get(rule).copied().unwrap_or_default());
        if count > 0 {
            let things = counted(count as usize, kind);
            self.note(rule, format!("{things} {rest}: {why}"));
        }
    }

    /// The history, for a rule that needs it; none, with a note about its unchecked paths, if there is
    /// none to read.
    pub(super) fn history<'c>(
        &self,
        cx: &Context<'c>,
        rule: &'static str,
        rest: &str,
    ) -> Option<&'c History> {
        match cx.project.history() {
            Ok(history) => {
                let partial = history.partial.iter();
                let notes = partial.map(|why| format!("not all of the history was read: {why}"));
                notes.for_each(|note| self.note(rule, note));
                Some(history)
            }
            Err(why) => {
                self.note_unchecked(rule, "path", rest, why);
                None
            }
        }
    }

    /// Marks a rule that did not check everything, so that nothing follows from its silence.
    pub(super) fn incomplete(&self, rule: &'static str) {
        let mut all = self.incomplete.lock();
        all.iter_mut().for_each(|all| all.push(rule));
    }

    /// True if a rule checked everything.
    pub(super) fn is_complete(&self, rule: &str) -> bool {
        let incomplete = self.incomplete.lock();
        incomplete.is_ok_and(|all| !all.contains(&rule))
    }

    /// The parts that rules could not check, in order.
    pub(super) fn notes(&self) -> Vec<Note> {
        let notes = self.notes.lock();
        let mut notes = notes.map(|notes| notes.clone()).unwrap_or_default();
        notes.sort();
        notes.dedup();
        notes
    }

    /// The memory of a store with this LOCAL.
    pub(super) fn local(&self, store: &StoreId, local: &str) -> Option<usize> {
        let all = self.locals.get_or_init(|| {
            Index::new(&self.memories, |memory| {
                [lookup::local(&memory.id.store, &memory.id.local)]
            })
        });
        let mut found = self.all(all.get(lookup::local(store, local)));
        let is = |memory: &Memory| memory.id.store == *store && &*memory.id.local == local;
        let found = found.find(|(_, memory)| is(memory));
        found.map(|(index, _)| index)
    }

    /// The active memories of a store that links call by this name, by [`link::fold`].
    pub(super) fn called(&self, store: &StoreId, folded: &str) -> impl Iterator<Item = usize> {
        let called = self.called.get_or_init(|| {
            Index::new(&self.memories, |memory| {
                let names = link::names(memory).into_iter();
                let called = names.map(|name| lookup::called(&memory.id.store, &name));
                called.collect::<Vec<_>>()
            })
        });
        let found = self.all(called.get(lookup::called(store, folded)));
        let found = found.filter(move |(_, memory)| {
            let is_active = memory.id.store == *store && memory.state == State::Active;
            is_active && link::names(memory).iter().any(|name| name == folded)
        });
        found.map(|(index, _)| index)
    }

    /// The first memories of files with this name in any case and folder, archived ones too.
    pub(super) fn named(&self, store: &StoreId, name: &str) -> impl Iterator<Item = Placed<'_>> {
        let names = self.names.get_or_init(|| {
            Index::new(&self.memories, |memory| {
                let name = lookup::own_name(memory);
                name.map(|name| lookup::named(&memory.id.store, name))
            })
        });
        let found = self.all(names.get(lookup::named(store, name)));
        let wanted = name.to_lowercase();
        found.filter(move |(_, memory)| {
            memory.id.store == *store && lookup::name_of(memory).to_lowercase() == wanted
        })
    }

    /// The first memories of files whose names share something with this one.
    pub(super) fn like(&self, store: &StoreId, name: &str) -> impl Iterator<Item = Placed<'_>> {
        let parts = self.parts.get_or_init(|| {
            Index::new(&self.memories, |memory| {
                let name = lookup::own_name(memory).into_iter();
                let all = name.flat_map(|name| lookup::like(&memory.id.store, name));
                all.collect::<Vec<_>>()
            })
        });
        self.all(parts.sharing(lookup::like(store, name)).into_iter())
    }

    /// These memories.
    pub(super) fn all(&self, all: impl Iterator<Item = usize>) -> impl Iterator<Item = Placed<'_>> {
        all.filter_map(|index| Some((index, self.memories.get(index)?.as_ref())))
    }
}
