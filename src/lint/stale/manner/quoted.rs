//! Paths that a text quotes or has sought: with another path in its place it says another thing.

use std::ops::Range;

use crate::lint::pairs::table::Words;

/// Whether a path at these bytes of a line is what a search is for, what other texts call
/// something, or a part of a name in quotes.
pub(super) fn is_quoted(line: &str, path: &Range<usize>) -> bool {
    let before = line.get(..path.start).unwrap_or_default();
    let after = line.get(path.end..).unwrap_or_default();
    is_sought(before) || is_to_be_replaced(before) || is_in_title(before, after)
}

/// `git grep x`: the first that is no option is what is sought.
fn is_sought(before: &str) -> bool {
    let span = before
        .rsplit(['`', '\n', '|', ';', '$'])
        .next()
        .unwrap_or_default();
    let mut words = span
        .split_whitespace()
        .map(|word| word.trim_matches(['"', '\'', '(']));
    let search = match words.next() {
        Some("git") => words.next() == Some("grep"),
        Some(first) => SEARCHES.has(first),
        None => false,
    };
    search && words.all(|word| word.is_empty() || word.starts_with('-'))
}

/// `update links to x`, `replace all mentions of x`.
fn is_to_be_replaced(before: &str) -> bool {
    let sentence = before
        .rsplit(['\n', '.', ';', ':'])
        .next()
        .unwrap_or_default();
    let sentence = sentence.to_lowercase();
    let words = sentence
        .split_whitespace()
        .map(|word| word.trim_matches(['`', '*', '"', ',', '(']));
    let words: Vec<&str> = words
        .filter(|word| !word.is_empty() && !PASSED.has(word))
        .collect();
    let [rest @ .., noun, "to" | "of" | "from"] = words.as_slice() else {
        return false;
    };
    let made = rest.iter().rev().take(3).any(|word| REPLACES.has(word));
    made && MENTIONS.has(noun)
}

/// `The page "x explained"`: more stands in the quotes, and before them what is called so.
fn is_in_title(before: &str, after: &str) -> bool {
    QUOTES.iter().any(|(open, close)| {
        let (Some(at), Some(end)) = (before.rfind(*open), after.find(*close)) else {
            return false;
        };
        let (head, inside) = before.split_at(at);
        let inside = inside.get(open.len_utf8()..).unwrap_or_default();
        let rest = after.get(..end).unwrap_or_default();
        let opens = open != close || head.matches(*open).count() % 2 == 0;
        let more = [inside, rest]
            .iter()
            .any(|part| part.contains(char::is_alphabetic));
        let called = head.split_whitespace().rev().take(2);
        let called = called.map(|word| word.trim_matches([',', ':', '(']).to_lowercase());
        let line = !rest.contains('\n') && !inside.contains('\n');
        opens && more && line && called.into_iter().any(|word| TITLED.has(&word))
    })
}

/// Commands that look for a text.
static SEARCHES: Words = Words::of("grep rg ag ack egrep fgrep");

/// What is done with what names a path.
static REPLACES: Words =
    Words::of("update fix replace rewrite change correct adjust remove drop redirect retarget");

/// What names a path.
static MENTIONS: Words = Words::of(
    "links link references reference mentions mention occurrences occurrence pointers bookmarks",
);

static PASSED: Words = Words::of("the any all old stale remaining every");

/// What is called by a title.
static TITLED: Words = Words::of(
    "page article ticket issue chapter section post thread titled called named headed title heading \
document talk discussion message wiki entry question",
);

/// Signs around what is quoted.
const QUOTES: &[(char, char)] = &[('"', '"'), ('“', '”'), ('«', '»'), ('„', '“')];
