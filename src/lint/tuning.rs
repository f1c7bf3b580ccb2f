//! `[lint]` of the configuration: which rules run, how bad their findings are, and their thresholds,
//! for all stores and for some.
//!
//! ```toml
//! [lint]
//! off = ["name-style"]
//! severity = { body-length = "off", stale-path = "error" }
//! threshold.near-duplicate = { share = 0.6, confidence = 0.9 }
//! [lint.store."rawko@docs"]
//! only = ["secret"]
//! ```
//! ```text
//! store "rawko@docs" ─> stores of the format "rawko" ─> all stores ─> the rule's own
//!                 the first that mentions the rule holds
//! ```

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::{Deserializer, Error};
use toml::Spanned;

use super::{Context, Finding, RULES, Rule, is_floor, nearest, nearest_rule};
use crate::memory::{Severity, StoreId};

/// How the findings of a rule are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The rule does not run.
    Off,
    /// With the severity of the rule.
    Usual,
    /// With this severity; less certain findings of the rule stay suggestions.
    Set(Severity),
}

/// The words for it.
const LEVELS: [(&str, Level); 4] = [
    ("off", Level::Off),
    ("info", Level::Set(Severity::Info)),
    ("warning", Level::Set(Severity::Warning)),
    ("error", Level::Set(Severity::Error)),
];

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let word = String::deserialize(from)?;
        let known = LEVELS.into_iter().find(|(known, _)| *known == word);
        known.map(|(_, level)| level).ok_or_else(|| {
            let near = nearest(&word, LEVELS.into_iter().map(|(known, _)| known));
            let all = "one of off, info, warning, error";
            D::Error::custom(unknown("severity", &word, near, all))
        })
    }
}

/// The message about a word that is none of those there are: the nearest, or else all.
fn unknown(what: &str, name: &str, nearest: Option<&str>, all: &str) -> String {
    match nearest {
        Some(nearest) => format!("unknown {what} `{name}`; did you mean `{nearest}`?"),
        None if all.is_empty() => format!("unknown {what} `{name}`"),
        None => format!("unknown {what} `{name}`; {all}"),
    }
}

/// The id of a rule there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleId(pub &'static str);

impl Borrow<str> for RuleId {
    fn borrow(&self) -> &str {
        self.0
    }
}

impl<'de> Deserialize<'de> for RuleId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let known = super::rule(&name).map(|rule| Self(rule.id));
        known.ok_or_else(|| D::Error::custom(unknown("rule", &name, nearest_rule(&name), "")))
    }
}

/// The id of a store, or a format.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoreName(pub String);

impl Borrow<str> for StoreName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for StoreName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let format = name.split('@').next().unwrap_or_default();
        let mut formats = crate::systems::names();
        if formats.any(|known| known == format) {
            return Ok(Self(name));
        }
        let near = nearest(format, crate::systems::names());
        Err(D::Error::custom(unknown("store", &name, near, "")))
    }
}

/// A number of a rule that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Its name.
    pub name: &'static str,
    /// The default.
    pub usual: f64,
    /// The smallest and the largest value.
    pub range: (f64, f64),
    /// Its meaning, with its unit.
    pub what: &'static str,
}

/// The threshold that every rule has: less certain findings are left out.
const CONFIDENCE: Threshold = Threshold {
    name: "confidence",
    usual: 0.0,
    range: (0.0, 1.0),
    what: "less certain findings are left out",
};

/// The thresholds of a rule.
fn thresholds(rule: &str) -> impl Iterator<Item = &'static Threshold> {
    let own = super::rule(rule).map_or(&[][..], |rule| rule.thresholds);
    own.iter().chain([&CONFIDENCE])
}

/// A person's choice, for all stores or for one.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choice {
    /// The only rules that run; all if none are named.
    pub only: Option<Vec<RuleId>>,
    /// Rules that do not run.
    pub off: Option<Vec<RuleId>>,
    /// How the findings of rules are reported.
    pub severity: BTreeMap<RuleId, Level>,
    /// Thresholds by rule and name.
    pub threshold: BTreeMap<RuleId, BTreeMap<Spanned<String>, Spanned<f64>>>,
    /// Choices for the stores with an id or of a format.
    #[serde(deserialize_with = "stores")]
    pub store: BTreeMap<StoreName, Choice>,
    /// Positions of store names in the file of the highest layer: file, line, column.
    #[serde(skip)]
    pub named: Vec<(StoreName, (PathBuf, usize, usize))>,
}

/// Reads the choices for stores, which have no stores of their own.
fn stores<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<StoreName, Choice>, D::Error> {
    let all = BTreeMap::<StoreName, Choice>::deserialize(from)?;
    let is_flat = all.values().all(|own| own.store.is_empty());
    let flat = is_flat.then_some(all);
    flat.ok_or_else(|| D::Error::custom("unknown field `store` in the settings of a store"))
}

impl Choice {
    /// The first wrong threshold: its byte and why.
    pub fn error(&self) -> Option<(usize, String)> {
        let all = std::iter::once(self).chain(self.store.values());
        let rules = all.flat_map(|own| &own.threshold);
        let mut set = rules.flat_map(|(rule, all)| all.iter().map(|one| (rule.0, one)));
        set.find_map(|(rule, (name, value))| {
            let known = thresholds(rule).find(|known| known.name == name.get_ref());
            let Some((least, most)) = known.map(|known| known.range) else {
                let names: Vec<&str> = thresholds(rule).map(|known| known.name).collect();
                let all = format!("{rule} has {}", names.join(", "));
                let near = nearest(name.get_ref(), names.into_iter());
                let what = unknown("threshold", name.get_ref(), near, &all);
                return Some((name.span().start, what));
            };
            let number = value.get_ref();
            let is_wrong = !(least..=most).contains(number);
            let what = || format!("{number} is not within {least} to {most}");
            is_wrong.then(|| (value.span().start, what()))
        })
    }

    /// These choices, and where they say nothing those of another layer.
    pub fn over(self, mut below: Self) -> Self {
        for (rule, own) in self.threshold {
            below.threshold.entry(rule).or_default().extend(own);
        }
        for (name, own) in self.store {
            let under = below.store.remove(&name).unwrap_or_default();
            below.store.insert(name, own.over(under));
        }
        below.severity.extend(self.severity);
        Self {
            only: self.only.or(below.only),
            off: self.off.or(below.off),
            named: [self.named, below.named].concat(),
            ..below
        }
    }

    /// The same for stores that are the only ones of their format: each with its id, and the id
    /// that it has beside another one. Settings under either id apply to the store.
    pub fn of_stores(&self, alone: impl Iterator<Item = (String, String)>) -> Self {
        let mut all = self.clone();
        for (id, beside) in alone {
            if let Some(own) = self.store.get(&*beside).cloned() {
                let under = all.store.remove(&*id).unwrap_or_default();
                all.store.insert(StoreName(id), own.over(under));
            }
        }
        all
    }

    /// The same for rules that were named: they run even if they are off.
    fn of_named_rules(&self) -> Self {
        let stores = self.store.iter();
        let mut on = Self {
            only: None,
            off: None,
            store: stores
                .map(|(store, own)| (store.clone(), own.of_named_rules()))
                .collect(),
            ..self.clone()
        };
        on.severity.retain(|_, level| *level != Level::Off);
        on
    }

    /// The level of a rule; none if it does not mention the rule.
    fn level(&self, rule: &str) -> Option<Level> {
        let has = |rules: &Vec<RuleId>| rules.iter().any(|one| one.0 == rule);
        let only = self.only.as_ref();
        if self.off.as_ref().is_some_and(has) || only.is_some_and(|only| !has(only)) {
            return Some(Level::Off);
        }
        let set = self.severity.get(rule).copied();
        set.or_else(|| only.is_some().then_some(Level::Usual))
    }

    /// A threshold, if it is set.
    fn threshold(&self, rule: &str, name: &str) -> Option<f64> {
        let mut all = self.threshold.get(rule)?.iter();
        let found = all.find(|(known, _)| known.get_ref() == name);
        found.map(|(_, value)| *value.get_ref())
    }
}

/// All choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// The choices of all layers.
    pub choice: Choice,
    /// A person's own choices, which alone decide about harmful text; none if all do.
    pub floor: Option<Choice>,
}

/// Nothing was chosen.
pub static USUAL: LazyLock<Tuning> = LazyLock::new(Tuning::default);

impl Tuning {
    /// The same for rules that were named: they run even if they are off.
    pub fn named(&self) -> Self {
        Self {
            choice: self.choice.of_named_rules(),
            floor: self.floor.clone(),
        }
    }

    /// The rules that run in some store, in the order of the table.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().filter(|rule| {
            let on = |choice: &Choice| choice.level(rule.id).map(|level| level != Level::Off);
            let deciding = self.floor(rule.id).unwrap_or(&self.choice);
            let own = deciding.store.values().filter_map(on);
            own.chain([on(deciding).unwrap_or(true)]).any(|on| on)
        })
    }

    /// The choices that alone decide about a rule; none if it is one as any other.
    pub(super) fn floor(&self, rule: &str) -> Option<&Choice> {
        self.floor.as_ref().filter(|_| is_floor(rule))
    }

    /// The choices about a rule in a store, the most specific first.
    fn layers(&self, rule: &str, store: &StoreId) -> impl Iterator<Item = &Choice> {
        let all = self.floor(rule).unwrap_or(&self.choice);
        let id: &str = &store.0;
        let format = id.split_once('@').map(|(format, _)| format);
        let own = all.store.get(id).into_iter();
        own.chain(format.and_then(|format| all.store.get(format)))
            .chain([all])
    }

    /// How the findings of a rule in a store are reported.
    pub fn level(&self, rule: &str, store: &StoreId) -> Level {
        let level = self.layers(rule, store).find_map(|own| own.level(rule));
        level.unwrap_or(Level::Usual)
    }

    /// A threshold in a store: as it is set, else the default.
    fn threshold(&self, rule: &str, name: &str, store: &StoreId) -> f64 {
        let mut layers = self.layers(rule, store);
        let set = layers.find_map(|own| own.threshold(rule, name));
        let usual = || thresholds(rule).find(|known| known.name == name);
        set.or_else(|| Some(usual()?.usual)).unwrap_or_default()
    }

    /// The severity of a finding in a store; none if it is not reported.
    pub(super) fn severity(&self, finding: &Finding, store: &StoreId) -> Option<Severity> {
        if finding.confidence < self.threshold(finding.rule, CONFIDENCE.name, store) {
            return None;
        }
        let own = finding.severity;
        match self.level(finding.rule, store) {
            Level::Off => None,
            Level::Usual => Some(own),
            Level::Set(severity) => {
                let usual = super::rule(finding.rule).map_or(Severity::Info, |rule| rule.severity);
                // Below its usual severity the rule is less certain.
                Some(if own <= usual {
                    severity
                } else {
                    own.max(severity)
                })
            }
        }
    }
}

impl Context<'_> {
    /// A threshold of a rule, in the store of a memory by its index.
    pub fn threshold(&self, rule: &str, name: &str, memory: usize) -> f64 {
        let store = self.memories.get(memory).map(|memory| &memory.id.store);
        store.map_or(0.0, |store| self.tuning.threshold(rule, name, store))
    }
}

#[cfg(test)]
mod tests;
