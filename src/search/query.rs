//! The query language: words, `field:value`, and how they combine.

use std::ops::Range;

use crate::memory::{Memory, Schema, Timestamp};

/// What is known of a memory beside its own text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The rules that found something, each once.
    pub findings: Box<[&'static str]>,
    /// New since the last commit.
    pub new: bool,
}

/// A parsed query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {}

/// What is wrong with a query, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// The bytes of the query it is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// The nearest right form.
    pub hint: Option<String>,
}

impl Query {
    /// Reads a query; fields are those of the schemas and the contract's own.
    pub fn parse(_text: &str, _schemas: &[&'static Schema]) -> Result<Self, QueryError> {
        Ok(Self {})
    }
    /// Whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        true
    }
    /// The parts of a shown text (title, tag) that the query's words match, as ranges of characters.
    pub fn highlights(&self, _text: &str) -> Vec<Range<usize>> {
        Vec::new()
    }
    /// Whether a memory matches, without ranking. `body` is looked at where it is given.
    pub fn matches(
        &self,
        _memory: &Memory,
        _marks: &Marks,
        _now: Timestamp,
        _body: Option<&str>,
    ) -> Option<u32> {
        None
    }
}
