//! Ralph's file as Ralph reads it and as it is written, edits without loss, and what is injected.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod edits;
mod inject;
mod oracle;
mod real;
mod soup;
