//! The places of words in a memory, the worth of each place, and the words that look like another one.

use std::collections::{BTreeMap, HashMap};

use rust_stemmers::Algorithm;

use super::words;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, Value, format};
use crate::retrieval::Texts;

/// The places where words stand: the factor's name, what a word there is worth beside one in the
/// body, and how much a long one dilutes its words, 0 to 1. Tuned on `bench/retrieval`, the same for
/// all stores.
pub const PLACES: [(&str, f64, f64); 9] = [
    ("body", 1.0, 0.7),
    ("title", 2.0, 0.5),
    ("tags", 1.5, 0.5),
    ("patterns", 1.5, 0.5),
    ("name", 1.0, 0.0),
    ("files", 1.0, 0.0),
    ("fields", 0.5, 0.5),
    ("description", 1.5, 0.5),
    ("purpose", 0.75, 0.0),
];

const BODY: usize = 0;
const TITLE: usize = 1;
const TAGS: usize = 2;
const PATTERNS: usize = 3;
const NAME: usize = 4;
const FILES: usize = 5;
const FIELDS: usize = 6;
const DESCRIPTION: usize = 7;
const PURPOSE: usize = 8;

pub type Each<T> = [T; PLACES.len()];

/// How often one term stands in each place.
pub type Counts = Each<u8>;

/// The worth of each place that has a term so often, by its length and the mean of lengths.
pub fn values(counts: &Counts, lengths: &Each<u32>, means: &Each<f64>) -> Each<f64> {
    let mut values = Each::default();
    let sizes = lengths.iter().zip(means);
    let each = values.iter_mut().zip(&PLACES).zip(counts).zip(sizes);
    for (((value, (_, weight, dilution)), count), (length, mean)) in each {
        if *count > 0 {
            let length = match *mean > 0.0 {
                true => f64::from(*length) / mean,
                false => 1.0,
            };
            *value = weight * f64::from(*count) / (1.0 - dilution + dilution * length);
        }
    }
    values
}

/// Terms by number, each with the word it was first met as.
#[derive(Debug, Default)]
pub struct Names {
    numbers: HashMap<Box<str>, u32>,
    /// Term and word by number.
    pub names: Vec<(Box<str>, Box<str>)>,
}

impl Names {
    /// The number of a term; a new one where it was not met.
    pub fn number(&mut self, term: &str, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.numbers.insert(term.into(), number);
        self.names.push((term.into(), word.into()));
        number
    }

    pub fn get(&self, term: &str) -> Option<u32> {
        self.numbers.get(term).copied()
    }
}

#[derive(Default)]
pub struct Terms {
    pub names: Names,
    /// The terms of each run of letters and digits that was met, by language: most are met again.
    runs: HashMap<u8, HashMap<Box<str>, Box<[u32]>>>,
}

/// The terms of a memory in the order of their numbers, and the length of each place in terms.
pub struct Counted {
    pub terms: Vec<(u32, Counts)>,
    pub lengths: Each<u32>,
}

impl Counted {
    /// How often a term stands in each place; none if it does not.
    pub fn get(&self, number: Option<u32>) -> Option<Counts> {
        let at = self.terms.binary_search_by_key(&number?, |(term, _)| *term);
        self.terms.get(at.ok()?).map(|(_, counts)| *counts)
    }
}

impl Terms {
    pub fn of(&mut self, memory: &Memory, texts: &dyn Texts) -> Counted {
        let body = texts.body(memory).unwrap_or_default();
        let mut met: Vec<(u32, usize)> = Vec::new();
        let language = words::language(&body);
        self.add(BODY, &body, language, &mut met);
        self.add(TITLE, title(memory, &body), language, &mut met);
        self.add(NAME, name(memory), language, &mut met);
        let purpose = format::table_of(memory.schema).and_then(|table| table.purpose(name(memory)));
        let purpose = purpose.unwrap_or_default();
        self.add(PURPOSE, purpose, Algorithm::English, &mut met);
        for spec in memory.schema.fields {
            let place = match (spec.role, spec.kind) {
                (Role::Tags, _) => TAGS,
                (Role::Patterns, _) => PATTERNS,
                (Role::Description, _) => DESCRIPTION,
                // The text of a row is drawn from its fields.
                _ if memory.schema.can.in_rows => continue,
                (Role::Plain | Role::Type, Kind::Text | Kind::Lines | Kind::Choice(_)) => FIELDS,
                _ => continue,
            };
            let values = memory.field(spec.name).into_iter().flat_map(Value::items);
            for text in values.filter_map(Value::as_str) {
                self.add(place, text, language, &mut met);
            }
        }
        met.sort_unstable();
        let mut lengths = Each::default();
        let mut terms: Vec<(u32, Counts)> = Vec::new();
        for (term, place) in met {
            if terms.last().is_none_or(|(last, _)| *last != term) {
                terms.push((term, Counts::default()));
            }
            let count = terms
                .last_mut()
                .and_then(|(_, counts)| counts.get_mut(place));
            if let Some((count, length)) = count.zip(lengths.get_mut(place)) {
                *count = count.saturating_add(1);
                *length += 1;
            }
        }
        Counted { terms, lengths }
    }

    fn add(&mut self, place: usize, text: &str, language: Algorithm, met: &mut Vec<(u32, usize)>) {
        // The names of files are a place of their own, wherever they stand.
        for file in words::files(text) {
            let number = self.names.number(&file, file.trim_start_matches('/'));
            met.push((number, FILES));
        }
        let known = self.runs.entry(language as u8).or_default();
        for run in words::runs(text) {
            if let Some(terms) = known.get(run) {
                met.extend(terms.iter().map(|term| (*term, place)));
                continue;
            }
            let terms = words::terms(run, language).into_iter();
            let numbers = terms.map(|term| self.names.number(&term.stem, &term.word));
            let numbers: Box<[u32]> = numbers.collect();
            met.extend(numbers.iter().map(|term| (*term, place)));
            known.insert(run.into(), numbers);
        }
    }
}

/// The title as a field, else the heading that a body begins with.
fn title<'a>(memory: &'a Memory, body: &'a str) -> &'a str {
    let field = memory.role(Role::Title).and_then(Value::as_str);
    let line = body.lines().find(|line| !line.trim().is_empty());
    let heading = line.filter(|line| line.starts_with('#'));
    field.or(heading).unwrap_or_default()
}

/// The name of its file, where that is its own.
fn name(memory: &Memory) -> &str {
    let local = &*memory.id.local;
    let stem = memory.path.file_stem().and_then(|stem| stem.to_str());
    let own = stem.is_some_and(|stem| local == stem || local.ends_with(&format!("/{stem}")));
    if own { local } else { "" }
}

/// Shorter words share their runs by chance, and longer ones are names of their own.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=24;

/// The words most like a word that are looked for too.
const MOST: usize = 8;

/// How alike a word has to be, 0 to 1, to be looked for. Tuned on `bench/retrieval`.
const LEAST: f64 = 0.45;

/// The worth of a word that is all but the same.
const WORTH: f64 = 0.8;

/// Words by their runs of three characters, to find those that the stemmer keeps apart: `throttle`
/// and `throttling`, `websocket` and `websockets`, a name that is written wrongly.
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

    /// The words like this one, most alike first, with what they are worth beside it.
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
        let words: Vec<&str> = "throttl throttler bottl token websocket abc a1b2c3"
            .split(' ')
            .collect();
        for word in &words {
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
