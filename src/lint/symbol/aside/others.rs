//! Apps, packages and people that are no part of this repository, and what they have.

use crate::lint::pairs::table::Words;
use crate::lint::repository::History;
use crate::lint::stale::{FOREIGN, PLATFORMS, is_sister};

/// What others have that code is in.
static THINGS: Words = Words::of(
    "app apps application sdk sdks api library package packages plugin plugins client clients system \
backend frontend portal website service services code codebase bridge module project",
);

/// Whether a part of a sentence names something of others: `the partner's app`, `Stripe's SDK`, and,
/// in the repository `tide`, `in tide-ios`.
pub(super) fn is_theirs(history: &History, part: &str) -> bool {
    let words: Vec<&str> = part
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .collect();
    let of = part.contains(" of ");
    if ["not ours", "n't ours", "none of ours"]
        .iter()
        .any(|said| part.contains(said))
    {
        return true;
    }
    words.iter().enumerate().any(|(at, one)| {
        let behind = |n: usize| words.get(at + n).copied().unwrap_or_default();
        let next = behind(1);
        let owner = one.strip_suffix("'s").or_else(|| one.strip_suffix("’s"));
        let kind = owner.unwrap_or(one).to_lowercase();
        let thing = |n: usize| THINGS.has(&behind(n).to_lowercase());
        // `the composer's demo project`, but not what a part of this one has.
        let owned = |owner: &str| owner.len() > 3 && !OURS.has(&kind) && !history.has_part(owner);
        let theirs = || owner.is_some_and(owned) && (thing(1) || thing(2));
        let platform = || PLATFORMS.has(&kind) && !history.has_part(one);
        (thing(1) && (FOREIGN.has(&kind) || is_sister(history, one) || platform()))
            || theirs()
            || (LINKS.has(&kind) && is_sister(history, next))
            || (of && ARTICLES.has(&kind) && FOREIGN.has(&next.to_lowercase()))
    })
}

/// Words in front of the name of a repository.
static LINKS: Words = Words::of("in of from repo repository");

static ARTICLES: Words = Words::of("our the a");

/// Who has what is a part of this repository: `the team's client`.
static OURS: Words = Words::of(
    "project team company caller module class file page user component worker server here that there what",
);
