//! Fixes by the thousand: what each of them needs to know is looked up, never searched for.

use std::cmp::Reverse;
use std::sync::Arc;

use super::planner::Planner;
use crate::curate::{Change, merge};
use crate::memory::{Memory, MemoryId, Role};
use crate::store::{FieldEdit, NewName, Request, Result, StoreError};

/// The memories of a fix, and those whose relations name the one that it renames or merges.
pub fn concerned(fix: &Change, memories: &[Arc<Memory>]) -> Vec<Arc<Memory>> {
    let find = |id: &MemoryId| memories.iter().find(|one| one.id == *id);
    let own: Vec<&Arc<Memory>> = fix.ids().into_iter().filter_map(find).collect();
    let named = match fix {
        Change::Rename { .. } | Change::Merge { .. } => own.last(),
        _ => None,
    };
    let names_it = |other: &&Arc<Memory>| {
        let is_own = || own.iter().any(|one| one.id == other.id);
        named.is_some_and(|named| merge::is_related(other, named) && !is_own())
    };
    let others = memories.iter().filter(names_it);
    own.iter().copied().chain(others).cloned().collect()
}

/// The same edits without a new update time: a fixed name does not mean that the memory holds.
fn as_old(memory: &Memory, edits: &[FieldEdit]) -> Vec<FieldEdit> {
    let schema = memory.schema;
    let own = schema.roles(Role::Updated).map(|spec| spec.name);
    let kept = own.filter(|name| {
        schema.follows.contains(name)
            && !schema.is_fixed(name)
            && edits.iter().all(|edit| edit.field_name() != *name)
    });
    let kept = kept.map(|name| {
        let field = name.to_owned();
        match memory.field(name) {
            Some(value) => FieldEdit::set(field, value.clone()),
            None => FieldEdit::Unset { field },
        }
    });
    edits.iter().cloned().chain(kept).collect()
}

impl<'a> Planner<'a> {
    /// Stages the fixes that do no harm when they are played: together, else each half by itself.
    pub fn stage_safe(&mut self, fixes: &[Change]) -> Vec<Result> {
        let before = self.overlay.clone();
        let done = self.stage_fixes(fixes);
        let both = (&before, &*self.overlay);
        let effects = self.collection.effects(both, self.memories);
        if effects.is_empty() {
            return done;
        }
        *self.overlay = before;
        match fixes.split_at(fixes.len() / 2) {
            ([], _) => vec![Err(StoreError::Refused(effects.join("; ")))],
            (first, rest) => {
                let mut done = self.stage_safe(first);
                done.extend(self.stage_safe(rest));
                done
            }
        }
    }

    /// Stages fixes, each of them wholly or not at all, and says what came of each.
    pub fn stage_fixes(&mut self, fixes: &[Change]) -> Vec<Result> {
        let lists = fixes.iter().filter_map(|fix| match fix {
            Change::Unlist(_, gone) => Some(gone),
            _ => None,
        });
        let gone: Vec<_> = lists.flatten().cloned().collect();
        let unlisted = self.attempt(|planner| planner.stage_decisions(&gone, Vec::new()));
        let unlisted = unlisted.map_err(|error| error.to_string());
        // Entries are removed from the end of their file: the positions of the others stay right.
        let mut order: Vec<(usize, &Change)> = fixes.iter().enumerate().collect();
        order.sort_by_key(|(_, fix)| {
            let archives = matches!(fix, Change::Archive(_));
            let memory = fix.fixed().filter(|_| archives).and_then(|id| self.get(id));
            memory.map(|memory| Reverse((&memory.path, memory.document)))
        });
        let mut names = Vec::new();
        let mut done: Vec<(usize, Result)> = Vec::with_capacity(fixes.len());
        for (number, fix) in order {
            let staged = match fix {
                // All at once, above.
                Change::Unlist(..) => unlisted.clone().map_err(StoreError::Refused),
                fix => self.attempt(|planner| planner.stage_fix(fix)),
            };
            names.extend(staged.as_ref().ok().and_then(|()| self.new_name(fix)));
            done.push((number, staged));
        }
        names.sort_by_key(|(memory, _)| &memory.id.store);
        let is_asked = |fix: &Change| matches!(fix, Change::Rename { mentions: true, .. });
        let is_asked = fixes.iter().any(is_asked);
        let followed = self.follow(&names);
        let followed = followed.and_then(|()| self.follow_mentions(&names, is_asked));
        if let (Err(error), Some((_, last))) = (followed, done.last_mut()) {
            *last = Err(error);
        }
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, done)| done).collect()
    }

    /// Stages something wholly or not at all.
    fn attempt(&mut self, stage: impl FnOnce(&mut Self) -> Result) -> Result {
        let before = self.overlay.clone();
        let done = stage(self);
        if done.is_err() {
            *self.overlay = before;
        }
        done
    }

    fn stage_fix(&mut self, fix: &Change) -> Result {
        let refused = || StoreError::Refused("it is for no memory".to_owned());
        let id = fix.fixed().ok_or_else(refused)?;
        let (store, memory) = self.find(id)?;
        match fix {
            Change::Edit { edits, .. } => {
                let request = Request::Edit(memory, &as_old(memory, edits));
                store.stage(&request, self.overlay)
            }
            Change::Rename { to, .. } => self.rename(id, to),
            Change::SplitFile(_) => store.stage(&Request::SplitFile(memory), self.overlay),
            Change::Normalize(_) => store.stage(&Request::Normalize(memory), self.overlay),
            Change::Merge { with, .. } => self.merge(id, with),
            Change::Archive(_) => store.stage(&Request::Archive(memory), self.overlay),
            other => Err(StoreError::Refused(format!("{} is no fix", other.action()))),
        }
    }

    /// The memory that gets another name by a fix, or goes.
    fn new_name<'f>(&self, fix: &'f Change) -> Option<(&'a Memory, NewName<'f>)>
    where
        'a: 'f,
    {
        let memory = self.get(fix.fixed()?)?;
        match fix {
            Change::Rename { to, .. } => Some((memory, NewName::Local(to))),
            Change::Archive(_) => Some((memory, NewName::Gone)),
            Change::Merge { with, .. } => Some((self.get(with)?, NewName::Local(&memory.id.local))),
            _ => None,
        }
    }
}
