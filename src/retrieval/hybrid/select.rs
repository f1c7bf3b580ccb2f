//! Which memories are in, in which order, and the prompt they make.

use std::cmp::Reverse;
use std::sync::Arc;

use super::index::{Index, counts};
use super::part::{Counts, Terms};
use super::query::{Hit, Query};
use super::{DEFAULT_MAX, FOR_IMPORTANCE, importance, level};
use crate::memory::{Memory, Role, State, Timestamp, tokens_of};
use crate::retrieval::{Limits, Reason, Snapshot, Task, Texts, whole};

/// A memory under judgement.
pub struct Judged {
    /// Its index in the snapshot.
    pub memory: usize,
    /// Its points.
    pub score: f64,
    /// Its place among the selected, from 1.
    pub rank: Option<usize>,
    /// In, or why not.
    pub reason: Reason,
    /// Tokens that are over the budget.
    pub missing: usize,
    /// Tokens of its part of the prompt, where that is known.
    pub tokens: Option<usize>,
}

/// A memory in the place of one of the snapshot, taken apart.
pub struct Replaced<'a> {
    memory: &'a Memory,
    terms: Terms,
    counts: Vec<(u32, Counts)>,
    lengths: Counts,
}

/// One preview at work.
pub struct Run<'a> {
    memories: &'a [Arc<Memory>],
    /// The index of the snapshot.
    pub index: &'a Index,
    /// The query.
    pub query: &'a Query,
    /// A memory in the place of another one.
    pub replaced: Option<(usize, Replaced<'a>)>,
    /// The least importance, and its word.
    pub least: Option<(f64, &'a str)>,
    /// The clock.
    pub now: Timestamp,
    scores: Vec<f64>,
}

impl<'a> Run<'a> {
    /// Looks a task up.
    pub fn new(
        memories: &'a Snapshot,
        (index, query): (&'a Index, &'a Query),
        (task, limits): (&Task, &'a Limits),
        what_if: Option<(usize, &'a Memory)>,
        texts: &dyn Texts,
    ) -> Self {
        let least = limits.min_importance.as_deref();
        let replaced = what_if.map(|(at, memory)| {
            let mut terms = Terms::default();
            let (counts, lengths) = terms.of(memory, texts);
            let replaced = Replaced {
                memory,
                terms,
                counts,
                lengths,
            };
            (at, replaced)
        });
        let mut run = Self {
            memories,
            index,
            query,
            replaced,
            least: least.and_then(|word| Some((level(word)?, word))),
            now: task.now,
            scores: query.scores(index, memories.len()),
        };
        if let Some((at, replaced)) = &run.replaced {
            let points: f64 = run.hits_of(replaced).iter().map(Hit::sum).sum();
            let at = *at;
            if let Some(score) = run.scores.get_mut(at) {
                *score = points;
            }
        }
        run
    }

    /// A memory.
    pub fn memory(&self, at: usize) -> Option<&Memory> {
        match &self.replaced {
            Some((replaced, by)) if *replaced == at => Some(by.memory),
            _ => self.memories.get(at).map(Arc::as_ref),
        }
    }

    /// The places at which a replaced memory has the words of the task.
    pub fn hits_of(&self, replaced: &Replaced<'_>) -> Vec<Hit> {
        let counts = |term: &str| {
            let number = replaced.terms.names.get(term)?;
            let known = &replaced.counts;
            let at = known.binary_search_by_key(&number, |(number, _)| *number);
            known.get(at.ok()?).map(|(_, counts)| *counts)
        };
        self.query.hits_in(self.index, &replaced.lengths, &counts)
    }

    /// Judges a memory independently of all others.
    pub fn judge(&self, at: usize) -> Option<Judged> {
        let memory = self.memory(at)?;
        let is_replaced = self.replaced.as_ref().is_some_and(|(of, _)| *of == at);
        let own = match is_replaced {
            true => importance(memory).map(|(level, _)| level),
            false => self.index.level(at),
        };
        let points = self.scores.get(at).copied().unwrap_or_default();
        let score = weighted(points, own);
        // A format that knows no importance has nothing below the least.
        let knows = memory.schema.role(Role::Importance).is_some();
        let least = self.least.filter(|_| knows);
        let enough = least.is_none_or(|(least, _)| own.is_some_and(|own| own >= least - 1e-6));
        let reason = match memory.state {
            State::Archived => Reason::Archived,
            State::Active if !counts(memory) => Reason::Invisible,
            State::Active if memory.is_expired(self.now) => Reason::Expired,
            State::Active if !enough => Reason::BelowImportance,
            State::Active if points > 0.0 => Reason::Selected,
            State::Active => Reason::NoMatch,
        };
        Some(Judged {
            memory: at,
            score,
            rank: None,
            reason,
            missing: 0,
            tokens: None,
        })
    }

    /// The best of all memories, at most so many: by their points and where those are level by
    /// place; last those that cannot have any.
    pub fn ranked(&self, most: usize) -> Vec<Judged> {
        let key = |at: usize| {
            // Most memories need not be looked at: there may be many, far from each other.
            let is_plain = self.least.is_none() && self.replaced.is_none() && self.index.may(at);
            if is_plain {
                let points = self.scores.get(at).copied().unwrap_or_default();
                let score = weighted(points, self.index.level(at));
                return Some((false, Reverse(millionths(score)), at));
            }
            let judged = self.judge(at)?;
            let never = matches!(
                judged.reason,
                Reason::Archived | Reason::Invisible | Reason::Expired
            );
            Some((never, Reverse(millionths(judged.score)), at))
        };
        let mut keys: Vec<_> = (0..self.memories.len()).filter_map(key).collect();
        if most < keys.len() {
            keys.select_nth_unstable(most);
            keys.truncate(most);
        }
        keys.sort_unstable();
        let judged = |(_, _, at)| self.judge(at);
        keys.into_iter().filter_map(judged).collect()
    }
}

/// Points with what the importance adds.
fn weighted(points: f64, level: Option<f64>) -> f64 {
    points * (1.0 + FOR_IMPORTANCE * level.unwrap_or_default())
}

/// A score that can be compared: what differs in less is level.
#[expect(clippy::cast_possible_truncation, reason = "far below 2^63")]
fn millionths(score: f64) -> i64 {
    (score * 1e6).round() as i64
}

/// Selected memories, and the prompt they make.
pub struct Chosen {
    /// The prompt.
    pub prompt: String,
    /// Points of the last selected one, if every place is taken.
    pub last: Option<f64>,
    count: usize,
}

impl Chosen {
    /// Gives each memory that may be selected its place, or the reason why it has none.
    pub fn choose(
        run: &Run<'_>,
        ranked: &mut [Judged],
        limits: &Limits,
        texts: &dyn Texts,
    ) -> Self {
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        let room = limits.budget.map(|budget| budget.saturating_mul(4));
        let mut chosen = Self {
            prompt: String::new(),
            count: 0,
            last: None,
        };
        for judged in ranked {
            if judged.reason != Reason::Selected {
                continue;
            }
            if chosen.count >= places {
                judged.reason = Reason::OverLimit;
                continue;
            }
            let Some(memory) = run.memory(judged.memory) else {
                continue;
            };
            let block = whole::block(memory, texts);
            let head = match chosen.prompt.is_empty() {
                true => whole::HEAD,
                false => "",
            };
            let length = chosen.prompt.len() + head.len() + block.len();
            if let Some(room) = room.filter(|room| length > *room) {
                judged.reason = Reason::OverBudget;
                judged.missing = tokens_of(length - room);
                continue;
            }
            chosen.prompt.push_str(head);
            chosen.prompt.push_str(&block);
            chosen.count += 1;
            chosen.last = Some(judged.score);
            judged.rank = Some(chosen.count);
            judged.tokens = Some(tokens_of(block.len()));
        }
        chosen.last = chosen.last.filter(|_| chosen.count == places);
        chosen
    }
}
