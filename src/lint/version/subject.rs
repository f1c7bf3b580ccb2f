//! What stands around a version as its subject: a manifest, an image, what a file has the form of, or
//! what is no part of the project.

use super::claim::{FILLS, WE, words};
use super::manifest::FILES;
use crate::lint::pairs::table::Words;

/// Whether a manifest is said to have it: `go.mod says x 1.2`.
pub(super) fn is_of_manifest(before: &str) -> bool {
    static LEADS: Words = Words::of("the our in by per according to as root");
    let tokens = before.split_whitespace();
    let tokens: Vec<&str> = tokens
        .map(|word| word.trim_matches(['`', '*', '"', '-', ',', ':', '(']))
        .filter(|word| !word.is_empty())
        .collect();
    let manifest = |word: &&str| {
        let name = word.rsplit('/').next().unwrap_or_default();
        FILES.iter().any(|file| file.eq_ignore_ascii_case(name))
    };
    let field = || {
        tokens
            .iter()
            .position(|word| matches!(*word, "engines" | "engine"))
    };
    let Some(at) = tokens.iter().position(manifest).or_else(field) else {
        return false;
    };
    let (lead, rest) = tokens.split_at(at);
    let verb = rest
        .iter()
        .skip(1)
        .take(3)
        .any(|word| word.ends_with('s') || *word == "it");
    rest.len() <= 4 && verb && lead.iter().all(|word| LEADS.has(word))
}

/// `` `x:1.2-slim` is the base of the worker's image``.
pub(super) fn is_base(after: &str) -> bool {
    let mut all = words(after).skip_while(|word| !matches!(*word, "is" | "are"));
    all.next().is_some()
        && all
            .take(3)
            .any(|word| matches!(word, "base" | "image" | "builder"))
}

/// What a thing of the project has the form of: `x 1.2 config is .xrc`, `x 1.2 style queries: …`.
pub(super) fn is_form(before: &str, after: &str) -> bool {
    static FORMS: Words = Words::of(
        "style config configuration conventions convention rules syntax idioms format setup layout",
    );
    let form = words(after).next().is_some_and(|word| FORMS.has(word));
    let here = || words(after).any(|word| word == "here" || WE.has(word));
    let first = words(before).all(|word| FILLS.has(word));
    let shown = || {
        [" is `", " are `", ": `"]
            .iter()
            .any(|sign| after.contains(sign))
    };
    first && form && (here() || shown())
}

/// Whether it is on something that stands somewhere, with what it was delivered with.
pub(super) fn is_of_a_device(before: &str, after: &str) -> bool {
    static DEVICES: Words = Words::of(
        "embedded terminal terminals printer printers scanner scanners laptop laptops desktop tablet tablets phone phones \
kiosk kiosks desk till tills plc plcs appliance appliances camera cameras machine machines box boxes \
handheld handhelds firmware bootloader watch watches tv tvs",
    );
    let clause = before.rsplit([',', ':', '(']).next().unwrap_or_default();
    let own = words(before).any(|word| WE.has(word));
    !own && words(clause).any(|word| DEVICES.has(word))
        || words(after).next() == Some("firmware")
        || ["on it", "on board", "preinstalled"]
            .iter()
            .any(|said| after.trim_end_matches(['.', '\n']).ends_with(said))
}

/// Whether a line says that what it speaks of is not in this repository, or has what it needs for
/// itself: `in another repository`, `in its own container`.
pub(super) fn is_elsewhere(line: &str) -> bool {
    static OTHER: Words = Words::of("another other different separate own their");
    static PLACE: Words = Words::of(
        "repo repos repository repositories project team codebase org company container image venv \
environment",
    );
    let line = line.to_lowercase();
    let all: Vec<&str> = words(&line).collect();
    line.contains("not in this repo")
        || line.contains("outside this repo")
        || line.contains("in the field")
        || all
            .windows(2)
            .any(|two| matches!(two, [other, place] if OTHER.has(other) && PLACE.has(place)))
        || all
            .windows(4)
            .any(|four| matches!(four, [place, "of", _, "own"] if PLACE.has(place)))
}

/// Those of whom a clause says that they have something, but for the project itself and its parts.
pub(super) fn owners(before: &str) -> impl Iterator<Item = &str> {
    static OURS: Words = Words::of(
        "project repo repository app product team company site service services application server \
it he she that there here what who let one today backend frontend api client module package",
    );
    let clause = before
        .rsplit(['.', ';', ',', ':', '('])
        .next()
        .unwrap_or_default();
    let owner = |word: &str| {
        let ends = ["'s", "’s", "'", "’"];
        let owner = ends.iter().find_map(|end| word.strip_suffix(end))?;
        let start = word.len() - word.trim_start_matches(['`', '*', '"', '(']).len();
        Some(start..owner.len()).filter(|own| own.start < own.end)
    };
    let words = clause.split_whitespace();
    let all = words.filter_map(move |word| word.get(owner(word)?));
    all.filter(|owner| !OURS.has(&owner.to_lowercase()))
}
