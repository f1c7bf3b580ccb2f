//! Proposals that say nearly the same: a person decides on them at once.

use super::{Against, Entry};
use crate::text::tokens::{Kind, common, tokens};

/// Share of the words of two texts, and of two titles, from which on they say nearly the same.
const TEXTS: f64 = 0.7;
const TITLES: f64 = 0.8;

/// Words of a title below which it tells too little.
const LEAST: usize = 4;

/// The words of a text, in order, each once.
#[derive(Debug)]
pub struct Words {
    all: Vec<u32>,
    /// Numbers and negations: texts that differ in one do not say the same.
    hard: Vec<u32>,
}

impl Words {
    /// The words of a text.
    pub fn new(text: &str) -> Self {
        let all = tokens(text);
        let is_hard = |kind| matches!(kind, Kind::Number | Kind::Negation);
        let hard = all.iter().filter(|token| is_hard(token.kind));
        let hard = hard.map(|token| token.stem).collect();
        let all = all.iter().map(|token| token.stem).collect();
        let [all, hard] = [all, hard].map(|mut words: Vec<u32>| {
            words.sort_unstable();
            words.dedup();
            words
        });
        Self { all, hard }
    }

    /// True if two texts share so much of their words, and all numbers and negations.
    pub fn is_like(&self, other: &Self, share: f64) -> bool {
        let most = self.all.len().max(other.all.len()) as f64;
        let least = self.all.len().min(other.all.len()) as f64;
        let may_be = most > 0.0 && least >= share * most && self.hard == other.hard;
        may_be && common(&self.all, &other.all) as f64 >= share * most
    }
}

/// Groups of proposals for one store that say nearly the same, by their places among the entries.
pub fn batches<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Vec<usize>> {
    let mut batches: Vec<(&Entry, [Words; 2], Vec<usize>)> = Vec::new();
    for (at, entry) in entries.enumerate() {
        let side = entry.after.as_ref();
        let (Against::Proposal(_), Some(side)) = (&entry.against, side) else {
            continue;
        };
        let words = [&*side.body, &*side.memory.title].map(Words::new);
        let same = batches.iter_mut().find(|(first, [body, title], _)| {
            let of_one = |entry: &Entry| entry.before.as_ref().map(|side| side.memory.id.clone());
            let is_title = title.all.len() >= LEAST && title.is_like(&words[1], TITLES);
            first.id.store == entry.id.store
                && first.kind == entry.kind
                && of_one(first) == of_one(entry)
                && (body.is_like(&words[0], TEXTS) || is_title && body.hard == words[0].hard)
        });
        match same {
            Some((_, _, batch)) => batch.push(at),
            None => batches.push((entry, words, vec![at])),
        }
    }
    let batches = batches.into_iter().map(|(_, _, batch)| batch);
    batches.filter(|batch| batch.len() > 1).collect()
}
