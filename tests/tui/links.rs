//! Links, chapters and forgetting: commands of some formats only.

use std::path::Path;
use std::sync::Arc;

use memkeep::app::msg::{Change, Failure};
use memkeep::app::questions::PlanChange;
use memkeep::app::questions::Question as _;
use memkeep::app::{Msg, Page};
use memkeep::memory::edit::FieldEdit;
use memkeep::memory::golemcore::GOLEMCORE;
use memkeep::memory::rum::{CHAPTER, RUM};
use memkeep::memory::{Fields, Memory, MemoryId, Schema, Value};

use crate::harness::{App, setup};
use crate::world::World;

fn memory(schema: &'static Schema, local: &str, fields: &[(&str, Value)]) -> Arc<Memory> {
    let id = MemoryId::new(&schema.format.into(), local);
    Arc::new(Memory {
        title: format!("About {local}").as_str().into(),
        fields: fields.iter().cloned().collect::<Fields>(),
        ..Memory::new(id, Path::new("/work/shop/store").into(), schema)
    })
}

fn names(names: &[&str]) -> Value {
    names.iter().map(|name| Value::from(*name)).collect()
}

/// Three memories of RUM and a chapter, then one of golemcore.
fn app() -> App {
    let said = |goal: &str, summary: &str| {
        vec![
            ("goal", Value::from(goal)),
            ("summary", summary.into()),
            ("tags", names(&["auth"])),
        ]
    };
    let mut second = said("mend it", "mended");
    second.push(("caused_by", names(&["one"])));
    let memories = vec![
        memory(&RUM, "one", &said("find it", "found")),
        memory(&RUM, "two", &second),
        memory(&RUM, "three", &said("test it", "tested")),
        memory(&CHAPTER, "four", &[("members", names(&["one"]))]),
        memory(&GOLEMCORE, "five", &[("layer", "SEMANTIC".into())]),
    ];
    let mut setup = setup(90, 20);
    setup.schemas = vec![&RUM, &CHAPTER, &GOLEMCORE];
    let mut app = App::with(setup, World::new(Vec::new()));
    app.world.deaf = true;
    app.send(Msg::Snapshot {
        memories: Arc::new(memories),
        problems: Vec::new(),
        skipped: Vec::new(),
    });
    app
}

fn add(field: &str, item: &str) -> FieldEdit {
    FieldEdit::AddItem {
        field: field.to_owned(),
        item: item.into(),
    }
}

#[test]
fn a_memory_is_linked_to_those_that_are_selected() {
    let mut app = app();
    app.press("m");
    assert!(app.text().contains("select the other memories with Space"));
    // One and two, then stand on three; the second kind is `led_to`.
    app.press("  m");
    assert!(
        app.text()
            .contains("How is “About three” related to 2 memories?")
    );
    insta::assert_snapshot!(app.screen());
    app.press("j<enter>");
    let [Change::Edit { ids, edits, .. }] = app.world.changes.as_slice() else {
        panic!("{:?}", app.world.changes);
    };
    assert_eq!(ids[0].to_string(), "rum:three");
    assert_eq!(edits, &[add("led_to", "one"), add("led_to", "two")]);
}

#[test]
fn what_is_linked_already_is_not_linked_twice() {
    let mut app = app();
    app.press(" m<enter>");
    assert!(
        app.text().contains("these links exist already"),
        "{}",
        app.text()
    );
    assert!(app.world.changes.is_empty());
}

#[test]
fn a_link_is_taken_away_where_it_is_named() {
    let mut app = app();
    // From the side that is named: `two` names it.
    app.press("Lx");
    let [Change::Edit { ids, edits, .. }] = app.world.changes.as_slice() else {
        panic!("{:?}", app.world.changes);
    };
    assert_eq!(ids[0].to_string(), "rum:two");
    let gone = FieldEdit::RemoveItem {
        field: "caused_by".to_owned(),
        index: 0,
    };
    assert_eq!(edits, &[gone]);
}

#[test]
fn a_chapter_is_made_of_the_selected_memories() {
    let mut app = app();
    app.press("  C");
    let text = app.text();
    assert!(text.contains("new chapter of 2 memories"), "{text}");
    app.press("«: how it went»<ctrl-s>");
    let [
        Change::Add {
            store,
            title,
            fields,
            body,
        },
    ] = app.world.changes.as_slice()
    else {
        panic!("{:?}", app.world.changes);
    };
    assert_eq!(store.as_ref().map(|store| &*store.0), Some("rum"));
    assert_eq!(
        (title.as_str(), body.as_str()),
        ("Topic: auth: how it went", "")
    );
    let field = |name: &str| fields.iter().find(|(own, _)| own == name).map(|(_, v)| v);
    assert_eq!(field("members"), Some(&names(&["one", "two"])));
    assert_eq!(field("type"), Some(&"chapter".into()));
    let summary = "Goals: find it; mend it. Outcomes: found; mended";
    assert_eq!(field("summary"), Some(&summary.into()));
    assert_eq!(field("start_ts"), None);
}

#[test]
fn a_chapter_has_no_chapters_and_golemcore_none_at_all() {
    let mut app = app();
    app.press("jjjC");
    assert!(app.text().contains("its format has no chapters"));
    app.press("  kkC");
    assert!(
        app.text().contains("a chapter stays within a store"),
        "{}",
        app.text()
    );
    assert!(app.world.changes.is_empty());
}

#[test]
fn forgetting_is_asked_for_twice() {
    let mut app = app();
    app.press("D");
    assert!(app.text().contains("its system cannot forget"));
    app.press("GD");
    assert!(
        app.text().contains("D forget · Esc cancel"),
        "{}",
        app.text()
    );
    assert!(app.world.changes.is_empty());
    app.press("D");
    let id = MemoryId::new(&"golemcore".into(), "five");
    assert_eq!(app.world.changes, [Change::Forget(vec![id])]);
}

/// A question is answered there and then: who goes away said no, and is asked anew.
#[test]
fn what_was_asked_for_is_forgotten_where_another_key_comes_between() {
    for between in ["kj", "<esc>", "y"] {
        let mut app = app();
        app.press("GD");
        app.press(between);
        app.press("D");
        assert!(app.world.changes.is_empty(), "{between}");
        assert!(app.text().contains("D forget · Esc cancel"), "{between}");
    }
    // Esc is the answer, and leaves nothing else.
    let mut app = app();
    app.press("/five<enter>D<esc>");
    assert!(app.text().contains("nothing was done"), "{}", app.text());
    assert!(app.model.browse.filter.is_on());
    app.press("<esc>");
    assert!(!app.model.browse.filter.is_on());
}

#[test]
fn a_promotion_is_shown_before_it_is_made() {
    let mut app = app();
    app.press("Gp");
    assert!(app.world.changes.is_empty());
    let id = MemoryId::new(&"golemcore".into(), "five");
    let wanted = Change::Promote {
        ids: vec![id.clone()],
        up: true,
        sure: true,
    };
    let Page::Fix(proposal) = &app.model.page else {
        panic!("{}", app.text());
    };
    assert_eq!(proposal.change, wanted);
    // What it means, its doubts and the evidence stand before the diff.
    let ticket = app.model.slots.ticket(PlanChange::SLOT);
    let diff = "EPISODIC to SEMANTIC\n\nits confidence is too low\n\n".into();
    app.send(Msg::done::<PlanChange>(ticket, Ok((diff, 0))));
    assert!(
        app.text().contains("its confidence is too low"),
        "{}",
        app.text()
    );
    app.press("<esc>");
    assert!(app.world.changes.is_empty() && matches!(app.model.page, Page::Usual));
    app.press("pp");
    assert_eq!(app.world.changes, [wanted]);
}

#[test]
fn what_more_goes_with_a_memory_is_asked_for_twice() {
    let mut app = app();
    app.press("d");
    let id = MemoryId::new(&"rum".into(), "one");
    let wanted = |sure| Change::Delete {
        ids: vec![id.clone()],
        sure,
    };
    assert_eq!(app.world.changes, [wanted(false)]);
    // Before anything is said, it is asked for no surer than before.
    app.press("d");
    assert_eq!(app.world.changes, [wanted(false), wanted(false)]);
    app.world.changes.pop();
    app.send(Msg::Failed(Failure {
        what: "rum:one takes 1 link with it".to_owned(),
        hint: None,
        changed: false,
        doubtful: Some(("delete", vec![id.clone()])),
    }));
    assert!(
        app.text().contains("d again does it anyway"),
        "{}",
        app.text()
    );
    app.press("d");
    assert_eq!(app.world.changes, [wanted(false), wanted(true)]);
}

#[test]
fn another_memory_of_rum_is_no_chapter_where_one_stands_on_a_chapter() {
    let mut app = app();
    app.press("jjjo");
    let text = app.text();
    assert!(
        text.contains("new memory in rum") && text.contains("goal"),
        "{text}"
    );
}
