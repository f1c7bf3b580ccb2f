//! What a line or a label says of what is listed behind it.

use super::clause::{sentence, undated, words};
use super::tokens::{Token, tokens};
use super::words::{CHANGED, DIVIDED, DIVIDES, GONE, IS, KEPT, LABEL, OCCASION, PASSIVE, WHICH};
use crate::lint::pairs::table::Words;

/// Whether a line above a list says that what it lists is over: `Changelog:`, `Files removed:`.
pub(super) fn is_past_lead(line: &str) -> bool {
    let line = line.trim().trim_end_matches(['*', '_']);
    let Some(lead) = line.strip_suffix(':') else {
        return false;
    };
    let lead = lead.to_lowercase();
    let all = tokens(&lead);
    let all = undated(sentence(&all));
    let has = |set: &Words| words(all).any(|word| set.has(word));
    is_label(all) || (is_done(all) && !has(&PASSIVE) && !has(&IS))
}

/// Whether something was done by these words, and it is not how they say that something is:
/// `Login wired together from two files`.
fn is_done(lead: &[Token<'_>]) -> bool {
    let all: Vec<_> = words(lead).collect();
    let done = |(at, word): (usize, &&str)| {
        let behind = all.get(at + 1);
        let state = at > 0 && DIVIDED.has(word) && behind.is_some_and(|next| DIVIDES.has(next));
        CHANGED.has(word) && !state
    };
    all.iter().enumerate().any(done)
}

/// Whether a heading says that it lists what was changed: `Files changed`, `Modified files`.
pub(super) fn is_of_changes(heading: &str) -> bool {
    let all = tokens(heading);
    let done = |word: &str| CHANGED.has(word) && !DIVIDED.has(word);
    words(&all).count() == 2
        && words(&all).any(done)
        && words(&all).any(|word| matches!(word, "files" | "modules" | "paths" | "folders"))
}

/// Whether a label says that what follows is over: a word, and what it is said of.
pub(super) fn is_label(label: &[Token<'_>]) -> bool {
    let day = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.matches('-').count() == 2
    };
    let dated = words(label).any(day);
    let label = undated(label);
    if dated && label.is_empty() {
        return true;
    }
    let all: Vec<&str> = words(label).collect();
    let digits = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let when = all.iter().position(|word| matches!(*word, "in" | "during"));
    let when = when.filter(|at| {
        let mut occasion = all.iter().skip(at + 1).peekable();
        occasion.peek().is_some()
            && occasion.all(|word| WHICH.has(word) || OCCASION.has(word) || digits(word))
    });
    let end = when.unwrap_or(all.len());
    let what = all.iter().take(end);
    let named = what.clone().take_while(|word| WHICH.has(word)).count();
    let mut rest = what.skip(named);
    let Some(first) = rest.next() else {
        return false;
    };
    let short = label.len() + end <= 4 + all.len();
    let over = match (*first, named) {
        ("session", 0) => {
            // The name alone is that of a thing of the code.
            return end > 1 && rest.all(|word| KEPT.has(word) || digits(word));
        }
        (first, 0) => CHANGED.has(first) || GONE.has(first) || LABEL.has(first),
        // `Files changed`, and not how or by whom.
        (first, _) => CHANGED.has(first) && rest.len() == 0,
    };
    over && short && rest.all(|word| WHICH.has(word) || digits(word) || *word == "log")
}
