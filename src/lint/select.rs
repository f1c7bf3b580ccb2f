//! A choice of rules.

use super::{RULES, Rule, Trait, misleads};
use crate::memory::steps::step;

/// A choice of rules, in the order of the table.
#[derive(Clone, Debug, Default)]
pub struct Selection(Vec<&'static Rule>);

/// There is no rule with this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule {}", super::chars::quote(.name))]
pub struct UnknownRule {
    /// The unknown id.
    pub name: String,
    /// The rule with the most similar id.
    pub nearest: Option<&'static str>,
}

impl Selection {
    pub(super) fn those(is_one: impl Fn(&Rule) -> bool) -> Self {
        Self(RULES.iter().filter(|rule| is_one(rule)).collect())
    }

    /// Every rule.
    pub fn all() -> Self {
        Self::those(|_| true)
    }

    /// The rules with these ids; every rule if there are no ids.
    pub fn of<S: AsRef<str>>(names: &[S]) -> Result<Self, UnknownRule> {
        let mut all = names.iter().map(AsRef::as_ref);
        if let Some(name) = all.find(|name| super::rule(name).is_none()) {
            let (name, nearest) = (name.to_owned(), nearest_rule(name));
            return Err(UnknownRule { name, nearest });
        }
        let is_named = |rule: &Rule| names.iter().any(|name| name.as_ref() == rule.id);
        Ok(Self::those(|rule| names.is_empty() || is_named(rule)))
    }

    /// The rules about what misleads an agent that is given the memory.
    pub fn misleading() -> Self {
        Self::those(|rule| misleads(rule.id))
    }

    /// The same without the rules that compare memories with each other or play tasks.
    pub fn alone(&self) -> Self {
        let mut alone = self.clone();
        let is_alone = |rule: &&Rule| !rule.has(Trait::Compares) && rule.play.is_none();
        alone.0.retain(is_alone);
        alone
    }

    /// True if a rule of it plays tasks through the policies of the stores.
    pub fn plays(&self) -> bool {
        self.rules().any(|rule| rule.play.is_some())
    }

    /// The rules it holds.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        self.0.iter().copied()
    }
}

/// The rule with the id most similar to a name.
pub fn nearest_rule(name: &str) -> Option<&'static str> {
    nearest(name, RULES.iter().map(|rule| rule.id))
}

/// Longer names in bytes are not compared letter by letter: no file has one.
const LONGEST_NAME: usize = 300;

/// The word most similar to a name, if one is similar at all.
pub fn nearest<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    all_nearest(name, words).first().copied()
}

/// Up to three words that are similar to a name, the most similar first.
pub fn all_nearest<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    similar(&name.to_lowercase(), words, 0.4)
}

/// Up to three words as similar as this, 0 to 1, best first: one less the share of edits.
pub(super) fn similar<'w>(
    name: &str,
    words: impl Iterator<Item = &'w str>,
    least: f64,
) -> Vec<&'w str> {
    let likeness = |word: &str| {
        if word.len().max(name.len()) > LONGEST_NAME {
            return f64::from(u8::from(word == name));
        }
        step(word.len() * name.len());
        strsim::normalized_levenshtein(name, word)
    };
    let near = words.map(|word| (likeness(word), word));
    let mut near: Vec<(f64, &str)> = near.filter(|(share, _)| *share >= least).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    near.dedup();
    near.into_iter().take(3).map(|(_, word)| word).collect()
}

/// The edit distance of two words in characters; none if it is more than `most`.
pub(super) fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if most == 0 || a.len().max(b.len()) > LONGEST_NAME {
        return (a == b).then_some(0);
    }
    step(a.len() * b.len());
    Some(strsim::levenshtein(a, b)).filter(|distance| *distance <= most)
}
