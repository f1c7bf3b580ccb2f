//! Compares two statements: whether they are two wordings of one statement, and whether they
//! contradict each other.

mod features;
mod model;

use std::ops::Range;
use std::sync::OnceLock;

use self::features::Evidence;
use super::statements::{Statement, statements};
use super::tokens::{Kind, Token, join, tokens};
pub use features::{NAMES, Row};
pub use model::{Levels, Model, Weights};

/// A statement, ready to be compared with many others.
#[derive(Clone, Debug)]
pub struct Sentence<'t> {
    /// Its text.
    pub text: &'t str,
    /// Its tokens, by their bytes in the text.
    pub tokens: Vec<Token>,
    /// The stem of each token with its weight, 0 to 1; rare words weigh more.
    stems: Vec<(u32, f64)>,
    /// Computed at the first comparison.
    bag: OnceLock<Box<Bag>>,
}

/// The stems of a statement in order, each once, with their weights, and the sum of these.
#[derive(Clone, Debug)]
struct Bag(Vec<(u32, f64)>, f64);

/// How two contradicting statements differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difference {
    /// One number stands in place of another.
    Number,
    /// One name stands in place of another.
    Name,
    /// One of the two is negated.
    Negation,
    /// A word stands in place of its opposite.
    Opposite,
    /// Other words stand in place of others.
    Wording,
}

/// The result of comparing two statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Probability that they are two wordings of one statement, or two answers to one question.
    pub same: f64,
    /// Probability that they contradict each other.
    pub contradiction: f64,
    /// Probability that they contradict each other and are no two wordings of one statement, if they
    /// are about one thing.
    pub opposed: f64,
    /// How they differ.
    pub difference: Difference,
    /// True if both can hold: they name different objects of a verb such as `run`.
    pub can_coexist: bool,
    /// The bytes that differ in the first and in the second.
    pub marks: [Vec<Range<usize>>; 2],
}

impl Comparison {
    /// True if they differ in a negation or an opposite.
    pub const fn is_turned(&self) -> bool {
        matches!(self.difference, Difference::Negation | Difference::Opposite)
    }

    /// True if they differ in more than added words: in a negation, an opposite, or words that stand
    /// in place of others.
    pub fn differs(&self) -> bool {
        self.is_turned() || self.marks.iter().all(|marks| !marks.is_empty())
    }
}

impl<'t> Sentence<'t> {
    /// This text, with each token weighed.
    pub fn new(text: &'t str, weights: &Weights) -> Self {
        let tokens = tokens(text);
        let weigh = |token: &Token| (token.stem, weights.of(token.stem));
        Self {
            text,
            stems: tokens.iter().map(weigh).collect(),
            tokens,
            bag: OnceLock::new(),
        }
    }

    fn bag(&self) -> &Bag {
        self.bag.get_or_init(|| {
            let mut bag = self.stems.clone();
            bag.sort_unstable_by_key(|one| one.0);
            bag.dedup_by_key(|one| one.0);
            let sum = bag.iter().map(|one| one.1).sum();
            Box::new(Bag(bag, sum))
        })
    }

    /// The statements of a body that are long enough to compare, each with its sentence.
    pub fn all(body: &'t str, weights: &Weights) -> Vec<(Statement, Self)> {
        let one = |at: Statement| {
            let text = body.get(at.at.clone()).unwrap_or_default();
            (at, Self::new(text, weights))
        };
        let all = statements(body).into_iter().map(one);
        all.filter(|(_, one)| one.tokens.len() >= FEWEST).collect()
    }

    /// Sum of the weights of its stems.
    pub fn weight(&self) -> f64 {
        self.bag().1
    }

    /// Sum of the weights of the stems that both have.
    fn shared(&self, other: &Self) -> f64 {
        let (mut shared, mut rest) = (0.0, other.bag().0.iter().peekable());
        for (stem, weight) in &self.bag().0 {
            while rest.next_if(|one| one.0 < *stem).is_some() {}
            if rest.next_if(|one| one.0 == *stem).is_some() {
                shared += weight;
            }
        }
        shared
    }

    fn has(&self, stem: u32) -> bool {
        let bag = &self.bag().0;
        bag.binary_search_by_key(&stem, |one| one.0).is_ok()
    }

    /// True if both have the same stems in the same order.
    pub fn equals(&self, other: &Self) -> bool {
        self.stems == other.stems
    }

    /// True if all of it stands in another, word for word.
    pub fn stands_in(&self, other: &Self) -> bool {
        let mut runs = other.stems.windows(self.stems.len().max(1));
        runs.any(|run| run == self.stems)
    }

    /// The stems of numbers and of words with enough weight, in the order of the text.
    pub fn content(&self) -> impl Iterator<Item = u32> {
        self.content_tokens().map(|token| token.stem)
    }

    fn content_tokens(&self) -> impl Iterator<Item = &Token> {
        let all = self.tokens.iter().zip(self.content_flags());
        all.filter_map(|(token, is_content)| is_content.then_some(token))
    }

    /// True for each number and each word with enough weight; negations count by themselves.
    fn content_flags(&self) -> impl Iterator<Item = bool> {
        let all = self.tokens.iter().zip(&self.stems);
        all.map(|(token, (_, weight))| match token.kind {
            Kind::Number => true,
            Kind::Negation => false,
            _ => *weight >= CONTENT,
        })
    }

    /// The content words; of a script without blanks each two characters in a row.
    pub fn units(&self) -> Vec<u32> {
        let is_wide = |token: &Token| {
            let text = self.text.get(token.at.clone()).unwrap_or_default();
            !text.is_ascii() && text.chars().count() == 1
        };
        let next = self.content_tokens().skip(1).map(Some).chain([None]);
        let units = self.content_tokens().zip(next);
        let unit = |(one, next): (&Token, Option<&Token>)| match next {
            Some(next) if is_wide(one) && is_wide(next) => join(one.stem, next.stem),
            _ => one.stem,
        };
        units.map(unit).collect()
    }
}

/// Minimum number of tokens of a statement that is compared.
const FEWEST: usize = 3;

/// Minimum weight of a content word.
const CONTENT: f64 = 0.5;

/// Minimum share of the lighter statement's weight that both have in common to be compared.
const OVERLAP: f64 = 0.5;

/// The features of two statements; none if they share too little to be compared.
pub fn features(a: &Sentence<'_>, b: &Sentence<'_>) -> Option<Row> {
    evidence(a, b).map(|(_, evidence)| evidence.row)
}

/// The features of two statements, and whether the second is the shorter one.
fn evidence(a: &Sentence<'_>, b: &Sentence<'_>) -> Option<(bool, Evidence)> {
    let order = |one: &Sentence<'_>| (one.tokens.len(), one.text.len());
    let swapped = (order(a), a.text) > (order(b), b.text);
    let (short, long) = if swapped { (b, a) } else { (a, b) };
    let least = short.weight().min(long.weight());
    let enough = least > 0.0 && short.shared(long) >= OVERLAP * least;
    enough.then(|| (swapped, Evidence::new(short, long)))
}

/// Compares two statements; none if they share too little.
pub fn compare(a: &Sentence<'_>, b: &Sentence<'_>, weights: &Weights) -> Option<Comparison> {
    let (swapped, mut found) = evidence(a, b)?;
    if swapped {
        found.marks.reverse();
    }
    Some(Comparison {
        same: weights.same.probability(&found.row),
        contradiction: weights.contradiction.probability(&found.row),
        opposed: weights.opposed.probability(&found.row),
        difference: found.difference,
        can_coexist: found.can_coexist,
        marks: found.marks,
    })
}

#[cfg(test)]
mod tests;
