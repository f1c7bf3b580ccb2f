//! `[lint]`: which rules look, how bad what they find is, and from where on they find it.
//!
//! ```toml
//! [lint]
//! off = ["name-style"]
//! severity = { body-length = "off", stale-path = "error" }
//! threshold.near-duplicate = { share = 0.6, confidence = 0.9 }
//! [lint.store."rawko@docs"]
//! only = ["secret"]
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;

use itertools::Itertools as _;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use toml::Spanned;

use crate::lint::tuning::{self, Choice, Level, Tuning};
use crate::lint::{nearest, nearest_rule, rule};
use crate::memory::Severity;

/// Rules about what harms an agent, a terminal or a person's accounts.
pub const FLOOR: [&str; 5] = [
    "secret",
    "reader-instruction",
    "exfiltration-link",
    "terminal-escape",
    "invisible-unicode",
];

/// Which rules look, and how, where no flag says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LintSettings {
    /// The only rules that look.
    pub only: Option<Vec<RuleId>>,
    /// Rules that do not look: `off = ["name-style"]`.
    pub off: Option<Vec<RuleId>>,
    /// How bad the findings of rules are: `severity = { body-length = "off" }`.
    pub severity: BTreeMap<RuleId, SetLevel>,
    /// Thresholds of rules: `threshold.body-length = { least = 50 }`.
    pub threshold: Thresholds,
    /// The same for the stores with an id or of a format.
    pub store: BTreeMap<StoreName, StoreLint>,
    /// Positions of store names in the file of the highest layer: file, line, column.
    #[serde(skip)]
    pub named: Vec<(StoreName, (PathBuf, usize, usize))>,
}

/// Settings for some stores.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoreLint {
    /// The only rules that look.
    pub only: Option<Vec<RuleId>>,
    /// Rules that do not look.
    pub off: Option<Vec<RuleId>>,
    /// How bad the findings of rules are.
    pub severity: BTreeMap<RuleId, SetLevel>,
    /// Thresholds of rules.
    pub threshold: Thresholds,
}

/// The id of a rule there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleId(pub &'static str);

impl<'de> Deserialize<'de> for RuleId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let known = rule(&name).map(|rule| Self(rule.id()));
        known.ok_or_else(|| D::Error::custom(unknown("rule", &name, nearest_rule(&name))))
    }
}

/// A word that is none of those there are.
fn unknown(what: &str, name: &str, nearest: Option<&str>) -> String {
    let meant = nearest.map(|nearest| format!("; did you mean `{nearest}`?"));
    format!("unknown {what} `{name}`{}", meant.unwrap_or_default())
}

/// The same, with all there are where none is like it.
fn one_of(what: &str, name: &str, nearest: Option<&str>, all: &str) -> String {
    match nearest {
        Some(_) => unknown(what, name, nearest),
        None => format!("unknown {what} `{name}`; {all}"),
    }
}

/// Level of the findings of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetLevel(pub Level);

/// The words for it.
const LEVELS: [(&str, Level); 4] = [
    ("off", Level::Off),
    ("info", Level::Set(Severity::Info)),
    ("warning", Level::Set(Severity::Warning)),
    ("error", Level::Set(Severity::Error)),
];

impl<'de> Deserialize<'de> for SetLevel {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let word = String::deserialize(from)?;
        let known = LEVELS.into_iter().find(|(known, _)| *known == word);
        known.map(|(_, level)| Self(level)).ok_or_else(|| {
            let near = nearest(&word, LEVELS.into_iter().map(|(known, _)| known));
            let all = "one of off, info, warning, error";
            D::Error::custom(one_of("severity", &word, near, all))
        })
    }
}

/// The id of a store, or a format.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoreName(pub String);

impl<'de> Deserialize<'de> for StoreName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let format = name.split('@').next().unwrap_or_default();
        let near = || nearest(format, crate::systems::names());
        match crate::systems::names().any(|known| known == format) {
            true => Ok(Self(name)),
            false => Err(D::Error::custom(unknown("store", &name, near()))),
        }
    }
}

/// Thresholds by rule and name.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Thresholds(BTreeMap<RuleId, BTreeMap<Spanned<String>, Spanned<toml::Value>>>);

impl Thresholds {
    /// The first wrong name or value: its byte and why.
    fn error(&self) -> Option<(usize, String)> {
        let all = self.0.iter();
        let all = all.flat_map(|(rule, all)| all.iter().map(|one| (rule.0, one)));
        all.filter_map(|(rule, (name, value))| {
            let Some((_, (least, most))) = tuning::threshold(rule, name.get_ref()) else {
                let names = || tuning::thresholds_of(rule);
                let all = format!("{rule} has {}", names().join(", "));
                let near = nearest(name.get_ref(), names());
                let what = one_of("threshold", name.get_ref(), near, &all);
                return Some((name.span().start, what));
            };
            let expected = format!("expected a number from {least} to {most}");
            let what = match (number(value), value.get_ref()) {
                (Some(number), _) if (least..=most).contains(&number) => return None,
                (Some(number), _) => format!("{number} is not within {least} to {most}"),
                (None, toml::Value::String(text)) => {
                    format!("invalid type: string {text:?}, {expected}")
                }
                (None, other) => format!("invalid type: {}, {expected}", other.type_str()),
            };
            Some((value.span().start, what))
        })
        .next()
    }

    fn over(self, mut below: Self) -> Self {
        for (rule, own) in self.0 {
            below.0.entry(rule).or_default().extend(own);
        }
        below
    }
}

/// A number of a configuration.
#[expect(clippy::cast_precision_loss, reason = "no range reaches that far")]
fn number(value: &Spanned<toml::Value>) -> Option<f64> {
    let whole = value.get_ref().as_integer().map(|number| number as f64);
    whole.or_else(|| value.get_ref().as_float())
}

impl StoreLint {
    fn choice(&self) -> Choice {
        let ids = |rules: &Vec<RuleId>| rules.iter().map(|rule| rule.0).collect_vec();
        let severity = self.severity.iter().map(|(rule, level)| (rule.0, level.0));
        let thresholds = self.threshold.0.iter().flat_map(|(rule, all)| {
            let named = |name: &Spanned<String>| tuning::threshold(rule.0, name.get_ref());
            let all = all.iter();
            all.filter_map(move |(name, value)| Some(((rule.0, named(name)?.0), number(value)?)))
        });
        Choice {
            only: self.only.as_ref().map(ids),
            off: self.off.as_ref().map(ids).unwrap_or_default(),
            severity: severity.collect(),
            thresholds: thresholds.collect(),
        }
    }

    /// These settings, and where they say nothing those of another layer.
    fn over(self, mut below: Self) -> Self {
        below.severity.extend(self.severity);
        Self {
            only: self.only.or(below.only),
            off: self.off.or(below.off),
            severity: below.severity,
            threshold: self.threshold.over(below.threshold),
        }
    }
}

impl LintSettings {
    /// The first wrong threshold: its byte and why.
    pub(super) fn error(&self) -> Option<(usize, String)> {
        let stores = self.store.values().map(|own| &own.threshold);
        let mut all = std::iter::once(&self.threshold).chain(stores);
        all.find_map(Thresholds::error)
    }

    /// Returns the tuning.
    pub fn tuning(&self) -> Tuning {
        let stores = self.store.iter();
        Tuning {
            all: self.all().choice(),
            stores: stores
                .map(|(name, own)| (name.0.clone(), own.choice()))
                .collect(),
            floor: None,
        }
    }

    /// The settings for all stores.
    fn all(&self) -> StoreLint {
        StoreLint {
            only: self.only.clone(),
            off: self.off.clone(),
            severity: self.severity.clone(),
            threshold: self.threshold.clone(),
        }
    }

    /// The same for stores that are the only ones of their format: each with its id, and the id
    /// that it has beside another one. Settings under either id apply to the store.
    pub fn tuning_of(&self, alone: impl Iterator<Item = (String, String)>) -> Tuning {
        let mut settings = self.clone();
        for (id, beside) in alone {
            if let Some(own) = self.store.get(&StoreName(beside)).cloned() {
                let under = settings.store.remove(&StoreName(id.clone()));
                settings
                    .store
                    .insert(StoreName(id), own.over(under.unwrap_or_default()));
            }
        }
        settings.tuning()
    }

    /// These settings, and where they say nothing those of another layer.
    pub fn over(self, below: Self) -> Self {
        let all = self.all().over(below.all());
        let mut store = below.store;
        for (name, own) in self.store {
            let under = store.remove(&name).unwrap_or_default();
            store.insert(name, own.over(under));
        }
        Self {
            only: all.only,
            off: all.off,
            severity: all.severity,
            threshold: all.threshold,
            store,
            named: [self.named, below.named].concat(),
        }
    }
}
