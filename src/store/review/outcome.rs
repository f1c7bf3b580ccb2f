//! Effects of a plan on the files of the stores: shown before it is kept, staged with it.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::files::{Reviewed, stage_change, write};
use super::place::Place;
use super::sides::side_of;
use super::{Review, store_named};
use crate::curate::reorder::merged;
use crate::curate::review::{Against, Entry, Kind, Other, Side};
use crate::curate::{FileChange, Plan};
use crate::memory::{Memory, MemoryId, Stamp, Timestamp};
use crate::project::staging;
use crate::store::{NewName, Overlay, Store, StoreError, index};

/// A file of a store before and after a plan; `None` where it is not there.
struct Outcome<'a> {
    store: &'a dyn Store,
    path: PathBuf,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

impl Outcome<'_> {
    fn memories(&self, bytes: Option<&[u8]>) -> BTreeMap<MemoryId, Side> {
        let bytes = bytes.unwrap_or_default();
        let memories = self.store.parse(&self.path, bytes, Stamp::default());
        let side = |memory| side_of(self.store, memory, &self.store.text_in(memory, bytes));
        let all = memories.iter().filter(|_| !bytes.is_empty());
        all.map(|one| (one.id.clone(), side(one))).collect()
    }

    /// The memories of the file before and after.
    fn both(&self) -> [BTreeMap<MemoryId, Side>; 2] {
        [&self.old, &self.new].map(|bytes| self.memories(bytes.as_deref()))
    }

    /// Another version of the file with the change; `None` if its lines changed there too.
    fn onto(&self, version: Option<&[u8]>) -> Option<Option<Vec<u8>>> {
        match (version, &self.old, &self.new) {
            (_, _, None) => Some(None),
            (_, None, new) => Some(new.clone()),
            (version, old, new) if version == old.as_deref() => Some(new.clone()),
            (version, Some(old), Some(new)) => merged(old, version?, new).map(Some),
        }
    }
}

impl Review<'_> {
    /// The files of stores that a plan changes.
    fn outcomes(&self, plan: &Plan) -> Result<Vec<Outcome<'_>>, StoreError> {
        let read = |path: &Path| self.collection.journals.disk.bytes(path);
        let mut all: Vec<(&Path, [Option<Vec<u8>>; 2])> = Vec::new();
        for change in &plan.changes {
            match change {
                FileChange::Write { path, before, .. } => {
                    let old = before.as_ref().map_or(Ok(None), |_| read(path))?;
                    let new = change.applied(old.as_deref()).flatten();
                    all.push((path, [old, new]));
                }
                FileChange::Move { from, to, .. } => {
                    let bytes = read(from)?;
                    all.push((from, [bytes.clone(), None]));
                    all.push((to, [None, bytes]));
                }
                FileChange::Rows { .. } | FileChange::Link { .. } | FileChange::Stage { .. } => {}
            }
        }
        let outcome = |(path, [old, new]): (&Path, [_; 2])| {
            Some(Outcome {
                store: self.collection.store_at(path)?,
                path: path.to_owned(),
                old,
                new,
            })
        };
        Ok(all.into_iter().filter_map(outcome).collect())
    }

    /// The plan that takes the lines of deleted memories out of the indexes of their stores.
    pub(super) fn without_lines(
        &self,
        entries: &[&Entry],
        now: Timestamp,
    ) -> Result<Plan, StoreError> {
        let mut overlay = self.collection.overlay(now);
        let is_proposed = |entry: &Entry| matches!(entry.against, Against::Proposal(_));
        for entry in entries {
            let gone = entry.before.as_ref().map(|side| &side.memory);
            let is_gone = entry.kind == Kind::Deleted && !is_proposed(entry);
            let Some(gone) = gone.filter(|gone| is_gone && !overlay.exists(&gone.path)) else {
                continue;
            };
            let store = store_named(self.collection, &entry.id.store)?;
            let indexes = self.memories.iter();
            let indexes =
                indexes.filter(|one| one.id.store == entry.id.store && one.index_table().is_some());
            let indexes: Vec<_> = indexes.cloned().collect();
            if !indexes.is_empty() {
                let gone: &[(&Memory, _)] = &[(gone, NewName::Gone)];
                store.extras().follow(gone, &indexes, &mut overlay)?;
            }
        }
        Ok(overlay.into_plan(String::new()))
    }

    /// A file of a store in the repository that holds it: the root, and its name there.
    fn in_git(&self, store: &dyn Store, path: &Path) -> Option<(PathBuf, PathBuf)> {
        let mut roots = self.heads.iter().map(|head| &head.root);
        roots.find_map(|root| {
            let file = Place::new(store.info(), root)?.below_root(path)?;
            Some((root.clone(), file))
        })
    }

    /// The files that a plan writes, as their reviewed versions would have them.
    pub(super) fn written(&self, plan: &Plan) -> Result<HashMap<PathBuf, Vec<u8>>, StoreError> {
        let mut all = HashMap::new();
        for outcome in self.outcomes(plan)? {
            let mut new = outcome.new.clone();
            if let Some(Reviewed::Index { root, file, .. }) =
                self.files.get(&outcome.path).map(|one| &one.reviewed)
            {
                new = new.and_then(|bytes| stored(root, file, bytes).ok()?.ok());
            }
            all.extend(new.map(|bytes| (outcome.path.clone(), bytes)));
        }
        Ok(all)
    }

    /// The memory that a plan writes, as its store would read it: the one with this id, else a new
    /// one, else one that it changes.
    pub(super) fn written_memory(&self, plan: &Plan, own: Option<&MemoryId>) -> Option<Side> {
        let mut changed = None;
        for outcome in self.outcomes(plan).ok()?.iter().rev() {
            let [was, mut is] = outcome.both();
            let own = own.and_then(|own| is.remove(own));
            let (known, new): (Vec<_>, Vec<_>) =
                is.into_iter().partition(|(id, _)| was.contains_key(id));
            let mut new = new.into_iter().map(|(_, side)| side);
            let new = own.or_else(|| new.by_ref().max_by_key(|side| side.memory.document));
            if new.is_some() {
                return new;
            }
            let mut known = known.into_iter();
            let other =
                known.find(|(id, side)| was.get(id).is_some_and(|was| was.text != side.text));
            changed = changed.or(other.map(|(_, side)| side));
        }
        changed
    }

    /// A plan's changes of memories other than this one.
    pub(super) fn others_of(&self, plan: &Plan, own: Option<&MemoryId>) -> Vec<Other> {
        let mut all = Vec::new();
        // Why it cannot be accepted is said when it is.
        for outcome in self.outcomes(plan).unwrap_or_default() {
            let [was, mut is] = outcome.both();
            let mut was: Vec<_> = was.into_iter().filter(|(id, _)| Some(id) != own).collect();
            was.sort_by_key(|(_, side)| side.memory.document);
            for (id, old) in was {
                if let Some(new) = is.remove(&id).filter(|new| new.text != old.text) {
                    let path = self.collection.shown(&old.memory.path);
                    let [old, new] = [old, new].map(|side| side.text.to_string());
                    all.push(Other { path, old, new });
                }
            }
        }
        all
    }

    /// Stages what a plan changes, and has the copies of stores outside git hold it.
    pub(super) fn stage_with(
        &self,
        plan: &mut Plan,
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        for mut outcome in self.outcomes(plan)? {
            let info = outcome.store.info();
            if self.outside.contains(&info.id) {
                let Some(copy) = self.copy_of(info, &outcome.path) else {
                    continue;
                };
                let old = overlay.current(&copy)?.map(<[u8]>::to_vec);
                if let Some(result) = outcome.onto(old.as_deref()) {
                    write(&copy, result, overlay)?;
                }
            } else if let Some((root, file)) = self.in_git(outcome.store, &outcome.path) {
                match stage_outcome(&mut outcome, &root, &file)? {
                    Ok(change) => plan.changes.extend(change),
                    Err(why) => plan.notes.push(why),
                }
            }
        }
        Ok(())
    }
}

/// The bytes of a file as git stores them, or why it cannot.
fn stored(root: &Path, file: &Path, bytes: Vec<u8>) -> Result<Result<Vec<u8>, String>, StoreError> {
    let stored = staging::stored(root, &[(file.to_owned(), bytes)]);
    let mut stored = stored.map_err(|error| index::refused(root, error))?;
    Ok(stored.pop().unwrap_or_else(|| Ok(Vec::new())))
}

/// The change of the index that stages what a plan changes in a file, or why there is none.
fn stage_outcome(
    outcome: &mut Outcome<'_>,
    root: &Path,
    file: &Path,
) -> Result<Result<Option<FileChange>, String>, StoreError> {
    let refused = |error| index::refused(root, error);
    for side in [&mut outcome.old, &mut outcome.new] {
        if let Some(bytes) = side.take() {
            match stored(root, file, bytes)? {
                Ok(bytes) => *side = Some(bytes),
                Err(why) => return Ok(Err(why)),
            }
        }
    }
    let before = staging::staged(root, file).map_err(refused)?;
    let ids: Vec<&str> = before.iter().map(|staged| &*staged.id).collect();
    let version = staging::blobs(root, &ids).map_err(refused)?.pop();
    let Some(result) = outcome.onto(version.as_deref()) else {
        let shown = file.display();
        return Ok(Err(match version {
            None => format!("{shown} is not in git yet, so it is not staged"),
            Some(_) => format!("{shown} has other changes in the same lines, so it is not staged"),
        }));
    };
    let before = (before, version.as_deref());
    stage_change((root, file, &outcome.path), before, result).map(Ok)
}
