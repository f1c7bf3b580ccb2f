//! Several stores in one preview.

use std::sync::Arc;

use memkeep::memory::{Memory, MemoryId, StoreId, tokens_of};
use memkeep::retrieval::{
    MultiScorer, Options, Preview, Scorer as _, Snapshot, StorePolicy, Texts,
};
use memkeep::systems::rawko::RAWKO;

use memkeep::workspace::preview::PREVIEWS;

use crate::helper::{World, limits, memo, task};

/// The texts of two worlds, told apart by the store.
struct Both<'a>(&'a World, &'a World);

impl Both<'_> {
    fn of(&self, memory: &Memory) -> (&World, Memory) {
        let world = if &*memory.id.store.0 == "one" {
            self.0
        } else {
            self.1
        };
        let id = MemoryId::new(&StoreId::from("rawko"), &*memory.id.local);
        (
            world,
            Memory {
                id,
                ..memory.clone()
            },
        )
    }
}

impl Texts for Both<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        let (world, memory) = self.of(memory);
        world.collection.body(&memory)
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        let (world, memory) = self.of(memory);
        world.collection.loader_body(&memory)
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        let (world, memory) = self.of(memory);
        Texts::text(&world.collection, &memory)
    }
}

fn world(title: &str, importance: &str) -> World {
    let written = |pattern: &str, body: &str| {
        memo(title)
            .when(&[pattern])
            .importance(importance)
            .body(body)
    };
    World::of(&[
        ("in", written("auth", "what to know")),
        ("out", written("billing", "nothing")),
    ])
}

fn renamed(world: &World, store: &str) -> Vec<Arc<Memory>> {
    let rename = |memory: &Arc<Memory>| {
        let id = MemoryId::new(&StoreId::from(store), &*memory.id.local);
        Arc::new(Memory {
            id,
            ..Memory::clone(memory)
        })
    };
    world.memories.iter().map(rename).collect()
}

#[test]
fn each_store_is_previewed_as_alone_and_their_prompts_are_joined() {
    let (one, two) = (world("One", "high"), world("Two", "low"));
    let all: Snapshot = Arc::new([renamed(&one, "one"), renamed(&two, "two")].concat());
    let way = |store: &str| StorePolicy {
        store: store.into(),
        policy: &RAWKO,
        options: Options::default(),
    };
    let ways = [way("one"), way("two")];
    let multi = MultiScorer::new(PREVIEWS, &ways, &all);
    let (task, limits) = (task("fix auth", ""), limits("arbiter"));
    let texts = Both(&one, &two);
    let alone = |world: &World| {
        RAWKO
            .scorer(world.memories.clone())
            .preview(&task, &limits, None, &world.collection)
    };
    let (first, second) = (alone(&one), alone(&two));
    let joined = format!("{}\n\n{}", first.prompt, second.prompt);
    let check = |preview: &Preview| {
        let memories: Vec<usize> = preview
            .selected
            .iter()
            .map(|verdict| verdict.memory)
            .collect();
        assert_eq!(memories, [0, 2]);
        let ranks: Vec<_> = preview
            .selected
            .iter()
            .map(|verdict| verdict.rank)
            .collect();
        assert_eq!(ranks, [Some(1), Some(1)]);
        let left: Vec<usize> = preview
            .rejected
            .iter()
            .map(|verdict| verdict.memory)
            .collect();
        assert_eq!((left, preview.rejected_total), (vec![1, 3], 2));
        assert_eq!(preview.prompt, joined);
        assert_eq!(preview.tokens(), tokens_of(joined.len()));
    };
    check(&multi.preview(&task, &limits, None, &texts));
    let verdicts = multi.verdicts(&task, &limits, &[2, 3], &texts);
    let ranks: Vec<_> = verdicts
        .iter()
        .map(|verdict| (verdict.memory, verdict.rank))
        .collect();
    assert_eq!(ranks, [(2, Some(1)), (3, None)]);

    let mut without = limits.clone();
    without.hidden.insert("one".into());
    let preview = multi.preview(&task, &without, None, &texts);
    assert_eq!(preview.prompt, second.prompt);
    assert_eq!(preview.selected.len(), 1);
}
