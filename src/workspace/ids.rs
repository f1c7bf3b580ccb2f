//! Finds the memories that typed ids name; refuses ambiguous and unknown ones with a hint.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::Arc;

use super::{Error, Workspace};
use crate::lint::all_nearest;
use crate::memory::id::{Resolved, resolve};
use crate::memory::{Memory, MemoryId, State};
use crate::store::journal::Entry;
use crate::store::restore::{Named, Steps};

impl Workspace {
    /// The memory that a typed id names.
    pub fn find<'a>(
        &self,
        typed: &str,
        memories: &'a [Arc<Memory>],
    ) -> Result<&'a Arc<Memory>, Error> {
        let ids = memories.iter().map(|memory| &memory.id);
        match resolve(typed, ids) {
            Resolved::One(index) => memories.get(index).ok_or_else(|| no_such(typed, memories)),
            Resolved::Unknown => {
                let held = self.collection.held();
                Err(held.map_or_else(|| no_such(typed, memories), Error::from))
            }
            Resolved::Ambiguous(found) => {
                let found = found.iter().filter_map(|index| memories.get(*index));
                let ids: Vec<&MemoryId> = found.map(|memory| &memory.id).collect();
                Err(ambiguous(typed, &ids))
            }
        }
    }

    /// The memories that typed ids name, each once.
    pub fn found<'a>(
        &self,
        typed: &[String],
        memories: &'a [Arc<Memory>],
    ) -> Result<Vec<&'a Arc<Memory>>, Error> {
        let find = |typed: &String| self.find(typed, memories);
        each_once(typed.iter().map(find), |memory| &memory.id)
    }

    /// The ids that typed ones name, each once.
    pub fn ids(&self, typed: &[String], memories: &[Arc<Memory>]) -> Result<Vec<MemoryId>, Error> {
        let found = self.found(typed, memories)?;
        Ok(found.iter().map(|memory| memory.id.clone()).collect())
    }

    /// The ids of archived and deleted memories that typed ones name, with `archive/` or without.
    pub fn ids_to_restore(
        &self,
        typed: &[String],
        memories: &[Arc<Memory>],
    ) -> Result<Vec<MemoryId>, Error> {
        let archived: Vec<Arc<Memory>> = memories
            .iter()
            .filter(|memory| memory.state == State::Archived)
            .cloned()
            .collect();
        let applied = LazyCell::new(|| self.collection.applied().unwrap_or_default());
        let steps = LazyCell::new(|| Steps::of(&applied));
        let gone = LazyCell::new(|| gone(&archived, &applied, memories));
        let ids = typed.iter().map(|typed| {
            let is_typed = |id: &MemoryId, local: &str| {
                *typed == local || *typed == format!("{}:{local}", id.store)
            };
            let is_it = |memory: &&Arc<Memory>| is_typed(&memory.id, &memory.id.local);
            if let Some(memory) = archived.iter().find(is_it) {
                return Ok(memory.id.clone());
            }
            let all: Vec<&Memory> = archived.iter().map(|memory| &**memory).collect();
            let named = steps.named(typed, &all);
            if let Some(Named::Archived(memory)) = named {
                return Ok(memory.id.clone());
            }
            // The one that has this name by now, unless the journal knows which had it before.
            let deleted = match named {
                Some(Named::Deleted(id)) => Some(id),
                _ => None,
            };
            let is_there = |id: &MemoryId| memories.iter().any(|memory| memory.id == *id);
            if let Some(id) = deleted.as_ref().filter(|id| !is_there(id)) {
                return Ok(id.clone());
            }
            let named = |memory: &&&Memory| {
                let local = memory.id.local.strip_prefix("archive/");
                local.is_some_and(|local| is_typed(&memory.id, local))
            };
            let mut found = all.iter().filter(named);
            if let Some(memory) = found.next().filter(|_| found.next().is_none()) {
                refuse_twin(typed, memory, &all)?;
                return Ok(memory.id.clone());
            }
            if let Some(id) = deleted {
                let own = id.to_string();
                let moves = |entry: &&Entry| {
                    ["delete", "restore"].contains(&&*entry.action) && entry.ids.contains(&own)
                };
                let last = applied.iter().rev().find(moves);
                return match last.is_some_and(|entry| entry.action == "restore") {
                    true => Err(Error::wrong(format!("{id} is not archived"))),
                    false => Ok(id),
                };
            }
            let names = gone.iter().map(|(name, _)| name);
            let found: Vec<usize> = match resolve(typed, names) {
                Resolved::One(one) => vec![one],
                Resolved::Ambiguous(found) => found,
                Resolved::Unknown => Vec::new(),
            };
            let found = found.into_iter().filter_map(|n| gone.get(n));
            let mut ids: Vec<&MemoryId> = found.map(|(_, id)| id).collect();
            ids.sort_unstable();
            ids.dedup();
            match ids.as_slice() {
                [one] => Ok((*one).clone()),
                // One that is in use is told so.
                [] => match self.find(typed, memories) {
                    Ok(memory) => Ok(memory.id.clone()),
                    Err(_) => {
                        let lost = self.collection.lost(memories)?.into_iter();
                        let mut lost = lost.map(|one| one.id).filter(|id| is_typed(id, &id.local));
                        lost.next().ok_or_else(|| {
                            no_such(typed, &[]).hint(format!(
                                "`memkeep list --all --query is:archived` names what is archived{}",
                                names_of(&gone)
                            ))
                        })
                    }
                },
                several => Err(ambiguous(typed, several)),
            }
        });
        each_once(ids, |id| id)
    }
}

/// Refuses a name that more archived memories of one file may have had: their numbers are those of
/// the archive. The documents of a file keep theirs.
fn refuse_twin(typed: &str, memory: &Memory, archived: &[&Memory]) -> Result<(), Error> {
    let base = |memory: &Memory| memory.id.local.split('#').next().map(ToOwned::to_owned);
    let is_twin =
        |other: &&&Memory| other.id.store == memory.id.store && base(other) == base(memory);
    let twins: Vec<String> = archived
        .iter()
        .filter(is_twin)
        .map(|twin| twin.id.to_string())
        .collect();
    if twins.len() < 2 || memory.schema.can.shape.several {
        return Ok(());
    }
    let error = Error::wrong(format!(
        "`{typed}` is ambiguous: the archive has more of that id"
    ));
    Err(error.hint(format!("one of {}", twins.join(", "))))
}

/// Names under which memories can be restored, each with the id: of an archived memory with
/// `archive/` and without, of a deleted one its own.
fn gone(
    archived: &[Arc<Memory>],
    applied: &[Entry],
    memories: &[Arc<Memory>],
) -> Vec<(MemoryId, MemoryId)> {
    let there: HashSet<&MemoryId> = memories.iter().map(|memory| &memory.id).collect();
    let mut all: Vec<(MemoryId, MemoryId)> = Vec::new();
    for id in archived.iter().map(|memory| &memory.id) {
        all.push((id.clone(), id.clone()));
        if let Some(local) = id.local.strip_prefix("archive/") {
            all.push((MemoryId::new(&id.store, local), id.clone()));
        }
    }
    let deleted = applied.iter().filter(|entry| entry.action == "delete");
    let ids: HashSet<&str> = deleted
        .flat_map(|entry| &entry.ids)
        .map(|id| &**id)
        .collect();
    for (store, local) in ids.into_iter().filter_map(|id| id.split_once(':')) {
        let id = MemoryId::new(&store.into(), local);
        if !there.contains(&id) {
            all.push((id.clone(), id));
        }
    }
    all
}

/// The deleted ones among these names, for a hint.
fn names_of(gone: &[(MemoryId, MemoryId)]) -> String {
    let deleted = gone.iter().filter(|(name, id)| name == id);
    let deleted = deleted.filter(|(_, id)| !id.local.starts_with("archive/"));
    let mut ids: Vec<&MemoryId> = deleted.map(|(_, id)| id).collect();
    ids.sort_unstable();
    match ids.as_slice() {
        [] => String::new(),
        ids => format!("; deleted: {}", some(ids)),
    }
}

fn ambiguous(typed: &str, ids: &[&MemoryId]) -> Error {
    Error::wrong(format!("`{typed}` is ambiguous")).hint(format!("one of {}", some(ids)))
}

/// The first of some ids.
fn some(ids: &[&MemoryId]) -> String {
    const SHOWN: usize = 10;
    let mut names: Vec<String> = ids.iter().take(SHOWN).map(ToString::to_string).collect();
    if ids.len() > SHOWN {
        names.push(format!("and {} more", ids.len() - SHOWN));
    }
    names.join(", ")
}

/// The first result of each id, and all errors.
fn each_once<T>(
    found: impl Iterator<Item = Result<T, Error>>,
    id: impl Fn(&T) -> &MemoryId,
) -> Result<Vec<T>, Error> {
    let mut known = HashSet::new();
    let mut new = |one: &Result<T, Error>| match one {
        Ok(one) => known.insert(id(one).clone()),
        Err(_) => true,
    };
    found.filter(|one| new(one)).collect()
}

/// The error for an id that no memory has; it names the nearest ones.
fn no_such(typed: &str, memories: &[Arc<Memory>]) -> Error {
    let whole = typed.contains(':');
    let ids = memories.iter().map(|memory| memory.id.to_string());
    let ids: Vec<String> = ids.collect();
    // An id is compared with ids, and a name without its store with such names.
    let word = |id: &'_ String| match id.split_once(':') {
        Some((store, _)) if !whole => store.len() + 1,
        _ => 0,
    };
    let words = ids.iter().map(|id| id.get(word(id)..).unwrap_or_default());
    let near = all_nearest(typed, words);
    let hint = match near.is_empty() {
        true => "`memkeep list --all --format quiet` names them all".to_owned(),
        false => {
            let near: Vec<String> = near.iter().map(|id| format!("`{id}`")).collect();
            format!("did you mean {}?", near.join(" or "))
        }
    };
    Error::nothing(format!("no memory `{typed}`")).hint(hint)
}
