//! Which memories of a large store are worth an index: those that have the rarest words of a prompt,
//! found by one automaton over all titles, descriptions, names and tags.

use std::sync::Arc;

use aho_corasick::AhoCorasick;
use rayon::prelude::*;

use super::super::index::{Index, rarity_of};
use super::super::query::{MOST, Query};
use crate::memory::{Memory, Role, Value};
use crate::retrieval::Task;

/// Number of memories that are indexed. A smaller store is indexed whole.
const INDEXED: usize = 512;

/// Memories that one thread takes at a time.
const PIECE: usize = 1024;

/// The words of a prompt that one memory has, a bit for each.
type Words = [u64; MOST / 64];

/// The memories that are indexed.
pub struct Sieved {
    /// By index, ascending.
    pub memories: Vec<usize>,
    /// Number of memories of the store.
    pub total: usize,
    /// For each word of the prompt, the number of memories that have it; empty where all memories
    /// are indexed.
    counts: Vec<u32>,
}

impl Sieved {
    /// Chooses the memories.
    pub fn new(memories: &[(usize, &Arc<Memory>)], prompt: &Task) -> Self {
        let total = memories.len();
        let all = || Self {
            memories: (0..total).collect(),
            total,
            counts: Vec::new(),
        };
        if total <= INDEXED {
            return all();
        }
        let query = Query::of(prompt, &Index::default());
        let needles = query.words.iter().enumerate().flat_map(|(word, wanted)| {
            let variants = wanted.variants.iter();
            variants.map(move |variant| (word, needle(&variant.term)))
        });
        let (owners, needles): (Vec<usize>, Vec<&str>) = needles.unzip();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(needles);
        let Ok(automaton) = automaton else {
            return all();
        };
        let pieces = memories.par_chunks(PIECE).flat_map_iter(|piece| {
            let words = piece
                .iter()
                .map(|(_, memory)| words(memory, &automaton, &owners));
            words.collect::<Vec<Words>>()
        });
        let found: Vec<Words> = pieces.collect();
        let mut counts = vec![0_u32; query.words.len()];
        for words in &found {
            for (word, count) in counts.iter_mut().enumerate() {
                *count += u32::from(has(words, word));
            }
        }
        let rarities: Vec<f64> = counts.iter().map(|has| rarity_of(*has, total)).collect();
        let score = |words: &Words| -> f64 {
            let own = rarities
                .iter()
                .enumerate()
                .filter(|(word, _)| has(words, *word));
            own.map(|(_, rarity)| rarity).sum()
        };
        let scores = found.iter().map(score).enumerate();
        let mut scores: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
        scores.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        scores.truncate(INDEXED);
        let mut memories: Vec<usize> = scores.into_iter().map(|(at, _)| at).collect();
        memories.sort_unstable();
        Self {
            memories,
            total,
            counts,
        }
    }

    /// Number of memories that have a word of the prompt, where not all of them are indexed.
    pub fn having(&self, word: usize) -> u32 {
        self.counts.get(word).copied().unwrap_or_default()
    }
}

/// The part of a stem that every form of the word has: `happi` stands for `happy`.
fn needle(term: &str) -> &str {
    let term = term.trim_start_matches('/');
    match term.char_indices().next_back() {
        Some((last, _)) if term.len() > 4 => term.get(..last).unwrap_or(term),
        _ => term,
    }
}

fn words(memory: &Memory, automaton: &AhoCorasick, owners: &[usize]) -> Words {
    let mut found = Words::default();
    let field = |role| memory.role(role).into_iter().flat_map(Value::items);
    let fields = field(Role::Description).chain(field(Role::Tags));
    let fields = fields.filter_map(Value::as_str);
    for text in fields.chain([&*memory.title, &*memory.id.local]) {
        for hit in automaton.find_overlapping_iter(text) {
            let word = owners.get(hit.pattern().as_usize()).copied();
            let word = word.unwrap_or_default();
            if let Some(bits) = found.get_mut(word / 64) {
                *bits |= 1 << (word % 64);
            }
        }
    }
    found
}

fn has(words: &Words, word: usize) -> bool {
    let bits = words.get(word / 64).copied().unwrap_or_default();
    bits & (1 << (word % 64)) != 0
}
