//! Errors as people and scripts see them: printed with place and hint, and an exit code.

use std::io;

use itertools::Itertools as _;

use super::exit;
use super::output::note;
pub use crate::workspace::{Error, Kind, Result};

impl Error {
    /// The exit code of the contract.
    pub const fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Nothing => exit::NOTHING,
            Kind::Refused => exit::REFUSED,
            Kind::Wrong | Kind::Missing(_) | Kind::Output(_) => exit::WRONG,
        }
    }

    /// Prints it on standard error.
    pub fn report(&self) {
        note(&format!("error: {}", self.what));
        if let Some(place) = &self.place {
            note(&format!("  --> {place}"));
        }
        if let Some(hint) = &self.hint {
            note(&format!("hint: {hint}"));
        }
    }

    /// True if nobody reads standard output any more.
    pub fn is_closed_pipe(&self) -> bool {
        self.kind == Kind::Output(io::ErrorKind::BrokenPipe)
    }
}

impl From<io::Error> for Error {
    /// Standard output could not be written.
    fn from(error: io::Error) -> Self {
        Self::new(Kind::Output(error.kind()), format!("cannot write: {error}"))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl From<clap::Error> for Error {
    /// The error of the parser of arguments, in the form of all errors.
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let parts: Vec<&str> = text.split("\n\n").map(str::trim).collect();
        let after = |name: &str| parts.iter().find_map(|part| part.strip_prefix(name));
        let mut lines = parts.first().copied().unwrap_or_default().lines();
        let mut what: Vec<&str> = Vec::new();
        let values = lines.by_ref().map(str::trim).find_map(|line| {
            let values = line.strip_prefix("[possible values: ");
            what.extend(values.is_none().then_some(line));
            values.map(|values| format!("one of {}", values.trim_end_matches(']')))
        });
        let is_conflict = error.kind() == clap::error::ErrorKind::ArgumentConflict;
        let hint = match after("tip: ") {
            _ if is_conflict => "leave one of them out".to_owned(),
            Some(tip) => tip.to_owned(),
            None => {
                values.unwrap_or_else(|| after("Usage: ").unwrap_or("memkeep --help").to_owned())
            }
        };
        Self::wrong(what.join(" ")).hint(hint.lines().map(str::trim).join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

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
