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
    "work log",
    "completed",
    "done",
    "previous",
    "archived",
    "removed",
    "deprecated",
    "this session",
    "last session",
    "session log",
    "session notes",
    "session summary",
    "session:",
    "postmortem",
    "post-mortem",
    "recent changes",
    "what changed",
];

/// Words that say it as all of a heading; in a longer one they may be its subject: `Session tokens`.
const OVER_ALONE: &[&str] = &["archive", "log", "logs", "session", "sessions"];

/// What ends a paragraph, and a line.
const PARAGRAPH: &[&str] = &["\n\n", "\n\r\n"];
const LINE: &[&str] = &["\n"];

/// Bytes that are read on each side of a path, of its line and of its paragraph.
const NEAR: usize = 300;
const AROUND: usize = 4_000;

/// How a text speaks of the paths in it. What is read around one of them is known for its
/// neighbours: a text may name a path ten thousand times.
pub(in crate::lint) struct Manners<'t> {
    text: &'t str,
    /// The part of the text that was read last.
    log: Option<Read>,
    /// Where the line begins that was read last, and whether the heading above a path in it says
    /// that what follows is over.
    over: (usize, bool),
}

/// A part of a text without the end of a paragraph in it.
struct Read {
    /// Where the block of [`AROUND`] bytes begins around which it was cut.
    block: usize,
    bytes: Range<usize>,
    is_log: bool,
}

impl<'t> Manners<'t> {
    /// Of this text.
    pub const fn of(text: &'t str) -> Self {
        Self {
            text,
            log: None,
            over: (0, false),
        }
    }

    /// How the text speaks of the path at these bytes.
    pub fn manner(&mut self, path: &Range<usize>) -> Manner {
        if self.is_in_log(path) {
            return Manner::Log;
        }
        let near = path.start.saturating_sub(NEAR)..path.end.saturating_add(NEAR);
        let line = self.around(path, near, LINE);
        let line = without_names(self.text.get(line).unwrap_or_default());
        if says(&line.to_lowercase(), PAST)
            || self.is_over(path.start)
            || is_refused(self.text, path)
        {
            return Manner::Record;
        }
        Manner::Directive
    }

    /// Whether the paragraph around a path is a log; of a long one the part that it stands in.
    fn is_in_log(&mut self, path: &Range<usize>) -> bool {
        let block = path.start - path.start % AROUND;
        if let Some(read) = &self.log
            && read.block == block
            && read.bytes.start <= path.start
            && path.end <= read.bytes.end
        {
            return read.is_log;
        }
        let near = block.saturating_sub(AROUND)..block.saturating_add(2 * AROUND);
        let bytes = self.around(path, near, PARAGRAPH);
        let is_log = is_log(self.text.get(bytes.clone()).unwrap_or_default());
        self.log = Some(Read {
            block,
            bytes,
            is_log,
        });
        is_log
    }

    /// Whether the last heading before a place says that what follows is over.
    fn is_over(&mut self, at: usize) -> bool {
        let (known, over) = self.over;
        let from = if known <= at { known } else { 0 };
        // With the line end that a heading stands behind.
        let new = self
            .text
            .get(from.saturating_sub(1)..at)
            .unwrap_or_default();
        let over = match heading(new) {
            Some(heading) => is_over(&heading.to_lowercase()),
            None => from > 0 && over,
        };
        let line = self.text.get(from..at).and_then(|text| text.rfind('\n'));
        self.over = (line.map_or(from, |end| from + end + 1), over);
        over
    }

    /// What stands around a path up to one of these ends, within these bytes.
    fn around(&self, path: &Range<usize>, most: Range<usize>, ends: &[&str]) -> Range<usize> {
        let edge = |mut at: usize| {
            while !self.text.is_char_boundary(at) {
                at += 1;
            }
            at
        };
        let from = edge(most.start);
        let to = edge(most.end.min(self.text.len()));
        let before = self.text.get(from..path.start).unwrap_or_default();
        let after = self.text.get(path.end..to).unwrap_or_default();
        let last = |end: &&str| Some(before.rfind(end)? + end.len());
        let start = from + ends.iter().filter_map(last).max().unwrap_or_default();
        let end = ends.iter().filter_map(|end| after.find(end)).min();
        start..end.map_or(to, |end| path.end + end)
    }
}

/// Whether a heading says that what follows is over: by a word, or as the log of one session.
fn is_over(heading: &str) -> bool {
    let bare = heading.trim_matches(|c: char| !c.is_alphanumeric());
    let numbered = bare.strip_prefix("session ");
    let numbered = numbered.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    says(heading, OVER) || OVER_ALONE.contains(&bare) || numbered
}

/// Whether a text says one of these, and not in the middle of a word.
fn says(text: &str, words: &[&str]) -> bool {
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    words.iter().any(|words| {
        let open = !words.ends_with(char::is_alphanumeric);
        text.match_indices(words).any(|(at, _)| {
            let after = text.get(at + words.len()..).unwrap_or_default();
            let before = text.get(..at).unwrap_or_default();
            ends(before.chars().next_back()) && (open || ends(after.chars().next()))
        })
    })
}

/// A line without paths, names of files and names of the code: `src/moved.rs` says nothing of
/// what was.
fn without_names(line: &str) -> String {
    let is_name = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.contains(['/', '_', '\\']) || word.contains("::") || has_ending(word)
    };
    let words = line.split(' ').filter(|word| !is_name(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a word is one of several parts with dots between them.
fn has_ending(word: &str) -> bool {
    let parts = word.rsplit_once('.');
    parts.is_some_and(|(_, end)| end.starts_with(char::is_alphabetic))
}

/// Whether a text names the path only to say what to take in its place: `use a, not b`.
fn is_refused(text: &str, path: &Range<usize>) -> bool {
    let before = text.get(..path.start).unwrap_or_default();
    let before = before.trim_end_matches(['`', '*', '"', '\'']).trim_end();
    [", not", "(not", "rather than"]
        .iter()
        .any(|words| before.ends_with(words))
}

/// The last heading of a text, as far as it goes.
fn heading(text: &str) -> Option<&str> {
    let at = text.rfind("\n#").map(|at| at + 1);
    let at = at.or_else(|| text.starts_with('#').then_some(0));
    text.get(at?..)?.lines().next()
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
            (
                "src/x.rs, legacy/moved.rs and `old_rows` are read first",
                Manner::Directive,
            ),
            (
                "The threshold of src/x.rs is 3, prefixed by a sign",
                Manner::Directive,
            ),
            (
                "# Login and session tokens\n\nRead src/x.rs",
                Manner::Directive,
            ),
            ("# Logging\n\nRead src/x.rs", Manner::Directive),
            ("# Session 12\n\nRead src/x.rs", Manner::Record),
            ("## Log\n\n- src/x.rs", Manner::Record),
            ("**Removed**: src/x.rs", Manner::Record),
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
            assert_eq!(manner(text, at), expected, "{text}");
        }
    }

    fn manner(text: &str, at: usize) -> Manner {
        Manners::of(text).manner(&(at..at + 8))
    }

    #[test]
    fn what_is_known_of_a_neighbour_changes_nothing() {
        let parts = [
            "Edit src/x.rs. ",
            "# Changelog\n\n- src/x.rs\n",
            "\n## Layout\n- src/x.rs\n",
            "\n\nfailure: cmd=make, exit=1, error='in src/x.rs'\n\n",
            "We removed src/x.rs in May.\n",
            "# Done: src/x.rs and src/x.rs\n",
            "ä é ü",
            "\n",
        ];
        let mut state = 7_usize;
        for _ in 0..200 {
            let mut text = String::new();
            for _ in 0..30 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                text.push_str(parts[(state >> 33) % parts.len()]);
            }
            let mut manners = Manners::of(&text);
            for (at, _) in text.match_indices("src/x.rs") {
                let alone = manner(&text, at);
                assert_eq!(manners.manner(&(at..at + 8)), alone, "{at} in {text}");
            }
        }
    }
}
