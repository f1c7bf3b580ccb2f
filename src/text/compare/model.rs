//! Three logistic models over the features, with their thresholds.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize};

use super::{Comparison, Difference, NAMES, Row};
use crate::text::tokens::{Hashed, hash};

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

/// The name of the bias among the features.
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
        is_all
            .then_some(Self { terms, bias })
            .ok_or("it is not sound")
    }
}

static BUNDLED: LazyLock<Weights> = LazyLock::new(|| {
    let text = include_str!("../../../assets/lint/pairs.toml");
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

    /// True if a comparison is a contradiction worth a warning. `size` is the number of statements of
    /// the memories: of long ones some are alike by chance.
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

    /// True if two statements are certainly two wordings of one, or one certainly has the words of the
    /// other.
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
