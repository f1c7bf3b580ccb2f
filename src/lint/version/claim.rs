//! What a sentence says of a version that it names: that it is what is used, something about it, or
//! that it is not meant here.

use super::mention::Mention;
use super::names::{RUNTIMES, meant};
use crate::lint::pairs::table::Words;

/// What a sentence says of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// That it is what is used, and nothing that another version could make wrong.
    Used,
    /// Something about it.
    Named,
    /// That it is not to be used, or what holds for others, or where it is.
    Aside,
}

/// Words before a name by which it is not what is used.
static REFUSED: Words = Words::of(
    "not no never don't doesn't isn't aren't without neither nor cannot can't won't shouldn't",
);

/// Words by which a clause only supposes something.
static SUPPOSED: Words = Words::of("if when whenever unless should once");

/// Others who have versions of their own; one of them may be a part of the project: `the client`.
static OTHERS: Words = Words::of(
    "customers users clients visitors people anyone someone those tenants partners consumers readers",
);

/// Parts of a project that may be called after them: `the users service`.
static PARTS: Words = Words::of(
    "service services app apps api apis frontend backend portal page pages module package worker \
workers job jobs server servers site",
);

/// Orders that stand behind what is supposed: `when in doubt use x`.
static ORDERS: Words = Words::of("use keep take pin install prefer");

/// Who does something, rather than being told to.
static SUBJECTS: Words = Words::of("we you i they to");

/// Words between two things of which one is as the other is elsewhere: `the same as in x`.
const ALIKE: &[&str] = &["same as", "as in", "like in", "as with", "known from"];

/// Words before a name by which it is what is used.
const USED: &[&str] = &[
    "use", "uses", "using", "run", "runs", "running", "on", "to", "with", "by", "have", "has",
];

/// Words that end a clause.
static ENDS: Words = Words::of("because so since as but while although though which that where");

/// Words by which a sentence says why it is this version, or what becomes of it.
static WHY: Words = Words::of(
    "because since due until till workaround bug bugs panics panic crash crashes leaks leak fails \
fail failing breaks broken cve pinned pin stuck must cannot can't only before after problem issue \
issues regression vulnerable drops lacks needs requires so",
);

/// What is called after the version of a language that it came with, and stays in later ones:
/// `the Java 8 time API`.
static CAME_WITH: Words = Words::of("api apis syntax feature features stream streams idioms");

/// What a sentence of this line says of a version in it.
pub(super) fn claim(line: &str, mention: &Mention<'_>) -> Claim {
    let start = mention.name.as_ptr() as usize - line.as_ptr() as usize;
    let before = line.get(..start).unwrap_or_default();
    let from = [". ", "; ", "! ", "? "]
        .iter()
        .filter_map(|end| Some(before.rfind(end)? + end.len()))
        .max();
    let before = before.get(from.unwrap_or_default()..).unwrap_or_default();
    let before = before.to_lowercase().replace('’', "'");
    let after = line.get(mention.bytes.end..).unwrap_or_default();
    let to = [". ", "; ", "! ", "? "]
        .iter()
        .filter_map(|end| after.find(end))
        .min();
    let after = after.get(..to.unwrap_or(after.len())).unwrap_or_default();
    let after = after.to_lowercase();
    let between = line.get(start + mention.name.len()..mention.bytes.start);
    let language = RUNTIMES.contains(&meant(mention.name).as_str());
    let came_with = || words(&after).take(2).any(|word| CAME_WITH.has(word));
    if is_aside(&before) || (language && came_with()) {
        return Claim::Aside;
    }
    let why = words(&before)
        .chain(words(&after))
        .any(|word| WHY.has(word));
    let plain = is_used(&before, &after) || is_at(between.unwrap_or_default(), &after);
    if plain && !why {
        Claim::Used
    } else {
        Claim::Named
    }
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let part = |c: char| c.is_alphanumeric() || c == '\'';
    let all = text.split(move |c: char| !part(c));
    all.filter(|word| !word.is_empty())
}

/// Whether the clause in front of a name refuses it, supposes it or speaks of others.
fn is_aside(before: &str) -> bool {
    let clause = before.rsplit([',', ':', '(']).next().unwrap_or_default();
    let mut all: Vec<&str> = words(clause).collect();
    let goes_on = |at: usize| all.iter().skip(at + 1).any(|word| USED.contains(word));
    let ends = |(at, word): (usize, &&str)| {
        ENDS.has(word) || (matches!(*word, "and" | "then") && goes_on(at))
    };
    let end = all.iter().enumerate().rev().find(|one| ends(*one));
    if let Some((end, _)) = end {
        all.drain(..=end);
    }
    let next = |at: usize| all.get(at + 1).copied().unwrap_or_default();
    let of_others = |(at, word): (usize, &&str)| OTHERS.has(word) && !PARTS.has(next(at));
    all.iter().any(|word| REFUSED.has(word))
        || all.iter().enumerate().any(of_others)
        || is_supposed(&all)
        || ALIKE.iter().any(|alike| clause.trim_end().ends_with(alike))
}

/// Whether a clause supposes something, and does not only say when an order behind holds.
fn is_supposed(clause: &[&str]) -> bool {
    let Some((first, rest)) = clause.split_first() else {
        return false;
    };
    let next = rest.first().copied().unwrap_or_default();
    let often = *first == "once" && matches!(next, "a" | "an" | "per" | "every" | "each");
    let should = *first == "should" && USED.contains(&next);
    // `services keep x` is no order, nor is `you keep x`.
    let ordered = clause.windows(2).any(|two| match two {
        [before, order] => ORDERS.has(order) && !SUBJECTS.has(before) && !before.ends_with('s'),
        _ => false,
    });
    SUPPOSED.has(first) && !often && !should && !ordered
}

/// `we use x 1.2`, `x 1.2 is in use`.
fn is_used(before: &str, after: &str) -> bool {
    let last = words(before).rfind(|word| !matches!(*word, "the" | "now" | "still" | "currently"));
    let mut behind = words(after);
    let verb = (behind.next(), behind.next(), behind.next());
    last.is_some_and(|word| USED.contains(&word))
        || matches!(
            verb,
            (Some("is" | "are"), Some("used" | "installed"), _)
                | (Some("is" | "are"), Some("in"), Some("use"))
        )
}

/// `x is at 1.2`, `| x | 1.2 |`, `x: 1.2`.
fn is_at(between: &str, after: &str) -> bool {
    let said = words(between).any(|word| matches!(word, "is" | "at" | "on"));
    let cell = between.contains(['|', ':', '=']) && words(between).next().is_none();
    let ends = after.trim_start_matches(['`', '"', '*', ' ']);
    said || (cell && (ends.trim_end().is_empty() || ends.starts_with(['|', ','])))
}
