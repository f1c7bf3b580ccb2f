//! `[lint]` of the configuration: which rules run, how bad their findings are, and their thresholds.
//!
//! The first choice that mentions a rule holds: that of the store `rawko@docs`, of the stores of the format
//! `rawko`, of all stores, and then the rule's own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::{Context, Finding, Selection, is_floor};
use crate::memory::{Severity, StoreId};

/// How findings are reported: not at all, as the rule says, or with another severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words of the configuration")]
pub enum Level {
    Off,
    #[serde(skip)]
    Usual,
    Info,
    Warning,
    Error,
}

/// A name with its place in the file: of a rule, of a threshold, or of a store or a format.
pub type Name = Spanned<String>;

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
pub fn thresholds(rule: &str) -> impl Iterator<Item = &'static Threshold> {
    let own = super::rule(rule).map_or(&[][..], |rule| rule.thresholds);
    own.iter().chain([&CONFIDENCE])
}

/// A person's choice, for all stores or for one.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choice {
    /// The only rules that run; all if none are named.
    pub only: Option<Vec<Name>>,
    /// Rules that do not run.
    pub off: Option<Vec<Name>>,
    /// How the findings of rules are reported.
    pub severity: BTreeMap<Name, Level>,
    /// Thresholds by rule and name.
    pub threshold: BTreeMap<Name, BTreeMap<Name, Spanned<f64>>>,
    /// Choices for the stores with an id or of a format; these have none for stores.
    pub store: BTreeMap<Name, Choice>,
    /// Positions of store names in the file of the highest layer: file, line, column.
    #[serde(skip)]
    pub named: Vec<(String, (PathBuf, usize, usize))>,
}

impl Choice {
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
                all.store.insert(Spanned::new(0..0, id), own.over(under));
            }
        }
        all
    }

    /// The same for rules that were named: they run even if they are off.
    fn of_named_rules(&self) -> Self {
        let mut on = self.clone();
        (on.only, on.off) = (None, None);
        on.severity.retain(|_, level| *level != Level::Off);
        let stores = on.store.values_mut();
        stores.for_each(|own| *own = own.of_named_rules());
        on
    }

    /// The level of a rule; none if it does not mention the rule.
    fn level(&self, rule: &str) -> Option<Level> {
        let has = |rules: &Vec<Name>| rules.iter().any(|one| one.get_ref() == rule);
        let only = self.only.as_ref();
        if self.off.as_ref().is_some_and(has) || only.is_some_and(|only| !has(only)) {
            return Some(Level::Off);
        }
        let set = self.severity.get(rule).copied();
        set.or_else(|| only.is_some().then_some(Level::Usual))
    }

    fn threshold(&self, rule: &str, name: &str) -> Option<f64> {
        Some(*self.threshold.get(rule)?.get(name)?.get_ref())
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

impl Tuning {
    /// The same for rules that were named: they run even if they are off.
    pub fn named(&self) -> Self {
        Self {
            choice: self.choice.of_named_rules(),
            floor: self.floor.clone(),
        }
    }

    /// The rules that run in some store.
    pub fn rules(&self) -> Selection {
        Selection::those(|rule| {
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
        let set = match self.level(finding.rule, store) {
            Level::Off => return None,
            Level::Usual => return Some(own),
            Level::Info => Severity::Info,
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        };
        let usual = super::rule(finding.rule).map_or(Severity::Info, |rule| rule.severity);
        // Below its usual severity the rule is less certain.
        Some(if own <= usual { set } else { own.max(set) })
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
