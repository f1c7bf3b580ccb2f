//! Suggests a value to write if one is wrong or missing.

use std::ops::Range;

use itertools::Itertools as _;

use super::QueryError;
use super::names::{self, Name};
use super::value::Wanted;
use crate::memory::schema::Kind;

/// The error for a field without a value.
pub(super) fn unfinished(
    typed: &str,
    name: Name,
    kinds: &[Kind],
    span: Range<usize>,
) -> QueryError {
    let words = match name {
        Name::Is(states) => states.to_vec(),
        _ => choices(kinds),
    };
    let hint = match name {
        Name::Has => "write has:finding, has:stale-path or has:tags".to_owned(),
        _ if !words.is_empty() => format!("it can be {}", names::listed(&words)),
        _ => example(typed, kinds).unwrap_or_else(|| "write a word after the colon".to_owned()),
    };
    QueryError {
        span,
        message: format!("`{typed}:` needs a value"),
        hint: Some(hint),
    }
}

/// The error for a value that no format's field can have.
pub(super) fn unsuited(
    name: &str,
    wanted: &Wanted,
    kinds: &[Kind],
    span: Range<usize>,
) -> QueryError {
    let typed = &wanted.text;
    let choices = choices(kinds);
    let wrong = kinds.iter().find_map(|kind| match kind {
        Kind::Choice(_) => Some(format!("no {name} `{typed}`")),
        Kind::Date => Some(format!("`{typed}` is neither a date nor an age")),
        Kind::Number(..) => Some(format!("`{typed}` is not a number")),
        Kind::Bool => Some(format!("`{typed}` is neither true nor false")),
        _ => None,
    });
    let message = wrong.unwrap_or_else(|| format!("`{name}` has no order"));
    let hint = match choices.is_empty() {
        true => Some(example(name, kinds).unwrap_or_else(|| format!("write {name}:{typed}"))),
        false => names::hint(typed, choices.into_iter()),
    };
    QueryError {
        span,
        message,
        hint,
    }
}

/// The words that fields of these kinds can have; formats, and stores of one format, have words in
/// common.
fn choices(kinds: &[Kind]) -> Vec<&'static str> {
    let words = kinds.iter().filter_map(|kind| match kind {
        Kind::Choice(words) => Some(*words),
        _ => None,
    });
    words.flatten().copied().unique().collect()
}

/// How a value of these kinds is written, where that is not plain text.
fn example(name: &str, kinds: &[Kind]) -> Option<String> {
    kinds.iter().find_map(|kind| match kind {
        Kind::Date => Some(format!(
            "write {name}:2026-03, {name}:>=2026-01-15 or {name}:<30d (m h d w M y)"
        )),
        Kind::Number(..) => Some(format!("write {name}:>0.5")),
        Kind::Bool => Some(format!("write {name}:true or {name}:false")),
        _ => None,
    })
}
