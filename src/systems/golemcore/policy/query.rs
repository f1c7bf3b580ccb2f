//! A task and its settings, ready to judge memories by, and the facts of a memory that do not depend
//! on the task.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use compact_str::CompactString;
use regex::Regex;

use super::SPEC;
use crate::memory::{Memory, Role, Sight, State, Value};
use crate::retrieval::{Factor, Limits, Task, Texts, js};
use crate::systems::golemcore::config::Config;
use crate::systems::golemcore::{GOLEMCORE, Instant, Layer, Place, Row, Tree, java, scope};

const DAY: i64 = 86_400;
/// The relevance of everything where the task says nothing.
const NO_WORDS: f64 = 0.20;
/// The points of a memory with the active skill as a tag, and of one about a file of the task.
const SKILL: f64 = 0.10;
const FILE: f64 = 0.10;

/// Parts of the second ranking: the names, with the points of both profiles.
const RERANKING: [(&str, f64, f64); 4] = [
    ("title-phrase", 0.18, 0.26),
    ("content-phrase", 0.10, 0.14),
    ("title-coverage", 0.08, 0.10),
    ("skill-tag", 0.06, 0.08),
];

pub struct Query {
    pub config: Config,
    /// The scopes that are read, nearest first.
    pub scopes: Vec<String>,
    pub now: Instant,
    /// Days since 1970 of today, where the system runs.
    pub today: i64,
    /// True in the dialect of the specification.
    pub is_spec: bool,
    /// The files that the task names, in lower case; none in the system's own dialect.
    files: Vec<String>,
    skill: Option<String>,
    /// Tokens of the task that count for a score, each once, between blanks.
    words: BTreeSet<String>,
    /// All tokens, in order, joined by blanks: the phrase that is looked for.
    phrase: String,
}

/// True if a token in lower case is the name of a file: it has an ending, which begins with a letter.
fn is_file(token: &str) -> bool {
    let is_end = |end: &str| {
        let is_word = end.chars().all(|c| c.is_ascii_alphanumeric());
        end.len() <= 8 && end.starts_with(|c: char| c.is_ascii_lowercase()) && is_word
    };
    let parts = token.rsplit_once('.');
    parts.is_some_and(|(stem, end)| !stem.is_empty() && !stem.ends_with('/') && is_end(end))
}

pub struct Score {
    pub total: f64,
    /// 0.40, 0.20, 0.20 and 0.20 of relevance, recency, salience and confidence, then the points
    /// of type, skill and file.
    parts: [f64; 7],
    found: usize,
    /// The file of the task that the memory is about, by its index.
    file: Option<usize>,
    /// Points that the second ranking adds, in the system's order of adding.
    pub boost: [f64; 4],
}

impl Query {
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
        let now = task.now.0.div_euclid(1000);
        let here = now.saturating_add(east.unwrap_or(0));
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
        let has_skill = tagged(&|tag, skill| tag == skill);
        let parts = [
            relevance * 0.40,
            self.recency(facts.stamp) * 0.20,
            facts.salience * 0.20,
            facts.confidence * 0.20,
            kind,
            if has_skill { SKILL } else { 0.0 },
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
        let file = file.map_or("no file of the task", String::as_str);
        let has_skill = match skill > 0.0 {
            true => "the active skill is a tag",
            false => "no tag is the active skill",
        };
        let details = [
            ("relevance", relevance),
            ("recency", recency),
            ("salience", format!("a fifth of {}", facts.salience)),
            ("confidence", format!("a fifth of {}", facts.confidence)),
            ("type", facts.kind.unwrap_or("none").to_owned()),
            ("skill", has_skill.to_owned()),
            ("file", format!("about {file}")),
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

    pub fn scope_number(&self, scope: &str) -> u32 {
        let at = self.scopes.iter().position(|asked| asked == scope);
        at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
    }
}

/// Default of a value that is missing.
const SALIENCE: f64 = 0.50;
const CONFIDENCE: f64 = 0.55;

#[derive(Clone, Debug)]
pub struct Facts {
    pub exclusion: Option<Exclusion>,
    /// Key that duplicates share.
    pub identity: Option<Box<str>>,
    /// The scope of its file's tree.
    pub tree: CompactString,
    /// The scope it counts under.
    pub scope: CompactString,
    pub file: Tree,
    /// Its place in that file.
    pub number: u32,
    /// Its layer; an episode where it has none.
    pub layer: Layer,
    pub kind: Option<&'static str>,
    /// When it was changed last, else written.
    pub stamp: Option<Instant>,
    pub ttl_end: Option<Instant>,
    pub salience: f64,
    pub confidence: f64,
    /// The tokens of its title, in lower case, each between blanks.
    pub title: String,
    /// Those of its content.
    pub content: String,
    /// Those of its tags, of which a null is written out.
    pub of_tags: String,
    pub tags: Vec<String>,
    /// The files, tests and addresses that it is about, in lower case.
    pub references: Box<[String]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    Archived,
    /// golemcore cannot parse its line, or never reads its file.
    Unread,
    OutOfScope,
    /// Its day is this many days back: before the days that are read, or in the future.
    OtherDay(i64),
    Ttl,
    /// It was not changed for too long.
    Decayed,
}

impl Facts {
    /// The facts of a memory; of one of another format what is common to all.
    pub fn of(memory: &Memory, texts: &dyn Texts) -> Self {
        let place = Place::of_row(memory);
        let row = Row::of(&memory.fields);
        let is_row = memory.schema.format == GOLEMCORE.format;
        let is_unread = match is_row {
            true => place.is_none() || row.is_err() || memory.sight != Sight::Seen,
            false => memory.hidden.is_some(),
        };
        let exclusion = match memory.state {
            State::Archived => Some(Exclusion::Archived),
            State::Active => is_unread.then_some(Exclusion::Unread),
        };
        let place = place.unwrap_or_else(Place::facts);
        let row = row.unwrap_or_default();
        let (default_layer, stamp) = match is_row {
            true => (Layer::Episodic, row.stamp()),
            false => {
                let written = memory.updated.or(memory.created);
                (Layer::Semantic, written.map(Instant::from))
            }
        };
        let identity = match is_row {
            true => row.identity().map(Into::into),
            false => Some(memory.id.to_string().into()),
        };
        let mut facts = Self {
            exclusion,
            identity,
            scope: row.scope_in(&place.scope).into(),
            tree: place.scope.into(),
            file: place.file,
            number: memory.document,
            layer: row.layer.unwrap_or(default_layer),
            kind: row.kind,
            stamp,
            ttl_end: row.ttl_end(),
            salience: clamp(row.salience.unwrap_or(SALIENCE)),
            confidence: clamp(row.confidence.unwrap_or(CONFIDENCE)),
            title: String::new(),
            content: String::new(),
            of_tags: String::new(),
            tags: Vec::new(),
            references: Box::default(),
        };
        // A memory that is never a candidate needs no words.
        if exclusion.is_none() {
            put(title(memory), &mut facts.title);
            put(&texts.body(memory).unwrap_or_default(), &mut facts.content);
            for tag in tags(memory) {
                put(tag.as_deref().unwrap_or("null"), &mut facts.of_tags);
                facts.tags.extend(tag.map(|tag| tag.to_lowercase()));
            }
            let references = memory.field("references").into_iter();
            let references = references.flat_map(Value::items);
            let lower = references.filter_map(|one| Some(one.as_str()?.to_lowercase()));
            facts.references = lower.collect();
        }
        facts
    }

    /// True if a reference names a file, or a tag is its name, its name without the ending, or that.
    pub fn is_about(&self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_end = |long: &str, short: &str| {
            let head = long.strip_suffix(short);
            head.is_some_and(|head| head.is_empty() || head.ends_with('/'))
        };
        let names = |reference: &String| {
            let path = reference.split('#').next().unwrap_or_default();
            !path.is_empty() && (is_end(path, file) || is_end(file, path))
        };
        let is_tag = |tag: &String| !tag.is_empty() && [file, name, stem, end].contains(&&**tag);
        self.references.iter().any(names) || self.tags.iter().any(is_tag)
    }
}

/// Limits a value to 0..=1 as the system does; NaN stays NaN.
pub const fn clamp(value: f64) -> f64 {
    value.clamp(0.0, 1.0)
}

pub fn title(memory: &Memory) -> &str {
    let Some(spec) = memory.schema.role(Role::Title) else {
        return &memory.title;
    };
    let title = memory.field(spec.name).and_then(Value::as_str);
    title.unwrap_or_default()
}

/// The tags as the system holds them; a null is one without a text.
pub fn tags(memory: &Memory) -> Vec<Option<String>> {
    let tags = memory.role(Role::Tags).into_iter().flat_map(Value::items);
    let tag = |tag: &Value| (*tag != Value::Null).then(|| tag.to_string());
    tags.map(tag).collect()
}

fn put(text: &str, to: &mut String) {
    let lower = text.to_lowercase();
    for token in tokens(&lower) {
        to.push(' ');
        to.push_str(token);
    }
    to.push(' ');
}

static TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[\p{L}0-9_./#-]+").ok());

/// The tokens of a text that is in lower case already, of any length.
pub fn tokens(lower: &str) -> impl Iterator<Item = &str> {
    let found = TOKEN.as_ref().map(|token| token.find_iter(lower));
    found.into_iter().flatten().map(|token| token.as_str())
}

/// True if a token counts for a score: from three UTF-16 units on.
pub fn counts(token: &str) -> bool {
    token.len() >= 3 && (token.is_ascii() || js::len(token) >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn tokens_are_those_of_the_system() {
        let all = |text: &str| {
            let lower = text.to_lowercase();
            tokens(&lower).collect::<Vec<_>>().join(" ")
        };
        for (text, tokens) in rows! {
            "Use src/A.java#x, v1-2 & OAuth_2!" => "use src/a.java#x v1-2 oauth_2",
            "É日本語²ⅷª" => "é日本語 ª", "𝐀𐐀" => "𝐀𐐨", " - " => "-", "a\u{301}b" => "a b",
        } {
            assert_eq!(all(text), tokens);
        }
        assert!(!counts("ab") && counts("abc") && !counts("日本") && counts("𝐀a"));
    }
}
