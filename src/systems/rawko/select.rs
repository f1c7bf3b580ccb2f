//! Which memories are in, in which order, and the best of those that are not.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::judge::{Judge, Judged};
use super::prepared::Prepared;
use super::{Dialect, prompt};
use crate::memory::{Memory, tokens_of};
use crate::retrieval::phrase::Lexicon;
use crate::retrieval::{Limits, Reason, Snapshot, Task, Texts, Verdict, memory_at};

/// The memories a preview is about, judged: the snapshot, with one of them replaced.
pub struct Field<'a> {
    memories: &'a Snapshot,
    what_if: Option<(usize, &'a Memory)>,
    judge: &'a Judge<'a>,
    prepared: &'a [Prepared],
    /// All memories of the snapshot.
    all: Arc<Ranked>,
    /// The one that stands for another version.
    replaced: Option<Judged>,
}

/// Memories that one thread judges in a row. Fewer are not worth waking another one for, which
/// takes its time where the processors are busy.
pub const TOGETHER: usize = 512;

/// The judged memories of the last task: the screen asks for a preview, for the same with an edit
/// made, and for the verdicts of its rows.
#[derive(Default)]
pub struct Last(Mutex<Option<Answered>>);

/// A task with its limits, and all memories of the snapshot.
type Answered = (Task, Limits, Arc<Ranked>);

/// Judged memories by index, and their indexes with the best first.
#[derive(Default)]
struct Ranked {
    judged: Vec<Judged>,
    order: Vec<usize>,
}

impl Ranked {
    fn at(&self, index: &usize) -> Option<&Judged> {
        self.judged.get(*index)
    }
}

impl<'a> Field<'a> {
    /// The memories for a task; `last` keeps them for the next question about it.
    pub fn new(
        (memories, prepared): (&'a Snapshot, &'a [Prepared]),
        what_if: Option<(usize, &'a Memory)>,
        judge: &'a Judge<'a>,
        (limits, last): (&Limits, &Last),
    ) -> Self {
        let mut field = Self {
            memories,
            what_if: None,
            judge,
            prepared,
            all: Arc::default(),
            replaced: None,
        };
        field.all = field.judge_all((judge.task, limits), last);
        field.what_if = what_if.filter(|(at, _)| *at < memories.len());
        field.replaced = field
            .what_if
            .and_then(|(at, _)| field.judged(at, &mut Lexicon::default()));
        field
    }

    fn judge_all(&self, (task, limits): (&Task, &Limits), last: &Last) -> Arc<Ranked> {
        let mut last = last.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, by, all)) = &*last
            && of == task
            && by == limits
        {
            return Arc::clone(all);
        }
        let all = (0..self.memories.len()).into_par_iter();
        let all = all.with_min_len(TOGETHER);
        let judged = all.map_init(Lexicon::default, |lexicon, at| self.judged(at, lexicon));
        let judged: Vec<Judged> = judged.flatten_iter().collect();
        let mut order: Vec<usize> = (0..judged.len()).collect();
        // The snapshot is in the order of paths: that breaks the ties.
        order.par_sort_by_key(|at| Reverse(judged.get(*at).and_then(|one| one.score)));
        let judged = Arc::new(Ranked { judged, order });
        if !self.prepared.is_empty() {
            *last = Some((task.clone(), limits.clone(), Arc::clone(&judged)));
        }
        judged
    }

    /// One of them.
    pub fn memory(&self, index: usize) -> Option<&Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    /// Judges one of them; that its place is taken by a better one does not count.
    pub fn judged(&self, index: usize, lexicon: &mut Lexicon) -> Option<Judged> {
        let is_replaced = self.what_if.is_some_and(|(replaced, _)| replaced == index);
        let prepared = self.prepared.get(index).filter(|_| !is_replaced);
        let memory = self.memory(index)?;
        Some(self.judge.judge((index, memory), prepared, lexicon))
    }

    /// All of them, best first.
    fn in_order(&self) -> impl Iterator<Item = &Judged> {
        let rank = |one: &Judged| (Reverse(one.score), one.memory);
        let replaced = self.replaced.as_ref();
        let is_other = move |one: &&Judged| replaced.is_none_or(|of| of.memory != one.memory);
        let is_before = |at: &usize| {
            let ranks = self.all.at(at).map(rank).zip(replaced.map(rank));
            ranks.is_some_and(|(one, own)| one < own)
        };
        let at = self.all.order.partition_point(is_before);
        let (before, after) = self.all.order.split_at_checked(at).unwrap_or_default();
        let judged = |at: &usize| self.all.at(at);
        let before = before.iter().filter_map(judged).filter(is_other);
        let after = after.iter().filter_map(judged).filter(is_other);
        before.chain(replaced).chain(after)
    }

    /// The memories that match and are important enough, best first.
    pub fn ranked(&self) -> impl Iterator<Item = &Judged> {
        self.in_order().filter(|one| one.reason == Reason::Selected)
    }

    /// The best of those that are not chosen, at most so many, by their score and then their
    /// place; last those that have none. `left` are those that match and found no room.
    pub fn rejected(&self, chosen: &[Verdict], left: Vec<Judged>, most: usize) -> Vec<Judged> {
        let counts = |one: &&Judged| chosen.iter().all(|other| other.memory != one.memory);
        let left: HashMap<usize, Judged> = left.into_iter().map(|one| (one.memory, one)).collect();
        let settled = |judged: &Judged| match left.get(&judged.memory) {
            Some(left) => left.clone(),
            None if judged.reason == Reason::Selected => judged.clone().over_limit(),
            None => judged.clone(),
        };
        self.in_order()
            .filter(counts)
            .take(most)
            .map(settled)
            .collect()
    }
}

/// The selected memories so far, and the prompt they make.
pub struct Chosen<'a> {
    judge: &'a Judge<'a>,
    budget: Option<usize>,
    /// Those that are in, in the order of the prompt.
    pub verdicts: Vec<Verdict>,
    /// The prompt.
    pub prompt: String,
}

impl<'a> Chosen<'a> {
    /// Nothing yet.
    pub const fn new(judge: &'a Judge<'a>, budget: Option<usize>) -> Self {
        Self {
            judge,
            budget,
            verdicts: Vec::new(),
            prompt: String::new(),
        }
    }

    /// Takes a memory in, or says how many tokens the budget lacks for it.
    pub fn take(&mut self, memory: &Memory, judged: &Judged, texts: &dyn Texts) -> Option<usize> {
        let dialect = self.judge.dialect;
        let body = match dialect {
            Dialect::Natural => texts.body(memory),
            _ => texts.loader_body(memory),
        };
        let section = prompt::section(memory, &body.unwrap_or_default(), dialect);
        let heading = if self.prompt.is_empty() {
            prompt::heading(dialect)
        } else {
            ""
        };
        let bytes = self.prompt.len() + heading.len() + section.len();
        let budget = self.budget.unwrap_or(usize::MAX);
        if tokens_of(bytes) > budget {
            return Some(tokens_of(bytes) - budget);
        }
        self.prompt.push_str(heading);
        self.prompt.push_str(&section);
        let rank = Some(self.verdicts.len() + 1);
        let tokens = tokens_of(section.len());
        self.verdicts.push(Verdict {
            rank,
            tokens,
            ..self.judge.verdict(memory, judged)
        });
        None
    }

    /// Score and index of the last that is in, where every place is taken.
    pub fn last(&self, places: usize) -> Option<(i64, usize)> {
        let last = self.verdicts.last();
        let last = last.filter(|_| self.verdicts.len() >= places)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "scores are small whole numbers"
        )]
        last.score.map(|score| (score as i64, last.memory))
    }
}
