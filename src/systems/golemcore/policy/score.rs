//! Points of the words of a task in a memory.

use std::collections::BTreeSet;

use super::candidate::{tags, title};
use super::tokenizer::{counts, tokens};
use crate::memory::Memory;
use crate::systems::golemcore::{Config, java};

/// The words of a task.
pub struct Words {
    /// Those that count for a score, each once, between blanks.
    counting: BTreeSet<String>,
    /// All, in order, joined by blanks: the phrase that is looked for.
    phrase: String,
    /// The active skill as it is compared for the score, and for the order.
    skill: Option<(String, String)>,
}

/// The relevance of everything where the task says nothing.
const NO_WORDS: f64 = 0.20;

impl Words {
    /// The words of a task's text.
    pub fn new(text: &str, skill: Option<&str>) -> Self {
        let lower = text.to_lowercase();
        let skill = skill.filter(|skill| !java::is_blank(skill));
        let counting = tokens(&lower).filter(|token| counts(token));
        Self {
            counting: counting.map(|token| format!(" {token} ")).collect(),
            phrase: tokens(&lower).collect::<Vec<_>>().join(" "),
            skill: skill.map(|skill| (skill.to_lowercase(), java::trim(skill).to_lowercase())),
        }
    }

    /// Points of a memory.
    pub fn points(&self, memory: &Tokens) -> Points {
        let has = |text: &str, part: &str| {
            memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some()
        };
        let texts = [&memory.title, &memory.content, &memory.of_tags];
        let is_found = |word: &&String| texts.iter().any(|text| has(text, word));
        let found = self.counting.iter().filter(is_found).count();
        let has_phrase = |text: &str| !self.phrase.is_empty() && has(text, &self.phrase);
        let mut counting = self.counting.iter();
        let covers = !self.counting.is_empty() && counting.all(|word| has(&memory.title, word));
        // Blanks have no case, so that trimming before or after it is the same.
        let tagged = |is_it: &dyn Fn(&str, &(String, String)) -> bool| {
            let skill = self.skill.as_ref();
            skill.is_some_and(|skill| memory.tags.iter().any(|tag| is_it(tag, skill)))
        };
        Points {
            relevance: self.relevance(found),
            found: (found, self.counting.len()),
            skill: tagged(&|tag, skill| tag == skill.0),
            reranked: [
                has_phrase(&memory.title),
                has_phrase(&memory.content),
                covers,
                tagged(&|tag, skill| java::trim(tag) == skill.1),
            ],
        }
    }

    /// Relevance of a memory that has so many of the words.
    fn relevance(&self, found: usize) -> f64 {
        if self.counting.is_empty() {
            return NO_WORDS;
        }
        #[expect(clippy::cast_precision_loss, reason = "words of a task")]
        let share = found as f64 / self.counting.len() as f64;
        super::candidate::clamp(share)
    }
}

/// Points of a memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The share of the words that it has.
    pub relevance: f64,
    /// Number of its words, and of all words.
    pub found: (usize, usize),
    /// True if a tag is the active skill.
    pub skill: bool,
    /// True if its title, its content has the phrase, its title all words, a tag the skill.
    pub reranked: [bool; 4],
}

/// Parts of the second ranking: the names, with the points of both profiles.
const RERANKING: [(&str, f64, f64); 4] = [
    ("title-phrase", 0.18, 0.26),
    ("content-phrase", 0.10, 0.14),
    ("title-coverage", 0.08, 0.10),
    ("skill-tag", 0.06, 0.08),
];

impl Points {
    /// Points that the second ranking adds to the score, in the system's order of adding.
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

/// The tokens of a memory, in lower case, each between blanks.
#[derive(Default)]
pub struct Tokens {
    title: String,
    content: String,
    /// Those of its tags, of which a null is written out.
    of_tags: String,
    /// Its tags in lower case.
    tags: Vec<String>,
}

impl Tokens {
    /// The tokens of a memory with this body.
    pub fn new(memory: &Memory, body: &str) -> Self {
        let mut found = Self::default();
        put(title(memory), &mut found.title);
        put(body, &mut found.content);
        for tag in tags(memory) {
            put(tag.as_deref().unwrap_or("null"), &mut found.of_tags);
            found.tags.extend(tag.map(|tag| tag.to_lowercase()));
        }
        found
    }
}

/// Adds the tokens of a text.
fn put(text: &str, to: &mut String) {
    let lower = text.to_lowercase();
    for token in tokens(&lower) {
        to.push(' ');
        to.push_str(token);
    }
    to.push(' ');
}
