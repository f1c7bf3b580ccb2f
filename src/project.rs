//! Facts about the repository around a store, and the sample project.

pub(crate) mod commits;
pub mod demo;
pub mod git;
pub mod programs;
pub mod repository;
pub(crate) mod revision;
pub mod staging;
