//! The score of a memory for a task, 0 to 100 (SPEC-0007, "scoreMemoryRelevance"; SPEC-0009,
//! "Scoring Algorithm").

use memchr::memmem::Finder;

use super::facts::Facts;
use super::{Dialect, level};
use crate::memory::{Memory, Role, Timestamp, Value};
use crate::retrieval::{Factor, Task, js};

/// The most a memory can earn.
pub const CAP: i64 = 100;
/// The most the words of its title can earn, at five points each, and its tags.
const KEYWORD_CAP: i64 = 20;
const TAG_CAP: i64 = 15;
const EACH: i64 = 5;
const DISCOVERER: i64 = 10;
const HOUR: i64 = 3_600_000;

/// Agents with a specialty and the tags that belong to it: those of the specs, then the one that
/// only the real code has.
const SPECIALTIES: [(&str, &str); 4] = [
    ("planner", "planning structure analysis architecture"),
    ("developer", "implementation code patterns development"),
    ("tester", "testing validation quality tests"),
    ("reviewer", "review quality standards code-review"),
];

/// The parts of a task that count for a score, prepared once for all memories.
pub struct Context<'a> {
    dialect: Dialect,
    agent: &'a str,
    now: Timestamp,
    bonus: i64,
    words: Vec<(String, Finder<'static>)>,
    tags: Vec<&'static str>,
}

/// Points for the parts of a score, in the order of the factors.
type Points = [i64; 6];

impl<'a> Context<'a> {
    /// The context of a task.
    pub fn new(task: &'a Task, dialect: Dialect, bonus: i64) -> Self {
        let is_sdk = dialect == Dialect::Sdk;
        let lower = task.text.to_lowercase();
        let words = js::words(&lower).into_iter();
        let words = words.filter(|word| !is_sdk || js::len(word) > 3);
        let specialty = SPECIALTIES.iter().find(|(agent, _)| *agent == task.agent);
        let tags = specialty.map_or("", |(_, tags)| tags).split_whitespace();
        Self {
            dialect,
            agent: &task.agent,
            now: task.now,
            bonus,
            words: words
                .map(|word| (word.to_owned(), Finder::new(word).into_owned()))
                .collect(),
            tags: tags.take(if is_sdk { 4 } else { 3 }).collect(),
        }
    }

    /// The score of a memory.
    pub fn score(&self, memory: &Memory, facts: &Facts) -> i64 {
        self.points(memory, facts).iter().sum::<i64>().min(CAP)
    }

    fn points(&self, memory: &Memory, facts: &Facts) -> Points {
        let times = |count: usize, cap: i64| cap.min(EACH * i64::try_from(count).unwrap_or(cap));
        let age = facts.created.map(|at| self.now.0.saturating_sub(at.0));
        let recency = match age {
            Some(age) if age < 24 * HOUR => 10,
            Some(age) if age < 72 * HOUR => 5,
            _ => 0,
        };
        let tags = times(self.matching_tags(memory).count(), TAG_CAP);
        let is_own = memory.author() == Some(self.agent);
        [
            memory
                .importance()
                .and_then(level)
                .map_or(0, |(_, points)| points),
            recency,
            times(self.words_in(&facts.title).count(), KEYWORD_CAP),
            tags,
            if is_own { DISCOVERER } else { 0 },
            if tags > 0 { self.bonus } else { 0 },
        ]
    }

    /// The words of the task that a title has.
    fn words_in(&self, title: &str) -> impl Iterator<Item = &str> {
        let words = self.words.iter();
        let found = words.filter(|(_, finder)| finder.find(title.as_bytes()).is_some());
        found.map(|(word, _)| word.as_str())
    }

    /// The tags of a memory that belong to the agent's specialty.
    fn matching_tags<'m>(&self, memory: &'m Memory) -> impl Iterator<Item = &'m str> {
        let tags = match memory.role(Role::Tags) {
            Some(Value::List(tags)) if !self.tags.is_empty() => &**tags,
            _ => &[],
        };
        let is_ours = |tag: &&str| match self.dialect {
            Dialect::Sdk => self.tags.contains(&tag.to_lowercase().as_str()),
            _ => self.tags.contains(tag),
        };
        tags.iter().filter_map(Value::as_str).filter(is_ours)
    }

    /// The score with every part it is made of.
    pub fn factors(&self, memory: &Memory, facts: &Facts) -> (f64, Vec<Factor>) {
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let words = self.words_in(&facts.title);
        let words = words.map(|word| if word.is_empty() { "“”" } else { word });
        let age = facts.created.map(|created| created.age_words(self.now));
        let parts = [
            ("importance", text(memory.importance())),
            ("recency", age.unwrap_or_default()),
            ("title keywords", words.collect::<Vec<_>>().join(", ")),
            (
                "agent tags",
                self.matching_tags(memory).collect::<Vec<_>>().join(", "),
            ),
            ("same discoverer", text(memory.author())),
            ("score bonus", format!("{} is a specialist", self.agent)),
        ];
        let points = self.points(memory, facts);
        let total: i64 = points.iter().sum();
        let parts = parts.into_iter().zip(points);
        let parts = parts.filter(|((name, _), _)| self.bonus != 0 || *name != "score bonus");
        let cap = (("cap", format!("at most {CAP}")), CAP - total);
        let parts = parts.chain((total > CAP).then_some(cap));
        let factor = |((name, detail), points): ((&'static str, String), i64)| Factor {
            name,
            points: points as f64,
            detail,
        };
        (total.min(CAP) as f64, parts.map(factor).collect())
    }
}
