//! Which memories a prompt is about, by a measure that means the same in every store.
//!
//! The points of [`super::Hybrid`] grow with the store and with the prompt, so they cannot say
//! "nothing fits". The share of the prompt's words that a memory has, each word weighted by its
//! rarity, can: a prompt about another project consists of words that the store does not know.
//!
//! ```text
//! titles, descriptions, names, tags ─> index ─> 32 best candidates ─> their bodies ─> share of the prompt
//!         └─ more than 512 memories: those with the rarest words of the prompt (`sieve`)
//! ```
//!
//! Bodies are read for the candidates only: a store of 10,000 notes costs little more than its list.

mod sieve;

use std::collections::HashMap;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation as _;

use self::sieve::Sieved;
use super::index::{Index, rarity_of};
use super::part::{Counts, Terms};
use super::query::{Query, Wanted};
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
/// unreadable memories are left out.
pub fn about(memories: &Snapshot, prompt: &Task, texts: &dyn Texts) -> Vec<About> {
    let all = memories.iter().enumerate();
    let all = all.filter(|(_, memory)| is_current(memory, prompt));
    let current: Vec<(usize, &Arc<Memory>)> = all.collect();
    let sieved = Sieved::new(&current, prompt);
    let places = sieved.memories.iter().filter_map(|at| current.get(*at));
    let (places, some): (Vec<usize>, Vec<Arc<Memory>>) =
        places.map(|(at, memory)| (*at, Arc::clone(memory))).unzip();
    let mut found = ranked(&Arc::new(some), prompt, texts, &sieved);
    for about in &mut found {
        about.memory = places.get(about.memory).copied().unwrap_or_default();
    }
    found
}

/// [`about`] for the memories that passed the sieve. The share of a memory is its best for the whole
/// prompt or for one of its sentences, so that text around a question does not lower it.
fn ranked(memories: &Snapshot, prompt: &Task, texts: &dyn Texts, sieved: &Sieved) -> Vec<About> {
    let index = Index::build(memories, &Heads);
    let mut read = Candidates::default();
    let mut best: HashMap<usize, (About, f64)> = HashMap::new();
    let parts = std::iter::once(&*prompt.text).chain(sentences(&prompt.text));
    for text in parts {
        let part = Task {
            text: text.to_owned(),
            ..prompt.clone()
        };
        let query = Query::of(&part, &index);
        for (about, score) in covered(&query, memories, (&index, sieved), (texts, &mut read)) {
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
    covered.into_iter().map(|(about, _)| about).collect()
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

/// Terms of the memories that were read so far: those of the head and those of the whole memory, by
/// index.
#[derive(Default)]
struct Candidates {
    terms: Terms,
    found: HashMap<usize, (Found, Found)>,
}

/// The share of a query's words that each of the best candidates covers, and the candidate's score.
fn covered(
    query: &Query,
    memories: &Snapshot,
    (index, sieved): (&Index, &Sieved),
    (texts, read): (&dyn Texts, &mut Candidates),
) -> Vec<(About, f64)> {
    let weights = query.words.iter().enumerate();
    let weights: Vec<f64> = weights
        .map(|(word, wanted)| weight(wanted, index, sieved, word))
        .collect();
    let all: f64 = weights.iter().sum();
    let scores = query.scores(index, memories.len());
    let mut candidates: Vec<(usize, f64)> = scores.into_iter().enumerate().collect();
    candidates.retain(|(_, score)| *score > 0.0);
    candidates.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    candidates.truncate(CANDIDATES);
    let Candidates { terms, found } = read;
    let covered = candidates.into_iter().filter_map(|(at, score)| {
        let memory = memories.get(at)?;
        let (head, whole) = found.entry(at).or_insert_with(|| {
            let head = Found::new(memory, &Heads, terms);
            (head, Found::new(memory, texts, terms))
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
                about.words.push(word.whole().into());
            }
        }
        Some((about, score))
    });
    covered.collect()
}

fn is_current(memory: &Memory, prompt: &Task) -> bool {
    memory.state == State::Active && memory.hidden.is_none() && !memory.is_expired(prompt.now)
}

/// Weight of a word of the prompt: what it says by itself, times its rarity in the store.
fn weight(word: &Wanted, index: &Index, sieved: &Sieved, number: usize) -> f64 {
    let Some(own) = word.variants.first() else {
        return 0.0;
    };
    let term = own.number.unwrap_or(u32::MAX);
    let has = index.having_count(term).max(sieved.having(number));
    let rarity = index.rarity(term);
    match rarity > 0.0 {
        true => own.points / rarity * rarity_of(has, sieved.total.max(LEAST_MEMORIES)),
        false => 0.0,
    }
}

/// The terms of one memory.
struct Found(Vec<(u32, Counts)>);

impl Found {
    fn new(memory: &Memory, texts: &dyn Texts, terms: &mut Terms) -> Self {
        Self(terms.of(memory, texts).0)
    }

    fn has(&self, term: &str, terms: &Terms) -> bool {
        let number = terms.names.get(term);
        number.is_some_and(|number| {
            self.0
                .binary_search_by_key(&number, |(term, _)| *term)
                .is_ok()
        })
    }
}

/// How well a memory has a word: 1 for the word itself, less for what stands for it.
fn cover(word: &Wanted, found: &Found, terms: &Terms) -> f64 {
    let own = word.variants.first().map_or(0.0, |own| own.points);
    let has = word
        .variants
        .iter()
        .filter(|variant| found.has(&variant.term, terms));
    let worth = has.map(|variant| if own > 0.0 { variant.points / own } else { 0.0 });
    worth.fold(0.0, f64::max).min(1.0)
}
