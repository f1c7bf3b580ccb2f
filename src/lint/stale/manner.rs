//! How a memory speaks of a path: as what to go by, of what was, or in the log of a failure.

use std::ops::Range;

use crate::lint::log::is_log;

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
    "any more",
    "anymore",
    "any longer",
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

/// What ends a paragraph, and a line.
const PARAGRAPH: &[&str] = &["\n\n", "\n\r\n"];
const LINE: &[&str] = &["\n"];

/// Bytes that are read on each side of a path, of its line and of its paragraph.
const NEAR: usize = 300;
const AROUND: usize = 4_000;

/// How a text speaks of the path at these bytes.
pub(in crate::lint) fn manner(text: &str, path: &Range<usize>) -> Manner {
    if is_log(around(text, path, AROUND, PARAGRAPH)) {
        return Manner::Log;
    }
    let line = around(text, path, NEAR, LINE).to_lowercase();
    let heading = heading(text.get(..path.start).unwrap_or_default()).to_lowercase();
    let says = |words: &[&str], text: &str| words.iter().any(|word| text.contains(word));
    if says(PAST, &line) || says(OVER, &heading) || is_refused(text, path) {
        return Manner::Record;
    }
    Manner::Directive
}

/// Whether a text names the path only to say what to take in its place: `use a, not b`.
fn is_refused(text: &str, path: &Range<usize>) -> bool {
    let before = text.get(..path.start).unwrap_or_default();
    let before = before.trim_end_matches(['`', '*', '"', '\'']).trim_end();
    [", not", "(not", "rather than"]
        .iter()
        .any(|words| before.ends_with(words))
}

/// What stands around a path up to one of these ends, as far as it is worth reading.
fn around<'a>(text: &'a str, path: &Range<usize>, most: usize, ends: &[&str]) -> &'a str {
    let edge = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let from = edge(path.start.saturating_sub(most));
    let to = edge(path.end.saturating_add(most).min(text.len()));
    let before = text.get(from..path.start).unwrap_or_default();
    let after = text.get(path.end..to).unwrap_or_default();
    let last = |end: &&str| Some(before.rfind(end)? + end.len());
    let start = from + ends.iter().filter_map(last).max().unwrap_or_default();
    let end = ends.iter().filter_map(|end| after.find(end)).min();
    text.get(start..end.map_or(to, |end| path.end + end))
        .unwrap_or_default()
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
            (
                "We do not use `src/x.rs` any more; read src/y.rs.",
                Manner::Record,
            ),
            ("Read src/y.rs, not `src/x.rs`.", Manner::Record),
            ("Do not edit `src/x.rs` by hand.", Manner::Directive),
            ("# Changelog\n\n- src/x.rs", Manner::Record),
            (
                "failure: cmd=cargo fmt, exit=1, error='diff in src/x.rs'",
                Manner::Log,
            ),
            (
                "It breaks on Mondays:\r\n\r\n$ cargo build\r\nerror[E0425]: no `x`\r\n  --> src/x.rs:3:5\r\n   |\r\n\r\nUse y.",
                Manner::Log,
            ),
            (
                "Exit code 2 is for wrong use, see src/x.rs.",
                Manner::Directive,
            ),
            ("| src/x.rs | fails on a bad date |", Manner::Directive),
            ("was removed\n\nEdit src/x.rs", Manner::Directive),
        ] {
            let at = text.find("src/x.rs").unwrap();
            assert_eq!(manner(text, &(at..at + 8)), expected, "{text}");
        }
    }
}
