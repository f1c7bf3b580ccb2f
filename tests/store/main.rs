//! The store: what a load gives, edits byte for byte, the journal, other programs at the same
//! files, and crashes.
#![cfg(test)]

#[path = "../support/program.rs"]
mod program;

#[path = "../support/ground.rs"]
mod ground;
#[path = "../support/kills.rs"]
mod kills;
#[path = "../support/races.rs"]
mod racing;
#[path = "../support/users.rs"]
mod users;

mod appear;
mod convert;
mod crash;
mod edits;
mod faults;
mod fixes;
mod golemcore;
mod homes;
mod journal;
mod links;
mod load;
mod place;
mod races;
mod reorder;
mod round_trips;
mod unread;
