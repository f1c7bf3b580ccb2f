//! Which memories are returned, in which order, and the verdict on each. The relevance of the
//! specification goes by words, without a model.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::{Ask, Way, created, text, texts};
use crate::memory::{Memory, Problem, Severity, State, Value, to_u32};
use crate::retrieval::phrase::stems;
use crate::retrieval::{Factor, Match, Reason, Snapshot, Verdict, memory_at};
use crate::systems::rum::is_fragment;

/// Default importance (`rum-memory-schema`, "SQLite Schema").
const IMPORTANCE: f64 = 0.5;

/// Weight of a query word by the field it is found in, in hundredths: highest in the goal of the
/// memory.
const PLACES: [(&str, u32); 5] = [
    ("goal", 100),
    ("tags", 80),
    ("type", 80),
    ("summary", 60),
    ("learnings", 40),
];

/// A place in the order, with the index of its memory: those that match first, then the best, ties
/// by path and position. A score is in ten-thousandths: it can be compared and is always the same.
pub type Place = (bool, Reverse<i64>, usize);

pub struct Recall<'a> {
    ask: &'a Ask<'a>,
    memories: &'a Snapshot,
    what_if: Option<(usize, &'a Memory)>,
    words: Vec<Box<str>>,
}

fn never(memory: &Memory) -> Option<Reason> {
    if memory.state == State::Archived {
        return Some(Reason::Archived);
    }
    if memory.hidden.is_none() {
        return (!is_fragment(memory)).then_some(Reason::NotApplicable);
    }
    // A row that is intact and hidden is one of another project.
    let breaks =
        |problem: &Problem| problem.rule == "load-error" && problem.severity == Severity::Error;
    Some(match memory.problems.iter().any(breaks) {
        true => Reason::Invalid,
        false => Reason::Invisible,
    })
}

fn importance(memory: &Memory) -> f64 {
    let own = memory.field("importance").and_then(Value::as_f64);
    own.filter(|own| own.is_finite()).unwrap_or(IMPORTANCE)
}

/// True if a path is like `%file%` in SQLite, the file escaped: it contains the file, the letters of
/// ASCII being equal in either case (formats: rum).
fn contains(path: &str, file: &str) -> bool {
    let file = file.to_ascii_lowercase();
    path.to_ascii_lowercase().contains(&file)
}

impl<'a> Recall<'a> {
    pub fn new(
        memories: &'a Snapshot,
        ask: &'a Ask<'a>,
        what_if: Option<(usize, &'a Memory)>,
    ) -> Self {
        let words = match ask.is_ranked {
            true => wanted(&ask.query),
            false => Vec::new(),
        };
        Self {
            ask,
            words,
            memories,
            what_if,
        }
    }

    pub fn memory(&self, index: usize) -> Option<&'a Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    pub fn order(&self) -> Vec<Place> {
        let place = |index| {
            let memory = self.memory(index)?;
            let (relevance, _) = evidence(memory, &self.words);
            let is_out = self.reason(memory, relevance) != Reason::Selected;
            Some((is_out, Reverse(self.score(memory, relevance)), index))
        };
        let all = (0..self.memories.len()).into_par_iter();
        let mut order: Vec<Place> = all.filter_map(place).collect();
        order.sort_unstable();
        order
    }

    fn reason(&self, memory: &Memory, relevance: f64) -> Reason {
        match never(memory) {
            // A chapter or wisdom has a tool of its own, which goes by the id.
            Some(Reason::NotApplicable) if self.is_asked(memory) => return Reason::Selected,
            Some(never) => return never,
            None => {}
        }
        let is_found = match self.ask.way {
            Way::Id => self.is_asked(memory),
            Way::File => self.file(memory).is_some(),
            Way::Filters => self.words.is_empty() || relevance > 0.0,
        };
        match is_found && self.ask.refused(memory).is_none() {
            true => Reason::Selected,
            false => Reason::NoMatch,
        }
    }

    fn is_asked(&self, memory: &Memory) -> bool {
        self.ask.way == Way::Id && *memory.id.local == *self.ask.id
    }

    /// The file of a memory that is like one that is asked for, and that one.
    fn file<'m>(&self, memory: &'m Memory) -> Option<(&'m str, &'a str)> {
        let asked = self.ask.files.iter();
        let mut pairs = asked.flat_map(|asked| texts(memory, "files").map(move |own| (own, asked)));
        let found = pairs.find(|(own, asked)| contains(own, asked));
        found.map(|(own, asked)| (own, asked.as_str()))
    }

    /// Sort key: when it was made, or relevance and importance.
    fn score(&self, memory: &Memory, relevance: f64) -> i64 {
        if !self.ask.is_ranked {
            return created(memory).0;
        }
        let points = |part: f64| (part.clamp(-1e6, 1e6) * 10_000.0).round() as i64;
        points(relevance) + points(importance(memory))
    }

    /// The verdict on the memory at a place of the order, from 1.
    pub fn verdict(&self, (n, (is_out, _, index)): (usize, &Place)) -> Option<Verdict> {
        let (memory, ask) = (self.memory(*index)?, self.ask);
        let (relevance, found) = evidence(memory, &self.words);
        let reason = match self.reason(memory, relevance) {
            Reason::Selected if n > ask.places => Reason::OverLimit,
            reason => reason,
        };
        let is_in = reason == Reason::Selected;
        let factors = match never(memory) {
            Some(_) => Vec::new(),
            None if ask.is_ranked => self.weights(memory, relevance, &found),
            None => self.newest_first(memory, !is_out),
        };
        let score = factors.iter().map(|factor| factor.points).sum::<f64>();
        let has_score = ask.is_ranked && !factors.is_empty();
        let hit = self.file(memory).filter(|_| ask.way == Way::File);
        let verdict = Verdict::of(*index, memory, reason);
        Some(Verdict {
            rank: is_in.then_some(n),
            score: has_score.then_some((score * 10_000.0).round() / 10_000.0),
            factors,
            matched: hit.map(|(own, asked)| Match {
                pattern: asked.to_owned(),
                kind: "substring",
                hit: own.to_owned(),
            }),
            hint: self.hint(memory, reason, n),
            tokens: if is_in { ask.tokens() } else { verdict.tokens },
            ..verdict
        })
    }

    /// What the specification ranks by.
    fn weights(&self, memory: &Memory, relevance: f64, found: &[String]) -> Vec<Factor> {
        let detail = match (self.words.is_empty(), found.is_empty()) {
            (true, _) => "nothing is asked for".to_owned(),
            (false, true) => "none of the words".to_owned(),
            (false, false) => found.join(", "),
        };
        let importance = importance(memory);
        vec![
            factor("relevance", relevance, detail),
            factor("importance", importance, "as the memory has it".to_owned()),
        ]
    }

    /// What the real code goes by, and how sure it says it is (formats: rum).
    fn newest_first(&self, memory: &Memory, is_match: bool) -> Vec<Factor> {
        let ask = self.ask;
        let (points, detail) = match ask.way {
            Way::Id => (1.0, "asked for by its id"),
            Way::File => (0.95, "it touched the file"),
            Way::Filters => (0.9, "it passes the filters"),
        };
        let confidence = factor("confidence", points, detail.to_owned());
        let made = factor("newest first", 0.0, created(memory).to_rfc3339());
        let is_compared = memory.field("embedding").is_some()
            && ask.way == Way::Filters
            && !ask.query.trim().is_empty();
        let unknown = "not known: the system's model compares the query with its embedding";
        let similarity = factor("similarity", 0.0, unknown.to_owned());
        let (confidence, similarity) = (
            is_match.then_some(confidence),
            is_compared.then_some(similarity),
        );
        confidence
            .into_iter()
            .chain([made])
            .chain(similarity)
            .collect()
    }

    fn hint(&self, memory: &Memory, reason: Reason, place: usize) -> Option<String> {
        let ask = self.ask;
        Some(match reason {
            Reason::OverLimit => {
                let order = if ask.is_ranked { "best" } else { "newest" };
                let places = ask.places;
                format!("the {places} {order} are returned, it is number {place}: --max {place}")
            }
            Reason::NoMatch => match (ask.refused(memory), ask.way) {
                (Some((flag, wanted, own)), _) => {
                    format!("--{flag} asks for {wanted}, it has {own}")
                }
                (None, Way::Id) => format!("--id asks for {}", ask.id),
                (None, Way::File) => "it touched no file like those".to_owned(),
                (None, Way::Filters) => nowhere(memory),
            },
            Reason::Invalid | Reason::Invisible => {
                let why = memory.hidden.as_deref();
                why.unwrap_or("the system's code fails on it").to_owned()
            }
            Reason::NotApplicable => {
                "recall returns memories; --id names a chapter or wisdom".to_owned()
            }
            Reason::Archived => "restore it".to_owned(),
            _ => return None,
        })
    }
}

fn factor(name: &'static str, points: f64, detail: String) -> Factor {
    Factor {
        name,
        points,
        detail,
    }
}

/// A sum of hundredths as a part of so many words, to four digits.
fn part(sum: u32, words: usize) -> f64 {
    let words = to_u32(words.max(1));
    (f64::from(sum) * 100.0 / f64::from(words)).round() / 10_000.0
}

/// The words that bear meaning, each once.
fn wanted(text: &str) -> Vec<Box<str>> {
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

fn stems_of(word: &str) -> impl Iterator<Item = Box<str>> + use<> {
    stems(word).into_iter().map(|(stem, _)| stem.into())
}

/// The relevance of one memory, and where each word was found: the evidence.
fn evidence(memory: &Memory, wanted: &[Box<str>]) -> (f64, Vec<String>) {
    if wanted.is_empty() {
        return (0.0, Vec::new());
    }
    // The heaviest field comes first.
    let stems: Vec<(Box<str>, String, u32)> = PLACES
        .iter()
        .flat_map(|(name, weight)| {
            let words = texts(memory, name).flat_map(split);
            words.flat_map(move |word| {
                let place = format!("{word} ({name})");
                stems_of(&word).map(move |stem| (stem, place.clone(), *weight))
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

fn nowhere(memory: &Memory) -> String {
    let goal = text(memory, "goal");
    let names: Vec<&str> = PLACES.iter().map(|(name, _)| *name).collect();
    if goal.is_empty() {
        return "it has no goal to be found by".to_owned();
    }
    format!("none of the words stands in its {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::contains;
    use crate::memory::rows;

    #[test]
    fn files_are_looked_for_as_the_escaped_pattern_does() {
        for (path, file, expected) in rows! {
            "src/auth/interceptor.ts" => "auth/inter" => true,
            "src/auth/interceptor.ts" => "AUTH/INTER" => true,
            "src/a_b.rs" => "a_b" => true, "src/axb.rs" => "a_b" => false,
            "src/a/x/b.rs" => "a%b" => false, "src/100%.rs" => "0%" => true,
            "src\\a.rs" => "c\\a" => true, "src/Ä.rs" => "ä" => false, "" => "" => true,
            "" => "a" => false, "aaab" => "aab" => true,
        } {
            assert_eq!(contains(path, file), expected, "{path} like %{file}%");
        }
    }
}
