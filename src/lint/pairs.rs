//! What two memories say of the same: which contradict each other, and which say it twice.
//!
//! ```text
//! every text, once ──> features of its statements ──> index ──> pairs that share rare ones
//!                                                                   │ their texts, again
//!                               contradictions, likeness <── statement by statement
//! ```

pub(super) mod compare;
mod filed;
mod frames;
mod index;
mod lines;
mod sayings;
pub(super) mod statement;
pub(super) mod table;
mod verify;
pub(super) mod words;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Context, Look};
pub(super) use compare::Slot;
pub(super) use index::Features;
pub(super) use lines::Lines;
pub use sayings::Sayings;
pub use verify::contradicted;
pub(super) use verify::{
    Checked, Denied, Found, Likeness, SHORTER, Side, common, denied, denies_itself, says_otherwise,
    shingles,
};

/// What rules about pairs share: the index, and what was found with it, once.
pub(super) struct Pairs {
    index: index::Index,
    found: OnceLock<Vec<Arc<Found>>>,
    /// What was said of pairs of which neither changed.
    known: Mutex<Checked>,
    /// Of which memories it is known that no secret stands in them.
    clean: Vec<AtomicBool>,
    /// Of how many pairs the statements are kept.
    spelled: usize,
}

impl Pairs {
    /// For so many memories; of so many pairs the statements are kept.
    pub fn new(memories: usize, spelled: usize) -> Self {
        Self {
            index: index::Index::new(memories),
            found: OnceLock::new(),
            known: Mutex::default(),
            clean: std::iter::repeat_with(AtomicBool::default)
                .take(memories)
                .collect(),
            spelled,
        }
    }

    /// Says that no secret stands in a memory, so that its sentences need not be masked.
    pub fn holds_no_secret(&self, memory: usize) {
        if let Some(clean) = self.clean.get(memory) {
            clean.store(true, Ordering::Relaxed);
        }
    }

    /// Takes in a memory; gives what is kept of it.
    pub fn add(&self, look: &Look<'_>) -> Features {
        let body = verify::written(look.memory, look.body().1.into());
        let features = self.index.features(&body);
        self.index.add(look.index, &features);
        features
    }

    /// Takes in a memory of which this was kept.
    pub fn put(&self, memory: usize, features: &Features) {
        self.index.add(memory, features);
    }

    /// What the memories that were taken in have to do with each other, by index.
    pub fn found(&self, cx: &Context<'_>) -> &[Arc<Found>] {
        self.found.get_or_init(|| {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let (found, checked) = verify::verify(
                (cx, &|memory| self.is_clean(memory)),
                &self.index.pairs(),
                std::mem::take(&mut *known),
                self.spelled,
            );
            *known = checked;
            found
        })
    }

    /// The statements of a conflict of two memories, by its place in the list.
    pub fn sides<'f>(
        &self,
        cx: &Context<'_>,
        found: &'f Found,
        conflict: usize,
    ) -> Option<Cow<'f, [Side; 2]>> {
        verify::sides((cx, &|memory| self.is_clean(memory)), found, conflict)
    }

    fn is_clean(&self, memory: usize) -> bool {
        let clean = self.clean.get(memory);
        clean.is_some_and(|clean| clean.load(Ordering::Relaxed))
    }

    /// Exchanges what is known of pairs: before they are asked for and after.
    pub fn exchange(&self, checked: Checked) -> Checked {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *known, checked)
    }
}
