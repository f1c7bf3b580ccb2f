//! What fixes come to in the bytes of files.

use std::cell::OnceCell;

use crate::cli::session::Session;
use crate::curate::{Change, FileChange};
use crate::lint::report::{Replacement, Resolve, Resolved};
use crate::lint::{Fix, FixAction};
use crate::retrieval::Snapshot;
use crate::store::collection::Naming;

/// Resolves fixes one after the other. Another name concerns the memories that say it; they are
/// looked up, for to look among all of them for each fix takes hours in a large store.
pub struct Resolver<'a> {
    session: &'a Session,
    memories: &'a Snapshot,
    naming: OnceCell<Naming<'a>>,
}

impl<'a> Resolver<'a> {
    /// For fixes of these memories.
    pub const fn new(session: &'a Session, memories: &'a Snapshot) -> Self {
        Self {
            session,
            memories,
            naming: OnceCell::new(),
        }
    }
}

impl Resolve for Resolver<'_> {
    /// What a fix changes in which bytes; nothing where it cannot be made.
    fn resolve(&self, fix: &Fix) -> Option<Resolved> {
        let (session, memories) = (self.session, self.memories);
        let memory = memories.get(fix.memory)?;
        let concerned = match fix.action {
            FixAction::Rename(_) => {
                let naming = self.naming.get_or_init(|| Naming::of(memories));
                naming.concerned(memory)
            }
            FixAction::Merge(ref with) => {
                let naming = self.naming.get_or_init(|| Naming::of(memories));
                let with = memories.iter().find(|memory| memory.id == *with)?;
                let mut concerned = naming.concerned(with);
                concerned.push(memory.clone());
                concerned
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
