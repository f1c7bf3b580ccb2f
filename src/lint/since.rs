//! The time since which a memory is known to be right.

use super::repository::History;
use crate::memory::{Memory, Timestamp};

const DAY: i64 = 86_400;

/// The time since which a memory is known to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Since {
    /// Seconds since 1970; the last second of a day without a time.
    pub time: i64,
    /// The event at that time.
    pub verb: &'static str,
}

/// When a memory was last confirmed, changed or written: its own date, else that of its last commit.
pub(super) fn since(memory: &Memory, history: &History) -> Option<Since> {
    let since = |time, verb| Since { time, verb };
    let written = memory.written();
    let written = written.map(|at| since(end(at), "written"));
    let confirmed = memory.confirmed.map(|at| since(end(at), "confirmed"));
    let own = match (written, confirmed) {
        (Some(written), Some(confirmed)) if confirmed.time < written.time => Some(written),
        (written, confirmed) => confirmed.or(written),
    };
    own.or_else(|| {
        let path = memory.path.to_string_lossy().replace('\\', "/");
        let path = path.strip_prefix(&history.root)?.strip_prefix('/')?;
        let commit = history.commit_at(history.changes(path).first()?.commit)?;
        Some(since(commit.time, "committed"))
    })
}

fn end(at: Timestamp) -> i64 {
    let seconds = at.0.div_euclid(1000);
    let midnight = at.0.rem_euclid(DAY * 1000) == 0;
    if midnight { seconds + DAY - 1 } else { seconds }
}
