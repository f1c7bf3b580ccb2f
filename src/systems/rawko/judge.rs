//! Judges one memory as the specs' code does, step by step.

use std::ops::Range;

use super::facts::{Facts, fault, patterns};
use super::pattern::{Matcher, Outcome, SearchText};
use super::score::Context;
use super::{Dialect, level};
use crate::memory::{Memory, Value};
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

/// A task, ready to judge memories by.
pub struct Judge<'a> {
    /// The dialect.
    pub dialect: Dialect,
    /// The text that patterns are matched on.
    pub text: SearchText,
    /// The hashes of the stems of that text, in order.
    stems: Vec<u32>,
    /// The task.
    pub task: &'a Task,
    context: Context<'a>,
    /// The least importance that is asked for; none where the dialect does not ask.
    pub least: Option<&'a str>,
    matcher: &'a Matcher,
}

impl<'a> Judge<'a> {
    /// A judge for a task.
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

    /// True if an importance is enough.
    pub fn is_enough(&self, importance: &str) -> bool {
        let place = |word| level(word).map(|(place, _)| place);
        let least = self.least.and_then(place).unwrap_or_default();
        self.dialect == Dialect::Unified || place(importance).is_some_and(|own| own >= least)
    }

    /// The first pattern on which the code fails.
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
