//! The query language, one grammar for the list pane and the command line, and the fuzzy
//! matching behind it.
//!
//! ```text
//! auth cache            both words, fuzzily, each in the title, a tag, the id or the text
//! 'auth ^auth auth$     exactly; at the beginning; at the end
//! !auth                 not: `!'auth`, `!^auth`, `!auth$` and `!field:value` too
//! auth | login          either; binds tighter than a blank
//! "two words" two\ words     a blank in a word; a mark after `\` is a plain character
//! tag:auth,jwt          any of these; `tag:auth*` what begins so
//! importance:>=high     in the order of the format; numbers and dates too
//! created:<30d          younger than (m h d w M y); `created:2026-03`, `updated:>=2026-01-15`
//! has:finding has:stale-path has:body has:whenToUse     is:invisible is:new is:caution
//! ```
//!
//! An upper-case letter makes a word, and an accent a letter, match as typed only; the command
//! `search` takes words in any case.
//!
//! **Rank.** A memory with all words without gaps comes before one that has the letters of a word
//! scattered only, which is *loose*. Then whole words of a title, tag or id come before
//! beginnings of words, and those before what stands inside of one or in the text only. Then a
//! title that is the query's words, or begins with them, comes first, then words in the title
//! before those in a tag or the id; nucleo's points decide the rest. Fields do not rank.
//!
//! Pure.

pub mod filter;
pub mod query;
#[cfg(test)]
pub(crate) mod tests;
mod word;

pub use filter::{Hit, filter};
pub use query::{Marks, Query, QueryError};
pub use word::is_loose;
