//! The terminal as a person has it: programs in a pseudo terminal, their screens and what they
//! leave behind.
//!
//! `terminal` tests the code that touches the terminal with a small program of its own
//! (`child`), for what cannot be asked of the real one: a panic, say. `binary` tests the real
//! one, and `traps` it in repositories that name programs.

#![cfg(unix)]
#![cfg(test)]

#[macro_use]
#[path = "../support/rows.rs"]
mod rows;

mod binary;
mod child;
mod harness;
#[path = "../support/hostile.rs"]
mod hostile;
mod nothing_raw;
mod packages;
mod pictures;
#[expect(
    dead_code,
    reason = "the screen is shown a repository, and no folder that is one itself"
)]
#[path = "../support/repository.rs"]
mod repository;
mod svg;
mod terminal;
mod traps;
