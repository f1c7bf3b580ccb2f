//! What is done to very many memories at once.

use std::sync::Arc;

use memkeep::app::Msg;
use memkeep::memory::{Memory, MemoryId};

use crate::fixtures::notes;
use crate::harness::{App, setup};
use crate::world::World;

/// So many that holding each of them against all the others would take a minute.
const MANY: usize = 20_000;

#[test]
fn a_whole_store_is_picked_read_again_and_changed() {
    let one = World::new(notes()).snapshot()[0].clone();
    let many = (0..MANY).map(|n| {
        Arc::new(Memory {
            id: MemoryId::new(&one.id.store, format!("note-{n:05}")),
            ..Memory::clone(&one)
        })
    });
    let mut all: Vec<Arc<Memory>> = many.collect();
    let mut app = App::with(setup(120, 20), World::new(Vec::new()));
    let snapshot = |all: &[Arc<Memory>]| Msg::Snapshot(Arc::new(all.to_vec()), Vec::new());
    app.send(snapshot(&all));
    app.press("<ctrl-a>");
    assert_eq!(app.model.targets().len(), MANY);
    // What is gone is no longer picked, and the rest is in the order of the list.
    all.remove(1);
    app.send(snapshot(&all));
    let ids: Vec<MemoryId> = all.iter().map(|memory| memory.id.clone()).collect();
    assert!(app.model.targets() == ids);
    app.press("dd");
    assert!(
        app.text().contains("deleted 19999 memories"),
        "{}",
        app.text()
    );
}
