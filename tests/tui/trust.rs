//! What is listed is what was asked for, and what is changed is what is listed.

use std::collections::VecDeque;

use insta::assert_snapshot;
use memkeep::app::FilterMemories;
use memkeep::app::msg::{Change, Effect, Question as _};
use memkeep::app::update;

use crate::fixtures::{Note, notes};
use crate::harness::{App, parse, pressed, setup};
use crate::keys::current;
use crate::world::World;

/// The notes, and two that have the letters of `auth` scattered in their titles.
fn with_loose() -> World {
    let mut all = notes();
    for (local, title) in [
        (
            "about-times",
            "Sailing Times Are Stored as Local Harbour Time Here",
        ),
        ("batch-upload", "Batch Uploads Through the Queue"),
    ] {
        let one = all[2].clone();
        all.push(Note {
            local: local.to_owned(),
            title: title.to_owned(),
            ..one
        });
    }
    World::new(all)
}

/// So many notes that a change of all of them is asked about.
pub fn many(count: usize) -> World {
    let one = notes().remove(0);
    let all = (0..count).map(|n| Note {
        local: format!("note-{n:02}"),
        ..one.clone()
    });
    World::new(all.collect())
}

fn locals(app: &App) -> Vec<String> {
    let browse = &app.model.browse;
    let rows = 0..browse.rows.len();
    let all = rows.filter_map(|row| browse.on(&app.model.world, row));
    all.map(|memory| memory.id.local.to_string()).collect()
}

/// What stands below the line.
fn loose(app: &App) -> Vec<String> {
    let mut loose = locals(app).split_off(app.model.browse.close);
    loose.sort();
    loose
}

fn archived(app: &App) -> usize {
    let archived = app.world.notes.iter().filter(|note| note.archived);
    archived.filter(|note| note.local != "build-log").count()
}

#[test]
fn loose_matches_stand_below_a_line_and_ctrl_a_does_not_take_them() {
    let mut app = App::with(setup(120, 24), with_loose()).dark();
    app.press("/auth");
    assert_snapshot!("trust-loose-120", app.screen());
    let close = app.model.browse.close;
    assert_eq!(loose(&app), ["about-times", "batch-upload"]);
    assert_eq!(app.model.browse.rows.len(), close + 2);
    // Enter finds those that have it in their texts too: they are no loose matches.
    app.press("<enter><ctrl-a>");
    assert_eq!(app.model.targets().len(), app.model.browse.close);
    assert_eq!(app.model.browse.close, close + 1);
    assert_snapshot!("trust-selected-120", app.screen());
    // In another order they stand below the line too.
    app.press("ss");
    assert_eq!(loose(&app), ["about-times", "batch-upload"]);
    // Every row can be stood on and clicked, and the line cannot.
    app.press("<esc>G");
    assert!(loose(&app).contains(&current(&app)));
    assert_snapshot!(
        "trust-loose-40",
        App::with(setup(40, 12), with_loose())
            .press("/auth<enter>G")
            .screen()
    );
    app.press("<esc>/«btqueue»<enter><ctrl-a>");
    assert_eq!(locals(&app), ["batch-upload"]);
    assert!(app.model.browse.picked.is_empty());
    assert!(app.text().contains("only loose matches"), "{}", app.text());
}

#[test]
fn a_query_that_is_not_understood_lists_nothing_and_changes_nothing() {
    for query in [
        "is:changed",
        "importnce:high",
        "created:3",
        "tag:",
        "auth !",
        "is:",
    ] {
        let mut app = App::open(120, 36);
        app.press(&format!("/«{query}»<enter>"));
        assert_eq!(locals(&app), [""; 0], "{query}");
        app.press("<ctrl-a>ad");
        assert_eq!(app.world.notes, notes(), "{query}");
        assert!(app.model.browse.filter.error.is_some(), "{query}");
        // Nothing is found wrong in what is not listed.
        app.press("3");
        assert!(app.model.lints.rows.is_empty(), "{query}");
        assert!(!app.text().contains('✓'), "{query}: {}", app.text());
        app.press("1/<ctrl-u>");
        assert_eq!(locals(&app).len(), 12, "{query}");
    }
    let mut app = App::open(80, 24).dark();
    assert_snapshot!("trust-unknown-80", app.press("/is:changed").screen());
    // While it is typed, what asks for nothing yet hides nothing.
    let mut app = App::open(80, 24);
    app.press("/tag:");
    assert_eq!(locals(&app).len(), 12);
    app.press("<enter>");
    assert_eq!(locals(&app).len(), 0);
    app.press("/");
    assert_eq!(locals(&app).len(), 12);
    app.press("jwt<enter>");
    assert_eq!(locals(&app), ["jwt-pattern"]);
}

#[test]
fn a_change_of_more_than_twenty_memories_is_asked_about_once() {
    for (key, done) in [
        ("a", "archived 21 memories"),
        ("c", "confirmed 21 memories"),
        ("d", "deleted 21 memories"),
    ] {
        let mut app = App::with(setup(80, 24), many(21));
        app.press("<ctrl-a>").press(key);
        assert!(app.world.changes.is_empty(), "{key}");
        assert!(app.text().contains("21 memories?"), "{key}: {}", app.text());
        app.press("<esc>");
        assert!(app.text().contains("nothing was done"), "{key}");
        // Another key says no as well.
        app.press(key).press("j").press(key);
        assert!(app.world.changes.is_empty(), "{key}");
        app.press(key);
        assert_eq!(app.world.changes.len(), 1, "{key}");
        assert!(app.text().contains(done), "{key}: {}", app.text());
        let doubt = matches!(app.world.changes[0], Change::Delete { sure: true, .. });
        assert!(!doubt, "{key}");
    }
    let mut app = App::with(setup(80, 24), many(21));
    app.press("<ctrl-a>a");
    assert_snapshot!("trust-asked-80", app.text());
    let mut app = App::with(setup(80, 24), many(20));
    app.press("<ctrl-a>a");
    assert_eq!(archived(&app), 20);
}

#[test]
fn after_an_archive_the_row_below_is_stood_on() {
    for (keys, below) in [
        ("jja", "jwt-pattern"),
        ("/auth<enter>a", ""),
        ("/auth<enter>ja", ""),
        ("/auth<enter> j a", ""),
        ("ss/tag:auth<enter>jja", ""),
        ("/auth<enter>jjjjja", ""),
        ("Ga", ""),
    ] {
        let mut app = App::open(120, 36);
        let (before, archive) = keys.split_at(keys.len() - 1);
        app.press(before);
        let (rows, row) = (locals(&app), app.model.browse.cursor.row);
        let gone: Vec<String> = app
            .model
            .targets()
            .iter()
            .map(|id| id.local.to_string())
            .collect();
        app.press(archive);
        assert_eq!(archived(&app), gone.len(), "{keys}");
        let stays = |local: &&String| !gone.contains(local);
        let expected = rows[row..].iter().find(stays);
        let expected = expected
            .or_else(|| rows[..row].iter().rev().find(stays))
            .unwrap();
        assert_eq!(&current(&app), expected, "{keys}: {rows:?}");
        assert!(below.is_empty() || below == expected, "{keys}");
    }
    // What is loaded before the filter is answered lists nothing else.
    let mut app = App::open(120, 36);
    app.press("/tag:auth<enter>j");
    let rows = locals(&app);
    let mut seen = Vec::new();
    let mut queue = VecDeque::from([pressed(parse("a")[0].0)]);
    while let Some(msg) = queue.pop_front() {
        for effect in update(&mut app.model, msg) {
            queue.extend(app.world.answer(effect));
        }
        seen.extend(locals(&app));
    }
    let unseen = seen.iter().find(|local| !rows.contains(local));
    assert_eq!(unseen, None);
}

#[test]
fn keys_typed_behind_a_filter_go_to_what_it_leaves() {
    let mut app = App::open(120, 36);
    let mut asked = None;
    for (key, _) in parse("/postgres<enter><ctrl-a>a") {
        for effect in update(&mut app.model, pressed(key)) {
            match effect {
                Effect::Ask(_, ref question) if question.slot == FilterMemories::SLOT => {
                    asked = Some(effect);
                }
                Effect::Apply(change) => panic!("{change:?}"),
                _ => {}
            }
        }
    }
    for msg in asked
        .map(|asked| app.world.answer(asked))
        .unwrap_or_default()
    {
        app.send(msg);
    }
    assert_eq!(archived(&app), 1);
    assert!(app.text().contains("archived 1 memory"), "{}", app.text());
    // Leaving waits for nothing.
    update(&mut app.model, pressed(parse("/")[0].0));
    update(&mut app.model, pressed(parse("x")[0].0));
    update(&mut app.model, pressed(parse("<enter>")[0].0));
    let quit = update(&mut app.model, pressed(parse("<ctrl-c>")[0].0));
    assert!(matches!(quit.as_slice(), [Effect::Quit, ..]), "{quit:?}");
}

#[test]
fn with_rows_selected_the_bottom_line_says_how_many_a_key_changes() {
    let mut app = App::open(120, 24);
    let bottom = |app: &mut App| app.text().trim_end().lines().last().unwrap().to_owned();
    app.press("  ");
    assert!(
        bottom(&mut app).contains("a archive 2"),
        "{}",
        bottom(&mut app)
    );
    assert!(
        !bottom(&mut app).contains("restore"),
        "{}",
        bottom(&mut app)
    );
    app.press("vj");
    assert!(
        bottom(&mut app).contains("d delete 4"),
        "{}",
        bottom(&mut app)
    );
    app.press("a.<ctrl-a>");
    assert!(
        bottom(&mut app).contains("a archive 8  r restore 5"),
        "{}",
        bottom(&mut app)
    );
    app.press("<esc>");
    assert!(
        !bottom(&mut app).contains("restore 5"),
        "{}",
        bottom(&mut app)
    );
}
