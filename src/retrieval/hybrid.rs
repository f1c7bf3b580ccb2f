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
pub mod background;
mod postings;
mod query;
mod ranking;
mod terms;
pub mod words;

use std::sync::{Arc, OnceLock};

use self::background::Background;
use self::postings::Index;
use self::ranking::{Judged, Ranking};
use super::{Asked, Policy, Preview, RANKED_BY, Reason, Scorer, Snapshot, Verdict, whole};
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, tokens_of};

/// Memories that are selected where nobody says how many.
const DEFAULT_MAX: usize = 5;

/// The part of its points that a memory of the highest importance gets on top of them: enough
/// to decide between two that say as much about the task.
const FOR_IMPORTANCE: f64 = 0.1;

/// The name of the policy, and of the dialect that stands for it.
pub const HYBRID: &str = "hybrid";

/// The policy.
pub static POLICY: Policy = Policy {
    flags: RANKED_BY,
    gives_texts: false,
    ..Policy::new(HYBRID, |memories| {
        Box::new(HybridScorer {
            memories,
            index: OnceLock::new(),
        })
    })
};

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
        Kind::Number((from, to)) => {
            let own: f64 = value.to_string().parse().ok()?;
            (own - from) / (to - from)
        }
        _ => return None,
    };
    let level = Some(level).filter(|level| level.is_finite());
    level.map(|level| (level.clamp(0.0, 1.0), value.to_string()))
}

/// Gives each memory that may be selected its place, or the reason why it has none; returns the
/// prompt.
fn choose(ranking: &Ranking<'_>, all: &mut [Judged], places: usize, asked: &Asked<'_>) -> String {
    let room = asked.limits.budget.map(|budget| budget.saturating_mul(4));
    let mut prompt = String::new();
    let mut count = 0;
    for judged in all.iter_mut().filter(|one| one.reason == Reason::Selected) {
        if count >= places {
            judged.reason = Reason::OverLimit;
            continue;
        }
        let Some(memory) = ranking.memory(judged.memory) else {
            continue;
        };
        let block = whole::block(memory, asked.texts);
        let head = if prompt.is_empty() { whole::HEAD } else { "" };
        let length = prompt.len() + head.len() + block.len();
        if let Some(room) = room.filter(|room| length > *room) {
            judged.reason = Reason::OverBudget;
            judged.missing = tokens_of(length - room);
            continue;
        }
        prompt.push_str(head);
        prompt.push_str(&block);
        count += 1;
        judged.rank = Some(count);
        judged.tokens = Some(tokens_of(block.len()));
    }
    prompt
}

impl Scorer for HybridScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let limits = asked.limits;
        let places = limits.max.unwrap_or(DEFAULT_MAX);
        let build = || Index::build(&self.memories, asked.texts, Background::default());
        let ranking = Ranking::new(&self.memories, self.index.get_or_init(build), asked);
        let mut all = ranking.judged();
        let prompt = choose(&ranking, &mut all, places, asked);
        let is_in = |one: &Judged| one.reason == Reason::Selected;
        let (selected, mut rejected): (Vec<Judged>, Vec<Judged>) = all.into_iter().partition(is_in);
        match asked.wanted {
            Some(wanted) => rejected.retain(|one| wanted.contains(&one.memory)),
            None => rejected.truncate(limits.rejected),
        }
        let last = selected.last().map(|one| one.score);
        let goal = (places, last.filter(|_| selected.len() == places));
        let verdicts = |all: &[Judged]| -> Vec<Verdict> {
            let verdicts = all.iter().map(|one| ranking.verdict(one, goal));
            verdicts.flatten().collect()
        };
        Arc::new(Preview {
            policy: HYBRID,
            rejected: verdicts(&rejected),
            rejected_total: self.memories.len() - selected.len(),
            selected: verdicts(&selected),
            prompt,
            budget: limits.budget,
            places: Some(places),
            ..Preview::default()
        })
    }
}
