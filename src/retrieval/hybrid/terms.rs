//! The places of words in a memory, and the worth of each place.

use std::collections::HashMap;

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

/// A value for each place.
pub type Each<T> = [T; PLACES.len()];

/// How often one term stands in each place.
pub type Counts = Each<u8>;

/// The worth of each place that has a term so often, where places are so long, and the mean is
/// another.
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

    /// The number of a term that was met.
    pub fn get(&self, term: &str) -> Option<u32> {
        self.numbers.get(term).copied()
    }
}

/// Reads memories into terms.
#[derive(Default)]
pub struct Terms {
    /// The terms it met.
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
    /// The terms of a memory.
    pub fn of(&mut self, memory: &Memory, texts: &dyn Texts) -> Counted {
        let body = texts.body(memory).unwrap_or_default();
        let mut met: Vec<(u32, usize)> = Vec::new();
        let language = words::language(&body);
        self.add(BODY, &body, language, &mut met);
        self.add(TITLE, title(memory, &body), language, &mut met);
        self.add(NAME, name(memory), language, &mut met);
        let purpose = format::table_of(memory.schema).and_then(|table| table.purpose(name(memory)));
        self.add(
            PURPOSE,
            purpose.unwrap_or_default(),
            Algorithm::English,
            &mut met,
        );
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
