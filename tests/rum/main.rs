//! RUM's databases: reading them whatever is wrong, recall, and changes to rows.
#![cfg(test)]

#[macro_use]
#[path = "../support/rows.rs"]
mod rows;

#[path = "../support/program.rs"]
mod program;
#[path = "../support/ran.rs"]
mod ran;

mod broken;
mod ends;
mod entries;
mod form;
mod place;
mod read;
mod recall;
mod stale;
mod write;
