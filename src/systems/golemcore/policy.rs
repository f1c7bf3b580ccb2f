//! The policy of golemcore's Memory V2: what its retrieval collects, scores, reranks, selects and
//! packs, step by step (formats: golemcore, "Retrieval, step by step").

mod candidate;
mod hint;
mod order;
mod pack;
mod plan;
mod score;
mod select;
mod tokenizer;

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::memory::Memory;
use crate::retrieval::{
    Asked, Limits, Policy, Preview, Reason, Scorer, Snapshot, Task, Texts, Verdict, memory_at,
};
use crate::systems::golemcore::config::{Config, MODES, STYLES};
use crate::systems::golemcore::scope;
use candidate::{Facts, Standing};
use plan::Plan;
use score::{Points, Tokens, Words};
use select::{Candidate, Selection};

/// The policy.
pub struct Golemcore;

impl Policy for Golemcore {
    fn name(&self) -> &'static str {
        "golemcore"
    }

    fn dialects(&self) -> &'static [&'static str] {
        &[]
    }

    fn skill(&self) -> Option<&'static str> {
        Some(include_str!("../../../assets/skill/golemcore.md"))
    }

    /// Its hint names tools that expand a section.
    fn for_other_agents(&self) -> &'static [(&'static str, &'static str)] {
        &[("disclosure.toolExpansionEnabled", "false")]
    }

    fn flags(&self) -> &'static [&'static str] {
        &["max", "budget", "skill", "scope", "mode", "style"]
    }

    fn check(&self, name: &str, value: &str) -> Result<(), String> {
        let words = |words: &[&str]| format!("one of {}", words.join(", "));
        let good = match name {
            "skill" => true,
            "scope" => value.split(',').all(|scope| scope::known(scope).is_some()),
            "mode" => Config::accepts("disclosure.mode", value),
            "style" => Config::accepts("disclosure.promptStyle", value),
            _ => false,
        };
        let hint = || match name {
            "scope" => scope::FORMS.to_owned(),
            "mode" => words(&MODES.map(|(word, _)| word)),
            "style" => words(&STYLES.map(|(word, _)| word)),
            _ => format!("no such setting; there are {}", self.flags().join(", ")),
        };
        if good { Ok(()) } else { Err(hint()) }
    }

    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        Box::new(GolemcoreScorer {
            memories,
            index: None,
            last: Mutex::new(None),
        })
    }
}

/// The policy at work on a snapshot.
struct GolemcoreScorer {
    memories: Snapshot,
    index: Option<Vec<Read>>,
    /// The last selection: the rows on the screen ask right after the preview.
    last: Mutex<Option<(Task, Limits, Arc<Selection>)>>,
}

/// One preview at work: the task, and what stands for each memory.
struct Run<'a> {
    memories: &'a [Arc<Memory>],
    plan: Plan,
    words: Words,
    index: Option<&'a [Read]>,
    what_if: Option<(usize, &'a Memory)>,
    texts: &'a dyn Texts,
}

impl Run<'_> {
    fn memory(&self, index: usize) -> Option<&Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    /// A memory as it was read for the index; one that is replaced is read anew.
    fn with_read<T>(&self, at: usize, then: impl FnOnce(&Read) -> Option<T>) -> Option<T> {
        let replaced = self.what_if.is_some_and(|(replaced, _)| replaced == at);
        match self.index.filter(|_| !replaced) {
            Some(index) => then(index.get(at)?),
            None => then(&read(self.memory(at)?, self.texts)),
        }
    }

    /// The candidates among all memories, in no order.
    fn candidates(&self) -> Vec<Candidate> {
        if !self.plan.config.enabled {
            return Vec::new();
        }
        let look = |at: usize| {
            self.with_read(at, |(facts, tokens)| {
                self.plan.stands(facts).ok()?;
                Some(self.candidate(at, facts, &self.words.points(tokens)))
            })
        };
        (0..self.memories.len())
            .into_par_iter()
            .with_min_len(256)
            .filter_map(look)
            .collect()
    }

    fn candidate(&self, at: usize, facts: &Facts, points: &Points) -> Candidate {
        let score = self.plan.score(facts, points).total;
        Candidate {
            memory: at,
            score,
            key: score,
            boost: points.boost(&self.plan.config),
            stamp: facts.stamp,
            place: self.plan.place(facts),
            number: facts.number,
            layer: facts.layer,
            scope: self.plan.scope_number(&facts.scope),
        }
    }

    /// Selects memories, in the order of the pack, before the budget.
    fn select(&self) -> Selection {
        let mut all = self.candidates();
        order::rerank(&mut all, &self.plan.config);
        let identity = |at: usize| self.memory(at).and_then(candidate::identity);
        select::select(all, &self.plan, &identity)
    }

    /// The verdict on a memory, without its rank.
    fn verdict(&self, at: usize, reason: Reason) -> Option<Verdict> {
        let mut verdict = Verdict::of(at, self.memory(at)?, reason);
        self.with_read(at, |(facts, tokens)| {
            if self.plan.stands(facts).is_ok() && self.plan.config.enabled {
                let points = self.words.points(tokens);
                let score = self.plan.score(facts, &points);
                verdict.score = Some(score.total);
                verdict.factors = self.plan.factors(facts, &points, &score);
            }
            Some(verdict)
        })
    }

    /// Why a memory is not selected: what the filter says, else what the selection does.
    fn refusal(&self, at: usize, selection: &Selection) -> Reason {
        if !self.plan.config.enabled {
            return Reason::Disabled;
        }
        let standing = self.with_read(at, |(facts, _)| Some(self.plan.stands(facts)));
        match standing.unwrap_or(Err(Standing::Skipped)) {
            Err(standing) => standing.reason(),
            Ok(()) if selection.twin(at).is_some() => Reason::Duplicate,
            Ok(()) => Reason::OverLimit,
        }
    }
}

/// The facts and the tokens of a memory.
type Read = (Facts, Tokens);

fn read(memory: &Memory, texts: &dyn Texts) -> Read {
    let facts = Facts::of(memory);
    // A memory that is never a candidate needs no words.
    let tokens = match facts.standing {
        Some(_) => Tokens::default(),
        None => Tokens::new(memory, &texts.body(memory).unwrap_or_default()),
    };
    (facts, tokens)
}

impl GolemcoreScorer {
    fn run<'a>(
        &'a self,
        task: &'a Task,
        limits: &Limits,
        what_if: Option<(usize, &'a Memory)>,
        texts: &'a dyn Texts,
    ) -> Run<'a> {
        let plan = Plan::new(task, limits);
        Run {
            memories: &self.memories,
            words: Words::new(&task.text, plan.skill.as_deref()),
            plan,
            index: self.index.as_deref(),
            what_if,
            texts,
        }
    }
}

impl GolemcoreScorer {
    /// Selection for a task.
    fn selection(&self, run: &Run<'_>, task: &Task, limits: &Limits) -> Arc<Selection> {
        if run.what_if.is_some() {
            return Arc::new(run.select());
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, of, selection)) = &*last
            && (known, of) == (task, limits)
        {
            return selection.clone();
        }
        let selection = Arc::new(run.select());
        *last = Some((task.clone(), limits.clone(), selection.clone()));
        selection
    }
}

impl Scorer for GolemcoreScorer {
    fn index(&mut self, texts: &dyn Texts) {
        let memories = self.memories.par_iter();
        self.index = Some(memories.map(|memory| read(memory, texts)).collect());
    }

    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let Asked {
            task,
            limits,
            what_if,
            texts,
            ..
        } = *asked;
        let run = self.run(task, limits, what_if, texts);
        let selection = self.selection(&run, task, limits);
        let mut pack = pack::Pack::new(&run.plan.config);
        let mut dropped = Vec::new();
        let mut selected = Vec::new();
        let mut written = 0;
        for candidate in &selection.chosen {
            let Some(memory) = run.memory(candidate.memory) else {
                continue;
            };
            let body = texts.body(memory).unwrap_or_default();
            let taken = pack.take(memory, &body, candidate.score);
            let reason = match taken {
                Ok(_) => Reason::Selected,
                Err(_) => Reason::OverBudget,
            };
            let Some(mut verdict) = run.verdict(candidate.memory, reason) else {
                continue;
            };
            verdict.tokens = pack::tokens(memory, &body);
            match taken {
                Ok(is_written) => {
                    written += usize::from(is_written);
                    if !is_written {
                        verdict.hint = Some(pack.unwritten());
                    }
                    verdict.rank = Some(selected.len() + 1);
                    selected.push(verdict);
                }
                Err(missing) => {
                    let (tokens, score) = (verdict.tokens, candidate.score);
                    verdict.hint = Some(hint::over_budget(missing, tokens, score, &pack));
                    dropped.push(verdict);
                }
            }
        }
        let prompt = if selection.chosen.is_empty() {
            String::new()
        } else {
            pack.render()
        };
        // Errors in the system's own settings, with their position.
        let faults = limits.options.get("fault").unwrap_or_default().lines();
        let faults = faults.map(|fault| fault.to_owned().into());
        let total = self.memories.len() - selected.len();
        let said = if run.plan.config.enabled {
            pack.said(&selection, written, self.memories.len())
        } else {
            "memories are switched off: the setting `enabled` is false".to_owned()
        };
        Arc::new(Preview {
            parts: Vec::new(),
            policy: "golemcore",
            dialect: "",
            rejected: run.rejected(&selection, &selected, dropped, limits.rejected),
            rejected_total: total,
            prompt,
            skill: None,
            budget: Some(run.plan.config.soft).filter(|_| run.plan.config.enabled),
            places: Some(run.plan.config.top_k.iter().sum()),
            notes: std::iter::once(said.into()).chain(faults).collect(),
            selected,
        })
    }

    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let run = self.run(task, limits, None, texts);
        let selection = self.selection(&run, task, limits);
        let one = |at: &usize| {
            let rank = selection.chosen.iter().position(|one| one.memory == *at);
            let reason = match rank {
                Some(_) => Reason::Selected,
                None => run.refusal(*at, &selection),
            };
            let mut verdict = run.verdict(*at, reason)?;
            verdict.rank = rank.map(|rank| rank + 1);
            if rank.is_none() {
                hint::explain(&run, &selection, &mut verdict);
            }
            Some(verdict)
        };
        wanted.iter().filter_map(one).collect()
    }
}

impl Run<'_> {
    /// The best of those that are not selected, at most so many: by score, then by place; last
    /// those that have none.
    fn rejected(
        &self,
        selection: &Selection,
        selected: &[Verdict],
        dropped: Vec<Verdict>,
        most: usize,
    ) -> Vec<Verdict> {
        if most == 0 {
            return Vec::new();
        }
        let mut left: Vec<(usize, Option<f64>)> = Vec::with_capacity(self.memories.len());
        let mut scores = vec![None; self.memories.len()];
        for candidate in selection.all() {
            if let Some(place) = scores.get_mut(candidate.memory) {
                *place = Some(candidate.score);
            }
        }
        let is_in = |at: usize| selected.iter().any(|verdict| verdict.memory == at);
        left.extend(scores.into_iter().enumerate().filter(|(at, _)| !is_in(*at)));
        let best = |a: &(usize, Option<f64>), b: &(usize, Option<f64>)| {
            let score = |one: Option<f64>| one.unwrap_or(f64::NEG_INFINITY);
            score(b.1).total_cmp(&score(a.1)).then(a.0.cmp(&b.0))
        };
        if most < left.len() {
            left.select_nth_unstable_by(most, best);
            left.truncate(most);
        }
        left.par_sort_unstable_by(best);
        let one = |(at, _): &(usize, Option<f64>)| {
            if let Some(known) = dropped.iter().find(|verdict| verdict.memory == *at) {
                return Some(known.clone());
            }
            let mut verdict = self.verdict(*at, self.refusal(*at, selection))?;
            hint::explain(self, selection, &mut verdict);
            Some(verdict)
        };
        left.par_iter().filter_map(one).collect()
    }
}

#[cfg(test)]
mod tests;
