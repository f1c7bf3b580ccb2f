//! Which memories a prompt is about, by evidence that means the same in every store.
//!
//! The evidence for a memory is its score by the policy `hybrid`: the sum of what each word of the
//! prompt earns there. A word's worth comes from how rare it is in texts at large, so the sum says
//! the same in a store of five as in one of five thousand, and a further word never lowers it. The
//! best memory decides whether the prompt is about anything.

use std::collections::BTreeSet;
use std::sync::Arc;

use itertools::Itertools as _;

use super::postings::{Background, Index};
use super::query::{Query, Wanted};
use crate::memory::{Memory, Role, State};
use crate::retrieval::{Limits, Match, Scorer, Snapshot, Task, Texts};

/// Least evidence of the best memory. Chosen by `cargo bench --bench hook` on stores whose repositories
/// were left out of the table of words.
pub const FLOOR: f64 = 10.0;

/// Least number of words of the prompt that the best memory has.
pub const LEAST_WORDS: usize = 2;

/// Least part of the best memory's evidence that another one needs.
const NEAR: f64 = 0.6;

/// Largest number of memories of a store that `memkeep hook` hands out because of a prompt.
pub const HANDED_OUT: usize = 3;

/// Number of memories whose bodies are read; of a larger store those with the best heads.
const READ: usize = 128;

/// The evidence that a prompt is about a memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct About {
    /// Index of the memory in the snapshot.
    pub memory: usize,
    /// The points that the words of the prompt earn there.
    pub evidence: f64,
    /// Number of these words.
    pub words: usize,
}

/// A memory that `memkeep hook` may hand out for a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The evidence.
    pub about: About,
    /// The words of the prompt that it has.
    pub has: Vec<String>,
    /// Those that it lacks.
    pub lacks: Vec<String>,
}

/// True if a memory may be handed out because of a prompt: its system loads the index itself.
pub fn is_topic(memory: &Memory) -> bool {
    let index = memory.schema.can.index;
    index.is_none_or(|index| index.local() != &*memory.id.local)
}

/// The evidence that a memory needs beside the others, the best of them first; see [`handed_out`].
pub fn needed(ranked: &[About]) -> f64 {
    let best = ranked.first().map_or(0.0, |best| best.evidence);
    let last = ranked.get(HANDED_OUT - 1).map_or(0.0, |last| last.evidence);
    FLOOR.max(NEAR * best).max(last)
}

/// Number of memories that are handed out, of a list with the best first.
pub fn handed_out(ranked: impl IntoIterator<Item = About>) -> usize {
    let mut ranked = ranked.into_iter().take(HANDED_OUT).peekable();
    let best = ranked.peek().copied();
    let best = best.filter(|best| best.evidence >= FLOOR && best.words >= LEAST_WORDS);
    let is_near = |one: &About| best.is_some_and(|best| one.evidence >= NEAR * best.evidence);
    ranked.take_while(is_near).count()
}

/// Texts without bodies: the title where no field holds it.
struct Heads;

impl Texts for Heads {
    fn body(&self, memory: &Memory) -> Option<String> {
        let has_title = memory.role(Role::Title).is_some();
        (!has_title).then(|| format!("# {}", memory.title))
    }
}

/// The memories of a store that have words of a prompt.
pub struct Ranked {
    index: Index,
    query: Query,
    /// Place in the snapshot of each memory of the index.
    places: Vec<usize>,
    /// Best first.
    pub all: Vec<About>,
}

impl Ranked {
    /// Ranks the memories of a store; archived, unreadable and expired ones are left out.
    pub fn new(
        memories: &Snapshot,
        prompt: &Task,
        texts: &dyn Texts,
        background: Background,
    ) -> Self {
        let is_current = |memory: &Memory| {
            memory.state == State::Active
                && memory.hidden.is_none()
                && !memory.is_expired(prompt.now)
        };
        let current = memories.iter().positions(|memory| is_current(memory));
        let mut places: Vec<usize> = current.collect();
        let of = |places: &[usize]| {
            let own = places.iter().filter_map(|at| memories.get(*at).cloned());
            own.collect::<Vec<Arc<Memory>>>()
        };
        if places.len() > READ {
            let heads = Index::build(&of(&places), &Heads, background);
            let best = best_first(&Query::new(prompt, &heads).scores(&heads));
            let best = best.into_iter().take(READ);
            let best = best.filter_map(|one| places.get(one.memory).copied());
            places = best.sorted_unstable().collect();
        }
        let index = Index::build(&of(&places), texts, background);
        let query = Query::new(prompt, &index);
        let mut all = best_first(&query.scores(&index));
        for about in &mut all {
            about.memory = places.get(about.memory).copied().unwrap_or_default();
        }
        Self {
            index,
            query,
            places,
            all,
        }
    }

    /// Names the memories by these places of a larger snapshot, ascending.
    pub fn rename(&mut self, places: &[usize]) {
        let whole = |own: &mut usize| *own = places.get(*own).copied().unwrap_or_default();
        self.places.iter_mut().for_each(whole);
        let all = self.all.iter_mut().map(|about| &mut about.memory);
        all.for_each(whole);
    }

    /// A memory with the different words of the prompt that it has and lacks, whole.
    pub fn candidate(&self, about: About) -> Candidate {
        let index = &self.index;
        let hits = self.places.binary_search(&about.memory).map(|at| {
            let counts = |number| index.counts(at, number);
            let lengths = index.lengths(at);
            self.query
                .hits(index, &lengths, |variant| counts(variant.number))
        });
        let hits = hits.unwrap_or_default();
        let words = self.query.words.iter().enumerate();
        let is_hit = |(n, _): &(usize, _)| hits.iter().any(|hit| hit.word == *n);
        let (has, lacks): (Vec<_>, Vec<_>) = words.partition(is_hit);
        let whole = |words: Vec<(usize, &Wanted)>| {
            let words = words.into_iter().map(|(_, word)| word.whole.to_string());
            words.unique().collect::<Vec<String>>()
        };
        let (has, mut lacks) = (whole(has), whole(lacks));
        lacks.retain(|word| !has.contains(word));
        Candidate { about, has, lacks }
    }
}

/// Scores by index, those above zero, the best first.
fn best_first(scores: &[(f64, usize)]) -> Vec<About> {
    let scores = scores.iter().copied().enumerate();
    let about = |(memory, (evidence, words))| About {
        memory,
        evidence,
        words,
    };
    let mut all: Vec<About> = scores.map(about).filter(|one| one.evidence > 0.0).collect();
    all.sort_by(|one, other| {
        let by_evidence = other.evidence.total_cmp(&one.evidence);
        by_evidence.then(one.memory.cmp(&other.memory))
    });
    all
}

/// A prompt that no pattern matches unless it matches any text.
const UNRELATED: &str = "xyzzy";

/// Number of memories without a place whose patterns are looked at, the best first.
const OTHERS: usize = 64;

/// The memories of a store that match a prompt, by index; none where their system selects nothing.
/// A system may select by recency, and a pattern may match every text (`auth|`) or a part of a word
/// (`api` in `capital`): an agent that is handed memories with each prompt would only get noise.
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
