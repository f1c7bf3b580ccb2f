//! Resolves fixes to changes in the bytes of files.

use std::fs;

use crate::cli::prelude::*;
use crate::curate::FileChange;
use crate::lint::Fix;
use crate::store::collection::concerned;

/// Bytes of files that are read, parsed and compared to spell fixes out: some ten seconds of work.
/// A fix in a file with other memories costs all of that file, so without an end the fixes of one
/// file of 20 MB would take an hour.
const MOST: u64 = 512 << 20;

/// Resolves fixes one after the other, each among the memories that it concerns.
pub struct Resolver<'a> {
    ws: &'a Workspace,
    memories: &'a Snapshot,
    /// Bytes read so far.
    spent: u64,
    /// Number of fixes that are not spelled out: that would take too long.
    pub left_out: usize,
}

impl<'a> Resolver<'a> {
    /// For fixes of these memories.
    pub fn new(ws: &'a Workspace, memories: &'a Snapshot) -> Self {
        Self {
            ws,
            memories,
            spent: 0,
            left_out: 0,
        }
    }

    /// The unified diff of a fix; none if it cannot be made.
    pub fn diff(&mut self, fix: &Fix) -> Option<String> {
        let collection = &self.ws.collection;
        let memory = self.memories.get(fix.memory)?;
        if self.spent > MOST {
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
