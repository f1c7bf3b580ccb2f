//! What fixes come to in the bytes of files.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::cli::session::Session;
use crate::curate::{Change, FileChange};
use crate::lint::report::{Replacement, Resolve, Resolved};
use crate::lint::{Fix, FixAction};
use crate::memory::{Memory, MemoryId};
use crate::retrieval::Snapshot;
use crate::store::collection::Naming;

/// Resolves fixes one after the other. Another name and a merge concern the memories that say the
/// name; they are looked up, for to look among all of them for each fix takes hours in a large store.
pub struct Resolver<'a> {
    session: &'a Session,
    memories: &'a Snapshot,
    index: OnceCell<Index<'a>>,
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
        }
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
