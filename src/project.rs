//! Facts about the repository around a store, and the sample project.

pub mod commits;
pub mod demo;
pub mod git;
pub mod programs;
mod records;
pub mod repository;
pub mod revision;
pub mod staging;
