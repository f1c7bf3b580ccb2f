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
use std::fmt;
use std::path::PathBuf;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, de};

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
        rule(&name)
            .map(|rule| Self(rule.id()))
            .ok_or_else(|| D::Error::custom(unknown("rule", &name, nearest_rule(&name))))
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
            D::Error::custom(one_of(
                "severity",
                &word,
                near,
                "one of off, info, warning, error",
            ))
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
        let mut known = crate::systems::names();
        if known.any(|known| known == format) {
            return Ok(Self(name));
        }
        let near = nearest(format, crate::systems::names());
        Err(D::Error::custom(unknown("store", &name, near)))
    }
}

/// Thresholds, by rule and name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thresholds(pub BTreeMap<(&'static str, &'static str), f64>);

impl<'de> Deserialize<'de> for Thresholds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut all = Self::default();
        from.deserialize_map(ByRule(&mut all))?;
        Ok(all)
    }
}

struct ByRule<'t>(&'t mut Thresholds);

impl<'de> Visitor<'de> for ByRule<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("rules with their thresholds")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(RuleId(rule)) = map.next_key()? {
            map.next_value_seed(OfRule {
                rule,
                all: &mut *self.0,
            })?;
        }
        Ok(())
    }
}

/// The thresholds of one rule.
struct OfRule<'t> {
    rule: &'static str,
    all: &'t mut Thresholds,
}

impl<'de> de::DeserializeSeed<'de> for OfRule<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OfRule<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = tuning::thresholds_of(self.rule).collect();
        write!(out, "a table of {}", names.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, range)) = map.next_key_seed(Name(self.rule))? {
            let Number(value) = map.next_value_seed(InRange(range))?;
            self.all.0.insert((self.rule, name), value);
        }
        Ok(())
    }
}

/// The name of a threshold of a rule.
struct Name(&'static str);

impl<'de> de::DeserializeSeed<'de> for Name {
    type Value = (&'static str, (f64, f64));

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        let name = String::deserialize(from)?;
        tuning::threshold(self.0, &name).ok_or_else(|| {
            let names = || tuning::thresholds_of(self.0);
            let all: Vec<&str> = names().collect();
            let all = format!("{} has {}", self.0, all.join(", "));
            D::Error::custom(one_of("threshold", &name, nearest(&name, names()), &all))
        })
    }
}

struct Number(f64);

/// A number in a range.
struct InRange((f64, f64));

impl<'de> de::DeserializeSeed<'de> for InRange {
    type Value = Number;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Number, D::Error> {
        from.deserialize_any(self)
    }
}

impl Visitor<'_> for InRange {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.0;
        write!(f, "a number from {least} to {most}")
    }

    #[expect(clippy::cast_precision_loss, reason = "no range reaches that far")]
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Number, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Number, E> {
        let (least, most) = self.0;
        if (least..=most).contains(&number) {
            return Ok(Number(number));
        }
        Err(E::custom(format!(
            "{number} is not within {least} to {most}"
        )))
    }
}

fn choice(
    only: &Option<Vec<RuleId>>,
    off: &Option<Vec<RuleId>>,
    severity: &BTreeMap<RuleId, SetLevel>,
    threshold: &Thresholds,
) -> Choice {
    let ids = |rules: &Vec<RuleId>| rules.iter().map(|rule| rule.0).collect::<Vec<_>>();
    let severity = severity.iter().map(|(rule, level)| (rule.0, level.0));
    Choice {
        only: only.as_ref().map(ids),
        off: off.as_ref().map(ids).unwrap_or_default(),
        severity: severity.collect(),
        thresholds: threshold.0.clone(),
    }
}

impl LintSettings {
    /// Returns the tuning.
    pub fn tuning(&self) -> Tuning {
        let stores = self.store.iter().map(|(name, own)| {
            let choice = choice(&own.only, &own.off, &own.severity, &own.threshold);
            (name.0.clone(), choice)
        });
        Tuning {
            all: choice(&self.only, &self.off, &self.severity, &self.threshold),
            stores: stores.collect(),
            floor: None,
        }
    }

    /// The same for stores that are the only ones of their format: each with its id, and the id
    /// that it has beside another one. Settings under either id apply to the store.
    pub fn tuning_of(&self, alone: impl Iterator<Item = (String, String)>) -> Tuning {
        let mut settings = self.clone();
        for (id, beside) in alone {
            let Some(own) = self.store.get(&StoreName(beside)).cloned() else {
                continue;
            };
            let under = settings.store.remove(&StoreName(id.clone()));
            let both = own.over(under.unwrap_or_default());
            settings.store.insert(StoreName(id), both);
        }
        settings.tuning()
    }

    /// These settings, and where they say nothing those of another layer.
    pub fn over(self, below: Self) -> Self {
        let mut store = below.store;
        for (name, own) in self.store {
            let under = store.remove(&name).unwrap_or_default();
            store.insert(name, own.over(under));
        }
        Self {
            only: self.only.or(below.only),
            off: self.off.or(below.off),
            severity: joined(below.severity, self.severity),
            threshold: Thresholds(joined(below.threshold.0, self.threshold.0)),
            store,
            named: [self.named, below.named].concat(),
        }
    }
}

impl StoreLint {
    fn over(self, below: Self) -> Self {
        Self {
            only: self.only.or(below.only),
            off: self.off.or(below.off),
            severity: joined(below.severity, self.severity),
            threshold: Thresholds(joined(below.threshold.0, self.threshold.0)),
        }
    }
}

fn joined<K: Ord, V>(mut below: BTreeMap<K, V>, above: BTreeMap<K, V>) -> BTreeMap<K, V> {
    below.extend(above);
    below
}
