//! The query of a task, and the points that each memory earns by it.

use std::collections::BTreeMap;

use super::index::Index;
use super::part::{Counts, PARTS};
use super::words::{Reader, Term, is_asking, short_for};
use crate::retrieval::Task;

/// The worth of a word of the task's text that only asks.
const ASKING: f64 = 0.6;

/// The worth of a word that stands for another one as its short or long form.
const SHORT: f64 = 0.7;

/// A word that is repeated counts so often and no more.
const MOST_REPEATED: f64 = 3.0;

/// Weights of words from outside the task's text: a plan weighs more than the history, and folder
/// names are few and shared by many files.
const PLAN: f64 = 0.3;
const HISTORY: f64 = 0.2;
const AGENT: f64 = 0.3;
const FOLDERS: f64 = 0.3;

/// Weight of a file name, wherever the task names it: a memory about that very file comes before
/// one that shares a common word.
const FILE: f64 = 2.0;

/// The worth of a part of a compound beside the whole.
const PART: f64 = 0.5;

/// Words of a task that are looked up; a longer text says nothing new.
pub const MOST: usize = 256;

/// A term that a word of the task is looked for by.
pub struct Variant {
    /// The term.
    pub term: Box<str>,
    /// Its number, where a memory has it.
    pub number: Option<u32>,
    /// Most points that a memory can earn by it.
    pub points: f64,
}

/// A word of the task.
pub struct Wanted {
    /// As the task has it.
    pub word: Box<str>,
    /// The word of the task that it is a part of: `sqlite` for the `lite` of `SQLite`.
    whole: Option<Box<str>>,
    /// Its own term first, then those that stand for it.
    pub variants: Vec<Variant>,
}

/// A place at which a memory has a word of the task.
pub struct Hit {
    /// Which word.
    pub word: usize,
    /// Which of its variants.
    pub variant: usize,
    /// How often it stands in each place.
    pub counts: Counts,
    /// The points of each place.
    pub points: [f64; PARTS],
}

/// The words of a task.
pub struct Query {
    /// In their order.
    pub words: Vec<Wanted>,
}

impl Query {
    /// The words of a task, with what stands for them in an index.
    pub fn of(task: &Task, index: &Index) -> Self {
        let mut asked = Asked::default();
        asked.read(&task.text, 1.0);
        let plan = task.plan.as_deref().unwrap_or_default();
        asked.read(plan, PLAN);
        asked.read(task.history.as_deref().unwrap_or_default(), HISTORY);
        asked.read(&task.agent, AGENT);
        for file in &task.files {
            asked.read(file, FOLDERS);
        }
        let words = asked.words.into_iter();
        let words = words.map(|said| wanted(said, index));
        Self {
            words: words.collect(),
        }
    }

    /// The points of every memory, by index.
    pub fn scores(&self, index: &Index, memories: usize) -> Vec<f64> {
        let mut scores = vec![0.0_f64; memories];
        let mut best = vec![0.0_f64; memories];
        for wanted in &self.words {
            let mut met: Vec<usize> = Vec::new();
            for (number, points) in wanted.known() {
                for (at, counts) in index.having(number) {
                    let (_, value) = index.values(at, &counts);
                    if let Some(best) = best.get_mut(at) {
                        if *best == 0.0 {
                            met.push(at);
                        }
                        *best = best.max(points * value);
                    }
                }
            }
            for at in met {
                if let (Some(score), Some(best)) = (scores.get_mut(at), best.get_mut(at)) {
                    *score += std::mem::take(best);
                }
            }
        }
        scores
    }

    /// Finds the words in some memories, by index; these are in order.
    pub fn hits(&self, index: &Index, wanted: &[usize]) -> BTreeMap<usize, Vec<Hit>> {
        let mut hits: BTreeMap<usize, Vec<Hit>> = BTreeMap::new();
        for (word, of) in self.words.iter().enumerate() {
            for (variant, of) in of.variants.iter().enumerate() {
                let having = of.number.into_iter().flat_map(|term| index.having(term));
                for (at, counts) in having {
                    if wanted.binary_search(&at).is_ok() {
                        let points = spread(of.points, index.values(at, &counts));
                        let hit = Hit {
                            word,
                            variant,
                            counts,
                            points,
                        };
                        better(hits.entry(at).or_default(), hit);
                    }
                }
            }
        }
        hits
    }

    /// Finds the words in a memory that differs from the indexed one: `counts` returns the
    /// occurrences of a term.
    pub fn hits_in(
        &self,
        index: &Index,
        lengths: &Counts,
        counts: &dyn Fn(&str) -> Option<Counts>,
    ) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (word, of) in self.words.iter().enumerate() {
            for (variant, of) in of.variants.iter().enumerate() {
                if let Some(counts) = counts(&of.term) {
                    let points = spread(of.points, index.values_of(lengths, &counts));
                    let hit = Hit {
                        word,
                        variant,
                        counts,
                        points,
                    };
                    better(&mut hits, hit);
                }
            }
        }
        hits
    }
}

/// Points as each place has a share in them.
fn spread(points: f64, (values, value): ([f64; PARTS], f64)) -> [f64; PARTS] {
    let sum: f64 = values.iter().sum();
    values.map(|of| {
        if sum > 0.0 {
            points * value * of / sum
        } else {
            0.0
        }
    })
}

impl Hit {
    /// Its points.
    pub fn sum(&self) -> f64 {
        self.points.iter().sum()
    }
}

/// Of each word the best variant counts.
fn better(hits: &mut Vec<Hit>, hit: Hit) {
    match hits.last_mut().filter(|last| last.word == hit.word) {
        Some(last) if hit.sum() > last.sum() => *last = hit,
        Some(_) => {}
        None => hits.push(hit),
    }
}

impl Wanted {
    /// The word of the task that it is or is a part of.
    pub fn whole(&self) -> &str {
        self.whole.as_deref().unwrap_or(&self.word)
    }

    fn known(&self) -> impl Iterator<Item = (u32, f64)> {
        let variants = self.variants.iter();
        variants.filter_map(|variant| Some((variant.number?, variant.points)))
    }
}

/// The words that are asked for, each once, with what it is worth.
#[derive(Default)]
struct Asked {
    reader: Reader,
    places: BTreeMap<Box<str>, usize>,
    words: Vec<Said>,
}

/// A word of a task.
struct Said {
    term: Box<str>,
    word: Box<str>,
    weight: f64,
    /// The word that it is a part of.
    whole: Option<Box<str>>,
    /// Parts it is made of, if those words say less by themselves: `auth` of `OAuth2`.
    parts: Vec<Box<str>>,
}

impl Asked {
    fn read(&mut self, text: &str, worth: f64) {
        for piece in text.split_whitespace() {
            // The folders of a path are words of many other memories.
            let worth = match piece.contains('/') {
                true => worth.min(FOLDERS),
                false => worth,
            };
            let mut read: Vec<Said> = Vec::new();
            self.reader.read(piece, &mut |term| match term {
                Term::Word(stem, word) => read.push(Said::new(stem, word, worth)),
                Term::Compound(_, word, count, true) => {
                    let from = read.len().saturating_sub(count);
                    for part in read.iter_mut().skip(from) {
                        part.whole = Some(word.into());
                    }
                }
                Term::Compound(stem, word, count, false) => {
                    let parts = read.split_off(read.len().saturating_sub(count));
                    let mut whole = Said::new(stem, word, worth);
                    whole.parts = parts.into_iter().map(|part| part.term).collect();
                    read.push(whole);
                }
                Term::File(name) => read.push(Said::new(name, name.trim_start_matches('/'), FILE)),
            });
            for said in read {
                self.add(said);
            }
        }
    }

    fn add(&mut self, said: Said) {
        if let Some(at) = self.places.get(&said.term) {
            if let Some(known) = self.words.get_mut(*at) {
                known.weight = (known.weight + said.weight).min(MOST_REPEATED);
            }
        } else if self.words.len() < MOST {
            self.places.insert(said.term.clone(), self.words.len());
            self.words.push(said);
        }
    }
}

impl Said {
    fn new(stem: &str, word: &str, worth: f64) -> Self {
        let asks = is_asking(stem);
        Self {
            term: stem.into(),
            word: word.into(),
            weight: if asks { worth * ASKING } else { worth },
            whole: None,
            parts: Vec::new(),
        }
    }
}

fn wanted(said: Said, index: &Index) -> Wanted {
    let Said {
        term,
        word,
        weight,
        whole,
        parts,
    } = said;
    let term = &*term;
    let own = index.names.get(term);
    // A variant of a word weighs no more than the word itself.
    let most = own.map_or(f64::INFINITY, |own| index.rarity(own));
    let rarity = match own {
        Some(own) => index.rarity(own),
        None => index.rarity(u32::MAX),
    };
    let mut variants = vec![Variant {
        term: term.into(),
        number: own,
        points: weight * rarity,
    }];
    let short = short_for(term).map(|term| (index.names.get(term), term, SHORT));
    let parts = parts
        .iter()
        .map(|part| (index.names.get(part), &**part, PART));
    // Words similar to a question word carry no meaning.
    let like = match is_asking(term) {
        true => Vec::new(),
        false => index.likes.like(term, &index.names),
    };
    let like = like.into_iter();
    let like = like.filter_map(|(number, worth)| {
        let (term, _) = index.names.names.get(number as usize)?;
        Some((Some(number), &**term, worth))
    });
    for (number, term, worth) in short.chain(parts).chain(like) {
        let rarity = index.rarity(number.unwrap_or(u32::MAX)).min(most);
        variants.push(Variant {
            term: term.into(),
            number,
            points: weight * worth * rarity,
        });
    }
    Wanted {
        word,
        whole,
        variants,
    }
}
