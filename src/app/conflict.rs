//! A memory that changed on disk while it was edited: the difference of both texts, and the choice
//! between them.
//!
//! Nothing is overwritten that the person has not seen here.

pub mod words;

use similar::TextMerge;

use super::scope::Action;
use crate::curate::diff;

/// Texts of more lines are not merged line by line: comparing two that have nothing in common
/// would take seconds.
const MOST: usize = 10_000;
/// The beginning of a mark around overlapping changes.
const MARK: &str = "<<<<<<< ";

/// The effect of an action; the program around acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: the action means nothing here.
    Nothing,
    /// Something is to be drawn anew.
    Redraw,
    /// Save [`Conflict::mine`] over [`Conflict::theirs`].
    KeepMine,
    /// Give up [`Conflict::mine`].
    TakeTheirs,
    /// Edit [`Conflict::merged`], made from [`Conflict::theirs`].
    EditMerged,
    /// Back to the editor, the text as it was.
    Back,
}

/// The commands that matter on a conflict, most telling first.
pub static HINTS: &[&str] = &["keep-mine", "take-theirs", "edit-merged", "leave-conflict"];

/// Two texts that began as one.
#[derive(Clone, Debug)]
pub struct Conflict {
    mine: String,
    theirs: String,
    merged: String,
    overlaps: usize,
    diff: String,
    /// The first line of the difference on the screen.
    pub scroll: usize,
}

impl Conflict {
    /// The text that was opened, as it was edited, and as it is on disk now.
    pub fn new(base: &str, mine: &str, theirs: &str) -> Self {
        let (merged, overlaps) = merge(base, mine, theirs);
        Self {
            diff: diff::of_texts(theirs, mine),
            mine: mine.into(),
            theirs: theirs.into(),
            merged,
            overlaps,
            scroll: 0,
        }
    }

    /// The text as it was edited.
    pub fn mine(&self) -> &str {
        &self.mine
    }

    /// The text as it is on disk, which the person has seen.
    pub fn theirs(&self) -> &str {
        &self.theirs
    }

    /// Both: changes that do not overlap are made, those that do stand beside one another between
    /// marks.
    pub fn merged(&self) -> &str {
        &self.merged
    }

    /// Number of changes that overlap.
    pub const fn overlaps(&self) -> usize {
        self.overlaps
    }

    /// The unified diff from the text on disk to the edited one.
    pub fn diff(&self) -> &str {
        self.diff.strip_prefix(diff::HEAD).unwrap_or(&self.diff)
    }

    /// The row, from 0, of the first mark in the merged text, to put the cursor on.
    pub fn first_overlap(&self) -> usize {
        let mut lines = self.merged.split('\n');
        lines.position(|line| line.starts_with(MARK)).unwrap_or(0)
    }

    /// Does an action; `most` lines of the difference do not fit on the screen.
    pub fn act(&mut self, action: Action, most: usize) -> Outcome {
        let by = match action {
            Action::KeepMine => return Outcome::KeepMine,
            Action::TakeTheirs => return Outcome::TakeTheirs,
            Action::EditMerged => return Outcome::EditMerged,
            Action::Leave => return Outcome::Back,
            Action::Next => 1,
            Action::Previous => -1,
            Action::PageDown => 10,
            Action::PageUp => -10,
            Action::First => isize::MIN,
            Action::Last => isize::MAX,
            _ => return Outcome::Nothing,
        };
        self.scroll = self.scroll.min(most).saturating_add_signed(by).min(most);
        Outcome::Redraw
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
