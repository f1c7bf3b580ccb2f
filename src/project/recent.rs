//! The latest commits of a repository, read from git for lint.

use std::path::Path;

use super::git::{label, run};
use super::history::log::kept_at;
use crate::retrieval::recent::{Done, Recent};

/// Commits that are read.
const MOST: &str = "--max-count=200";

/// Paths of one commit that are kept: one with more is about none of them.
const MOST_FILES: usize = 200;

/// The last commits of the work tree with this root; none where git does not tell. `kept` keeps git's
/// answer for the next time: comparing the trees of 200 commits takes long where folders are large.
pub fn read(root: &Path, kept: Option<&Path>) -> Recent {
    let at = run(root, &["rev-parse", "--is-shallow-repository", "HEAD"], &[]);
    let at = String::from_utf8_lossy(&at.unwrap_or_default()).into_owned();
    // A shallow clone may hold more history the next time.
    let head = at.trim().strip_prefix("false\n");
    let out = kept_at(head.unwrap_or_default(), kept, || log(root));
    Recent {
        root: root.to_string_lossy().replace('\\', "/"),
        commits: parse(&out.unwrap_or_default()),
    }
}

fn log(root: &Path) -> Option<Vec<u8>> {
    let arguments = [
        "log",
        "-z",
        "--name-only",
        // With renames, git stops without a word where a blob is missing.
        "--no-renames",
        "--no-merges",
        "--format=%x01%s",
        MOST,
    ];
    run(root, &arguments, &[]).ok()
}

/// The commits of `log -z --name-only --format=%x01%s`.
fn parse(out: &[u8]) -> Vec<Done> {
    let mut commits: Vec<Done> = Vec::new();
    for part in out.split(|byte| *byte == 0) {
        // The first path of a commit stands in a line of its own.
        let part = part.strip_prefix(b"\n").unwrap_or(part);
        if let Some(subject) = part.strip_prefix(b"\x01") {
            commits.push(Done {
                subject: label(subject).into(),
                files: Vec::new(),
            });
        } else if let Some(commit) = commits.last_mut()
            && let Ok(path) = std::str::from_utf8(part)
            && !path.is_empty()
            && commit.files.len() < MOST_FILES
        {
            commit.files.push(path.into());
        }
    }
    commits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_read_with_their_files() {
        let out =
            b"\x01Sweep holds\0\nsrc/a.rs\0src/b c.rs\0\0\x01Nothing in it\0\x01Add \xff\0\nd\0";
        let commits = parse(out);
        let all: Vec<(&str, Vec<&str>)> = commits
            .iter()
            .map(|commit| {
                (
                    &*commit.subject,
                    commit.files.iter().map(|file| &**file).collect(),
                )
            })
            .collect();
        assert_eq!(
            all,
            [
                ("Sweep holds", vec!["src/a.rs", "src/b c.rs"]),
                ("Nothing in it", vec![]),
                ("Add \u{fffd}", vec!["d"]),
            ]
        );
    }
}
