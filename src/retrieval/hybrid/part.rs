//! The places of words in a memory, and the worth of each place.

use std::collections::HashMap;
use std::ops::Range;

use super::words::{self, Reader, Term};
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, Value};
use crate::retrieval::Texts;

/// A place where words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Its text.
    Body,
    /// Its title: the field, else the heading it begins with.
    Title,
    /// Its tags.
    Tags,
    /// The patterns that say when it is of use.
    Patterns,
    /// The name of its file.
    Name,
    /// Files that it speaks of.
    Files,
    /// Other fields that hold text.
    Fields,
    /// The line that says what it is about.
    Description,
}

/// Number of places.
pub const PARTS: usize = 8;

/// A place: the factor's name, what a word in it is worth beside one in the body, and how much a
/// long one dilutes its words, 0 to 1. Tuned on `bench/retrieval`, the same for all stores.
struct Worth {
    part: Part,
    name: &'static str,
    weight: f64,
    dilution: f64,
}

const fn worth(part: Part, name: &'static str, weight: f64, dilution: f64) -> Worth {
    Worth {
        part,
        name,
        weight,
        dilution,
    }
}

const WORTH: [Worth; PARTS] = [
    worth(Part::Body, "body", 1.0, 0.5),
    worth(Part::Title, "title", 2.0, 0.5),
    worth(Part::Tags, "tags", 1.5, 0.5),
    worth(Part::Patterns, "patterns", 1.5, 0.5),
    worth(Part::Name, "name", 1.0, 0.0),
    worth(Part::Files, "files", 1.0, 0.0),
    worth(Part::Fields, "fields", 0.5, 0.5),
    worth(Part::Description, "description", 1.5, 0.5),
];

impl Part {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; PARTS] = [
        Self::Body,
        Self::Title,
        Self::Tags,
        Self::Patterns,
        Self::Name,
        Self::Files,
        Self::Fields,
        Self::Description,
    ];

    /// Its number.
    pub fn number(self) -> usize {
        WORTH
            .iter()
            .position(|worth| worth.part == self)
            .unwrap_or_default()
    }

    fn worth(self) -> &'static Worth {
        WORTH.get(self.number()).unwrap_or(&WORTH[0])
    }

    /// The factor's name.
    pub fn name(self) -> &'static str {
        self.worth().name
    }
}

/// The worth of each place that has a term so often, where places are so long, and the mean is
/// another.
pub fn values(counts: &Counts, lengths: &Counts, means: &[f64; PARTS]) -> [f64; PARTS] {
    let mut values = [0.0; PARTS];
    let each = values.iter_mut().zip(&WORTH);
    let each = each.zip(counts).zip(lengths.iter().zip(means));
    for (((value, worth), count), (length, mean)) in each {
        if *count > 0 {
            let length = match *mean > 0.0 {
                true => f64::from(*length) / mean,
                false => 1.0,
            };
            let dilution = 1.0 - worth.dilution + worth.dilution * length;
            *value = worth.weight * f64::from(*count) / dilution;
        }
    }
    values
}

/// How often one term stands in each place.
pub type Counts = [u32; PARTS];

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
    reader: Reader,
    /// The terms it met.
    pub names: Names,
    /// For each run of letters and digits that was met, where its terms are: most are met again.
    runs: HashMap<Box<str>, Range<usize>>,
    of_runs: Vec<u32>,
}

/// The terms of a memory in the order of their numbers, and the length of each place in terms.
pub type Counted = (Vec<(u32, Counts)>, Counts);

impl Terms {
    /// The terms of a memory.
    pub fn of(&mut self, memory: &Memory, texts: &dyn Texts) -> Counted {
        let body = texts.body(memory).unwrap_or_default();
        let mut met: Vec<(u32, usize)> = Vec::new();
        self.add(Part::Body, &body, &mut met);
        self.add(Part::Title, title(memory, &body), &mut met);
        self.add(Part::Name, name(memory), &mut met);
        for spec in memory.schema.fields {
            let part = match (spec.role, spec.kind) {
                (Role::Tags, _) => Part::Tags,
                (Role::Patterns, _) => Part::Patterns,
                (Role::Description, _) => Part::Description,
                // The text of a row is drawn from its fields.
                _ if memory.schema.in_rows() => continue,
                (Role::Plain | Role::Type, Kind::Text | Kind::Lines | Kind::Choice(_)) => {
                    Part::Fields
                }
                _ => continue,
            };
            let values = memory.field(spec.name).into_iter().flat_map(Value::items);
            for text in values.filter_map(Value::as_str) {
                self.add(part, text, &mut met);
            }
        }
        counted(met)
    }

    fn add(&mut self, part: Part, text: &str, met: &mut Vec<(u32, usize)>) {
        let Self {
            reader,
            names,
            runs,
            of_runs,
        } = self;
        // The names of files are a place of their own, wherever they stand.
        let at = Part::Files.number();
        reader.files(text, &mut |term| {
            if let Term::File(name) = term {
                met.push((names.number(name, name.trim_start_matches('/')), at));
            }
        });
        let at = part.number();
        for run in words::runs(text) {
            if !runs.contains_key(run) {
                let from = of_runs.len();
                reader.run(run, &mut |term| {
                    if let Term::Word(stem, word) | Term::Compound(stem, word, ..) = term {
                        of_runs.push(names.number(stem, word));
                    }
                });
                runs.insert(run.into(), from..of_runs.len());
            }
            let terms = runs.get(run).and_then(|terms| of_runs.get(terms.clone()));
            met.extend(terms.into_iter().flatten().map(|term| (*term, at)));
        }
    }
}

fn counted(mut met: Vec<(u32, usize)>) -> Counted {
    met.sort_unstable();
    let mut all: Vec<(u32, Counts)> = Vec::new();
    let mut lengths = Counts::default();
    let add = |counts: &mut Counts, part: usize| {
        if let Some(count) = counts.get_mut(part) {
            *count += 1;
        }
    };
    for (term, part) in met {
        add(&mut lengths, part);
        if all.last().is_none_or(|(last, _)| *last != term) {
            all.push((term, Counts::default()));
        }
        if let Some((_, counts)) = all.last_mut() {
            add(counts, part);
        }
    }
    (all, lengths)
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
