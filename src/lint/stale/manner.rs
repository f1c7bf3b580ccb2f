//! How a memory speaks of a path: as what to go by, of what was, or in the log of a failure.

use std::ops::Range;

/// How a memory speaks of a path. The first misleads whoever reads it now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lint) enum Manner {
    /// As something to go by.
    Directive,
    /// As something that was.
    Record,
    /// In the log of a failure or the output of a command.
    Log,
}

/// Words by which a line speaks of what was.
const PAST: &[&str] = &[
    "removed",
    "deleted",
    "moved",
    "renamed",
    "replaced",
    "superseded",
    "deprecated",
    "migrated",
    "dropped",
    "retired",
    "used to",
    "formerly",
    "previously",
    "no longer",
    "does not exist",
    "doesn't exist",
    "is gone",
    "are gone",
    "there is no ",
    "obsolete",
    "legacy",
    "was ",
    "were ",
    "had been",
    "created ",
    "added ",
    "implemented",
    "completed",
    "fixed ",
    "refactored",
    "extracted",
    "merged",
    "introduced",
    "landed",
    "verified ",
    "confirmed ",
    "updated ",
    "instead of",
    "old ",
    "originally",
    "history",
    "being phased out",
    "session:",
    "done:",
];

/// Words by which a heading says that what follows is over.
const OVER: &[&str] = &[
    "history",
    "changelog",
    "change log",
    "completed",
    "done",
    "previous",
    "archive",
    "removed",
    "deprecated",
    "session",
    "postmortem",
    "post-mortem",
    "log",
    "recent changes",
    "what changed",
];

/// Signs of a failure's log or of a command's output.
const LOG: &[&str] = &[
    "failure:",
    "exit=",
    "error=",
    "cmd=",
    "stderr",
    "panicked at",
    "traceback",
    "error[",
    "no such file",
    " at line ",
    "fail ",
    "exit code",
];

/// Bytes of a line that are read on each side of a path.
const NEAR: usize = 300;

/// How a text speaks of the path at these bytes.
pub(in crate::lint) fn manner(text: &str, path: &Range<usize>) -> Manner {
    let line = line(text, path).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| line.contains(word));
    if says(LOG) {
        return Manner::Log;
    }
    let heading = heading(text.get(..path.start).unwrap_or_default()).to_lowercase();
    if says(PAST) || OVER.iter().any(|word| heading.contains(word)) {
        return Manner::Record;
    }
    Manner::Directive
}

/// The line around a path, as far as it is worth reading.
fn line<'a>(text: &'a str, path: &Range<usize>) -> &'a str {
    let edge = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let from = edge(path.start.saturating_sub(NEAR));
    let to = edge((path.end + NEAR).min(text.len()));
    let before = text.get(from..path.start).unwrap_or_default();
    let after = text.get(path.end..to).unwrap_or_default();
    let start = before.rfind('\n').map_or(from, |at| from + at + 1);
    let end = after.find('\n').map_or(to, |at| path.end + at);
    text.get(start..end).unwrap_or_default()
}

/// The last heading of a text.
fn heading(text: &str) -> &str {
    let at = text.rfind("\n#").map(|at| at + 1);
    let at = at.or_else(|| text.starts_with('#').then_some(0));
    let line = at.and_then(|at| text.get(at..)?.lines().next());
    line.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_misleads_is_told_from_records_and_logs() {
        for (text, expected) in [
            ("Rounding is in `src/x.rs`.", Manner::Directive),
            ("# Layout\n\n- `src/x.rs`: the parser", Manner::Directive),
            ("We removed src/x.rs in May", Manner::Record),
            ("The parser was in src/x.rs", Manner::Record),
            ("# Changelog\n\n- src/x.rs", Manner::Record),
            (
                "failure: cmd=cargo fmt, exit=1, error='diff in src/x.rs'",
                Manner::Log,
            ),
            ("was removed\n\nEdit src/x.rs", Manner::Directive),
        ] {
            let at = text.find("src/x.rs").unwrap();
            assert_eq!(manner(text, &(at..at + 8)), expected, "{text}");
        }
    }
}
