//! Which memories match a prompt, whatever else their system selects them for.
//!
//! A system may select by recency, and a pattern may match every text (`auth|`) or a part of a word
//! (`api` in `capital`). Someone who works on such a store wants that; an agent that is handed
//! memories with each prompt only gets noise.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::hybrid::about::{Ranked, handed_out};
use super::hybrid::background::Background;
use super::{Limits, Match, Scorer, Snapshot, Task, Texts};

/// A prompt that no pattern matches unless it matches any text.
const UNRELATED: &str = "xyzzy";

/// Number of memories without a place whose patterns are looked at, the best first.
const OTHERS: usize = 64;

/// The memories of a store that match a prompt, by index: the prompt is about them, or a pattern of
/// theirs matches words of it. None where their system selects nothing for the prompt.
pub fn relevant(
    memories: &Snapshot,
    scorer: impl Fn(Snapshot) -> &'static dyn Scorer,
    (task, limits): (&Task, &Limits),
    texts: &dyn Texts,
) -> BTreeSet<usize> {
    // Memories that match every prompt may have taken the places of others.
    let limits = &Limits {
        rejected: OTHERS,
        no_hints: true,
        ..limits.clone()
    };
    let preview = scorer(Arc::clone(memories)).preview(task, limits, None, texts);
    if preview.selected.is_empty() {
        return BTreeSet::new();
    }
    let found = Ranked::new(memories, task, texts, Background::default()).all;
    let given = handed_out(found.iter().copied());
    let found = found.iter().take(given);
    let mut relevant: BTreeSet<usize> = found.map(|about| about.memory).collect();
    if preview.selected.iter().all(|one| one.matched.is_none()) {
        return relevant;
    }
    let all = preview.selected.iter().chain(&preview.rejected);
    let prompt = task.text.to_lowercase();
    let met = all.filter(|one| one.matched.as_ref().is_some_and(|of| begins(of, &prompt)));
    let met: Vec<usize> = met.map(|one| one.memory).collect();
    let unrelated = Task {
        text: UNRELATED.to_owned(),
        ..task.clone()
    };
    let own = met.iter().filter_map(|at| memories.get(*at).cloned());
    let own = scorer(Arc::new(own.collect())).preview(&unrelated, limits, None, texts);
    let any_text = own.selected.iter().chain(&own.rejected);
    let any_text = any_text.filter(|one| one.matched.is_some());
    let any_text = any_text.filter_map(|one| met.get(one.memory));
    let any_text: BTreeSet<&usize> = any_text.collect();
    relevant.extend(met.iter().filter(|at| !any_text.contains(at)));
    relevant
}

/// True if a pattern matches from the beginning of a word of a prompt in lower case.
fn begins(found: &Match, prompt: &str) -> bool {
    let hit = found.hit.trim().to_lowercase();
    let begins_word = |at: usize| {
        let before = prompt.get(..at).and_then(|text| text.chars().next_back());
        before.is_none_or(|c| !c.is_alphanumeric())
    };
    let mut hits = prompt.match_indices(&hit);
    !hit.is_empty() && hits.any(|(at, _)| begins_word(at))
}
