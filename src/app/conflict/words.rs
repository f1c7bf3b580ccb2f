//! Which words of two lines differ.

use std::ops::Range;

use similar::{ChangeTag, TextDiff};

/// Longer lines are not compared by words.
const MOST: usize = 4000;

/// The byte ranges of the old line that go and of the new line that come. Lines that have hardly
/// a word in common differ as a whole, and then none is marked: everything would be.
pub fn differing(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    if old.len() + new.len() > MOST || old == new {
        return (Vec::new(), Vec::new());
    }
    let diff = TextDiff::from_words(old, new);
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut at_old, mut at_new, mut same) = (0, 0, 0);
    for change in diff.iter_all_changes() {
        let length = change.value().len();
        match change.tag() {
            ChangeTag::Equal => {
                same += change.value().trim().len();
                at_old += length;
                at_new += length;
            }
            ChangeTag::Delete => {
                extend(&mut gone, at_old, length);
                at_old += length;
            }
            ChangeTag::Insert => {
                extend(&mut come, at_new, length);
                at_new += length;
            }
        }
    }
    if same * 4 < old.len().min(new.len()) {
        return (Vec::new(), Vec::new());
    }
    (gone, come)
}

/// Appends a range, joined to the one before where they touch.
fn extend(ranges: &mut Vec<Range<usize>>, at: usize, length: usize) {
    match ranges.last_mut() {
        Some(last) if last.end == at => last.end += length,
        _ => ranges.push(at..at + length),
    }
}
