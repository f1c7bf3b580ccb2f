//! Words that change what a sentence says: negations, opposites, and numerals, from one table.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::stemmer::stem;

/// `assets/lint/opposites.toml` as it is written.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Table {
    negations: String,
    numerals: String,
    tens: String,
    prefixes: String,
    shared: String,
    single: String,
    sole: String,
    opposites: Vec<String>,
}

/// The number of values that a word leaves room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Several things may stand behind it in statements that all hold: `run`, `see`.
    Shared,
    /// One thing stands behind it: `use`, `is`, `with`.
    Single,
    /// Its whole statement leaves no room for others: `only`.
    Sole,
}

/// The table as sets and maps.
struct Lookup {
    negations: HashSet<String>,
    numerals: HashMap<String, String>,
    prefixes: HashSet<String>,
    rooms: HashMap<u32, Room>,
    /// The stems that each stem excludes.
    opposites: HashMap<u32, Vec<u32>>,
}

static LOOKUP: LazyLock<Lookup> = LazyLock::new(|| {
    let text = include_str!("../../assets/lint/opposites.toml");
    let table: Table = toml::from_str(text).unwrap_or_default();
    let words = |list: &str| list.split_whitespace().map(str::to_owned).collect();
    let pair = |pair: &String| {
        let (a, b) = pair.split_once(' ')?;
        Some((stem(a), stem(b)))
    };
    let mut opposites: HashMap<u32, Vec<u32>> = HashMap::new();
    for (a, b) in table.opposites.iter().filter_map(pair) {
        opposites.entry(a).or_default().push(b);
        opposites.entry(b).or_default().push(a);
    }
    let numerals = table.numerals.split_whitespace().enumerate();
    let tens = table.tens.split_whitespace().enumerate();
    let numerals = numerals.chain(tens.map(|(n, word)| (20 + 10 * n, word)));
    let rooms = [
        (&table.shared, Room::Shared),
        (&table.single, Room::Single),
        (&table.sole, Room::Sole),
    ];
    let rooms = rooms.into_iter().flat_map(|(words, room)| {
        let words = words.split_whitespace();
        words.map(move |word| (stem(word), room))
    });
    Lookup {
        rooms: rooms.collect(),
        negations: words(&table.negations),
        numerals: numerals
            .map(|(n, word)| (word.to_owned(), n.to_string()))
            .collect(),
        prefixes: words(&table.prefixes),
        opposites,
    }
});

/// True if a word in lower case negates: `not`, `isn't`.
pub fn is_negation(word: &str) -> bool {
    word.ends_with("n't") || LOOKUP.negations.contains(word)
}

/// The digits of a numeral in lower case: `10` for `ten`.
pub fn numeral(word: &str) -> Option<&'static str> {
    LOOKUP.numerals.get(word).map(String::as_str)
}

/// The room that a word leaves, by its stem.
pub fn room(stem: u32) -> Option<Room> {
    LOOKUP.rooms.get(&stem).copied()
}

/// A word with the stems that it excludes.
#[derive(Clone, Debug)]
pub struct Word(u32, Vec<u32>);

impl Word {
    /// Reads a word in any case.
    pub fn new(word: &str) -> Self {
        let word = word.to_lowercase();
        let prefixes = LOOKUP.prefixes.iter();
        // A word excludes its own rest behind a negating prefix: `unsafe` excludes `safe`.
        let rests = prefixes.filter_map(|prefix| word.strip_prefix(prefix.as_str()));
        let denied = rests.filter(|rest| rest.len() > 3).map(stem);
        let stem = stem(&word);
        let paired = LOOKUP.opposites.get(&stem).into_iter().flatten().copied();
        Self(stem, paired.chain(denied).collect())
    }

    /// True if two words exclude each other.
    pub fn opposes(&self, other: &Self) -> bool {
        self.1.contains(&other.0) || other.1.contains(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_parses_and_each_pair_is_two_words_that_differ() {
        let text = include_str!("../../assets/lint/opposites.toml");
        let table: Table = toml::from_str(text).unwrap();
        for pair in &table.opposites {
            let words: Vec<&str> = pair.split(' ').collect();
            assert!(
                words.len() == 2 && stem(words[0]) != stem(words[1]),
                "{pair}"
            );
        }
    }

    #[test]
    fn opposites_have_any_ending_and_prefixes_deny() {
        for (a, b, expected) in
            crate::text::rows::<Vec<(String, String, bool)>>("tables", "opposites")
        {
            let (x, y) = (Word::new(&a), Word::new(&b));
            assert_eq!(
                (x.opposes(&y), y.opposes(&x)),
                (expected, expected),
                "{a} {b}"
            );
        }
        assert_eq!(numeral("ten"), Some("10"));
        assert!(is_negation("mustn't") && !is_negation("note"));
    }
}
