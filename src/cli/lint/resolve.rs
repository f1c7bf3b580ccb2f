//! What fixes come to in the bytes of files.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

use crate::cli::session::Session;
use crate::curate::{Change, FileChange};
use crate::lint::report::{Replacement, Resolve, Resolved};
use crate::lint::{Fix, FixAction};
use crate::memory::{Memory, MemoryId};
use crate::retrieval::Snapshot;
use crate::store::collection::Naming;

/// Bytes of files that are read, parsed and compared to spell fixes out: some ten seconds of work.
/// A fix in a file with other memories costs all of that file, so without an end the fixes of one
/// file of 20 MB would take an hour.
const MOST: u64 = 512 << 20;

/// Resolves fixes one after the other. Another name and a merge concern the memories that say the
/// name; they are looked up, for to look among all of them for each fix takes hours in a large store.
pub struct Resolver<'a> {
    session: &'a Session,
    memories: &'a Snapshot,
    index: OnceCell<Index<'a>>,
    /// Bytes read so far.
    spent: Cell<u64>,
    left_out: Cell<usize>,
}

/// What is looked up.
struct Index<'a> {
    naming: Naming<'a>,
    by_id: HashMap<&'a MemoryId, &'a Arc<Memory>>,
}

impl<'a> Resolver<'a> {
    /// For fixes of these memories.
    pub const fn new(session: &'a Session, memories: &'a Snapshot) -> Self {
        Self {
            session,
            memories,
            index: OnceCell::new(),
            spent: Cell::new(0),
            left_out: Cell::new(0),
        }
    }

    /// The fixes that were not spelled out, for that would have taken too long.
    pub const fn left_out(&self) -> usize {
        self.left_out.get()
    }

    fn index(&self) -> &Index<'a> {
        self.index.get_or_init(|| Index {
            naming: Naming::of(self.memories),
            by_id: self.memories.iter().map(|one| (&one.id, one)).collect(),
        })
    }
}

impl Resolve for Resolver<'_> {
    /// What a fix changes in which bytes; nothing where it cannot be made.
    fn resolve(&self, fix: &Fix) -> Option<Resolved> {
        let (session, memories) = (self.session, self.memories);
        let memory = memories.get(fix.memory)?;
        if self.spent.get() > MOST {
            self.left_out.set(self.left_out.get() + 1);
            return None;
        }
        let concerned = match &fix.action {
            FixAction::Rename(_) => self.index().naming.concerned(memory),
            FixAction::Merge(with) => {
                let with = self.index().by_id.get(with)?;
                self.index().naming.merged(memory, with)
            }
            _ => vec![memory.clone()],
        };
        let change = Change::Fix(vec![(memory.id.clone(), fix.action.clone())]);
        let collection = &session.collection;
        let plan = collection.plan(&change, &concerned, session.now).ok()?;
        let rewritten = plan.changes.iter().filter_map(|change| match change {
            FileChange::Write { path, .. } => Some(fs::metadata(path).ok()?.len()),
            _ => None,
        });
        self.spent.set(self.spent.get() + rewritten.sum::<u64>());
        let replacements = plan.changes.iter().filter_map(|change| match change {
            FileChange::Write {
                path,
                before: Some(_),
                splice,
                ..
            } => Some(Replacement {
                path: collection.shown(path),
                offset: splice.at,
                length: splice.removed.len(),
                text: String::from_utf8(splice.inserted.clone()).ok()?,
            }),
            _ => None,
        });
        Some(Resolved {
            diff: String::from_utf8_lossy(&session.diff(&plan)).into_owned(),
            replacements: replacements.collect(),
        })
    }
}
