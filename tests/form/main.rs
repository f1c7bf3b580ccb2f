//! The field editor, the text editor and the conflict view: key strings against edits and whole
//! screens.

mod common;
mod fields;
mod random;
mod screens;
mod text;
