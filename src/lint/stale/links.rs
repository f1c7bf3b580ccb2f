//! Links to files of a repository where it is published.

use std::borrow::Cow;
use std::ops::Range;

use super::extract::How;

/// What stands between a repository and a branch in the links of GitHub, Gitea and GitLab.
const MARKS: &[&str] = &[
    "/-/blob/",
    "/-/tree/",
    "/-/raw/",
    "/-/edit/",
    "/blob/",
    "/tree/",
    "/raw/",
    "/edit/",
    "/blame/",
    "/src/branch/",
];

/// Branches that are worked on: what a tag or a commit held is there for ever.
const BRANCHES: &[&str] = &["main", "master", "develop", "dev", "trunk", "HEAD"];

/// The bytes of a token that are the path in a link, the path, and in which repository it is.
pub(super) fn path(token: &str) -> Option<(Range<usize>, Cow<'_, str>, How<'_>)> {
    let start = token.find("://")? + 3;
    let link = token.get(start..)?;
    let link = link.get(..link.find(['#', '?']).unwrap_or(link.len()))?;
    let (repository, rest) = MARKS.iter().find_map(|mark| link.split_once(mark))?;
    let (branch, path) = rest.split_once('/')?;
    let end = path.trim_end_matches(['/', '.', ':', '*', '>', '_']);
    let sound = BRANCHES.contains(&branch)
        && repository.matches('/').count() >= 2
        && !end.is_empty()
        && !end.contains(['%', '{', '<', '$'])
        && !end.contains("..");
    // The path is a slice of the token.
    let from = path.as_ptr() as usize - token.as_ptr() as usize;
    sound.then(|| (from..from + end.len(), end.into(), How::Link(repository)))
}
