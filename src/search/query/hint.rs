//! Suggests a value to write if one is wrong or missing.

use std::ops::Range;

use super::QueryError;
use super::field::Is;
use super::names::{self, Name};
use super::value::Wanted;
use crate::memory::schema::Kind;

/// Hint for a field that takes any word.
pub(super) const ANY: &str = "write a word after the colon";

/// The error for a field without a value.
pub(super) fn unfinished(
    typed: &str,
    name: &Name,
    kinds: &[Kind],
    span: Range<usize>,
) -> QueryError {
    let words = match name {
        Name::Is => Is::ALL.map(|(word, _)| word).to_vec(),
        Name::State => Is::STATES.map(|(word, _)| word).to_vec(),
        _ => choices(kinds),
    };
    let hint = if matches!(name, Name::Has) {
        "write has:finding, has:stale-path or has:tags".to_owned()
    } else if !words.is_empty() {
        format!("it can be {}", names::listed(&words))
    } else {
        example(typed, kinds).unwrap_or_else(|| ANY.to_owned())
    };
    QueryError {
        span,
        message: format!("`{typed}:` needs a value"),
        hint: Some(hint),
    }
}

/// Words for a state that people type, and what the query calls it.
const MEANT: [(&str, &str); 8] = [
    ("changed", "new"),
    ("modified", "new"),
    ("uncommitted", "new"),
    ("added", "new"),
    ("hidden", "invisible"),
    ("unseen", "invisible"),
    ("invalid", "broken"),
    ("old", "expired"),
];

/// The same error with the state that is meant, where a word for it was typed.
pub(super) fn meant_state(error: QueryError, known: &[(&'static str, Is)]) -> QueryError {
    let is_named = |(typed, _): &&(&str, &str)| error.message.ends_with(&format!("`{typed}`"));
    let meant = MEANT.iter().find(is_named).map(|(_, meant)| *meant);
    let meant = meant.filter(|meant| known.iter().any(|(word, _)| word == meant));
    let hint = meant.map(|meant| format!("did you mean `{meant}`?"));
    QueryError {
        hint: hint.or(error.hint),
        ..error
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
    let is = |wanted: fn(&Kind) -> bool| kinds.iter().any(wanted);
    let message = if !choices.is_empty() {
        format!("no {name} `{typed}`")
    } else if is(|kind| matches!(kind, Kind::Date)) {
        format!("`{typed}` is neither a date nor an age")
    } else if is(|kind| matches!(kind, Kind::Number(..))) {
        format!("`{typed}` is not a number")
    } else if is(|kind| matches!(kind, Kind::Bool)) {
        format!("`{typed}` is neither true nor false")
    } else {
        format!("`{name}` has no order")
    };
    let hint = if choices.is_empty() {
        Some(example(name, kinds).unwrap_or_else(|| format!("write {name}:{typed}")))
    } else {
        names::hint(typed, choices.into_iter())
    };
    QueryError {
        span,
        message,
        hint,
    }
}

/// The words that fields of these kinds can have.
fn choices(kinds: &[Kind]) -> Vec<&'static str> {
    let mut all = Vec::new();
    let choices = kinds.iter().filter_map(|kind| match kind {
        Kind::Choice(words) => Some(*words),
        _ => None,
    });
    for word in choices.flatten() {
        // Formats, and stores of one format, have words in common.
        if !all.contains(word) {
            all.push(*word);
        }
    }
    all
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
