//! Signs that a text that is looked for literally was meant as a regular expression.

use std::sync::LazyLock;

use regex::Regex;

/// Pieces that only make sense in a regular expression: each in a group of its pattern, and a pattern
/// of texts in which it means something else.
const PIECES: [(&str, &str); 8] = [
    (r"(?:^|[^.])(\.[*+?])", ""),
    // `SELECT * FROM` and arguments of Python are no wildcards.
    (r"[\w./)\]-](\*)|(\*)[\w./)\]-]", r"\*args|\*\*kwargs"),
    // The query of an address is no repetition, nor is the end of a question.
    (r"[\w)\]](\?)\w|[)\]](\?)|^\S*\w(\?)$", r"[=&]|^/"),
    (
        r"\ws(\?)$",
        r"[=&]|^/|^(?:what|which|who|whose|how|why|when|where|is|are|do|does|did|can|could|should|would|will|may|has|have|any)\s",
    ),
    // `c:\dev` and `\\server\share` are places.
    (
        r"^(\\[bdwsBDWS])|(\\[bdwsBDWS])(?:[^\pL\pN]|$)|(\\[.()\[\]{}+*?^$/-])",
        r"^.:\\|^\\\\",
    ),
    // A digit after `^` makes it a range of versions.
    (
        r"^(\^)[\pL(\[\\]|[\pL\pN)\]](\$)$",
        r"(?i)^(?:us|a|c|nz|hk)\$$",
    ),
    // `[my-page]` is a route: a range stands alone or beside others.
    (
        r"(\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]){1,3}\]|\[[^\]]{0,5}\w-\w[^\]]{0,5}[_\\ ][^\]]{0,5}\]|\[[-_ /\\][-_ ./\\]*[-_./\\][-_ ./\\]*\]|\[\^[^\]]+\])",
        "",
    ),
    (r"[)\]](\+)|[\pL\pN)\].](\{\d[\d,]*\})|(\(\?)", ""),
];

/// Each of [`PIECES`], compiled.
static COMPILED: LazyLock<Vec<(Regex, Option<Regex>)>> = LazyLock::new(|| {
    let compile = |(piece, other): &(&str, &str)| {
        let other = (!other.is_empty()).then(|| Regex::new(other).ok());
        Some((Regex::new(piece).ok()?, other.flatten()))
    };
    PIECES.iter().filter_map(compile).collect()
});

/// The piece of a text that only makes sense as a regular expression, if there is one.
///
/// Texts that a task may hold as they are must stay clear of it: `[id].tsx`, `c++`, `useState()`,
/// `^1.2.3`, `C:\dev`, `$HOME`, `file.ts`.
pub(super) fn of(text: &str) -> Option<String> {
    let piece = COMPILED.iter().find_map(|(piece, other)| {
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
