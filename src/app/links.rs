//! Related memories: the memories it names, and those that name it.

use std::sync::Arc;

use super::world::World;
use crate::curate::merge::bare;
use crate::memory::link::{self, text_links};
use crate::memory::observations::Graph;
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
}

/// More names of one memory than these are not looked up.
const MOST: usize = 200;

/// True if a memory goes by a name: its LOCAL, or the last part of it.
fn goes_by(memory: &Memory, name: &str) -> bool {
    let head = memory.id.local.strip_suffix(name);
    head.is_some_and(|head| head.is_empty() || head.ends_with('/'))
}

/// The names that a memory's relations hold, each with its field.
fn named(memory: &Memory) -> impl Iterator<Item = (&'static str, &str)> {
    memory.schema.roles(Role::Relations).flat_map(|spec| {
        let items = memory.field(spec.name).into_iter().flat_map(Value::items);
        items.filter_map(move |item| Some((spec.name, item.as_str()?)))
    })
}

/// True if a memory names others.
pub fn names_any(memory: &Memory) -> bool {
    named(memory).next().is_some()
}

/// The memories that a memory names.
pub fn outgoing(memories: &[Arc<Memory>], memory: &Memory) -> Vec<Neighbour> {
    let one = |(kind, name): (&str, &str)| Neighbour {
        kind: kind.to_owned(),
        name: name.to_owned(),
        memory: find(memories, memory, bare(name)).map(known),
    };
    named(memory).take(MOST).map(one).collect()
}

/// The first memory of the same store that goes by a name.
fn find<'a>(memories: &'a [Arc<Memory>], from: &Memory, name: &str) -> Option<&'a Memory> {
    let mut own = memories.iter().map(|other| &**other);
    own.find(|other| goes_by(other, name) && other.id.store == from.id.store)
}

/// The id and the title of a memory.
fn known(memory: &Memory) -> (MemoryId, String) {
    (memory.id.clone(), memory.title.to_string())
}

/// The memories that a memory names, then those that name it and are not among them.
pub fn neighbours(memories: &[Arc<Memory>], memory: &Memory) -> Vec<Neighbour> {
    let mut all = outgoing(memories, memory);
    for other in memories {
        if other.id.store != memory.id.store || other.id == memory.id {
            continue;
        }
        let is_it = |(id, _): &(MemoryId, String)| *id == other.id;
        let is_known = all.iter().any(|one| one.memory.as_ref().is_some_and(is_it));
        let kind = named(other).find(|(_, name)| goes_by(memory, bare(name)));
        if let Some((kind, _)) = kind.filter(|_| !is_known) {
            all.push(Neighbour {
                kind: format!("← {kind}"),
                name: other.id.local.to_string(),
                memory: Some(known(other)),
            });
        }
    }
    all
}

/// The memories that the text of a memory links to: `[[name]]`, `mem:name`, `[text](path.md)`.
pub fn in_text(world: &World, memory: &Memory, body: &str) -> Vec<Neighbour> {
    let mut all: Vec<Neighbour> = Vec::new();
    let relations = match memory.schema.can.observations {
        true => Graph::read(body).relations,
        false => Vec::new(),
    };
    let links = text_links(body, memory.schema.can.links).into_iter();
    for link in links.take(MOST) {
        let name = body.get(link.name).unwrap_or_default();
        let name = bare(name).trim_start_matches("./");
        let folded = link::fold(memory.schema, name);
        let own = |other: &&Arc<Memory>| {
            let is_called = *other.title == *name || link::names(other).contains(&folded);
            other.id.store == memory.id.store && is_called
        };
        let titled = || world.memories.iter().find(own).map(|other| &**other);
        let other = find(&world.memories, memory, name).or_else(titled);
        let is_known = all.iter().any(|one| one.name == name);
        if is_known || other.is_some_and(|other| other.id == memory.id) {
            continue;
        }
        let relation = relations.iter().find(|one| bare(one.target) == name);
        all.push(Neighbour {
            kind: relation.map_or("text", |one| one.kind).to_owned(),
            name: name.to_owned(),
            memory: other.map(known),
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memory::format;

    fn memory(store: &str, local: &str) -> Arc<Memory> {
        let id = MemoryId::new(&store.into(), local);
        let file = std::path::Path::new("/repo/a.md");
        Arc::new(Memory::new(id, file.into(), format::schema("rawko")))
    }

    proptest! {
        #[test]
        fn a_name_stands_for_the_first_memory_of_the_store_that_goes_by_it(
            all in proptest::collection::vec(("[st]", "[ab]{1,2}(/[ab]{1,2}){0,2}"), 0..12),
            names in proptest::collection::vec("\\[{0,2}[ab/]{1,5}(\\.md)?", 1..6),
        ) {
            let memories: Vec<_> = all.iter().map(|(store, local)| memory(store, local)).collect();
            let mut from = Arc::unwrap_or_clone(memory("s", "from"));
            let items: Value = names.iter().map(|name| Value::from(name.as_str())).collect();
            from.fields = std::iter::once(("relatedMemories", items)).collect();
            let found = outgoing(&memories, &from);
            for (name, one) in names.iter().zip(&found) {
                let first = memories.iter().find(|other| other.id.store == from.id.store && goes_by(other, bare(name)));
                prop_assert_eq!(one.memory.as_ref().map(|(id, _)| id), first.map(|other| &other.id), "{}", name);
            }
            prop_assert_eq!(found.len(), names.len());
        }
    }
}
