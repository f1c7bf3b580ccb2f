//! A memory that changed on disk while it was edited: both texts as one, and the words that differ.

use std::ops::Range;

use similar::{DiffTag, TextMerge};

use crate::curate::diff;

/// Texts of more lines are not merged line by line: comparing two that have nothing in common
/// would take seconds.
const MOST: usize = 10_000;

/// The beginning of a mark around overlapping changes.
pub(super) const MARK: &str = "<<<<<<< ";

/// Merges the opened text as it was edited with the one on disk, line by line. Changes that overlap
/// stand beside one another between marks; returns their number too.
pub fn merge(base: &str, mine: &str, theirs: &str) -> (String, usize) {
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
