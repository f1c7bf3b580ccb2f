//! The field editor, the text editor and the conflict view: key strings against edits and whole
//! screens.

#![cfg(test)]

#[macro_use]
#[path = "../support/rows.rs"]
mod rows;

mod common;
mod conflicts;
mod fields;
mod random;
mod ranking;
mod screens;
mod text;
