//! The functions of the commands, and their conditions.

pub mod convert;
pub mod edits;
pub mod history;
pub mod links;
pub mod moves;
pub mod pairs;
pub mod picks;
pub mod promote;
pub mod review;
pub mod texts;
pub mod themes;
pub mod views;
pub mod when;
