//! What the model looks like: panes, Markdown, themes. The view reads the model and returns; it
//! changes nothing.
//!
//! Pure.

pub mod markdown;
pub mod safe;
pub mod theme;
