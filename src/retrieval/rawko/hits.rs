//! What the patterns of a snapshot come to on one text, told by its index.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::Dialect;
use super::index::{Index, NOT_TEXT};
use super::judge::{Hit, Judge, first_match};
use super::pattern::Outcome;
use super::phrase;
use crate::retrieval::{Reason, Snapshot};

/// The patterns that do not just fail to match.
pub struct Hits {
    found: HashMap<u32, Found>,
    /// For each pattern, whether it matches.
    matches: Vec<bool>,
}

/// What became of a pattern.
struct Found {
    literal: Outcome,
    phrase: Option<Range<usize>>,
}

impl Hits {
    /// Matches the patterns that may match the text of a judge.
    pub fn of(index: &Index, memories: &Snapshot, judge: &Judge<'_>) -> Self {
        let mut places = HashMap::new();
        if judge.dialect == Dialect::Natural {
            for (stem, at) in judge.text.stems() {
                let known = index.stems.get(stem.as_str());
                known.map(|stem| places.entry(*stem).or_insert_with(|| at.clone()));
            }
        }
        let look = |pattern: u32| {
            let text = index.text(pattern, memories)?;
            let literal = judge.matcher.find(text, &judge.text, judge.dialect);
            let needs = index.needs.get(pattern as usize);
            let phrase = phrase::span(needs.iter().map(|stem| places.get(stem).cloned()));
            let fails = literal == Outcome::No && phrase.is_none();
            (!fails).then_some((pattern, Found { literal, phrase }))
        };
        let candidates = candidates(index, &judge.text.lower, places.keys());
        let found = candidates.into_par_iter().with_min_len(64).filter_map(look);
        let mut found: HashMap<u32, Found> = found.collect();
        let mut matches = vec![false; index.count()];
        for (pattern, one) in &found {
            if let Some(matches) = matches.get_mut(*pattern as usize) {
                *matches = matches!(one.literal, Outcome::Hit(..)) || one.phrase.is_some();
            }
        }
        let not_text = Found {
            literal: Outcome::Throws,
            phrase: None,
        };
        found.insert(NOT_TEXT, not_text);
        Self { found, matches }
    }

    /// Whether a memory has a pattern that matches; before one that fails, or after it.
    pub fn has(&self, index: &Index, memory: usize) -> bool {
        let mut own = index.of_memory.get(memory).iter();
        own.any(|pattern| self.matches.get(*pattern as usize) == Some(&true))
    }

    /// The first pattern of a memory that matches, by its place, or why there is none.
    pub fn decide(&self, index: &Index, memory: usize) -> Result<Hit<usize>, Reason> {
        let own = (0..).zip(index.of_memory.get(memory));
        let found = |(_, pattern)| self.found.get(pattern);
        let literal = |own| found(own).map_or(Outcome::No, |found| found.literal.clone());
        let phrase = |own| found(own)?.phrase.clone();
        first_match(own, literal, phrase).map(|((item, _), kind, at)| (item, kind, at))
    }
}

/// The patterns that may match a text; the others surely do not, in any dialect.
fn candidates<'s>(index: &Index, text: &str, stems: impl Iterator<Item = &'s u32>) -> Vec<u32> {
    let mut found: Vec<u32> = index.always.clone();
    if let Some(automaton) = &index.automaton {
        let mut literals: Vec<usize> = automaton
            .find_overlapping_iter(text)
            .map(|hit| hit.pattern().as_usize())
            .collect();
        literals.sort_unstable();
        literals.dedup();
        let literals = literals.into_iter();
        found.extend(literals.flat_map(|literal| index.of_literal.get(literal)));
    }
    found.extend(stems.flat_map(|stem| index.of_stem.get(*stem as usize)));
    found.sort_unstable();
    found.dedup();
    found
}
