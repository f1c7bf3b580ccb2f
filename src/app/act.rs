//! The functions of the commands, and their conditions.

pub mod edits;
pub mod moves;
pub mod when;
pub mod windows;
