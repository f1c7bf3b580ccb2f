//! Which rules are to look.

use super::{RULES, Rule};
use crate::memory::steps::step;

/// A choice of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection(Option<Vec<&'static str>>);

/// There is no rule with this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule {}", super::chars::quote(.name))]
pub struct UnknownRule {
    /// What was asked for.
    pub name: String,
    /// The rule whose id is most like it.
    pub nearest: Option<&'static str>,
}

impl Selection {
    /// Every rule.
    pub const fn all() -> Self {
        Self(None)
    }

    /// The rules with these ids; all of them where there are none.
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

    /// The rules that a person left on in some store.
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

/// The rule whose id is most like a name.
pub fn nearest_rule(name: &str) -> Option<&'static str> {
    nearest(name, RULES.iter().map(|rule| rule.id()))
}

/// Names that are longer than this in bytes are not compared letter by letter: no file is called so.
const LONGEST_NAME: usize = 300;

/// How alike two words are, 0 to 1.
pub(super) fn likeness(a: &str, b: &str) -> f32 {
    if a.len().max(b.len()) > LONGEST_NAME {
        return f32::from(u8::from(a == b));
    }
    step(a.len() * b.len());
    similar::TextDiff::from_chars(a, b).ratio()
}

/// The word most like a name, where one is like it at all.
pub fn nearest<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    all_nearest(name, words).first().copied()
}

/// Up to three words that are like a name, the most like it first.
pub fn all_nearest<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    let name = name.to_lowercase();
    let near = words.map(|word| (likeness(&name, word), word));
    let mut near: Vec<(f32, &str)> = near.filter(|(ratio, _)| *ratio >= 0.5).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.truncate(3);
    near.into_iter().map(|(_, word)| word).collect()
}

/// How many characters must be put in, taken out or changed to make one word of the other; none
/// where it is more than `most`.
pub(super) fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if most == 0 || a.len().max(b.len()) > LONGEST_NAME {
        return (a == b).then_some(0);
    }
    let b: Vec<char> = b.chars().collect();
    if a.chars().count().abs_diff(b.len()) > most {
        return None;
    }
    step(a.len() * b.len());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (n, a) in a.chars().enumerate() {
        let mut corner = n;
        let mut left = n + 1;
        let mut next = vec![left];
        for (b, &above) in b.iter().zip(row.iter().skip(1)) {
            left = (left + 1).min(above + 1).min(corner + usize::from(a != *b));
            corner = above;
            next.push(left);
        }
        // It never grows smaller again.
        if next.iter().all(|distance| *distance > most) {
            return None;
        }
        row = next;
    }
    row.last().copied().filter(|distance| *distance <= most)
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
