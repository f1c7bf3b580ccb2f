//! What stands around a version and says that another one is meant to be used, or was.

use std::ops::Range;

use super::manifest::Required;
use super::mention::{Mention, following, is_more};
use super::range::Version;
use crate::lint::pairs::table::{STOP, Words};

/// The sentence of a line in which these bytes stand.
pub(super) fn sentence<'t>(line: &'t str, bytes: &Range<usize>) -> &'t str {
    let before = line.get(..bytes.start).unwrap_or_default();
    let after = line.get(bytes.end..).unwrap_or_default();
    let start = before
        .rfind(". ")
        .max(before.rfind("; "))
        .map_or(0, |at| at + 2);
    let end = [after.find(". "), after.find("; ")]
        .into_iter()
        .flatten()
        .min();
    let end = end.map_or(line.len(), |at| bytes.end + at);
    line.get(start..end).unwrap_or(line)
}

/// The part of a sentence that says what is used, without why it stays so: `we stay on x 1.2
/// until y is fixed`.
pub(super) fn without_reason<'t>(line: &'t str, sentence: &'t str, end: usize) -> &'t str {
    const REASONS: [&str; 20] = [
        " - ",
        " – ",
        " — ",
        " (",
        ", do not ",
        ", don't ",
        " until ",
        " till ",
        " before ",
        " because ",
        " since ",
        " as long as ",
        " and can",
        " and must ",
        " and do not ",
        " and don't ",
        " and won't ",
        " and not ",
        ", not ",
        ", as ",
    ];
    let start = sentence.as_ptr() as usize - line.as_ptr() as usize;
    let after = sentence.get(end - start..).unwrap_or_default();
    let reasons = REASONS.iter().filter_map(|reason| after.find(reason));
    let cut = reasons.chain(refusal(after)).min();
    cut.and_then(|cut| sentence.get(..end - start + cut))
        .unwrap_or(sentence)
}

/// Where a clause begins that says of something that it cannot be: `, x 2 is not installed`.
fn refusal(after: &str) -> Option<usize> {
    static ONWARD: Words = Words::of("and but or while whereas");
    static REFUSES: Words = Words::of(
        "no not none never cannot can't don't doesn't isn't aren't won't lacks lack missing breaks drops fails",
    );
    let at = after
        .find([',', ':'])
        .filter(|at| after.get(at + 1..at + 2) == Some(" "))?;
    let clause = after.get(at + 2..)?;
    let mut words = clause.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    let first = words.clone().next().unwrap_or_default();
    (!ONWARD.has(first) && words.any(|word| REFUSES.has(word))).then_some(at)
}

/// Words in front of a number that is a version of what was named before: `since 2.0 it is gone`.
static LEADS: Words = Words::of(
    "since in on run runs running use uses with from to until till before after by only and or while \
but is are at now already version need needs want wants than below above not",
);

/// Whether the line of a mention also has a number that its manifest lets in, without the name:
/// `x 1 cached it, 2 does not`. One in the reason for it is what it is kept from.
pub(super) fn is_contrasted(
    line: &str,
    all: &[Mention<'_>],
    mention: &Mention<'_>,
    (wanted, reason): (&[&(String, Required)], &Range<usize>),
) -> bool {
    let mut at = numbered(line);
    while let Some(next) = line.get(at..).and_then(|rest| rest.find(digit)) {
        let start = at + next;
        let rest = line.get(start..).unwrap_or_default();
        let length = rest.find(|c| !(digit(c) || c == '.'));
        let numbers = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        at = start + numbers.len();
        let numbers = numbers.trim_end_matches('.');
        let behind = rest.get(numbers.len()..).unwrap_or_default();
        let of_a_name = all
            .iter()
            .any(|one| one.bytes.start <= start && start < one.bytes.end);
        let other = Version::parse(numbers).filter(|other| *other != mention.version);
        if let Some(other) = other
            && !of_a_name
            && !reason.contains(&start)
            && !is_more(behind)
            && is_no_count(&other, &following(behind))
            && leads(line.get(..start).unwrap_or_default())
            && wanted
                .iter()
                .any(|(_, one)| one.range.meets(&other.family()))
        {
            return true;
        }
    }
    false
}

/// Whether a reason is one against what is required: it names that version, or newer ones.
pub(super) fn is_against(reason: &str, wanted: &[&(String, Required)]) -> bool {
    static NEWER: Words = Words::of("upgrade upgrading update updating bump newer later latest");
    let lets_in = |number: &str| {
        let other = Version::parse(number.trim_matches('.'));
        other.is_some_and(|other| {
            wanted
                .iter()
                .any(|(_, one)| one.range.meets(&other.family()))
        })
    };
    reason.split(|c| !(digit(c) || c == '.')).any(lets_in)
        || reason
            .split(|c: char| !c.is_alphabetic())
            .any(|word| NEWER.has(word))
}

/// How long the number of an item is with which a line begins: `1. `.
fn numbered(line: &str) -> usize {
    let blanks = line.len() - line.trim_start().len();
    let rest = line.trim_start().trim_start_matches(digit);
    if rest.starts_with(". ") || rest.starts_with(") ") {
        return line.len() - rest.len();
    }
    blanks
}

/// Whether nothing is counted: what follows one number alone is no noun.
fn is_no_count(other: &Version, following: &str) -> bool {
    let grammar = STOP.split(' ').any(|word| word == following);
    let said = following.is_empty() || grammar || LEADS.has(following);
    other.0.len() > 1 || (said && following != "of")
}

const fn digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Whether what stands in front of a number leaves it to what was named before.
fn leads(before: &str) -> bool {
    let before = before.strip_suffix(['v', '^', '=']).unwrap_or(before);
    let plain = before.trim_end_matches(['`', '*', '"']);
    if plain.is_empty() || plain.ends_with([',', ';', '(', '—', '–', '→']) {
        return true;
    }
    let Some(spaced) = plain.strip_suffix(' ') else {
        return false;
    };
    let word = spaced.rsplit(' ').next().unwrap_or_default();
    let ends = spaced.ends_with([',', ';', '.', ':', '(', '—', '–', '→', '>', '=']);
    ends || LEADS.has(word.to_lowercase().as_str())
}
