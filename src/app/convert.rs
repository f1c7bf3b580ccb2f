//! Stores that memories can be copied to, and the ways to promote one.

pub use crate::curate::promote::{Target, Way};
