//! What the words of a task find in a memory.

use std::collections::BTreeSet;

use super::facts::{tags, title};
use super::words::{counts, tokens};
use crate::memory::Memory;
use crate::systems::golemcore::{Config, java};

/// The words of a task.
pub struct Words {
    /// Those that count for a score, each once.
    pub counting: BTreeSet<String>,
    /// All, in order: the phrase that is looked for.
    pub phrase: Vec<String>,
    /// The active skill as it is compared for the score, and for the order.
    pub skill: Option<(String, String)>,
}

/// The relevance of everything where the task says nothing.
const NO_WORDS: f64 = 0.20;

impl Words {
    /// The words of a task.
    pub fn new(text: &str, skill: Option<&str>) -> Self {
        let lower = text.to_lowercase();
        let phrase: Vec<String> = tokens(&lower).map(ToOwned::to_owned).collect();
        let skill = skill.filter(|skill| !java::is_blank(skill));
        Self {
            counting: phrase
                .iter()
                .filter(|token| counts(token))
                .cloned()
                .collect(),
            phrase,
            skill: skill.map(|skill| (skill.to_lowercase(), java::trim(skill).to_lowercase())),
        }
    }

    /// The phrase as one text.
    pub fn joined(&self) -> String {
        self.phrase.join(" ")
    }

    /// What so many of the words are worth.
    pub fn relevance(&self, found: usize) -> f64 {
        if self.counting.is_empty() {
            return NO_WORDS;
        }
        #[expect(clippy::cast_precision_loss, reason = "words of a task")]
        let share = found as f64 / self.counting.len() as f64;
        super::facts::clamp(share)
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The share of the words that it has.
    pub relevance: f64,
    /// How many words it has, of how many.
    pub found: (usize, usize),
    /// Whether a tag is the active skill.
    pub skill: bool,
    /// Whether its title, its content has the phrase, its title all words, a tag the skill.
    pub reranked: [bool; 4],
}

/// What the second ranking adds: the names, with the points of both profiles.
const RERANKING: [(&str, f64, f64); 4] = [
    ("title-phrase", 0.18, 0.26),
    ("content-phrase", 0.10, 0.14),
    ("title-coverage", 0.08, 0.10),
    ("skill-tag", 0.06, 0.08),
];

impl Points {
    /// What the second ranking adds to the score for its order, in the system's order of adding.
    pub fn boost(&self, config: &Config) -> [f64; 4] {
        let mut boost = [0.0; 4];
        for ((place, has), (_, balanced, aggressive)) in
            boost.iter_mut().zip(self.reranked).zip(RERANKING)
        {
            *place = match (has, config.aggressive) {
                (false, _) => 0.0,
                (true, false) => balanced,
                (true, true) => aggressive,
            };
        }
        boost
    }

    /// The parts of that with their names.
    pub fn reranking(&self, config: &Config) -> impl Iterator<Item = (&'static str, f64)> {
        let all = RERANKING.into_iter().zip(self.boost(config));
        all.map(|((name, ..), points)| (name, points))
            .filter(|(_, points)| *points > 0.0)
    }

    /// The evidence of its relevance.
    pub fn detail(&self) -> String {
        match self.found {
            (_, 0) => "the task has no words that count".to_owned(),
            (found, all) => format!("{found} of {all} words of the task"),
        }
    }
}

/// What the words of a task find in a memory with this body.
pub fn points(words: &Words, memory: &Memory, body: &str) -> Points {
    let title = title(memory).to_lowercase();
    let content = body.to_lowercase();
    let tags = tags(memory);
    // What is null is written out where tags are searched.
    let searched: Vec<String> = tags
        .iter()
        .map(|tag| tag.as_deref().unwrap_or("null").to_lowercase())
        .collect();
    let titled: Vec<&str> = tokens(&title).collect();
    let told: Vec<&str> = tokens(&content).collect();
    let of_tags = searched.iter().flat_map(|tag| tokens(tag));
    let all: BTreeSet<&str> = titled
        .iter()
        .copied()
        .chain(told.iter().copied())
        .chain(of_tags)
        .collect();
    let found = words
        .counting
        .iter()
        .filter(|word| all.contains(word.as_str()))
        .count();
    let phrase = words.joined();
    let has = |tokens: &[&str]| !phrase.is_empty() && tokens.join(" ").contains(&phrase);
    let covers = !words.counting.is_empty()
        && words
            .counting
            .iter()
            .all(|word| titled.contains(&word.as_str()));
    let skill = |pick: fn(&(String, String)) -> &String, trimmed: bool| {
        words.skill.as_ref().is_some_and(|skill| {
            let is_it = |tag: &str| {
                let tag = if trimmed { java::trim(tag) } else { tag };
                tag.to_lowercase() == *pick(skill)
            };
            tags.iter().flatten().any(|tag| is_it(tag))
        })
    };
    Points {
        relevance: words.relevance(found),
        found: (found, words.counting.len()),
        skill: skill(|skill| &skill.0, false),
        reranked: [
            has(&titled),
            has(&told),
            covers,
            skill(|skill| &skill.1, true),
        ],
    }
}
