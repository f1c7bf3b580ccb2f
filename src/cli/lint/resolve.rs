//! Resolves fixes to changes in the bytes of files.

use std::collections::HashMap;
use std::fs;

use crate::cli::prelude::*;
use crate::curate::FileChange;
use crate::lint::Fix;
use crate::store::collection::concerned;

/// Bytes of files that are read, parsed and compared to spell fixes out: some ten seconds of work.
/// A fix in a file with other memories costs all of that file, so without an end the fixes of one
/// file of 20 MB would take an hour.
const MOST: u64 = 512 << 20;
/// Fixes of one memory that are spelled out: each is planned on all of it.
const MOST_OF_ONE: usize = 100;

/// Resolves fixes one after the other, each among the memories that it concerns.
pub struct Resolver<'a> {
    ws: &'a Workspace,
    memories: &'a Snapshot,
    /// Bytes read so far.
    spent: u64,
    left_out: usize,
    /// Number of resolved fixes of each memory, by its index.
    of_memory: HashMap<usize, usize>,
}

impl<'a> Resolver<'a> {
    /// For fixes of these memories.
    pub fn new(ws: &'a Workspace, memories: &'a Snapshot) -> Self {
        Self {
            ws,
            memories,
            spent: 0,
            left_out: 0,
            of_memory: HashMap::new(),
        }
    }

    /// The fixes that were not spelled out, for that would have taken too long.
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// The unified diff of a fix; none if it cannot be made.
    pub fn diff(&mut self, fix: &Fix) -> Option<String> {
        let collection = &self.ws.collection;
        let memory = self.memories.get(fix.memory)?;
        let count = self.of_memory.entry(fix.memory).or_default();
        *count += 1;
        if self.spent > MOST || *count > MOST_OF_ONE {
            self.left_out += 1;
            return None;
        }
        let concerned = match fix.change {
            Change::Rename { .. } | Change::Merge { .. } => concerned(&fix.change, self.memories),
            _ => vec![memory.clone()],
        };
        let change = Change::Fix(vec![fix.change.clone()]);
        let plan = collection.plan(&change, &concerned, self.ws.now).ok()?;
        let rewritten = plan.changes.iter().filter_map(FileChange::rewritten);
        let rewritten = rewritten.filter_map(|path| Some(fs::metadata(path).ok()?.len()));
        self.spent += rewritten.sum::<u64>();
        Some(String::from_utf8_lossy(&self.ws.diff(&plan)).into_owned())
    }
}
