//! memkeep's own policy, for the store of any system: the memories whose words are most those of
//! the task.
//!
//! ```text
//! task ─> words, split and stemmed ─> terms that stand for them (short forms, look-alikes)
//!                                        │ rarity
//! memories ─> terms by place ─> lists ───┴─> points, place by place (BM25F) ─> + importance
//! ```
//!
//! The weights are the same for every store. They were tuned on public questions and notes
//! (`cargo bench --bench lint_quality` prints how well it does there).

pub mod about;
mod index;
mod like;
mod part;
mod query;
mod select;
mod verdict;
mod words;

use std::sync::{Arc, OnceLock};

use self::index::Index;
use self::query::Query;
use self::select::{Chosen, Judged, Run};
use self::verdict::Goal;
use super::{
    Asked, Limits, Policy, Preview, RANKED_BY, Reason, Scorer, Snapshot, Task, Texts, Verdict,
};
use crate::memory::schema::{IMPORTANCE, Kind};
use crate::memory::{Memory, Role};

/// Memories that are selected where nobody says how many.
const DEFAULT_MAX: usize = 5;

/// The part of its points that a memory of the highest importance gets on top of them: enough
/// to decide between two that say as much about the task.
const FOR_IMPORTANCE: f64 = 0.1;

/// The name of the policy, and of the dialect that stands for it.
pub const HYBRID: &str = "hybrid";

/// The policy.
pub struct Hybrid;

impl Policy for Hybrid {
    fn name(&self) -> &'static str {
        HYBRID
    }

    fn dialects(&self) -> &'static [&'static str] {
        &[]
    }

    fn flags(&self) -> &'static [&'static str] {
        RANKED_BY
    }

    fn gives_texts(&self) -> bool {
        false
    }

    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        Box::new(HybridScorer {
            memories,
            index: OnceLock::new(),
        })
    }
}

/// The policy at work on a snapshot.
struct HybridScorer {
    memories: Snapshot,
    index: OnceLock<Index>,
}

/// How important a memory is, 0 to 1, and its own word for it; none where it does not say.
fn importance(memory: &Memory) -> Option<(f64, String)> {
    let spec = memory.schema.role(Role::Importance)?;
    let value = memory.field(spec.name)?;
    let level = match spec.kind {
        Kind::Choice(words) => {
            let own = value.as_str()?;
            let at = words.iter().position(|word| *word == own)?;
            at as f64 / words.len().saturating_sub(1).max(1) as f64
        }
        Kind::Number(from, to) => {
            let own: f64 = value.to_string().parse().ok()?;
            (own - from) / (to - from)
        }
        _ => return None,
    };
    let level = Some(level).filter(|level| level.is_finite());
    level.map(|level| (level.clamp(0.0, 1.0), value.to_string()))
}

/// The level of a word of importance, 0 to 1: the words stand a third apart.
fn level(word: &str) -> Option<f64> {
    let at = IMPORTANCE.iter().position(|known| *known == word)?;
    Some(at as f64 / (IMPORTANCE.len() - 1) as f64)
}

impl HybridScorer {
    fn index_of(&self, texts: &dyn Texts) -> &Index {
        self.index
            .get_or_init(|| Index::build(&self.memories, texts))
    }
}

impl Scorer for HybridScorer {
    fn index(&mut self, texts: &dyn Texts) {
        self.index_of(texts);
    }

    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let Asked {
            task,
            limits,
            what_if,
            texts,
            ..
        } = *asked;
        let index = self.index_of(texts);
        let query = Query::of(task, index);
        let run = Run::new(
            &self.memories,
            (index, &query),
            (task, limits),
            what_if,
            texts,
        );
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        // A memory that does not fit or is not important enough leaves its place to any later one.
        let skips = limits.budget.is_some() || run.least.is_some();
        let most = match skips {
            true => usize::MAX,
            false => places.saturating_add(limits.rejected),
        };
        let mut ranked = run.ranked(most);
        let chosen = Chosen::choose(&run, &mut ranked, limits, texts);
        let goal = Goal {
            places,
            last: chosen.last,
        };
        let (selected, mut rejected): (Vec<Judged>, Vec<Judged>) = ranked
            .into_iter()
            .partition(|judged| judged.reason == Reason::Selected);
        rejected.truncate(limits.rejected);
        Arc::new(Preview {
            parts: Vec::new(),
            policy: "hybrid",
            dialect: "",
            rejected: run.verdicts(&rejected, &goal),
            rejected_total: self.memories.len() - selected.len(),
            selected: run.verdicts(&selected, &goal),
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
        texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let index = self.index_of(texts);
        let query = Query::of(task, index);
        let run = Run::new(&self.memories, (index, &query), (task, limits), None, texts);
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        let may = |judged: &&Judged| judged.reason == Reason::Selected;
        let first = run.ranked(usize::MAX);
        let first: Vec<&Judged> = first.iter().filter(may).take(places).collect();
        let goal = Goal {
            places,
            last: first
                .last()
                .map(|last| last.score)
                .filter(|_| first.len() == places),
        };
        let judged = wanted.iter().filter_map(|at| {
            let mut judged = run.judge(*at)?;
            let place = first.iter().position(|first| first.memory == *at);
            judged.rank = place.map(|place| place + 1);
            if judged.reason == Reason::Selected && place.is_none() {
                judged.reason = Reason::OverLimit;
            }
            Some(judged)
        });
        let judged: Vec<Judged> = judged.collect();
        run.verdicts(&judged, &goal)
    }
}
