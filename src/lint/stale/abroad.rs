//! Paths from the root of a disk, or from somebody's home, in which a folder is this repository.

use std::borrow::Cow;

use super::extract::{How, Named, has_ending};
use super::places::is_common;
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

/// Whether the sentence in front of a path says that another repository is meant: `in the
/// repository acme/other the file x`.
pub(in crate::lint) fn is_of_another(history: &History, before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let sentence = line.rsplit(". ").next().unwrap_or_default();
    let plain = |c: char| !c.is_alphanumeric();
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.windows(2).any(|two| {
        let [kind, name] = [0, 1].map(|n| two.get(n).map_or("", |word| word.trim_matches(plain)));
        let named = name.matches('/').count() == 1 && !has_ending(name);
        let is_kind = |word: &str| REPOSITORIES.contains(&word.to_lowercase().as_str());
        let other = OTHERS.contains(&kind.to_lowercase().as_str()) && is_kind(name);
        other || (is_kind(kind) && named && !history.is_called(name) && !history.has_known(name))
    })
}

/// Words in front of the name of a repository.
const REPOSITORIES: &[&str] = &["repository", "repo", "fork", "branch"];

/// Words in front of those by which it is not this one.
const OTHERS: &[&str] = &[
    "sister",
    "other",
    "another",
    "different",
    "separate",
    "legacy",
    "upstream",
    "edge",
];

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
