//! The store: what a load gives, edits byte for byte, the journal, other programs at the same
//! files, and crashes.
#![cfg(test)]

mod crash;
mod edits;
mod fixes;
mod golemcore;
mod journal;
mod load;
mod place;
mod races;
