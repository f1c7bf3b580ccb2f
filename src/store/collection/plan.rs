//! Turns a change as a person asks for it into a plan: the bytes that change in which files.

use std::sync::Arc;

use super::planner::Planner;
use super::titles::title;
use super::{Collection, Done};
use crate::curate::{Change, Plan};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, Role, State, Timestamp, Value};
use crate::store::queue::{Review, unstage_gone};
use crate::store::{NewName, Request, Result, StoreError};
use crate::systems::codec::NewMemory;

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

impl Collection {
    /// Carries out a decision on what waits for review.
    pub(super) fn decide(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        now: Timestamp,
    ) -> Result<Done> {
        Review::open(self, "HEAD", &Arc::new(memories.to_vec()))?.decide(change, now)
    }

    /// Has git forget what a plan takes away and no commit has.
    pub(super) fn unstage(&self, plan: &mut Plan) -> Result {
        unstage_gone(self, plan)
    }

    /// Turns a change into a plan against the files as they are now.
    /// `now` is what dates and ids that are written say.
    pub fn plan(&self, change: &Change, memories: &[Arc<Memory>], now: Timestamp) -> Result<Plan> {
        self.planned(change, memories, now, false)
    }

    /// The same for a person to look at: the notes name the effects of the change on agents.
    pub fn preview(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        now: Timestamp,
    ) -> Result<Plan> {
        self.planned(change, memories, now, true)
    }

    fn planned(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        now: Timestamp,
        plays: bool,
    ) -> Result<Plan> {
        if let Change::Accept { .. } | Change::Reject(..) = change {
            let all = Arc::new(memories.to_vec());
            return Review::open(self, "HEAD", &all)?.plan(change, now);
        }
        let mut overlay = self.overlay(now);
        let mut planner = self.planner(memories, &mut overlay);
        planner.may_follow(change)?;
        planner.stage(change)?;
        if plays {
            let effects = self.effects((&self.overlay(now), &overlay), memories);
            effects.into_iter().for_each(|one| overlay.note(Some(one)));
        }
        let mut plan = overlay.into_plan(title(change, memories));
        let parts = match change {
            Change::Together(all) => all,
            one => std::slice::from_ref(one),
        };
        for part in parts {
            if let Change::Prune(all) = part {
                let reasons = all.iter().map(|(id, why)| (id.to_string(), why.clone()));
                plan.reasons.extend(reasons);
            }
        }
        Ok(plan)
    }
}

impl Planner<'_> {
    /// Adds what a change alters to the overlay.
    pub(in crate::store) fn stage(&mut self, change: &Change) -> Result {
        match change {
            Change::Edit { ids, edits, seen } => self.edit(ids, edits, seen),
            Change::Text { id, expected, text } => {
                let (store, memory) = self.find(id)?;
                let request = Request::Save {
                    memory,
                    expected,
                    text,
                };
                store.stage(&request, self.overlay)
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
                    (count, Some(why)) if count == fixes.len() => return Err(why),
                    (count, why) => self
                        .overlay
                        .note(why.map(|why| format!("{count} of them left for review: {why}"))),
                }
                Ok(())
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
            store.stage(&Request::Edit { memory, edits }, self.overlay)?;
            self.follow(&new_names(memory, edits))?;
        }
        Ok(())
    }
}
