//! Apps, packages and people that are no part of this repository, and what they have.

use crate::lint::pairs::table::Words;
use crate::lint::repository::History;
use crate::lint::stale::FOREIGN;

/// What others have that code is in.
static THINGS: Words = Words::of(
    "app apps application sdk sdks api library package packages plugin plugins client clients system \
backend frontend portal website service services code codebase bridge module",
);

/// What an app is for that has a repository of its own, as a part of its name.
static PLATFORMS: Words = Words::of("ios android mobile");

/// Whether a part of a sentence names something of others: `the partner's app`, `Stripe's SDK`, and,
/// in the repository `tide`, `in tide-ios`.
pub(super) fn is_theirs(history: &History, part: &str) -> bool {
    let words: Vec<&str> = part
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .collect();
    words.windows(2).any(|two| {
        let [one, next] = [0, 1].map(|n| two.get(n).copied().unwrap_or_default());
        let owner = one.strip_suffix("'s").or_else(|| one.strip_suffix("’s"));
        let kind = owner.unwrap_or(one).to_lowercase();
        let thing = THINGS.has(&next.to_lowercase());
        let named = |owner: &str| {
            owner.starts_with(|c: char| c.is_ascii_uppercase()) && !is_part(history, owner)
        };
        (thing && (FOREIGN.has(&kind) || owner.is_some_and(named) || is_sister(history, one)))
            || (matches!(&*kind, "in" | "of" | "from") && is_sister(history, next))
            || (matches!(&*kind, "our" | "the" | "a")
                && FOREIGN.has(&next.to_lowercase())
                && part.contains(" of "))
    })
}

/// Whether a name is that of another repository beside this one: its own name or what the app is
/// for, joined with something, and not a part of it.
fn is_sister(history: &History, name: &str) -> bool {
    let own = |part: &str| part.eq_ignore_ascii_case(history.name());
    let telling = |part: &str| PLATFORMS.has(&part.to_lowercase()) || own(part);
    let mut parts = name.split(['-', '_']);
    let joined = name.contains(['-', '_'])
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "-_".contains(c));
    joined && parts.any(telling) && !own(name) && !has(history, name)
}

fn has(history: &History, name: &str) -> bool {
    let part = |path: &str| {
        path.split(['/', '.'])
            .any(|part| part.eq_ignore_ascii_case(name))
    };
    history.files().any(part)
}

/// Whether somebody's name is that of a part of this repository.
pub(super) fn is_part(history: &History, owner: &str) -> bool {
    let part = |path: &str| {
        let mut parts = path.split(['/', '.', '-', '_']);
        parts.any(|part| part.eq_ignore_ascii_case(owner))
    };
    history.files().any(part) || history.name().eq_ignore_ascii_case(owner)
}
