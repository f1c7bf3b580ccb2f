//! The policy of RUM: recall. An agent asks by id, by file, by a query or by filters, and says
//! how deep (formats: rum, "Retrieval"; `rum-memory-schema`, "Memory Lifecycle").
//!
//! Counting an access is the system's own affair: nothing here writes.

mod ask;
mod prompt;
mod rank;
mod verdict;
mod word_weights;

use std::sync::{Arc, OnceLock};

use crate::memory::Memory;
use crate::retrieval::{Asked, Limits, Policy, Preview, Scorer, Snapshot, Task, Texts, Verdict};
use ask::Ask;
use rank::Ranking;
use word_weights::Words;

pub use ask::Depth;

/// Memories that recall returns where nobody says how many (formats: rum).
const DEFAULT_MAX: usize = 5;

/// The policy.
pub struct Rum;

impl Policy for Rum {
    fn name(&self) -> &'static str {
        "rum"
    }

    fn dialects(&self) -> &'static [&'static str] {
        &["rum", "spec"]
    }

    fn skill(&self) -> Option<&'static str> {
        Some(include_str!("../../../assets/skill/rum.md"))
    }

    fn flags(&self) -> &'static [&'static str] {
        &[
            "id", "file", "query", "type", "agent-id", "success", "since", "before", "depth", "max",
        ]
    }

    fn check(&self, name: &str, value: &str) -> Result<(), String> {
        ask::check(name, value)
    }

    fn goes_by_task(&self, dialect: &str) -> bool {
        dialect == "spec"
    }

    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        Box::new(RumScorer {
            memories,
            words: OnceLock::new(),
        })
    }
}

/// The policy at work on a snapshot.
struct RumScorer {
    memories: Snapshot,
    words: OnceLock<Words>,
}

impl RumScorer {
    fn ranking<'a>(
        &'a self,
        ask: &'a Ask<'a>,
        what_if: Option<(usize, &'a Memory)>,
    ) -> Ranking<'a> {
        let words = || self.words.get_or_init(|| Words::of(&self.memories));
        let words = ask.is_ranked().then(words);
        Ranking::new(&self.memories, words, ask, what_if)
    }
}

impl Scorer for RumScorer {
    /// The words, which take more room than all else, are gathered for the dialect that ranks by
    /// them.
    fn index(&mut self, _texts: &dyn Texts) {}

    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let Asked {
            task,
            limits,
            what_if,
            texts,
            ..
        } = *asked;
        let ask = Ask::new(task, limits);
        let ranking = self.ranking(&ask, what_if);
        let chosen = ranking.selected();
        let selected: Vec<Verdict> = chosen
            .iter()
            .enumerate()
            .filter_map(|(n, index)| ranking.verdict(*index, Some(n + 1)))
            .collect();
        let memories = chosen.iter().filter_map(|index| ranking.memory(*index));
        let prompt = prompt::prompt(memories, &ask, texts);
        let rejected = ranking.rejected(limits.rejected);
        Arc::new(Preview {
            policy: "rum",
            dialect: ask.dialect,
            rejected_total: self.memories.len() - selected.len(),
            rejected: rejected
                .into_iter()
                .filter_map(|(index, place)| ranking.verdict(index, place))
                .collect(),
            selected,
            prompt,
            skill: None,
            budget: None,
            places: Some(ask.places()),
            parts: Vec::new(),
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
        let ask = Ask::new(task, limits);
        let ranking = self.ranking(&ask, None);
        let place = |index: usize| ranking.place(index);
        wanted
            .iter()
            .filter_map(|index| ranking.verdict(*index, place(*index)))
            .collect()
    }
}
