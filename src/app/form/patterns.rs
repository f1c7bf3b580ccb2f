//! How patterns are read and what they match, while they are typed.

use crate::memory::Value;
use crate::retrieval::{Match, dead_globs};

/// The matcher of a policy, as much of it as the field editor needs.
pub trait PatternReader: Send + Sync {
    /// Matches of a pattern in tasks.
    fn find(&self, pattern: &str, task: &str) -> Option<Match>;

    /// How a pattern is read, whether or not it matches.
    fn kind(&self, pattern: &str) -> &'static str {
        how_read(pattern)
    }

    /// The problems of a pattern, a sentence each.
    fn problems(&self, _pattern: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Reads patterns that are not matched against tasks: globs of a dialect, or words.
pub(super) struct Plain {
    /// The dialect of the globs; empty if there is none.
    pub dialect: &'static str,
    /// The kind of pattern that is shown; empty if it is read from the pattern.
    pub kind: &'static str,
}

impl PatternReader for Plain {
    fn find(&self, _pattern: &str, _task: &str) -> Option<Match> {
        None
    }

    fn kind(&self, pattern: &str) -> &'static str {
        match self.kind {
            "" => how_read(pattern),
            kind => kind,
        }
    }

    fn problems(&self, pattern: &str) -> Vec<String> {
        let dead = dead_globs(self.dialect, &Value::from(pattern)).into_iter();
        dead.map(|(_, why)| why).collect()
    }
}

/// The order in which rawko's matcher looks at a pattern.
fn how_read(pattern: &str) -> &'static str {
    if pattern.contains('|') {
        "alternative"
    } else if pattern.contains(['*', '?']) {
        "wildcard"
    } else if pattern.contains('.') && pattern.contains('{') {
        "regex"
    } else if pattern.trim().contains(char::is_whitespace) {
        "phrase"
    } else {
        "substring"
    }
}

/// The reading of a pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// How it is read: `alternative`, `wildcard`, `regex`, `substring` or `phrase`.
    pub kind: &'static str,
    /// For each sample task the part of it that the pattern matches.
    pub hits: Vec<Option<String>>,
    /// Its problems.
    pub problems: Vec<String>,
}

impl Reading {
    /// Reads a pattern against the sample tasks.
    pub(super) fn new(pattern: &str, tasks: &[Box<str>], reader: &dyn PatternReader) -> Self {
        let found = tasks.iter().map(|task| reader.find(pattern, task));
        let found: Vec<Option<Match>> = found.collect();
        let first = found.iter().flatten().next();
        let kind = first.map_or_else(|| reader.kind(pattern), |hit| hit.kind);
        Self {
            kind,
            hits: found.into_iter().map(|hit| hit.map(|m| m.hit)).collect(),
            problems: reader.problems(pattern),
        }
    }

    /// Number of sample tasks that it matches.
    pub fn count(&self) -> usize {
        self.hits.iter().flatten().count()
    }
}
