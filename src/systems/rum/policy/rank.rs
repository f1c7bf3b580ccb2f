//! Which memories are returned, in which order, and what comes next.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::ask::{Ask, Way};
use super::facts::{Facts, text, texts};
use super::like;
use super::word_weights::{self, Words};
use crate::memory::Memory;
use crate::retrieval::{Reason, Snapshot, memory_at};

/// A score that can be compared and is the same every time: in ten-thousandths.
type Score = i64;

/// A place in the order: the best first, ties by path and position.
type Key = (Reverse<Score>, usize);

/// The memories for what is asked.
pub struct Ranking<'a> {
    /// The request.
    pub ask: &'a Ask<'a>,
    /// The words that are asked for.
    pub wanted: Vec<Box<str>>,
    memories: &'a Snapshot,
    facts: &'a [Facts],
    what_if: Option<(usize, &'a Memory)>,
    relevance: Option<Vec<f64>>,
    /// Those that are returned, were there room for all.
    matching: Vec<Key>,
}

impl<'a> Ranking<'a> {
    /// The order of a snapshot, with one memory replaced.
    pub fn new(
        memories: &'a Snapshot,
        facts: &'a [Facts],
        words: Option<&Words>,
        ask: &'a Ask<'a>,
        what_if: Option<(usize, &'a Memory)>,
    ) -> Self {
        let wanted = if ask.is_ranked() {
            word_weights::wanted(&ask.query)
        } else {
            Vec::new()
        };
        let relevance = words
            .filter(|_| !wanted.is_empty())
            .map(|words| words.relevance(&wanted, memories.len()));
        let mut ranking = Self {
            ask,
            wanted,
            memories,
            facts,
            what_if,
            relevance,
            matching: Vec::new(),
        };
        let all = 0..memories.len();
        let mut matching: Vec<Key> = all
            .filter(|index| ranking.reason(*index) == Reason::Selected)
            .map(|index| (Reverse(ranking.score(index)), index))
            .collect();
        // Only the first are ever looked at; the others are left as they are.
        let places = ask.places();
        if places > 0 && places < matching.len() {
            matching.select_nth_unstable(places - 1);
        }
        let first = places.min(matching.len());
        if let Some(first) = matching.get_mut(..first) {
            first.sort_unstable();
        }
        ranking.matching = matching;
        ranking
    }

    /// A memory.
    pub fn memory(&self, index: usize) -> Option<&Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    /// The facts of a memory.
    pub fn facts(&self, index: usize) -> Option<Cow<'_, Facts>> {
        match self.what_if {
            Some((replaced, memory)) if replaced == index => Some(Cow::Owned(Facts::of(memory))),
            _ => self.facts.get(index).map(Cow::Borrowed),
        }
    }

    /// Share of the words that a memory has, 0 to 1.
    pub fn relevance(&self, index: usize) -> f64 {
        match (&self.relevance, self.what_if) {
            (Some(_), Some((replaced, memory))) if replaced == index => {
                word_weights::evidence(memory, &self.wanted).0
            }
            (Some(relevance), _) => relevance.get(index).copied().unwrap_or_default(),
            (None, _) => 0.0,
        }
    }

    /// True if it is returned where there is room, or why not.
    pub fn reason(&self, index: usize) -> Reason {
        let Some((facts, memory)) = self.facts(index).zip(self.memory(index)) else {
            return Reason::NotApplicable;
        };
        if let Some(never) = facts.never {
            return never;
        }
        let found = match self.ask.way {
            Way::Id => *memory.id.local == *self.ask.id,
            Way::File => self.file(memory).is_some(),
            Way::Filters => self.relevance.is_none() || self.relevance(index) > 0.0,
        };
        if found && self.refused(index).is_none() {
            Reason::Selected
        } else {
            Reason::NoMatch
        }
    }

    /// The file of a memory that is like one that is asked for, and that one.
    pub fn file<'m>(&self, memory: &'m Memory) -> Option<(&'m str, &'a str)> {
        let asked = self.ask.files.iter();
        let mut pairs = asked.flat_map(|asked| texts(memory, "files").map(move |own| (own, asked)));
        let found = pairs.find(|(own, asked)| like::contains(own, asked));
        found.map(|(own, asked)| (own, asked.as_str()))
    }

    /// The filter that keeps a memory out: what it has, what is asked for.
    pub fn refused(&self, index: usize) -> Option<(&'static str, String, String)> {
        let ask = self.ask;
        if !ask.filters() {
            return None;
        }
        let memory = self.memory(index)?;
        let facts = self.facts(index)?;
        let date = |at: i64| crate::memory::Timestamp(at).to_rfc3339();
        let words = [
            ("type", ask.kind, "type"),
            ("agent-id", ask.agent, "agent_id"),
        ];
        for (flag, wanted, name) in words {
            if let Some(wanted) = wanted.filter(|wanted| text(memory, name) != *wanted) {
                return Some((flag, text(memory, name).to_owned(), wanted.to_owned()));
            }
        }
        if let Some(wanted) = ask.success.filter(|wanted| facts.success != *wanted) {
            return Some(("success", facts.success.to_string(), wanted.to_string()));
        }
        if let Some(since) = ask.since.filter(|since| facts.created < *since) {
            return Some(("since", date(facts.created), date(since)));
        }
        if let Some(before) = ask.before.filter(|before| facts.created > *before) {
            return Some(("before", date(facts.created), date(before)));
        }
        None
    }

    /// Sort key: when it was made, or relevance and importance.
    fn score(&self, index: usize) -> Score {
        let Some(facts) = self.facts(index) else {
            return Score::MIN;
        };
        if !self.ask.is_ranked() {
            return facts.created;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a number from 0 to 3")]
        let points = |part: f64| (part.clamp(-1e6, 1e6) * 10_000.0).round() as Score;
        points(self.relevance(index)) + points(facts.importance)
    }

    /// Those that are returned, in their order.
    pub fn selected(&self) -> Vec<usize> {
        let first = self.matching.iter().take(self.ask.places());
        first.map(|(_, index)| *index).collect()
    }

    /// The place of a memory among those that match, from 1; none where it does not.
    pub fn place(&self, index: usize) -> Option<usize> {
        if self.reason(index) != Reason::Selected {
            return None;
        }
        let own = (Reverse(self.score(index)), index);
        Some(self.matching.iter().filter(|key| **key < own).count() + 1)
    }

    /// The best of those that are not returned, with the places of those that match.
    pub fn rejected(&self, most: usize) -> Vec<(usize, Option<usize>)> {
        if most == 0 {
            return Vec::new();
        }
        let places = self.ask.places().min(self.matching.len());
        let mut rest: Vec<Key> = self.matching.iter().skip(places).copied().collect();
        best(&mut rest, most);
        let after = (places + 1..)
            .zip(&rest)
            .map(|(place, (_, index))| (*index, Some(place)));
        let mut all: Vec<(usize, Option<usize>)> = after.collect();
        let left = most.saturating_sub(all.len());
        if left > 0 {
            let mut others: Vec<Key> = (0..self.memories.len())
                .filter(|index| self.reason(*index) != Reason::Selected)
                .map(|index| (Reverse(self.score(index)), index))
                .collect();
            best(&mut others, left);
            all.extend(others.into_iter().map(|(_, index)| (index, None)));
        }
        all
    }
}

/// Keeps the best, in their order.
fn best(keys: &mut Vec<Key>, most: usize) {
    if most < keys.len() {
        keys.select_nth_unstable(most);
        keys.truncate(most);
    }
    keys.sort_unstable();
}
