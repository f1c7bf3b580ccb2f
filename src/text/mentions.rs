//! What a text mentions: paths, addresses, versions, names of code and days, each with its bytes.
//!
//! Whether a mention stands for something is not decided here: `and/or` is a path as far as a text
//! can tell, and the reader of these mentions looks it up.

mod dates;
mod outline;
mod paths;
mod symbols;
#[cfg(test)]
mod tests;
mod versions;

use std::ops::Range;

pub use self::dates::{DateMention, dates};
pub use self::outline::{Block, Outline};
pub use self::paths::{Form, PathMention, last, local_paths, paths};
pub use self::symbols::{SymbolMention, is_distinct, symbols};
pub use self::versions::{VersionMention, versions};

/// The bytes of each address with a scheme: `https://example.com/a`.
pub fn urls(text: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = |c: char| c.is_whitespace() || "\"'`<>|".contains(c);
    text.match_indices("://").filter_map(move |(at, _)| {
        let before = text.get(..at)?;
        let scheme = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '+');
        let rest = text.get(at..)?;
        let rest = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
        // A bracket around the address, or the end of a sentence.
        let mut rest = rest.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
        if !rest.contains('(') {
            rest = rest.trim_end_matches(')');
        }
        let sound = scheme.len() < at && rest.len() > "://".len();
        sound.then(|| scheme.len()..at + rest.len())
    })
}
