//! Facts that rules share while a run lasts: their own state, notes of what they could not check, and
//! lookups of memories by their names.

use std::any::Any;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::Note;
use super::repository::hash;
use crate::curate::differences::without_number;
use crate::memory::{Memory, StoreId, link};
use crate::retrieval::Snapshot;
use crate::text::mentions::last;

/// One value of each type, made when it is first asked for.
#[derive(Default)]
pub(super) struct Values(OnceLock<Box<Entry>>);

struct Entry {
    value: Box<dyn Any + Send + Sync>,
    next: Values,
}

impl Values {
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

/// The state of rules in one run.
#[derive(Default)]
pub struct Facts {
    state: Values,
    /// Rules that did not check everything, each with a note on the part, if there is one.
    unchecked: Mutex<BTreeSet<(&'static str, Option<String>)>>,
}

impl Facts {
    pub(super) fn of<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        self.state.of(make)
    }

    /// Keeps values of a type until all memories are checked, in no order.
    pub(super) fn keep<T: Send + Sync + 'static>(&self, values: Vec<T>) {
        let all = self.of(Mutex::<Vec<T>>::default).lock();
        all.unwrap_or_else(PoisonError::into_inner).extend(values);
    }

    pub(super) fn kept<T: Send + Sync + 'static>(&self) -> Vec<T> {
        let all = self.of(Mutex::<Vec<T>>::default).lock();
        std::mem::take(&mut all.unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes a part that a rule could not check. It is about no memory.
    pub fn note(&self, rule: &'static str, message: impl Into<String>) {
        self.unchecked().insert((rule, Some(message.into())));
    }

    fn unchecked(&self) -> MutexGuard<'_, BTreeSet<(&'static str, Option<String>)>> {
        let all = self.unchecked.lock();
        all.unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a rule that did not check everything, so that nothing follows from its silence.
    pub(super) fn incomplete(&self, rule: &'static str) {
        self.unchecked().insert((rule, None));
    }

    pub(super) fn is_complete(&self, rule: &str) -> bool {
        self.unchecked().iter().all(|(one, _)| *one != rule)
    }

    pub(super) fn notes(&self) -> Vec<Note> {
        let all = self.unchecked().clone().into_iter();
        let noted = all.filter_map(|(rule, message)| Some((rule, message?)));
        noted
            .map(|(rule, message)| Note { rule, message })
            .collect()
    }
}

/// The kinds of names by which memories are looked up.
#[derive(Clone, Copy, Hash)]
pub(super) enum Name {
    Local,
    /// A name by which links call it, folded.
    Called,
    /// The name of its file in lower case.
    File,
    /// A part of that.
    Part,
}

/// More files than this share a word that says nothing.
const COMMON: usize = 300;

/// Memories by the hashes of their store and a name, in order.
pub(super) struct Index(Vec<(u64, u32)>);

impl Index {
    pub fn new(memories: &Snapshot) -> Self {
        let mut index = Vec::new();
        for (at, memory) in (0..).zip(memories.iter()) {
            let local = &*memory.id.local;
            let mut add = |kind: Name, text: &str| {
                index.push((hash((kind, &memory.id.store, text)), at));
            };
            add(Name::Local, local);
            let called = link::names(memory);
            called.iter().for_each(|name| add(Name::Called, name));
            // A later memory of a file has no name of its own.
            if without_number(&memory.id) == local {
                add(Name::File, &last(local).to_lowercase());
                let parts = parts(last(local));
                parts.iter().for_each(|part| add(Name::Part, part));
            }
        }
        index.sort_unstable();
        index.dedup();
        Self(index)
    }

    pub fn get(
        &self,
        kind: Name,
        store: &StoreId,
        text: &str,
    ) -> impl Iterator<Item = usize> + Clone + use<'_> {
        let key = hash((kind, store, text));
        let from = self.0.partition_point(|(known, _)| *known < key);
        let found = self.0.iter().skip(from);
        let found = found.take_while(move |(known, _)| *known == key);
        found.map(|(_, at)| *at as usize)
    }

    /// The memories of a store whose file's name shares something with this one that few have.
    pub fn like(&self, store: &StoreId, name: &str) -> BTreeSet<usize> {
        let parts = parts(name).into_iter();
        let found = parts.map(|part| self.get(Name::Part, store, &part));
        let found = found.filter(|found| found.clone().nth(COMMON).is_none());
        found.flatten().collect()
    }
}

/// The name of a memory's file without folders.
pub(super) fn name_of(memory: &Memory) -> &str {
    last(without_number(&memory.id))
}

/// The words of a name in the order of the alphabet.
pub(super) fn words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    words.sort_unstable();
    words
}

/// A name's words, all of them as one key, and the two ends of the name.
fn parts(name: &str) -> Vec<String> {
    let mut parts = words(name);
    let lower = name.to_lowercase();
    let begin: String = lower.chars().take(4).collect();
    let end: String = lower.chars().rev().take(4).collect();
    let all = parts.join("-");
    parts.extend([format!("={all}"), format!("^{begin}"), format!("${end}")]);
    parts
}
