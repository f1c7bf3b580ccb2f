//! What a person comes for, and the keys it may cost. Text typed between `«` and `»` is not
//! counted; everything else is.

use memkeep::app::Model;
use memkeep::curate::Change;
use memkeep::curate::change::Destination;
use memkeep::curate::promote::Target;

use crate::fixtures::notes;
use crate::harness::{App, setup};
use crate::world::World;

/// Presses the keys of a journey and checks what they cost.
fn journey(app: &mut App, keys: &str, most: usize) {
    app.keys = 0;
    app.press(keys);
    assert!(app.keys <= most, "{} keys, not {most}: {keys}", app.keys);
}

#[test]
fn open_filter_and_read_the_second_hit() {
    let mut app = App::open(120, 36);
    journey(&mut app, "/«auth»<enter>j", 4);
    assert!(app.text().contains("┌ OAuth2 Integration Was Too Broad ─"));
    assert!(app.text().contains("Considered OAuth2 social"));
    // Where only one pane fits, one more key opens it.
    let mut app = App::open(60, 20);
    journey(&mut app, "/«auth»<enter>j<enter>", 4);
    assert!(app.text().contains("Considered OAuth2 social"));
}

#[test]
fn raise_importance_having_seen_what_it_does() {
    let mut app = App::open(120, 36);
    app.press("t«add oauth integration to auth»<enter>1/«structure»<enter>");
    journey(&mut app, "ei<right>", 3);
    let text = app.text();
    assert!(text.contains("[█ critical]"), "{text}");
    assert!(text.contains("30 → 35"), "{text}");
    journey(&mut app, "<ctrl-s>", 2);
    assert!(
        app.text().contains("edited 1 memory · u undo"),
        "{}",
        app.text()
    );
    assert!(app.model.editor.is_none());
}

#[test]
fn type_a_task_and_see_why_the_first_is_first() {
    let mut app = App::open(120, 36);
    journey(&mut app, "t«add oauth integration to auth»<enter>", 3);
    let text = app.text();
    assert!(text.contains("┌ Why #1 ─"), "{text}");
    assert!(text.contains("oauth|social.*auth"), "{text}");
    let mut app = App::open(80, 24);
    journey(
        &mut app,
        "t«add oauth integration to auth»<enter><enter>",
        3,
    );
    assert!(app.text().contains("injected as #1"), "{}", app.text());
}

#[test]
fn see_why_not_and_bring_it_in_by_the_suggestion() {
    for (width, height) in [(120, 36), (80, 24), (40, 12)] {
        let mut app = App::open(width, height);
        app.press("t«add oauth integration to auth»<enter>1/«cache»<enter>");
        journey(&mut app, "x", 1);
        let text = app.text();
        assert!(text.contains("no pattern matches"), "{text}");
        assert!(text.contains("→ #4"), "{text}");
        journey(&mut app, "<enter>", 2);
        app.press("x");
        assert!(app.text().contains("injected as #4"), "{}", app.text());
    }
}

#[test]
fn archive_some_and_think_better_of_it() {
    let mut app = App::open(120, 36);
    journey(&mut app, "  a", 3);
    assert!(
        app.text().contains("archived 2 memories · u undo"),
        "{}",
        app.text()
    );
    assert!(app.text().contains("10 memories"));
    app.press("u");
    assert!(app.text().contains("12 memories"));
}

#[test]
fn go_to_the_next_finding_see_its_fix_and_make_it() {
    let mut app = App::open(120, 36);
    app.press("3");
    journey(&mut app, "nf<enter>", 4);
    assert!(
        app.text().contains("fixed 1 finding · u undo"),
        "{}",
        app.text()
    );
}

#[test]
fn bring_back_last_weeks_version() {
    for (width, height) in [(120, 36), (80, 24), (40, 12)] {
        let mut app = App::open(width, height);
        journey(&mut app, "bj<enter><enter>", 5);
        let text = app.text();
        assert!(
            text.contains("restored") && text.contains("u undo"),
            "{text}"
        );
        assert!(
            app.world
                .notes
                .iter()
                .any(|note| note.body.starts_with("As it was a week ago."))
        );
        app.press("u");
        assert!(
            !app.world
                .notes
                .iter()
                .any(|note| note.body.starts_with("As it was a week ago."))
        );
    }
}

#[test]
fn promote_a_users_memory_into_the_project() {
    for (width, height) in [(120, 36), (80, 24), (40, 12)] {
        let rawko = Target {
            name: "rawko".to_owned(),
            about: ".rawko/memories".to_owned(),
            to: Destination::Store("team".into()),
            is_project: true,
            readers: Some(Vec::new()),
        };
        // The fixtures' memories lie outside of this project.
        let setup = Model {
            root: "/elsewhere".into(),
            destinations: vec![rawko],
            ..setup(width, height)
        };
        let mut app = App::with(setup, World::new(notes()));
        app.press("p");
        let text = app.text();
        assert!(
            text.contains("project:") && text.contains("a rule in"),
            "{text}"
        );
        app.press("<esc>");
        journey(&mut app, "p<enter><enter>", 3);
        let text = app.text();
        assert!(text.contains("wrote 1 memory to team"), "{text}");
    }
}

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
