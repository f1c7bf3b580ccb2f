//! Which memories have which words: the relevance of the specification, without a model.

use std::collections::HashMap;

use crate::memory::{Memory, Value};
use crate::retrieval::Snapshot;
use crate::retrieval::phrase::stems;

/// Weight of a query word by the field it is found in, in hundredths: highest in the goal of the
/// memory.
const PLACES: [(&str, u32); 5] = [
    ("goal", 100),
    ("tags", 80),
    ("type", 80),
    ("summary", 60),
    ("learnings", 40),
];

/// The text of a field.
pub fn text<'a>(memory: &'a Memory, name: &str) -> &'a str {
    let value = memory.field(name).and_then(Value::as_str);
    value.unwrap_or_default()
}

/// The texts of a field.
pub fn texts<'a>(memory: &'a Memory, name: &str) -> impl Iterator<Item = &'a str> {
    let items = memory.field(name).into_iter().flat_map(Value::items);
    items.filter_map(Value::as_str)
}

/// Memories by their words, as stems: the index of each, and the most that the word is worth there.
#[derive(Debug)]
pub struct Words(HashMap<Box<str>, Vec<(u32, u32)>>);

impl Words {
    /// The words of a snapshot.
    pub fn of(memories: &Snapshot) -> Self {
        let mut terms: HashMap<Box<str>, Vec<(u32, u32)>> = HashMap::new();
        // Most words occur often: each is reduced to its stem once.
        let mut known: HashMap<String, Vec<Box<str>>> = HashMap::new();
        for (index, memory) in (0..).zip(memories.iter()) {
            for (name, worth) in PLACES {
                for word in texts(memory, name).flat_map(split) {
                    let stems = known.entry(word).or_insert_with_key(|word| stems_of(word));
                    for stem in stems {
                        let places = terms.entry(stem.clone()).or_default();
                        match places.last_mut().filter(|last| last.0 == index) {
                            Some(last) => last.1 = worth.max(last.1),
                            None => places.push((index, worth)),
                        }
                    }
                }
            }
        }
        Self(terms)
    }

    /// The relevance of each memory to some words: how much of them it has, 0 to 1.
    pub fn relevance(&self, wanted: &[Box<str>], count: usize) -> Vec<f64> {
        let mut sums = vec![0_u32; count];
        for (index, worth) in wanted.iter().filter_map(|word| self.0.get(word)).flatten() {
            if let Some(sum) = sums.get_mut(*index as usize) {
                *sum += worth;
            }
        }
        sums.into_iter()
            .map(|sum| part(sum, wanted.len()))
            .collect()
    }
}

/// A sum of hundredths as a part of so many words, to four digits.
fn part(sum: u32, words: usize) -> f64 {
    let words = u32::try_from(words.max(1)).unwrap_or(u32::MAX);
    (f64::from(sum) * 100.0 / f64::from(words)).round() / 10_000.0
}

/// The words that bear meaning, each once.
pub fn wanted(text: &str) -> Vec<Box<str>> {
    let mut all: Vec<Box<str>> = Vec::new();
    for stem in split(text).flat_map(|word| stems_of(&word)) {
        if !all.contains(&stem) {
            all.push(stem);
        }
    }
    all
}

/// The words of a text, identifiers taken apart at their signs.
fn split(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn stems_of(word: &str) -> Vec<Box<str>> {
    stems(word)
        .into_iter()
        .map(|(stem, _)| stem.into())
        .collect()
}

/// The relevance of one memory, and where each word was found: the evidence.
pub fn evidence(memory: &Memory, wanted: &[Box<str>]) -> (f64, Vec<String>) {
    let mut sum = 0;
    let mut found: Vec<String> = Vec::new();
    for stem in wanted {
        let place = PLACES.iter().find_map(|(name, weight)| {
            let mut words = texts(memory, name).flat_map(split);
            let word = words.find(|word| stems_of(word).contains(stem))?;
            Some((*name, *weight, word))
        });
        if let Some((name, weight, word)) = place {
            sum += weight;
            found.push(format!("{word} ({name})"));
        }
    }
    (part(sum, wanted.len()), found)
}

/// Explains that none of the words was found.
pub fn nowhere(memory: &Memory) -> String {
    let goal = text(memory, "goal");
    let names: Vec<&str> = PLACES.iter().map(|(name, _)| *name).collect();
    if goal.is_empty() {
        return "it has no goal to be found by".to_owned();
    }
    format!("none of the words stands in its {}", names.join(", "))
}
