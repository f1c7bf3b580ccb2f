//! The functions of the commands, and their conditions.

pub mod edits;
pub mod moves;
pub mod picks;
pub mod promote;
pub mod review;
pub mod texts;
pub mod views;
pub mod when;
