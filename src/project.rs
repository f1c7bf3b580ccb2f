//! Facts about the repository around a store, and the sample project.

pub mod demo;
pub mod git;
pub mod history;
pub mod programs;
mod records;
pub mod revision;
pub mod staging;
pub mod versions;
mod worktree;
