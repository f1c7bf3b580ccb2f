//! Judges one memory as the specs' code does, step by step; its score is 0 to 100 (SPEC-0007,
//! "scoreMemoryRelevance"; SPEC-0009, "Scoring Algorithm"). At the end stand the facts of a memory that
//! hold for every task, and the fault that keeps it from its patterns.

use std::ops::Range;

use memchr::memmem::Finder;

use super::pattern::{Matcher, Outcome, SearchText, normalized, required};
use super::{Dialect, level};
use crate::memory::{Memory, Role, Sight, State, Timestamp, Value};
use crate::retrieval::phrase::{self, Lexicon};
use crate::retrieval::{Factor, Limits, Match, Reason, Task, Verdict, js};
use crate::text::tokens::hash;

#[derive(Clone, Debug)]
pub struct Judged {
    /// Its index in the snapshot.
    pub memory: usize,
    /// Its points; none where it could not be judged.
    pub score: Option<i64>,
    /// `Selected` where it may be injected, else why not.
    pub reason: Reason,
    pub matched: Option<Match>,
    pub missing: usize,
}

pub struct Judge<'a> {
    pub dialect: Dialect,
    pub text: SearchText,
    /// The hashes of the stems of that text, in order.
    stems: Vec<u32>,
    pub task: &'a Task,
    context: Context<'a>,
    /// The least importance that is asked for; none where the dialect does not ask.
    pub least: Option<&'a str>,
    matcher: &'a Matcher,
}

impl<'a> Judge<'a> {
    pub fn new(task: &'a Task, limits: &'a Limits, matcher: &'a Matcher) -> Self {
        let dialect = Dialect::named(limits.dialect);
        let text = SearchText::new(&task.text, &task.agent);
        let mut stems: Vec<u32> = text.stems.iter().map(|(stem, _)| hash(stem)).collect();
        stems.sort_unstable();
        let least = limits.min_importance.as_deref();
        Self {
            dialect,
            text,
            stems,
            task,
            context: Context::new(task, dialect, limits.score_bonus),
            least: least.filter(|_| dialect != Dialect::Unified),
            matcher,
        }
    }

    pub fn is_enough(&self, importance: &str) -> bool {
        let place = |word| level(word).map(|(place, _)| place);
        let least = self.least.and_then(place).unwrap_or_default();
        self.dialect == Dialect::Unified || place(importance).is_some_and(|own| own >= least)
    }

    pub fn failing_pattern<'m>(&self, memory: &'m Memory) -> Option<&'m Value> {
        patterns(memory).find(|pattern| match pattern.as_str() {
            Some(text) => self.matcher.find(text, &self.text, self.dialect) == Outcome::Throws,
            None => true,
        })
    }

    /// The first pattern that matches, in the order of the file, how it matches, and the bytes of the
    /// searched text: by the rules of the specs, and where none does, as a phrase. Else why there is none.
    fn first_match<'m>(
        &self,
        memory: &'m Memory,
        facts: &Facts,
        lexicon: &mut Lexicon,
    ) -> Result<(&'m str, &'static str, Range<usize>), Reason> {
        let mut reason = Reason::NoMatch;
        let all = || patterns(memory).map(Value::as_str).zip(&facts.patterns);
        for (pattern, filter) in all() {
            let pattern = pattern.ok_or(Reason::Invalid)?;
            let lacks = !self.text.lower.contains(&*filter.literal);
            if lacks && self.dialect != Dialect::Unified {
                continue;
            }
            match self.matcher.find(pattern, &self.text, self.dialect) {
                Outcome::No => {}
                Outcome::Hit(kind, at) => return Ok((pattern, kind, at)),
                Outcome::Throws => return Err(Reason::Invalid),
                Outcome::TooSlow => reason = Reason::PatternTooSlow,
            }
        }
        let has = |stem: &u32| self.stems.binary_search(stem).is_ok();
        let mut phrases = all().filter(|_| self.dialect == Dialect::Natural);
        let found = phrases.find_map(|(pattern, filter)| {
            let may_mean = !filter.stems.is_empty() && filter.stems.iter().all(has);
            let pattern = pattern.filter(|_| may_mean)?;
            let at = phrase::find(pattern, &self.text.stems, lexicon)?;
            Some((pattern, "phrase", at))
        });
        found.ok_or(reason)
    }

    /// Judges a memory by its facts; that its place is taken by a better one does not count.
    pub fn judge(
        &self,
        (index, memory): (usize, &Memory),
        facts: &Facts,
        lexicon: &mut Lexicon,
    ) -> Judged {
        let fault = (!facts.is_sound).then(|| fault(memory, self.dialect));
        let judged = |reason| Judged {
            memory: index,
            score: None,
            reason,
            matched: None,
            missing: 0,
        };
        if let Some((reason, _)) = fault.flatten() {
            return judged(reason);
        }
        let is_enough = || self.is_enough(memory.importance().unwrap_or_default());
        let (reason, hit) = match self.first_match(memory, facts, lexicon) {
            Ok(hit) if is_enough() => (Reason::Selected, Some(hit)),
            Ok(hit) => (Reason::BelowImportance, Some(hit)),
            Err(reason) => (reason, None),
        };
        let matched = hit.map(|(pattern, kind, at)| Match {
            pattern: pattern.to_owned(),
            kind,
            hit: self.text.lower.get(at).unwrap_or_default().to_owned(),
        });
        Judged {
            score: Some(self.context.score(memory, facts)),
            matched,
            ..judged(reason)
        }
    }

    /// The verdict on a memory, without rank, hint and the tokens of its part of the prompt.
    pub fn verdict(&self, (memory, facts): (&Memory, &Facts), judged: &Judged) -> Verdict {
        let score = judged.score.map(|_| self.context.factors(memory, facts));
        let (score, factors) = score.unzip();
        Verdict {
            score,
            factors: factors.unwrap_or_default(),
            matched: judged.matched.clone(),
            ..Verdict::of(judged.memory, memory, judged.reason)
        }
    }
}

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
struct Context<'a> {
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
    fn new(task: &'a Task, dialect: Dialect, bonus: i64) -> Self {
        let is_sdk = dialect == Dialect::Sdk;
        let lower = task.text.to_lowercase();
        let words = js::words(&lower).into_iter();
        let words = words.filter(|word| !is_sdk || js::len(word) > 3);
        let words = words.map(|word| (word.to_owned(), Finder::new(word).into_owned()));
        let specialty = SPECIALTIES.iter().find(|(agent, _)| *agent == task.agent);
        let tags = specialty.map_or("", |(_, tags)| tags).split_whitespace();
        Self {
            dialect,
            agent: &task.agent,
            now: task.now,
            bonus,
            words: words.collect(),
            tags: tags.take(if is_sdk { 4 } else { 3 }).collect(),
        }
    }

    fn score(&self, memory: &Memory, facts: &Facts) -> i64 {
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
        let importance = memory.importance().and_then(level);
        [
            importance.map_or(0, |(_, points)| points),
            recency,
            times(self.words_in(&facts.title).count(), KEYWORD_CAP),
            tags,
            if is_own { DISCOVERER } else { 0 },
            if tags > 0 { self.bonus } else { 0 },
        ]
    }

    fn words_in(&self, title: &str) -> impl Iterator<Item = &str> {
        let words = self.words.iter();
        let found = words.filter(|(_, finder)| finder.find(title.as_bytes()).is_some());
        found.map(|(word, _)| word.as_str())
    }

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

    fn factors(&self, memory: &Memory, facts: &Facts) -> (f64, Vec<Factor>) {
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let words = self.words_in(&facts.title);
        let words = words.map(|word| if word.is_empty() { "“”" } else { word });
        let age = facts.created.map(|created| created.age_words(self.now));
        let tags: Vec<&str> = self.matching_tags(memory).collect();
        let parts = [
            ("importance", text(memory.importance())),
            ("recency", age.unwrap_or_default()),
            ("title keywords", words.collect::<Vec<_>>().join(", ")),
            ("agent tags", tags.join(", ")),
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

/// The first thing that keeps a memory from its patterns, and its repair for a person.
pub fn fault(memory: &Memory, dialect: Dialect) -> Option<(Reason, String)> {
    let is_sdk = dialect == Dialect::Sdk;
    let unread = |reason| {
        let why = memory.hidden.as_deref();
        let why = why.unwrap_or("the loader does not read it");
        let own = why.strip_prefix("the loader finds no frontmatter: ");
        Some((reason, own.unwrap_or(why).to_owned()))
    };
    if memory.state == State::Archived {
        return Some((Reason::Archived, "restore it from the archive".to_owned()));
    }
    match memory.sight {
        Sight::Skipped | Sight::Off => return unread(Reason::Invisible),
        _ if memory.document > 0 && dialect != Dialect::Natural => {
            let why = "only the first memory of a file is read";
            return Some((Reason::Invisible, why.to_owned()));
        }
        Sight::NoFields if is_sdk => return unread(Reason::Invisible),
        Sight::NoFields => return unread(Reason::Invalid),
        Sight::Seen | Sight::TextOnly | Sight::Later | Sight::Invalid => {}
    }
    let by_loader = is_sdk.then(|| not_valid(memory));
    let by_code = || {
        let why = first_wrong(memory, code_checks(memory, dialect))?;
        Some((Reason::Invalid, why))
    };
    let by_loader = by_loader.flatten().map(|why| (Reason::Invisible, why));
    by_loader.or_else(by_code)
}

/// A field, whether it is right, and what it is if it is there and not right.
type Check = (Role, bool, &'static str);

fn first_wrong(memory: &Memory, checks: [Check; 6]) -> Option<String> {
    checks.into_iter().find_map(|(role, is_right, what)| {
        let field = memory.schema.role(role).filter(|_| !is_right)?.name;
        Some(match is_present(memory, role) {
            true => format!("`{field}` is {what}"),
            false => format!("`{field}` is missing"),
        })
    })
}

fn is_present(memory: &Memory, role: Role) -> bool {
    memory.role(role).is_some_and(|value| *value != Value::Null)
}

fn is_text(memory: &Memory, role: Role) -> bool {
    matches!(memory.role(role), Some(Value::Text(_)))
}

/// The failure of the real loader's validity check. Told from the fields and not from what was found
/// at loading, for an edit is tried before it is made.
pub fn not_valid(memory: &Memory) -> Option<String> {
    let is_list = |role| matches!(memory.role(role), Some(Value::List(_)));
    let patterns = is_text(memory, Role::Patterns) || is_list(Role::Patterns);
    let is_known = memory.importance().and_then(level).is_some();
    let checks = [
        (Role::Title, is_text(memory, Role::Title), "not text"),
        (Role::Patterns, patterns, "neither text nor a list"),
        (Role::Tags, is_list(Role::Tags), "not a list"),
        (Role::Importance, is_known, "not low to critical"),
        (Role::Created, is_text(memory, Role::Created), "not text"),
        (Role::Author, is_text(memory, Role::Author), "not text"),
    ];
    first_wrong(memory, checks)
}

/// Returns what the code calls on the fields: `toLowerCase` of the title, `toUpperCase` of the importance,
/// `filter` of the tags.
fn code_checks(memory: &Memory, dialect: Dialect) -> [Check; 6] {
    let tags = wrong_tags(memory, dialect == Dialect::Sdk);
    // Only the selected reach `toUpperCase`: with a least importance those that are one, or a list of
    // one, which JavaScript takes for its item.
    let is_level = |value| dialect == Dialect::Unified || level(&js::string(value)).is_some();
    let importance = memory.role(Role::Importance);
    let fails = !is_text(memory, Role::Importance) && importance.is_some_and(is_level);
    [
        (Role::Title, is_text(memory, Role::Title), "not text"),
        (Role::Patterns, is_present(memory, Role::Patterns), ""),
        (Role::Importance, is_present(memory, Role::Importance), ""),
        (Role::Author, is_present(memory, Role::Author), ""),
        (Role::Importance, !fails, "not text"),
        (Role::Tags, tags.is_none(), tags.unwrap_or_default()),
    ]
}

/// Why `filter` or what it calls fails: a truthy value other than a list has no `filter` in
/// JavaScript, and the real code calls `toLowerCase` on every item.
fn wrong_tags(memory: &Memory, is_sdk: bool) -> Option<&'static str> {
    let fails = match memory.role(Role::Tags)? {
        Value::List(tags) if is_sdk && tags.iter().any(|tag| tag.as_str().is_none()) => {
            return Some("a list with more than text");
        }
        Value::Null | Value::Bool(false) | Value::Int(0) | Value::List(_) => false,
        Value::Text(text) => !text.is_empty(),
        Value::Float(number) => *number != 0.0 && !number.is_nan(),
        Value::Bool(true) | Value::Int(_) | Value::Map(_) => true,
    };
    fails.then_some("not a list")
}

/// The parts of a memory that do not depend on a task, read once for many previews of a snapshot.
pub struct Facts {
    pub title: Box<str>,
    pub created: Option<Timestamp>,
    /// True if the code of every dialect gets as far as its patterns: that of `sdk` asks for most.
    pub is_sound: bool,
    pub patterns: Box<[Filter]>,
}

/// Tells patterns apart that surely do not match.
pub struct Filter {
    /// A literal text that every match has in the dialects with the code of SPEC-0007; empty if there
    /// is none.
    pub literal: Box<str>,
    /// Hashes of the stems that it needs as a phrase; empty if it is none.
    pub stems: Box<[u32]>,
}

/// The patterns of a memory, and whatever else stands among them.
pub fn patterns(memory: &Memory) -> impl Iterator<Item = &Value> {
    let patterns = memory.role(Role::Patterns);
    patterns.into_iter().flat_map(Value::items)
}

impl Facts {
    pub fn new(memory: &Memory, lexicon: &mut Lexicon) -> Self {
        let title = memory.role(Role::Title).and_then(Value::as_str);
        let filter = |pattern: &Value| {
            let text = pattern.as_str().unwrap_or_default();
            let normal = normalized(text);
            let runs = required(&normal).unwrap_or_default();
            let longest = runs.into_iter().max_by_key(|run| run.len());
            let stems = phrase::needs(text, lexicon).unwrap_or_default();
            Filter {
                literal: longest.unwrap_or_default().into(),
                stems: stems.iter().map(|stem| hash(stem)).collect(),
            }
        };
        Self {
            title: title.unwrap_or_default().to_lowercase().into(),
            created: memory.role(Role::Created).and_then(Timestamp::of_value),
            is_sound: fault(memory, Dialect::Sdk).is_none(),
            patterns: patterns(memory).map(filter).collect(),
        }
    }
}
