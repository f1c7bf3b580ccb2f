//! Pieces of rows that are made into memories while the next ones are read.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::memory::Memory;

/// Pieces of rows that are made into memories while the next ones are read.
pub(super) struct Pieces {
    /// Where what was made goes, with the number of its piece.
    pub sender: Sender<(usize, Vec<Memory>)>,
    made: Receiver<(usize, Vec<Memory>)>,
    /// Those that came before an earlier one.
    waiting: BTreeMap<usize, Vec<Memory>>,
    /// How many are begun.
    pub begun: usize,
    taken: usize,
}

/// Pieces that are read ahead of those that are made.
const AHEAD: usize = 4;

impl Default for Pieces {
    fn default() -> Self {
        let (sender, made) = channel();
        Self {
            sender,
            made,
            waiting: BTreeMap::new(),
            begun: 0,
            taken: 0,
        }
    }
}

impl Pieces {
    /// The next piece, in order: waited for at the end, or where too many are begun.
    pub fn next(&mut self, ended: bool) -> Option<Vec<Memory>> {
        while self.taken < self.begun {
            if let Some(made) = self.waiting.remove(&self.taken) {
                self.taken += 1;
                return Some(made);
            }
            let waits = ended || self.begun - self.taken > AHEAD;
            let (number, made) = if waits {
                self.made.recv().ok()?
            } else {
                self.made.try_recv().ok()?
            };
            self.waiting.insert(number, made);
        }
        None
    }
}
