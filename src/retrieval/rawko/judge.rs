//! What the specs' code does with one memory, step by step.

use super::Dialect;
use super::fault;
use super::pattern::{Matcher, Outcome, SearchText};
use super::phrase;
use super::score::{self, Context, Facts};
use crate::memory::{Memory, Role, Value};
use crate::retrieval::{Limits, Match, Reason, Task, Verdict};

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
    /// Tokens that the budget lacks for it.
    pub missing: usize,
}

impl Judged {
    /// The same, its place taken by better ones.
    pub fn over_limit(self) -> Self {
        Self {
            reason: Reason::OverLimit,
            ..self
        }
    }

    /// The same, left out for want of so many tokens.
    pub fn over_budget(self, missing: usize) -> Self {
        Self {
            reason: Reason::OverBudget,
            missing,
            ..self
        }
    }
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

    /// What of the task counts for a score.
    pub const fn context(&self) -> &Context<'a> {
        &self.context
    }

    /// The least importance that is asked for; none where the dialect does not ask.
    pub fn least(&self) -> Option<&str> {
        self.least.filter(|_| self.dialect != Dialect::Unified)
    }

    /// Whether an importance is enough.
    pub fn is_enough(&self, importance: &str) -> bool {
        let place = |word| score::level(word).map(|(place, _)| place);
        let least = self.least().and_then(place).unwrap_or_default();
        self.dialect == Dialect::Unified || place(importance).is_some_and(|own| own >= least)
    }

    /// The first pattern on which the code fails.
    pub fn failing_pattern<'m>(&self, memory: &'m Memory) -> Option<&'m Value> {
        let mut patterns = memory.role(Role::Patterns)?.items();
        patterns.find(|pattern| match pattern.as_str() {
            Some(text) => self.matcher.find(text, &self.text, self.dialect) == Outcome::Throws,
            None => true,
        })
    }

    /// Judges a memory.
    pub fn judge(&self, index: usize, memory: &Memory) -> Judged {
        let (score, (reason, matched)) = match fault::of(memory, self.dialect) {
            Some(fault) => (None, (fault.reason, None)),
            None => (Some(self.score(memory)), self.decide(memory)),
        };
        Judged {
            memory: index,
            score,
            reason,
            matched,
            missing: 0,
        }
    }

    /// Judges a memory that gets as far as its patterns, and whose score is known.
    pub fn judge_scored(&self, index: usize, memory: &Memory, score: i64) -> Judged {
        let (reason, matched) = self.decide(memory);
        Judged {
            memory: index,
            score: Some(score),
            reason,
            matched,
            missing: 0,
        }
    }

    /// Whether a memory gets as far as its patterns.
    pub fn can_judge(&self, memory: &Memory) -> bool {
        fault::of(memory, self.dialect).is_none()
    }

    /// Points of a memory.
    pub fn score(&self, memory: &Memory) -> i64 {
        let facts = Facts::of(memory);
        (self.context.base(&facts) + self.context.keywords(facts.title())).min(score::CAP)
    }

    fn decide(&self, memory: &Memory) -> (Reason, Option<Match>) {
        let (reason, matched) = self.matched(memory);
        let important = self.is_enough(memory.importance().unwrap_or_default());
        match reason {
            Reason::Selected if !important => (Reason::BelowImportance, matched),
            reason => (reason, matched),
        }
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
