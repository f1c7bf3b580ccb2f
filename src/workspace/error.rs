//! The error of a question to a workspace; exit codes are the command line's.

use std::io;
use std::path::PathBuf;

use crate::config::ConfigError;
use crate::project::git::GitError;
use crate::store::StoreError;
use crate::store::discover::DiscoverError;

/// Kinds of errors that a caller tells apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Wrong use or bad input.
    Wrong,
    /// Nothing found, or no such memory.
    Nothing,
    /// Refused because of another program's change.
    Refused,
    /// A path that was given and does not exist.
    Missing(PathBuf),
    /// Standard output could not be written.
    Output(io::ErrorKind),
}

/// Result of a question to a workspace.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with its place and a hint.
#[derive(Clone, Debug)]
pub struct Error {
    /// Its kind.
    pub kind: Kind,
    /// Its message.
    pub what: String,
    /// `file:line:column`.
    pub place: Option<String>,
    /// Advice for the person.
    pub hint: Option<String>,
}

impl Error {
    /// An error of a kind, without place and hint.
    pub fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
            place: None,
            hint: None,
        }
    }

    /// Wrong use or bad input.
    pub fn wrong(what: impl Into<String>) -> Self {
        Self::new(Kind::Wrong, what)
    }

    /// Nothing found, or no such memory.
    pub fn nothing(what: impl Into<String>) -> Self {
        Self::new(Kind::Nothing, what)
    }

    /// The error with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The error with its place: `file:line:column`.
    #[must_use]
    pub fn place(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Place, message and hint in a line.
    pub fn in_a_line(&self) -> String {
        let parts = [self.place.as_ref(), Some(&self.what), self.hint.as_ref()];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join(": ")
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        Self::wrong(error.to_string()).place(error.place())
    }
}

impl From<DiscoverError> for Error {
    fn from(error: DiscoverError) -> Self {
        let (what, hint) = (error.to_string(), error.hint());
        let kind = match error {
            DiscoverError::Missing(path) => Kind::Missing(path),
            _ => Kind::Wrong,
        };
        Self::new(kind, what).hint(hint)
    }
}

impl From<GitError> for Error {
    fn from(error: GitError) -> Self {
        let hint = error.hint().map(str::to_owned);
        Self {
            hint,
            ..Self::wrong(error.to_string())
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let what = error.to_string();
        let refused = |hint: &str| Self::new(Kind::Refused, what.clone()).hint(hint);
        let wrong = |hint: &str| Self::wrong(what.clone()).hint(hint);
        match error {
            StoreError::Later(_) => refused("nothing was written"),
            StoreError::Changed(_) => refused("look at it again; nothing was written"),
            StoreError::Locked(_) | StoreError::Busy(_) => {
                refused("try again; nothing was written")
            }
            StoreError::Exists(_) => wrong("choose another name; nothing was written"),
            StoreError::Doubtful(_) => wrong("--yes does it all the same"),
            StoreError::Settings {
                path,
                line,
                column,
                why,
            } => Self::wrong(format!("the settings cannot be read: {why}"))
                .place(format!("{}:{line}:{column}", path.display()))
                .hint("put it right, or take the file away"),
            StoreError::Git(error) => error.into(),
            StoreError::Part(_) => wrong("start memkeep again"),
            _ => wrong("nothing was written"),
        }
    }
}

/// The error of a configuration that cannot be read, with its place.
pub fn unread(error: &StoreError) -> String {
    match error {
        StoreError::Settings { line, column, .. } => {
            format!("{error} (line {line}, column {column})")
        }
        error => error.to_string(),
    }
}
