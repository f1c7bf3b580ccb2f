//! Texts that say nearly the same.

use crate::text::shingles::common;
use crate::text::tokens::{Kind, tokens};

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
