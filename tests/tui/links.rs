//! Links, chapters and forgetting: commands of some formats only.

use std::path::Path;
use std::sync::Arc;

use memkeep::app::PlanChange;
use memkeep::app::msg::Question as _;
use memkeep::app::msg::{Change, Failure};
use memkeep::app::{Msg, Page};
use memkeep::memory::{Fields, Memory, MemoryId, Schema, Value};
use memkeep::systems::golemcore::GOLEMCORE;
use memkeep::systems::rum::{CHAPTER, RUM};

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
    setup.world.schemas = vec![&RUM, &CHAPTER, &GOLEMCORE];
    let mut app = App::with(setup, World::new(Vec::new()));
    app.world.deaf = true;
    app.send(Msg::Snapshot(Arc::new(memories), Vec::new()));
    app
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
