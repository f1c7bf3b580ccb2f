//! Ralph's file as Ralph reads it and as it is written, edits without loss, and what is injected.
#![cfg(test)]

#[macro_use]
#[path = "../support/rows.rs"]
mod rows;

mod edits;
mod inject;
mod oracle;
mod real;
mod soup;
