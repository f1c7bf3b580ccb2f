//! Sentences that go on in the next line. What a line says of a path may stand in the one above or
//! below it; of lines that are statements of their own each speaks for itself.

use std::ops::Range;

use super::is_item;
use super::tokens::{Token, tokens};
use super::words::{AT, CHANGED, IS, JOINS, PASSIVE, WAS, WHICH, WHO};

/// Letters of a line that was broken because it was full.
const FULL: usize = 60;
/// The same of a line of which something else says that it may go on.
const HALF: usize = 40;

/// The lines around a path that are one text with its own, in a part of a paragraph. `cut` says
/// that the part is not the end of it.
pub(super) fn around(part: &str, path: &Range<usize>, cut: bool) -> Range<usize> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in part.split_inclusive('\n') {
        lines.push(at..at + line.len());
        at += line.len();
    }
    let own = lines
        .iter()
        .position(|line| path.start < line.end)
        .unwrap_or_default();
    let text = |n: usize| {
        let line = part.get(lines.get(n)?.clone())?;
        Some(
            line.trim_start_matches(|c: char| c == '>' || c.is_whitespace())
                .trim_end(),
        )
    };
    // Whether sentences end here with a sign, by the last line before something else begins.
    let mut last = own;
    while text(last + 1).is_some_and(|line| !is_special(line)) {
        last += 1;
    }
    let signed = text(last).is_some_and(is_ended) || (cut && last + 1 == lines.len());
    let joined = |n: usize| match (text(n), text(n + 1)) {
        (Some(line), Some(next)) => goes_on(line, next, signed),
        _ => false,
    };
    let mut from = own;
    while let Some(above) = from.checked_sub(1).filter(|above| joined(*above)) {
        from = above;
    }
    let mut to = own;
    while joined(to) {
        to += 1;
    }
    let start = lines.get(from).map_or(0, |line| line.start);
    let end = lines.get(to).map_or(part.len(), |line| line.end);
    let end = part
        .get(..end)
        .map_or(end, |text| text.trim_end_matches(['\n', '\r']).len());
    start..end.max(path.end)
}

/// Whether a line begins something of its own: an item, a heading, a row, a label, code.
fn is_special(line: &str) -> bool {
    line.is_empty()
        || is_item(line)
        || line.starts_with(['#', '|', '$', '~'])
        || line.starts_with("```")
        || line.starts_with("<!--")
        || is_labelled(line)
}

/// `Store: x`, `test command: x`, and no `a sentence with x: as it is`.
fn is_labelled(line: &str) -> bool {
    let label = line.split_once(": ").map(|(label, _)| label);
    let label = label.or_else(|| line.strip_suffix(':'));
    label.is_some_and(|label| label.split_whitespace().count() <= 2)
}

fn is_ended(line: &str) -> bool {
    let line = line.trim_end_matches(['*', '_', '`', ')', '"', '\'']);
    line.ends_with(['.', '!', '?', ';', ':', '|'])
}

/// Whether a line goes on in the next one.
fn goes_on(line: &str, next: &str, signed: bool) -> bool {
    // `The bug was in` goes on, whatever stands behind the path.
    let label = is_labelled(next) && line.rsplit(' ').next().is_some_and(|word| AT.has(word));
    if (is_special(next) && !label) || line.is_empty() || line.starts_with(['#', '|', '$']) {
        return false;
    }
    let letters = line.chars().count();
    if is_ended(line) {
        return signed && letters >= FULL && !line.ends_with([':', '|']);
    }
    if is_open(line) {
        return true;
    }
    let first = next.chars().next().unwrap_or_default();
    match signed {
        true => !first.is_uppercase() || letters >= HALF,
        false => {
            first.is_lowercase() && !next.split(' ').next().is_some_and(is_name) && letters >= FULL
        }
    }
}

/// Whether the last word of a line leaves its sentence open: `we removed`, `must be`, `in the`.
fn is_open(line: &str) -> bool {
    let lower = line.to_lowercase();
    let all = tokens(&lower);
    let sets = [&AT, &CHANGED, &IS, &JOINS, &PASSIVE, &WAS, &WHICH, &WHO];
    let word = |word: &str| {
        sets.iter().any(|set| set.has(word)) || matches!(word, "not" | "be" | "been" | "never")
    };
    matches!(all.last(), Some(Token::Word(last)) if word(last))
        || all.last() == Some(&Token::Sign(','))
}

/// Whether a word is the name of a file or of the code.
fn is_name(word: &str) -> bool {
    matches!(tokens(word).first(), Some(Token::Name))
}
