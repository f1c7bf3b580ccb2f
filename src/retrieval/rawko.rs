//! The policy of rawko: a memory is injected where one of its `whenToUse` patterns matches the
//! task, the best scored first (SPEC-0007 and SPEC-0009; formats: rawko).

pub mod pattern;

mod hint;
mod index;
mod judge;
mod phrase;
mod prompt;
mod score;

use std::sync::Arc;

use rayon::prelude::*;

use super::{Limits, Policy, Preview, Reason, Scorer, Snapshot, Task, Texts, Verdict};
use crate::memory::{Memory, tokens_of};
use index::Index;
use judge::{Judge, Judged};
pub use phrase::meaning;
pub use prompt::{KEPT, cut};

/// Memories that are injected where nobody says how many.
pub const DEFAULT_MAX: usize = 5;

/// Which code or reading of the specs decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `arbiter`, and phrases match by their meaning; every memory of a file counts.
    Natural,
    /// The code of SPEC-0007.
    Arbiter,
    /// Matching and prompt of SPEC-0009.
    Unified,
    /// `arbiter` with the differences of the real code.
    Sdk,
}

/// Names of the dialects, the default first.
const DIALECTS: [(&str, Dialect); 4] = [
    ("natural", Dialect::Natural),
    ("arbiter", Dialect::Arbiter),
    ("unified", Dialect::Unified),
    ("sdk", Dialect::Sdk),
];

impl Dialect {
    /// The dialect with this name; the default where there is none.
    pub fn named(name: &str) -> Self {
        DIALECTS
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(Self::Natural, |(_, dialect)| *dialect)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        DIALECTS
            .iter()
            .find(|(_, dialect)| *dialect == self)
            .map_or("natural", |(name, _)| name)
    }
}

/// The policy.
pub struct Rawko;

impl Policy for Rawko {
    fn name(&self) -> &'static str {
        "rawko"
    }

    fn dialects(&self) -> &'static [&'static str] {
        &["natural", "arbiter", "unified", "sdk"]
    }

    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        Box::new(RawkoScorer {
            memories,
            matcher: pattern::Matcher::default(),
            index: None,
        })
    }
}

/// The policy at work on a snapshot.
struct RawkoScorer {
    memories: Snapshot,
    matcher: pattern::Matcher,
    index: Option<Index>,
}

impl Scorer for RawkoScorer {
    fn index(&mut self) {
        self.index = Some(Index::build(&self.memories));
    }

    fn preview(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Preview {
        let judge = Judge::new(task, limits, &self.matcher);
        let field = Field {
            memories: &self.memories,
            index: self.index.as_ref(),
            what_if,
        };
        let mut matching = field.matching(&judge);
        // The sort is stable, and the snapshot is in the order of paths: that breaks the ties.
        matching.sort_by_key(|judged| std::cmp::Reverse(judged.score));
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        let mut chosen = Chosen::new(&judge, limits.budget);
        let mut rejected = Vec::new();
        for judged in matching {
            let Some(memory) = field.memory(judged.memory) else {
                continue;
            };
            let out = if chosen.verdicts.len() < places {
                chosen.take(memory, &judged, texts)
            } else {
                Some(Reason::OverLimit)
            };
            rejected.extend(out.map(|reason| Judged { reason, ..judged }));
        }
        let goal = hint::Goal {
            places,
            last: chosen.last_score(places),
        };
        field.near_misses(&judge, &chosen, limits.rejected, &mut rejected);
        let rejected: Vec<Verdict> = rejected
            .par_iter()
            .take(limits.rejected)
            .filter_map(|judged| {
                let memory = field.memory(judged.memory)?;
                let verdict = judge.verdict(memory, judged);
                Some(hint::with_hint(verdict, memory, &judge, &goal))
            })
            .collect();
        Preview {
            policy: "rawko",
            dialect: judge.dialect.name(),
            rejected_total: field.memories.len() - chosen.verdicts.len(),
            rejected,
            tokens: tokens_of(chosen.prompt.len()),
            selected: chosen.verdicts,
            prompt: chosen.prompt,
            skill: None,
            budget: limits.budget,
            places: Some(places),
        }
    }

    fn verdicts(&self, task: &Task, limits: &Limits, wanted: &[usize]) -> Vec<Verdict> {
        let judge = Judge::new(task, limits, &self.matcher);
        let known = wanted
            .iter()
            .filter_map(|index| Some((*index, self.memories.get(*index)?)));
        known
            .map(|(index, memory)| judge.verdict(memory, &judge.judge(index, memory)))
            .collect()
    }
}

/// The memories a preview is about: the snapshot, with one of them replaced.
struct Field<'a> {
    memories: &'a [Arc<Memory>],
    index: Option<&'a Index>,
    what_if: Option<(usize, &'a Memory)>,
}

impl Field<'_> {
    fn memory(&self, index: usize) -> Option<&Memory> {
        match self.what_if {
            Some((replaced, memory)) if replaced == index => Some(memory),
            _ => self.memories.get(index).map(Arc::as_ref),
        }
    }

    /// The memories that match and are important enough, in the order of the snapshot.
    fn matching(&self, judge: &Judge<'_>) -> Vec<Judged> {
        let look = |index: usize| {
            let judged = judge.judge(index, self.memory(index)?);
            (judged.reason == Reason::Selected).then_some(judged)
        };
        match self.index {
            Some(index) => {
                let mut candidates = index.candidates(&judge.text);
                candidates.extend(self.what_if.map(|(replaced, _)| replaced));
                candidates.sort_unstable();
                candidates.dedup();
                candidates.into_iter().filter_map(look).collect()
            }
            None => (0..self.memories.len())
                .into_par_iter()
                .filter_map(look)
                .collect(),
        }
    }

    /// Adds the best of those that do not match, up to `most` rejected in all.
    fn near_misses(
        &self,
        judge: &Judge<'_>,
        chosen: &Chosen<'_>,
        most: usize,
        rejected: &mut Vec<Judged>,
    ) {
        let wanted = most.saturating_sub(rejected.len());
        if wanted == 0 {
            return;
        }
        let mut known: Vec<usize> = chosen
            .verdicts
            .iter()
            .map(|verdict| verdict.memory)
            .collect();
        known.extend(rejected.iter().map(|judged| judged.memory));
        known.sort_unstable();
        let promise = |index: usize| {
            let memory = self.memory(index)?;
            known.binary_search(&index).is_err().then(|| {
                let replaced = self.what_if.is_some_and(|(replaced, _)| replaced == index);
                let facts = self
                    .index
                    .filter(|_| !replaced)
                    .and_then(|table| table.facts(index));
                let score = if judge.can_judge(memory) {
                    judge.score(memory, facts)
                } else {
                    -1
                };
                (std::cmp::Reverse(score), index)
            })
        };
        let mut others: Vec<_> = (0..self.memories.len())
            .into_par_iter()
            .filter_map(promise)
            .collect();
        if wanted < others.len() {
            others.select_nth_unstable(wanted);
            others.truncate(wanted);
        }
        let judge_one = |(_, index): &(_, usize)| Some(judge.judge(*index, self.memory(*index)?));
        let mut judged: Vec<Judged> = others.par_iter().filter_map(judge_one).collect();
        judged.sort_by_key(|judged| (std::cmp::Reverse(judged.score), judged.memory));
        rejected.extend(judged);
    }
}

/// What is selected so far, and the prompt it makes.
struct Chosen<'a> {
    judge: &'a Judge<'a>,
    budget: Option<usize>,
    verdicts: Vec<Verdict>,
    prompt: String,
}

impl<'a> Chosen<'a> {
    const fn new(judge: &'a Judge<'a>, budget: Option<usize>) -> Self {
        Self {
            judge,
            budget,
            verdicts: Vec::new(),
            prompt: String::new(),
        }
    }

    /// Takes a memory in, or says why not.
    fn take(&mut self, memory: &Memory, judged: &Judged, texts: &dyn Texts) -> Option<Reason> {
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
        if self.budget.is_some_and(|budget| tokens_of(bytes) > budget) {
            return Some(Reason::OverBudget);
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

    /// The score to beat, where every place is taken.
    fn last_score(&self, places: usize) -> Option<i64> {
        let last = self
            .verdicts
            .last()
            .filter(|_| self.verdicts.len() >= places)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "scores are small whole numbers"
        )]
        last.score.map(|score| score as i64)
    }
}
