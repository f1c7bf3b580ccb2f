//! A memory that changed on disk while it was edited: the difference of both texts, and the choice
//! between them.

use std::ops::Range;

use similar::{DiffTag, TextMerge};

use super::scope::Action;
use crate::curate::diff;

/// Texts of more lines are not merged line by line: comparing two that have nothing in common
/// would take seconds.
const MOST: usize = 10_000;

/// The beginning of a mark around overlapping changes.
const MARK: &str = "<<<<<<< ";

/// Two texts that began as one.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Both: changes that do not overlap are made, those that do stand beside one another between
    /// marks.
    pub merged: String,
    /// Number of changes that overlap.
    pub overlaps: usize,
    /// The unified diff from the text on disk to the edited one.
    pub diff: String,
    /// The first line of the difference on the screen.
    pub scroll: usize,
}

impl Conflict {
    /// The text that was opened, as it was edited, and as it is on disk now.
    pub fn new(base: &str, mine: &str, theirs: &str) -> Self {
        let (merged, overlaps) = merge(base, mine, theirs);
        let diff = diff::of_texts(theirs, mine);
        Self {
            diff: diff.strip_prefix(diff::HEAD).unwrap_or(&diff).to_owned(),
            merged,
            overlaps,
            scroll: 0,
        }
    }

    /// The row, from 0, of the first mark in the merged text, to put the cursor on.
    pub fn first_overlap(&self) -> usize {
        let mut lines = self.merged.split('\n');
        lines.position(|line| line.starts_with(MARK)).unwrap_or(0)
    }

    /// Scrolls; `most` lines of the difference do not fit on the screen.
    pub fn scroll(&mut self, action: Action, most: usize) {
        let by = match action {
            Action::Next => 1,
            Action::Previous => -1,
            Action::PageDown => 10,
            Action::PageUp => -10,
            Action::First => isize::MIN,
            Action::Last => isize::MAX,
            _ => 0,
        };
        self.scroll = self.scroll.min(most).saturating_add_signed(by).min(most);
    }
}

/// Merges two texts line by line; the number of changes that overlap.
fn merge(base: &str, mine: &str, theirs: &str) -> (String, usize) {
    let is_long = |text: &&str| text.lines().count() > MOST;
    if [base, mine, theirs].iter().any(is_long) {
        let text = format!("{MARK}yours\n{mine}\n=======\n{theirs}\n>>>>>>> on disk\n");
        return (text, 1);
    }
    let mut merge = TextMerge::from_lines(base, mine, theirs);
    merge.labels("before", "yours", "on disk");
    (merge.to_string(), merge.conflict_count())
}

/// Longer texts are not compared by words.
const MOST_BYTES: usize = 40_000;

/// The byte ranges of the old line that go and of the new line that come. Lines that have hardly
/// a word in common differ as a whole, and then none is marked: everything would be.
pub fn differing(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    if old.len() + new.len() > MOST_BYTES || old == new {
        return (Vec::new(), Vec::new());
    }
    let (words, others) = (diff::words_of(old), diff::words_of(new));
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut at_old, mut at_new, mut same) = (0, 0, 0);
    for op in diff::ops(&words, &others) {
        let was = words.get(op.old_range()).unwrap_or_default();
        let is = others.get(op.new_range()).unwrap_or_default();
        let length = |words: &[&str]| words.iter().map(|word| word.len()).sum();
        let (removed, added) = (length(was), length(is));
        if op.tag() == DiffTag::Equal {
            same += was.iter().map(|word| word.trim().len()).sum::<usize>();
        } else {
            extend(&mut gone, at_old, removed);
            extend(&mut come, at_new, added);
        }
        at_old += removed;
        at_new += added;
    }
    if same * 4 < old.len().min(new.len()) {
        return (Vec::new(), Vec::new());
    }
    (gone, come)
}

/// Appends a range, joined to the one before where they touch.
fn extend(ranges: &mut Vec<Range<usize>>, at: usize, length: usize) {
    match ranges.last_mut() {
        _ if length == 0 => {}
        Some(last) if last.end == at => last.end += length,
        _ => ranges.push(at..at + length),
    }
}
