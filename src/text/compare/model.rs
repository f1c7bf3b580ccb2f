//! Two logistic models over the features, with their thresholds.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Comparison, NAMES, Row};
use crate::text::tokens::{Hashed, hash};

/// `assets/lint/pairs.toml`, as `benches/fit_pairs.rs` writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    levels: Levels,
    same: BTreeMap<String, [f64; 3]>,
    contradiction: BTreeMap<String, [f64; 3]>,
    common: BTreeMap<String, f64>,
}

/// Minimum probabilities at which a pair is reported.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// `same` of a suggestion.
    pub suggested: f64,
    /// `same` of a duplicate that is a warning.
    pub same: f64,
    /// `contradiction` of a contradiction that is a warning.
    pub contradiction: f64,
    /// The most `contradiction` of a duplicate that is a warning.
    pub duplicate: f64,
    /// `contradiction` of a sentence among many others: a suggestion, and a warning.
    pub among_many: [f64; 2],
}

/// A logistic model: for each feature its mean, its scale and its weight, and the bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Mean, scale and weight of each feature, in the order of [`NAMES`].
    pub terms: [[f64; 3]; NAMES.len()],
    /// Added to the weighed features.
    pub bias: f64,
}

/// The models, thresholds and word weights by which statements are compared.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Are two statements two wordings of one, or two answers to one question?
    pub same: Model,
    /// Do they contradict each other?
    pub contradiction: Model,
    /// The probabilities at which pairs are reported.
    pub levels: Levels,
    /// Weights of common words, by the hashes of their stems.
    common: HashMap<u32, f64, BuildHasherDefault<Hashed>>,
}

/// Weights that cannot be used: the line, from 1, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

/// The name of the bias among the features.
const BIAS: &str = "bias";

impl Model {
    /// The probability that the model gives to these features.
    pub fn probability(&self, row: &Row) -> f64 {
        1.0 / (1.0 + (-(self.bias + self.shares(row).sum::<f64>())).exp())
    }

    /// Returns each feature's share.
    fn shares(&self, row: &Row) -> impl Iterator<Item = f64> {
        let terms = self.terms.iter().zip(row);
        terms.map(|([mean, scale, weight], value)| (value - mean) / scale * weight)
    }

    /// The features that add most, strongest first.
    pub fn strongest(&self, row: &Row) -> Vec<&'static str> {
        const SHOWN: usize = 3;
        let mut all: Vec<(f64, &'static str)> = self.shares(row).zip(NAMES).collect();
        all.retain(|(share, _)| *share > 0.0);
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        all.into_iter().take(SHOWN).map(|(_, name)| name).collect()
    }

    fn read(table: &BTreeMap<String, [f64; 3]>) -> Result<Self, String> {
        let mut terms = [[0.0; 3]; NAMES.len()];
        for (name, term) in NAMES.iter().zip(&mut terms) {
            *term = *table
                .get(*name)
                .ok_or_else(|| format!("`{name}` is missing"))?;
            if term[1].is_nan() || term[1] <= 0.0 || !term.iter().all(|value| value.is_finite()) {
                return Err(format!("`{name}` has no scale above 0"));
            }
        }
        let bias = table
            .get(BIAS)
            .ok_or_else(|| format!("`{BIAS}` is missing"))?[2];
        let known = |name: &&String| *name != BIAS && !NAMES.contains(&name.as_str());
        match table.keys().find(known) {
            Some(other) => Err(format!("`{other}` is no feature")),
            None => Ok(Self { terms, bias }),
        }
    }
}

static BUNDLED: LazyLock<Weights> = LazyLock::new(|| {
    let text = include_str!("../../../assets/lint/pairs.toml");
    Weights::parse(text).unwrap_or_else(|_| Weights::silent())
});

impl Weights {
    /// The weights that come with the program.
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// Reads weights.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let line = |byte: usize| {
            let before = text.get(..byte).unwrap_or(text);
            before.matches('\n').count() + 1
        };
        let file: File = toml::from_str(text).map_err(|error| Fault {
            line: error.span().map_or(1, |span| line(span.start)),
            reason: error.message().to_owned(),
        })?;
        let model = |name: &str, table| {
            Model::read(table).map_err(|reason| Fault {
                line: text.find(&format!("[{name}]")).map_or(1, line),
                reason,
            })
        };
        let (same, other) = (&file.same, &file.contradiction);
        let (same, other) = (model("same", same)?, model("contradiction", other)?);
        Ok(Self::new(same, other, file.levels, &file.common))
    }

    /// Weights under which nothing is reported.
    fn silent() -> Self {
        let model = Model {
            terms: [[0.0, 1.0, 0.0]; NAMES.len()],
            bias: -20.0,
        };
        let levels = Levels {
            suggested: 1.0,
            same: 1.0,
            contradiction: 1.0,
            duplicate: 0.0,
            among_many: [1.0; 2],
        };
        Self::new(model.clone(), model, levels, &BTreeMap::new())
    }

    /// Weights made of two models, and the weights of common words by their stems.
    pub fn new(
        same: Model,
        contradiction: Model,
        levels: Levels,
        common: &BTreeMap<String, f64>,
    ) -> Self {
        let hashed = common.iter().map(|(stem, weight)| (hash(stem), *weight));
        Self {
            same,
            contradiction,
            levels,
            common: hashed.collect(),
        }
    }

    /// The weight of a stem, 0 to 1.
    pub fn of(&self, stem: u32) -> f64 {
        self.common.get(&stem).copied().unwrap_or(1.0)
    }

    /// True if a comparison is a contradiction worth a warning. `statements` is the number that each
    /// statement is compared with: among many, some are alike by chance.
    pub fn warns(&self, found: &Comparison, statements: usize) -> bool {
        let levels = &self.levels;
        let level = among(statements, levels.contradiction, levels.among_many[1]);
        self.are_about_one(found, statements) && found.contradiction >= level
    }

    /// True if a comparison is a contradiction worth a suggestion.
    pub fn conflicts(&self, found: &Comparison, statements: usize) -> bool {
        let level = among(statements, self.levels.duplicate, self.levels.among_many[0]);
        self.are_about_one(found, statements) && found.contradiction > level
    }

    fn are_about_one(&self, found: &Comparison, statements: usize) -> bool {
        found.same >= among(statements, self.levels.suggested, self.levels.same)
    }

    /// True if two statements are certainly two wordings of one.
    pub fn repeats(&self, found: &Comparison) -> bool {
        found.same >= self.levels.same && found.contradiction <= self.levels.duplicate
    }
}

/// Interpolates between the threshold of one statement and that of many.
fn among(statements: usize, one: f64, many: f64) -> f64 {
    /// Number of statements at which the threshold of many applies.
    const MANY: f64 = 256.0;
    one + (many - one) * ((statements.max(1) as f64).ln() / MANY.ln()).min(1.0)
}
