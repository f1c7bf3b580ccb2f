//! Two ways through the program on notes in memory.

use memkeep::app::Model;
use memkeep::curate::Change;

use crate::fixtures::notes;
use crate::harness::{App, setup};
use crate::world::World;

#[test]
fn a_rule_is_shown_before_it_is_written() {
    // The fixtures' memories lie outside of this project.
    let setup = Model {
        root: "/elsewhere".into(),
        ..setup(80, 24)
    };
    let mut app = App::with(setup, World::new(notes()));
    app.press("W");
    assert!(app.text().contains("a rule in AGENTS.md"), "{}", app.text());
    app.press("<enter>");
    assert!(app.world.changes.is_empty());
    app.press("<enter>");
    let [Change::Rule { file, .. }] = app.world.changes.as_slice() else {
        panic!("{}", app.text());
    };
    assert!(file.ends_with("AGENTS.md"), "{}", file.display());
}
