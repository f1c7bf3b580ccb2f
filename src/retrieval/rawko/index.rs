//! Finds the patterns that may match a text without looking at the others: one automaton over
//! the literal text of all patterns, read once per task. Each pattern is held once, however many
//! memories have it.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use rayon::prelude::*;

use super::Dialect;
use super::lists::{Lists, number};
use super::near::Near;
use super::pattern::{self, Reading};
use super::phrase::{self, Lexicon};
use crate::memory::{Memory, Role, Value};
use crate::retrieval::Snapshot;

/// Literal text is looked for by its first bytes: that keeps the automaton small, and every
/// pattern that is found is matched in full afterwards.
const KEY: usize = 8;

/// The number that stands for everything among the patterns that is not text.
pub const NOT_TEXT: u32 = 0;

/// Which patterns a text may concern, in any dialect, and who has them.
pub struct Index {
    pub(super) automaton: Option<AhoCorasick>,
    /// For each literal of the automaton, the patterns that have it.
    pub(super) of_literal: Lists,
    /// The stems that phrases need.
    pub(super) stems: HashMap<Box<str>, u32>,
    /// For each stem, the phrases of which it is the longest.
    pub(super) of_stem: Lists,
    /// Patterns that have no literal text to look for.
    pub(super) always: Vec<u32>,
    /// For each pattern, the stems it needs as a phrase; none where it is no phrase.
    pub(super) needs: Lists,
    /// Where each pattern stands for the first time: the memory, and the place among its own.
    places: Vec<(u32, u32)>,
    /// For each memory, its patterns in their order.
    pub(super) of_memory: Lists,
    /// What the scores of all memories are made of.
    pub near: Near,
}

/// Patterns that are taken apart before they are put into the lists.
const PIECE: usize = 4096;

impl Index {
    /// Builds the index of a snapshot.
    pub fn build(memories: &Snapshot) -> Self {
        let (mut of_memory, mut places) = (Lists::default(), vec![(u32::MAX, 0)]);
        let (mut texts, mut known) = (vec![""], HashMap::new());
        for (memory, number_of) in memories.iter().zip(0..) {
            of_memory.push((0..).zip(patterns(memory)).map(|(item, pattern)| {
                let Some(text) = pattern.as_str() else {
                    return NOT_TEXT;
                };
                *known.entry(text).or_insert_with(|| {
                    texts.push(text);
                    places.push((number_of, item));
                    number(texts.len() - 1)
                })
            }));
        }
        of_memory.shrink();
        places.shrink_to_fit();
        let (mut keys, mut needs) = (Keys::default(), Lists::default());
        for (first, piece) in (0..).step_by(PIECE).zip(texts.chunks(PIECE)) {
            let each = piece.par_iter().with_min_len(64);
            let each = each.map_init(Lexicon::default, |lexicon, text| {
                (keys_of(text), phrase::needs(text, lexicon))
            });
            for (pattern, (own, phrase)) in (first..).zip(each.collect::<Vec<_>>()) {
                own.iter().for_each(|key| keys.add(pattern, key));
                needs.push(keys.add_phrase(pattern, &phrase.unwrap_or_default()));
            }
        }
        Self::of_keys(keys, (of_memory, places, needs), Near::of(memories))
    }

    fn of_keys(
        keys: Keys,
        (of_memory, places, mut needs): (Lists, Vec<(u32, u32)>, Lists),
        near: Near,
    ) -> Self {
        needs.shrink();
        let mut literals: Vec<(String, u32)> = keys.literals.into_iter().collect();
        literals.sort_unstable_by_key(|(_, at)| *at);
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(literals.iter().map(|(literal, _)| literal))
            .ok();
        let always = match automaton {
            Some(_) => keys.always,
            // Too many literals for an automaton: every pattern is looked at.
            None => (0..number(places.len())).collect(),
        };
        Self {
            automaton,
            of_literal: Lists::of_pairs(literals.len(), &keys.of_literal),
            of_stem: Lists::of_pairs(keys.stems.len(), &keys.of_stem),
            stems: keys.stems,
            always,
            needs,
            places,
            of_memory,
            near,
        }
    }

    /// How many patterns there are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The text of a pattern, from the snapshot the index was built of.
    pub fn text<'m>(&self, pattern: u32, memories: &'m Snapshot) -> Option<&'m str> {
        let (memory, item) = self.places.get(pattern as usize)?;
        let memory = memories.get(*memory as usize)?;
        patterns(memory).nth(*item as usize)?.as_str()
    }
}

/// The patterns of a memory, and whatever else stands among them.
pub fn patterns(memory: &Memory) -> impl Iterator<Item = &Value> + Clone {
    let patterns = memory.role(Role::Patterns);
    patterns.into_iter().flat_map(Value::items)
}

/// What patterns are looked for by, while an index is built.
#[derive(Default)]
struct Keys {
    literals: HashMap<String, u32>,
    /// Literal and pattern.
    of_literal: Vec<(u32, u32)>,
    stems: HashMap<Box<str>, u32>,
    /// Stem and phrase.
    of_stem: Vec<(u32, u32)>,
    always: Vec<u32>,
}

impl Keys {
    /// Adds a literal that a pattern is looked for by; an empty one is everywhere.
    fn add(&mut self, pattern: u32, literal: &str) {
        if literal.is_empty() {
            return self.always.push(pattern);
        }
        let next = number(self.literals.len());
        let at = match self.literals.get(literal) {
            Some(at) => *at,
            None => *self.literals.entry(literal.to_owned()).or_insert(next),
        };
        self.of_literal.push((at, pattern));
    }

    /// Adds a phrase with the stems it needs, and gives their numbers.
    fn add_phrase(&mut self, pattern: u32, needs: &[Box<str>]) -> Vec<u32> {
        let numbers = needs.iter().map(|stem| {
            let next = number(self.stems.len());
            *self.stems.entry(stem.clone()).or_insert(next)
        });
        let numbers: Vec<u32> = numbers.collect();
        let longest = needs
            .iter()
            .zip(&numbers)
            .max_by_key(|(need, _)| need.len());
        self.of_stem.extend(longest.map(|(_, at)| (*at, pattern)));
        numbers
    }
}

/// The beginnings of the literals a pattern is looked for by, over all dialects: each reads it in
/// its own way. An empty one where there is no telling.
fn keys_of(pattern: &str) -> Vec<String> {
    let normal = pattern::normalized(pattern);
    let mut keys = Vec::new();
    for dialect in [Dialect::Arbiter, Dialect::Unified] {
        match pattern::reading(&normal, dialect) {
            Reading::Alternatives(parts) => keys.extend(parts.into_iter().map(beginning)),
            Reading::Substring(part) => keys.push(beginning(part)),
            Reading::Wildcard(_) | Reading::Regex(_) => {
                let runs = pattern::required(&normal, dialect).unwrap_or_default();
                let longest = runs.into_iter().max_by_key(|run| run.len());
                keys.push(beginning(longest.unwrap_or_default()));
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn beginning(text: &str) -> String {
    let end = (0..=KEY.min(text.len())).rev();
    let mut end = end.filter(|end| text.is_char_boundary(*end));
    let beginning = end.next().and_then(|end| text.get(..end));
    beginning.unwrap_or_default().to_owned()
}
