//! Words that change what a sentence says: negations, opposites, and numerals.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::word_lists::{Words, stem};

static NEGATIONS: Words = Words::named("negations");

/// Negating beginnings of words.
static DENIALS: Words = Words::named("denials");

/// Pairs of opposites, with a slash between the two.
static OPPOSITES: Words = Words::named("opposites");

static EXCLUDED: LazyLock<HashMap<u32, Vec<u32>>> = LazyLock::new(|| {
    let mut excluded: HashMap<u32, Vec<u32>> = HashMap::new();
    for (a, b) in OPPOSITES.iter().filter_map(|pair| pair.split_once('/')) {
        let (a, b) = (stem(a), stem(b));
        excluded.entry(a).or_default().push(b);
        excluded.entry(b).or_default().push(a);
    }
    excluded
});

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

static ROOMS: LazyLock<HashMap<u32, Room>> = LazyLock::new(|| {
    static LISTS: [(Words, Room); 3] = [
        (Words::named("shared"), Room::Shared),
        (Words::named("single"), Room::Single),
        (Words::named("sole"), Room::Sole),
    ];
    let rooms = LISTS.iter();
    let rooms = rooms.flat_map(|(list, room)| list.iter().map(|word| (stem(word), *room)));
    rooms.collect()
});

static NUMERALS: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let (ones, tens) = (Words::named("numerals"), Words::named("tens"));
    let tens = (20..).step_by(10).zip(tens.iter());
    let all = (0..).zip(ones.iter()).chain(tens);
    all.map(|(number, word): (u32, _)| (word, number.to_string()))
        .collect()
});

/// True if a word in lower case negates: `not`, `isn't`.
pub fn is_negation(word: &str) -> bool {
    word.ends_with("n't") || NEGATIONS.has(word)
}

/// The digits of a numeral in lower case: `10` for `ten`.
pub fn numeral(word: &str) -> Option<&'static str> {
    NUMERALS.get(word).map(String::as_str)
}

/// The room that a word leaves, by its stem.
pub fn room(stem: u32) -> Option<Room> {
    ROOMS.get(&stem).copied()
}

/// A word with the stems that it excludes.
#[derive(Clone, Debug)]
pub struct Word(u32, Vec<u32>);

impl Word {
    /// Reads a word in any case.
    pub fn new(word: &str) -> Self {
        let word = word.to_lowercase();
        // A word excludes its own rest behind a negating prefix: `unsafe` excludes `safe`.
        let prefixes = DENIALS.iter();
        let rests = prefixes.filter_map(|prefix| word.strip_prefix(prefix));
        let denied = rests.filter(|rest| rest.len() > 3).map(stem);
        let stem = stem(&word);
        let paired = EXCLUDED.get(&stem).into_iter().flatten().copied();
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
        assert!(OPPOSITES.iter().count() > 50);
        for pair in OPPOSITES.iter() {
            let words: Vec<&str> = pair.split('/').collect();
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
