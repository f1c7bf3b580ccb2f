//! The policy of RUM: recall. An agent asks by id, by file, by a query or by filters, and says
//! how deep (formats: rum, "Retrieval"; `rum-memory-schema`, "Memory Lifecycle").
//!
//! Counting an access is the system's own affair: nothing here writes.

mod ask;
mod prompt;
mod recall;
mod word_weights;

use std::sync::Arc;

use crate::retrieval::{Asked, Policy, Preview, Scorer, Snapshot, Verdict};
use ask::Ask;
use recall::Recall;

/// The policy.
pub static RUM: Policy = Policy {
    dialects: &["rum", "spec"],
    flags: &[
        "id", "file", "query", "type", "agent-id", "success", "since", "before", "depth", "links",
        "max",
    ],
    check: ask::check,
    goes_by_task: |dialect| dialect == "spec",
    touch_days: Some(30),
    literal_files: true,
    skill: Some(include_str!("../../../assets/skill/rum.md")),
    ..Policy::new("rum", |memories| Box::new(RumScorer(memories)))
};

/// The policy at work on a snapshot.
struct RumScorer(Snapshot);

impl Scorer for RumScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let ask = Ask::new(asked.task, asked.limits);
        let recall = Recall::new(&self.0, &ask, asked.what_if);
        let order = recall.order();
        let places = (1..).zip(&order);
        let verdicts = |place: (usize, &recall::Place)| recall.verdict(place);
        let (selected, rest): (Vec<_>, Vec<_>) =
            places.partition(|(n, (is_out, ..))| !is_out && *n <= ask.places);
        let selected: Vec<Verdict> = selected.into_iter().filter_map(verdicts).collect();
        let rest = rest.into_iter();
        let rejected: Vec<Verdict> = match asked.wanted {
            Some(wanted) => {
                let wanted = rest.filter(|(_, (.., index))| wanted.contains(index));
                wanted.filter_map(verdicts).collect()
            }
            None => rest
                .take(asked.limits.rejected)
                .filter_map(verdicts)
                .collect(),
        };
        // Who asks about single memories has no use for the prompt.
        let returned = selected.iter().filter(|_| asked.wanted.is_none());
        let returned = returned.filter_map(|verdict| recall.memory(verdict.memory));
        Arc::new(Preview {
            policy: "rum",
            dialect: if ask.is_ranked { "spec" } else { "rum" },
            rejected_total: self.0.len() - selected.len(),
            prompt: prompt::prompt(returned, &ask, asked.texts),
            selected,
            rejected,
            places: Some(ask.places),
            ..Preview::default()
        })
    }
}
