//! The store: what a load gives, edits byte for byte, the journal, other programs at the same
//! files, and crashes.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails, and its parts need no documentation"
)]

mod appear;
mod crash;
mod edits;
mod fixes;
mod golemcore;
mod journal;
mod load;
mod place;
mod races;
