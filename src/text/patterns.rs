//! Patterns that are matched against every line of a store.

use regex::{Regex, RegexBuilder};

/// Compiles a pattern. Word boundaries are those of ASCII: with Unicode ones, one dash in a text
/// makes the search slow.
pub fn compact(pattern: &str) -> Option<Regex> {
    let pattern = pattern.replace(r"\b", r"(?-u:\b)");
    let built = RegexBuilder::new(&pattern).dfa_size_limit(ROOM).build();
    built.ok()
}

/// Most bytes of a pattern's cache, which grows as it is used. Where it is too small for a pattern,
/// the slowest matcher takes over.
const ROOM: usize = 8 * 1024 * 1024;
