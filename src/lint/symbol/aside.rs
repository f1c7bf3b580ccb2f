//! Sentences that name something of the code without asking for it: they refuse it, or it is of
//! another project.

mod library;
mod others;
mod outside;

use std::ops::Range;

use crate::lint::pairs::table::Words;
use crate::lint::repository::History;
use crate::lint::stale::is_of_another;
use crate::lint::version::Manifests;

/// Words by which what follows is not to be done.
static REFUSING: Words = Words::of("never not don't don’t avoid stop cannot can't mustn't no");

/// What is not to be done with a name, where it is not to be used at all.
static USING: Words =
    Words::of("use using call calling import importing on for instantiate construct trust prefer");

/// Words between them and a name.
static FILLS: Words = Words::of("the a an our old any plain bare raw to rely reach");

/// Words with which a sentence goes on that refuses a name altogether. With others it says how it
/// is to be used: `never call x without a lock`.
static ENDING: Words =
    Words::of("any anymore again here because as since it they that which and but use");

/// Why a sentence does not ask for what it names, where it does not.
pub(super) fn aside(
    (history, manifests): (&History, &Manifests),
    text: &str,
    bytes: &Range<usize>,
) -> Option<&'static str> {
    let before = text.get(..bytes.start)?;
    let before = before.rsplit('\n').next()?;
    let before = before.rsplit(';').next()?.rsplit(". ").next()?;
    let after = text.get(bytes.end..)?.trim_start_matches('`');
    let after = after.split('\n').next()?;
    let after = after.split(". ").next()?;
    if is_refused(before, after) {
        return Some("the sentence says not to use it");
    }
    let before = before.trim_end_matches('`');
    let written = text.get(bytes.clone()).unwrap_or_default();
    if library::is_method(manifests, (before, written, after)) {
        return Some("a library has it");
    }
    if outside::is_outside(history, before, written, after) {
        return Some("what it is called there is none of the code's names");
    }
    if outside::is_not_there(before, after) {
        return Some("the sentence does not say that it is there");
    }
    (is_owned(history, before)
        || is_imported(history, after)
        || is_of_another(history, before)
        || is_of_another(history, after)
        || others::is_theirs(history, before)
        || others::is_theirs(history, after))
    .then_some("the sentence speaks of another project")
}

fn is_refused(before: &str, after: &str) -> bool {
    let clause = before
        .rsplit([',', ':', '(', '—'])
        .next()
        .unwrap_or_default();
    let clause = clause.to_lowercase();
    let words: Vec<&str> = clause.split_whitespace().collect();
    let last: Vec<&str> = words
        .iter()
        .rev()
        .map(|word| word.trim_matches(['`', '*', '"']))
        .filter(|word| !word.is_empty() && !FILLS.has(word))
        .take(2)
        .collect();
    let [first, second] = [0, 1].map(|n| last.get(n).copied().unwrap_or_default());
    if matches!(
        (second, first),
        ("instead", "of") | ("rather", "than") | (_, "avoid" | "not")
    ) {
        return true;
    }
    let next = after.split_whitespace().next().unwrap_or_default();
    let ends = after.trim_end().is_empty()
        || !after.starts_with(' ')
        || ENDING.has(next.trim_matches(','))
        || next.starts_with(['(', '—', '–', '-']);
    let refused = USING.has(first) && REFUSING.has(second) && ends;
    let unused = [
        "is not used",
        "are not used",
        "isn't used",
        "is banned",
        "is forbidden",
    ];
    refused || unused.iter().any(|words| after.contains(words))
}

/// `Kong's x`: it is of somebody who is no part of this repository.
fn is_owned(history: &History, before: &str) -> bool {
    let owner = before.trim_end();
    let owner = owner
        .strip_suffix("'s")
        .or_else(|| owner.strip_suffix("’s"));
    let owner = owner.and_then(|owner| owner.split_whitespace().next_back());
    let Some(owner) = owner.filter(|owner| owner.starts_with(|c: char| c.is_ascii_uppercase()))
    else {
        return false;
    };
    !history.has_part(owner)
}

/// `x from golang.org/x/time`: it is of a module that is published elsewhere.
fn is_imported(history: &History, after: &str) -> bool {
    let Some(module) = after.trim_start().strip_prefix("from ") else {
        return false;
    };
    let module = module.trim_start_matches(['`', '"', '\'']);
    let end = module.find(['`', '"', '\'', ' ', ',']);
    let module = module
        .get(..end.unwrap_or(module.len()))
        .unwrap_or_default();
    let host = module.split_once('/').map_or("", |(host, _)| host);
    host.trim_matches('.').contains('.')
        && !history.is_published_at(module)
        && !history.has_known(module)
}
