//! RUM's databases: reading them whatever is wrong, recall, and changes to rows.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod broken;
mod place;
mod read;
mod recall;
mod write;
