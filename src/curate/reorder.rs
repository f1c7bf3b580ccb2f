//! Moves a change of a file behind the later changes of it, line by line, and merges two changes.

use std::ops::Range;

use similar::DiffOp;

use super::diff::{lines_of, ops};

/// Lines of a text that are replaced.
#[derive(Clone, PartialEq)]
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

/// Our version of a text with what theirs changes of the base; none if both changed the same lines.
pub fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let [base, ours, theirs] = [base, ours, theirs].map(lines_of);
    let later = hunks(&base, &ours);
    let mut own = hunks(&base, &theirs);
    // Changes that both made alike stand already.
    own.retain(|hunk| !later.contains(hunk));
    let moved = own.iter().map(|hunk| hunk.past(&later, &base));
    applied(&moved.collect::<Option<Vec<_>>>()?, &ours)
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
        let slid = |is_up: bool| {
            let first = self.slid(is_up, old);
            std::iter::successors(first, move |hunk| hunk.slid(is_up, old))
        };
        let here = std::iter::once(self.clone());
        let mut places = here.chain(slid(true)).chain(slid(false));
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

    /// The hunk one line further up or down, if lines around it are equal and the effect is the
    /// same.
    fn slid(&self, is_up: bool, old: &[&[u8]]) -> Option<Self> {
        let Range { start, end } = self.at;
        // The line that the hunk passes, and the one of its own that stands in its place then.
        let (passed, own) = match is_up {
            true => (start.checked_sub(1)?, end.checked_sub(1)),
            false => (end, Some(start)),
        };
        let mut new = self.new.clone();
        let own = match (self.at.is_empty(), is_up) {
            (true, true) => new.last()?.as_slice(),
            (true, false) => new.first()?.as_slice(),
            (false, _) if new.is_empty() => old.get(own?)?,
            (false, _) => return None,
        };
        (*old.get(passed)? == own).then_some(())?;
        // A deletion has no lines to turn.
        let turned = new.len().min(1);
        let at = match is_up {
            true => {
                new.rotate_right(turned);
                start - 1..end - 1
            }
            false => {
                new.rotate_left(turned);
                start + 1..end + 1
            }
        };
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
