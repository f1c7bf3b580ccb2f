//! What keys, the mouse and the world do to the program.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use memkeep::app::FilterMemories;
use memkeep::app::key::{self, Key};
use memkeep::app::msg::{Done, Draft, Failure, Msg};
use memkeep::app::{Focus, Keymap, Pane, command, update};

use crate::fixtures::{many, notes};
use crate::harness::{App, pressed, setup};
use crate::world::World;

/// The LOCAL of the memory a person stands on.
pub fn current(app: &App) -> String {
    app.model
        .current()
        .map_or(String::new(), |memory| memory.id.local.to_string())
}

fn mouse(app: &mut App, kind: MouseEventKind, column: u16, row: u16) {
    app.send(Msg::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }));
}

#[test]
fn the_selection_stays_on_the_memory() {
    let mut app = App::open(120, 36);
    app.press("jjj");
    assert_eq!(current(&app), "jwt-pattern");
    app.press("/auth");
    assert_eq!(current(&app), "jwt-pattern");
    app.press("<esc>s");
    assert_eq!(current(&app), "jwt-pattern");
    app.press("ss<esc>");
    assert_eq!(current(&app), "jwt-pattern");
    // Another program adds a memory before it.
    let mut new = notes()[0].clone();
    new.local = "a-new-one".to_owned();
    app.world.notes.push(new);
    let snapshot = Msg::Snapshot(app.world.snapshot(), Vec::new());
    app.send(snapshot);
    assert_eq!(current(&app), "jwt-pattern");
    assert!(app.model.world.fresh.len() == 1);
}

#[test]
fn a_memory_is_confirmed_and_says_so() {
    let mut app = App::open(120, 36);
    app.press("c");
    let text = app.text();
    assert!(text.contains("confirmed 1 memory · u undo"), "{text}");
    assert!(text.contains(" · confirmed "), "{text}");
    app.press("u");
    assert!(!app.text().contains(" · confirmed "), "{}", app.text());
}

#[test]
fn what_is_archived_leaves_its_neighbour_selected() {
    let mut app = App::open(120, 36);
    app.press("jjja");
    assert_eq!(current(&app), "login-limit");
    app.press("u");
    assert!(app.text().contains("undid: archived 1 memory"));
}

#[test]
fn letters_are_text_where_text_is_typed() {
    let mut app = App::open(120, 36);
    app.press("/adq");
    assert_eq!(app.model.browse.filter.line.text(), "adq");
    assert!(!app.world.quit);
    app.press("<esc><esc>tdaq<tab>dx<tab>f");
    assert_eq!(app.model.inject.text.text(), "daq");
    assert_eq!(app.model.inject.agent.text(), "developerdx");
    assert_eq!(app.model.inject.files.text(), "f");
    app.press("<tab><right>");
    assert_eq!(app.model.inject.limits.dialect, "arbiter");
    assert_eq!(app.world.notes.len(), notes().len());
    app.press("<ctrl-c>");
    assert!(app.world.quit);
}

#[test]
fn pasted_text_is_never_taken_for_keys() {
    let mut app = App::open(120, 36);
    app.send(Msg::Paste("dddq".to_owned()));
    assert!(app.text().contains("paste ignored"));
    assert_eq!(app.world.notes, notes());
    assert!(!app.world.quit);
    app.press("/");
    app.send(Msg::Paste("auth\nx".to_owned()));
    assert_eq!(app.model.browse.filter.line.text(), "auth x");
}

#[test]
fn a_prefix_shows_what_can_follow_and_waits() {
    let mut app = App::open(120, 36);
    let text = app.press("Gg").text();
    for part in ["g …", "g     first", "m     mouse on or off"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        !text.contains("unsaved text"),
        "it would do nothing: {text}"
    );
    app.press("g");
    assert_eq!(app.model.browse.cursor.row, 0);
    app.press("Ggz");
    assert!(!app.model.zoom, "an unknown end of a sequence does nothing");
}

#[test]
fn the_palette_finds_runs_and_says_why_not() {
    let mut app = App::open(120, 36);
    app.press("?undo<enter>");
    assert!(app.text().contains("there is nothing to undo"));
    app.press(":commit");
    assert_eq!(
        app.text().matches("  commit  ").count(),
        1,
        "{}",
        app.text()
    );
    for word in ["check", "history"] {
        app.press("<esc>:").press(word);
        assert!(!app.text().contains("No matching"), "{word}");
    }
    app.press("<esc>:explain");
    assert!(app.text().contains("type a task first"), "{}", app.text());
    app.press("<enter>");
    assert!(
        app.model.overlay.is_some(),
        "what cannot be done keeps the palette open"
    );
    app.press("<esc>:z<enter>");
    assert!(app.model.zoom, "a key finds its command");
}

#[test]
fn read_only_refuses_every_writer_with_the_reason() {
    let mut with = setup(120, 36);
    with.read_only = Some("memkeep was started with --read-only".to_owned());
    let mut app = App::with(with, World::new(notes()));
    assert!(app.text().contains("read-only"));
    for key in ["a", "d", "e", "i", "o", "u", "E", "f", "<ctrl-r>"] {
        app.press(key);
        assert!(app.text().contains("--read-only"), "{key}: {}", app.text());
        assert!(app.model.editor.is_none(), "{key}");
    }
    assert_eq!(app.world.notes, notes());
    app.press("/auth<enter>jy");
    assert_eq!(app.world.copied.len(), 1);
}

#[test]
fn an_empty_task_names_the_key_that_is_still_to_be_pressed() {
    let mut app = App::open(80, 24);
    app.press("2<esc>");
    assert!(app.text().contains("press t"), "{}", app.text());
    for keys in ["t", "<tab>", "<tab>", "<tab>"] {
        app.press(keys);
        assert!(!app.text().contains("press t"), "{}", app.text());
    }
}

#[test]
fn the_inject_view_opens_on_an_empty_task_box_whether_a_policy_needs_a_task_or_not() {
    for needs_no_task in [false, true] {
        let mut app = App::open(120, 36);
        app.model.inject.needs_no_task = needs_no_task;
        app.press("2<enter>");
        assert_eq!(app.model.focus(), Focus::Pane(Pane::List));
        app.press("12abc");
        assert!(app.text().contains("Task abc"), "{}", app.text());
        assert_eq!(app.world.notes, notes());
    }
}

#[test]
fn the_body_is_edited_saved_and_kept_as_a_draft_meanwhile() {
    let mut app = App::open(120, 36);
    app.press("ji");
    assert!(app.text().contains("Redis entries"), "{}", app.text());
    app.press("New. ");
    assert!(
        app.world
            .drafts
            .last()
            .is_some_and(|text| text.contains("New. Redis"))
    );
    app.press("<ctrl-s>");
    assert!(
        app.text().contains("saved 1 memory · u undo"),
        "{}",
        app.text()
    );
    let note = app
        .world
        .notes
        .iter()
        .find(|note| note.local == "cache-ttl");
    assert!(note.is_some_and(|note| note.body.starts_with("New. Redis")));
}

#[test]
fn a_text_that_changed_on_disk_is_shown_beside_the_edited_one() {
    let mut app = App::open(120, 36);
    app.press("jiMine. ");
    for note in &mut app.world.notes {
        note.body = note.body.replace("ten minutes", "an hour");
    }
    let snapshot = Msg::Snapshot(app.world.snapshot(), Vec::new());
    app.send(snapshot);
    assert!(app.text().contains("changed on disk"), "{}", app.text());
    app.press("<ctrl-s>");
    let text = app.text();
    assert!(
        text.contains("Mine. ") && text.contains("an hour"),
        "{text}"
    );
    app.press("<ctrl-s>");
    assert!(app.text().contains("saved 1 memory"), "{}", app.text());
}

#[test]
fn a_refused_edit_stays_open() {
    let mut app = App::open(120, 36);
    app.press("jiMine. ");
    app.send(Msg::Failed(Failure {
        what: "the disk is full".to_owned(),
        hint: Some("free some space".to_owned()),
        changed: false,
        doubtful: None,
    }));
    assert!(app.text().contains("✗ the disk is full · free some space"));
    assert!(app.text().contains("Mine. "));
}

#[test]
fn a_found_draft_is_offered_and_opened() {
    let mut app = App::open(120, 36);
    app.send(Msg::Draft(
        Draft {
            id: "rawko:cache-ttl".to_owned(),
            base: "a\nb\n".to_owned(),
            text: "a\nmine\n".to_owned(),
            form: None,
        },
        true,
    ));
    app.press("gu");
    assert!(app.text().contains("Unsaved text was found"));
    app.press("<enter>");
    assert!(app.text().contains("mine"), "{}", app.text());
    assert_eq!(current(&app), "cache-ttl");
}

#[test]
fn answers_nobody_waits_for_change_nothing() {
    let mut app = App::open(120, 36);
    app.press("/auth");
    let rows = app.model.browse.rows.clone();
    app.send(Msg::done::<FilterMemories>(1, Vec::new()));
    assert_eq!(app.model.browse.rows, rows);
}

#[test]
fn rows_are_appended_in_path_order_while_loading() {
    let mut app = App::unloaded(setup(120, 24), World::new(Vec::new()));
    assert!(app.text().contains("reading the stores"));
    app.send(Msg::Rows(many(3)));
    app.press("jsss");
    app.send(Msg::Rows(many(6).split_off(3)));
    let rows = app.model.browse.rows.iter().filter_map(|row| row.memory());
    assert!(rows.eq(0..6));
    assert_eq!(app.model.browse.cursor.row, 1);
}

#[test]
fn an_empty_folder_says_whose_files_are_there_and_what_makes_a_store() {
    let mut with = setup(80, 24);
    with.agents_here = vec!["CLAUDE.md (Claude Code)".to_owned()];
    with.opened = Vec::new();
    let mut app = App::with(with, World::new(Vec::new()));
    let text = app.text();
    assert!(text.contains("no store found in "), "{text}");
    assert!(
        text.contains("o makes a store") && text.contains("CLAUDE.md (Claude Code)"),
        "{text}"
    );
}

#[test]
fn a_store_without_memories_says_where_it_is() {
    let mut with = setup(80, 24);
    with.opened = vec![("rawko".into(), "notes".to_owned())];
    let mut app = App::with(with, World::new(Vec::new()));
    app.send(Msg::Snapshot(Arc::default(), Vec::new()));
    let text = app.text();
    for part in ["has no memories yet", "rawko  notes", "o writes"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("no store found"), "{text}");
}

#[test]
fn the_mouse_selects_scrolls_and_clicks_what_is_named() {
    let mut app = App::open(120, 36);
    let click = MouseEventKind::Down(MouseButton::Left);
    mouse(&mut app, click, 10, 5);
    assert_eq!(current(&app), "express-order");
    let text = app.text();
    let column = |word: &str, row: usize| {
        let line = text.lines().nth(row).unwrap_or_default();
        let at = line
            .find(word)
            .unwrap_or_else(|| panic!("no {word} in {line}"));
        u16::try_from(line[..at].chars().count()).unwrap()
    };
    let (lint, filter) = (column("Lint", 0), column("filter", 35));
    mouse(&mut app, click, filter, 35);
    assert!(app.model.browse.filter.editing);
    app.press("<esc>");
    mouse(&mut app, click, lint, 0);
    assert!(app.text().contains("Findings"));
    mouse(&mut app, MouseEventKind::ScrollDown, 100, 10);
    mouse(&mut app, MouseEventKind::ScrollDown, 10, 10);
}

#[test]
fn a_second_click_opens_and_a_click_on_the_order_sorts() {
    let mut app = App::open(120, 36);
    let click = MouseEventKind::Down(MouseButton::Left);
    mouse(&mut app, click, 10, 5);
    assert_eq!(app.model.pane, Pane::List);
    mouse(&mut app, click, 10, 5);
    assert_eq!(app.model.pane, Pane::Side, "the same place again");
    mouse(&mut app, click, 10, 6);
    app.model.now.0 += 2_000;
    mouse(&mut app, click, 10, 6);
    assert_eq!(app.model.pane, Pane::List, "two clicks with a pause");
    mouse(&mut app, click, 14, 1);
    assert!(
        app.text().contains("sorted by importance"),
        "{}",
        app.text()
    );
    assert!(!app.model.browse.filter.editing);
    mouse(&mut app, click, 50, 1);
    assert!(app.model.browse.filter.editing, "the rest of the title");
}

#[test]
fn the_line_between_the_panes_can_be_dragged() {
    let mut app = App::open(120, 36);
    let line = |app: &mut App| {
        let text = app.text();
        let row: Vec<char> = text.lines().nth(2).unwrap().chars().collect();
        u16::try_from(1 + row[1..].iter().position(|c| *c == '│').unwrap()).unwrap()
    };
    let before = line(&mut app);
    let left = MouseButton::Left;
    mouse(&mut app, MouseEventKind::Down(left), before, 10);
    mouse(&mut app, MouseEventKind::Drag(left), before - 20, 12);
    let after = line(&mut app);
    assert!(
        (before - 22..before - 18).contains(&after),
        "{before} {after}"
    );
    mouse(&mut app, MouseEventKind::Drag(left), 0, 12);
    assert!(line(&mut app) > 20, "both panes keep some room");
    mouse(&mut app, MouseEventKind::Up(left), 0, 12);
    let dropped = line(&mut app);
    mouse(&mut app, MouseEventKind::Drag(left), 60, 12);
    assert_eq!(line(&mut app), dropped, "nothing is dragged any more");
}

#[test]
fn the_mouse_is_given_back_to_the_terminal_and_taken_again() {
    let mut app = App::open(120, 36);
    assert!(
        app.press("gm")
            .text()
            .contains("the mouse selects text now")
    );
    assert!(app.model.mouse.is_off);
    app.press("gm");
    assert!(!app.model.mouse.is_off);
}

#[test]
fn letters_of_other_alphabets_are_the_keys_in_their_places() {
    let mut app = App::open(120, 36);
    app.press("оо");
    assert_eq!(app.model.row(), 2, "Russian j");
    app.press("κ");
    assert_eq!(app.model.row(), 1, "Greek k");
    app.press("П");
    assert!(app.model.row() > 2, "a capital: G");
    app.press("пп");
    assert_eq!(app.model.row(), 0, "a sequence: gg");
    app.press("/оо");
    assert_eq!(app.model.browse.filter.line.text(), "оо", "text is text");
    app.press("<esc><esc>文");
    assert!(
        app.text().contains("commands are Latin letters"),
        "{}",
        app.text()
    );
}

/// Keys that lead to every kind of place.
const PLACES: [&str; 25] = [
    "",
    "jj",
    "j ",
    "jv",
    "<tab>",
    "z",
    "/auth",
    "/auth<enter>",
    "M",
    "t",
    "t«add oauth integration»<enter>",
    "t«add oauth integration»<enter><tab>",
    "t«add oauth integration»<enter>x",
    "3",
    "3j",
    "3jf",
    "3jx",
    "4",
    "jb",
    "je",
    "je<enter>",
    "ji",
    "o",
    "?",
    "<ctrl-t>",
];

#[test]
fn the_palette_lists_at_most_forty_rows_and_first_what_can_be_done() {
    for place in PLACES {
        for size in [(120, 36), (80, 24), (40, 12)] {
            let mut app = App::open(size.0, size.1);
            app.press(place);
            let palette = memkeep::app::Palette::open(&app.model);
            let rows = palette.hits.len();
            assert!((10..=40).contains(&rows), "{place}: {rows}");
            let refused = |hit: &(_, Option<String>)| hit.1.is_some();
            let first = palette.hits.iter().position(refused).unwrap_or(rows);
            assert!(palette.hits[first..].iter().all(refused), "{place}");
            let hints = memkeep::app::hints(&app.model);
            let is_pane = matches!(app.model.focus(), Focus::Pane(_));
            let mut told = hints.iter().filter(|item| is_pane && item.id != "open");
            let told = told.next();
            if let Some(told) = told {
                assert_eq!(palette.hits[0].0.id, told.id, "{place}");
            }
        }
    }
}

#[test]
fn the_palette_understands_what_people_call_things() {
    let found = |words: &str| -> Vec<&str> {
        let mut app = App::open(120, 36);
        app.press("?").press(words);
        match &app.model.overlay {
            Some(memkeep::app::Overlay::Palette(palette)) => {
                palette.hits.iter().map(|(command, _)| command.id).collect()
            }
            other => panic!("{other:?}"),
        }
    };
    for (word, first) in [
        ("theme", "theme"),
        ("colour", "theme"),
        ("delete", "delete"),
        ("trash", "delete"),
        ("undo", "undo"),
        ("search", "filter"),
        ("git", "review"),
        ("exit", "quit"),
        ("rename", "edit-fields"),
    ] {
        assert_eq!(found(word)[0], first, "{word}");
    }
    let stale = found("stale");
    for id in ["next-finding", "fix", "confirm", "edit-body", "archive"] {
        assert!(stale[..6].contains(&id), "{id}: {stale:?}");
    }
    for line in include_str!("../../assets/synonyms.txt").lines() {
        let (words, ids) = line.split_once(": ").unwrap();
        for id in ids.split(' ') {
            assert!(command::find(id).is_some(), "{id}");
            assert!(
                found(words.split(' ').next().unwrap()).contains(&id),
                "{line}"
            );
        }
    }
}

#[test]
fn every_key_that_a_hint_names_does_something() {
    let mut idle = Vec::new();
    for place in PLACES {
        let count = memkeep::app::hints(&App::open(120, 36).press(place).model).len();
        for n in 0..count {
            let mut app = App::open(120, 36);
            app.press(place);
            let item = memkeep::app::hints(&app.model)[n].clone();
            let command = command::find(item.id).unwrap();
            let label = item.key.split("/k").next().unwrap().to_owned();
            let label = if item.key == "/" {
                "/".to_owned()
            } else {
                label
            };
            let keys = command
                .keys
                .iter()
                .map(|keys| Key::parse_all(keys).unwrap());
            let mut keys = keys.filter(|keys| key::label(keys) == label);
            let keys = keys.next().unwrap_or_else(|| panic!("{place}: {item:?}"));
            let before = app.text();
            for key in keys {
                app.send(pressed(key));
            }
            let after = app.text();
            let refused = format!(" {}: ", command.title);
            let is_refused = after.lines().any(|line| line.starts_with(&refused));
            if before == after || is_refused {
                idle.push(format!("{place}: {} {}", item.key, item.title));
            }
        }
    }
    assert_eq!(idle, Vec::<String>::new());
}

#[test]
fn keys_can_be_changed_and_mistakes_are_named() {
    let own = |pairs: &[(&str, &[&str])]| -> BTreeMap<String, Vec<String>> {
        let pairs = pairs.iter();
        pairs
            .map(|(id, keys)| {
                (
                    (*id).to_owned(),
                    keys.iter().map(|key| (*key).to_owned()).collect(),
                )
            })
            .collect()
    };
    let map = Keymap::with(&own(&[("archive", &["x x", "ctrl-x"]), ("explain", &[])])).unwrap();
    assert_eq!(map.labels("archive"), ["xx", "Ctrl-x"]);
    let errors = Keymap::with(&own(&[
        ("archve", &["a"]),
        ("delete", &["hyper-d"]),
        ("copy", &["a"]),
    ]));
    let errors: Vec<String> = errors
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors[0].contains("did you mean `archive`?"), "{errors:?}");
    assert!(errors[1].contains("hyper-d"));
    assert_eq!(errors[2], "`a` stands for both `archive` and `copy`");
}

#[test]
fn no_size_breaks_the_screen() {
    let keys = [
        "",
        "/auth",
        "<esc>t«add auth»<enter>",
        "1x",
        "<esc>3",
        "f",
        "1e",
        "<esc>i",
        "<esc>?",
    ];
    for width in [0, 1, 2, 3, 5, 19, 20, 39, 40, 59, 60, 99, 100, 101, 300] {
        for height in [0, 1, 2, 3, 5, 9, 10, 24] {
            let mut app = App::open(width, height);
            for keys in keys {
                app.press(keys);
                app.text();
            }
        }
    }
}

#[test]
fn a_resize_keeps_the_row_in_sight() {
    let mut app = App::open(120, 36);
    app.press("G");
    for (width, height) in [(80, 24), (40, 12), (20, 5), (120, 36)] {
        app.send(Msg::Resize(width, height));
        assert_eq!(current(&app), "webhooks");
        assert!(app.text().contains("Webhooks"), "{}", app.text());
    }
}

#[test]
fn a_hundred_thousand_rows_are_drawn_by_the_screen() {
    let memories = Arc::new(many(100_000));
    let mut model = setup(120, 36);
    update(&mut model, Msg::Rows(memories.to_vec()));
    update(&mut model, Msg::Snapshot(memories, Vec::new()));
    assert_eq!(model.browse.rows.len(), 100_000);
    let mut app = App::unloaded(setup(120, 36), World::new(Vec::new()));
    app.model = model;
    // No timed test: the figure is printed for those who ask for it with --nocapture.
    let start = Instant::now();
    app.press("jjjjjGkkkkk<ctrl-u>gg");
    println!("{:?} a key at 100,000 rows", start.elapsed() / 15);
    assert_eq!(app.model.browse.cursor.row, 0);
}

#[test]
fn an_error_stays_until_a_key_or_a_change() {
    let mut app = App::open(120, 36);
    let failed = || {
        Msg::Failed(Failure {
            what: "the folder is read-only".to_owned(),
            hint: None,
            changed: false,
            doubtful: None,
        })
    };
    let said = |app: &mut App, text: &str| app.text().contains(text);
    app.send(failed());
    app.send(Msg::Notice("changes show after a second".to_owned()));
    app.send(Msg::Resize(100, 30));
    assert!(said(
        &mut app,
        "the folder is read-only · changes show after"
    ));
    app.press("j");
    assert!(!said(&mut app, "read-only") && !said(&mut app, "changes show"));
    app.send(failed());
    app.send(Msg::Applied(
        Done {
            title: "edited 1 memory".to_owned(),
            follow: None,
        },
        "undo",
    ));
    assert!(said(&mut app, "edited 1 memory · u undo") && !said(&mut app, "read-only"));
}

#[test]
fn a_key_that_does_nothing_says_so() {
    let mut app = App::open(80, 24);
    app.press("Z");
    assert!(
        app.text()
            .contains("Z does nothing here · ? lists all keys"),
        "{}",
        app.text()
    );
    app.press("j");
    assert!(!app.text().contains("does nothing"));
    app.press("/w");
    assert!(!app.text().contains("does nothing"));
}

#[test]
fn fields_of_a_format_that_has_none_are_not_edited() {
    let mut app = App::open(80, 24);
    let at = app.model.current_index().unwrap();
    let mut memory = (**app.model.world.memory(at).unwrap()).clone();
    memory.schema = memkeep::memory::format::schema("serena");
    memory.fields = memkeep::memory::Fields::default();
    Arc::make_mut(&mut app.model.world.memories)[at] = Arc::new(memory);
    let text = app.press("e").text();
    assert!(
        text.contains("its format has no fields: i edits the text"),
        "{text}"
    );
    assert!(app.model.editor.is_none());
}

#[test]
fn letters_typed_before_the_stores_are_read_go_into_the_line_that_a_key_opened() {
    for keys in ["/upload", "tupload"] {
        let mut app = App::unloaded(setup(120, 36), World::new(notes()));
        app.press(keys);
        assert!(
            app.world.changes.is_empty(),
            "{keys}: {:?}",
            app.world.changes
        );
        assert!(app.text().contains("upload"), "{keys}: {}", app.text());
    }
}
