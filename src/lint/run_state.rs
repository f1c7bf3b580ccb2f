//! The state that rules keep while a run lasts, and notes of what they could not check.

use std::any::Any;
use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Note;

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

/// The state of rules in one run.
#[derive(Default)]
pub struct Facts {
    state: Values,
    notes: Mutex<BTreeSet<Note>>,
    incomplete: Mutex<BTreeSet<&'static str>>,
}

impl Facts {
    /// The state of this type, made when a rule first asks for it.
    pub(super) fn of<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        self.state.of(make)
    }

    /// Keeps values of a type until all memories are checked, in no order.
    pub(super) fn keep<T: Send + Sync + 'static>(&self, values: Vec<T>) {
        let all = self.of(Mutex::<Vec<T>>::default).lock();
        all.unwrap_or_else(PoisonError::into_inner).extend(values);
    }

    /// Takes the values of a type that were kept.
    pub(super) fn kept<T: Send + Sync + 'static>(&self) -> Vec<T> {
        let all = self.of(Mutex::<Vec<T>>::default).lock();
        std::mem::take(&mut all.unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes a part that a rule could not check. It is about no memory.
    pub fn note(&self, rule: &'static str, message: impl Into<String>) {
        let message = message.into();
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.insert(Note { rule, message });
        self.incomplete(rule);
    }

    /// Marks a rule that did not check everything, so that nothing follows from its silence.
    pub(super) fn incomplete(&self, rule: &'static str) {
        let all = self.incomplete.lock();
        all.unwrap_or_else(PoisonError::into_inner).insert(rule);
    }

    /// True if a rule checked everything.
    pub(super) fn is_complete(&self, rule: &str) -> bool {
        let incomplete = self.incomplete.lock();
        incomplete.is_ok_and(|all| !all.contains(&rule))
    }

    /// The parts that rules could not check, in order.
    pub(super) fn notes(&self) -> Vec<Note> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.iter().cloned().collect()
    }
}
