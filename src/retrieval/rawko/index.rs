//! Finds the memories whose patterns may match a text without looking at the others: one
//! automaton over the literal text of all patterns, read once per task.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use rayon::prelude::*;

use super::Dialect;
use super::near::Near;
use super::pattern::{self, Reading, SearchText};
use super::phrase;
use crate::memory::{Role, Value};
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

/// What a pattern is looked for by.
enum Key {
    Literal(String),
    Stem(String),
    Always,
}

impl Index {
    /// Builds the index of a snapshot.
    pub fn build(memories: &Snapshot) -> Self {
        let keys: Vec<Vec<Key>> = memories
            .par_iter()
            .map(|memory| {
                let patterns = memory
                    .role(Role::Patterns)
                    .into_iter()
                    .flat_map(Value::items);
                patterns
                    .flat_map(|pattern| pattern.as_str().map_or_else(|| vec![Key::Always], keys_of))
                    .collect()
            })
            .collect();
        let mut literals: HashMap<String, u32> = HashMap::new();
        let (mut of_literal, mut always) = (Vec::<Vec<u32>>::new(), Vec::new());
        let mut of_stem: HashMap<String, Vec<u32>> = HashMap::new();
        for (memory, keys) in (0_u32..).zip(keys) {
            for key in keys {
                let list = match key {
                    Key::Always => &mut always,
                    Key::Stem(stem) => of_stem.entry(stem).or_default(),
                    Key::Literal(literal) => {
                        let next = literals.len();
                        let at = *literals
                            .entry(literal)
                            .or_insert_with(|| u32::try_from(next).unwrap_or(u32::MAX));
                        if of_literal.len() == next && literals.len() > next {
                            of_literal.push(Vec::new());
                        }
                        match of_literal.get_mut(at as usize) {
                            Some(list) => list,
                            None => &mut always,
                        }
                    }
                };
                if list.last() != Some(&memory) {
                    list.push(memory);
                }
            }
        }
        let mut ordered: Vec<(String, u32)> = literals.into_iter().collect();
        ordered.sort_unstable_by_key(|(_, at)| *at);
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(ordered.iter().map(|(literal, _)| literal))
            .ok();
        if automaton.is_none() {
            // Too many literals for an automaton: every memory is a candidate.
            always = (0_u32..).take(memories.len()).collect();
        }
        for list in of_literal.iter_mut().chain(of_stem.values_mut()) {
            list.shrink_to_fit();
        }
        Self {
            automaton,
            of_literal,
            of_stem,
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
