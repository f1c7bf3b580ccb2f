//! Patterns that are matched against every line of a store.

use regex::{Regex, RegexBuilder};

/// Compiles a pattern with a small cache: there are many patterns, and each thread has a cache for
/// each. Word boundaries are those of ASCII: with Unicode ones, one dash in a text makes the search
/// slow.
pub fn compact(pattern: &str) -> Option<Regex> {
    let pattern = pattern.replace(r"\b", r"(?-u:\b)");
    let built = RegexBuilder::new(&pattern).dfa_size_limit(ROOM).build();
    built.ok()
}

/// Bytes of a pattern's cache. Where it is too small for a pattern, the slowest matcher takes over.
const ROOM: usize = 1024 * 1024;
