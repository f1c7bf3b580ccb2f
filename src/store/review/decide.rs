//! Changes made by a decision: keeping stages a memory's bytes, rejecting restores the base's.

use std::path::{Path, PathBuf};

use super::place::Place;
use super::proposals::path;
use super::versions::Onto;
use super::{Review, guard, store_named};
use crate::curate::review::{Against, Entry, Kind};
use crate::curate::{Change, FileChange, Plan};
use crate::lint::mask;
use crate::memory::edit::FieldEdit;
use crate::memory::{MemoryId, Stamp, Timestamp};
use crate::project::staging;
use crate::store::collection::Done;
use crate::store::{StoreError, StoreInfo, index, shared};

/// How often a decision is planned at most.
const ATTEMPTS: usize = 8;

impl Review<'_> {
    /// The entries of some memories, to be decided on: refused in the middle of a merge.
    fn find(&self, ids: &[MemoryId]) -> Result<Vec<&Entry>, StoreError> {
        let one = |id: &MemoryId| {
            let mut entries = self.entries.iter();
            let found = entries.find(|entry| super::last::names(entry, id));
            found.ok_or_else(|| {
                let unread = self.unread.values().next();
                let why = unread.map_or("has nothing to review", |why| why);
                StoreError::Refused(format!("{id}: {why}"))
            })
        };
        let found: Vec<&Entry> = ids.iter().map(one).collect::<Result<_, _>>()?;
        let in_git = |entry: &&Entry| entry.against != Against::LastReview;
        if found.iter().copied().any(|entry| in_git(&entry)) {
            for repository in &self.repositories {
                refuse_unfinished(&repository.base.root)?;
            }
        }
        Ok(found)
    }

    /// The first of these entries that brings a secret or an instruction to the reader, and which.
    pub fn warned(&self, ids: &[MemoryId]) -> Result<Option<(&MemoryId, String)>, StoreError> {
        let entries = self.find(ids)?;
        Ok(entries.into_iter().find_map(|entry| {
            let finding = guard::new_warnings(entry, self.collection)
                .into_iter()
                .next()?;
            let what = format!("new {}: {}", finding.rule, mask(&finding.message));
            Some((&entry.id, what))
        }))
    }

    /// Plans to accept entries: what is in a repository is staged, of other stores it is remembered
    /// that they were seen, and what is proposed is done. The index lines of memories that are gone
    /// go with them. Only with `sure` where one brings a secret or an instruction to the reader.
    pub fn accept(&self, ids: &[MemoryId], sure: bool, now: Timestamp) -> Result<Plan, StoreError> {
        let entries = self.find(ids)?;
        if let (false, Some((id, what))) = (sure, self.warned(ids)?) {
            return Err(StoreError::Refused(format!("{id}: {what}")));
        }
        let is_outside = |entry: &&&Entry| entry.against == Against::LastReview;
        let lines = |outside: bool| {
            let own = entries
                .iter()
                .filter(move |entry| is_outside(entry) == outside);
            self.without_lines(own.copied(), now)
        };
        let (mut inside, mut outside) = (lines(false)?, lines(true)?);
        let mut plan = Plan {
            title: title("accepted", &entries),
            changes: self.staged(&entries, &self.written(&inside))?,
            ..Plan::default()
        };
        let mut overlay = self.collection.overlay(now);
        // An index that did not change is compared with nothing: its line is staged with the plan.
        let is_compared = |change: &FileChange| {
            let mut paths = change.paths().into_iter();
            paths.any(|path| self.is_compared(path))
        };
        let (compared, alone) = inside.changes.into_iter().partition(is_compared);
        inside.changes = alone;
        self.stage_with(&mut inside, &mut overlay)?;
        inside.changes.extend::<Vec<FileChange>>(compared);
        for entry in entries.iter().filter(is_outside) {
            let store = store_named(self.collection, &entry.id.store)?;
            match self.is_row(entry)? {
                true => self.remember_row(store.info(), entry, &mut overlay)?,
                false => self.take_over(store, entry, Onto::Copy, &mut overlay)?,
            }
        }
        self.stage_with(&mut outside, &mut overlay)?;
        plan.changes
            .extend([inside.changes, outside.changes].concat());
        for entry in entries {
            if let Against::Proposal(proposal) = &entry.against {
                let gone = || StoreError::Refused(format!("{} changes nothing", entry.id));
                let change = proposal.change.as_deref().ok_or_else(gone)?;
                let mut done = self.collection.plan(change, &self.memories, now)?;
                self.stage_with(&mut done, &mut overlay)?;
                plan.changes.extend(done.changes);
                plan.taken.extend(done.taken);
                plan.notes.extend(done.notes);
                overlay.remove(&path(&self.collection.root, proposal), None)?;
            }
        }
        plan.changes.extend(overlay.into_plan("").changes);
        Ok(plan)
    }

    /// True if a file differs from the base in one of the repositories.
    fn is_compared(&self, path: &Path) -> bool {
        self.repositories.iter().any(|repository| {
            let file = path.strip_prefix(&repository.base.root);
            file.is_ok_and(|file| repository.versions.contains_key(file))
        })
    }

    /// Plans to reject entries: the base's version comes back, a new memory goes to the archive,
    /// a proposal to the list of those that are not made again.
    pub fn reject(
        &self,
        ids: &[MemoryId],
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<Plan, StoreError> {
        let entries = self.find(ids)?;
        let is_added = |entry: &&&Entry| entry.kind == Kind::Added && entry.before.is_none();
        let in_store = |entry: &&&Entry| !matches!(entry.against, Against::Proposal(_));
        let added: Vec<&Entry> = entries
            .iter()
            .filter(in_store)
            .filter(is_added)
            .copied()
            .collect();
        let others: Vec<&Entry> = entries
            .iter()
            .filter(in_store)
            .filter(|entry| !is_added(entry))
            .copied()
            .collect();
        let mut title = title("rejected", &entries);
        if let Some(reason) = reason {
            title.push_str(&format!(": {reason}"));
        }
        let mut changes = self.unstaged(&entries)?;
        let (mut taken, mut notes) = (Vec::new(), Vec::new());
        let makes_archive = |info: &&StoreInfo| {
            let mut added = added.iter();
            !info.archive.exists() && added.any(|entry| entry.id.store == info.id)
        };
        for info in self.collection.infos().filter(makes_archive) {
            let archive = self.collection.shown(&info.archive);
            notes.push(format!("archived in {archive}, which is new"));
        }
        if !added.is_empty() {
            let ids = added.iter().map(|entry| entry.id.clone()).collect();
            let change = Change::Archive(ids);
            let plan = self.collection.plan(&change, &self.memories, now)?;
            changes.extend(plan.changes);
            taken.extend(plan.taken);
        }
        let mut in_files = Vec::new();
        for entry in others {
            if !self.is_row(entry)? {
                in_files.push(entry);
                continue;
            }
            let plan = self
                .collection
                .plan(&row_change(entry), &self.memories, now)?;
            changes.extend(plan.changes);
            taken.extend(plan.taken);
        }
        let mut overlay = self.collection.overlay(now);
        self.bring_back(&in_files, &mut overlay)?;
        for entry in &entries {
            if let Against::Proposal(proposal) = &entry.against {
                let day = overlay.day(now);
                let line = serde_json::json!({
                    "digest": proposal.digest, "reason": reason, "day": day,
                });
                let root = &self.collection.root;
                shared::append(root, &format!("{line}\n"), &mut overlay)?;
                overlay.remove(&path(root, proposal), None)?;
            }
        }
        changes.extend(overlay.into_plan("").changes);
        Ok(Plan {
            title,
            changes,
            taken,
            notes,
            ..Plan::default()
        })
    }

    /// True if an entry is a row of a database, whose file is not taken apart.
    fn is_row(&self, entry: &Entry) -> Result<bool, StoreError> {
        let store = store_named(self.collection, &entry.id.store);
        let Some((store, path)) = store.ok().zip(entry.path()) else {
            return Ok(false);
        };
        let bytes = self.collection.journals.disk.bytes(path)?;
        let bytes = bytes.unwrap_or_default();
        Ok(!bytes.is_empty() && store.parse(path, &bytes, Stamp::default()).is_empty())
    }

    /// Commits what is staged of the stores, in each repository with the person's hooks and
    /// signing. Gives the repositories with the commits.
    pub fn commit(&self, message: &str, quiet: bool) -> Result<Vec<(PathBuf, String)>, StoreError> {
        self.collection.may_write()?;
        let staged = self.to_commit()?;
        for (root, _) in &staged {
            refuse_unfinished(root)?;
        }
        let commit = |(root, files): (PathBuf, Vec<PathBuf>)| {
            let name = staging::commit(&root, message, &files, quiet);
            let name = name.map_err(|error| index::refused(&root, error))?;
            Ok((root, name))
        };
        staged.into_iter().map(commit).collect()
    }

    /// The files of stores that are staged, by repository.
    pub fn to_commit(&self) -> Result<Vec<(PathBuf, Vec<PathBuf>)>, StoreError> {
        let mut all = Vec::new();
        for repository in &self.repositories {
            let root = &repository.base.root;
            let head = repository.head.as_ref().unwrap_or(&repository.base);
            let stores = self.collection.stores.iter();
            let stores = stores.filter(|store| !store.schema().can.context);
            let places = stores.filter_map(|store| Place::new(store.info(), root));
            let places: Vec<Place<'_>> = places.collect();
            let staged = staging::to_commit(root, head.commit());
            let staged = staged.map_err(|error| index::refused(root, error))?;
            let is_own = |file: &PathBuf| places.iter().any(|place| place.holds(file));
            let own: Vec<PathBuf> = staged.into_iter().filter(is_own).collect();
            if !own.is_empty() {
                all.push((root.clone(), own));
            }
        }
        Ok(all)
    }

    /// Carries a decision out. If something else was staged meanwhile it is planned anew.
    pub fn decide(
        &self,
        plan: &dyn Fn(&Self) -> Result<Plan, StoreError>,
        action: &str,
        ids: &[MemoryId],
        now: Timestamp,
    ) -> Result<Done, StoreError> {
        let names: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let carry_out = |review: &Self| {
            let plan = plan(review)?;
            let notes: String = plan.notes.iter().map(|note| format!(" · {note}")).collect();
            let done = self.collection.carry_out(plan, action, names.clone(), now);
            done.map(|done| Done {
                title: done.title + &notes,
                ..done
            })
        };
        let mut done = carry_out(self);
        for _ in 1..ATTEMPTS {
            if !matches!(done, Err(StoreError::Changed(_))) {
                break;
            }
            done = carry_out(&Self::open(self.collection, &self.base, &self.memories)?);
        }
        done
    }

    /// Plans the decision that a change stands for.
    pub fn plan(&self, change: &Change, now: Timestamp) -> Result<Plan, StoreError> {
        match change {
            Change::Accept { ids, sure } => self.accept(ids, *sure, now),
            Change::Reject(ids, reason) => self.reject(ids, reason.as_deref(), now),
            _ => Ok(Plan::default()),
        }
    }
}

/// Refuses to decide or commit while git is in the middle of a merge or a rebase.
fn refuse_unfinished(root: &Path) -> Result<(), StoreError> {
    match staging::unfinished(root) {
        None => Ok(()),
        Some((what, end)) => Err(StoreError::Refused(format!(
            "the repository is in the middle of {what}: finish it first, or `{end}`"
        ))),
    }
}

/// The change that brings a row of a database back.
fn row_change(entry: &Entry) -> Change {
    let now = entry.after.as_ref().map(|side| side.memory.id.clone());
    if entry.kind == Kind::Deleted {
        return Change::Restore(vec![now.unwrap_or_else(|| entry.id.clone())]);
    }
    let edits = entry.fields().into_iter().map(|change| {
        let field = change.name;
        match change.old {
            Some(value) => FieldEdit::Set { field, value },
            None => FieldEdit::Unset { field },
        }
    });
    Change::Edit {
        ids: vec![entry.id.clone()],
        edits: edits.collect(),
        seen: Vec::new(),
    }
}

/// `accepted 3 changes`, or the title of the one.
fn title(verb: &str, entries: &[&Entry]) -> String {
    match entries {
        [one] => {
            let is_deletion = one.kind == Kind::Deleted && verb == "accepted";
            let of = if is_deletion { "the deletion of " } else { "" };
            mask(&format!("{verb} {of}“{}”", one.title())).into_owned()
        }
        all => format!("{verb} {} changes", all.len()),
    }
}
