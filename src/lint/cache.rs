//! What was found in the last run, reused for memories that did not change.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, PoisonError};

use super::collector::{Counts, Found};
use super::decisions::Decisions;
use super::facts::{Carried, Gathered};
use super::moves::Moves;
use super::questions::{self, Question};
use super::tuning::Tuning;
use super::{Context, Facts, Rule};
use crate::memory::Timestamp;
use crate::retrieval::Snapshot;

/// In larger stores only the number of findings is kept of most memories: the findings would take
/// more room than the memories. Those that are held are looked for again.
const WHOLE: usize = 5_000;

/// What was found in each memory in the last run.
pub struct Cache {
    key: Option<Key>,
    now: Timestamp,
    decisions: Decisions,
    memories: Snapshot,
    /// What the history of the project was when memories were gathered.
    project: u64,
    entries: Vec<Entry>,
    /// Memories of which all findings are kept.
    whole: usize,
    /// Each list of counts, of which there are few.
    counts: HashSet<Arc<Counts>>,
    carried: Vec<Box<dyn Carried>>,
    /// Memories of which all findings are kept, at most.
    most: usize,
}

/// What is known of a memory.
#[derive(Default)]
struct Entry {
    /// The hash of its text.
    text: u64,
    known: Option<Known>,
    /// What rules asked about other memories.
    asked: Box<[Question]>,
    gathered: Option<Gathering>,
}

/// What was found in a memory.
#[derive(Clone)]
pub(super) enum Known {
    Counts(Arc<Counts>),
    Whole(Arc<Found>),
}

/// What rules gathered of a memory.
#[derive(Clone, Default)]
pub(super) struct Gathering {
    pub kept: Box<[Arc<dyn Gathered>]>,
    /// The rules that gather in every run.
    pub again: Box<[&'static dyn Rule]>,
}

/// What a run learns of a memory that was checked.
pub(super) struct New {
    pub asked: Vec<Question>,
    /// The hash of its text.
    pub text: u64,
}

/// What all findings depend on. If it changed, all memories are checked.
#[derive(PartialEq)]
struct Key {
    rules: Vec<&'static str>,
    tuning: Tuning,
    baseline: bool,
    /// Other files that rules read.
    files: Vec<u64>,
}

impl Default for Cache {
    fn default() -> Self {
        Self::keeping(WHOLE)
    }
}

impl Cache {
    /// An empty cache that keeps all findings of so many memories at most.
    pub(super) fn keeping(most: usize) -> Self {
        Self {
            most,
            key: None,
            now: Timestamp::default(),
            decisions: Decisions::default(),
            memories: Snapshot::default(),
            project: 0,
            entries: Vec::new(),
            whole: 0,
            counts: HashSet::new(),
            carried: Vec::new(),
        }
    }

    /// Turns to these memories: drops what changed, and hands carried state to the facts.
    pub(super) fn turn(&mut self, cx: &Context<'_>, facts: &Facts, rules: &[&'static dyn Rule]) {
        let key = Key {
            rules: rules.iter().map(|rule| rule.id()).collect(),
            tuning: cx.tuning.clone(),
            baseline: cx.decisions.has_baseline(),
            files: rules.iter().map(|rule| rule.stamp(cx, facts)).collect(),
        };
        let before = self.key.as_ref();
        let is_tuned_alike = before.is_some_and(|before| before.tuning == key.tuning);
        let moves = Moves::new(&self.memories, cx.memories, &|n, at| {
            let entry = self.entries.get(n).filter(|entry| entry.known.is_some());
            let text = || cx.texts.text(cx.memories.get(at)?);
            entry.is_some_and(|entry| text().is_some_and(|text| hash(&text) == entry.text))
        });
        let mut carried = std::mem::take(&mut self.carried);
        if is_tuned_alike {
            carried.iter_mut().for_each(|one| one.follow(&moves));
            let mut all = facts.carried.lock().unwrap_or_else(PoisonError::into_inner);
            *all = carried;
        }
        let touched = match before == Some(&key) {
            true => moves.touched(&self.memories, cx.memories),
            false => None,
        };
        let project = cx.project.stamp();
        let old = std::mem::take(&mut self.entries);
        self.entries.resize_with(cx.memories.len(), Entry::default);
        match touched {
            Some(mut touched) => {
                touched.extend((self.now != cx.now).then_some(questions::CLOCK));
                let is_decided_otherwise =
                    self.decisions != *cx.decisions || cx.decisions.ends_between(self.now, cx.now);
                touched.extend(is_decided_otherwise.then_some(questions::ANSWERS));
                let gathers = self.project == project;
                for (n, entry) in old.into_iter().enumerate() {
                    self.take_over(cx, (&moves, &touched, gathers), (n, entry));
                }
            }
            None => self.counts.clear(),
        }
        let is_whole = |entry: &&Entry| matches!(entry.known, Some(Known::Whole(_)));
        self.whole = self.entries.iter().filter(is_whole).count();
        self.key = Some(key);
        self.project = project;
        self.now = cx.now;
        self.decisions.clone_from(cx.decisions);
        self.memories = Arc::clone(cx.memories);
    }

    /// Takes over what is known of a memory, unless something it asked has another answer now.
    fn take_over(
        &mut self,
        cx: &Context<'_>,
        (moves, touched, gathers): (&Moves, &HashSet<Question>, bool),
        (n, mut entry): (usize, Entry),
    ) {
        let to = moves.to(n);
        let (Some(memory), Some(place)) = (
            to.and_then(|to| cx.memories.get(to)),
            to.and_then(|to| self.entries.get_mut(to)),
        ) else {
            return;
        };
        let is_over = |now| memory.is_expired(now);
        if !gathers {
            entry.gathered = None;
        }
        let is_other = is_over(self.now) != is_over(cx.now)
            || entry.asked.iter().any(|asked| touched.contains(asked));
        if is_other {
            (entry.known, entry.asked) = (None, Box::default());
        }
        if let Some(Known::Whole(found)) = &mut entry.known
            && !moves.all_stay
        {
            if found.names_moved_lines(moves) {
                entry.known = None;
            } else {
                Arc::make_mut(found).follow(n, moves);
            }
        }
        *place = entry;
    }

    /// What was found in a memory that did not change.
    pub(super) fn get(&self, index: usize) -> Option<&Known> {
        self.entries.get(index)?.known.as_ref()
    }

    /// What was gathered of a memory; none if all rules have to gather again.
    pub(super) fn gathered(&self, index: usize) -> Option<&Gathering> {
        self.entries.get(index)?.gathered.as_ref()
    }

    /// Keeps what was gathered of a memory.
    pub(super) fn gather(&mut self, index: usize, gathered: Option<Gathering>) {
        if let (Some(entry), Some(_)) = (self.entries.get_mut(index), &gathered) {
            entry.gathered = gathered;
        }
    }

    /// True if anything is kept.
    pub(super) const fn keeps(&self) -> bool {
        !self.entries.is_empty()
    }

    /// Keeps the findings of a memory: all of them, or `counts` if they say as much and there is
    /// little room.
    pub(super) fn put(
        &mut self,
        index: usize,
        new: New,
        found: Arc<Found>,
        counts: Option<Counts>,
    ) {
        let few = self.entries.len() <= self.most;
        let Some(entry) = self.entries.get_mut(index) else {
            return;
        };
        entry.known = match counts {
            Some(counts) if !few => {
                let counts = Arc::new(counts);
                let known = self.counts.get(&counts).map(Arc::clone);
                Some(Known::Counts(known.unwrap_or_else(|| {
                    self.counts.insert(Arc::clone(&counts));
                    counts
                })))
            }
            _ if few || self.whole < self.most => {
                self.whole += 1;
                Some(Known::Whole(found))
            }
            _ => None,
        };
        if entry.known.is_some() {
            (entry.asked, entry.text) = (new.asked.into(), new.text);
        }
    }

    /// Takes what rules hand on to the next run.
    pub(super) fn carry(&mut self, facts: &Facts) {
        if self.keeps() {
            let mut all = facts.carried.lock().unwrap_or_else(PoisonError::into_inner);
            self.carried = std::mem::take(&mut *all);
        }
    }
}

/// The hash of a text.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
