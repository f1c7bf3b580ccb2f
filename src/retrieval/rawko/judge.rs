//! What the specs' code does with one memory, step by step.

use super::Dialect;
use super::pattern::{Matcher, Outcome, SearchText};
use super::phrase;
use super::score::{self, Context, Facts};
use crate::memory::{Memory, Role, Sight, State, Value};
use crate::retrieval::{Limits, Match, Reason, Task, Verdict, js};

/// What came of a memory, before ranks are given.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its index in the snapshot.
    pub memory: usize,
    /// Its points; none where it could not be judged.
    pub score: Option<i64>,
    /// `Selected` where it may be injected, else why not.
    pub reason: Reason,
    /// The pattern that matched.
    pub matched: Option<Match>,
}

/// A task, ready to judge memories by.
pub struct Judge<'a> {
    /// The dialect.
    pub dialect: Dialect,
    /// What patterns are matched on.
    pub text: SearchText,
    /// The task.
    pub task: &'a Task,
    context: Context<'a>,
    least: Option<&'a str>,
    matcher: &'a Matcher,
}

impl<'a> Judge<'a> {
    /// A judge for a task.
    pub fn new(task: &'a Task, limits: &'a Limits, matcher: &'a Matcher) -> Self {
        let dialect = Dialect::named(limits.dialect);
        Self {
            dialect,
            text: SearchText::new(&task.text, &task.agent),
            task,
            context: Context::new(task, dialect, limits.score_bonus),
            least: limits.min_importance.as_deref(),
            matcher,
        }
    }

    /// The least importance that is asked for.
    pub const fn least(&self) -> Option<&str> {
        self.least
    }

    /// Judges a memory.
    pub fn judge(&self, index: usize, memory: &Memory) -> Judged {
        let (reason, matched) = match self.obstacle(memory) {
            Some(reason) => (reason, None),
            None => self.decide(memory),
        };
        let unjudged = matches!(
            reason,
            Reason::Archived | Reason::Invisible | Reason::Invalid
        );
        let score = (!unjudged).then(|| self.score(memory, None));
        Judged {
            memory: index,
            score,
            reason,
            matched,
        }
    }

    /// Whether a memory gets as far as its patterns.
    pub fn can_judge(&self, memory: &Memory) -> bool {
        self.obstacle(memory).is_none()
    }

    /// Points of a memory; `facts` are its own where they are at hand.
    pub fn score(&self, memory: &Memory, facts: Option<&Facts>) -> i64 {
        let of = |facts: &Facts| self.context.base(facts) + self.context.keywords(facts.title());
        facts
            .map_or_else(|| of(&Facts::of(memory)), of)
            .min(score::CAP)
    }

    /// What keeps a memory from being matched at all: the loader, or code that would throw.
    fn obstacle(&self, memory: &Memory) -> Option<Reason> {
        let sdk = self.dialect == Dialect::Sdk;
        match memory.sight {
            _ if memory.state == State::Archived => return Some(Reason::Archived),
            Sight::Skipped => return Some(Reason::Invisible),
            _ if memory.document > 0 && self.dialect != Dialect::Natural => {
                return Some(Reason::Invisible);
            }
            Sight::NoFields | Sight::Invalid if sdk => return Some(Reason::Invisible),
            Sight::NoFields => return Some(Reason::Invalid),
            Sight::Seen | Sight::Later | Sight::Invalid => {}
        }
        let has = |role| memory.role(role).is_some_and(|value| *value != Value::Null);
        let title_is_text = matches!(memory.role(Role::Title), Some(Value::Text(_)));
        // What is not text has no `toUpperCase`; the others never get that far, unless it is a
        // list of one word, which JavaScript takes for the word.
        let importance_fails = memory.importance().is_none()
            && (self.dialect == Dialect::Unified
                || memory
                    .role(Role::Importance)
                    .is_some_and(|value| score::level(&js::string(value)).is_some()));
        let complete =
            title_is_text && has(Role::Patterns) && has(Role::Importance) && has(Role::Author);
        (!complete || importance_fails || tags_throw(memory, sdk)).then_some(Reason::Invalid)
    }

    fn decide(&self, memory: &Memory) -> (Reason, Option<Match>) {
        let (reason, matched) = self.matched(memory);
        let important = self.dialect == Dialect::Unified || self.is_important(memory);
        match reason {
            Reason::Selected if !important => (Reason::BelowImportance, matched),
            reason => (reason, matched),
        }
    }

    fn is_important(&self, memory: &Memory) -> bool {
        let least = self
            .least
            .and_then(score::level)
            .map_or(0, |(place, _)| place);
        let own = memory.importance().and_then(score::level);
        own.is_some_and(|(place, _)| place >= least)
    }

    /// The first pattern that matches, in the order of the file.
    fn matched(&self, memory: &Memory) -> (Reason, Option<Match>) {
        let patterns = memory
            .role(Role::Patterns)
            .into_iter()
            .flat_map(Value::items);
        let mut reason = Reason::NoMatch;
        for pattern in patterns.clone() {
            let Some(pattern) = pattern.as_str() else {
                return (Reason::Invalid, None);
            };
            match self.matcher.find(pattern, &self.text, self.dialect) {
                Outcome::No => {}
                Outcome::Hit(kind, at) => {
                    return (Reason::Selected, Some(self.hit(pattern, kind, at)));
                }
                Outcome::Throws => return (Reason::Invalid, None),
                Outcome::TooSlow => reason = Reason::PatternTooSlow,
            }
        }
        if self.dialect == Dialect::Natural {
            for pattern in patterns.filter_map(Value::as_str) {
                let found = phrase::needs(pattern)
                    .and_then(|needs| phrase::find(&needs, self.text.stems()));
                if let Some(at) = found {
                    return (Reason::Selected, Some(self.hit(pattern, "phrase", at)));
                }
            }
        }
        (reason, None)
    }

    fn hit(&self, pattern: &str, kind: &'static str, at: std::ops::Range<usize>) -> Match {
        let hit = self.text.lower.get(at).unwrap_or_default();
        Match {
            pattern: pattern.to_owned(),
            kind,
            hit: hit.to_owned(),
        }
    }

    /// The verdict on a memory, without rank, hint and the tokens of its part of the prompt.
    pub fn verdict(&self, memory: &Memory, judged: &Judged) -> Verdict {
        let score = judged
            .score
            .map(|_| self.context.factors(memory, &Facts::of(memory)));
        let (score, factors) = score.map_or((None, Vec::new()), |(score, factors)| {
            (Some(score), factors)
        });
        Verdict {
            memory: judged.memory,
            rank: None,
            // At most three digits.
            score: score
                .and_then(|score| i32::try_from(score).ok())
                .map(f64::from),
            factors,
            matched: judged.matched.clone(),
            reason: judged.reason,
            hint: None,
            remedy: Vec::new(),
            tokens: memory.tokens as usize,
        }
    }
}

/// Whether the code fails on the tags: what is neither a list nor nothing has no `filter` in
/// JavaScript, and the real code calls `toLowerCase` on every item.
fn tags_throw(memory: &Memory, sdk: bool) -> bool {
    match memory.role(Role::Tags) {
        None | Some(Value::Null | Value::Bool(false) | Value::Int(0)) => false,
        Some(Value::List(tags)) => sdk && tags.iter().any(|tag| tag.as_str().is_none()),
        Some(Value::Text(text)) => !text.is_empty(),
        Some(Value::Float(number)) => *number != 0.0 && !number.is_nan(),
        Some(Value::Bool(true) | Value::Int(_) | Value::Map(_)) => true,
    }
}
