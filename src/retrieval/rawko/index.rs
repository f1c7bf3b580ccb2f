//! Finds the memories whose patterns may match a text without looking at the others: one
//! automaton over the literal text of all patterns, read once per task.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use rayon::prelude::*;

use super::Dialect;
use super::near::Near;
use super::pattern::{self, Reading, SearchText};
use super::phrase;
use crate::memory::{Memory, Role, Value};
use crate::retrieval::Snapshot;

/// Literal text is looked for by its first bytes: that keeps the automaton small, and every
/// candidate is matched in full afterwards.
const KEY: usize = 8;

/// Which memories a text may concern, in any dialect.
pub struct Index {
    automaton: Option<AhoCorasick>,
    /// For each literal of the automaton, the memories that have it.
    of_literal: Vec<Vec<u32>>,
    /// For the longest stem of each phrase, the memories that have it.
    of_stem: HashMap<String, Vec<u32>>,
    /// Memories with a pattern that has no literal text to look for.
    always: Vec<u32>,
    /// What the scores of all memories are made of.
    pub near: Near,
}

/// Memories whose patterns are taken apart before they are put into the lists.
const PIECE: usize = 4096;

/// The lists of an index while it is built.
#[derive(Default)]
struct Lists {
    /// The literals, with their places in `of_literal`.
    literals: HashMap<String, u32>,
    of_literal: Vec<Vec<u32>>,
    of_stem: HashMap<String, Vec<u32>>,
    always: Vec<u32>,
}

impl Lists {
    fn add(&mut self, memory: u32, key: Key) {
        let list = match key {
            Key::Always => &mut self.always,
            Key::Stem(stem) => self.of_stem.entry(stem).or_default(),
            Key::Literal(literal) => {
                let next = self.of_literal.len();
                let at = u32::try_from(next).unwrap_or(u32::MAX);
                let at = *self.literals.entry(literal).or_insert(at) as usize;
                if at == next {
                    self.of_literal.push(Vec::new());
                }
                match self.of_literal.get_mut(at) {
                    Some(list) => list,
                    None => &mut self.always,
                }
            }
        };
        if list.last() != Some(&memory) {
            list.push(memory);
        }
    }
}

/// What a pattern is looked for by.
enum Key {
    Literal(String),
    Stem(String),
    Always,
}

impl Index {
    /// Builds the index of a snapshot.
    pub fn build(memories: &Snapshot) -> Self {
        let mut lists = Lists::default();
        for (piece, number) in memories.chunks(PIECE).zip(0_u32..) {
            let keys: Vec<Vec<Key>> = piece.par_iter().map(|memory| keys(memory)).collect();
            let first = number * u32::try_from(PIECE).unwrap_or_default();
            for (memory, keys) in (first..).zip(keys) {
                keys.into_iter().for_each(|key| lists.add(memory, key));
            }
        }
        let mut literals: Vec<(String, u32)> = lists.literals.into_iter().collect();
        literals.sort_unstable_by_key(|(_, at)| *at);
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(literals.iter().map(|(literal, _)| literal))
            .ok();
        let always = match automaton {
            Some(_) => lists.always,
            // Too many literals for an automaton: every memory is a candidate.
            None => (0..).take(memories.len()).collect(),
        };
        for list in lists
            .of_literal
            .iter_mut()
            .chain(lists.of_stem.values_mut())
        {
            list.shrink_to_fit();
        }
        Self {
            automaton,
            of_literal: lists.of_literal,
            of_stem: lists.of_stem,
            always,
            near: Near::of(memories),
        }
    }

    /// The memories that may match a text, in no order, some twice; those not among them surely
    /// do not, in any dialect.
    pub fn candidates(&self, text: &SearchText) -> Vec<usize> {
        let mut found: Vec<u32> = self.always.clone();
        if let Some(automaton) = &self.automaton {
            let mut seen: Vec<usize> = automaton
                .find_overlapping_iter(&text.lower)
                .map(|hit| hit.pattern().as_usize())
                .collect();
            seen.sort_unstable();
            seen.dedup();
            found.extend(
                seen.into_iter()
                    .filter_map(|literal| self.of_literal.get(literal))
                    .flatten(),
            );
        }
        let stems = text.stems().iter();
        found.extend(
            stems
                .filter_map(|(stem, _)| self.of_stem.get(stem))
                .flatten(),
        );
        found.into_iter().map(|memory| memory as usize).collect()
    }
}

/// What the patterns of a memory are looked for by.
fn keys(memory: &Memory) -> Vec<Key> {
    let patterns = memory.role(Role::Patterns);
    let patterns = patterns.into_iter().flat_map(Value::items);
    patterns
        .flat_map(|pattern| pattern.as_str().map_or_else(|| vec![Key::Always], keys_of))
        .collect()
}

/// What a pattern is looked for by, over all dialects: each reads it in its own way.
fn keys_of(pattern: &str) -> Vec<Key> {
    let normal = pattern::normalized(pattern);
    let mut keys = Vec::new();
    for dialect in [Dialect::Arbiter, Dialect::Unified] {
        match pattern::reading(&normal, dialect) {
            Reading::Alternatives(parts) => keys.extend(parts.into_iter().map(literal)),
            Reading::Substring(part) => keys.push(literal(part)),
            Reading::Wildcard(_) | Reading::Regex(_) => {
                let runs = pattern::required(&normal, dialect).unwrap_or_default();
                keys.push(
                    runs.into_iter()
                        .max_by_key(|run| run.len())
                        .map_or(Key::Always, literal),
                );
            }
        }
    }
    if let Some(stem) =
        phrase::needs(pattern).and_then(|needs| needs.into_iter().max_by_key(String::len))
    {
        keys.push(Key::Stem(stem));
    }
    keys
}

fn literal(text: &str) -> Key {
    let end = (0..=KEY.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or_default();
    match text.get(..end) {
        Some(key) if !key.is_empty() => Key::Literal(key.to_owned()),
        _ => Key::Always,
    }
}
