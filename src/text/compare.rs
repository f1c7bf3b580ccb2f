//! Compares two statements: whether they are two wordings of one statement, and whether they
//! contradict each other, by three logistic models over their features.

mod features;

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use serde::{Deserialize, Deserializer, Serialize};

use self::features::Evidence;
use super::statements::{Statement, statements};
use super::tokens::{Hashed, Kind, Token, hash, join, tokens};
pub use features::{NAMES, Row};

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
    /// Probability that they contradict and do not repeat each other, if about one thing.
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

    /// True if they differ in a negation, an opposite, or words in place of others.
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

/// Minimum probabilities at which a pair is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// `same` of two statements about one thing.
    pub same: f64,
    /// The least `same` of a contradiction: of two short memories, and of two long ones.
    pub about_one: [f64; 2],
    /// The least `opposed` of a contradiction.
    pub opposed: f64,
    /// The least `same` and the most `opposed` of a duplicate that is a warning.
    pub repeated: [f64; 2],
    /// `contradiction` of a suggestion: of two short memories, and of two long ones.
    pub suggestion: [f64; 2],
    /// `contradiction` of a warning, in the same way.
    pub warning: [f64; 2],
    /// `same` from which on words in place of others are enough, in the same way.
    pub certain: [f64; 2],
    /// The least `same` of a warning about a name.
    pub named: f64,
    /// The least `opposed` of a warning about words in place of others; their `same` is `certain`.
    pub reworded: f64,
}

/// A logistic model: for each feature its mean, its scale and its weight, and the bias.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "BTreeMap<String, [f64; 3]>")]
pub struct Model {
    /// Mean, scale and weight of each feature, in the order of [`NAMES`].
    pub terms: [[f64; 3]; NAMES.len()],
    /// Added to the weighed features.
    pub bias: f64,
}

/// The models, thresholds and word weights by which statements are compared; without models nothing
/// is alike. `benches/fit_pairs.rs` writes `assets/lint/pairs.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Are two statements two wordings of one, or two answers to one question?
    pub same: Model,
    /// Do they contradict each other?
    pub contradiction: Model,
    /// Do two statements about one thing contradict each other?
    pub opposed: Model,
    /// The probabilities at which pairs are reported.
    pub levels: Levels,
    /// Weights of common words, by the hashes of their stems.
    #[serde(deserialize_with = "hashed")]
    pub common: Common,
}

/// Weights of words by the hashes of their stems.
pub type Common = HashMap<u32, f64, BuildHasherDefault<Hashed>>;

fn hashed<'d, D: Deserializer<'d>>(from: D) -> Result<Common, D::Error> {
    let common = BTreeMap::<String, f64>::deserialize(from)?.into_iter();
    Ok(common.map(|(stem, weight)| (hash(&stem), weight)).collect())
}

const BIAS: &str = "bias";

impl Model {
    /// The probability that the model gives to these features.
    pub fn probability(&self, row: &Row) -> f64 {
        let shares = self.terms.iter().zip(row);
        let shares = shares.map(|([mean, scale, weight], value)| (value - mean) / scale * weight);
        1.0 / (1.0 + (-(self.bias + shares.sum::<f64>())).exp())
    }
}

impl TryFrom<BTreeMap<String, [f64; 3]>> for Model {
    type Error = &'static str;

    /// Reads a model, unless the table has other features, or one without a scale above 0.
    fn try_from(table: BTreeMap<String, [f64; 3]>) -> Result<Self, Self::Error> {
        let mut terms = [[0.0; 3]; NAMES.len()];
        for (name, term) in NAMES.iter().zip(&mut terms) {
            *term = *table.get(*name).ok_or("a feature is missing")?;
        }
        let is_sound = |[mean, scale, weight]: &[f64; 3]| {
            *scale > 0.0 && [mean, scale, weight].iter().all(|value| value.is_finite())
        };
        let bias = table.get(BIAS).ok_or("the bias is missing")?[2];
        let is_all = table.len() == NAMES.len() + 1 && terms.iter().all(is_sound);
        let model = Self { terms, bias };
        is_all.then_some(model).ok_or("it is not sound")
    }
}

static BUNDLED: LazyLock<Weights> = LazyLock::new(|| {
    let text = include_str!("../../assets/lint/pairs.toml");
    Weights::parse(text).unwrap_or_default()
});

impl Weights {
    /// The weights that come with the program.
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// Reads weights; none if they are not sound.
    pub fn parse(text: &str) -> Option<Self> {
        toml::from_str(text).ok()
    }

    /// The weight of a stem, 0 to 1.
    pub fn of(&self, stem: u32) -> f64 {
        self.common.get(&stem).copied().unwrap_or(1.0)
    }

    /// True for a warning. `size`: of many statements some are alike by chance.
    pub fn warns(&self, found: &Comparison, size: usize) -> bool {
        let levels = &self.levels;
        let is_sure = found.contradiction >= among(size, levels.warning);
        // Two wordings of one statement differ in words or negate another part, and items of one
        // list differ in names.
        let (same, opposed) = match found.difference {
            Difference::Name => (levels.named, 0.0),
            Difference::Wording => (levels.certain[0], levels.reworded),
            Difference::Negation => (0.0, levels.certain[0]),
            _ => (0.0, 0.0),
        };
        let is_of_kind = found.same >= same && found.opposed >= opposed;
        is_of_kind && self.conflicts(found, size) && (is_sure || self.is_certain(found, size))
    }

    /// True if a comparison is a contradiction worth a suggestion.
    pub fn conflicts(&self, found: &Comparison, size: usize) -> bool {
        // A number, a negation or an opposite needs to be no certain repetition only.
        let opposed = match found.difference {
            Difference::Wording | Difference::Name => self.levels.opposed,
            _ => self.levels.repeated[1],
        };
        let is_enough = found.same >= among(size, self.levels.about_one)
            && found.opposed >= opposed
            && found.contradiction >= among(size, self.levels.suggestion);
        found.differs() && !found.can_coexist && (is_enough || self.is_certain(found, size))
    }

    /// True if two statements are certainly about one thing, and are no certain repetition.
    fn is_certain(&self, found: &Comparison, size: usize) -> bool {
        found.same >= among(size, self.levels.certain) && found.opposed >= self.levels.repeated[1]
    }

    /// True if two statements are about one thing.
    pub fn are_same(&self, found: &Comparison) -> bool {
        let is_other = found.can_coexist && found.difference == Difference::Name;
        !is_other && (found.same >= self.levels.same || self.repeats(found))
    }

    /// True if two statements certainly say the same, or one has the words of the other.
    pub fn repeats(&self, found: &Comparison) -> bool {
        let [same, opposed] = self.levels.repeated;
        let has_all = !found.differs() && found.same >= self.levels.certain[0];
        found.same >= same && found.opposed < opposed || has_all
    }
}

/// Interpolates between the threshold of one statement and that of many.
fn among(size: usize, [one, many]: [f64; 2]) -> f64 {
    /// Number of statements at which the threshold of many applies.
    const MANY: f64 = 32.0;
    one + (many - one) * ((size.max(1) as f64).ln() / MANY.ln()).min(1.0)
}

#[cfg(test)]
mod tests;
