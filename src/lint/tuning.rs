//! Which rules run, how bad their findings are, and their thresholds: as a person chose them, for all
//! stores and for some.
//!
//! ```text
//! store "rawko@docs" ─> stores of the format "rawko" ─> all stores ─> the rule's own
//!                 the first that mentions the rule holds
//! ```

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::{Context, Finding, RULES, Rule};
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

/// The threshold that every rule has: less certain findings are left out, 0 to 1.
pub const CONFIDENCE: &str = "confidence";

/// The threshold of a rule with this name, and its range.
pub fn threshold(rule: &str, name: &str) -> Option<(&'static str, (f64, f64))> {
    if name == CONFIDENCE {
        return Some((CONFIDENCE, (0.0, 1.0)));
    }
    let known = own(rule, name)?;
    Some((known.name, known.range))
}

fn own(rule: &str, name: &str) -> Option<&'static Threshold> {
    let mut all = super::rule(rule)?.thresholds().iter();
    all.find(|known| known.name == name)
}

/// The names of a rule's thresholds.
pub fn thresholds_of(rule: &str) -> impl Iterator<Item = &'static str> {
    let own = super::rule(rule).map_or(&[][..], Rule::thresholds);
    own.iter().map(|known| known.name).chain([CONFIDENCE])
}

/// A person's choice, for all stores or for one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The only rules that run; all if none are named.
    pub only: Option<Vec<&'static str>>,
    /// Rules that do not run.
    pub off: Vec<&'static str>,
    /// Severities of rules.
    pub severity: BTreeMap<&'static str, Level>,
    /// Thresholds, by rule and name.
    pub thresholds: BTreeMap<(&'static str, &'static str), f64>,
}

impl Choice {
    /// The level of a rule; none if it does not mention the rule.
    fn level(&self, rule: &str) -> Option<Level> {
        let only = self.only.as_ref();
        if self.off.contains(&rule) || only.is_some_and(|only| !only.contains(&rule)) {
            return Some(Level::Off);
        }
        let set = self.severity.get(rule).copied();
        set.or_else(|| only.is_some().then_some(Level::Usual))
    }
}

/// All choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// For all stores.
    pub all: Choice,
    /// For the stores with an id or of a format.
    pub stores: BTreeMap<String, Choice>,
    /// Rules that only a person's own choices silence, and those choices.
    pub floor: Option<(&'static [&'static str], Box<Tuning>)>,
}

/// Nothing was chosen.
pub static USUAL: LazyLock<Tuning> = LazyLock::new(Tuning::default);

impl Tuning {
    /// The same for rules that were named: they run even if they are off.
    pub fn named(&self) -> Self {
        let on = |choice: &Choice| Choice {
            only: None,
            off: Vec::new(),
            severity: {
                let all = choice.severity.iter();
                let on = all.filter(|(_, level)| **level != Level::Off);
                on.map(|(rule, level)| (*rule, *level)).collect()
            },
            thresholds: choice.thresholds.clone(),
        };
        let stores = self.stores.iter();
        Self {
            floor: self.floor.clone(),
            all: on(&self.all),
            stores: stores
                .map(|(store, choice)| (store.clone(), on(choice)))
                .collect(),
        }
    }

    /// The rules that run in some store, in the order of the table.
    pub fn rules(&self) -> impl Iterator<Item = &'static dyn Rule> {
        let rules = RULES.iter().copied();
        rules.filter(|rule| {
            let on = |choice: &Choice| choice.level(rule.id()).map(|level| level != Level::Off);
            let deciding = self.floor(rule.id()).unwrap_or(self);
            let own = deciding.stores.values().filter_map(on);
            own.chain([on(&deciding.all).unwrap_or(true)]).any(|on| on)
        })
    }

    /// The choices that alone decide about a rule; none if it is one as any other.
    pub(super) fn floor(&self, rule: &str) -> Option<&Self> {
        let (rules, own) = self.floor.as_ref()?;
        rules.contains(&rule).then_some(own)
    }

    /// The choices about a rule in a store, the most specific first.
    fn layers(&self, rule: &str, store: &StoreId) -> impl Iterator<Item = &Choice> {
        let all = self.floor(rule).unwrap_or(self);
        let id: &str = &store.0;
        let format = id.split_once('@').map(|(format, _)| format);
        let own = all.stores.get(id).into_iter();
        own.chain(format.and_then(|format| all.stores.get(format)))
            .chain([&all.all])
    }

    /// How the findings of a rule in a store are reported.
    pub fn level(&self, rule: &str, store: &StoreId) -> Level {
        let mut layers = self.layers(rule, store);
        layers
            .find_map(|choice| choice.level(rule))
            .unwrap_or(Level::Usual)
    }

    /// A threshold in a store, if it is set.
    fn set(&self, rule: &'static str, name: &'static str, store: &StoreId) -> Option<f64> {
        let mut layers = self.layers(rule, store);
        layers.find_map(|choice| choice.thresholds.get(&(rule, name)).copied())
    }

    /// The severity of a finding in a store; none if it is not reported.
    pub(super) fn severity(&self, finding: &Finding, store: &StoreId) -> Option<Severity> {
        let least = self.set(finding.rule, CONFIDENCE, store);
        if least.is_some_and(|least| finding.confidence < least) {
            return None;
        }
        let own = finding.severity;
        match self.level(finding.rule, store) {
            Level::Off => None,
            Level::Usual => Some(own),
            Level::Set(severity) => {
                let usual = super::rule(finding.rule).map_or(Severity::Info, Rule::severity);
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
    pub fn threshold(&self, rule: &'static str, name: &'static str, memory: usize) -> f64 {
        let usual = || own(rule, name).map_or(0.0, |known| known.usual);
        let store = self.memories.get(memory).map(|memory| &memory.id.store);
        store
            .and_then(|store| self.tuning.set(rule, name, store))
            .unwrap_or_else(usual)
    }
}

#[cfg(test)]
mod tests;
