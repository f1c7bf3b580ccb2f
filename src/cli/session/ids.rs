//! What a typed id stands for.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Session;
use crate::cli::error::Error;
use crate::memory::id::{Resolved, resolve};
use crate::memory::{Memory, MemoryId, State};
use crate::store::journal::Entry;

impl Session {
    /// The memory that a typed id stands for.
    pub fn find<'a>(
        &self,
        typed: &str,
        memories: &'a [Arc<Memory>],
    ) -> Result<&'a Arc<Memory>, Error> {
        let ids = memories.iter().map(|memory| &memory.id);
        match resolve(typed, ids) {
            Resolved::One(index) => memories.get(index).ok_or_else(|| no_such(typed)),
            Resolved::Unknown => {
                let held = self.collection.held();
                Err(held.map_or_else(|| no_such(typed), Error::from))
            }
            Resolved::Ambiguous(found) => {
                let found = found.iter().filter_map(|index| memories.get(*index));
                let ids: Vec<&MemoryId> = found.map(|memory| &memory.id).collect();
                Err(ambiguous(typed, &ids))
            }
        }
    }

    /// The memories that typed ids stand for, each once.
    pub fn found<'a>(
        &self,
        typed: &[String],
        memories: &'a [Arc<Memory>],
    ) -> Result<Vec<&'a Arc<Memory>>, Error> {
        let find = |typed: &String| self.find(typed, memories);
        each_once(typed.iter().map(find), |memory| &memory.id)
    }

    /// The ids that typed ones stand for, each once.
    pub fn ids(&self, typed: &[String], memories: &[Arc<Memory>]) -> Result<Vec<MemoryId>, Error> {
        let found = self.found(typed, memories)?;
        Ok(found.iter().map(|memory| memory.id.clone()).collect())
    }

    /// The ids of archived and deleted memories that typed ones stand for, with `archive/` or
    /// without.
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
        let exact = |typed: &str| {
            let local = typed.split_once(':').map_or(typed, |(_, local)| local);
            let found = |memory: &&Arc<Memory>| {
                let id = &memory.id;
                let own = *id.local == *local || id.local.strip_prefix("archive/") == Some(local);
                own && (local == typed || typed == format!("{}:{local}", id.store))
            };
            let mut found = archived.iter().filter(found);
            let first = found.next().map(|memory| memory.id.clone());
            first.filter(|_| found.next().is_none())
        };
        let applied = LazyCell::new(|| self.collection.journal.applied().unwrap_or_default());
        let known = LazyCell::new(|| deleted(&applied));
        let deleted = |typed: &str| {
            let (store, local) = known.get(typed)?.split_once(':')?;
            Some(MemoryId::new(&store.into(), local))
        };
        let gone = LazyCell::new(|| gone(&archived, &known, memories));
        let ids = typed.iter().map(|typed| {
            if let Some(id) = exact(typed).or_else(|| deleted(typed)) {
                return Ok(id);
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
                    Err(_) => Err(no_such(typed).hint(format!(
                        "`memkeep list --all --query is:archived` names what is archived{}",
                        names_of(&gone)
                    ))),
                },
                several => Err(ambiguous(typed, several)),
            }
        });
        each_once(ids, |id| id)
    }
}

/// The ids of deleted memories that are in the journal, by what may be typed for them: of two
/// with one name the one that was deleted last.
fn deleted(applied: &[Entry]) -> HashMap<&str, &str> {
    let mut known = HashMap::new();
    let entries = applied.iter().rev();
    let deleted = entries.filter(|entry| entry.action == "delete");
    for id in deleted.flat_map(|entry| &entry.ids) {
        known.entry(&**id).or_insert(&**id);
        if let Some((_, local)) = id.split_once(':') {
            known.entry(local).or_insert(id);
        }
    }
    known
}

/// What can be restored, by the names that may be shortened: of an archived memory with `archive/`
/// and without, of a deleted one that is not there again its own.
fn gone(
    archived: &[Arc<Memory>],
    deleted: &HashMap<&str, &str>,
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
    let ids: HashSet<&str> = deleted.values().copied().collect();
    for (store, local) in ids.into_iter().filter_map(|id| id.split_once(':')) {
        let id = MemoryId::new(&store.into(), local);
        if !there.contains(&id) {
            all.push((id.clone(), id));
        }
    }
    all
}

/// The deleted ones among what can be restored, for a hint.
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

/// What was found, the first of each id.
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

fn no_such(typed: &str) -> Error {
    Error::nothing(format!("no memory `{typed}`"))
        .hint("`memkeep list --all --format quiet` names them all")
}
