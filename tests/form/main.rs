//! The field editor, the text editor and the conflict view: key strings against edits and whole
//! screens.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail as a test does"
)]

mod common;
mod conflicts;
mod fields;
mod random;
mod ranking;
mod screens;
mod text;
