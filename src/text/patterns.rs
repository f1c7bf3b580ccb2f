//! Patterns that are matched against every line of a store.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder, bytes};
use serde::Deserialize;

/// A regular expression, compiled when it is first needed: many of them take megabytes.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub struct Pattern {
    /// Its text.
    pub source: String,
    /// For any text, and for one of ASCII alone.
    #[serde(skip)]
    compiled: [OnceLock<Option<bytes::Regex>>; 2],
}

impl Pattern {
    /// A pattern with this text.
    pub fn new(source: String) -> Self {
        let compiled = Default::default();
        Self { source, compiled }
    }

    /// The pattern compiled for a text: for ASCII alone several times as fast, if it has no other classes.
    pub fn regex(&self, text: &str) -> Option<&bytes::Regex> {
        let [any, ascii] = &self.compiled;
        let build = |pattern: &str, unicode| {
            let mut built = bytes::RegexBuilder::new(pattern);
            built.unicode(unicode).dfa_size_limit(ROOM).build().ok()
        };
        let any = || any.get_or_init(|| build(&plain(&self.source), true));
        let ascii = || ascii.get_or_init(|| build(&self.source, false)).as_ref();
        let own = text.is_ascii().then(ascii).flatten();
        own.or_else(|| any().as_ref())
    }

    /// True if it matches in a text.
    pub fn is_in(&self, text: &str) -> bool {
        self.regex(text)
            .is_some_and(|regex| regex.is_match(text.as_bytes()))
    }

    /// Its matches in a text, whole and the first group that took part, else the whole again.
    pub fn places(&self, text: &str) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let regex = self.regex(text).into_iter();
        let all = regex.flat_map(|regex| regex.captures_iter(text.as_bytes()));
        all.map(|found| {
            let whole = found.get_match();
            let part = found.iter().skip(1).flatten().next();
            (whole.range(), part.unwrap_or(whole).range())
        })
    }
}

/// Compiles a pattern whose classes and word boundaries are those of [`plain`].
pub fn compact(pattern: &str) -> Option<Regex> {
    let mut built = RegexBuilder::new(&plain(pattern));
    built.dfa_size_limit(ROOM).build().ok()
}

/// Compiles several patterns, which match in any case, into one.
pub fn compact_set<'p>(patterns: impl Iterator<Item = &'p str>) -> Option<RegexSet> {
    let mut built = RegexSetBuilder::new(patterns.map(plain));
    let built = built.case_insensitive(true).dfa_size_limit(ROOM);
    built.build().ok()
}

/// A list of pairs in a table of `assets/lint`; none if the table is not sound.
pub fn pairs(table: &str, list: &str) -> impl Iterator<Item = [String; 2]> {
    let mut lists: HashMap<String, Vec<[String; 2]>> = toml::from_str(table).unwrap_or_default();
    lists.remove(list).unwrap_or_default().into_iter()
}

/// Most bytes of a pattern's cache; a slower matcher takes over where they are too few.
const ROOM: usize = 8 * 1024 * 1024;

/// Letters, marks and digits in a few ranges. The gaps keep those with cases apart from the others:
/// all letters of a range with one are looked up for theirs.
const WORD: &str = r"[0-9A-Z_a-zªµºÀ-\u{587}\u{589}-\u{109e}\u{10a0}-\u{10fe}\u{1100}-\u{139a}\u{13a0}-\u{13fd}\u{1400}-\u{1c7d}\u{1c80}-\u{1fff}\u{2c00}-\u{2dff}\u{3005}-\u{a62b}\u{a640}-\u{abf9}\u{ac00}-\u{d7ff}\u{f900}-\u{fadf}\u{fb00}-\u{fdff}\u{fe10}-\u{fefe}\u{ff10}-\u{ffdc}]";

/// A pattern with classes that compile fast: the hundreds of ranges of Unicode's letters and digits
/// take longer than most stores. Word boundaries are those of ASCII: with Unicode ones, one dash in
/// a text makes the search slow.
fn plain(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        let escaped = if c == '\\' { rest.next() } else { None };
        match escaped {
            Some('b') => out.push_str(r"(?-u:\b)"),
            Some('d') => out.push_str("[0-9]"),
            Some('w') => out.push_str(WORD),
            Some('W') => out.push_str(&WORD.replacen('[', "[^", 1)),
            _ => out.extend([c].into_iter().chain(escaped)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_know_letters_of_many_scripts_and_no_signs() {
        let word = compact(r"(?i)^[\w./-]+$").unwrap();
        let words = "naïve übung.md 日本 дом 한글 e\u{301} a_1/b-2".split(' ');
        assert_eq!(words.filter(|text| !word.is_match(text)).count(), 0);
        let signs = "a—b ⚠ «a» a… → a\u{200b}".split(' ');
        assert_eq!(signs.filter(|text| word.is_match(text)).count(), 0);
    }
}
