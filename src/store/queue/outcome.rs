//! Effects of a plan on the files of the stores: shown before it is kept, staged with it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::Review;
use super::files::{Reviewed, stage_change, write};
use super::sides::{Place, side_of};
use crate::curate::differences::{Against, Entry, Kind, Other, Side, pair};
use crate::curate::threeway::merged;
use crate::curate::{FileChange, Plan};
use crate::memory::{Memory, MemoryId, Stamp, Timestamp};
use crate::project::git;
use crate::project::revision::Revision;
use crate::project::staging::{self, Index};
use crate::store::collection::Collection;
use crate::store::{NewName, Overlay, Result, Store, StoreError, apply, refuse};

/// A file of a store before and after a plan; `None` where it is not there.
struct Outcome<'a> {
    store: &'a dyn Store,
    path: PathBuf,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

impl Outcome<'_> {
    fn sides(&self, bytes: &Option<Vec<u8>>) -> Vec<Side> {
        let bytes = bytes.as_deref().unwrap_or_default();
        let memories = self.store.parse(&self.path, bytes, Stamp::default());
        let side = |memory| side_of(self.store, memory, &self.store.text_in(memory, bytes));
        let all = memories.iter().filter(|_| !bytes.is_empty());
        all.map(side).collect()
    }

    fn ids(&self, bytes: Option<&[u8]>) -> HashSet<MemoryId> {
        let bytes = bytes.filter(|bytes| !bytes.is_empty());
        let memories = bytes.map(|bytes| self.store.parse(&self.path, bytes, Stamp::default()));
        let memories = memories.into_iter().flatten();
        memories.map(|memory| memory.id.clone()).collect()
    }

    fn gone(&self) -> impl Iterator<Item = MemoryId> + use<> {
        let [old, new] = [&self.old, &self.new].map(|bytes| self.ids(bytes.as_deref()));
        old.into_iter().filter(move |id| !new.contains(id))
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

fn outcomes<'c>(collection: &'c Collection, plan: &Plan) -> Result<Vec<Outcome<'c>>> {
    let read = |path: &Path| collection.journals.disk.bytes(path);
    let mut all: Vec<(&Path, [Option<Vec<u8>>; 2])> = Vec::new();
    for change in &plan.changes {
        match change {
            FileChange::Write(own) => {
                let path = &*own.path;
                let old = own.before.as_ref().map_or(Ok(None), |_| read(path))?;
                let new = change.applied(old.as_deref()).flatten();
                all.push((path, [old, new]));
            }
            FileChange::Move { from, to, .. } => {
                let bytes = read(from)?;
                all.push((from, [bytes.clone(), None]));
                all.push((to, [None, bytes]));
            }
            FileChange::Rows { .. } | FileChange::Stage(_) => {}
        }
    }
    let outcome = |(path, [old, new]): (&Path, [_; 2])| {
        Some(Outcome {
            store: collection.store_at(path)?,
            path: path.to_owned(),
            old,
            new,
        })
    };
    Ok(all.into_iter().filter_map(outcome).collect())
}

/// Unstages memories that a plan takes away and no commit has: the next one would bring them.
pub(in crate::store) fn unstage_gone(collection: &Collection, plan: &mut Plan) -> Result {
    let mut by_root: BTreeMap<PathBuf, Vec<(PathBuf, Outcome<'_>)>> = BTreeMap::new();
    for outcome in outcomes(collection, plan)? {
        let info = outcome.store.info();
        let around = info.path.parent().unwrap_or(&info.path);
        let root = git::tree(around).and_then(|folder| git::root(folder).ok());
        let file = |root: &PathBuf| Place::new(info, root)?.below_root(&outcome.path);
        if let Some((file, root)) = root.and_then(|root| Some((file(&root)?, root))) {
            by_root.entry(root).or_default().push((file, outcome));
        }
    }
    for (root, mut files) in by_root {
        let goes = |(_, outcome): &(PathBuf, Outcome<'_>)| outcome.gone().next().is_some();
        if !files.iter().any(goes) {
            continue;
        }
        let names: Vec<PathBuf> = files.iter().map(|(file, _)| file.clone()).collect();
        let head = || Revision::find(&root, "HEAD")?.contents(&names);
        let known = Index::read(&root, &names).and_then(|index| Ok((index, head()?)));
        let Ok((index, head)) = known else { continue };
        let is_staged = |(file, outcome): &(PathBuf, Outcome<'_>)| {
            let mut changes = plan.changes.iter();
            let is_own = |change: &FileChange| matches!(change, FileChange::Stage(one) if one.path == outcome.path);
            index.files.contains_key(file) && !changes.any(is_own)
        };
        files.retain(is_staged);
        let is_only_staged = |(file, outcome): &(PathBuf, Outcome<'_>)| {
            let id = index.files.get(file).map(|staged| &*staged.id);
            let blobs = staging::blobs(&root, &Vec::from_iter(id)).unwrap_or_default();
            let accepted = outcome.ids(blobs.first().map(Vec::as_slice));
            let committed = outcome.ids(head.get(file).map(Vec::as_slice));
            let mut gone = outcome.gone();
            gone.any(|id| accepted.contains(&id) && !committed.contains(&id))
        };
        if files.iter().any(is_only_staged) {
            for (file, mut outcome) in files {
                let change = stage_one(&mut outcome, &root, &file);
                plan.changes.extend(change.unwrap_or_default());
            }
        }
    }
    Ok(())
}

impl Review<'_> {
    /// The plan that takes the lines of deleted memories out of the indexes of their stores.
    pub(super) fn without_lines(&self, entries: &[&Entry], now: Timestamp) -> Result<Plan> {
        let mut overlay = self.collection.overlay(now);
        let is_proposed = |entry: &Entry| matches!(entry.against, Against::Proposal(_));
        for entry in entries {
            let gone = entry.before.as_ref().map(|side| &side.memory);
            let is_gone = entry.kind == Kind::Deleted && !is_proposed(entry);
            let gone = gone.filter(|gone| is_gone && !overlay.exists(&gone.path));
            let Some(gone) = gone else { continue };
            let store = self.collection.store(&entry.id.store)?;
            let indexes = self.memories.iter();
            let indexes =
                indexes.filter(|one| one.id.store == entry.id.store && one.index_table().is_some());
            let indexes: Vec<_> = indexes.cloned().collect();
            if !indexes.is_empty() {
                let gone: &[(&Memory, _)] = &[(gone, NewName::Gone)];
                store.follow(gone, &indexes, &mut overlay)?;
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
    pub(super) fn written(&self, plan: &Plan) -> Result<HashMap<PathBuf, Vec<u8>>> {
        let mut all = HashMap::new();
        for outcome in outcomes(self.collection, plan)? {
            let mut new = outcome.new.clone();
            let reviewed = self.files.get(&outcome.path).map(|one| &one.reviewed);
            if let Some(Reviewed::Index { root, file, .. }) = reviewed {
                new = new.and_then(|bytes| stored(root, file, bytes).ok());
            }
            all.extend(new.map(|bytes| (outcome.path.clone(), bytes)));
        }
        Ok(all)
    }

    /// The changes of memories that a plan makes. Why it cannot be carried out is said when it is.
    pub(super) fn entries_of(&self, plan: &Plan) -> Vec<Entry> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for outcome in outcomes(self.collection, plan).unwrap_or_default() {
            before.extend(outcome.sides(&outcome.old));
            after.extend(outcome.sides(&outcome.new));
        }
        pair(before, after, &Against::Commit)
    }

    /// Changed texts of memories as what comes with another change.
    pub(super) fn others(&self, entries: Vec<Entry>) -> Vec<Other> {
        let other = |entry: Entry| {
            let (old, new) = entry.before.zip(entry.after)?;
            (entry.kind == Kind::Modified && old.text != new.text).then(|| Other {
                path: self.collection.shown(&old.memory.path),
                old: old.text.to_string(),
                new: new.text.to_string(),
            })
        };
        entries.into_iter().filter_map(other).collect()
    }

    /// Stages what a plan changes, and has the copies of stores outside git hold it.
    pub(super) fn stage_with(&self, plan: &mut Plan, overlay: &mut Overlay) -> Result {
        for mut outcome in outcomes(self.collection, plan)? {
            let info = outcome.store.info();
            if self.outside.contains(&info.id) {
                let copy = self.copy_of(info, &outcome.path);
                let Some(copy) = copy else { continue };
                let old = overlay.current(&copy)?.map(<[u8]>::to_vec);
                if let Some(result) = outcome.onto(old.as_deref()) {
                    write(&copy, result, overlay)?;
                }
            } else if let Some((root, file)) = self.in_git(outcome.store, &outcome.path) {
                match stage_one(&mut outcome, &root, &file) {
                    Ok(change) => plan.changes.extend(change),
                    Err(StoreError::Refused(why)) => plan.notes.push(why),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }
}

/// The bytes of a file as git stores them; refused where it would run a program for that.
fn stored(root: &Path, file: &Path, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let stored = staging::stored(root, &[(file.to_owned(), bytes)]);
    let mut stored = stored.map_err(|error| apply::git_refused(root, error))?;
    let bytes = stored.pop().unwrap_or_else(|| Ok(Vec::new()));
    bytes.map_err(StoreError::Refused)
}

/// The change of the index that stages what a plan changes in a file; refused where it cannot.
fn stage_one(outcome: &mut Outcome<'_>, root: &Path, file: &Path) -> Result<Option<FileChange>> {
    let refused = |error| apply::git_refused(root, error);
    for side in [&mut outcome.old, &mut outcome.new] {
        let bytes = side.take().map(|bytes| stored(root, file, bytes));
        *side = bytes.transpose()?;
    }
    let before = staging::staged(root, file).map_err(refused)?;
    let ids: Vec<&str> = before.iter().map(|staged| &*staged.id).collect();
    let version = staging::blobs(root, &ids).map_err(refused)?.pop();
    let Some(result) = outcome.onto(version.as_deref()) else {
        let why = match version {
            None => "is not in git yet",
            Some(_) => "has other changes in the same lines",
        };
        return refuse(format!("{} {why}, so it is not staged", file.display()));
    };
    let before = (before, version.as_deref());
    stage_change((root, file, &outcome.path), before, result)
}
