//! Several stores on one screen.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use memkeep::app::News;
use memkeep::app::inject::{Inject, OwnDialect};
use memkeep::app::{Msg, View};
use memkeep::memory::format;
use memkeep::memory::{Fields, Memory, MemoryId, Schema, State, StoreId, Value};
use memkeep::retrieval::{Limits, Note, Snapshot};
use memkeep::systems::golemcore::GOLEMCORE;
use memkeep::systems::ralph::RALPH;
use memkeep::ui::theme::Depth;

use crate::fixtures::notes;
use crate::harness::{App, setup};
use crate::world::World;

/// The notes, every other one in a second store.
pub fn two_stores() -> App {
    spread(&["api", "web"], 120)
}

/// The notes in six stores.
pub fn many_stores(width: u16) -> App {
    spread(
        &["api", "web", "warehouse", "ingest", "billing", "mail"],
        width,
    )
}

/// The notes, dealt out to stores.
fn spread(folders: &[&str], width: u16) -> App {
    let all = World::new(notes()).snapshot();
    let memories = folders.iter().enumerate().flat_map(|(nth, folder)| {
        let store = StoreId::from(format!("rawko@{folder}").as_str());
        let own = (all.iter().enumerate()).filter(move |(n, _)| n % folders.len() == nth);
        own.map(move |(_, memory)| {
            Arc::new(Memory {
                id: MemoryId::new(&store, &*memory.id.local),
                ..Memory::clone(memory)
            })
        })
    });
    let memories = memories.collect();
    let mut app = App::with(setup(width, 20), World::new(Vec::new()));
    app.send(Msg::Snapshot(Arc::new(memories), Vec::new()));
    app
}

/// Memories of several formats, as they stand in their stores.
fn mixed(all: &[(&str, &'static Schema, &str, Value)]) -> Snapshot {
    let memory = |(title, schema, field, value): &(&str, &'static Schema, &str, Value)| {
        let id = MemoryId::new(&StoreId::from(schema.format), *title);
        Arc::new(Memory {
            title: (*title).into(),
            fields: Fields::from_iter([(*field, value.clone())]),
            ..Memory::new(id, Path::new(schema.format).into(), schema)
        })
    };
    Arc::new(all.iter().map(memory).collect())
}

fn show(app: &mut App, memories: Snapshot) {
    app.send(Msg::Snapshot(memories, Vec::new()));
}

#[test]
fn importance_is_one_scale_for_all_formats() {
    let rum = &memkeep::systems::rum::RUM;
    let mut app = App::with(setup(120, 30), World::new(Vec::new()));
    let memories = mixed(&[
        ("state", &*GOLEMCORE, "type", "TASK_STATE".into()),
        ("constraint", &*GOLEMCORE, "type", "CONSTRAINT".into()),
        ("fix", &RALPH, "type", "fix".into()),
        ("decision", &RALPH, "type", "decision".into()),
        ("unsaid", format::schema("rawko"), "tags", "a".into()),
        ("low", format::schema("rawko"), "importance", "low".into()),
        ("high", format::schema("rawko"), "importance", "high".into()),
        (
            "critical",
            format::schema("rawko"),
            "importance",
            "critical".into(),
        ),
        ("0.3", rum, "importance", Value::Float(0.3)),
        ("0.85", rum, "importance", Value::Float(0.85)),
        ("0.9", rum, "importance", Value::Float(0.9)),
    ]);
    show(&mut app, memories);
    app.press("sM");
    let browse = &app.model.browse;
    let rows = (0..browse.rows.len()).filter_map(|row| browse.on(&app.model.world, row));
    let titles: Vec<&str> = rows.map(|memory| &*memory.title).collect();
    assert_eq!(
        titles,
        [
            "critical",
            "0.9",
            "0.85",
            "high",
            "0.3",
            "low",
            "state",
            "constraint",
            "fix",
            "decision",
            "unsaid",
        ]
    );
}

/// Only what says something else is marked, however many memories a file has.
#[test]
fn a_change_on_disk_is_marked_on_its_row() {
    let file = |titles: &[&str], size: u64| -> Snapshot {
        let memories = titles.iter().zip(1_u32..).map(|(title, line)| {
            let (local, title) = title.split_once(' ').unwrap();
            let id = MemoryId::new(&StoreId::from("ralph"), local);
            let mut memory = Memory::new(id, Path::new("memories.md").into(), &RALPH);
            memory.title = title.into();
            (memory.line, memory.stamp.size) = (line, size);
            Arc::new(memory)
        });
        Arc::new(memories.collect())
    };
    let cases: [(&[&str], &[&str]); 5] = [
        (&["a one", "b two", "c 3"], &["c"]),
        (&["d four", "a one", "b two", "c three"], &["d"]),
        // What stood before it is as it was.
        (&["b two", "c three"], &[]),
        (&["a one", "b two", "c three"], &[]),
        (&["a one", "b 2", "c 3"], &["b", "c"]),
    ];
    for (now, marked) in cases {
        let mut app = App::with(setup(120, 30), World::new(Vec::new()));
        show(&mut app, file(&["a one", "b two", "c three"], 1));
        show(&mut app, file(now, 2));
        let fresh = app.model.world.fresh.iter();
        let mut fresh: Vec<&str> = fresh.map(|id| &*id.local).collect();
        fresh.sort_unstable();
        assert_eq!(fresh, marked, "{now:?}");
    }
}

/// The stores of the rows, in their order.
fn stores(app: &mut App) -> Vec<String> {
    let text = app.text();
    let names = text.lines().filter_map(|line| {
        let list = line.split('│').nth(1)?;
        ["api", "web"].into_iter().find(|name| {
            let mut words = list.split_whitespace();
            words.any(|word| word == *name)
        })
    });
    names.map(str::to_owned).collect()
}

/// How often the store changes from one row to the next.
fn changes(stores: &[String]) -> usize {
    stores.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

#[test]
fn stores_are_mixed_and_grouped() {
    let mut app = two_stores();
    let has_sections =
        |text: &str| ["RAWKO · api ─", "RAWKO · web ─"].map(|one| text.contains(one));
    assert_eq!(has_sections(&app.text()), [true; 2], "{}", app.text());
    app.press("sM");
    assert!(changes(&stores(&mut app)) > 1, "{}", app.text());
    assert_eq!(has_sections(&app.text()), [false; 2], "{}", app.text());
    app.press("M");
    assert_eq!(has_sections(&app.text()), [true; 2], "{}", app.text());
    insta::assert_snapshot!(app.screen());
}

#[test]
fn what_there_is_to_know_beside_a_preview_is_said_with_the_store_it_is_about() {
    let mut app = two_stores();
    let note = |store: &str, text: &str| Note {
        store: Some(store.into()),
        text: text.to_owned(),
    };
    app.world.notes_of_preview = vec![
        note("rawko@api", "`filter` is ignored"),
        note("rawko@api", "9 of 12 candidates used"),
        note("rawko@web", "all is well"),
    ];
    app.press("t«auth»<enter>");
    let text = app.text();
    assert!(text.contains("`filter` is ignored (and 1 more)"), "{text}");
    // The right side of a higher screen has room for all of them.
    app.send(Msg::Resize(120, 40));
    let text = app.text();
    assert!(text.contains("│ 9 of 12 candidates used"), "{text}");
    assert!(!text.contains("all is well"), "{text}");
}

#[test]
fn a_title_has_the_room_of_points_that_there_are_not() {
    let mut app = two_stores();
    app.press("t«auth»<enter>");
    let mut preview = app.model.inject.preview().unwrap().clone();
    let memories = app.model.inject.previewed().unwrap().clone();
    let title = memories[preview.selected[0].memory].title.to_string();
    let column = |app: &mut App| {
        let text = app.text();
        let begin: String = title.chars().take(8).collect();
        let row = text.lines().find(|line| line.contains("▌")).unwrap();
        let at = row.find(&begin).unwrap_or_else(|| panic!("{text}"));
        row[..at].chars().count()
    };
    app.press("gg");
    let with = column(&mut app);
    preview.selected[0].score = None;
    let memories = app.model.inject.previewed().unwrap().clone();
    app.model.inject.show(memories, Arc::new(preview), None);
    assert_eq!(column(&mut app), with - 20);
}

#[test]
fn the_store_is_shown_at_every_width() {
    let mut app = two_stores();
    app.press("M");
    for (width, height) in [(120, 36), (100, 30), (80, 24), (60, 20), (40, 12)] {
        app.send(Msg::Resize(width, height));
        let text = app.text();
        let with = |name: &str| text.lines().filter(|line| line.contains(name)).count();
        assert!(with(" api ") > 1 && with(" web ") > 1, "{width}: {text}");
    }
}

#[test]
fn a_negative_memory_is_marked_in_its_row_and_in_the_legend() {
    let mut app = App::open(120, 36);
    let mut memories = Snapshot::clone(&app.model.world.memories);
    let own = Arc::make_mut(Arc::make_mut(&mut memories).last_mut().unwrap());
    own.is_caution = true;
    own.state = State::Active;
    let title: String = own.title.chars().take(12).collect();
    show(&mut app, memories);
    for depth in [Depth::TrueColor, Depth::None] {
        app.theme = app.theme.clone().at(depth);
        let text = app.text();
        let row = text.lines().find(|line| line.contains(&title)).unwrap();
        let row = row.split('│').nth(1).unwrap();
        let marks = row.trim_end_matches([' ', '*']);
        assert!(marks.ends_with('⊘'), "{row}");
        let legend = app.press("?").text();
        assert!(legend.contains("⊘ caution"), "{legend}");
        assert!(!legend.contains("a archived"), "only what is on the screen");
        app.press("<Esc>");
    }
}

#[test]
fn a_new_task_leaves_the_store_that_is_shown() {
    let mut app = two_stores();
    app.press("tfix the login<Enter>");
    let shown = |app: &App| app.model.inject.store.clone().unwrap();
    let first = shown(&app);
    app.press(">");
    let second = shown(&app);
    assert_ne!(first, second);
    app.press("t");
    assert_eq!(shown(&app), second);
    app.press(" again<Enter>");
    assert_eq!(shown(&app), second);
}

#[test]
fn a_dialect_of_another_store_is_neither_shown_nor_offered() {
    let own = |store: &str, name, known| OwnDialect {
        store: StoreId::from(store),
        name,
        known,
    };
    let all = vec![
        own("rawko", "natural", &["natural", "arbiter"]),
        own("golemcore", "golemcore", &[]),
    ];
    let dialects = vec!["", "arbiter", "hybrid"];
    let mut inject = Inject::new(Limits::default(), dialects, all, HashMap::new());
    inject.limits.dialect = "arbiter";
    inject.store = Some(StoreId::from("rawko"));
    assert_eq!(inject.dialect(), "arbiter");
    inject.store = Some(StoreId::from("golemcore"));
    assert_eq!(inject.dialect(), "golemcore");
    inject.limits.dialect = "";
    for expected in ["hybrid", "golemcore", "hybrid"] {
        inject.turn_dialect(1);
        assert_eq!(inject.dialect(), expected);
    }
}

/// A file of context.
fn context() -> Arc<Memory> {
    let id = MemoryId::new(&StoreId::from("context"), "CLAUDE");
    let schema = format::schema("context");
    Arc::new(Memory::new(id, Path::new("/p/CLAUDE.md").into(), schema))
}

#[test]
fn files_of_context_are_neither_counted_nor_picked_with_all_memories() {
    let mut app = App::with(setup(120, 36), World::new(Vec::new()));
    let own = World::new(notes()).snapshot();
    let active = own.iter().filter(|memory| memory.state == State::Active);
    let active = active.count();
    let all = [&own[..], &[context()]].concat();
    show(&mut app, Arc::new(all));
    let text = app.text();
    assert!(text.contains(&format!(" {active} memories")), "{text}");
    app.press("<ctrl-a>");
    let text = app.text();
    let selected = format!("{active} selected · {active} + 1 context ");
    assert!(text.contains(&selected), "{text}");
    // The row of one that is not selected stands in nobody's way.
    app.press("Ga");
    let text = app.text();
    assert!(
        text.contains(&format!("archived {active} memories")),
        "{text}"
    );
    app.press("e");
    assert!(app.model.editor.is_none(), "{}", app.text());
    // The same key again gives the selection up.
    app.press("<ctrl-a>");
    assert!(app.model.browse.picked.is_empty());
}

#[test]
fn context_opens_no_editor_that_could_not_save() {
    let mut app = App::with(setup(120, 20), World::new(Vec::new()));
    show(&mut app, Arc::new(vec![context()]));
    for key in ["i", "e", "a", "d", "c", "p"] {
        let text = app.press(key).text();
        let why = "CLAUDE.md is read-only context: E opens it in $EDITOR";
        assert!(text.contains(why), "{key}: {text}");
        assert!(app.model.editor.is_none(), "{key}");
    }
}

#[test]
fn a_section_is_folded_into_its_heading_and_opened_again() {
    let mut app = two_stores();
    let rows = app.model.browse.rows.len();
    app.press("h");
    assert!(app.text().contains("▸ RAWKO · api ─"), "{}", app.text());
    assert!(app.model.current().is_none() && app.model.browse.rows.len() < rows);
    // Nothing happens to memories that no row shows.
    app.press("a");
    let before = app.world.notes.len();
    app.press("a");
    assert_eq!(app.world.notes.len(), before);
    // The heading stays selected when the rows are worked out anew.
    app.press("ss");
    assert!(
        app.model
            .browse
            .folded_at(app.model.browse.cursor.row)
            .is_some()
    );
    app.press("<enter>");
    assert_eq!(app.model.browse.rows.len(), rows);
    assert!(app.model.current().is_some());
}

#[test]
fn what_waits_stands_first_and_a_store_that_was_never_committed_does_not() {
    let mut app = App::open(120, 36);
    let all = app.model.world.memories.clone();
    let git = |paths: &[usize]| {
        let news = News {
            changed: paths.iter().map(|n| all[*n].path.to_path_buf()).collect(),
            ..News::default()
        };
        Msg::Git(None, news)
    };
    app.send(git(&[3]));
    let first = app.model.browse.on(&app.model.world, 0).unwrap();
    assert_eq!(first.id, all[3].id);
    assert!(app.text().contains("▾ WAITING FOR YOU  press 4 to review"));
    let every: Vec<usize> = (0..all.len()).collect();
    app.send(git(&every));
    assert!(!app.text().contains("WAITING FOR YOU"), "{}", app.text());
}

#[test]
fn a_deleted_memory_is_a_row_that_leads_to_its_card() {
    let mut app = App::open(120, 36);
    let id = MemoryId::new(&StoreId::from("rawko"), "gone");
    let news = News {
        deleted: [(id.clone(), "**Old** pool size".into())].into(),
        ..News::default()
    };
    app.send(Msg::Git(None, news));
    let text = app.text();
    assert!(text.contains("WAITING FOR YOU"), "{text}");
    assert!(
        text.contains("Old pool size  deleted since the last commit"),
        "{text}"
    );
    app.press("gg");
    assert!(app.text().contains("Enter shows its"), "{}", app.text());
    assert_eq!(app.model.browse.cursor.chosen, Some(id.clone()));
    // It stays chosen when the list is arranged anew, and no command takes it for a memory.
    app.press("MMd");
    assert_eq!(app.model.browse.cursor.chosen, Some(id));
    assert!(app.world.changes.is_empty());
    app.press("<enter>");
    assert_eq!(app.model.view, View::Review);
}
