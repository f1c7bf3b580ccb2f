//! Effects of a proposal on the files of the stores: shown before it is kept, staged with it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::place::Place;
use super::spots::Topics;
use super::versions::{Content, compose, stage_change, write};
use super::{Repository, Review, store_named};
use crate::curate::reorder::merged;
use crate::curate::review::{Against, Entry, Kind, Other, Side};
use crate::curate::{FileChange, Plan};
use crate::memory::{Memory, MemoryId, Stamp, Timestamp};
use crate::project::staging;
use crate::store::{NewName, Overlay, Store, StoreError, index};

/// The memories of a version of a file with their texts.
type Memories = HashMap<MemoryId, (Arc<Memory>, String)>;

/// A file of a store before and after a plan; `None` where it is not there.
struct Outcome<'a> {
    store: &'a dyn Store,
    path: PathBuf,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

impl Outcome<'_> {
    fn memories(&self, bytes: &Option<Vec<u8>>) -> Memories {
        let Some(bytes) = bytes else {
            return HashMap::new();
        };
        let memories = self.store.parse(&self.path, bytes, Stamp::default());
        let text = |memory: &Memory| {
            let text = self.store.text_in(memory, bytes);
            String::from_utf8_lossy(&text).into_owned()
        };
        let all = memories.into_iter();
        all.map(|memory| (memory.id.clone(), (Arc::clone(&memory), text(&memory))))
            .collect()
    }

    /// Another version of the file with what the plan changes in this one; `None` if it cannot be
    /// told apart there.
    fn onto(&self, version: Option<&[u8]>, topics: &Topics) -> Option<Content> {
        let (old, new) = (self.old.as_deref(), self.new.as_deref());
        let whole = |bytes: &[u8]| Content::Bytes(bytes.to_vec());
        match (version, old, new) {
            (_, _, None) => Some(Content::Gone),
            (version, old, Some(new)) if version == old || old.is_none() => Some(whole(new)),
            (None, ..) | (_, None, _) => None,
            (Some(version), Some(old), Some(new)) => {
                if let Some(bytes) = merged(old, version, new) {
                    return Some(Content::Bytes(bytes));
                }
                let (was, is) = (self.memories(&self.old), self.memories(&self.new));
                let text =
                    |all: &Memories, id: &MemoryId| all.get(id).map(|(_, text)| text.clone());
                let ids = was.keys().chain(is.keys());
                let changed = ids.filter(|id| text(&was, id) != text(&is, id));
                let mut owners: HashSet<String> = changed.map(|id| id.local.to_string()).collect();
                owners.extend(topics.values().cloned());
                let versions = (Some(version), Some(new));
                let owners = (&owners, false);
                Some(compose(self.store, &self.path, versions, owners, topics))
            }
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
                FileChange::Write {
                    path,
                    before,
                    after,
                    splice,
                    ..
                } => {
                    let old = before.as_ref().map_or(Ok(None), |_| read(path))?;
                    let new = after
                        .as_ref()
                        .and_then(|_| splice.applied(old.as_deref().unwrap_or_default()));
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
    pub(super) fn without_lines<'e>(
        &self,
        entries: impl Iterator<Item = &'e Entry>,
        now: Timestamp,
    ) -> Result<Plan, StoreError> {
        let mut overlay = self.collection.overlay(now);
        let is_proposed = |entry: &Entry| matches!(entry.against, Against::Proposal(_));
        for entry in entries.filter(|one| one.kind == Kind::Deleted && !is_proposed(one)) {
            let gone = entry.before.as_ref().map(|side| &side.memory);
            let Some(gone) = gone.filter(|gone| !overlay.exists(&gone.path)) else {
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

    /// The files that a plan writes, as git stores them.
    pub(super) fn written(&self, plan: &Plan) -> HashMap<PathBuf, Vec<u8>> {
        let mut all = HashMap::new();
        for outcome in self.outcomes(plan).unwrap_or_default() {
            for repository in &self.repositories {
                let root = &repository.base.root;
                let place = Place::new(outcome.store.info(), root);
                let file = place.and_then(|place| place.below_root(&outcome.path));
                if let Some((file, bytes)) = file.zip(outcome.new.clone()) {
                    let stored = staging::stored(root, &[(file, bytes)]).unwrap_or_default();
                    let stored = stored.into_iter().next().and_then(Result::ok);
                    all.extend(stored.map(|bytes| (outcome.path.clone(), bytes)));
                }
            }
        }
        all
    }

    /// The memory that a plan writes, as its store would read it: the one with this id, or a new one.
    pub(super) fn written_memory(&self, plan: &Plan, own: Option<&MemoryId>) -> Option<Side> {
        self.outcomes(plan).ok()?.iter().rev().find_map(|outcome| {
            let (was, mut is) = (
                outcome.memories(&outcome.old),
                outcome.memories(&outcome.new),
            );
            let same = own.and_then(|own| is.remove(own));
            let new = is.into_iter().filter(|(id, _)| !was.contains_key(id));
            let new = new.map(|(_, one)| one);
            let (memory, text) = same.or_else(|| new.max_by_key(|(memory, _)| memory.document))?;
            let body = outcome.store.extras().body_of(&memory, text.as_bytes());
            let unix = |text: &str| text.replace("\r\n", "\n").into();
            Some(Side {
                text: unix(&text),
                body: unix(&String::from_utf8_lossy(&body)),
                memory,
            })
        })
    }

    /// Returns a plan's changes of memories other than this one.
    pub(super) fn others_of(&self, plan: &Plan, own: Option<&MemoryId>) -> Vec<Other> {
        let mut all = Vec::new();
        // Why it cannot be accepted is said when it is.
        for outcome in self.outcomes(plan).unwrap_or_default() {
            let (was, mut is) = (
                outcome.memories(&outcome.old),
                outcome.memories(&outcome.new),
            );
            let mut was: Vec<_> = was.into_iter().collect();
            was.sort_by_key(|(_, (memory, _))| memory.document);
            for (id, (memory, old)) in was.into_iter().filter(|(id, _)| Some(id) != own) {
                if let Some((_, new)) = is.remove(&id).filter(|(_, new)| *new != old) {
                    let path = self.collection.shown(&memory.path);
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
        let outcomes = self.outcomes(plan)?;
        let memories = outcomes.iter().flat_map(|one| {
            let both = [&one.old, &one.new].map(|bytes| one.memories(bytes));
            both.into_iter().flatten().map(|(_, (memory, _))| memory)
        });
        let topics: Topics = memories
            .filter(|memory| memory.index_table().is_none())
            .map(|memory| (memory.path.to_path_buf(), memory.id.local.to_string()))
            .collect();
        for mut outcome in outcomes {
            let info = outcome.store.info();
            if self.outside.contains(&info.id) {
                let Some(copy) = self.copy_of(info, &outcome.path) else {
                    continue;
                };
                let old = overlay.current(&copy)?.map(<[u8]>::to_vec);
                if let Some(result) = outcome.onto(old.as_deref(), &topics) {
                    write(&copy, result, overlay)?;
                }
                continue;
            }
            for repository in &self.repositories {
                let root = &repository.base.root;
                let place = Place::new(info, root);
                if let Some(file) = place.and_then(|place| place.below_root(&outcome.path)) {
                    match self.stage_outcome(&mut outcome, (repository, &file), &topics)? {
                        Ok(change) => plan.changes.extend(change),
                        Err(why) => plan.notes.push(why),
                    }
                }
            }
        }
        Ok(())
    }

    /// The change of the index that stages what a plan changes in a file, or why there is none.
    fn stage_outcome(
        &self,
        outcome: &mut Outcome<'_>,
        (repository, file): (&Repository, &Path),
        topics: &Topics,
    ) -> Result<Result<Option<FileChange>, String>, StoreError> {
        let root = &repository.base.root;
        let refused = |error| index::refused(root, error);
        for side in [&mut outcome.old, &mut outcome.new] {
            let Some(bytes) = side.take() else { continue };
            let stored = staging::stored(root, &[(file.to_owned(), bytes)]).map_err(refused)?;
            match stored.into_iter().next() {
                Some(Ok(bytes)) => *side = Some(bytes),
                Some(Err(why)) => return Ok(Err(why)),
                None => {}
            }
        }
        let before = staging::staged(root, file).map_err(refused)?;
        let ids: Vec<&str> = before.iter().map(|staged| &*staged.id).collect();
        let version = staging::blobs(root, &ids).map_err(refused)?.pop();
        let Some(result) = outcome.onto(version.as_deref(), topics) else {
            let shown = file.display();
            return Ok(Err(format!(
                "{shown} is not in git yet, so it is not staged"
            )));
        };
        let before = (before, version.as_deref());
        stage_change(root, (file, &outcome.path), before, result).map(Ok)
    }
}
