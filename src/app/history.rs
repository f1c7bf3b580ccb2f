//! The earlier versions of a memory, and the changes that memkeep made.

use std::sync::Arc;

use crate::curate::Version;
use crate::memory::{Memory, Timestamp};

/// The versions of a memory, one of which is looked at.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The memory.
    pub of: Arc<Memory>,
    /// Its versions, newest first, or why there are none; nothing until they are read.
    pub all: Option<Result<Vec<Arc<Version>>, String>>,
    /// The selected version.
    pub row: usize,
    /// The first line of the page on the screen.
    pub scroll: usize,
    /// True if the page shows who wrote which line instead of what a version changed.
    pub blames: bool,
}

impl Versions {
    /// The versions, as far as they are read.
    pub fn rows(&self) -> &[Arc<Version>] {
        match &self.all {
            Some(Ok(all)) => all,
            _ => &[],
        }
    }

    /// The selected version.
    pub fn current(&self) -> Option<&Arc<Version>> {
        self.rows().get(self.row)
    }

    /// Selects another version.
    pub fn turn(&mut self, by: isize) {
        let last = self.rows().len().saturating_sub(1);
        self.row = self.row.saturating_add_signed(by).min(last);
        self.scroll = 0;
    }
}

/// A change that memkeep made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its number.
    pub seq: u64,
    /// When.
    pub time: Timestamp,
    /// What was done, in the past tense.
    pub title: String,
    /// What became of it.
    pub state: State,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is in force.
    Done,
    /// It was undone and can be redone.
    Undone,
    /// It was undone, and another change followed.
    Dropped,
}

/// The changes that memkeep made, newest first.
#[derive(Debug)]
pub struct Changes {
    /// The changes.
    pub rows: Vec<Made>,
    /// The selected one.
    pub row: usize,
}

impl Changes {
    /// The change that `redo` makes again next.
    pub fn next_redo(&self) -> Option<usize> {
        let is_undone = |made: &Made| made.state == State::Undone;
        self.rows.iter().rposition(is_undone)
    }
}
