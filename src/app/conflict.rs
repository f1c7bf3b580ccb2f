//! A memory that changed on disk while it was edited: both texts as one.

use similar::TextMerge;

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
