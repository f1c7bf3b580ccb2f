//! Words that look like another one: they share most of their runs of three to five characters.
//! Finds words that the stemmer keeps apart (`throttle` and `throttling`, `websocket` and
//! `websockets`, a name that is written wrongly).

use std::collections::{BTreeMap, HashMap};

use super::terms::Names;

/// Shorter words share their runs by chance, and longer ones are names of their own.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=24;

/// The words most like a word that are looked for too.
const MOST: usize = 8;

/// How alike a word has to be, 0 to 1, to be looked for. Tuned on `bench/retrieval`.
const LEAST: f64 = 0.45;

/// The worth of a word that is all but the same.
const WORTH: f64 = 0.8;

/// Words by their runs of three characters.
#[derive(Debug, Default)]
pub struct Likes(HashMap<[u8; 3], Vec<u32>>);

/// True if a term is a word that may look like another one.
fn is_word(term: &str) -> bool {
    LENGTHS.contains(&term.len()) && term.chars().all(char::is_lowercase)
}

/// The runs of so many characters of a word, its ends marked.
fn runs(word: &[u8], length: usize) -> Vec<&[u8]> {
    let mut runs: Vec<&[u8]> = word.windows(length).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

fn marked(word: &str) -> Vec<u8> {
    format!(" {word} ").into_bytes()
}

fn threes(marked: &[u8]) -> impl Iterator<Item = [u8; 3]> {
    let runs = runs(marked, 3).into_iter();
    runs.filter_map(|run| <[u8; 3]>::try_from(run).ok())
}

/// How alike two words are: the share of their runs of three to five characters that both have.
fn likeness(one: &[u8], other: &[u8]) -> f64 {
    let (mut shared, mut all) = (0, 0);
    for length in 3..=5 {
        let (one, other) = (runs(one, length), runs(other, length));
        all += one.len() + other.len();
        let has = |run: &&&[u8]| other.binary_search(run).is_ok();
        shared += one.iter().filter(has).count();
    }
    2.0 * f64::from(shared as u32) / f64::from(all.max(1) as u32)
}

/// True if one word is a form or a misspelling of the other, not merely a word that begins alike
/// (`back` and `backtick`, `configuration` and `confidence`): at most a third of the longer one
/// differs, and at most three characters.
fn is_variant(one: &str, other: &str) -> bool {
    let most = (one.len().max(other.len()) / 3).min(3);
    strsim::osa_distance(one, other) <= most
}

impl Likes {
    /// The words among some terms.
    pub fn of(names: &Names) -> Self {
        let mut by_run: HashMap<[u8; 3], Vec<u32>> = HashMap::new();
        for ((term, _), number) in names.names.iter().zip(0..) {
            if is_word(term) {
                for run in threes(&marked(term)) {
                    by_run.entry(run).or_default().push(number);
                }
            }
        }
        Self(by_run)
    }

    /// The words like this one but for itself, most alike first, with what they are worth beside
    /// it.
    pub fn like(&self, word: &str, names: &Names) -> Vec<(u32, f64)> {
        if !is_word(word) {
            return Vec::new();
        }
        let own = marked(word);
        let mut shared: BTreeMap<u32, u32> = BTreeMap::new();
        for run in threes(&own) {
            for number in self.0.get(&run).into_iter().flatten() {
                *shared.entry(*number).or_default() += 1;
            }
        }
        let mut alike: Vec<(f64, u32)> = Vec::new();
        for (number, shared) in shared {
            let Some((term, _)) = names.names.get(number as usize).filter(|_| shared > 1) else {
                continue;
            };
            let likeness = likeness(&own, &marked(term));
            if likeness >= LEAST && **term != *word && is_variant(word, term) {
                alike.push((likeness, number));
            }
        }
        let word = |number: u32| names.names.get(number as usize);
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| word(a.1).cmp(&word(b.1))));
        alike.truncate(MOST);
        let worth = |(likeness, number)| (number, WORTH * likeness * likeness);
        alike.into_iter().map(worth).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_alike_are_found_most_alike_first() {
        let mut names = Names::default();
        let words = [
            "throttl",
            "throttler",
            "bottl",
            "token",
            "websocket",
            "abc",
            "a1b2c3",
        ];
        for word in words {
            names.number(word, word);
        }
        let likes = Likes::of(&names);
        let like = |word: &str| {
            let like = likes.like(word, &names).into_iter();
            let name = |(number, worth): (u32, f64)| {
                (words[number as usize], (worth * 100.0).round() as u32)
            };
            like.map(name).collect::<Vec<_>>()
        };
        assert_eq!(like("throttl"), [("throttler", 41)]);
        assert_eq!(like("websockets"), [("websocket", 54)]);
        assert_eq!(like("abcd"), []);
        assert_eq!(like("cat"), []);
    }
}
