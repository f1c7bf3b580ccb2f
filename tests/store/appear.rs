//! Stores that appear after the program started.

use std::fs;

use crate::place::{PLAIN, Place, load};

const RALPH: &str = "## Fixes\n\n### mem-1769600000-00a1\n> Restart the pool.\n<!-- tags: a | created: 2026-01-28 -->\n";

#[test]
fn stores_that_appear_later_stand_behind_the_others_once_each() {
    let place = Place::new(&[("first.md", PLAIN)]);
    let collection = place.open();
    collection.look_again();
    let ids = || -> Vec<String> {
        let infos = collection.infos();
        infos.map(|info| info.id.to_string()).collect()
    };
    assert_eq!(ids(), ["rawko"]);
    let appear = collection.may_appear();
    assert!(appear.contains(&(place.root().join(".ralph/agent/memories.md"), true)));
    assert!(appear.contains(&(place.root(), false)), "for *.rum.db");

    let file = place.root().join(".ralph/agent/memories.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, RALPH).unwrap();
    let semantic = place.root().join("memory/items/semantic.jsonl");
    fs::create_dir_all(semantic.parent().unwrap()).unwrap();
    fs::write(
        &semantic,
        "{\"id\":\"a\",\"layer\":\"SEMANTIC\",\"content\":\"x\"}\n",
    )
    .unwrap();
    for _ in 0..2 {
        collection.look_again();
        assert_eq!(ids(), ["rawko", "ralph", "golemcore"]);
    }
    let memories: Vec<String> = load(&collection)
        .iter()
        .map(|one| one.id.to_string())
        .collect();
    assert_eq!(
        memories,
        ["rawko:first", "ralph:mem-1769600000-00a1", "golemcore:a"]
    );
}
