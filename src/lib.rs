//! memkeep: a person decides what coding agents remember.

pub mod app;
pub mod cli;
pub mod config;
pub mod curate;
pub mod lint;
pub mod memory;
pub mod project;
pub mod retrieval;
pub mod run;
pub mod search;
pub mod store;
pub mod term;
pub mod ui;
