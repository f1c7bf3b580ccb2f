//! Patterns that are matched against every line of a store.

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

/// Compiles a pattern. Word boundaries are those of ASCII: with Unicode ones, one dash in a text
/// makes the search slow.
pub fn compact(pattern: &str) -> Option<Regex> {
    let pattern = pattern.replace(r"\b", r"(?-u:\b)");
    let built = RegexBuilder::new(&pattern).dfa_size_limit(ROOM).build();
    built.ok()
}

/// Compiles several patterns, which match in any case, into one.
pub fn compact_set<'p>(patterns: impl Iterator<Item = &'p str>) -> Option<RegexSet> {
    let patterns = patterns.map(|pattern| pattern.replace(r"\b", r"(?-u:\b)"));
    let mut built = RegexSetBuilder::new(patterns);
    built
        .case_insensitive(true)
        .dfa_size_limit(ROOM)
        .build()
        .ok()
}

/// Most bytes of a pattern's cache, which grows as it is used. Where it is too small for a pattern,
/// the slowest matcher takes over.
const ROOM: usize = 8 * 1024 * 1024;
