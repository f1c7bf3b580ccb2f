//! The query of a task, and the points that each memory earns by it.

use super::postings::Index;
use super::terms::{Counts, Each};
use super::words::{self, is_asking, short_for};
use crate::retrieval::Task;

/// The worth of a word of the task's text that only asks.
const ASKING: f64 = 0.8;

/// The worth of a pair of Hiragana, which is grammar more often than a word.
const HIRAGANA: f64 = 0.5;

/// The worth of a word that stands for another one as its short or long form.
const SHORT: f64 = 0.7;

/// The worth of a word by its stem in another language.
const OTHER_STEM: f64 = 0.9;

/// A word that is repeated counts so often and no more.
const MOST_REPEATED: f64 = 3.0;

/// Weights of words from elsewhere; folder names are few and shared by many files.
const PLAN: f64 = 0.3;
const HISTORY: f64 = 0.2;
const AGENT: f64 = 0.3;
const FOLDERS: f64 = 0.5;

/// Weight of a file name: a memory about that very file comes before one with a common word.
const FILE: f64 = 2.0;

/// The worth of a part of a compound beside the whole.
const PART: f64 = 0.5;

/// Words of a task that are looked up; a longer text says nothing new.
const MOST: usize = 256;

/// A term that a word of the task is looked for by.
pub struct Variant {
    pub term: Box<str>,
    /// Its number, where a memory has it.
    pub number: Option<u32>,
    /// Most points that a memory can earn by it.
    pub points: f64,
}

pub struct Wanted {
    pub word: Box<str>,
    /// The word of the task that it is or is a part of: `sqlite` for the `lite` of `SQLite`.
    pub whole: Box<str>,
    /// Its own term first, then those that stand for it.
    pub variants: Vec<Variant>,
}

pub struct Hit {
    pub word: usize,
    pub variant: usize,
    pub counts: Counts,
    pub points: Each<f64>,
}

pub struct Query {
    pub words: Vec<Wanted>,
}

impl Query {
    /// The words of a task, with what stands for them in an index.
    pub fn new(task: &Task, index: &Index) -> Self {
        let mut words = Vec::new();
        read(&task.text, 1.0, &mut words);
        read(task.plan.as_deref().unwrap_or_default(), PLAN, &mut words);
        let history = task.history.as_deref().unwrap_or_default();
        read(history, HISTORY, &mut words);
        read(&task.agent, AGENT, &mut words);
        for file in &task.files {
            read(file, FOLDERS, &mut words);
        }
        let words = words.into_iter().map(|word| word.wanted(index));
        Self {
            words: words.collect(),
        }
    }

    /// The points of every memory and the number of words that earn them, by index.
    pub fn scores(&self, index: &Index) -> Vec<(f64, usize)> {
        let mut scores = vec![(0.0, 0); index.levels.len()];
        let mut best = vec![0.0_f64; scores.len()];
        for wanted in &self.words {
            let mut met: Vec<usize> = Vec::new();
            for variant in &wanted.variants {
                for (at, counts) in index.having(variant.number) {
                    let at = *at as usize;
                    let (_, value) = index.values(&index.lengths(at), counts);
                    if let Some(best) = best.get_mut(at) {
                        if *best == 0.0 {
                            met.push(at);
                        }
                        *best = best.max(variant.points * value);
                    }
                }
            }
            for at in met {
                if let Some(((score, words), best)) = scores.get_mut(at).zip(best.get_mut(at)) {
                    *score += std::mem::take(best);
                    *words += 1;
                }
            }
        }
        scores
    }

    /// Finds the words in a memory by the counts of a term; of each word the best variant counts.
    pub fn hits(
        &self,
        index: &Index,
        lengths: &Each<u32>,
        counts: impl Fn(&Variant) -> Option<Counts>,
    ) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        for (word, wanted) in self.words.iter().enumerate() {
            let mut best: Option<Hit> = None;
            for (variant, of) in wanted.variants.iter().enumerate() {
                let Some(counts) = counts(of) else { continue };
                let (values, value) = index.values(lengths, &counts);
                let sum: f64 = values.iter().sum();
                let share = of.points * value / sum.max(f64::MIN_POSITIVE);
                let hit = Hit {
                    word,
                    variant,
                    counts,
                    points: values.map(|value| share * value),
                };
                if best.as_ref().is_none_or(|best| hit.sum() > best.sum()) {
                    best = Some(hit);
                }
            }
            hits.extend(best);
        }
        hits
    }
}

impl Hit {
    pub fn sum(&self) -> f64 {
        self.points.iter().sum()
    }
}

/// A word that is asked for, with what it is worth.
struct Word {
    term: String,
    word: String,
    weight: f64,
    /// The word that it is a part of.
    whole: Option<String>,
    /// Parts it is made of, if those words say less by themselves: `auth` of `OAuth2`.
    parts: Vec<String>,
}

/// Reads the words of a text, each once.
fn read(text: &str, worth: f64, all: &mut Vec<Word>) {
    let language = words::language(text);
    for piece in text.split_whitespace() {
        // The folders of a path are words of many other memories.
        let worth = match piece.contains('/') {
            true => worth.min(FOLDERS),
            false => worth,
        };
        let files = words::files(piece).into_iter();
        let files = files.map(|name| {
            let word = name.trim_start_matches('/').to_owned();
            Word::new(name, word, FILE)
        });
        let mut read: Vec<Word> = files.collect();
        for term in words::runs(piece).flat_map(|run| words::terms(run, language)) {
            let mut word = Word::new(term.stem, term.word, worth);
            let count = term.parts.map_or(0, |(count, _)| count);
            let first = read.len().saturating_sub(count);
            match term.parts {
                None => read.push(word),
                Some((_, true)) => {
                    for part in read.iter_mut().skip(first) {
                        part.whole = Some(word.word.clone());
                    }
                }
                Some((_, false)) => {
                    let parts = read.drain(first..);
                    word.parts = parts.map(|part| part.term).collect();
                    read.push(word);
                }
            }
        }
        for word in read {
            let is_room = all.len() < MOST;
            match all.iter_mut().find(|known| known.term == word.term) {
                Some(known) => known.weight = (known.weight + word.weight).min(MOST_REPEATED),
                None if is_room => all.push(word),
                None => {}
            }
        }
    }
}

impl Word {
    fn new(term: String, word: String, worth: f64) -> Self {
        let weight = match is_asking(&term) {
            true => worth * ASKING,
            false if words::is_hiragana(&term) => worth * HIRAGANA,
            false => worth,
        };
        Self {
            term,
            word,
            weight,
            whole: None,
            parts: Vec::new(),
        }
    }

    /// The word with the terms that stand for it in an index.
    fn wanted(self, index: &Index) -> Wanted {
        let names = &index.names;
        let own = names.get(&self.term);
        let known = |term: &str, worth| (Box::<str>::from(term), names.get(term), worth);
        let short = short_for(&self.term).into_iter();
        let short = short.map(|term| known(term, SHORT));
        let parts = self.parts.iter().map(|part| known(part, PART));
        let others = words::stems(&self.word).filter(|stem| *stem != self.term);
        let others = others.map(|stem| known(&stem, OTHER_STEM));
        let others = others.filter(|(_, number, _)| number.is_some());
        // Words similar to a question word carry no meaning.
        let like = match is_asking(&self.term) {
            true => Vec::new(),
            false => index.likes.like(&self.term, names),
        };
        let like = like.into_iter().filter_map(|(number, worth)| {
            let (term, _) = names.names.get(number as usize)?;
            Some((term.clone(), Some(number), worth))
        });
        // A variant of a word weighs no more than the word itself.
        let most = own.map_or(f64::INFINITY, |_| index.rarity(&self.term, own));
        let variants = std::iter::once(known(&self.term, 1.0));
        let variants = variants.chain(others).chain(short).chain(parts).chain(like);
        let variants = variants.map(|(term, number, worth): (Box<str>, _, f64)| Variant {
            points: self.weight * worth * index.rarity(&term, number).min(most),
            term,
            number,
        });
        Wanted {
            variants: variants.collect(),
            whole: self.whole.as_deref().unwrap_or(&self.word).into(),
            word: self.word.into(),
        }
    }
}
