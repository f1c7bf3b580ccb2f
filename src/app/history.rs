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

/// The change of a list, newest first, that `redo` makes again next.
pub fn next_redo(changes: &[Made]) -> Option<usize> {
    let is_undone = |made: &Made| made.state == State::Undone;
    changes.iter().rposition(is_undone)
}

/// An age in words, as the short one has it: `3 days ago`, `in 2 weeks`.
pub fn ago(then: Timestamp, now: Timestamp) -> String {
    let short = then.age_words(now);
    let (ahead, number) = match short.strip_prefix('+') {
        Some(number) => (true, number),
        None => (false, &*short),
    };
    let split = number.len().saturating_sub(1);
    let (number, unit) = number.split_at_checked(split).unwrap_or((number, ""));
    let unit = match unit {
        "m" => "minute",
        "h" => "hour",
        "d" => "day",
        "w" if number != "no" => "week",
        "M" => "month",
        "y" => "year",
        _ => return "just now".to_owned(),
    };
    let plural = if number == "1" { "" } else { "s" };
    if ahead {
        format!("in {number} {unit}{plural}")
    } else {
        format!("{number} {unit}{plural} ago")
    }
}
