//! The query language: words, `field:value`, and how they combine.

mod field;
mod names;
mod parse;
mod value;

#[cfg(test)]
mod tests;

use std::ops::Range;

use itertools::Itertools as _;
use nucleo::Utf32Str;

use self::field::Test;
pub use self::names::{MARKED, RULES, RuleSet};
pub use self::value::age;
use super::word::{
    CLOSE, Found, LONGEST, TITLE_BEGINS, Tools, WHOLE_TITLE, Word, fold, graphemes, head, is_loose,
    title_starts, with_tools,
};
use crate::memory::worth::Worth;
use crate::memory::{Memory, Schema, Timestamp};

/// Facts about a memory beside its own text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The rules that found something.
    pub findings: RuleSet,
    /// Number of findings.
    pub count: u32,
    /// New since the last commit.
    pub new: bool,
    /// The record of use.
    pub worth: Worth,
}

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// All of these match.
    groups: Box<[Group]>,
    /// The words that must match, folded and joined by a blank: a title that is or begins with
    /// them ranks first.
    phrase: Box<[char]>,
    /// The first term that asks for nothing yet.
    unfinished: Option<QueryError>,
}

/// One of these terms matches.
type Group = Box<[Term]>;

#[derive(Clone, Debug, PartialEq)]
struct Term {
    negative: bool,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Word(Word),
    Field(Test),
}

/// Error in a query, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// The bytes of the query it is about.
    pub span: Range<usize>,
    /// The problem.
    pub message: String,
    /// The nearest right form.
    pub hint: Option<String>,
}

impl QueryError {
    fn new(span: Range<usize>, message: String, hint: Option<String>) -> Self {
        Self {
            span,
            message,
            hint,
        }
    }
}

impl Query {
    /// Reads a query; fields are those of the schemas and the contract's own.
    ///
    /// A term that is not finished, as `tag:` or `!`, lets everything through, so that the list
    /// does not empty while it is typed; [`unfinished`](Self::unfinished) names it.
    pub fn parse(text: &str, schemas: &[&'static Schema]) -> Result<Self, QueryError> {
        let (mut groups, unfinished) = parse::groups(text, schemas)?;
        let mut phrase = Vec::new();
        for group in &groups {
            if let [
                Term {
                    negative: false,
                    what: What::Word(word),
                },
            ] = &**group
            {
                if !phrase.is_empty() {
                    phrase.push(' ');
                }
                phrase.extend(word.chars.iter().copied().map(fold));
            }
        }
        // Words first: most memories do not have them.
        groups.sort_by_key(|group| group.iter().any(|term| matches!(term.what, What::Field(_))));
        Ok(Self {
            groups: groups.into(),
            phrase: phrase.into(),
            unfinished,
        })
    }

    /// True if it asks for findings of such a rule, or for nothing that a rule finds: with
    /// `has:RULE` those of other rules are not meant.
    pub fn asks_for(&self, rule: &str) -> bool {
        let rule = RuleSet::of(rule);
        let mut groups = self.groups.iter();
        groups.all(|group| {
            let mut terms = group.iter();
            terms.any(|term| match &term.what {
                What::Field(test) if !term.negative => test.may_ask_for(rule),
                What::Field(_) | What::Word(_) => true,
            })
        })
    }

    /// Returns the query without the groups that a text of the memory already satisfies by its
    /// words. None if it has a word that must not be there.
    pub fn rest_beside(&self, text: &str) -> Option<Self> {
        let has = |term: &Term| match &term.what {
            What::Word(word) => word.score_body(text).is_some(),
            What::Field(_) => false,
        };
        let is_denied = |group: &Group| group.iter().all(|term| term.negative && has(term));
        let is_found = |group: &&Group| group.iter().any(|term| !term.negative && has(term));
        let groups = self.groups.iter();
        let rest = groups.clone().filter(|group| !is_found(group)).cloned();
        (!groups.clone().any(is_denied)).then(|| Self {
            groups: rest.collect(),
            ..self.clone()
        })
    }

    /// The same query with words that match in any case: who types a query as a whole, as Ralph's
    /// `search` takes it, does not mean the case of its letters (formats: ralph, "CLI").
    pub fn in_any_case(mut self) -> Self {
        for term in self.groups.iter_mut().flatten() {
            if let What::Word(word) = &mut term.what
                && let Some(lower) = word.in_any_case()
            {
                *word = lower;
            }
        }
        self
    }

    /// Returns the error for an unfinished part of the query, if typing stops here.
    pub const fn unfinished(&self) -> Option<&QueryError> {
        self.unfinished.as_ref()
    }

    /// True if it lets everything through.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// True if it has no words: everything that matches has score 0.
    pub fn fields_only(&self) -> bool {
        self.words().next().is_none()
    }

    /// True if its answer depends on [`Marks`].
    pub fn needs_marks(&self) -> bool {
        self.needs_findings() || self.needs_news() || self.needs_worth()
    }

    /// True if its answer depends on [`Marks::findings`].
    pub fn needs_findings(&self) -> bool {
        self.tests().any(Test::needs_findings)
    }

    /// True if its answer depends on [`Marks::new`].
    pub fn needs_news(&self) -> bool {
        self.tests().any(|test| test.asks_state("new"))
    }

    /// True if its answer depends on [`Marks::worth`].
    pub fn needs_worth(&self) -> bool {
        self.tests().any(Test::asks_worth)
    }

    /// True if it asks for archived memories, which are left out otherwise.
    pub fn asks_archived(&self) -> bool {
        self.tests().any(|test| test.asks_state("archived"))
    }

    /// True if it finds more where the texts of the memories are given.
    pub fn wants_body(&self) -> bool {
        self.terms().any(|term| match &term.what {
            What::Word(_) => true,
            What::Field(test) => test.wants_body(),
        })
    }

    /// True if a text may decide although all was found elsewhere: it must not have a word, a field
    /// is about it, or a field was enough where a word would count.
    pub(super) fn asks_body(&self) -> bool {
        let is_word = |term: &Term| matches!(term.what, What::Word(_));
        self.groups.iter().any(|group| {
            let mixed = group.iter().any(is_word) && !group.iter().all(is_word);
            mixed
                || group.iter().any(|term| match &term.what {
                    What::Word(_) => term.negative,
                    What::Field(test) => test.wants_body(),
                })
        })
    }

    /// True if it asks for fields that a memory does not hold: it is asked of
    /// [`Memory::with_inner`].
    pub fn asks_inner(&self, memory: &Memory) -> bool {
        self.tests().any(|test| test.asks_inner(memory))
    }

    /// The parts of a shown text (title, tag) that the query's words match, as ranges of characters.
    pub fn highlights(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut buffer = Vec::new();
        let shown = head(Utf32Str::new(text, &mut buffer));
        with_tools(|tools| {
            for word in self.words() {
                word.places(shown, tools, &mut places);
            }
        });
        places.sort_unstable();
        let is_hit = |n: usize| u32::try_from(n).is_ok_and(|n| places.binary_search(&n).is_ok());
        let mut at = 0;
        let letters = graphemes(text).take(LONGEST).map(|(length, _)| {
            at += length;
            at - length..at
        });
        let hits = letters.enumerate().filter(|(n, _)| is_hit(*n));
        let joined = |a: Range<usize>, b: Range<usize>| match a.end == b.start {
            true => Ok(a.start..b.end),
            false => Err((a, b)),
        };
        hits.map(|(_, range)| range).coalesce(joined).collect()
    }

    /// True if a memory matches, and its rank. `body` is looked at where it is given.
    ///
    /// For one memory at a time; [`filter`](super::filter()) is the way through many.
    pub fn matches(
        &self,
        memory: &Memory,
        marks: &Marks,
        now: Timestamp,
        body: Option<&str>,
    ) -> Option<u32> {
        with_tools(|tools| self.score(memory, marks, now, body, tools))
    }

    /// The rank of a memory that matches.
    pub(super) fn score(
        &self,
        memory: &Memory,
        marks: &Marks,
        now: Timestamp,
        body: Option<&str>,
        tools: &mut Tools,
    ) -> Option<u32> {
        let (mut total, mut has_loose) = (0_u32, false);
        for group in &self.groups {
            let ranks = group.iter().map(|term| match &term.what {
                What::Word(word) => {
                    let mut rank = word.find_in(memory, tools).map(Found::rank);
                    if rank.is_none_or(is_loose) {
                        rank = rank.max(body.and_then(|body| word.score_body(body)));
                    }
                    if term.negative {
                        rank.is_none().then_some(CLOSE)
                    } else {
                        rank
                    }
                }
                What::Field(test) => {
                    let is = test.matches(memory, marks, now, body);
                    (is != term.negative).then_some(CLOSE)
                }
            });
            let rank = ranks.flatten().max()?;
            total = total.saturating_add(rank & (CLOSE - 1));
            has_loose |= rank < CLOSE;
        }
        if self.fields_only() {
            return Some(0);
        }
        let begins = Some(&self.phrase).filter(|phrase| !phrase.is_empty());
        let title = match begins.and_then(|phrase| title_starts(memory, phrase)) {
            Some(true) => WHOLE_TITLE,
            Some(false) => TITLE_BEGINS,
            None => 0,
        };
        total = total.saturating_add(title).min(CLOSE - 1);
        Some(match has_loose {
            true => total.max(1),
            false => CLOSE + total,
        })
    }

    fn terms(&self) -> impl Iterator<Item = &Term> {
        self.groups.iter().flat_map(|group| group.iter())
    }

    fn tests(&self) -> impl Iterator<Item = &Test> {
        self.terms().filter_map(|term| match &term.what {
            What::Word(_) => None,
            What::Field(test) => Some(test),
        })
    }

    /// The words that a match contains.
    fn words(&self) -> impl Iterator<Item = &Word> {
        self.terms().filter_map(|term| match &term.what {
            What::Word(word) if !term.negative => Some(word),
            _ => None,
        })
    }
}
