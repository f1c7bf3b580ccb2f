//! A change as a person asks for it becomes a plan: the bytes that change in which files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fixes::ById;
use super::merge::update;
use super::titles::title;
use super::{Collection, Done};
use crate::curate::{Change, FileChange, Plan, RowChange};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, Role, State, Timestamp, Value};
use crate::store::queue::Review;
use crate::store::restore::{Gone, Steps, rows_gone};
use crate::store::{Deleted, NewName, Overlay, Request, StoreError, files, shared};

/// The new title and permanent id that edits give a memory.
fn new_names<'e>(memory: &'e Memory, edits: &'e [FieldEdit]) -> Vec<(&'e Memory, NewName<'e>)> {
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

/// The memory that a change makes of two.
fn kept(change: &Change) -> Option<&MemoryId> {
    match change {
        Change::Merge { keep, .. } => Some(keep),
        Change::Together(all) => all.iter().find_map(kept),
        _ => None,
    }
}

impl Collection {
    /// Carries out a decision on what waits for review.
    pub(super) fn decide(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        now: Timestamp,
    ) -> Result<Done, StoreError> {
        Review::open(self, "HEAD", &Arc::new(memories.to_vec()))?.decide(change, now)
    }

    /// Turns a change into a plan against the files as they are now.
    /// `now` is what dates and ids that are written say.
    pub fn plan(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        now: Timestamp,
    ) -> Result<Plan, StoreError> {
        self.planned(change, memories, now, false)
    }

    /// The same for a person to look at: the notes name the effects of the change on agents.
    pub fn preview(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        now: Timestamp,
    ) -> Result<Plan, StoreError> {
        self.planned(change, memories, now, true)
    }

    fn planned(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        now: Timestamp,
        plays: bool,
    ) -> Result<Plan, StoreError> {
        if let Change::Accept { .. } | Change::Reject(..) = change {
            let all = Arc::new(memories.to_vec());
            return Review::open(self, "HEAD", &all)?.plan(change, now);
        }
        self.may_follow(change, memories)?;
        let mut overlay = self.overlay(now);
        self.stage(change, memories, &mut overlay)?;
        if plays {
            let effects = self.effects((&self.overlay(now), &overlay), memories);
            effects.into_iter().for_each(|one| overlay.note(Some(one)));
        }
        let mut plan = overlay.into_plan(title(change, memories));
        if let Change::Prune(all) = change {
            let reasons = all.iter().map(|(id, why)| (id.to_string(), why.clone()));
            plan.reasons.extend(reasons);
        }
        if matches!(change, Change::Merge { .. } | Change::Together(_)) {
            let kept = kept(change).and_then(|id| self.find(id, memories).ok());
            self.telling_first(&mut plan, kept.map(|(_, memory)| &*memory.path));
        }
        if let Change::Rule { file, .. } = change {
            self.telling_first(&mut plan, Some(file));
        }
        Ok(plan)
    }

    /// Puts the file of a memory that is kept first, what is written anew before what only moves,
    /// and what is shared beside the memories last: a person looks at the first of a diff.
    fn telling_first(&self, plan: &mut Plan, kept: Option<&Path>) {
        let beside = shared::path(&self.root, "");
        plan.changes.sort_by_key(|change| {
            let shared = change.paths().iter().all(|path| path.starts_with(&beside));
            (
                kept.is_none_or(|kept| !change.paths().contains(&kept)),
                shared,
                matches!(
                    change,
                    FileChange::Move { .. } | FileChange::Write { after: None, .. }
                ),
            )
        });
    }

    /// Adds what a change alters to an overlay.
    fn stage(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        match change {
            Change::Edit { ids, edits, seen } => {
                self.each(ids, memories, |store, memory| {
                    // Values inside other fields are in no memory; stores compare them when they
                    // write.
                    let is_seen = |(name, value): &(Box<str>, Option<Value>)| {
                        memory.schema.is_inner(name) || memory.field(name) == value.as_ref()
                    };
                    if !seen.iter().all(is_seen) {
                        return Err(StoreError::Changed(memory.path.to_path_buf()));
                    }
                    store.stage(&Request::Edit { memory, edits }, overlay)?;
                    self.follow(&new_names(memory, edits), memories, overlay)
                })?;
            }
            Change::Text { id, expected, text } => {
                let (store, memory) = self.find(id, memories)?;
                store.stage(
                    &Request::Save {
                        memory,
                        expected,
                        text,
                    },
                    overlay,
                )?;
            }
            Change::Add {
                store,
                title,
                fields,
                body,
            } => {
                let store = self.writable(store.as_ref())?;
                let same = |memory: &&Arc<Memory>| {
                    memory.id.store == store.info().id
                        && memory.state == State::Active
                        && memory.role(Role::Title).and_then(Value::as_str) == Some(title)
                };
                // The loader of several memories in a file reads the first of them only.
                let same = memories.iter().find(same);
                match same.filter(|memory| memory.schema.can.shape.several) {
                    Some(memory) => update(store, memory, body, overlay)?,
                    None => store.stage(
                        &Request::Add {
                            title,
                            fields,
                            body,
                            name: None,
                            is_whole: false,
                        },
                        overlay,
                    )?,
                }
            }
            Change::Rename { id, to, mentions } => {
                self.rename(id, to, memories, overlay)?;
                let (_, memory) = self.find(id, memories)?;
                let changed = [(memory, NewName::Local(to))];
                self.follow(&changed, memories, overlay)?;
                self.follow_mentions(&changed, *mentions, memories, overlay)?;
            }
            Change::Delete { ids, sure } => {
                self.refuse_more(ids, *sure, memories)?;
                self.take_out(ids, memories, Request::Delete, overlay)?;
            }
            Change::Prune(all) => {
                let ids: Vec<MemoryId> = all.iter().map(|(id, _)| id.clone()).collect();
                self.take_out(&ids, memories, Request::Archive, overlay)?;
            }
            Change::Archive(ids) => {
                self.take_out(ids, memories, Request::Archive, overlay)?;
            }
            Change::Restore(ids) => self.stage_restore(ids, memories, overlay)?,
            Change::Version { id, version } => {
                self.stage_version(id, version, memories, overlay)?;
            }
            Change::Promote { ids, up, sure } => {
                self.promote(ids, (*up, *sure), memories, overlay)?;
            }
            Change::Rule { ids, file, line } => {
                self.stage_rule(ids, (file, line.as_deref()), memories, overlay)?;
            }
            Change::Merge { keep, with, delete } => {
                self.merge((keep, with), *delete, memories, overlay)?;
            }
            Change::Convert { ids, to, remove } => {
                self.stage_convert((ids, to, *remove), memories, overlay)?;
            }
            Change::Reorder(ids) => self.reorder(ids, memories, overlay)?,
            Change::Forget(ids) => {
                self.each(ids, memories, |store, memory| {
                    store.extras().forget(memory, overlay)
                })?;
            }
            // A folder is no file: it is made by `change` and not journaled.
            Change::Init => {}
            // They are planned as a whole; see `plan`.
            Change::Accept { .. } | Change::Reject(..) => {}
            Change::SplitFile(_) | Change::Normalize(_) | Change::Unlist(..) | Change::Fix(_) => {
                let fixes = match change {
                    Change::Fix(fixes) => fixes,
                    one => std::slice::from_ref(one),
                };
                let done = self.stage_fixes(fixes, memories, overlay);
                done.into_iter().collect::<Result<(), _>>()?;
            }
            Change::SafeFixes(fixes) => {
                let done = self.stage_safe(fixes, memories, overlay);
                let mut left: Vec<StoreError> = done.into_iter().filter_map(Result::err).collect();
                if let Some(why) = left.pop() {
                    if left.len() + 1 == fixes.len() {
                        return Err(why);
                    }
                    let more = left.len() + 1;
                    overlay.note(Some(format!("{more} of them left for review: {why}")));
                }
            }
            Change::Answer {
                rule,
                a,
                b,
                answer,
                scope,
            } => self.stage_answer(rule, (a, b), (*answer, scope.as_deref()), memories, overlay)?,
            Change::Silence {
                found,
                reason,
                until,
            } => {
                let found = (&found[..], reason.as_deref(), until.as_deref());
                let new = self.left(found, memories, overlay)?;
                self.stage_decisions(&[], new, overlay)?;
            }
            Change::Confirm(ids) => self.stage_confirm(ids, memories, overlay)?,
            Change::Expect(task) => self.stage_task(task, overlay)?,
            Change::Together(all) => {
                all.iter()
                    .try_for_each(|one| self.stage(one, memories, overlay))?;
            }
        }
        Ok(())
    }

    fn stage_restore(
        &self,
        ids: &[MemoryId],
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let applied = self.applied()?;
        let steps = Steps::of(&applied);
        let by_id = ById::of(memories);
        let mut wanted = Vec::with_capacity(ids.len());
        for id in ids {
            let memory = by_id.only(id).first();
            // The name of a deleted memory may have passed to the next one of its file.
            wanted.push(match memory {
                Some(memory) if memory.state == State::Archived || !steps.deleted(id) => {
                    Gone::Archived(id, memory)
                }
                _ => Gone::Deleted(id, steps.file(id, self.new_file(id)?)),
            });
        }
        let archived = memories.iter().filter(|one| one.state == State::Archived);
        let archived: Vec<&MemoryId> = archived.map(|memory| &memory.id).collect();
        let (changes, rest) = steps.exact(&wanted, &archived);
        overlay.exactly(changes);
        overlay.remember(steps.contents(&rest, &self.journals.texts()));
        for gone in rest {
            match gone {
                Gone::Archived(id, memory) => {
                    let (store, _) = self.find(id, by_id.only(id))?;
                    store.stage(&Request::Restore(memory), overlay)?;
                }
                Gone::Deleted(id, file) => {
                    let changed = || StoreError::Changed(file.clone());
                    let path = gone.file();
                    let (text, mode) = steps.text(id, path).ok_or_else(changed)?;
                    let store = self.store_of(id).ok_or_else(changed)?;
                    store.put_back(&Deleted { id, path, text }, overlay)?;
                    if mode.is_some() {
                        overlay.set_mode(path, mode);
                    }
                }
            }
        }
        let gone = rows_gone(&applied);
        for store in self.stores.iter() {
            let path = &store.info().path;
            let real = files::real(path);
            let own = gone
                .iter()
                .filter(|(database, _)| database == path || *database == real);
            let own: Vec<&RowChange> = own.map(|(_, change)| *change).collect();
            store.extras().come_back(&own, overlay)?;
        }
        Ok(())
    }

    /// The file that a memory which is not there stood in.
    pub(super) fn file_of(&self, id: &MemoryId) -> Result<PathBuf, StoreError> {
        let new = self.new_file(id)?;
        Ok(Steps::of(&self.applied()?).file(id, new))
    }

    /// The file that a new memory with this id would get.
    fn new_file(&self, id: &MemoryId) -> Result<PathBuf, StoreError> {
        let gone = || StoreError::Refused(format!("{id} is not there any more"));
        let local = id.local.split('#').next().unwrap_or_default();
        self.store_of(id).ok_or_else(gone)?.file_of(local)
    }
}
