//! The policy `rawko` against the code of its specs: tables of inputs and outcomes, what it says
//! of those it leaves out, and what must hold for any store.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod agreement;
mod demo;
mod health;
mod helper;
mod hybrid;
mod matching;
mod prompt;
mod reasons;
mod scoring;
mod together;
