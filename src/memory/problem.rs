//! What is wrong with a memory as it stands in its file.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something does not work.
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
    /// What is wrong, in a sentence without a full stop.
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
}
