//! Errors as people and scripts see them: printed with place and hint, and an exit code.

use std::io;

use super::exit;
use super::output::note;
use crate::store::StoreError;
use crate::store::review::ReviewError;
use crate::workspace::{self, Kind};

/// The error of a command.
#[derive(Debug)]
pub enum Error {
    /// Wrong use, bad input, or something refused.
    Report(workspace::Error),
    /// Standard output could not be written.
    Output(io::Error),
}

impl Error {
    /// Wrong use or bad input.
    pub fn wrong(what: impl Into<String>) -> Self {
        Self::Report(workspace::Error::wrong(what))
    }

    /// Nothing found, or no such memory.
    pub fn nothing(what: impl Into<String>) -> Self {
        Self::Report(workspace::Error::nothing(what))
    }

    /// The error with what to do about it.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Report(report) => Self::Report(report.hint(hint)),
            other => other,
        }
    }

    /// The error with its place: `file:line:column`.
    pub fn place(self, place: impl Into<String>) -> Self {
        match self {
            Self::Report(report) => Self::Report(report.place(place)),
            other => other,
        }
    }

    /// The exit code of the contract.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Report(report) => match report.kind {
                Kind::Nothing => exit::NOTHING,
                Kind::Refused => exit::REFUSED,
                Kind::Wrong | Kind::Missing(_) => exit::WRONG,
            },
            Self::Output(_) => exit::WRONG,
        }
    }

    /// Prints it on standard error.
    pub fn report(&self) {
        match self {
            Self::Output(error) => note(&format!("error: cannot write: {error}")),
            Self::Report(report) => {
                note(&format!("error: {}", report.what));
                if let Some(place) = &report.place {
                    note(&format!("  --> {place}"));
                }
                if let Some(hint) = &report.hint {
                    note(&format!("hint: {hint}"));
                }
            }
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

impl From<workspace::Error> for Error {
    fn from(error: workspace::Error) -> Self {
        Self::Report(error)
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Report(error.into())
    }
}

impl From<ReviewError> for Error {
    fn from(error: ReviewError) -> Self {
        Self::Report(error.into())
    }
}

impl From<clap::Error> for Error {
    /// The error of the parser of arguments, in the form of all errors.
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let parts: Vec<&str> = text.split("\n\n").map(str::trim).collect();
        let what = parts.first().copied().unwrap_or_default();
        let mut lines = what.lines().map(str::trim);
        let mut what: Vec<&str> = Vec::new();
        let values = lines.find_map(|line| match line.strip_prefix("[possible values: ") {
            Some(values) => Some(values.trim_end_matches(']')),
            None => {
                what.push(line);
                None
            }
        });
        let after = |name: &str| parts.iter().find_map(|part| part.strip_prefix(name));
        let is_conflict = error.kind() == clap::error::ErrorKind::ArgumentConflict;
        let hint = match (after("tip: "), values, after("Usage: ")) {
            _ if is_conflict => "leave one of them out".to_owned(),
            (Some(tip), _, _) => tip.to_owned(),
            (None, Some(values), _) => format!("one of {values}"),
            (None, None, Some(usage)) => usage.to_owned(),
            (None, None, None) => "memkeep --help".to_owned(),
        };
        let hint = hint.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        Self::wrong(what.join(" ")).hint(hint)
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_program_did_is_refused_and_the_rest_is_wrong() {
        let path = || std::path::PathBuf::from("a.md");
        for (error, code) in [
            (StoreError::Changed(path()), 3),
            (StoreError::Locked(path()), 3),
            (StoreError::Busy(path()), 3),
            (StoreError::Later("x".to_owned()), 3),
            (StoreError::Exists(path()), 2),
            (StoreError::Doubtful("x".to_owned()), 2),
            (StoreError::Refused("x".to_owned()), 2),
        ] {
            let shown = error.to_string();
            assert_eq!(Error::from(error).exit_code(), code, "{shown}");
        }
    }
}
