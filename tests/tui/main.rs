//! Keys in, screens out: the whole program but the world, which is a small fake.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails, and its parts need no documentation"
)]

mod filter;
mod findings;
mod fixtures;
mod harness;
mod journeys;
mod keys;
mod links;
mod rebinding;
mod screens;
mod stores;
mod world;
