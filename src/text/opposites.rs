//! Words that turn a sentence round: negations, opposites, and numerals, from one table.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::tokens::{self, stem};

/// `assets/lint/opposites.toml` as it is written.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Table {
    negations: String,
    numerals: String,
    tens: String,
    prefixes: String,
    opposites: Vec<String>,
}

/// The same, ready for lookups.
struct Lookup {
    negations: HashSet<String>,
    numerals: HashMap<String, String>,
    prefixes: Vec<String>,
    opposites: HashSet<(u32, u32)>,
    paired: HashSet<u32>,
}

static LOOKUP: LazyLock<Lookup> = LazyLock::new(|| {
    let text = include_str!("../../assets/lint/opposites.toml");
    let table: Table = toml::from_str(text).unwrap_or_default();
    let words = |list: &str| list.split_whitespace().map(str::to_owned).collect();
    let pair = |pair: &String| {
        let (a, b) = pair.split_once(' ')?;
        Some((stem(a), stem(b)))
    };
    let pairs: Vec<(u32, u32)> = table.opposites.iter().filter_map(pair).collect();
    let numerals = table.numerals.split_whitespace().enumerate();
    let tens = table.tens.split_whitespace().enumerate();
    let numerals = numerals.chain(tens.map(|(n, word)| (20 + 10 * n, word)));
    Lookup {
        negations: table
            .negations
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
        numerals: numerals
            .map(|(n, word)| (word.to_owned(), n.to_string()))
            .collect(),
        prefixes: words(&table.prefixes),
        opposites: pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect(),
        paired: pairs.iter().flat_map(|&(a, b)| [a, b]).collect(),
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

/// A word with all by which its opposites are known.
#[derive(Clone, Debug)]
pub struct Word {
    stem: u32,
    /// True if a pair of the table has it.
    paired: bool,
    /// The stems of its rest behind a prefix that denies it: `safe` of `unsafe`.
    denied: Vec<u32>,
}

impl Word {
    /// Reads a word in any case.
    pub fn new(word: &str) -> Self {
        let word = word.to_lowercase();
        let prefixes = LOOKUP.prefixes.iter();
        let rests = prefixes.filter_map(|prefix| word.strip_prefix(prefix.as_str()));
        let stem = stem(&word);
        Self {
            stem,
            paired: LOOKUP.paired.contains(&stem),
            denied: rests
                .filter(|rest| rest.len() > 3)
                .map(tokens::stem)
                .collect(),
        }
    }

    /// True if two words exclude each other: a pair of the table, or one denies the other.
    pub fn opposes(&self, other: &Self) -> bool {
        self.paired && other.paired && LOOKUP.opposites.contains(&(self.stem, other.stem))
            || self.denied.contains(&other.stem)
            || other.denied.contains(&self.stem)
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
        for (a, b, expected) in [
            ("Enabled", "disable", true),
            ("always", "never", true),
            ("unsafe", "safe", true),
            ("non-fatal", "fatal", true),
            ("under", "der", false),
            ("kafka", "rabbitmq", false),
        ] {
            let (x, y) = (Word::new(a), Word::new(b));
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
