//! x

pub mod retrieval;
