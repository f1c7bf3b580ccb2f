//! A file cut into the parts that its memories own, so that one memory can be taken from one
//! version of the file into another, and the rest stays as it is.
//!
//! ```text
//! # Memories          ┐ frame: lines that no memory owns
//! ## Patterns         ┘
//! ### mem-1 …           owned by mem-1
//! (blank)               frame
//! ### mem-2 …           owned by mem-2
//! ```

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use similar::DiffOp;

use super::diff::ops;

/// A part of a file that belongs to one memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    /// Its byte range.
    pub range: Range<usize>,
    /// The memory: the same in all versions of the file.
    pub owner: String,
}

/// One element of a file: what a memory owns, or a line of the frame.
#[derive(Clone, Debug)]
struct Part<'a> {
    bytes: &'a [u8],
    owner: Option<Key<'a>>,
    /// True if the file ends with it, in the middle of a line.
    is_open: bool,
}

/// An owner, and which of its parts in the file it is, from 0.
type Key<'a> = (&'a str, usize);

impl<'a> Part<'a> {
    /// The key by which two versions are compared: the owner, else the line.
    const fn name(&self) -> (Option<Key<'a>>, &'a [u8]) {
        match self.owner {
            Some(_) => (self.owner, &[]),
            None => (None, self.bytes),
        }
    }

    fn is_blank(&self) -> bool {
        self.owner.is_none() && self.bytes.trim_ascii().is_empty()
    }

    fn is_heading(&self) -> bool {
        self.owner.is_none() && !self.is_blank()
    }
}

/// Cuts a file into parts, in order. Ranges that overlap an earlier one are left out.
fn parts<'a>(bytes: &'a [u8], owned: &'a [Owned]) -> Vec<Part<'a>> {
    let mut sorted: Vec<&Owned> = owned.iter().collect();
    sorted.sort_by_key(|one| (one.range.start, one.range.end));
    let (mut out, mut at) = (Vec::new(), 0);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let part = |bytes, owner| Part {
        bytes,
        owner,
        is_open: false,
    };
    let frame = |out: &mut Vec<Part<'a>>, range: Range<usize>| {
        let gap = bytes.get(range).unwrap_or_default();
        let lines = gap.split_inclusive(|byte| *byte == b'\n');
        out.extend(lines.map(|bytes| part(bytes, None)));
    };
    for one in sorted {
        if one.range.start < at || one.range.end > bytes.len() {
            continue;
        }
        let end = line_end(bytes, one.range.end);
        let own = bytes.get(one.range.start..end).unwrap_or_default();
        frame(&mut out, at..one.range.start);
        let count = counts.entry(&one.owner).or_default();
        out.push(part(own, Some((&one.owner, *count))));
        *count += 1;
        at = end;
    }
    frame(&mut out, at..bytes.len());
    if let Some(last) = out.last_mut() {
        last.is_open = !last.bytes.ends_with(b"\n");
    }
    out
}

/// Returns the end of the last line of a memory, its line end included.
fn line_end(bytes: &[u8], end: usize) -> usize {
    let (own, rest) = bytes.split_at_checked(end).unwrap_or_default();
    let ends = [&b"\n"[..], b"\r\n"].into_iter();
    let mut ends = ends.filter(|line_end| rest.starts_with(line_end));
    match own.last() {
        Some(b'\n') | None => end,
        _ => end + ends.next().map_or(0, <[u8]>::len),
    }
}

/// Adds a part. A part after the last line of a version begins a new line.
fn push(out: &mut Vec<u8>, is_open: &mut bool, part: &Part<'_>) {
    if *is_open && !part.bytes.is_empty() {
        out.push(b'\n');
    }
    out.extend_from_slice(part.bytes);
    *is_open = part.is_open;
}

/// A version of a file: its bytes and who owns which.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// Who owns which of them.
    pub owned: &'a [Owned],
}

/// The old version with some memories as the new version has them: changed, added at their place,
/// or gone. With `frame` the lines that belong to no memory are those of the new version too.
///
/// A heading that is new comes along with the first memory below it that is taken; a blank line
/// with the memory beside it.
pub fn compose(old: Version<'_>, new: Version<'_>, taken: &HashSet<&str>, frame: bool) -> Vec<u8> {
    let (before, after) = (parts(old.bytes, old.owned), parts(new.bytes, new.owned));
    let [old_names, new_names] =
        [&before, &after].map(|parts| parts.iter().map(Part::name).collect::<Vec<_>>());
    // An empty file has no frame of its own.
    let frame = frame || old.bytes.is_empty();
    let is_taken = |part: &Part<'_>| part.owner.is_some_and(|(owner, _)| taken.contains(owner));
    let mut out = Vec::with_capacity(old.bytes.len().max(new.bytes.len()));
    let mut is_open = false;
    for op in ops(&old_names, &new_names) {
        let gone = before.get(op.old_range()).unwrap_or_default();
        let come = after.get(op.new_range()).unwrap_or_default();
        if matches!(op, DiffOp::Equal { .. }) {
            for (was, is) in gone.iter().zip(come) {
                push(&mut out, &mut is_open, if is_taken(is) { is } else { was });
            }
            continue;
        }
        // A line of the frame goes where the memories around it go.
        let leaves = goes_along(gone, &is_taken, frame);
        let enters = goes_along(come, &is_taken, frame);
        let kept = gone.iter().zip(leaves).filter(|(_, leaves)| !leaves);
        let added = come.iter().zip(enters).filter(|(_, enters)| *enters);
        for (part, _) in kept.chain(added) {
            push(&mut out, &mut is_open, part);
        }
    }
    out
}

/// Which parts of a run that one version has and the other has not are taken.
fn goes_along(run: &[Part<'_>], is_taken: &dyn Fn(&Part<'_>) -> bool, frame: bool) -> Vec<bool> {
    let own = |at: usize, part: &Part<'_>| {
        let rest = run.get(at + 1..).unwrap_or_default();
        if part.owner.is_some() {
            return Some(is_taken(part));
        }
        if frame || part.is_blank() {
            return frame.then_some(true);
        }
        // A heading stands above all memories up to the next heading behind them.
        let first = rest.iter().position(|part| part.owner.is_some())?;
        let below = rest.get(first..).unwrap_or_default();
        let mut below = below.iter().take_while(|part| !part.is_heading());
        Some(below.any(is_taken))
    };
    let parts = run.iter().enumerate();
    let mut taken: Vec<Option<bool>> = parts.map(|(at, part)| own(at, part)).collect();
    // In a run that begins with a memory blank lines end what stands above them, else they lead what
    // stands below.
    let is_ending = run.first().is_some_and(|part| !part.is_blank());
    let order: Vec<usize> = match is_ending {
        true => (0..run.len()).collect(),
        false => (0..run.len()).rev().collect(),
    };
    let mut beside = None;
    for at in order {
        let is_blank = run.get(at).is_some_and(Part::is_blank);
        // Those beside a heading belong to it.
        let beside_it = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let mut headings = beside_it.filter(|at| run.get(*at).is_some_and(Part::is_heading));
        let heading = headings.find_map(|at| *taken.get(at)?);
        if let Some(slot) = taken.get_mut(at) {
            if is_blank && !frame {
                *slot = heading.or(beside);
            }
            beside = *slot;
        }
    }
    // The last blank lines have nothing below.
    let last = taken.iter().rev().find_map(|slot| *slot).unwrap_or(frame);
    taken.into_iter().map(|slot| slot.unwrap_or(last)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memory::rows;

    /// A file of lines: `#…` and blank ones are frame, each other line belongs to its first letter.
    fn owned(text: &str) -> Vec<Owned> {
        let mut at = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            at += line.len();
            let is_owned = line.starts_with(char::is_alphabetic);
            let end = at - usize::from(line.ends_with('\n'));
            is_owned.then(|| Owned {
                range: at - line.len()..end,
                owner: line[..1].to_owned(),
            })
        });
        lines.flatten().collect()
    }

    fn composed(old: &str, new: &str, taken: &[&str], frame: bool) -> String {
        let (before, after) = (owned(old), owned(new));
        let version = |bytes, owned| Version { bytes, owned };
        let old = version(old.as_bytes(), &before);
        let new = version(new.as_bytes(), &after);
        let taken = taken.iter().copied().collect();
        String::from_utf8(compose(old, new, &taken, frame)).unwrap()
    }

    #[test]
    fn only_the_taken_memory_is_as_in_the_new_version() {
        for (old, new, taken, expected) in rows! {
            // Changed, and its neighbour changed too.
            "a1\nb1\n" => "a2\nb2\n" => "a" => "a2\nb1\n",
            "a1\nb1\n" => "a2\nb2\n" => "b" => "a1\nb2\n",
            // Added beside another new one.
            "a1\n" => "a1\nb1\nc1\n" => "c" => "a1\nc1\n",
            "a1\n\n" => "a1\n\nb1\n\nc1\n\n" => "b" => "a1\n\nb1\n\n",
            // A last line without an end gets one where something follows.
            "a1" => "a1\nb1" => "b" => "a1\nb1",
            // Gone.
            "a1\n\nb1\n\nc1\n" => "c1\n" => "a" => "b1\n\nc1\n",
            "a1\n\nb1\n\nc1\n" => "a1\n" => "c" => "a1\n\nb1\n",
            // A new section comes with any of its memories, and with none else.
            "#A\na1\n" => "#A\na1\n\n#B\n\nb1\nc1\n" => "c" => "#A\na1\n\n#B\n\nc1\n",
            "#A\na1\n" => "#A\na1\nd1\n\n#B\n\nb1\n" => "d" => "#A\na1\nd1\n",
            // A new file brings its frame.
            "" => "#T\n\n#A\na1\n#B\nb1\n" => "b" => "#T\n\n#A\n#B\nb1\n",
            // Moved.
            "a1\nb1\nc1\n" => "c1\na1\nb1\n" => "c" => "c1\na1\nb1\n",
            "a1\nb1\nc1\n" => "c2\na1\nb2\n" => "b" => "a1\nb2\nc1\n",
        } {
            let made = composed(old, new, &[taken], false);
            assert_eq!(made, expected, "{old:?} {new:?}");
        }
    }

    #[test]
    fn the_frame_can_be_taken_alone() {
        let (old, new) = ("#A\na1\n", "#B\na2\n");
        assert_eq!(composed(old, new, &[], true), "#B\na1\n");
        assert_eq!(composed(old, new, &["a"], false), "#A\na2\n");
    }

    proptest! {
        #[test]
        fn all_of_it_is_the_new_version_and_nothing_the_old(
            old in "([a-f][0-9]\n|\n|#[A-C]\n){0,12}",
            new in "([a-f][0-9]\n|\n|#[A-C]\n){0,12}",
        ) {
            let all = ["a", "b", "c", "d", "e", "f"];
            prop_assert_eq!(composed(&old, &new, &all, true), new.clone());
            if !old.is_empty() {
                prop_assert_eq!(composed(&old, &new, &[], false), old);
            }
        }
    }
}
