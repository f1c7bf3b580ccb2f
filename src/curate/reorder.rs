//! Moves a change of a file behind the later changes of it, line by line.

use std::ops::Range;

use similar::DiffOp;

use super::diff::ops::{lines_of, ops};

/// Lines of a text that are replaced.
#[derive(Clone)]
struct Hunk {
    at: Range<usize>,
    new: Vec<Vec<u8>>,
}

/// Contents of a file without one of its changes.
///
/// `contents` has the file right after that change and after each later one, `undone` the file
/// before it. The result has the same length and begins with `undone`. Fails with the number of
/// the first later change that replaces the same lines.
pub fn reorder(undone: &[u8], contents: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, usize> {
    let mut out = vec![undone.to_vec()];
    let first = contents.first().map_or(&[][..], Vec::as_slice);
    let mut hunks = hunks(&lines_of(first), &lines_of(undone));
    for (number, pair) in contents.windows(2).enumerate() {
        let [old, new] = pair else { continue };
        let (old, new) = (lines_of(old), lines_of(new));
        let later = self::hunks(&old, &new);
        let past = hunks.iter().map(|hunk| hunk.past(&later, &old));
        hunks = past.collect::<Option<_>>().ok_or(number)?;
        out.push(applied(&hunks, &new).ok_or(number)?);
    }
    Ok(out)
}

/// The hunks that lead from one text to another.
fn hunks(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let mut all: Vec<Hunk> = Vec::new();
    for op in ops(old, new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (at, new) = (op.old_range(), new.get(op.new_range()).unwrap_or_default());
        let new = new.iter().map(|line| line.to_vec());
        match all.last_mut().filter(|last| last.at.end == at.start) {
            Some(last) => {
                last.at.end = at.end;
                last.new.extend(new);
            }
            None => all.push(Hunk {
                at,
                new: new.collect(),
            }),
        }
    }
    all
}

impl Hunk {
    /// The same hunk in the text after later hunks; none if one of them replaces the same lines.
    /// Equal lines around it allow other places: each of them is tried.
    fn past(&self, later: &[Self], old: &[&[u8]]) -> Option<Self> {
        let slid = |step: fn(&Self, &[&[u8]]) -> Option<Self>| {
            std::iter::successors(step(self, old), move |hunk| step(hunk, old))
        };
        let here = std::iter::once(self.clone());
        let mut places = here.chain(slid(Self::up)).chain(slid(Self::down));
        places.find_map(|hunk| hunk.moved(later))
    }

    fn moved(mut self, later: &[Self]) -> Option<Self> {
        let at = self.at.clone();
        for other in later {
            // Of two insertions in one place the older one stands first.
            if at.end <= other.at.start {
                break;
            }
            if other.at.end > at.start {
                return None;
            }
            let shift = |line: usize| line - other.at.len() + other.new.len();
            self.at = shift(self.at.start)..shift(self.at.end);
        }
        Some(self)
    }

    /// The hunk one line further up, with the same effect.
    fn up(&self, old: &[&[u8]]) -> Option<Self> {
        let before = self.at.start.checked_sub(1)?;
        let mut new = self.new.clone();
        let last = match (self.at.is_empty(), &*new) {
            (true, [.., last]) => last.as_slice(),
            (false, []) => old.get(self.at.end - 1)?,
            _ => return None,
        };
        (*old.get(before)? == last).then_some(())?;
        if !new.is_empty() {
            new.rotate_right(1);
        }
        let at = before..self.at.end - 1;
        Some(Self { at, new })
    }

    /// The hunk one line further down, with the same effect.
    fn down(&self, old: &[&[u8]]) -> Option<Self> {
        let mut new = self.new.clone();
        let first = match (self.at.is_empty(), &*new) {
            (true, [first, ..]) => first.as_slice(),
            (false, []) => old.get(self.at.start)?,
            _ => return None,
        };
        (*old.get(self.at.end)? == first).then_some(())?;
        if !new.is_empty() {
            new.rotate_left(1);
        }
        let at = self.at.start + 1..self.at.end + 1;
        Some(Self { at, new })
    }
}

/// A text with its hunks applied; none if they are not in order or join two lines.
fn applied(hunks: &[Hunk], lines: &[&[u8]]) -> Option<Vec<u8>> {
    let mut all: Vec<&[u8]> = Vec::with_capacity(lines.len());
    let mut done = 0;
    for hunk in hunks {
        all.extend(lines.get(done..hunk.at.start)?);
        all.extend(hunk.new.iter().map(Vec::as_slice));
        done = hunk.at.end;
    }
    all.extend(lines.get(done..)?);
    let (_, before) = all.split_last().unwrap_or((&&[][..], &[]));
    let is_whole = before.iter().all(|line| line.ends_with(b"\n"));
    is_whole.then(|| all.concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Texts after each change without the first one, or the number of the change in the way.
    fn without(texts: &[&str]) -> Result<Vec<String>, usize> {
        let all: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        let left = reorder(&all[0], &all[1..])?.into_iter();
        Ok(left.map(|text| String::from_utf8(text).unwrap()).collect())
    }

    #[test]
    fn a_change_is_taken_out_from_under_later_ones() {
        for (texts, left) in [
            // Two rows are added, and the first one goes.
            (&["a\n", "a\nx\n", "a\nx\ny\n"][..], Ok(&["a\n", "a\ny\n"][..])),
            // A deleted row comes back before one that was added in its place.
            (&["a\nb\n", "a\n", "a\nc\n"], Ok(&["a\nb\n", "a\nb\nc\n"])),
            (&["a\nb\n", "a\nB\n", "a\nB\nc\n", "A\nB\nc\n"], Ok(&["a\nb\n", "a\nb\nc\n", "A\nb\nc\n"])),
            // Blank lines around two entries are equal: the hunks only seem to overlap.
            (&["x\n\nb\n\nc\n", "x\n\nc\n", "x\n"], Ok(&["x\n\nb\n\nc\n", "x\n\nb\n"])),
            (&["a\n", "b\n", "c\n"], Err(1)),
            (&["a\n", "a\nx\ny\n", "a\nx\nz\ny\n"], Err(0)),
            // Without a line end at the end two rows would become one.
            (&["a", "a\nx\n", "a\nx\ny\n"], Err(0)),
        ] {
            let left = left.map(|left| left.iter().map(|text| (*text).to_owned()).collect());
            let way = without(texts);
            match left {
                Err(_) => assert!(way.is_err(), "{texts:?}: {way:?}"),
                left => assert_eq!(way, left, "{texts:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn both_orders_lead_to_the_same_text(lines in "([ab]\\n){0,8}", edits in proptest::collection::vec((0_usize..9, 0_usize..3, "([abx]\\n){0,2}"), 1..5)) {
            let mut texts = vec![lines];
            for (at, gone, new) in edits {
                let text = texts.last().unwrap();
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                let at = at.min(lines.len());
                let end = (at + gone).min(lines.len());
                texts.push([&lines[..at].concat(), &new, &lines[end..].concat()].concat());
            }
            let all: Vec<&str> = texts.iter().map(String::as_str).collect();
            if let Ok(left) = without(&all) {
                // What the first change removed and added is there again or gone; nothing else is.
                let count = |text: &str, line: &str| text.lines().filter(|one| *one == line).count();
                for line in ["a", "b", "x"] {
                    let last = count(left.last().unwrap(), line) + count(all[1], line);
                    prop_assert_eq!(last, count(all.last().unwrap(), line) + count(all[0], line));
                }
            }
        }
    }
}
