//! Which of many patterns a text may have, by words each of them needs.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

/// Many patterns, each made when it is first needed: all of them take megabytes.
pub(super) struct Patterns<R> {
    sources: Vec<&'static str>,
    make: fn(&str) -> Option<R>,
    made: Vec<OnceLock<Option<R>>>,
}

impl<R> Patterns<R> {
    pub(super) fn of(
        sources: impl Iterator<Item = &'static str>,
        make: fn(&str) -> Option<R>,
    ) -> Self {
        let sources: Vec<_> = sources.collect();
        Self {
            made: sources.iter().map(|_| OnceLock::new()).collect(),
            sources,
            make,
        }
    }

    /// One of them; none where there is no such, or it is not sound.
    pub(super) fn get(&self, n: usize) -> Option<&R> {
        let (made, source) = (self.made.get(n)?, self.sources.get(n)?);
        made.get_or_init(|| (self.make)(source)).as_ref()
    }
}

/// Words (in any case) without which patterns are not there, and which pattern each is of.
pub(super) struct Hints(Option<AhoCorasick>, Vec<usize>);

impl Hints {
    pub(super) fn of(patterns: impl Iterator<Item = &'static [&'static str]>) -> Self {
        let hints = patterns.enumerate();
        let hints = hints.flat_map(|(n, hints)| hints.iter().map(move |hint| (*hint, n)));
        let (words, patterns): (Vec<_>, Vec<_>) = hints.unzip();
        let builder = &mut AhoCorasick::builder();
        let words = builder.ascii_case_insensitive(true).build(words);
        Self(words.ok(), patterns)
    }

    /// The patterns that a text may have: nearly every one has none of what they need.
    pub(super) fn likely(&self, text: &str) -> BTreeSet<usize> {
        let words = self.0.iter();
        let found = words.flat_map(|words| words.find_overlapping_iter(text));
        let patterns = found.filter_map(|hint| self.1.get(hint.pattern().as_usize()).copied());
        patterns.collect()
    }
}
