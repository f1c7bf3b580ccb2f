//! Words in the text of a memory: as they stand, or with gaps inside one word of the text.
//! Fuzzy matching over a whole text would find every word everywhere.

use super::rank::CLOSE;
use super::word::{Kind, MOST, Word};

/// The rank of a word that stands in the text, and of one that begins there.
const INSIDE: u32 = CLOSE + 800;
const BEGINS: u32 = CLOSE + MOST;
/// The highest rank of a match with gaps: a loose one.
const GAPS: u32 = 700;

/// The rank of a word in a text.
pub(super) fn score(word: &Word, text: &str) -> Option<u32> {
    let trimmed = text.trim();
    match word.kind {
        Kind::Fuzzy => find(word, text).or_else(|| in_one_token(word, text)),
        Kind::Exact => find(word, text),
        Kind::Prefix => strip(word, trimmed.chars()).map(|_| BEGINS),
        Kind::Suffix => {
            let last = word.chars.len().checked_sub(1)?;
            let (from, _) = trimmed.char_indices().rev().nth(last)?;
            strip(word, trimmed.get(from..)?.chars()).map(|_| INSIDE)
        }
        Kind::Whole => (strip(word, trimmed.chars())?.next().is_none()).then_some(BEGINS),
    }
}

/// The rest of a text that begins with the word.
fn strip<I: Iterator<Item = char>>(word: &Word, mut text: I) -> Option<I> {
    let mut all = word.chars.iter();
    let begins = all.all(|n| text.next().is_some_and(|h| word.is_same(h, *n)));
    begins.then_some(text)
}

/// The best place where the word stands in the text.
fn find(word: &Word, text: &str) -> Option<u32> {
    let mut found = None;
    let mut begins = true;
    let mut chars = text.chars();
    loop {
        let here = chars.clone();
        let Some(c) = chars.next() else {
            return found;
        };
        if strip(word, here).is_some() {
            if begins {
                return Some(BEGINS);
            }
            found = Some(INSIDE);
        }
        begins = !c.is_alphanumeric();
    }
}

/// The word with gaps inside one token of the text; the shorter the token, the better.
fn in_one_token(word: &Word, text: &str) -> Option<u32> {
    let most = u32::try_from(word.chars.len()).ok()?;
    let score = |token: &str| {
        let mut needle = word.chars.iter().peekable();
        for c in token.chars() {
            if needle.next_if(|n| word.is_same(c, **n)).is_some() && needle.peek().is_none() {
                let len = u32::try_from(token.chars().count()).unwrap_or(u32::MAX);
                return Some((GAPS.saturating_mul(most) / len.max(1)).clamp(1, GAPS));
            }
        }
        None
    };
    text.split_whitespace().filter_map(score).max()
}

impl Word {
    /// The rank of the word in the text of a memory.
    pub(super) fn score_body(&self, text: &str) -> Option<u32> {
        score(self, text)
    }
}
