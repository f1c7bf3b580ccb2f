//! The store: what a load gives, edits byte for byte, the journal, other programs at the same
//! files, and crashes.
#![cfg(test)]

#[path = "../support/program.rs"]
mod program;

mod crash;
mod edits;
mod fixes;
mod golemcore;
mod journal;
mod load;
mod place;
mod races;
