//! Names of the code that a library has as well: what was removed here is still there.

use crate::lint::version::Manifests;

/// What things of a library are called by habit, and the libraries.
const RECEIVERS: &[(&str, &[&str])] = &[
    ("df", &["pandas", "polars", "pyspark", "dask"]),
    ("lf", &["polars"]),
    ("pl", &["polars"]),
    ("pd", &["pandas"]),
    ("np", &["numpy"]),
    ("plt", &["matplotlib"]),
    ("sns", &["seaborn"]),
    ("tf", &["tensorflow"]),
    ("sa", &["sqlalchemy"]),
    ("nn", &["torch"]),
    ("z", &["zod"]),
    ("_", &["lodash"]),
    ("$", &["jquery"]),
    ("cy", &["cypress"]),
];

/// Whether what is written is a library's: by whose it is said to be, or by what it is called on.
pub(super) fn is_method(
    manifests: &Manifests,
    (before, written, after): (&str, &str, &str),
) -> bool {
    is_called_on(manifests, written)
        || is_said_before(manifests, before)
        || is_said_behind(manifests, after)
}

/// `df.x()`, `polars.x`.
fn is_called_on(manifests: &Manifests, written: &str) -> bool {
    let Some((receiver, _)) = written.split_once(['.', ':']) else {
        return false;
    };
    let known = RECEIVERS.iter().find(|(name, _)| *name == receiver);
    let mut names = known
        .map_or(&[][..], |(_, names)| *names)
        .iter()
        .copied()
        .chain([receiver]);
    names.any(|name| name.len() > 1 && manifests.has(name))
}

/// `polars' x`, `the polars method x`.
fn is_said_before(manifests: &Manifests, before: &str) -> bool {
    let mut words = before.split_whitespace().rev().map(bare);
    let kinds = [
        "method", "function", "hook", "helper", "call", "own", "built-in",
    ];
    let last = words.find(|word| !kinds.contains(word)).unwrap_or_default();
    let kind = before
        .split_whitespace()
        .next_back()
        .is_some_and(|word| kinds.contains(&word));
    let owner = owner(last);
    owner
        .or(kind.then_some(last))
        .is_some_and(|name| manifests.has(name))
}

/// `x of polars`, `x comes from polars`, `x is polars' own method`.
fn is_said_behind(manifests: &Manifests, after: &str) -> bool {
    let words: Vec<&str> = after.split_whitespace().take(6).map(bare).collect();
    let fills = [
        "is", "are", "comes", "a", "the", "method", "function", "hook", "part",
    ];
    let of = |word: &str| matches!(word, "of" | "from" | "in");
    let lead = words.iter().take_while(|word| fills.contains(word)).count();
    let rest = words.get(lead..).unwrap_or_default();
    let owned = |word: &str| owner(word).is_some_and(|name| manifests.has(name));
    match rest {
        [first, name, ..] if of(first) => manifests.has(name.trim_end_matches(['.', ','])),
        [first, ..] => lead > 0 && owned(first),
        [] => false,
    }
}

/// Whose something is.
fn owner(word: &str) -> Option<&str> {
    ["'s", "’s", "'", "’"]
        .iter()
        .find_map(|end| word.strip_suffix(end))
}

fn bare(word: &str) -> &str {
    word.trim_matches(['`', '*', '"', '(', ')', ',', '.', ':'])
}
