//! Errors as people and scripts see them: what, where, what to do, and an exit code.

use std::io;
use std::path::PathBuf;

use super::exit;
use super::output::note;
use crate::store::StoreError;
use crate::store::discover::DiscoverError;

/// Why a command failed.
#[derive(Debug)]
pub enum Error {
    /// Wrong use, bad input, or something refused.
    Report(Report),
    /// Standard output could not be written.
    Output(io::Error),
}

/// One clear error.
#[derive(Debug)]
pub struct Report {
    what: String,
    place: Option<String>,
    hint: Option<String>,
    /// The path that was given and is not there.
    missing: Option<PathBuf>,
    code: u8,
}

impl Error {
    fn with_code(what: impl Into<String>, code: u8) -> Self {
        Self::Report(Report {
            what: what.into(),
            place: None,
            hint: None,
            missing: None,
            code,
        })
    }

    /// Wrong use or bad input.
    pub fn wrong(what: impl Into<String>) -> Self {
        Self::with_code(what, exit::WRONG)
    }

    /// Nothing found, or no such memory.
    pub fn nothing(what: impl Into<String>) -> Self {
        Self::with_code(what, exit::NOTHING)
    }

    /// Refused because of what another program did.
    pub fn refused(what: impl Into<String>) -> Self {
        Self::with_code(what, exit::REFUSED)
    }

    /// The error with what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Self::Report(report) = &mut self {
            report.hint = Some(hint.into());
        }
        self
    }

    /// The error with its place: `file:line:column`.
    pub fn place(mut self, place: impl Into<String>) -> Self {
        if let Self::Report(report) = &mut self {
            report.place = Some(place.into());
        }
        self
    }

    /// Where it is, what is wrong and what to do about it, in a line.
    pub fn in_a_line(&self) -> String {
        match self {
            Self::Output(error) => error.to_string(),
            Self::Report(report) => {
                let parts = [
                    report.place.as_ref(),
                    Some(&report.what),
                    report.hint.as_ref(),
                ];
                let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
                parts.join(": ")
            }
        }
    }

    /// The name of the path that was given and is not there, where that is what is wrong.
    pub fn missing(&self) -> Option<&str> {
        match self {
            Self::Report(report) => report.missing.as_ref()?.file_name()?.to_str(),
            Self::Output(_) => None,
        }
    }

    /// The exit code of the contract.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Report(report) => report.code,
            Self::Output(_) => exit::WRONG,
        }
    }

    /// Says it on standard error.
    pub fn report(&self) {
        match self {
            Self::Output(error) => note(&format!("error: cannot write: {error}")),
            Self::Report(Report {
                what, place, hint, ..
            }) => {
                note(&format!("error: {what}"));
                if let Some(place) = place {
                    note(&format!("  --> {place}"));
                }
                if let Some(hint) = hint {
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

impl From<clap::Error> for Error {
    /// What the parser of arguments found, in the words of all errors.
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

impl From<DiscoverError> for Error {
    fn from(error: DiscoverError) -> Self {
        let hint = error.hint();
        let mut report = Self::wrong(error.to_string()).hint(hint);
        if let (Self::Report(report), DiscoverError::Missing(path)) = (&mut report, error) {
            report.missing = Some(path);
        }
        report
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let what = error.to_string();
        match error {
            StoreError::Later(_) => Self::refused(what).hint("nothing was written"),
            StoreError::Changed(_) => {
                Self::refused(what).hint("look at it again; nothing was written")
            }
            StoreError::Locked(_) | StoreError::Busy(_) => {
                Self::refused(what).hint("try again; nothing was written")
            }
            StoreError::Exists(_) => {
                Self::wrong(what).hint("choose another name; nothing was written")
            }
            StoreError::Doubtful(_) => Self::wrong(what).hint("--yes does it all the same"),
            StoreError::Settings {
                path,
                line,
                column,
                why,
            } => Self::wrong(format!("the settings cannot be read: {why}"))
                .place(format!("{}:{line}:{column}", path.display()))
                .hint("put it right, or take the file away"),
            StoreError::Part(_) => Self::wrong(what).hint("start memkeep again"),
            StoreError::Edit(_) | StoreError::Refused(_) | StoreError::Io { .. } => {
                Self::wrong(what).hint("nothing was written")
            }
        }
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
