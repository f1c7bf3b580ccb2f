//! Paths from the root of a disk, or from somebody's home, in which a folder is this repository.

use std::borrow::Cow;

use super::extract::{How, Named, has_ending};
use super::places::is_common;
use crate::lint::pairs::table::Words;
use crate::lint::repository::History;

/// The part of a path that is in this repository, or was; nothing where that is not sure.
///
/// Another project may have a file of the same name in the same place: a path of two parts has to
/// be a telling one.
pub(super) fn within<'a>(history: &History, named: Named<'a>) -> Option<Named<'a>> {
    let home = home(&named.path);
    let mut at = home;
    loop {
        let rest = named.path.get(at..)?;
        let (folder, inside) = rest.split_once('/')?;
        // What is hidden in a home is the settings of a program.
        if folder.starts_with('.') || !inside.contains('/') {
            return None;
        }
        at += folder.len() + 1;
        if history.has_known(inside) {
            let telling = inside.matches('/').count() >= 2 || !is_common(inside);
            return telling.then(|| part(&named, at));
        }
    }
}

/// Whether the sentence around a path says that another repository is meant: `in the repository
/// acme/other the file x`, `x, in another repository`.
pub(super) fn is_abroad(history: &History, (before, after): (&str, &str)) -> bool {
    let sentence = after.split('\n').next().unwrap_or_default();
    let sentence = sentence.split(". ").next().unwrap_or_default();
    // Behind it may stand where else it is sent: only what it is in tells where it is.
    let inside = sentence.split_whitespace().skip_while(|word| *word != "in");
    let inside = inside.take(4).any(|word| is_kind(bare(word)));
    is_of_another(history, before) || (inside && is_of_another(history, sentence))
}

/// Whether a sentence, as far as it goes on this line, names another repository.
pub(in crate::lint) fn is_of_another(history: &History, before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let sentence = line.rsplit(". ").next().unwrap_or_default();
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.windows(2).any(|two| {
        let [one, next] = [0, 1].map(|n| two.get(n).map_or("", |word| bare(word)));
        let kind = one.to_lowercase();
        let kind = kind.trim_end_matches("'s").trim_end_matches("’s");
        let digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
        // Of whom it is; what it is called; and a state of this one that is kept beside it.
        let other = OTHERS.contains(&kind) || FOREIGN.has(kind) || kind == "their";
        let named = next.matches('/').count() == 1 && !has_ending(next);
        let known = |name: &str| history.is_called(name) || history.has_known(name);
        (other && (is_kind(next) || PROJECTS.contains(&&*next.to_lowercase())))
            || (is_kind(kind) && named && !known(next))
            || (is_kind(next) && is_name(one) && !known(one))
            || (matches!(kind, "branch" | "tag") && digit(next))
            || (digit(one) && matches!(next, "branch" | "tag"))
    })
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_kind(word: &str) -> bool {
    REPOSITORIES.contains(&&*word.to_lowercase())
}

/// Whether a word in front of `repository` is its name, and not what kind of repository it is.
fn is_name(word: &str) -> bool {
    let joined = word.len() > 4 && word.contains(['-', '_']);
    (joined && !word.starts_with("mono")) || PLATFORMS.contains(&&*word.to_lowercase())
}

/// Words in front of the name of a repository.
const REPOSITORIES: &[&str] = &["repository", "repo", "fork", "branch"];

/// What others have beside repositories.
const PROJECTS: &[&str] = &["project", "codebase", "sdk"];

/// What a repository of its own is often for.
const PLATFORMS: &[&str] = &["mobile", "ios", "android", "template"];

/// Words in front of those by which it is not this one.
const OTHERS: &[&str] = &[
    "other",
    "another",
    "different",
    "separate",
    "legacy",
    "edge",
];

/// Words in front of what is never a part of the project.
pub(in crate::lint) static FOREIGN: Words = Words::of(
    "partner vendor supplier customer reseller third-party 3rd-party upstream downstream external \
contractor agency sister",
);

/// Where in a path the folders begin that people make themselves.
fn home(path: &str) -> usize {
    let user = ["home/", "Users/"].iter().find_map(|home| {
        let rest = path.strip_prefix(home)?;
        Some(home.len() + rest.find('/')? + 1)
    });
    user.unwrap_or_default()
}

fn part<'a>(named: &Named<'a>, at: usize) -> Named<'a> {
    let path = named.path.get(at..).unwrap_or_default().to_owned();
    // In JSON a sign of Windows is written twice.
    let twice = named.bytes.len() > named.path.len();
    let signs = named
        .path
        .get(..at)
        .unwrap_or_default()
        .matches('/')
        .count();
    let start = named.bytes.start + at + if twice { signs } else { 0 };
    Named {
        path: Cow::Owned(path),
        bytes: start..named.bytes.end,
        how: How::Whole,
    }
}
