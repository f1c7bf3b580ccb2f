//! Stages changes: finds memories with their stores, and adds what each change alters.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::Collection;
use crate::curate::Change;
use crate::curate::merge::{self, Side, renamed};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, Role, State, Value};
use crate::store::{NewName, Overlay, Request, Result, Store, StoreError};
use crate::systems::codec::NewMemory;

/// Plans changes: finds memories with their stores, and stages what each change alters.
pub struct Planner<'a> {
    pub collection: &'a Collection,
    pub memories: &'a [Arc<Memory>],
    /// They by their ids; of those that share one, the first.
    by_id: HashMap<&'a MemoryId, &'a Arc<Memory>>,
    pub overlay: &'a mut Overlay,
}

impl Collection {
    /// A planner of changes of these memories.
    pub fn planner<'a>(&'a self, all: &'a [Arc<Memory>], overlay: &'a mut Overlay) -> Planner<'a> {
        // Of two with one id the first is found.
        let by_id = all.iter().rev().map(|memory| (&memory.id, memory));
        Planner {
            collection: self,
            memories: all,
            by_id: by_id.collect(),
            overlay,
        }
    }
}

/// The new title and permanent id that edits give a memory.
fn new_names<'m, 'e>(memory: &'m Memory, edits: &'e [FieldEdit]) -> Vec<(&'m Memory, NewName<'e>)> {
    let set = |edit: &'e FieldEdit| {
        let FieldEdit::Set { field, value } = edit else {
            return None;
        };
        let spec = memory.schema.field(field)?;
        let to = value.as_str().filter(|to| !to.is_empty())?;
        let is_name = matches!(spec.role, Role::Title | Role::Id);
        is_name.then_some((memory, NewName::Field(spec.role, to)))
    };
    edits.iter().filter_map(set).collect()
}

impl Planner<'_> {
    pub(in crate::store) fn stage(&mut self, change: &Change) -> Result {
        match change {
            Change::Edit { ids, edits, seen } => self.edit(ids, edits, seen),
            Change::Text { id, expected, text } => {
                let (store, memory) = self.find(id)?;
                store.stage(&Request::Save(memory, expected, text), self.overlay)
            }
            Change::Add {
                store,
                title,
                fields,
                body,
            } => {
                let store = self.collection.writable(store.as_ref())?;
                // The loader of several memories in a file reads the first of them only.
                let same = self.memories.iter().find(|one| {
                    one.id.store == store.info().id
                        && one.state == State::Active
                        && one.role(Role::Title).and_then(Value::as_str) == Some(title)
                });
                if let Some(memory) = same.filter(|one| one.schema.can.shape.several) {
                    return self.update(store, memory, body);
                }
                let new = NewMemory {
                    title,
                    fields,
                    body,
                    ..NewMemory::default()
                };
                store.stage(&Request::Add(new), self.overlay)
            }
            Change::Rename { id, to, mentions } => {
                self.rename(id, to)?;
                let changed = [(self.find(id)?.1, NewName::Local(to))];
                self.follow(&changed)?;
                self.follow_mentions(&changed, *mentions)
            }
            Change::Delete { ids, sure } => {
                if !sure {
                    self.refuse_more(ids)?;
                }
                self.take_out(ids, Request::Delete)
            }
            Change::Prune(all) => {
                let ids: Vec<MemoryId> = all.iter().map(|(id, _)| id.clone()).collect();
                self.take_out(&ids, Request::Archive)
            }
            Change::Archive(ids) => self.take_out(ids, Request::Archive),
            Change::Restore(ids) => self.restore(ids),
            Change::Version { id, version } => self.stage_version(id, version),
            Change::Promote { ids, up, sure } => self.promote(ids, (*up, *sure)),
            Change::Rule { ids, file, line } => self.stage_rule(ids, (file, line.as_deref())),
            Change::Merge { keep, with } => self.merge(keep, with),
            Change::Convert { ids, to, remove } => self.convert(ids, to, *remove),
            Change::Reorder(ids) => self.reorder(ids),
            Change::Forget(ids) => {
                let mut found = self.last_first(ids)?.into_iter();
                found.try_for_each(|(store, one)| store.forget(one, self.overlay))
            }
            // A folder is no file: `change` makes it. Decisions are planned as a whole.
            Change::Init | Change::Accept { .. } | Change::Reject(..) => Ok(()),
            Change::Fix(fixes) => self.stage_fixes(fixes).into_iter().collect(),
            Change::SplitFile(_) | Change::Normalize(_) | Change::Unlist(..) => {
                let fixes = std::slice::from_ref(change);
                self.stage_fixes(fixes).into_iter().collect()
            }
            Change::SafeFixes(fixes) => {
                let done = self.stage_safe(fixes).into_iter();
                let mut left: Vec<StoreError> = done.filter_map(Result::err).collect();
                match (left.len(), left.pop()) {
                    (count, Some(why)) if count == fixes.len() => Err(why),
                    (count, why) => {
                        let note = |why| format!("{count} of them left for review: {why}");
                        self.overlay.note(why.map(note));
                        Ok(())
                    }
                }
            }
            Change::Answer {
                rule,
                a,
                b,
                answer,
                scope,
            } => self.stage_answer(rule, (a, b), (*answer, scope.as_deref())),
            Change::Silence {
                found,
                reason,
                until,
            } => {
                let new = self.left(found, reason.as_deref(), until.as_deref())?;
                self.stage_decisions(&[], new)
            }
            Change::Confirm(ids) => self.stage_confirm(ids),
            Change::Expect(task) => self.stage_task(task),
            Change::Together(all) => all.iter().try_for_each(|one| self.stage(one)),
        }
    }

    /// Edits fields or texts, unless one of the values that the person saw is another now.
    fn edit(
        &mut self,
        ids: &[MemoryId],
        edits: &[FieldEdit],
        seen: &[(Box<str>, Option<Value>)],
    ) -> Result {
        for (store, memory) in self.last_first(ids)? {
            // Values inside other fields are in no memory; stores compare them when they write.
            let is_seen = |(name, value): &(Box<str>, Option<Value>)| {
                memory.schema.is_inner(name) || memory.field(name) == value.as_ref()
            };
            if !seen.iter().all(is_seen) {
                return Err(StoreError::Changed(memory.path.to_path_buf()));
            }
            store.stage(&Request::Edit(memory, edits), self.overlay)?;
            self.follow(&new_names(memory, edits))?;
        }
        Ok(())
    }
}

impl<'a> Planner<'a> {
    pub(super) fn get(&self, id: &MemoryId) -> Option<&'a Memory> {
        self.by_id.get(id).map(|memory| &***memory)
    }

    pub(super) fn find(&self, id: &MemoryId) -> Result<(&'a dyn Store, &'a Memory)> {
        let found = self.collection.store_of(id).zip(self.get(id));
        found.ok_or_else(|| StoreError::Refused(format!("{id} is not there any more")))
    }

    /// Memories with their stores, the last of a file first: the places of earlier ones stay right.
    pub(super) fn last_first(&self, ids: &[MemoryId]) -> Result<Vec<(&'a dyn Store, &'a Memory)>> {
        let found: Result<Vec<_>> = ids.iter().map(|id| self.find(id)).collect();
        let mut found = found?;
        found.sort_by_key(|&(_, memory)| Reverse((&memory.path, memory.document)));
        Ok(found)
    }

    pub fn all(&mut self, ids: &[MemoryId], request: fn(&'a Memory) -> Request<'a>) -> Result {
        let found = self.last_first(ids)?;
        for run in found.chunk_by(|(_, a), (_, b)| a.id.store == b.id.store) {
            let requests: Vec<Request<'_>> = run.iter().map(|(_, one)| request(one)).collect();
            let Some((store, _)) = run.first() else {
                continue;
            };
            store.stage_all(&requests, self.overlay)?;
        }
        Ok(())
    }

    /// Takes memories out of their stores and out of the texts that name them.
    pub fn take_out(&mut self, ids: &[MemoryId], request: fn(&'a Memory) -> Request<'a>) -> Result {
        self.all(ids, request)?;
        let found = self.last_first(ids)?.into_iter();
        let gone: Vec<_> = found.map(|(_, memory)| (memory, NewName::Gone)).collect();
        self.follow(&gone)?;
        self.follow_mentions(&gone, false)
    }

    /// Renames a memory, and with it every relation that names it; see [`Self::follow`] for texts.
    pub(super) fn rename(&mut self, id: &MemoryId, to: &str) -> Result {
        let (store, memory) = self.find(id)?;
        store.stage(&Request::Rename(memory, to), self.overlay)?;
        let to = to.strip_suffix(".md").unwrap_or(to);
        self.overlay.note(store.fixed_name(memory));
        if memory.state == State::Active {
            self.carry_over(id, &MemoryId::new(&id.store, to))?;
        }
        let others = self.memories.iter();
        let is_other = |one: &&Arc<Memory>| one.id.store == id.store && one.path != memory.path;
        for memory in others.filter(is_other) {
            let edits = renamed(memory, &id.local, to);
            if edits.is_empty() {
                continue;
            }
            match store.stage(&Request::Edit(memory, &edits), self.overlay) {
                // A neighbour with broken fields is no reason to refuse; lint names what it says.
                Ok(()) | Err(StoreError::Edit(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Planner<'_> {
    /// Gives the first memory what only the second has, moves its relations, and archives it.
    pub(super) fn merge(&mut self, keep: &MemoryId, with: &MemoryId) -> Result {
        let (store, keep) = self.find(keep)?;
        let (from, with) = self.find(with)?;
        // Another one may have been merged into it by the same change.
        let staged = self.staged(store, keep);
        let keep = staged.as_deref().unwrap_or(keep);
        if let Some(why) = merge::refusal(keep, with) {
            return Err(StoreError::Refused(why));
        }
        let edits = if keep.schema.can.in_rows {
            let row = |store: &dyn Store, memory| utf8(memory, store.loader_body(memory)?);
            let (own, theirs) = (row(store, keep)?, row(from, with)?);
            merge::rows((keep, &own), (with, &theirs))
        } else {
            let own = match self.overlay.bytes(&keep.path).filter(|_| staged.is_some()) {
                Some(bytes) => store.text_in(keep, bytes),
                None => store.text(keep)?,
            };
            let own = utf8(keep, store.body_of(keep, &own))?;
            let theirs = body(from, with)?;
            let side = |memory, body| Side { memory, body };
            merge::edits(side(keep, &own), side(with, &theirs), self.overlay.now)
        };
        let edits = &*edits.map_err(StoreError::Refused)?;
        if !edits.is_empty() {
            store.stage(&Request::Edit(keep, edits), self.overlay)?;
        }
        let adds = |edit: &FieldEdit| matches!(edit, FieldEdit::Body(_) | FieldEdit::Set { .. });
        let note = format!("{} has both texts: remove what no longer holds", keep.id);
        self.overlay.note(edits.iter().any(adds).then_some(note));
        let others = self.memories.iter().filter(|other| {
            other.id.store == with.id.store && other.id != keep.id && other.id != with.id
        });
        for memory in others {
            let edits = &*merge::redirected(memory, keep, with);
            if !edits.is_empty() {
                from.stage(&Request::Edit(memory, edits), self.overlay)?;
            }
        }
        from.stage(&Request::Archive(with), self.overlay)?;
        let to = match from.info().id == store.info().id {
            true => NewName::Local(&keep.id.local),
            false => NewName::Gone,
        };
        self.follow(&[(with, to)])?;
        self.follow_mentions(&[(with, NewName::Gone)], false)
    }

    /// Adds to a memory what a text says beyond it; its fields stay.
    pub(super) fn update(&mut self, store: &dyn Store, memory: &Memory, text: &str) -> Result {
        let own = body(store, memory)?;
        let side = |body| Side { memory, body };
        let edits = merge::edits(side(&own), side(text), self.overlay.now);
        let edits = edits.map_err(StoreError::Refused)?;
        store.stage(&Request::Edit(memory, &edits), self.overlay)
    }

    /// A memory as it is staged; none where its file is not changed.
    fn staged(&self, store: &dyn Store, memory: &Memory) -> Option<Arc<Memory>> {
        let is_changed = self.overlay.changed().any(|path| *path == *memory.path);
        let bytes = self.overlay.bytes(&memory.path).filter(|_| is_changed)?;
        let mut all = store.parse(&memory.path, bytes, memory.stamp).into_iter();
        all.find(|one| one.id == memory.id)
    }
}

fn body(store: &dyn Store, memory: &Memory) -> Result<String> {
    utf8(memory, store.body_of(memory, &store.text(memory)?))
}

/// Bytes of a memory as text; refused where they are none, for a part of them would be lost.
fn utf8(memory: &Memory, bytes: Vec<u8>) -> Result<String> {
    let refused = |_| StoreError::Refused(format!("{} is not all UTF-8", memory.id));
    String::from_utf8(bytes).map_err(refused)
}
