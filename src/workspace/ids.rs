//! Finds the memories that typed ids name; refuses ambiguous and unknown ones with a hint.

use std::collections::HashSet;
use std::sync::Arc;

use itertools::Itertools as _;

use super::{Error, Result, Workspace};
use crate::lint::all_nearest;
use crate::memory::id::{Resolved, resolve};
use crate::memory::{Memory, MemoryId, State};
use crate::store::journal::Entry;
use crate::store::restore::Steps;

impl Workspace {
    /// The memory that a typed id names.
    pub fn find<'a>(&self, typed: &str, memories: &'a [Arc<Memory>]) -> Result<&'a Arc<Memory>> {
        let ids = memories.iter().map(|memory| &memory.id);
        match resolve(typed, ids) {
            Resolved::One(index) => memories.get(index).ok_or_else(|| no_such(typed, memories)),
            Resolved::Unknown => {
                let held = self.collection.held();
                Err(held.map_or_else(|| no_such(typed, memories), Error::from))
            }
            Resolved::Ambiguous(found) => {
                let ids = found.iter();
                let ids = ids.filter_map(|index| Some(&memories.get(*index)?.id));
                Err(ambiguous(typed, &ids.collect_vec()))
            }
        }
    }

    /// The memories that typed ids name, each once.
    pub fn found<'a>(
        &self,
        typed: &[String],
        memories: &'a [Arc<Memory>],
    ) -> Result<Vec<&'a Arc<Memory>>> {
        let find = |typed: &String| self.find(typed, memories);
        once(typed.iter().map(find), |memory| &memory.id)
    }

    /// The ids that typed ones name, each once.
    pub fn ids(&self, typed: &[String], memories: &[Arc<Memory>]) -> Result<Vec<MemoryId>> {
        let found = self.found(typed, memories)?;
        Ok(found.iter().map(|memory| memory.id.clone()).collect())
    }

    /// The ids of archived and deleted memories that typed ones name, with `archive/` or without.
    pub fn ids_to_restore(&self, typed: &[String], known: &[Arc<Memory>]) -> Result<Vec<MemoryId>> {
        let archived = known.iter();
        let archived = archived.filter(|memory| memory.state == State::Archived);
        let archived: Vec<&Memory> = archived.map(|memory| &**memory).collect();
        let applied = self.collection.applied().unwrap_or_default();
        let steps = Steps::of(&applied);
        let gone = gone(&archived, &applied, known);
        let ids = typed.iter().map(|typed| {
            let is_typed = |id: &MemoryId| *typed == *id.local || *typed == id.to_string();
            if let Some(memory) = archived.iter().find(|one| is_typed(&one.id)) {
                return Ok(memory.id.clone());
            }
            let is_gone = |id: &MemoryId| known.iter().all(|memory| memory.id != *id);
            let deleted = match steps.named(typed, &archived) {
                Some((id, is_deleted)) if !is_deleted || is_gone(&id) => return Ok(id),
                named => named.map(|(id, _)| id),
            };
            // The one that has this name by now, unless the journal knows which had it before.
            let had_name = |one: &&&Memory| {
                let local = one.id.local.strip_prefix("archive/");
                local.is_some_and(|local| is_typed(&MemoryId::new(&one.id.store, local)))
            };
            if let Ok(memory) = archived.iter().filter(had_name).exactly_one() {
                refuse_twin(typed, memory, &archived)?;
                return Ok(memory.id.clone());
            }
            if let Some(id) = deleted {
                let own = id.to_string();
                let moves = |one: &&Entry| {
                    let moves = ["delete", "restore"].contains(&&*one.action);
                    moves && one.ids.contains(&own)
                };
                let last = applied.iter().rev().find(moves);
                return match last.is_some_and(|entry| entry.action == "restore") {
                    true => Err(Error::wrong(format!("{id} is not archived"))),
                    false => Ok(id),
                };
            }
            let found = match resolve(typed, gone.iter().map(|(name, _)| name)) {
                Resolved::One(one) => vec![one],
                Resolved::Ambiguous(found) => found,
                Resolved::Unknown => Vec::new(),
            };
            let ids = found.into_iter().filter_map(|n| Some(&gone.get(n)?.1));
            let ids: Vec<&MemoryId> = ids.sorted_unstable().dedup().collect();
            match ids.as_slice() {
                [one] => Ok((*one).clone()),
                // One that is in use is told so.
                [] => match self.find(typed, known) {
                    Ok(memory) => Ok(memory.id.clone()),
                    Err(_) => {
                        let list =
                            "`memkeep list --all --query is:archived` names what is archived";
                        Err(no_such(typed, &[]).hint(format!("{list}{}", names_of(&gone))))
                    }
                },
                several => Err(ambiguous(typed, several)),
            }
        });
        once(ids, |id| id)
    }
}

/// Refuses a name that several archived memories of one file may have had.
fn refuse_twin(typed: &str, memory: &Memory, archived: &[&Memory]) -> Result<()> {
    let base = |memory: &Memory| memory.id.local.split('#').next().map(ToOwned::to_owned);
    let is_twin = |one: &&&Memory| one.id.store == memory.id.store && base(one) == base(memory);
    let twins = archived.iter().filter(is_twin).map(|twin| &twin.id);
    let twins: Vec<&MemoryId> = twins.collect();
    match twins.len() < 2 || memory.schema.can.shape.several {
        true => Ok(()),
        false => Err(ambiguous(typed, &twins)),
    }
}

/// Names to restore by, each with the id: archived ones with and without `archive/`, deleted ones.
fn gone(archived: &[&Memory], applied: &[Entry], now: &[Arc<Memory>]) -> Vec<(MemoryId, MemoryId)> {
    let mut all: Vec<(MemoryId, MemoryId)> = Vec::new();
    for id in archived.iter().map(|memory| &memory.id) {
        all.push((id.clone(), id.clone()));
        let local = id.local.strip_prefix("archive/");
        all.extend(local.map(|local| (MemoryId::new(&id.store, local), id.clone())));
    }
    let there: HashSet<&MemoryId> = now.iter().map(|memory| &memory.id).collect();
    let deleted = applied.iter().filter(|entry| entry.action == "delete");
    let ids = deleted.flat_map(|entry| &entry.ids).unique();
    let ids = ids.filter_map(|id| id.split_once(':'));
    let ids = ids.map(|(store, local)| MemoryId::new(&store.into(), local));
    let ids = ids.filter(|id| !there.contains(id));
    all.extend(ids.map(|id| (id.clone(), id)));
    all
}

/// The deleted ones among these names, for a hint.
fn names_of(gone: &[(MemoryId, MemoryId)]) -> String {
    let deleted = gone.iter().filter(|(name, id)| name == id);
    let deleted = deleted.map(|(_, id)| id);
    let deleted = deleted.filter(|id| !id.local.starts_with("archive/"));
    match deleted.sorted_unstable().collect_vec().as_slice() {
        [] => String::new(),
        ids => format!("; deleted: {}", some(ids)),
    }
}

fn ambiguous(typed: &str, ids: &[&MemoryId]) -> Error {
    Error::wrong(format!("`{typed}` is ambiguous")).hint(format!("one of {}", some(ids)))
}

fn some(ids: &[&MemoryId]) -> String {
    const SHOWN: usize = 10;
    let names = ids.iter().take(SHOWN).join(", ");
    match ids.len().saturating_sub(SHOWN) {
        0 => names,
        more => format!("{names}, and {more} more"),
    }
}

/// The first result of each id, and all errors.
fn once<T>(found: impl Iterator<Item = Result<T>>, id: impl Fn(&T) -> &MemoryId) -> Result<Vec<T>> {
    let all: Vec<T> = found.collect::<Result<_, _>>()?;
    Ok(all.into_iter().unique_by(|one| id(one).clone()).collect())
}

/// The error for an id that no memory has; it names the nearest ones.
fn no_such(typed: &str, memories: &[Arc<Memory>]) -> Error {
    // An id is compared with ids, and a name without its store with such names.
    let names = memories.iter().map(|memory| match typed.contains(':') {
        true => memory.id.to_string(),
        false => memory.id.local.to_string(),
    });
    let names: Vec<String> = names.collect();
    let near = all_nearest(typed, names.iter().map(String::as_str));
    let hint = match near.iter().map(|id| format!("`{id}`")).join(" or ") {
        none if none.is_empty() => "`memkeep list --all --format quiet` names them all".to_owned(),
        near => format!("did you mean {near}?"),
    };
    Error::nothing(format!("no memory `{typed}`")).hint(hint)
}
