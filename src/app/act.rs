//! The functions of the commands, and their conditions.

pub mod edits;
pub mod moves;
pub mod promote;
pub mod review;
pub mod views;
pub mod when;
pub mod windows;
