//! What is seen: reads the model and draws, changes nothing.
//!
//! Pure.

pub mod form;
pub mod look;
pub mod safe;
pub mod theme;
