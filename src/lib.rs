//! memkeep: a person decides what coding agents remember.

pub mod memory;
