//! The command line: the real binary on small stores, its whole output, errors and exit codes.
#![cfg(test)]

mod bad_input;
mod bytes;
mod changes;
mod diffs;
mod golemcore;
mod ids;
mod lint;
mod place;
mod ralph;
mod reading;
mod stale;
