//! Versions of files, from `git cat-file --batch`: one process for all of them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;

use super::Facts;
use crate::lint::repository::{Blob, Project as _, Rewritten};
use crate::project::git::command;

/// Bytes of a version that are read; a longer one is passed over.
const LONGEST: usize = 2 << 20;

/// How far the reading of versions came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Number of versions that were reached.
    pub came_to: usize,
    /// Number of these that are not there: in a partial clone, or a broken one.
    pub missing: usize,
}

/// Calls `take` with each of these versions that is there and is text, by its place among them,
/// until `most` bytes were read.
pub(super) fn each(
    root: &Path,
    blobs: &[Blob],
    most: usize,
    take: &mut dyn FnMut(usize, &str),
) -> Seen {
    let mut seen = Seen::default();
    if blobs.is_empty() {
        return seen;
    }
    let mut git = command(root);
    git.args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let Ok(mut child) = git.spawn() else {
        return seen;
    };
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut names = String::with_capacity(blobs.len() * 41);
            for blob in blobs {
                names.push_str(&name(*blob));
                names.push('\n');
            }
            // It may have ended already.
            let _ = stdin.map(|mut stdin| stdin.write_all(names.as_bytes()));
        });
        if let Some(stdout) = stdout {
            seen = answers(BufReader::new(stdout), blobs.len(), most, take);
        }
        // Closing its output ends it, and with it the thread that writes to it.
        let _ = child.kill();
        let _ = child.wait();
    });
    seen
}

/// Reads `HASH blob SIZE`, the bytes and a newline, as often as there are answers.
fn answers(
    mut out: impl std::io::BufRead,
    count: usize,
    most: usize,
    take: &mut dyn FnMut(usize, &str),
) -> Seen {
    let mut read = 0;
    let mut seen = Seen::default();
    let mut bytes = Vec::new();
    for at in 0..count {
        let mut head = String::new();
        if read > most || !matches!(out.read_line(&mut head), Ok(1..)) {
            return seen;
        }
        seen.came_to = at + 1;
        let mut words = head.split_ascii_whitespace().skip(1);
        let kind = words.next();
        let Some(size) = words.next().and_then(|size| size.parse::<usize>().ok()) else {
            // It is not there, or stands for several.
            seen.missing += 1;
            continue;
        };
        let whole = u64::try_from(size).unwrap_or(u64::MAX).saturating_add(1);
        bytes.clear();
        let mut rest = (&mut out).take(whole);
        let got = if size <= LONGEST {
            rest.read_to_end(&mut bytes).is_ok()
        } else {
            std::io::copy(&mut rest, &mut std::io::sink()).is_ok()
        };
        if !got {
            return seen;
        }
        bytes.pop();
        read += size;
        if let (Some("blob"), Ok(text)) = (kind, std::str::from_utf8(&bytes))
            && size <= LONGEST
        {
            take(at, text);
        }
    }
    seen
}

/// The hash of a version, as far as it is known.
fn name(blob: Blob) -> String {
    let mut name = String::with_capacity(40);
    for byte in blob.0 {
        // Writing to a String cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// Bytes of old versions that are read to see how much of files was another before.
const MOST: usize = 32 << 20;

/// The share of each file that was another in a version before.
pub(super) fn rewritten(facts: &Facts<'_>, wanted: &[(&str, Blob)]) -> Vec<Option<Rewritten>> {
    let mut all = vec![None; wanted.len()];
    let blobs: Vec<Blob> = wanted.iter().map(|(_, blob)| *blob).collect();
    each(facts.base(), &blobs, MOST, &mut |at, old| {
        let now = wanted.get(at).and_then(|(path, _)| facts.read(path));
        if let (Some(slot), Some(now)) = (all.get_mut(at), now) {
            *slot = Some(compare(old, &now));
        }
    });
    all
}

/// The lines that one of two texts has and the other has not, in whatever order: what moves
/// within a file says the same as before.
fn compare(old: &str, new: &str) -> Rewritten {
    let mut count: HashMap<u64, i64> = HashMap::new();
    let mut lines = 0;
    let mut add = |text: &str, by: i64| {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let mut hasher = DefaultHasher::new();
            line.hash(&mut hasher);
            *count.entry(hasher.finish()).or_default() += by;
            lines += 1;
        }
    };
    add(old, -1);
    add(new, 1);
    let changed: u64 = count.values().map(|by| by.unsigned_abs()).sum();
    Rewritten {
        changed: usize::try_from(changed).unwrap_or(usize::MAX),
        lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_only_moved_are_no_change() {
        let count = |old, new| {
            let Rewritten { changed, lines } = compare(old, new);
            (changed, lines)
        };
        assert_eq!(count("a\nb\n", "b\n\n  a"), (0, 4));
        assert_eq!(count("a\nb\n", "a\nc\nd\n"), (3, 5));
        assert_eq!(count("a\na\n", "a\n"), (1, 3));
        assert_eq!(count("", ""), (0, 0));
    }
}
