//! What a memory has to do with others: the memories it names, and those that name it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;

use super::world::World;
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
    /// Where the name stands: the memory that names, the field, and the place in it.
    pub at: (MemoryId, &'static str, usize),
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

/// Whether a memory names others.
pub fn names_any(memory: &Memory) -> bool {
    named(memory).next().is_some()
}

/// The memories of a snapshot by the last parts of their LOCALs, to find what a name stands for
/// without going to each: a key's hash and the memory's index, in order.
#[derive(Debug, Default)]
pub struct Names(Vec<(u32, u32)>);

impl Names {
    /// Those of all memories.
    pub fn of(memories: &[Arc<Memory>]) -> Self {
        let indexes = 0..u32::try_from(memories.len()).unwrap_or(u32::MAX);
        let mut all: Vec<(u32, u32)> = (memories.par_iter().zip(indexes))
            .map(|(memory, index)| (hash(&memory.id.local), index))
            .collect();
        all.par_sort_unstable();
        Self(all)
    }

    /// The memories that a memory names. `memories` are those that were given to
    /// [`of`](Self::of).
    pub fn outgoing(&self, memories: &[Arc<Memory>], memory: &Memory) -> Vec<Neighbour> {
        let one = |(kind, n, name): (&'static str, usize, &str)| Neighbour {
            kind: kind.to_owned(),
            name: name.to_owned(),
            memory: self
                .find(memories, memory, bare(name))
                .map(|other| (other.id.clone(), other.title.to_string())),
            at: (memory.id.clone(), kind, n),
        };
        named(memory).take(MOST).map(one).collect()
    }

    /// The first memory of the same store that goes by a name.
    fn find<'a>(
        &self,
        memories: &'a [Arc<Memory>],
        from: &Memory,
        name: &str,
    ) -> Option<&'a Memory> {
        let wanted = hash(name);
        let start = self.0.partition_point(|(hash, _)| *hash < wanted);
        let alike = self.0.iter().skip(start);
        (alike.take_while(|(hash, _)| *hash == wanted))
            .filter_map(|(_, index)| memories.get(*index as usize))
            .find(|other| other.id.store == from.id.store && goes_by(other, name))
            .map(|other| &**other)
    }
}

/// Of the last part of a LOCAL or of a name; what goes by a name has the same.
#[expect(clippy::cast_possible_truncation, reason = "half of a hash is one")]
fn hash(name: &str) -> u32 {
    let last = name.rsplit_once('/').map_or(name, |(_, last)| last);
    let mut hasher = DefaultHasher::new();
    last.hash(&mut hasher);
    hasher.finish() as u32
}

/// The memories that a memory names, then those that name it and are not among them.
pub fn neighbours(world: &World, memory: &Memory) -> Vec<Neighbour> {
    let mut all = Names::of(&world.memories).outgoing(&world.memories, memory);
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

/// The kind of a link that stands in a text.
pub const IN_TEXT: &str = "text";

/// The memories that the text of a memory links to: `[[name]]`, `mem:name`, `[text](path.md)`.
pub fn in_text(world: &World, memory: &Memory, body: &str) -> Vec<Neighbour> {
    let names = Names::of(&world.memories);
    let mut all: Vec<Neighbour> = Vec::new();
    let relations = match memory.schema.can.observations {
        true => Graph::read(body).relations,
        false => Vec::new(),
    };
    for link in text_links(body, memory.schema.can.links)
        .into_iter()
        .take(MOST)
    {
        let name = body.get(link.name).unwrap_or_default();
        let name = bare(name).trim_start_matches("./");
        let folded = link::fold(memory.schema, name);
        let own = |other: &&Arc<Memory>| {
            let is_called = *other.title == *name || link::names(other).contains(&folded);
            other.id.store == memory.id.store && is_called
        };
        let titled = || world.memories.iter().find(own).map(|other| &**other);
        let other = names.find(&world.memories, memory, name).or_else(titled);
        let is_known = all.iter().any(|one| one.name == name);
        if is_known || other.is_some_and(|other| other.id == memory.id) {
            continue;
        }
        let relation = relations.iter().find(|one| bare(one.target) == name);
        all.push(Neighbour {
            kind: relation.map_or(IN_TEXT, |one| one.kind).to_owned(),
            name: name.to_owned(),
            memory: other.map(|other| (other.id.clone(), other.title.to_string())),
            at: (memory.id.clone(), IN_TEXT, all.len()),
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
            let found = Names::of(&memories).outgoing(&memories, &from);
            for (name, one) in names.iter().zip(&found) {
                let first = memories.iter().find(|other| other.id.store == from.id.store && goes_by(other, bare(name)));
                prop_assert_eq!(one.memory.as_ref().map(|(id, _)| id), first.map(|other| &other.id), "{}", name);
            }
            prop_assert_eq!(found.len(), names.len());
        }
    }
}
