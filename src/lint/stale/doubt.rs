//! Whether another state of this repository, or another one, may be meant after all.

use std::ops::Range;

use crate::lint::pairs::table::Words;

/// Words of what is somebody else's or of another state, wherever they stand.
static OF_OTHERS: Words =
    Words::of("theirs their fork forks upstream branch tag tagged mirror submodule team's");

/// What files are kept in.
static KEPT_IN: Words = Words::of("repository repo codebase checkout monorepo");

/// Words by which it is the one at hand.
static OURS: Words = Words::of("this the our my same whole entire current");

/// Whether a word near a path in its sentence speaks of others or of another release. A finding may
/// be right all the same; that it is written over unseen is not worth the risk.
pub(super) fn is_doubtful(text: &str, path: &Range<usize>) -> bool {
    let before = text.get(..path.start).unwrap_or_default();
    let after = text.get(path.end..).unwrap_or_default();
    let ends = [". ", "\n"];
    let from = ends
        .iter()
        .filter_map(|end| Some(before.rfind(end)? + end.len()));
    let before = before
        .get(from.max().unwrap_or_default()..)
        .unwrap_or_default();
    let to = ends.iter().filter_map(|end| after.find(end)).min();
    let after = after.get(..to.unwrap_or(after.len())).unwrap_or_default();
    let sentence = format!("{before} {after}").to_lowercase().replace('’', "'");
    let bare = |word| str::trim_matches(word, |c: char| !c.is_alphanumeric());
    let words: Vec<&str> = sentence.split_whitespace().map(bare).collect();
    words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let ours = before.is_some_and(|before| OURS.has(before));
        let own = *word == "own" && !ours;
        let release = is_release(word)
            && before.is_some_and(|before| matches!(*before, "on" | "in" | "for" | "the"));
        OF_OTHERS.has(word) || own || release || (KEPT_IN.has(word) && !ours)
    })
}

/// Whether a word is the name of a release or of its branch: `3.0`, `2.x`, `legacy/2.9`.
fn is_release(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    let name = name.strip_prefix('v').unwrap_or(name);
    let mut parts = name.split('.');
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next().is_some_and(number);
    let rest: Vec<&str> = parts.collect();
    first && !rest.is_empty() && rest.iter().all(|part| number(part) || *part == "x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_speaks_of_others_is_not_written_over_unseen() {
        let doubtful = |text: &str| {
            let at = text.find("a/b.c").unwrap();
            is_doubtful(text, &(at..at + 5))
        };
        for text in [
            "The ops team's own checkout has a/b.c in it.",
            "Charts are in a/b.c of the gitops repository.",
            "For the 3.0 line, patch a/b.c first.",
            "Theirs is a/b.c, ours is another.",
            "On `legacy/2.9` a/b.c still builds.",
            "The platform team has its own a/b.c there.",
            "In the mobile codebase the table is in a/b.c.",
        ] {
            assert!(doubtful(text), "{text}");
        }
        for text in [
            "Read a/b.c first. The fork is elsewhere.",
            "In this repo the table is in a/b.c.",
            "The repository keeps it in a/b.c.",
            "It takes 2.5 s to read a/b.c.",
            "Our own checks are in a/b.c.",
            "Add a row to a/b.c before the release.",
        ] {
            assert!(!doubtful(text), "{text}");
        }
    }
}
