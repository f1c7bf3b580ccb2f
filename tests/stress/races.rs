//! Another program writes files between reading and saving, and takes Ralph's lock.

use crate::racing::{deletes, keeps_writing, locks, two_processes, writes_between};

/// So many rounds of each race; their moments are those of the machine, not of a seed.
pub fn run(rounds: u64, _seed: u64) {
    two_processes(rounds.div_ceil(8));
    keeps_writing(rounds);
    writes_between(rounds);
    deletes(rounds);
    locks(rounds.div_ceil(4));
}
