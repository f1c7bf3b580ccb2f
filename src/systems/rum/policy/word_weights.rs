//! Which memories have which words: the relevance of the specification, without a model.

use crate::memory::{Memory, Value};
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
    // The heaviest field comes first.
    let stems: Vec<(Box<str>, String, u32)> = PLACES
        .iter()
        .flat_map(|(name, weight)| {
            let words = texts(memory, name).flat_map(split);
            words.flat_map(move |word| {
                let place = format!("{word} ({name})");
                let stems = stems_of(&word).into_iter();
                stems.map(move |stem| (stem, place.clone(), *weight))
            })
        })
        .collect();
    let (mut sum, mut found) = (0, Vec::new());
    for word in wanted {
        if let Some((_, place, weight)) = stems.iter().find(|(stem, ..)| stem == word) {
            sum += weight;
            found.push(place.clone());
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
