//! What a memory has to do with others: the memories it names, and those that name it.

use super::world::World;
use crate::memory::{Memory, MemoryId, Role, Value};

/// A memory that another one has to do with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The field that names it; with an arrow before it where it is the other that names.
    pub kind: String,
    /// The name as it is written.
    pub name: String,
    /// The memory and its title, where it is there.
    pub memory: Option<(MemoryId, String)>,
    /// Where the name stands: the memory that names, the field, and the place in it.
    pub at: (MemoryId, &'static str, usize),
}

/// The kinds of links to choose one of, and between which memories.
#[derive(Debug)]
pub struct Kinds {
    /// The memory that will name the others.
    pub from: MemoryId,
    /// The others.
    pub to: Vec<MemoryId>,
    /// What the window asks.
    pub title: String,
    /// The kinds: the field and what it is for.
    pub rows: Vec<(&'static str, &'static str)>,
    /// The selected one.
    pub row: usize,
}

/// The neighbours of a memory, to choose one of.
#[derive(Debug)]
pub struct Links {
    /// The title of that memory.
    pub of: String,
    /// Its neighbours.
    pub rows: Vec<Neighbour>,
    /// The selected one.
    pub row: usize,
}

/// More names of one memory than these are not looked up.
const MOST: usize = 200;

/// A name without link brackets and extension.
fn bare(written: &str) -> &str {
    let name = written
        .trim()
        .trim_start_matches("[[")
        .trim_end_matches("]]");
    name.strip_suffix(".md").unwrap_or(name)
}

/// Whether a memory goes by a name: its LOCAL, or the last part of it.
fn goes_by(memory: &Memory, name: &str) -> bool {
    let head = memory.id.local.strip_suffix(name);
    head.is_some_and(|head| head.is_empty() || head.ends_with('/'))
}

/// The names that a memory's relations hold, each with its field and its place in it.
fn named(memory: &Memory) -> impl Iterator<Item = (&'static str, usize, &str)> {
    memory.schema.roles(Role::Relations).flat_map(|spec| {
        let items = memory.field(spec.name).into_iter().flat_map(Value::items);
        let items = items.enumerate();
        items.filter_map(move |(n, item)| Some((spec.name, n, item.as_str()?)))
    })
}

/// The memories that a memory names.
pub fn outgoing(world: &World, memory: &Memory) -> Vec<Neighbour> {
    let mut found: Vec<Neighbour> = named(memory)
        .take(MOST)
        .map(|(kind, n, name)| Neighbour {
            kind: kind.to_owned(),
            name: name.to_owned(),
            memory: None,
            at: (memory.id.clone(), kind, n),
        })
        .collect();
    if found.is_empty() {
        return found;
    }
    for other in world
        .memories
        .iter()
        .filter(|other| other.id.store == memory.id.store)
    {
        let own = found.iter_mut().filter(|one| one.memory.is_none());
        for one in own.filter(|one| goes_by(other, bare(&one.name))) {
            one.memory = Some((other.id.clone(), other.title.to_string()));
        }
    }
    found
}

/// The memories that a memory names, then those that name it and are not among them.
pub fn neighbours(world: &World, memory: &Memory) -> Vec<Neighbour> {
    let mut all = outgoing(world, memory);
    for other in world.memories.iter() {
        if other.id.store != memory.id.store || other.id == memory.id {
            continue;
        }
        let is_known = all
            .iter()
            .any(|one| one.memory.as_ref().is_some_and(|(id, _)| *id == other.id));
        let kind = named(other).find(|(_, _, name)| goes_by(memory, bare(name)));
        if let Some((kind, n, _)) = kind.filter(|_| !is_known) {
            all.push(Neighbour {
                at: (other.id.clone(), kind, n),
                kind: format!("← {kind}"),
                name: other.id.local.to_string(),
                memory: Some((other.id.clone(), other.title.to_string())),
            });
        }
    }
    all
}
