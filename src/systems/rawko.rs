//! The policy of rawko: a memory is injected where one of its `whenToUse` patterns matches the
//! task, the best scored first (SPEC-0007 and SPEC-0009; formats: rawko).

pub mod pattern;

mod fault;
mod grams;
mod hint;
mod judge;
mod prepared;
mod prompt;
mod score;
mod select;

use std::sync::Arc;

use rayon::prelude::*;

use crate::retrieval::phrase::Lexicon;
use crate::retrieval::{
    Asked, Limits, Policy, Preview, RANKED_BY, Reason, Scorer, Snapshot, Task, Texts, Verdict,
};
use hint::Goal;
use judge::{Judge, Judged};
use prepared::Prepared;
pub use prompt::{Cut, cut, cuts};
use select::{Chosen, Field, Last, TOGETHER};

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

impl Dialect {
    /// All of them, the default first.
    const ALL: [Self; 4] = [Self::Natural, Self::Arbiter, Self::Unified, Self::Sdk];

    /// Their names.
    const NAMES: [&str; 4] = {
        let [a, b, c, d] = Self::ALL;
        [a.name(), b.name(), c.name(), d.name()]
    };

    /// The dialect with this name; the default where there is none.
    pub fn named(name: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|dialect| dialect.name() == name)
            .unwrap_or(Self::Natural)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Arbiter => "arbiter",
            Self::Unified => "unified",
            Self::Sdk => "sdk",
        }
    }
}

/// The policy.
pub struct Rawko;

impl Policy for Rawko {
    fn name(&self) -> &'static str {
        "rawko"
    }

    fn dialects(&self) -> &'static [&'static str] {
        &Dialect::NAMES
    }

    fn skill(&self) -> Option<&'static str> {
        Some(include_str!("../../assets/skill/rawko.md"))
    }

    fn flags(&self) -> &'static [&'static str] {
        RANKED_BY
    }

    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        Box::new(RawkoScorer {
            memories,
            matcher: pattern::Matcher::default(),
            prepared: Vec::new(),
            last: Last::default(),
        })
    }
}

/// The policy at work on a snapshot.
struct RawkoScorer {
    memories: Snapshot,
    matcher: pattern::Matcher,
    /// Empty until many previews are asked for.
    prepared: Vec<Prepared>,
    last: Last,
}

impl Scorer for RawkoScorer {
    fn index(&mut self, _texts: &dyn Texts) {
        self.prepared = Prepared::all(&self.memories);
    }

    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let Asked {
            task,
            limits,
            what_if,
            texts,
            ..
        } = *asked;
        let judge = Judge::new(task, limits, &self.matcher);
        let known = (&self.memories, &*self.prepared);
        let field = Field::new(known, what_if, &judge, (limits, &self.last));
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        let mut chosen = Chosen::new(&judge, limits.budget);
        let mut left = Vec::new();
        for judged in field.ranked() {
            if chosen.verdicts.len() >= places {
                break;
            }
            let memory = field.memory(judged.memory);
            if let Some(missing) = memory.and_then(|memory| chosen.take(memory, judged, texts)) {
                left.push(judged.clone().over_budget(missing));
            }
        }
        let goal = Goal {
            places,
            last: chosen.last(places),
        };
        let rejected = field.rejected(&chosen.verdicts, left, limits.rejected);
        let rejected = rejected.par_iter().with_min_len(TOGETHER);
        let verdict = |lexicon: &mut Lexicon, judged: &Judged| {
            let memory = field.memory(judged.memory)?;
            Some(hint::verdict(judged, memory, &judge, &goal, lexicon))
        };
        let rejected = rejected.map_init(Lexicon::default, verdict);
        let rejected: Vec<Verdict> = rejected.flatten_iter().collect();
        Arc::new(Preview {
            parts: Vec::new(),
            policy: "rawko",
            dialect: judge.dialect.name(),
            rejected_total: self.memories.len() - chosen.verdicts.len(),
            rejected,
            selected: chosen.verdicts,
            prompt: chosen.prompt,
            skill: None,
            budget: limits.budget,
            places: Some(places),
            notes: Vec::new(),
        })
    }

    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        _texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let judge = Judge::new(task, limits, &self.matcher);
        let known = (&self.memories, &*self.prepared);
        let field = Field::new(known, None, &judge, (limits, &self.last));
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        let ranked: Vec<&Judged> = field.ranked().take(places).collect();
        let last = ranked.last().filter(|_| ranked.len() >= places);
        let goal = Goal {
            places,
            last: last.and_then(|last| Some((last.score?, last.memory))),
        };
        let mut lexicon = Lexicon::default();
        let verdict = |index: &usize| {
            let memory = self.memories.get(*index)?;
            if let Some(at) = ranked.iter().position(|judged| judged.memory == *index) {
                let verdict = judge.verdict(memory, ranked.get(at)?);
                return Some(Verdict {
                    rank: Some(at + 1),
                    ..verdict
                });
            }
            let judged = field.judged(*index, &mut lexicon)?;
            let judged = match judged.reason {
                Reason::Selected => judged.over_limit(),
                _ => judged,
            };
            Some(hint::verdict(&judged, memory, &judge, &goal, &mut lexicon))
        };
        wanted.iter().filter_map(verdict).collect()
    }
}
