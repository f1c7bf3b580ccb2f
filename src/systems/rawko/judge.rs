//! Judges one memory as the specs' code does, step by step.

use std::ops::Range;

use super::Dialect;
use super::fault;
use super::grams::Grams;
use super::pattern::{Matcher, Outcome, SearchText};
use super::prepared::{Prepared, patterns};
use super::score::{self, Context, Facts};
use crate::memory::{Memory, Role, Value};
use crate::retrieval::phrase::{self, Lexicon};
use crate::retrieval::{Limits, Match, Reason, Task, Verdict};
use crate::text::tokens::hash;

/// A judged memory, before ranks are given.
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
    /// The text that patterns are matched on.
    pub text: SearchText,
    grams: Grams,
    /// The hashes of the stems of that text, in order.
    stems: Vec<u32>,
    /// The task.
    pub task: &'a Task,
    context: Context<'a>,
    least: Option<&'a str>,
    /// Matches patterns.
    pub matcher: &'a Matcher,
}

impl<'a> Judge<'a> {
    /// A judge for a task.
    pub fn new(task: &'a Task, limits: &'a Limits, matcher: &'a Matcher) -> Self {
        let dialect = Dialect::named(limits.dialect);
        let text = SearchText::new(&task.text, &task.agent);
        let mut stems: Vec<u32> = text.stems().iter().map(|(stem, _)| hash(stem)).collect();
        stems.sort_unstable();
        Self {
            dialect,
            grams: Grams::new(&text.lower),
            text,
            stems,
            task,
            context: Context::new(task, dialect, limits.score_bonus),
            least: limits.min_importance.as_deref(),
            matcher,
        }
    }

    /// The least importance that is asked for; none where the dialect does not ask.
    pub fn least(&self) -> Option<&str> {
        self.least.filter(|_| self.dialect != Dialect::Unified)
    }

    /// True if an importance is enough.
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

    /// Judges a memory, with what is prepared of it.
    pub fn judge(
        &self,
        (index, memory): (usize, &Memory),
        prepared: Option<&Prepared>,
        lexicon: &mut Lexicon,
    ) -> Judged {
        let is_judged = prepared.and_then(|one| one.is_judged.get(self.dialect as usize));
        let fault = || fault::of(memory, self.dialect);
        if let Some(fault) = (is_judged != Some(&true)).then(fault).flatten() {
            return Judged {
                memory: index,
                score: None,
                reason: fault.reason,
                matched: None,
                missing: 0,
            };
        }
        let filter = |n: usize| prepared.and_then(|one| one.patterns.get(n));
        let literal = |(n, pattern): (usize, Option<&str>)| match pattern {
            _ if filter(n).is_some_and(|one| {
                !one.may_match((&self.text.lower, &self.grams), self.dialect)
            }) =>
            {
                Outcome::No
            }
            Some(pattern) => self.matcher.find(pattern, &self.text, self.dialect),
            None => Outcome::Throws,
        };
        let natural = self.dialect == Dialect::Natural;
        let phrase = |(n, pattern): (usize, Option<&str>)| {
            let may_mean = filter(n).is_none_or(|one| one.may_mean(&self.stems));
            let pattern = pattern.filter(|_| natural && may_mean)?;
            phrase::find(pattern, self.text.stems(), lexicon)
        };
        let patterns = patterns(memory).map(Value::as_str).enumerate();
        let decided = first_match(patterns, literal, phrase);
        let important = self.is_enough(memory.importance().unwrap_or_default());
        let (reason, hit) = match decided {
            Ok(hit) if important => (Reason::Selected, Some(hit)),
            Ok(hit) => (Reason::BelowImportance, Some(hit)),
            Err(reason) => (reason, None),
        };
        let matched = hit.map(|((_, pattern), kind, at)| Match {
            pattern: pattern.unwrap_or_default().to_owned(),
            kind,
            hit: self.text.lower.get(at).unwrap_or_default().to_owned(),
        });
        let facts = match prepared {
            Some(one) => Facts::prepared(memory, (&one.title, one.bits), one.created),
            None => Facts::of(memory),
        };
        Judged {
            memory: index,
            score: Some(self.context.score(&facts)),
            reason,
            matched,
            missing: 0,
        }
    }

    /// The verdict on a memory, without rank, hint and the tokens of its part of the prompt.
    pub fn verdict(&self, memory: &Memory, judged: &Judged) -> Verdict {
        let score = judged
            .score
            .map(|_| self.context.factors(&Facts::of(memory)));
        let (score, factors) = score.map_or((None, Vec::new()), |(score, factors)| {
            (Some(score), factors)
        });
        Verdict {
            // At most three digits.
            score: score
                .and_then(|score| i32::try_from(score).ok())
                .map(f64::from),
            factors,
            matched: judged.matched.clone(),
            ..Verdict::of(judged.memory, memory, judged.reason)
        }
    }
}

/// A pattern that matches, how, and the bytes of the searched text.
pub type Hit<P> = (P, &'static str, Range<usize>);

/// The first pattern that matches, in the order of the file: by the rules of the specs, and
/// where none does, as a phrase. Else why there is none.
pub fn first_match<P: Copy>(
    patterns: impl Iterator<Item = P> + Clone,
    mut literal: impl FnMut(P) -> Outcome,
    mut phrase: impl FnMut(P) -> Option<Range<usize>>,
) -> Result<Hit<P>, Reason> {
    let mut reason = Reason::NoMatch;
    for pattern in patterns.clone() {
        match literal(pattern) {
            Outcome::No => {}
            Outcome::Hit(kind, at) => return Ok((pattern, kind, at)),
            Outcome::Throws => return Err(Reason::Invalid),
            Outcome::TooSlow => reason = Reason::PatternTooSlow,
        }
    }
    let mut patterns = patterns;
    patterns
        .find_map(|pattern| Some((pattern, "phrase", phrase(pattern)?)))
        .ok_or(reason)
}
