//! A task and its settings, ready to judge memories by.

use std::collections::BTreeSet;

use super::SPEC;
use super::facts::{Exclusion, Facts, clamp, counts, tokens};
use crate::retrieval::{Factor, Limits, Task};
use crate::systems::golemcore::config::Config;
use crate::systems::golemcore::{Instant, Tree, java, scope};

const DAY: i64 = 86_400;
/// The relevance of everything where the task says nothing.
const NO_WORDS: f64 = 0.20;
/// The points of a memory about a file of the task.
const FILE: f64 = 0.10;

/// Parts of the second ranking: the names, with the points of both profiles.
const RERANKING: [(&str, f64, f64); 4] = [
    ("title-phrase", 0.18, 0.26),
    ("content-phrase", 0.10, 0.14),
    ("title-coverage", 0.08, 0.10),
    ("skill-tag", 0.06, 0.08),
];

/// The task and the settings.
pub struct Query {
    /// The settings.
    pub config: Config,
    /// The scopes that are read, nearest first.
    pub scopes: Vec<String>,
    /// The clock.
    pub now: Instant,
    /// Days since 1970 of today, where the system runs.
    pub today: i64,
    /// True in the dialect of the specification.
    pub is_spec: bool,
    /// The files that the task names, in lower case; none in the system's own dialect.
    files: Vec<String>,
    /// The active skill in lower case.
    skill: Option<String>,
    /// Tokens of the task that count for a score, each once, between blanks.
    words: BTreeSet<String>,
    /// All tokens, in order, joined by blanks: the phrase that is looked for.
    phrase: String,
}

/// True if a token in lower case is the name of a file: it has an ending, which begins with a letter.
fn is_file(token: &str) -> bool {
    let end = token
        .rsplit_once('.')
        .filter(|(stem, _)| !stem.is_empty() && !stem.ends_with('/'));
    end.is_some_and(|(_, end)| {
        end.starts_with(|c: char| c.is_ascii_lowercase())
            && end.len() <= 8
            && end.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

/// A score and what it is made of, as the system adds it up.
pub struct Score {
    /// The sum.
    pub total: f64,
    /// 0.40, 0.20, 0.20 and 0.20 of relevance, recency, salience and confidence, then the points
    /// of type, skill and file.
    parts: [f64; 7],
    /// Number of words of the task that the memory has.
    found: usize,
    /// The file of the task that the memory is about, by its index.
    file: Option<usize>,
    /// Points that the second ranking adds, in the system's order of adding.
    pub boost: [f64; 4],
}

impl Query {
    /// The query of a task.
    pub fn new(task: &Task, limits: &Limits) -> Self {
        let options = &limits.options;
        let mut config = Config::of(options);
        // The flags of the contract stand for settings of the system.
        for (flag, setting) in [
            ("mode", "disclosure.mode"),
            ("style", "disclosure.promptStyle"),
        ] {
            if let Some(text) = options.get(flag) {
                config.set(setting, text);
            }
        }
        if let Some(max) = limits.max {
            config.top_k = [max; 4];
        }
        if let Some(budget) = limits.budget.filter(|budget| *budget > 0) {
            (config.soft, config.hard) = (budget, budget);
        }
        let east = options.get("utc-offset").and_then(|text| text.parse().ok());
        let here = task
            .now
            .0
            .div_euclid(1000)
            .saturating_add(east.unwrap_or(0));
        let skill = options.get("skill").filter(|skill| !java::is_blank(skill));
        let lower = task.text.to_lowercase();
        let words = tokens(&lower).filter(|token| counts(token));
        let is_spec = limits.dialect == SPEC;
        let named = tokens(&lower).map(|token| token.trim_matches('.'));
        let named = named.filter(|token| is_file(token)).map(str::to_owned);
        let files = task.files.iter().map(|file| file.to_lowercase());
        let files = files.chain(named).filter(|_| is_spec);
        Self {
            is_spec,
            files: files.collect(),
            config,
            scopes: scope::chain(options.get("scope")),
            now: Instant::from(task.now),
            today: here.div_euclid(DAY),
            skill: skill.map(str::to_lowercase),
            words: words.map(|token| format!(" {token} ")).collect(),
            phrase: tokens(&lower).collect::<Vec<_>>().join(" "),
        }
    }

    /// Why a memory is no candidate; none where it is one (steps 1 and 2).
    pub fn exclusion(&self, facts: &Facts) -> Option<Exclusion> {
        let is_asked = |scope: &str| self.scopes.iter().any(|asked| asked == scope);
        let back = match facts.file {
            Tree::Day(day) => self.today.saturating_sub(day),
            Tree::Semantic | Tree::Procedural => 0,
        };
        let oldest = self.now.plus_days(-self.config.decay_days);
        let is_old = facts.stamp.is_some_and(|stamp| stamp < oldest);
        if facts.exclusion.is_some() {
            facts.exclusion
        } else if !is_asked(&facts.tree) || !is_asked(&facts.scope) {
            Some(Exclusion::OutOfScope)
        } else if !(0..self.config.lookback).contains(&back) {
            Some(Exclusion::OtherDay(back))
        } else if facts.ttl_end.is_some_and(|end| self.now > end) {
            Some(Exclusion::Ttl)
        } else {
            (self.config.decay && is_old).then_some(Exclusion::Decayed)
        }
    }

    /// The score of a candidate (step 3).
    pub fn score(&self, facts: &Facts) -> Score {
        let has = |text: &str, part: &str| {
            memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some()
        };
        let texts = [&facts.title, &facts.content, &facts.of_tags];
        let is_found = |word: &&String| texts.iter().any(|text| has(text, word));
        let found = self.words.iter().filter(is_found).count();
        #[expect(clippy::cast_precision_loss, reason = "words of a task")]
        let relevance = match self.words.len() {
            0 => NO_WORDS,
            all => clamp(found as f64 / all as f64),
        };
        let tagged = |is_it: &dyn Fn(&str, &str) -> bool| {
            let skill = self.skill.as_ref();
            skill.is_some_and(|skill| facts.tags.iter().any(|tag| is_it(tag, skill)))
        };
        let kind = match facts.kind {
            Some("FAILURE" | "FIX" | "CONSTRAINT") => 0.12,
            Some("DECISION" | "PROJECT_FACT" | "PREFERENCE") => 0.08,
            Some(_) => 0.05,
            None => 0.0,
        };
        let file = self.files.iter().position(|file| facts.is_about(file));
        let parts = [
            relevance * 0.40,
            self.recency(facts.stamp) * 0.20,
            facts.salience * 0.20,
            facts.confidence * 0.20,
            kind,
            if tagged(&|tag, skill| tag == skill) {
                0.10
            } else {
                0.0
            },
            if file.is_some() { FILE } else { 0.0 },
        ];
        let has_phrase = |text: &str| !self.phrase.is_empty() && has(text, &self.phrase);
        let mut words = self.words.iter();
        let covers = !self.words.is_empty() && words.all(|word| has(&facts.title, word));
        let is_tagged = tagged(&|tag, skill| java::trim(tag) == java::trim(skill));
        let title = has_phrase(&facts.title);
        let mut boosts = [title, has_phrase(&facts.content), covers, is_tagged].into_iter();
        let [first, rest @ ..] = parts;
        Score {
            // In the system's order: sums of floats depend on it.
            total: rest.iter().fold(first, |sum, part| sum + part),
            parts,
            found,
            file,
            boost: RERANKING.map(|(_, balanced, aggressive)| match boosts.next() {
                Some(true) if self.config.aggressive => aggressive,
                Some(true) => balanced,
                _ => 0.0,
            }),
        }
    }

    fn recency(&self, stamp: Option<Instant>) -> f64 {
        match stamp.map(|stamp| stamp.days_until(self.now)) {
            None => 0.30,
            Some(..=0) => 1.0,
            Some(30..) => 0.0,
            #[expect(clippy::cast_precision_loss, reason = "fewer than thirty")]
            Some(days) => clamp(1.0 - days as f64 / 30.0),
        }
    }

    /// Every part of a score with its evidence; then what the second ranking adds to the order.
    pub fn factors(&self, facts: &Facts, score: &Score) -> Vec<Factor> {
        let relevance = match self.words.len() {
            0 => "the task has no words that count".to_owned(),
            all => format!("{} of {all} words of the task", score.found),
        };
        let recency = match facts.stamp.map(|stamp| stamp.days_until(self.now)) {
            Some(..=-1) => "to come".to_owned(),
            Some(0) => "changed today".to_owned(),
            Some(1) => "changed a day ago".to_owned(),
            Some(days) => format!("changed {days} days ago"),
            None => "without a date".to_owned(),
        };
        let [.., skill, _] = score.parts;
        let file = score.file.and_then(|at| self.files.get(at));
        let file = file.map_or_else(
            || "about no file of the task".to_owned(),
            |file| format!("about {file}"),
        );
        let has_skill = if skill > 0.0 {
            "the active skill is a tag"
        } else {
            "no tag is the active skill"
        };
        let details = [
            ("relevance", relevance),
            ("recency", recency),
            ("salience", format!("a fifth of {}", facts.salience)),
            ("confidence", format!("a fifth of {}", facts.confidence)),
            ("type", facts.kind.unwrap_or("none").to_owned()),
            ("skill", has_skill.to_owned()),
            ("file", file),
        ];
        let parts = details.into_iter().zip(score.parts);
        let parts = parts.filter(|((name, _), _)| match *name {
            "skill" => self.skill.is_some(),
            "file" => !self.files.is_empty(),
            _ => true,
        });
        let order = "for the order only, not for the score";
        let boosts = RERANKING.into_iter().zip(score.boost);
        let boosts = boosts.filter(|(_, points)| self.config.rerank && *points > 0.0);
        let boosts = boosts.map(|((name, ..), points)| ((name, order.to_owned()), points));
        let factor = |((name, detail), points)| Factor {
            name,
            points,
            detail,
        };
        parts.chain(boosts).map(factor).collect()
    }

    /// Place of a file among those that are read: scopes in order, of each the days from
    /// today back, then facts, then procedures.
    pub fn place(&self, facts: &Facts) -> (u32, u32) {
        let file = match facts.file {
            Tree::Day(day) => self.today.saturating_sub(day),
            Tree::Semantic => i64::from(u32::MAX - 1),
            Tree::Procedural => i64::from(u32::MAX),
        };
        let tree = self.scope_number(&facts.tree);
        (tree, u32::try_from(file).unwrap_or_default())
    }

    /// The place of a scope in the chain.
    pub fn scope_number(&self, scope: &str) -> u32 {
        let at = self.scopes.iter().position(|asked| asked == scope);
        at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
    }
}
