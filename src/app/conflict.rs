//! A memory that changed on disk while it was edited: both texts beside one another, and the
//! choice between them.
//!
//! Nothing is overwritten that the person has not seen here.

mod rows;
pub mod words;

pub use rows::{Cell, Row, Side};

use super::scope::Action;

/// The effect of an action; the program around acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: the key means nothing here.
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
pub static HINTS: &[&str] = &[
    "keep-mine",
    "take-theirs",
    "edit-merged",
    "show-base",
    "leave-conflict",
];

/// Two texts that began as one.
#[derive(Clone, Debug)]
pub struct Conflict {
    base: String,
    mine: String,
    theirs: String,
    merged: String,
    overlaps: usize,
    rows: Vec<Row>,
    with_base: bool,
    top: usize,
}

impl Conflict {
    /// The text that was opened, as it was edited, and as it is on disk now.
    pub fn new(base: &str, mine: &str, theirs: &str) -> Self {
        let (merged, overlaps) = rows::merge(base, mine, theirs);
        Self {
            rows: rows::rows(base, mine, theirs, false),
            base: base.into(),
            mine: mine.into(),
            theirs: theirs.into(),
            merged,
            overlaps,
            with_base: false,
            top: 0,
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

    /// How many changes overlap.
    pub const fn overlaps(&self) -> usize {
        self.overlaps
    }

    /// The row, from 0, of the first mark in the merged text, to put the cursor on.
    pub fn first_overlap(&self) -> usize {
        let mut lines = self.merged.split('\n');
        lines
            .position(|line| line.starts_with(rows::MARK))
            .unwrap_or(0)
    }

    /// What is shown, from the first row on the screen.
    pub fn shown(&self) -> &[Row] {
        self.rows.get(self.top..).unwrap_or_default()
    }

    /// Does an action.
    pub fn act(&mut self, action: Action) -> Outcome {
        match action {
            Action::KeepMine => Outcome::KeepMine,
            Action::TakeTheirs => Outcome::TakeTheirs,
            Action::EditMerged => Outcome::EditMerged,
            Action::ShowBase => {
                self.with_base = !self.with_base;
                self.rows = rows::rows(&self.base, &self.mine, &self.theirs, self.with_base);
                self.scroll(0)
            }
            Action::NextDifference => self.next(true),
            Action::PreviousDifference => self.next(false),
            Action::Next => self.scroll(1),
            Action::Previous => self.scroll(-1),
            Action::PageDown => self.scroll(10),
            Action::PageUp => self.scroll(-10),
            Action::First => self.scroll(isize::MIN),
            Action::Last => self.scroll(isize::MAX),
            Action::Leave => Outcome::Back,
            _ => Outcome::Nothing,
        }
    }

    /// Scrolls by rows, for the wheel too.
    pub fn scroll(&mut self, by: isize) -> Outcome {
        let last = self.rows.len().saturating_sub(1);
        self.top = self.top.saturating_add_signed(by).min(last);
        Outcome::Redraw
    }

    /// Goes to where the next or the previous difference begins.
    fn next(&mut self, forward: bool) -> Outcome {
        let differs = |at: usize| self.rows.get(at).is_some_and(Row::differs);
        let begins = |at: &usize| differs(*at) && !at.checked_sub(1).is_some_and(differs);
        let found = if forward {
            (self.top + 1..self.rows.len()).find(begins)
        } else {
            (0..self.top).rev().find(begins)
        };
        match found {
            Some(at) => {
                self.top = at;
                Outcome::Redraw
            }
            None => Outcome::Nothing,
        }
    }
}
