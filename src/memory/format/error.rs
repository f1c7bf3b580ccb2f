//! Why a table cannot be read.

/// Why a table is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The problem, with the key.
    pub message: String,
}

impl TableError {
    /// The error at a byte of a table, with the key of its line where the message lacks it.
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
    pub fn in_short(self) -> Self {
        Self {
            message: nearest(&self.message),
            ..self
        }
    }
}

/// A message that lists all known words, with the nearest one in their place.
fn nearest(message: &str) -> String {
    let Some((what, known)) = message.split_once(", expected one of ") else {
        return message.to_owned();
    };
    let word = what.rsplit('`').nth(1).unwrap_or_default();
    let known = known.split('`').skip(1).step_by(2);
    let likeness = |known: &str| strsim::jaro_winkler(word, known);
    match known.max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
        Some(near) if likeness(near) > 0.8 => format!("{what}; did you mean `{near}`?"),
        _ => format!("{what}; docs/own-formats.md names the known ones"),
    }
}
