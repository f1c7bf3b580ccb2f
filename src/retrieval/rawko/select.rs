//! Which memories are in, in which order, and the best of those that are not.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::index::Index;
use super::judge::{Judge, Judged};
use super::near::{Ranked, Scores};
use super::{Dialect, prompt};
use crate::memory::{Memory, tokens_of};
use crate::retrieval::{Reason, Texts, Verdict};

/// The memories a preview is about: the snapshot, with one of them replaced.
pub struct Field<'a> {
    /// The snapshot.
    pub memories: &'a [Arc<Memory>],
    /// Its index, where there is one.
    pub index: Option<&'a Index>,
    /// What stands in the place of one of them.
    pub what_if: Option<(usize, &'a Memory)>,
    /// The scores of all, where there is an index.
    scores: Option<Scores<'a>>,
}

impl<'a> Field<'a> {
    /// The memories for a task.
    pub fn new(
        memories: &'a [Arc<Memory>],
        index: Option<&'a Index>,
        what_if: Option<(usize, &'a Memory)>,
        judge: &'a Judge<'a>,
    ) -> Self {
        Self {
            memories,
            index,
            what_if,
            scores: index.map(|index| index.near.scores(judge)),
        }
    }

    /// The score of a memory as it was read, where that is known without reading it again: none
    /// where the code does not get as far as its patterns.
    fn known_score(&self, index: usize) -> Option<Option<i64>> {
        let is_replaced = self.what_if.is_some_and(|(replaced, _)| replaced == index);
        let scores = self.scores.as_ref().filter(|_| !is_replaced)?;
        Some(scores.of(index))
    }

    /// One of them.
    pub fn memory(&self, index: usize) -> Option<&Memory> {
        match self.what_if {
            Some((replaced, memory)) if replaced == index => Some(memory),
            _ => self.memories.get(index).map(Arc::as_ref),
        }
    }

    /// The memories that match and are important enough, best first.
    pub fn ranked(&self, judge: &Judge<'_>) -> Vec<Judged> {
        let mut matching = self.matching(judge);
        // The sort is stable, and the snapshot is in the order of paths: that breaks the ties.
        matching.sort_by_key(|judged| Reverse(judged.score));
        matching
    }

    fn matching(&self, judge: &Judge<'_>) -> Vec<Judged> {
        let look = |index: usize| {
            let judged = match self.known_score(index) {
                Some(score) => judge.judge_scored(index, self.memory(index)?, score?),
                None => judge.judge(index, self.memory(index)?),
            };
            (judged.reason == Reason::Selected).then_some(judged)
        };
        match self.index {
            Some(index) => {
                let mut candidates = index.candidates(&judge.text);
                let replaced = self.what_if.map(|(replaced, _)| replaced);
                candidates.extend(replaced.filter(|replaced| *replaced < self.memories.len()));
                candidates.sort_unstable();
                candidates.dedup();
                candidates
                    .into_par_iter()
                    .with_min_len(64)
                    .filter_map(look)
                    .collect()
            }
            None => (0..self.memories.len())
                .into_par_iter()
                .filter_map(look)
                .collect(),
        }
    }

    /// The best of those that are not chosen, at most so many, by their score and then their
    /// place; last those that have none. `left` are those of them that match.
    pub fn rejected(
        &self,
        judge: &Judge<'_>,
        chosen: &Chosen<'_>,
        left: Vec<Judged>,
        most: usize,
    ) -> Vec<Judged> {
        if most == 0 {
            return Vec::new();
        }
        let is_chosen = |index: usize| chosen.verdicts.iter().any(|one| one.memory == index);
        let mut others = self.promising(judge, most, &|index| !is_chosen(index));
        if most < others.len() {
            others.select_nth_unstable(most);
            others.truncate(most);
        }
        others.par_sort_unstable();
        let left: HashMap<usize, Judged> = left.into_iter().map(|one| (one.memory, one)).collect();
        let judge_one = |(_, index): &(_, usize)| match left.get(index) {
            Some(judged) => Some(judged.clone()),
            None => Some(judge.judge(*index, self.memory(*index)?)),
        };
        others.par_iter().filter_map(judge_one).collect()
    }

    /// The best scored of the memories that count, whether they match or not; perhaps some more.
    fn promising(
        &self,
        judge: &Judge<'_>,
        most: usize,
        counts: &(dyn Fn(usize) -> bool + Sync),
    ) -> Vec<Ranked> {
        let promise = |index: usize| {
            let memory = self.memory(index).filter(|_| counts(index))?;
            let score = judge.can_judge(memory).then(|| judge.score(memory));
            Some((Reverse(score), index))
        };
        let all = 0..self.memories.len();
        let Some(scores) = self.scores.as_ref().filter(|_| most < all.len()) else {
            return all.into_par_iter().filter_map(promise).collect();
        };
        let replaced = self.what_if.map(|(replaced, _)| replaced);
        let as_read = |index: usize| counts(index) && replaced != Some(index);
        let mut best = scores.best(most, &as_read);
        best.extend(replaced.filter(|at| all.contains(at)).and_then(promise));
        best
    }
}

/// What is selected so far, and the prompt it makes.
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
