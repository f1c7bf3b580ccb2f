//! Which rules look, how bad what they find is, and from where on they find it: as a person chose
//! it, for all stores and for some.
//!
//! ```text
//! store "rawko@docs" ─> stores of the format "rawko" ─> all stores ─> the rule's own
//!                 the first that says something of the rule holds
//! ```

use std::collections::BTreeMap;

use super::{Context, Finding, RULES, Rule};
use crate::memory::{Severity, StoreId};

/// What becomes of the findings of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The rule does not look.
    Off,
    /// They are as bad as the rule says.
    Usual,
    /// They are this bad. What the rule itself is less sure of stays a suggestion.
    Set(Severity),
}

/// A number of a rule that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// What the number is called.
    pub name: &'static str,
    /// What it is where nothing is set.
    pub usual: f64,
    /// The least and the most it can be.
    pub range: (f64, f64),
    /// What it is, with its unit.
    pub what: &'static str,
}

/// The threshold that every rule has: what it is less sure of is left out, 0 to 1.
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

/// What a person chose, for all stores or for one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The only rules that look; all where there are none.
    pub only: Option<Vec<&'static str>>,
    /// Rules that do not look.
    pub off: Vec<&'static str>,
    /// How bad the findings of rules are.
    pub severity: BTreeMap<&'static str, Level>,
    /// Thresholds, by rule and name.
    pub thresholds: BTreeMap<(&'static str, &'static str), f64>,
}

impl Choice {
    /// What it says of a rule; nothing where it does not mention it.
    fn level(&self, rule: &str) -> Option<Level> {
        let only = self.only.as_ref();
        if self.off.contains(&rule) || only.is_some_and(|only| !only.contains(&rule)) {
            return Some(Level::Off);
        }
        let set = self.severity.get(rule).copied();
        set.or_else(|| only.is_some().then_some(Level::Usual))
    }
}

/// Everything a person chose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// For all stores.
    pub all: Choice,
    /// For the stores with an id or of a format.
    pub stores: BTreeMap<String, Choice>,
}

/// Nothing was chosen.
pub static USUAL: Tuning = Tuning {
    all: Choice {
        only: None,
        off: Vec::new(),
        severity: BTreeMap::new(),
        thresholds: BTreeMap::new(),
    },
    stores: BTreeMap::new(),
};

impl Tuning {
    /// The same where rules were named, so that they look wherever they are off otherwise.
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
            all: on(&self.all),
            stores: stores
                .map(|(store, choice)| (store.clone(), on(choice)))
                .collect(),
        }
    }

    /// The rules that look in some store, in the order of the table.
    pub fn rules(&self) -> impl Iterator<Item = &'static dyn Rule> {
        let rules = RULES.iter().copied();
        rules.filter(|rule| {
            let on = |choice: &Choice| choice.level(rule.id()).map(|level| level != Level::Off);
            let own = self.stores.values().filter_map(on);
            own.chain([on(&self.all).unwrap_or(true)]).any(|on| on)
        })
    }

    /// What is said of a store, the nearest first.
    fn layers(&self, store: &StoreId) -> impl Iterator<Item = &Choice> {
        let id: &str = &store.0;
        let format = id.split_once('@').map(|(format, _)| format);
        let own = self.stores.get(id).into_iter();
        own.chain(format.and_then(|format| self.stores.get(format)))
            .chain([&self.all])
    }

    /// What becomes of what a rule finds in a store.
    pub fn level(&self, rule: &str, store: &StoreId) -> Level {
        let mut layers = self.layers(store);
        layers
            .find_map(|choice| choice.level(rule))
            .unwrap_or(Level::Usual)
    }

    /// A threshold in a store, where it is set.
    fn set(&self, rule: &'static str, name: &'static str, store: &StoreId) -> Option<f64> {
        let mut layers = self.layers(store);
        layers.find_map(|choice| choice.thresholds.get(&(rule, name)).copied())
    }

    /// The severity a finding is reported with in a store; none where it is not.
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
                // What is less than the usual is what the rule is less sure of.
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
