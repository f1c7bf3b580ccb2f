//! The command line: the real binary on small stores, its whole output, errors and exit codes.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails, and its parts need no documentation"
)]

mod bad_input;
mod bytes;
mod changes;
mod diffs;
mod golemcore;
mod health;
mod ids;
mod lint;
mod place;
mod ralph;
mod reading;
mod stale;
