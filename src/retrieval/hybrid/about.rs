//! Which memories a prompt is about, by evidence that means the same in every store.
//!
//! The evidence for a memory is its score by the policy `hybrid`: the sum of what each word of the
//! prompt earns there. A word's worth comes from how rare it is in texts at large, so the sum says
//! the same in a store of five as in one of five thousand, and a further word never lowers it. The
//! best memory decides whether the prompt is about anything.
//!
//! ```text
//! all heads ─> the 128 best, where there are more ─> their bodies ─> evidence ─> those near the best
//! ```

use std::sync::Arc;

use itertools::Itertools as _;

use super::background::Background;
use super::postings::Index;
use super::query::Query;
use crate::memory::{Memory, Role, State};
use crate::retrieval::{Snapshot, Task, Texts};

/// Least evidence of the best memory. Chosen by `cargo bench --bench hook` on stores whose repositories
/// were left out of the table of words.
pub const FLOOR: f64 = 10.0;

/// Least number of words of the prompt that the best memory has.
const LEAST_WORDS: usize = 2;

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
    /// Ranks the memories of a store, by the words that a table has. Archived, unreadable and expired
    /// ones are left out.
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

    /// The different words of the prompt that a memory has, whole.
    pub fn words(&self, memory: usize) -> Vec<&str> {
        let Ok(at) = self.places.binary_search(&memory) else {
            return Vec::new();
        };
        let index = &self.index;
        let found = self.query.hits(index, &index.lengths(at), |variant| {
            index.counts(at, variant.number)
        });
        let words = found
            .iter()
            .filter_map(|hit| self.query.words.get(hit.word));
        let mut words: Vec<&str> = words.map(|word| &*word.whole).collect();
        words.dedup();
        words
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
