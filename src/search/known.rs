//! How well the words that were looked for last match each memory.
//!
//! Of a query of several words one changes at a key, and a letter that is taken back leads to a
//! word that was there before: only a new word is looked for in the texts.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::rank::Found;
use super::word::Word;

/// Words that are remembered: two bytes a memory for each.
const MOST: usize = 16;

/// The words that were looked for last, the newest last.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<Vec<(Word, Arc<[AtomicU16]>)>>);

impl Clone for Known {
    /// Of a copy nothing was asked yet.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Known {
    /// What is known of these words in so many memories.
    pub fn of<'q>(
        &self,
        words: impl Iterator<Item = &'q Word>,
        memories: usize,
    ) -> Vec<Scores<'q>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let scores = words.map(|word| {
            known.retain(|(_, by_memory)| by_memory.len() == memories);
            let at = known.iter().position(|(known, _)| known == word);
            let known_by = at.map(|at| known.remove(at).1);
            let by_memory = known_by
                .unwrap_or_else(|| (0..memories).map(|_| AtomicU16::new(UNKNOWN)).collect());
            let wider = known.iter().filter(|(known, _)| word.implies(known));
            let wider = wider.map(|(_, by_memory)| Arc::clone(by_memory)).collect();
            if known.len() == MOST {
                known.remove(0);
            }
            known.push((word.clone(), Arc::clone(&by_memory)));
            Scores {
                word,
                by_memory,
                wider,
            }
        });
        scores.collect()
    }
}

/// The scores of a word, by memory.
#[derive(Debug)]
pub(super) struct Scores<'q> {
    word: &'q Word,
    by_memory: Arc<[AtomicU16]>,
    /// The scores of words that are found wherever this one is.
    wider: Vec<Arc<[AtomicU16]>>,
}

/// Not looked for yet.
const UNKNOWN: u16 = 0;
/// Looked for, and not found.
const NONE: u16 = 1;
/// Looked for in the title only, and not found there.
const NOT_IN_TITLE: u16 = 2;
/// What is found is so much more than what it is compared by.
const FOUND: u16 = 3;

/// Where a word is still to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// In the title and the rest.
    All,
    /// In the rest: the title does not have it.
    Rest,
}

impl Scores<'_> {
    /// What is found of this word in a memory, looked for where it is not known.
    pub fn of(&self, memory: usize, look: impl FnOnce(Where) -> Option<Found>) -> Option<Found> {
        let Some(place) = self.by_memory.get(memory) else {
            return look(Where::All);
        };
        let found = match place.load(Ordering::Relaxed) {
            NONE => return None,
            NOT_IN_TITLE => look(Where::Rest),
            UNKNOWN if self.lacks_wider(memory) => None,
            UNKNOWN => look(Where::All),
            known => return Some(Found(known - FOUND)),
        };
        let known = found.map_or(NONE, |found| found.0.saturating_add(FOUND));
        place.store(known, Ordering::Relaxed);
        found
    }

    /// The word.
    pub const fn word(&self) -> &Word {
        self.word
    }

    /// Whether it is not known yet if a memory has the word.
    pub fn asks(&self, memory: usize) -> bool {
        let place = self.by_memory.get(memory);
        place.is_some_and(|place| place.load(Ordering::Relaxed) == UNKNOWN)
            && !self.lacks_wider(memory)
    }

    /// Keeps what is found of the word in a memory, none where its title does not have it.
    pub fn in_title(&self, memory: usize, found: Option<Found>) {
        if let Some(place) = self.by_memory.get(memory) {
            let known = found.map_or(NOT_IN_TITLE, |found| found.0.saturating_add(FOUND));
            place.store(known, Ordering::Relaxed);
        }
    }

    /// Whether a word is known to be missing without which this one cannot be there.
    fn lacks_wider(&self, memory: usize) -> bool {
        self.wider.iter().any(|by_memory| {
            let known = by_memory.get(memory);
            known.is_some_and(|known| known.load(Ordering::Relaxed) == NONE)
        })
    }
}
