//! Which memories a prompt is about, by a measure that means the same in every store.
//!
//! The points of [`super::Hybrid`] grow with the store and with the prompt, so they cannot say
//! "nothing fits". The share of the prompt's words that a memory has, each word weighted by its
//! rarity, can: a prompt about another project consists of words that the store does not know.
//!
//! ```text
//! titles, descriptions, names, tags ─> index ─> 32 best candidates ─> their bodies ─> share of the prompt
//! ```
//!
//! Bodies are read for the candidates only: a store of 10,000 notes costs little more than its list.

use std::collections::HashMap;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation as _;

use super::index::{Index, rarity_of};
use super::query::{Query, Wanted};
use super::terms::{Counted, Terms};
use crate::memory::{Memory, Role, State};
use crate::retrieval::{Snapshot, Task, Texts};

/// Least share of a prompt that a memory has to cover. Calibrated on public Claude Code stores by
/// `cargo bench --bench hook -- CORPUS`: at this floor prompts made of descriptions find their topic
/// and prompts made of other projects' descriptions find nothing.
pub const FLOOR: f64 = 0.45;

/// Least number of different words of the prompt that a memory has to have.
pub const LEAST_WORDS: usize = 2;

/// Number of candidates whose bodies are read.
const CANDIDATES: usize = 32;

/// Largest number of memories of a store that `memkeep hook` hands out because of a prompt.
pub const HANDED_OUT: usize = 3;

/// Number of sentences at each end of a long prompt that are also scored on their own.
const SENTENCES: usize = 8;

/// Worth of a word that only the body has, beside one of the title, description, name or tags.
const IN_BODY: f64 = 0.5;

/// Least number of memories that rarity is computed for: in a store of three every word is frequent.
const LEAST_MEMORIES: usize = 50;

/// The share of a prompt that one memory covers.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// Index of the memory in the snapshot.
    pub memory: usize,
    /// Weighted share of the prompt's words that it has, 0 to 1.
    pub share: f64,
    /// The different words of the prompt that it has, whole.
    pub words: Vec<Box<str>>,
}

impl About {
    /// True if the prompt is about the memory.
    pub fn is_above_floor(&self) -> bool {
        self.share >= FLOOR && self.words.len() >= LEAST_WORDS
    }
}

/// Texts without bodies: the title where no field holds it.
struct Heads;

impl Texts for Heads {
    fn body(&self, memory: &Memory) -> Option<String> {
        let has_title = memory.role(Role::Title).is_some();
        (!has_title).then(|| format!("# {}", memory.title))
    }
}

/// The memories that have words of a prompt, the one that covers most of it first. Archived and
/// unreadable memories are left out. The share of a memory is its best for the whole prompt or for one
/// of its sentences, so that text around a question does not lower it.
pub fn about(memories: &Snapshot, prompt: &Task, texts: &dyn Texts) -> Vec<About> {
    let is_current = |memory: &Memory| {
        memory.state == State::Active && memory.hidden.is_none() && !memory.is_expired(prompt.now)
    };
    let current = memories.iter().enumerate();
    let current = current.filter(|(_, memory)| is_current(memory));
    let (places, current): (Vec<usize>, Vec<Arc<Memory>>) =
        current.map(|(at, memory)| (at, Arc::clone(memory))).unzip();
    let mut candidates = Candidates {
        index: Index::build(&current, &Heads),
        memories: &current,
        texts,
        terms: Terms::default(),
        read: HashMap::new(),
    };
    let mut best: HashMap<usize, (About, f64)> = HashMap::new();
    for text in std::iter::once(&*prompt.text).chain(sentences(&prompt.text)) {
        let part = Task {
            text: text.to_owned(),
            ..prompt.clone()
        };
        for (about, score) in candidates.covered(&part) {
            let known = best.get(&about.memory);
            if known.is_none_or(|(known, _)| known.share < about.share) {
                best.insert(about.memory, (about, score));
            }
        }
    }
    let mut covered: Vec<(About, f64)> = best.into_values().collect();
    covered.sort_by(|(one, points), (other, others)| {
        let by_points = others.total_cmp(points).then(one.memory.cmp(&other.memory));
        other.share.total_cmp(&one.share).then(by_points)
    });
    let place = |(about, _): (About, f64)| About {
        memory: places.get(about.memory).copied().unwrap_or_default(),
        ..about
    };
    covered.into_iter().map(place).collect()
}

/// The sentences of a prompt, without those in the middle if there are many. Empty if the prompt is
/// one sentence.
fn sentences(prompt: &str) -> Vec<&str> {
    let lines = prompt.lines().flat_map(str::unicode_sentences);
    let mut all: Vec<&str> = lines.map(str::trim).filter(|one| !one.is_empty()).collect();
    if all.len() > 2 * SENTENCES {
        all.drain(SENTENCES..all.len() - SENTENCES);
    }
    match all.len() {
        1 => Vec::new(),
        _ => all,
    }
}

/// The memories that a prompt may be about.
struct Candidates<'a> {
    memories: &'a [Arc<Memory>],
    /// Their titles, descriptions, names and tags.
    index: Index,
    texts: &'a dyn Texts,
    terms: Terms,
    /// The terms of the head and of the whole of each that was read, by index.
    read: HashMap<usize, (Counted, Counted)>,
}

impl Candidates<'_> {
    /// The share of a prompt that each of the best candidates covers, and the candidate's score.
    fn covered(&mut self, prompt: &Task) -> Vec<(About, f64)> {
        let query = Query::of(prompt, &self.index);
        let weights = query.words.iter().map(|word| self.weight(word));
        let weights: Vec<f64> = weights.collect();
        let all: f64 = weights.iter().sum();
        let scores = query.scores(&self.index).into_iter().enumerate();
        let mut best: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
        best.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        best.truncate(CANDIDATES);
        let (terms, texts) = (&mut self.terms, self.texts);
        let covered = best.into_iter().filter_map(|(at, score)| {
            let memory = self.memories.get(at)?;
            let (head, whole) = self.read.entry(at).or_insert_with(|| {
                let head = terms.of(memory, &Heads);
                (head, terms.of(memory, texts))
            });
            let mut about = About {
                memory: at,
                share: 0.0,
                words: Vec::new(),
            };
            for (word, weight) in query.words.iter().zip(&weights) {
                let worth = cover(word, head, terms).max(IN_BODY * cover(word, whole, terms));
                about.share += worth * weight / all;
                if worth > 0.0 {
                    about.words.push(word.whole.clone());
                }
            }
            Some((about, score))
        });
        covered.collect()
    }

    /// Weight of a word of the prompt: what it says by itself, times its rarity in the store.
    fn weight(&self, word: &Wanted) -> f64 {
        let Some(own) = word.variants.first() else {
            return 0.0;
        };
        let rarity = self.index.rarity(own.number);
        let total = self.memories.len().max(LEAST_MEMORIES);
        let has = self.index.having(own.number).len();
        match rarity > 0.0 {
            true => own.points / rarity * rarity_of(has, total),
            false => 0.0,
        }
    }
}

/// How well a memory has a word: 1 for the word itself, less for what stands for it.
fn cover(word: &Wanted, found: &Counted, terms: &Terms) -> f64 {
    let own = word.variants.first().map_or(0.0, |own| own.points);
    let variants = word.variants.iter();
    let has = variants.filter(|variant| found.get(terms.names.get(&variant.term)).is_some());
    let worth = has.map(|variant| if own > 0.0 { variant.points / own } else { 0.0 });
    worth.fold(0.0, f64::max).min(1.0)
}
