//! Which memories are in, in which order, and the best of those that are not.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::iter;
use std::sync::Arc;

use rayon::prelude::*;

use super::index::{Index, patterns};
use super::judge::{Judge, Judged};
use super::phrase::Lexicon;
use super::scoring::Scoring;
use super::{Dialect, prompt};
use crate::memory::{Memory, Value, tokens_of};
use crate::retrieval::{Reason, Snapshot, Texts, Verdict, memory_at};

/// The memories a preview is about: the snapshot, with one of them replaced.
pub struct Field<'a> {
    memories: &'a Snapshot,
    what_if: Option<(usize, &'a Memory)>,
    judge: &'a Judge<'a>,
    known: Known<'a>,
}

/// What is known of all memories.
enum Known<'a> {
    /// With an index: what it says of all of them.
    Indexed(&'a Index, Arc<Scoring>),
    /// Without: those that were judged, best first.
    Judged(Vec<Judged>),
}

/// Memories that one thread judges in a row. Fewer are not worth waking another one for, which
/// takes its time where the processors are busy.
pub const TOGETHER: usize = 512;

impl<'a> Field<'a> {
    /// The memories for a task; where only the selected are wanted, `few` spares the others.
    pub fn new(
        memories: &'a Snapshot,
        known: Option<(&'a Index, Arc<Scoring>)>,
        what_if: Option<(usize, &'a Memory)>,
        judge: &'a Judge<'a>,
        few: bool,
    ) -> Self {
        let is_known = known.is_some();
        let known = match known {
            Some((index, scoring)) => Known::Indexed(index, scoring),
            None => Known::Judged(Vec::new()),
        };
        let field = Self {
            memories,
            what_if,
            judge,
            known,
        };
        if is_known {
            return field;
        }
        let all = (0..memories.len()).into_par_iter().with_min_len(TOGETHER);
        let judged = all.map_init(Lexicon::default, |lexicon, at| field.judged(at, lexicon));
        let wanted = |judged: &Judged| !few || judged.reason == Reason::Selected;
        let mut judged: Vec<Judged> = judged.flatten_iter().filter(wanted).collect();
        // The snapshot is in the order of paths: that breaks the ties.
        judged.par_sort_by_key(|judged| Reverse(judged.score));
        Self {
            known: Known::Judged(judged),
            ..field
        }
    }

    /// One of them.
    pub fn memory(&self, index: usize) -> Option<&Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    fn is_replaced(&self, index: usize) -> bool {
        self.what_if.is_some_and(|(replaced, _)| replaced == index)
    }

    /// Judges one of them; that its place is taken by a better one does not count.
    pub fn judged(&self, index: usize, lexicon: &mut Lexicon) -> Option<Judged> {
        let memory = self.memory(index)?;
        let known = match &self.known {
            Known::Indexed(patterns, scoring) if !self.is_replaced(index) => {
                let score = scoring.scores.of(index);
                score.map(|score| (score, scoring.hits.decide(patterns, index)))
            }
            _ => None,
        };
        let Some((score, decided)) = known else {
            return Some(self.judge.judge(index, memory, lexicon));
        };
        let decided = decided.map(|(item, kind, at)| {
            let pattern = patterns(memory).nth(item).and_then(Value::as_str);
            (pattern, kind, at)
        });
        Some(self.judge.weigh((index, memory), score, decided))
    }

    /// The memories that match and are important enough, best first.
    pub fn ranked(&self) -> Box<dyn Iterator<Item = Judged> + '_> {
        let is_selected = |judged: &Judged| judged.reason == Reason::Selected;
        let candidates = match &self.known {
            Known::Indexed(_, scoring) => &scoring.candidates,
            Known::Judged(all) => {
                return Box::new(all.iter().filter(move |one| is_selected(one)).cloned());
            }
        };
        let all = candidates.iter().copied();
        let all = all.filter(|(_, Reverse(index))| !self.is_replaced(*index));
        let mut candidates = BinaryHeap::from(all.collect::<Vec<_>>());
        let mut lexicon = Lexicon::default();
        let replaced = self.what_if.map(|(replaced, _)| replaced);
        let replaced = replaced.filter(|at| *at < self.memories.len());
        let replaced = replaced.and_then(|at| self.judged(at, &mut lexicon));
        let key = |one: Judged| Some((one.score?, Reverse(one.memory)));
        candidates.extend(replaced.and_then(key));
        // Only few of them are asked for: the rest need not be put in order.
        let next = move || candidates.pop();
        let judged = iter::from_fn(next)
            .filter_map(move |(_, Reverse(index))| self.judged(index, &mut lexicon));
        Box::new(judged.filter(is_selected))
    }

    /// The best of those that are not chosen, at most so many, by their score and then their
    /// place; last those that have none. `left` are those that match and found no room.
    pub fn rejected(&mut self, chosen: &[Verdict], left: Vec<Judged>, most: usize) -> Vec<Judged> {
        if most == 0 {
            return Vec::new();
        }
        let counts = |index: usize| chosen.iter().all(|one| one.memory != index);
        let left: HashMap<usize, Judged> = left.into_iter().map(|one| (one.memory, one)).collect();
        let settled = |judged: Judged| match left.get(&judged.memory) {
            Some(left) => left.clone(),
            None if judged.reason == Reason::Selected => judged.over_limit(),
            None => judged,
        };
        if let Known::Judged(all) = &mut self.known {
            let all = std::mem::take(all).into_iter();
            let all = all.filter(|one| counts(one.memory)).map(settled);
            return all.take(most).collect();
        }
        let best = self.best(most, &counts);
        let each = best.into_par_iter().with_min_len(TOGETHER);
        each.map_init(Lexicon::default, |lexicon, index| {
            self.judged(index, lexicon).map(settled)
        })
        .flatten_iter()
        .collect()
    }

    /// The best scored of the memories that count, whether they match or not.
    fn best(&self, most: usize, counts: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let Known::Indexed(_, scoring) = &self.known else {
            return Vec::new();
        };
        let mut best = scoring
            .scores
            .best(most, &|index| counts(index) && !self.is_replaced(index));
        let replaced = self.what_if.map(|(replaced, _)| replaced);
        let replaced = replaced.filter(|at| *at < self.memories.len() && counts(*at));
        let judged = replaced.and_then(|at| self.judged(at, &mut Lexicon::default()));
        best.extend(judged.map(|judged| (Reverse(judged.score), judged.memory)));
        best.sort_unstable();
        best.into_iter()
            .map(|(_, index)| index)
            .take(most)
            .collect()
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
