//! Saved tasks: chosen, recorded, and watched while a memory is edited.

use memkeep::app::msg::Change;
use memkeep::retrieval::tasks::{Written, parse};

use crate::fixtures::notes;
use crate::harness::{App, setup};
use crate::world::World;

fn app(width: u16, height: u16) -> App {
    let text = "tasks:
- {name: sign in, task: add oauth integration to auth, agent: developer, must: [oauth-too-broad]}
- {task: make the cache faster, must: [nowhere], agent: developer}
";
    let tasks: Vec<Written> = parse(text, |_| true).unwrap();
    let mut world = World::new(notes());
    world.tasks = tasks;
    App::with(setup(width, height), world)
}

#[test]
fn saved_tasks_are_chosen_in_an_empty_box_and_by_a_key() {
    let mut app = app(120, 36);
    app.press("2");
    let text = app.text();
    assert!(text.contains("Saved tasks"), "{text}");
    assert!(text.contains("1 of 2 pass"), "{text}");
    assert!(
        text.contains("✗ make the cache faster · developer"),
        "{text}"
    );
    assert!(text.contains("without nowhere"), "{text}");
    app.press("<down><enter>");
    let text = app.text();
    assert!(
        text.contains("Task add oauth integration to auth"),
        "{text}"
    );
    assert!(text.contains("┌ Why #1 ─"), "{text}");
    app.press("T<down><enter>");
    assert!(
        app.text().contains("Task make the cache faster"),
        "{}",
        app.text()
    );
    // Back to the ranking with what was typed.
    app.press("T<esc>");
    assert!(
        app.text().contains("Task make the cache faster"),
        "{}",
        app.text()
    );
    for (width, height) in [(80, 24), (60, 20), (40, 12)] {
        let mut app = self::app(width, height);
        app.press("T");
        assert!(app.text().contains("✓ sign in"), "{}", app.text());
    }
}

#[test]
fn what_is_injected_is_recorded_for_the_task() {
    let mut app = app(120, 36);
    app.press("t«add oauth integration to auth»<enter>V<enter>");
    let recorded = app.world.changes.iter().find_map(|change| match change {
        Change::Expect(task) => Some(task.clone()),
        _ => None,
    });
    let task = recorded.unwrap();
    assert_eq!(task.name.as_deref(), Some("sign in"));
    assert_eq!(task.agent, "developer");
    // What the file names already keeps its spelling.
    assert_eq!(task.must[0], "oauth-too-broad");
    assert!(task.must[1].starts_with("rawko:"), "{task:?}");
}

#[test]
fn an_edit_says_which_saved_tasks_it_changes() {
    let mut app = app(120, 36);
    app.press("/«structure»<enter>ei<left>");
    let text = app.text();
    assert!(text.contains("task “sign in”:"), "{text}");
}
