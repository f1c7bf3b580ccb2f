//! Other programs at the same files, at the same moment; `cargo test --test stress -- races 1000`
//! does it longer.

use crate::racing::{deletes, keeps_writing, locks, two_processes, writes_between};

#[test]
fn two_processes_keep_every_entry() {
    two_processes(12);
}

#[test]
fn a_file_written_between_reading_and_saving_is_not_overwritten() {
    writes_between(200);
}

#[test]
fn a_program_that_keeps_writing_loses_nothing() {
    keeps_writing(200);
}

#[test]
fn deleting_what_another_program_writes_deletes_nothing_of_theirs() {
    deletes(100);
}

#[test]
fn ralphs_lock_is_kept() {
    locks(10);
}
