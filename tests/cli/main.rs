//! The command line: the real binary on small stores, its whole output, errors and exit codes.
#![cfg(test)]

#[macro_use]
#[path = "../support/rows.rs"]
mod rows;

#[path = "../support/program.rs"]
mod program;
#[path = "../support/ran.rs"]
mod ran;
#[path = "../support/repository.rs"]
mod repository;

mod answers;
mod ask;
mod ask_forms;
mod bad_input;
mod bytes;
mod changes;
mod check;
mod convert;
mod diffs;
mod doctor;
mod extract;
mod fixes;
mod formats;
mod fresh;
mod golemcore;
mod health;
mod history;
mod hook;
mod ids;
mod lint;
mod loaders;
mod mcp;
mod mentions;
mod merge_driver;
mod merging;
mod native;
mod nothing;
mod place;
mod plain;
mod promote;
mod prune;
mod ralph;
mod reading;
mod review;
mod sessions;
mod settings;
mod shells;
mod silence;
mod stale;
mod systems;
mod team_formats;
mod tidy;
mod together;
mod traps;
#[cfg(unix)]
mod trust;
mod turns;
mod undo;
mod used;
