//! Old versions of files: one process of git for all of them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use super::Facts;
use crate::lint::repository::{Blob, Project as _, Rewritten};
use crate::project::git;

/// Bytes of a version that are read; a longer one is passed over.
const LONGEST: usize = 2 << 20;
/// Bytes of old versions of files that are read for one rule.
pub(super) const MOST: usize = 32 << 20;

/// Calls `take` with each of these versions that is there and is text, by its place among them,
/// until `most` bytes were read; gives the number of those that were reached and are there.
pub(super) fn each(
    root: &Path,
    blobs: &[Blob],
    most: usize,
    take: &mut dyn FnMut(usize, &str),
) -> usize {
    let mut names = String::with_capacity(blobs.len() * 41);
    for blob in blobs {
        for byte in blob.0 {
            // Writing to a String cannot fail.
            let _ = write!(names, "{byte:02x}");
        }
        names.push('\n');
    }
    if blobs.is_empty() {
        return 0;
    }
    let sizes = ["cat-file", "--batch-check=%(objectsize)"];
    let sizes = git::ask(root, &sizes, names.as_bytes()).unwrap_or_default();
    let sizes = super::text(&sizes);
    let mut wanted: Vec<(usize, &str)> = Vec::new();
    let (mut bytes, mut seen) = (0, 0);
    for (at, (size, name)) in sizes.lines().zip(names.lines()).enumerate() {
        if bytes > most {
            break;
        }
        // Some are not there in a partial clone, or a broken one.
        if let Ok(size) = size.parse::<usize>() {
            bytes += size;
            seen += 1;
            wanted.extend((size <= LONGEST).then_some((at, name)));
        }
    }
    let names: Vec<&str> = wanted.iter().map(|(_, name)| *name).collect();
    let contents = git::objects(root, &names).unwrap_or_default();
    for ((at, _), content) in wanted.into_iter().zip(contents) {
        if let Some(text) = content
            .as_deref()
            .and_then(|bytes| str::from_utf8(bytes).ok())
        {
            take(at, text);
        }
    }
    seen
}

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
