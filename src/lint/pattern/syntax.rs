//! Signs that a text that is looked for literally was meant as a regular expression.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::text::patterns::compact;

/// The lists of pairs in `assets/lint/patterns.toml`, by name.
static TABLE: LazyLock<HashMap<String, Vec<[String; 2]>>> = LazyLock::new(|| {
    let text = include_str!("../../../assets/lint/patterns.toml");
    toml::from_str(text).unwrap_or_default()
});

/// A list of the table: each first text compiled, with the second.
pub(super) fn compiled(list: &str) -> Vec<(Regex, &'static str)> {
    let pairs = TABLE.get(list).into_iter().flatten();
    pairs
        .filter_map(|[first, second]| Some((compact(first)?, second.as_str())))
        .collect()
}

/// Pieces that only make sense in a regular expression, and texts in which they mean something else.
static PIECES: LazyLock<Vec<(Regex, Option<Regex>)>> = LazyLock::new(|| {
    let other = |other: &str| compact(other).filter(|_| !other.is_empty());
    let pieces = compiled("pieces").into_iter();
    pieces.map(|(piece, text)| (piece, other(text))).collect()
});

/// The piece of a text that only makes sense as a regular expression, if there is one.
/// Texts that a task may hold as they are must stay clear of it: `[id].tsx`, `c++`, `useState()`,
/// `^1.2.3`, `C:\dev`, `$HOME`, `file.ts`.
pub(super) fn of(text: &str) -> Option<String> {
    let piece = PIECES.iter().find_map(|(piece, other)| {
        let found = piece.captures(text)?;
        let is_other = other.as_ref().is_some_and(|other| other.is_match(text));
        let group = found.iter().skip(1).flatten().next()?;
        (!is_other).then(|| group.as_str().to_owned())
    });
    let inner = || text.strip_prefix('(')?.strip_suffix(')');
    let is_group = || inner().is_some_and(|inner| !inner.is_empty() && !inner.contains(['(', ')']));
    piece.or_else(|| is_group().then(|| "(…)".to_owned()))
}

/// True if parentheses open in one alternative of a pattern and close in another.
pub(super) fn spans_bars(pattern: &str) -> bool {
    let depth = |text: &str| {
        text.chars().fold(0i32, |depth, c| match c {
            '(' => depth.saturating_add(1),
            ')' => depth.saturating_sub(1),
            _ => depth,
        })
    };
    depth(pattern) == 0 && pattern.split('|').any(|one| depth(one) != 0)
}
