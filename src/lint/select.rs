//! A choice of rules.

use similar::DiffTag;

use super::{RULES, Rule};
use crate::memory::steps::step;
use crate::text::diff::ops;

/// A choice of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection(Option<Vec<&'static str>>);

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
    /// Every rule.
    pub const fn all() -> Self {
        Self(None)
    }

    /// The rules with these ids; every rule if there are no ids.
    pub fn of<S: AsRef<str>>(names: &[S]) -> Result<Self, UnknownRule> {
        if names.is_empty() {
            return Ok(Self::all());
        }
        let ids = names.iter().map(|name| {
            let name = name.as_ref();
            super::rule(name).map(Rule::id).ok_or_else(|| UnknownRule {
                name: name.to_owned(),
                nearest: nearest_rule(name),
            })
        });
        ids.collect::<Result<_, _>>().map(|ids| Self(Some(ids)))
    }

    /// The rules that are on in some store.
    pub fn tuned(tuning: &super::tuning::Tuning) -> Self {
        Self(Some(tuning.rules().map(Rule::id).collect()))
    }

    /// The same without the rules that compare memories with each other or play tasks.
    pub fn alone(&self) -> Self {
        let alone = self.rules();
        let alone = alone.filter(|rule| !rule.compares() && !rule.plays());
        Self(Some(alone.map(Rule::id).collect()))
    }

    /// The rules it holds, in the order of the table.
    pub fn rules(&self) -> impl Iterator<Item = &'static dyn Rule> {
        RULES
            .iter()
            .copied()
            .filter(|rule| self.0.as_ref().is_none_or(|ids| ids.contains(&rule.id())))
    }
}

/// The rule with the id most similar to a name.
pub fn nearest_rule(name: &str) -> Option<&'static str> {
    nearest(name, RULES.iter().map(|rule| rule.id()))
}

/// Longer names in bytes are not compared letter by letter: no file has one.
const LONGEST_NAME: usize = 300;

/// The similarity of two words, 0 to 1.
pub(super) fn likeness(a: &str, b: &str) -> f32 {
    if a.len().max(b.len()) > LONGEST_NAME {
        return f32::from(u8::from(a == b));
    }
    step(a.len() * b.len());
    let [a, b]: [Vec<char>; 2] = [a, b].map(|word| word.chars().collect());
    let same = ops(&a, &b)
        .into_iter()
        .filter(|op| op.tag() == DiffTag::Equal);
    let same: usize = same.map(|op| op.old_range().len()).sum();
    let all = a.len() + b.len();
    if all == 0 {
        1.0
    } else {
        2.0 * same as f32 / all as f32
    }
}

/// The word most similar to a name, if one is similar at all.
pub fn nearest<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    all_nearest(name, words).first().copied()
}

/// Up to three words that are similar to a name, the most similar first.
pub fn all_nearest<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    let name = name.to_lowercase();
    let near = words.map(|word| (likeness(&name, word), word));
    let mut near: Vec<(f32, &str)> = near.filter(|(ratio, _)| *ratio >= 0.5).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.truncate(3);
    near.into_iter().map(|(_, word)| word).collect()
}

/// The edit distance of two words in characters; none if it is more than `most`.
pub(super) fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if most == 0 || a.len().max(b.len()) > LONGEST_NAME {
        return (a == b).then_some(0);
    }
    if a.chars().count().abs_diff(b.chars().count()) > most {
        return None;
    }
    step(a.len() * b.len());
    Some(strsim::levenshtein(a, b)).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_rule_is_refused_with_the_nearest_name() {
        let error = Selection::of(&["load-error", "pattern-match-all"]).unwrap_err();
        assert_eq!(error.nearest, Some("pattern-matches-all"));
        assert_eq!(error.to_string(), "unknown rule `pattern-match-all`");
        assert_eq!(Selection::of(&["zzz"]).unwrap_err().nearest, None);
        let one = Selection::of(&["name-style", "bad-date"]).unwrap();
        let ids: Vec<_> = one.rules().map(Rule::id).collect();
        assert_eq!(ids, ["bad-date", "name-style"]);
        assert_eq!(Selection::of::<&str>(&[]).unwrap(), Selection::all());
    }

    #[test]
    fn distances() {
        assert_eq!(distance("auth", "auth", 2), Some(0));
        assert_eq!(distance("auth", "aut", 2), Some(1));
        assert_eq!(distance("kitten", "sitting", 3), Some(3));
        assert_eq!(distance("kitten", "sitting", 2), None);
        assert_eq!(distance("", "ab", 2), Some(2));
    }
}
