//! Fixes by the thousand: what each of them needs to know is looked up, never searched for.

use std::collections::HashMap;
use std::sync::Arc;

use super::Collection;
use crate::curate::{Change, merge};
use crate::memory::{Memory, MemoryId, Role};
use crate::store::{FieldEdit, NewName, Overlay, Request, StoreError};

/// Memories by their ids; of those that share one, the first.
pub(super) struct ById<'a>(HashMap<&'a MemoryId, &'a Arc<Memory>>);

impl<'a> ById<'a> {
    pub(super) fn of(memories: &'a [Arc<Memory>]) -> Self {
        let mut by_id = HashMap::with_capacity(memories.len());
        for memory in memories {
            by_id.entry(&memory.id).or_insert(memory);
        }
        Self(by_id)
    }

    /// The memory with this id, as a slice to find it in; empty where there is none.
    pub(super) fn only(&self, id: &MemoryId) -> &'a [Arc<Memory>] {
        self.0
            .get(id)
            .map_or(&[], |memory| std::slice::from_ref(*memory))
    }
}

/// The memories that a fix is about, and those whose relations name the one that it renames or
/// merges into another.
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

/// The same edits, with what the store would set to now as it is: who puts a name right has not
/// looked whether the memory still holds, and where age counts in retrieval a fix would bring back
/// what has decayed.
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
            Some(value) => FieldEdit::Set {
                field,
                value: value.clone(),
            },
            None => FieldEdit::Unset { field },
        }
    });
    edits.iter().cloned().chain(kept).collect()
}

impl Collection {
    /// Stages the fixes that turn out harmless when they are played, and says why the others do not.
    /// Fixes are played together; only if that does harm, each half of them by itself.
    pub fn stage_safe(
        &self,
        fixes: &[Change],
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Vec<Result<(), StoreError>> {
        let before = overlay.clone();
        let done = self.stage_fixes(fixes, memories, overlay);
        let effects = self.effects((&before, overlay), memories);
        if effects.is_empty() {
            return done;
        }
        *overlay = before;
        match fixes.split_at_checked(fixes.len() / 2) {
            Some((first, rest)) if !first.is_empty() => {
                let mut done = self.stage_safe(first, memories, overlay);
                done.extend(self.stage_safe(rest, memories, overlay));
                done
            }
            _ => vec![Err(StoreError::Refused(effects.join("; ")))],
        }
    }

    /// Adds what fixes change to an overlay, each of them wholly or not at all, and says what
    /// came of each.
    pub fn stage_fixes(
        &self,
        fixes: &[Change],
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Vec<Result<(), StoreError>> {
        let by_id = ById::of(memories);
        let lists = fixes.iter().filter_map(|fix| match fix {
            Change::Unlist(_, gone) => Some(gone),
            _ => None,
        });
        let gone: Vec<_> = lists.flatten().cloned().collect();
        let unlisted = match gone.is_empty() {
            true => Ok(()),
            false => overlay.attempt(|overlay| self.stage_decisions(&gone, Vec::new(), overlay)),
        };
        let unlisted = unlisted.map_err(|error| error.to_string());
        let mut stage = |fix: &Change| {
            let refused = || StoreError::Refused("it is for no memory".to_owned());
            overlay.attempt(|overlay| {
                let id = fix.fixed().ok_or_else(refused)?;
                let one = by_id.only(id);
                let (store, memory) = self.find(id, one)?;
                match fix {
                    Change::Edit { edits, .. } => {
                        let edits = &as_old(memory, edits);
                        store.stage(&Request::Edit { memory, edits }, overlay)
                    }
                    Change::Rename { to, .. } => {
                        self.rename(id, to, &concerned(fix, memories), overlay)
                    }
                    Change::SplitFile(_) => store.stage(&Request::SplitFile(memory), overlay),
                    Change::Normalize(_) => store.stage(&Request::Normalize(memory), overlay),
                    // All at once, above.
                    Change::Unlist(..) => unlisted.clone().map_err(StoreError::Refused),
                    Change::Merge { with, .. } => {
                        self.merge((id, with), false, &concerned(fix, memories), overlay)
                    }
                    Change::Archive(_) => store.stage(&Request::Archive(memory), overlay),
                    other => Err(StoreError::Refused(format!("{} is no fix", other.action()))),
                }
            })
        };
        // Entries are removed from the end of their file, so that the positions of the others stay
        // right.
        let mut order: Vec<usize> = (0..fixes.len()).collect();
        order.sort_by_key(|n| {
            let fix = fixes.get(*n);
            let fix = fix.filter(|fix| matches!(fix, Change::Archive(_)));
            fix.and_then(Change::fixed).map(|id| {
                let memory = by_id.only(id).first();
                std::cmp::Reverse(memory.map(|memory| (memory.path.clone(), memory.document)))
            })
        });
        let mut staged: Vec<(usize, Result<(), StoreError>)> = order
            .into_iter()
            .filter_map(|n| Some((n, stage(fixes.get(n)?))))
            .collect();
        let names = staged.iter().filter(|(_, done)| done.is_ok());
        let names = names.filter_map(|(n, _)| {
            let fix = fixes.get(*n)?;
            let memory = by_id.only(fix.fixed()?).first()?;
            match fix {
                Change::Rename { to, .. } => Some((&**memory, NewName::Local(to))),
                Change::Archive(_) => Some((&**memory, NewName::Gone)),
                Change::Merge { with, .. } => {
                    let with = by_id.only(with).first()?;
                    Some((&**with, NewName::Local(&memory.id.local)))
                }
                _ => None,
            }
        });
        let mut names: Vec<_> = names.collect();
        names.sort_by_key(|(memory, _)| &memory.id.store);
        let is_asked = |fix: &Change| matches!(fix, Change::Rename { mentions: true, .. });
        let is_asked = fixes.iter().any(is_asked);
        let followed = self.follow(&names, memories, overlay);
        let followed =
            followed.and_then(|()| self.follow_mentions(&names, is_asked, memories, overlay));
        if let Err(error) = followed {
            let last = staged.pop().map(|(n, _)| (n, Err(error)));
            staged.extend(last);
        }
        staged.sort_by_key(|(n, _)| *n);
        staged.into_iter().map(|(_, done)| done).collect()
    }
}
