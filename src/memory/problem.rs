//! Problems of a memory as it stands in its file.

use super::Memory;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something does not work.
    #[default]
    Error,
    /// Most of its kind are right and worth a change.
    Warning,
    /// A suggestion.
    Info,
}

impl Severity {
    /// A warning if a rule is sure enough, else a suggestion.
    pub const fn of(is_sure: bool) -> Self {
        if is_sure { Self::Warning } else { Self::Info }
    }

    /// The word of the contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Something wrong with a memory, with its place. Never a reason to drop the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The lint rule that reports it: `load-error`, `bad-date`, `missing-field`, `unknown-value`.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The problem, in a sentence without a full stop.
    pub message: Box<str>,
}

impl Problem {
    /// A problem at a line and column.
    pub fn new(
        rule: &'static str,
        severity: Severity,
        (line, column): (u32, u32),
        message: impl Into<Box<str>>,
    ) -> Self {
        Self {
            rule,
            severity,
            line,
            column,
            message: message.into(),
        }
    }

    /// An error at a line and column of a file that is not read as it was meant.
    pub fn load_error(at: (u32, u32), message: impl Into<Box<str>>) -> Self {
        Self::new("load-error", Severity::Error, at, message)
    }
}

/// Why a text is not read: the place of the fault and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TextError {
    /// The line in the text, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The problem, without the place.
    pub message: String,
}

impl TextError {
    /// An error at the beginning of a line.
    pub fn at_line(line: usize, message: impl Into<String>) -> Self {
        Self {
            line,
            column: 1,
            message: message.into(),
        }
    }

    /// The error at a byte of a text in TOML, with the key of its line where the message lacks it.
    pub fn at(text: &str, at: usize, message: &str) -> Self {
        let before = text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let start = before.len() - line.len();
        let whole = text.get(start..).and_then(|rest| rest.lines().next());
        let key = whole.and_then(|line| line.split_once('='));
        let key = key.map(|(key, _)| key.trim().trim_matches('"'));
        let key = key.filter(|key| !key.is_empty() && !message.contains("field `"));
        Self {
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            message: match key {
                Some(key) => format!("`{key}`: {message}"),
                None => message.to_owned(),
            },
        }
    }

    /// The same error for a person: the nearest known word in place of all of them.
    pub fn in_short(mut self) -> Self {
        let Some((what, known)) = self.message.split_once(", expected one of ") else {
            return self;
        };
        let word = what.rsplit('`').nth(1).unwrap_or_default();
        let known = known.split('`').skip(1).step_by(2);
        let likeness = |known: &str| strsim::jaro_winkler(word, known);
        self.message = match known.max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
            Some(near) if likeness(near) > 0.8 => format!("{what}; did you mean `{near}`?"),
            _ => format!("{what}; docs/own-formats.md names the known ones"),
        };
        self
    }
}

/// The lines of a conflict that git leaves in a file, in order.
const MARKERS: [&[u8]; 3] = [b"<<<<<<< ", b"=======", b">>>>>>> "];

/// The line of the first conflict in a file, from 1; one that a fenced block quotes is none.
fn conflict(bytes: &[u8]) -> Option<u32> {
    memchr::memmem::find(bytes, b"<<<<<<< ")?;
    let (mut first, mut seen, mut fenced) = (None, 0, false);
    for (n, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        fenced ^= line.starts_with(b"```");
        let is_next = |mark: &&[u8]| !fenced && line.starts_with(mark);
        if MARKERS.get(seen).is_some_and(is_next) {
            first = first.or(Some(n));
            seen += 1;
            if seen == MARKERS.len() {
                return first;
            }
        }
    }
    None
}

/// Reports the conflict markers of a file as its one problem, in place of what follows from them.
pub fn report_conflict<'m>(bytes: &[u8], memories: impl Iterator<Item = &'m mut Memory>) {
    let Some(line) = conflict(bytes) else {
        return;
    };
    let mut all: Vec<_> = memories.collect();
    all.iter_mut().for_each(|one| one.problems = Box::default());
    let at = all.iter().rposition(|memory| memory.line <= line);
    if let Some(memory) = all.get_mut(at.unwrap_or(0)) {
        let message = "the file has conflict markers: resolve them, then review";
        memory.problems = Box::new([Problem::load_error((line, 1), message)]);
    }
}

#[cfg(test)]
mod tests {
    use super::conflict;

    #[test]
    fn only_whole_conflicts_outside_of_fences_count() {
        let mark = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n";
        assert_eq!(conflict(format!("title\n{mark}").as_bytes()), Some(2));
        assert_eq!(conflict(mark.replace('\n', "\r\n").as_bytes()), Some(1));
        assert_eq!(conflict(format!("```\n{mark}```\n").as_bytes()), None);
        assert_eq!(conflict(b"<<<<<<< HEAD\nTitle\n=======\n"), None);
    }
}
