//! The score of a memory for a task, 0 to 100 (SPEC-0007, "scoreMemoryRelevance"; SPEC-0009,
//! "Scoring Algorithm").

use std::borrow::Cow;

use memchr::memmem::Finder;

use super::Dialect;
use super::grams::bits;
use crate::memory::schema::IMPORTANCE;
use crate::memory::{Memory, Role, Timestamp, Value};
use crate::retrieval::{Factor, Task, js};

/// The most a memory can earn.
pub const CAP: i64 = 100;
/// The most the words of its title can earn, at five points each.
pub const KEYWORD_CAP: i64 = 20;
const TAG_CAP: i64 = 15;
const EACH: i64 = 5;
const DISCOVERER: i64 = 10;
const HOUR: i64 = 3_600_000;

/// Agents with a specialty and the tags that belong to it: those of the specs, then those that
/// only the real code has.
const SPECIALTIES: &[(&str, [&str; 3], &str)] = &[
    (
        "planner",
        ["planning", "structure", "analysis"],
        "architecture",
    ),
    (
        "developer",
        ["implementation", "code", "patterns"],
        "development",
    ),
    ("tester", ["testing", "validation", "quality"], "tests"),
    (
        "reviewer",
        ["review", "quality", "standards"],
        "code-review",
    ),
];

/// The parts of a task that count for a score, prepared once for all memories.
pub struct Context<'a> {
    dialect: Dialect,
    agent: &'a str,
    now: Timestamp,
    bonus: i64,
    words: Vec<String>,
    /// Finds each of the words, with its bits.
    finders: Vec<(Finder<'static>, u64)>,
    tags: Vec<&'static str>,
}

impl<'a> Context<'a> {
    /// The context of a task.
    pub fn new(task: &'a Task, dialect: Dialect, bonus: i64) -> Self {
        let lower = task.text.to_lowercase();
        let counts = |word: &&str| dialect != Dialect::Sdk || js::len(word) > 3;
        let specialty = SPECIALTIES.iter().find(|(agent, ..)| *agent == task.agent);
        let tags = specialty.map(|(_, tags, more)| {
            let more = (dialect == Dialect::Sdk).then_some(*more);
            tags.iter().copied().chain(more).collect()
        });
        let words = js::words(&lower).into_iter().filter(counts);
        let words: Vec<String> = words.map(ToOwned::to_owned).collect();
        let finder = |word: &String| (Finder::new(word).into_owned(), bits(word));
        let finders = words.iter().map(finder);
        Self {
            dialect,
            agent: &task.agent,
            now: task.now,
            bonus,
            finders: finders.collect(),
            words,
            tags: tags.unwrap_or_default(),
        }
    }

    /// Points for importance, tags and author.
    fn standing_of<'t>(
        &self,
        importance: Option<&str>,
        tags: impl Iterator<Item = &'t str>,
        author: Option<&str>,
    ) -> i64 {
        let tags = self.tag_points(tags);
        let bonus = if tags > 0 { self.bonus } else { 0 };
        points(importance) + tags + bonus + self.discoverer(author)
    }

    /// The score of a memory.
    pub fn score(&self, facts: &Facts<'_>) -> i64 {
        self.total(facts).min(CAP)
    }

    fn total(&self, facts: &Facts<'_>) -> i64 {
        self.standing_of(facts.importance, facts.tags(), facts.author)
            + self.recency(facts.created)
            + self.keyword_points(self.words_in(facts).count())
    }

    /// The words of the task that a title has.
    fn words_in(&self, facts: &Facts<'_>) -> impl Iterator<Item = &str> {
        let words = self.words.iter().zip(&self.finders);
        let found = move |(_, (finder, bits)): &(&String, &(Finder<'_>, u64))| {
            facts.bits & bits == *bits && finder.find(facts.title.as_bytes()).is_some()
        };
        words.filter(found).map(|(word, _)| word.as_str())
    }

    /// Points for so many words.
    fn keyword_points(&self, found: usize) -> i64 {
        KEYWORD_CAP.min(EACH * i64::try_from(found).unwrap_or(KEYWORD_CAP))
    }

    /// Points for a memory's age.
    fn recency(&self, created: Option<Timestamp>) -> i64 {
        match created.map(|created| self.now.0.saturating_sub(created.0)) {
            Some(age) if age < 24 * HOUR => 10,
            Some(age) if age < 72 * HOUR => 5,
            _ => 0,
        }
    }

    fn matching_tags<'t>(&self, tags: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
        let sdk = self.dialect == Dialect::Sdk;
        let is_ours = |tag: &&str| {
            if sdk {
                self.tags.contains(&tag.to_lowercase().as_str())
            } else {
                self.tags.contains(tag)
            }
        };
        tags.filter(is_ours).collect()
    }

    fn tag_points<'t>(&self, tags: impl Iterator<Item = &'t str>) -> i64 {
        if self.tags.is_empty() {
            return 0;
        }
        points_of_tags(self.matching_tags(tags).len())
    }

    fn discoverer(&self, author: Option<&str>) -> i64 {
        if author == Some(self.agent) {
            DISCOVERER
        } else {
            0
        }
    }

    /// The score with every part it is made of.
    pub fn factors(&self, facts: &Facts<'_>) -> (i64, Vec<Factor>) {
        let words: Vec<&str> = self.words_in(facts).collect();
        let keywords = self.keyword_points(words.len());
        let words = words.into_iter();
        let words = words.map(|word| if word.is_empty() { "“”" } else { word });
        let tags = self.matching_tags(facts.tags());
        let tag_points = points_of_tags(tags.len());
        let age = facts
            .created
            .map(|created| created.age_words(self.now))
            .unwrap_or_default();
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let parts = [
            (
                "importance",
                points(facts.importance),
                text(facts.importance),
            ),
            ("recency", self.recency(facts.created), age),
            ("title keywords", keywords, joined(words)),
            ("agent tags", tag_points, joined(tags.into_iter())),
            (
                "same discoverer",
                self.discoverer(facts.author),
                text(facts.author),
            ),
        ];
        let mut total: i64 = parts.iter().map(|(_, points, _)| points).sum();
        let mut factors: Vec<Factor> = parts
            .into_iter()
            .map(|(name, points, detail)| factor(name, points, detail))
            .collect();
        if self.bonus != 0 {
            let points = if tag_points > 0 { self.bonus } else { 0 };
            let why = format!("{} is a specialist", self.agent);
            factors.push(factor("score bonus", points, why));
            total += points;
        }
        if total > CAP {
            factors.push(factor("cap", CAP - total, format!("at most {CAP}")));
        }
        (total.min(CAP), factors)
    }
}

/// Words with commas between them.
fn joined<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut text = String::new();
    for (n, word) in words.enumerate() {
        if n > 0 {
            text.push_str(", ");
        }
        text.push_str(word);
    }
    text
}

fn points_of_tags(count: usize) -> i64 {
    TAG_CAP.min(EACH * i64::try_from(count).unwrap_or(TAG_CAP))
}

fn factor(name: &'static str, points: i64, detail: String) -> Factor {
    // Points are small whole numbers.
    #[expect(clippy::cast_precision_loss, reason = "at most three digits")]
    let points = points as f64;
    Factor {
        name,
        points,
        detail,
    }
}

/// The parts of a memory that count for a score.
pub struct Facts<'m> {
    importance: Option<&'m str>,
    author: Option<&'m str>,
    tags: &'m [Value],
    /// When it was written.
    pub created: Option<Timestamp>,
    /// The title in lower case.
    pub title: Cow<'m, str>,
    /// Bits that the title has, or all.
    bits: u64,
}

impl<'m> Facts<'m> {
    /// The facts of a memory.
    pub fn of(memory: &'m Memory) -> Self {
        let title = memory.role(Role::Title).and_then(Value::as_str);
        Self {
            created: memory.role(Role::Created).and_then(Timestamp::of_value),
            title: title.unwrap_or_default().to_lowercase().into(),
            ..Self::undated(memory)
        }
    }

    fn undated(memory: &'m Memory) -> Self {
        Self {
            importance: memory.importance(),
            author: memory.author(),
            tags: match memory.role(Role::Tags) {
                Some(Value::List(items)) => items,
                _ => &[],
            },
            created: None,
            title: Cow::Borrowed(""),
            bits: u64::MAX,
        }
    }

    /// The facts of a memory with its title in lower case and the bits of that.
    pub fn prepared(
        memory: &'m Memory,
        (title, bits): (&'m str, u64),
        created: Option<Timestamp>,
    ) -> Self {
        Self {
            created,
            bits,
            title: Cow::Borrowed(title),
            ..Self::undated(memory)
        }
    }

    fn tags(&self) -> impl Iterator<Item = &'m str> + use<'m> {
        self.tags.iter().filter_map(Value::as_str)
    }
}

fn points(importance: Option<&str>) -> i64 {
    importance.and_then(level).map_or(0, |(_, points)| points)
}

/// Points of the importances, the least first.
const POINTS: [i64; 4] = [5, 15, 25, 30];

/// Place in the order and points of an importance.
pub fn level(importance: &str) -> Option<(usize, i64)> {
    let mut known = IMPORTANCE.into_iter().zip(POINTS).enumerate();
    let found = known.find(|(_, (word, _))| *word == importance);
    found.map(|(place, (_, points))| (place, points))
}
