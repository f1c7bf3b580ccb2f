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

#[test]
fn the_editor_opens_at_the_line_that_the_text_is_scrolled_to() {
    let mut app = App::open(80, 12);
    app.press("/«oauth too»<enter><enter>E");
    let note = app
        .world
        .notes
        .iter()
        .find(|one| one.local == "oauth-too-broad");
    let source = note.unwrap().text();
    for _ in 0..6 {
        app.press("jjE");
    }
    app.press("jE");
    let lines: Vec<u32> = app.world.opened.iter().map(|(_, line)| *line).collect();
    assert!(lines.is_sorted() && lines[0] == 1, "{lines:?}");
    let last = *lines.last().unwrap();
    let shown = source.lines().nth(last as usize - 1).unwrap();
    let shown = shown.trim_start_matches(['#', ' ', '-']);
    let screen = app.text();
    let first = screen.lines().take(4).collect::<Vec<_>>().join("\n");
    assert!(
        last > 1 && (shown.is_empty() || first.contains(shown)),
        "{last} {shown}: {screen}"
    );
}
