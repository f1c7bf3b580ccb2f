//! Copying and moving memories to another store.

use memkeep::app::{Model, Page};
use memkeep::curate::change::Destination;
use memkeep::curate::promote::Target;

use crate::fixtures::disputed;
use crate::harness::{App, setup};
use crate::world::World;

fn open() -> App {
    let to = |format: &str, path: &str| Target {
        name: format.to_owned(),
        about: format!("{path}, a new store"),
        to: Destination::New {
            format: format.to_owned(),
            path: path.into(),
        },
        is_project: true,
        readers: Some(Vec::new()),
    };
    let own = Target {
        name: "rawko".to_owned(),
        about: ".rawko/memories".to_owned(),
        to: Destination::Store("rawko".into()),
        is_project: true,
        readers: Some(Vec::new()),
    };
    let destinations = vec![
        own,
        to("serena", ".serena/memories"),
        to("cursor", ".cursor/rules"),
    ];
    App::with(
        Model {
            destinations,
            ..setup(120, 36)
        },
        World::new(disputed()),
    )
}

#[test]
fn a_copy_is_chosen_shown_and_made() {
    let mut app = open();
    app.press("w");
    let text = app.text();
    assert!(text.contains("Copy “"), "{text}");
    // Its own store is no other one.
    assert!(!text.contains(".rawko/memories  "), "{text}");
    assert!(text.contains(".serena/memories, a new store"), "{text}");
    app.press("<esc>");
    assert!(matches!(app.model.page, Page::Usual));
    let before = app.world.notes.len();
    app.press("wj<enter>");
    let text = app.text();
    assert!(text.contains("copy rawko:"), "{text}");
    assert!(text.contains("to cursor"), "{text}");
    assert!(matches!(app.model.page, Page::Fix(_)));
    app.press("<enter>");
    assert!(app.text().contains("to cursor"), "{}", app.text());
    assert_eq!(app.world.notes.len(), before);
}

#[test]
fn a_move_of_several_takes_them_out_of_their_store() {
    let mut app = open();
    let before = app.world.notes.len();
    app.press("<space><space>wm");
    let text = app.text();
    assert!(text.contains("move 2 memories to serena"), "{text}");
    app.press("<enter>");
    assert_eq!(app.world.notes.len(), before - 2);
}
