//! The query language, one grammar for the list pane and the command line, and the fuzzy
//! matching behind it.
//!
//! Pure.

pub mod filter;
pub mod query;

pub use filter::{Haystacks, Hit};
pub use query::{Query, QueryError};
