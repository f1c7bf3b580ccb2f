//! The program as data: a model, messages, and an `update` that answers with effects.
//!
//! Pure.

pub mod conflict;
pub mod editor;
pub mod form;
pub mod msg;
