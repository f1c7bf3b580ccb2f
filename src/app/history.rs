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
    /// Its title, in the past tense.
    pub title: String,
    /// Its state.
    pub state: State,
}

/// The state of a change.
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
    let number = short.trim_start_matches('+');
    let count = number.trim_end_matches(char::is_alphabetic);
    let unit = match number.strip_prefix(count) {
        Some("m") => "minute",
        Some("h") => "hour",
        Some("d") => "day",
        Some("w") => "week",
        Some("M") => "month",
        Some("y") => "year",
        _ => return "just now".to_owned(),
    };
    let plural = if count == "1" { "" } else { "s" };
    match short.starts_with('+') {
        true => format!("in {count} {unit}{plural}"),
        false => format!("{count} {unit}{plural} ago"),
    }
}
