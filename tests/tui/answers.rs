//! Two memories that a rule asks about: how they are shown, and what each answer does.

use insta::assert_snapshot;
use memkeep::app::Page;
use memkeep::app::msg::Msg;

use crate::fixtures::disputed;
use crate::harness::{App, setup};
use crate::world::World;

fn open(width: u16, height: u16) -> App {
    let mut world = World::new(disputed());
    world.asks = true;
    App::with(setup(width, height), world)
}

/// Stands on the first finding of a rule; of contradictions on the one about the pool.
fn on(app: &mut App, rule: &str) {
    app.press("3gg");
    for _ in 0..60 {
        let world = &app.model.world;
        let now = app.model.current_finding().and_then(|n| world.finding(n));
        let is_wanted = now.is_some_and(|finding| {
            let id = world.memories.get(finding.memory).map(|one| &one.id);
            let is_pool = id.is_some_and(|id| ["pool", "sizes"].contains(&&*id.local));
            finding.rule == rule && (rule != "contradiction" || is_pool)
        });
        if is_wanted {
            return;
        }
        app.press("j");
    }
    panic!("no {rule}: {}", app.text());
}

fn count(app: &App, rule: &str) -> usize {
    let all = app.model.world.findings().iter();
    all.filter(|finding| finding.rule == rule).count()
}

fn archived(app: &App) -> Vec<String> {
    let notes = app.world.notes.iter().filter(|note| note.archived);
    notes.map(|note| note.local.clone()).collect()
}

#[test]
fn a_secret_in_a_title_is_hidden_where_findings_stand() {
    // Made here, so that no scanner finds one in this file.
    let secret = format!("ghp_{}", "q7Zk2Lm9Xw".repeat(3));
    let mut notes = disputed();
    for note in notes
        .iter_mut()
        .filter(|note| ["pool", "sizes"].contains(&&*note.local))
    {
        note.title = format!("{secret} of {}", note.local);
        note.body
            .push_str(&format!("\n\nIts token is {secret} for now."));
    }
    let mut world = World::new(notes);
    world.asks = true;
    let mut app = App::with(setup(140, 36), world);
    on(&mut app, "contradiction");
    for keys in ["", "<enter>", "m", "<esc><esc>1", "<enter>"] {
        let text = app.press(keys).text();
        assert!(!text.contains(&secret[8..]), "{keys}: {text}");
        assert!(text.contains("ghp_****"), "{keys}: {text}");
    }
}

#[test]
fn the_list_marks_what_contradicts_and_what_is_said_twice() {
    let text = open(80, 24).text();
    let row = |title: &str| {
        let line = text.lines().find(|line| line.contains(title));
        line.unwrap_or_default().to_owned()
    };
    assert!(row("Sizes of Pools").trim_end().ends_with('≠'), "{text}");
    assert!(row("Money Is in Cents").trim_end().ends_with('='), "{text}");
    assert!(row("Tests Failed").trim_end().ends_with('!'), "{text}");
}

#[test]
fn a_question_stands_beside_both_of_its_memories() {
    for local in ["pool", "sizes"] {
        let mut app = open(120, 36);
        let notes = &app.world.notes;
        let title = notes
            .iter()
            .find(|note| note.local == local)
            .unwrap()
            .title
            .clone();
        app.press("gg");
        while app.model.current().unwrap().id.local.as_ref() != local {
            app.press("j");
        }
        let text = app.text();
        let row = text
            .lines()
            .find(|line| line.contains(&title) && line.contains("▌"))
            .unwrap();
        assert!(row.contains('≠'), "{local}: {text}");
        assert!(text.contains("contradiction"), "{local}: {text}");
        app.press("=");
        assert!(
            matches!(app.model.page, Page::Pair(_)),
            "{local}: {}",
            app.text()
        );
    }
}

#[test]
fn side_by_side() {
    let mut app = open(120, 36).dark();
    on(&mut app, "contradiction");
    assert_snapshot!("pair-120-dark", app.press("<enter>").screen());
    let mut app = open(120, 30);
    on(&mut app, "near-duplicate");
    assert_snapshot!("pair-120-mono", app.press("<enter>").screen());
    let mut app = open(80, 24);
    on(&mut app, "contradiction");
    assert_snapshot!("pair-80", app.press("=").screen());
    let mut app = open(60, 20);
    on(&mut app, "contradiction");
    assert_snapshot!("pair-60", app.press("<enter>o«A in production»").screen());
    let mut app = open(20, 5);
    on(&mut app, "contradiction");
    assert_snapshot!("pair-20", app.press("<enter>").screen());
}

#[test]
fn the_newer_one_is_kept_in_four_keys() {
    let mut app = open(120, 36);
    app.keys = 0;
    app.press("3");
    let rule = |app: &App| {
        let finding = app
            .model
            .current_finding()
            .and_then(|n| app.model.world.finding(n));
        finding.map_or("", |finding| finding.rule)
    };
    while rule(&app) != "contradiction" {
        app.press("«n»");
    }
    app.press("<enter>b");
    assert!(app.keys <= 4, "{}", app.keys);
}

#[test]
fn each_answer_does_what_it_says_and_is_one_step() {
    for (key, gone, word) in rows! {
        "a" => Some("sizes") => "keep-a",
        "b" => Some("pool") => "keep-b",
        "o<enter>" => None => "both",
        "o«A in production»<enter>" => None => "\"reason\":\"A in production\"",
        "x" => None => "not-a-conflict",
        "m<enter>" => Some("sizes") => "merge",
        "M<enter>" => Some("pool") => "merge",
    } {
        let mut app = open(120, 36);
        on(&mut app, "contradiction");
        app.press("<enter>");
        let text = app.text();
        assert!(
            text.contains("A  Pool Size") && text.contains("B  Sizes of Pools"),
            "{text}"
        );
        app.press(key);
        assert!(matches!(app.model.page, Page::Usual), "{key}");
        assert_eq!(
            count(&app, "contradiction"),
            1,
            "{key}: the answered one is gone"
        );
        assert!(
            app.world.answers.contains(word),
            "{key}: {}",
            app.world.answers
        );
        assert_eq!(
            archived(&app),
            gone.into_iter().collect::<Vec<_>>(),
            "{key}"
        );
        let next = app
            .model
            .current_finding()
            .and_then(|n| app.model.world.finding(n));
        assert!(next.is_some(), "{key}: the next is stood on");
        app.press("u");
        assert_eq!(count(&app, "contradiction"), 2, "{key}: undone");
        assert!(
            app.world.answers.is_empty() && archived(&app).is_empty(),
            "{key}"
        );
    }
}

#[test]
fn a_merge_is_seen_before_it_is_made_and_esc_goes_back() {
    let mut app = open(120, 36);
    on(&mut app, "near-duplicate");
    app.press("<enter>m");
    let text = app.text();
    assert!(
        text.contains("merge rawko:money into rawko:cents"),
        "{text}"
    );
    assert!(
        text.contains("+Amounts are whole cents everywhere, only"),
        "{text}"
    );
    app.press("<esc>");
    assert!(matches!(app.model.page, Page::Pair(_)));
    assert!(
        app.text().contains("‹ Use the Money type"),
        "{}",
        app.text()
    );
    app.press("<esc>");
    assert!(matches!(app.model.page, Page::Usual));
    assert!(app.world.answers.is_empty());
}

#[test]
fn esc_answers_nothing_and_letters_are_text_while_a_case_is_typed() {
    let mut app = open(120, 36);
    on(&mut app, "contradiction");
    app.press("<enter>o«ab»<esc>");
    assert!(matches!(app.model.page, Page::Pair(_)));
    assert!(app.world.answers.is_empty() && archived(&app).is_empty());
    // What concerns one memory does not reach two.
    app.press("pd");
    assert!(archived(&app).is_empty());
    assert_eq!(app.world.notes.len(), 8);
}

#[test]
fn n_goes_from_question_to_question() {
    let mut app = open(120, 36);
    on(&mut app, "contradiction");
    app.press("<enter>");
    let shown = |app: &mut App| app.text().lines().nth(4).unwrap_or_default().to_owned();
    let first = shown(&mut app);
    app.press("N");
    assert!(matches!(app.model.page, Page::Pair(_)));
    assert_ne!(shown(&mut app), first);
    app.press("n");
    assert_eq!(shown(&mut app), first);
}

#[test]
fn one_that_changed_on_disk_is_shown_anew_and_not_answered_unseen() {
    let mut app = open(120, 36);
    on(&mut app, "contradiction");
    app.press("<enter>");
    // It changed, and its text is not read yet.
    app.world.notes[0].body = app.world.notes[0].body.replace("10", "11");
    let memories = app.world.snapshot();
    let unread = memkeep::app::update(&mut app.model, Msg::Snapshot(memories, Vec::new()));
    let text = app.text();
    assert!(text.contains("changed on disk"), "{text}");
    app.press("a");
    assert!(app.world.answers.is_empty());
    for effect in unread {
        for answer in app.world.answer(effect) {
            app.send(answer);
        }
    }
    assert!(app.text().contains("‹11›"), "{}", app.text());
    app.press("a");
    assert!(app.world.answers.contains("keep-a"));
    // One that is gone closes the question.
    let mut app = open(120, 36);
    on(&mut app, "contradiction");
    app.press("<enter>");
    app.world.notes.remove(0);
    let gone = app.world.answer(memkeep::app::msg::Effect::Load);
    for msg in gone {
        app.send(msg);
    }
    assert!(matches!(app.model.page, Page::Usual));
    assert!(
        app.text()
            .contains("the question about these two is settled"),
        "{}",
        app.text()
    );
}

#[test]
fn a_merge_of_texts_that_were_not_shown_is_not_made() {
    for changed in ["pool", "sizes"] {
        let mut app = open(120, 36);
        on(&mut app, "contradiction");
        app.press("<enter>m");
        assert!(matches!(app.model.page, Page::Fix(_)), "{}", app.text());
        let mut notes = app.world.notes.iter_mut();
        let note = notes.find(|note| note.local == changed).unwrap();
        note.body.push_str("\nAnd nothing of it holds at night.\n");
        // It is read again; what is shown is not worked out anew yet.
        let msg = Msg::Snapshot(app.world.snapshot(), Vec::new());
        let effects = memkeep::app::update(&mut app.model, msg);
        app.press("<enter>");
        assert!(app.world.answers.is_empty() && archived(&app).is_empty());
        assert!(app.text().contains("changed on disk"), "{}", app.text());
        for effect in effects {
            for answer in app.world.answer(effect) {
                app.send(answer);
            }
        }
        // The two are looked at as they are now, and are merged so.
        assert!(matches!(app.model.page, Page::Usual), "{}", app.text());
        assert!(
            app.text().contains("review the fix again"),
            "{}",
            app.text()
        );
        app.press("<enter>m<enter>");
        assert!(app.world.answers.contains("merge"), "{}", app.text());
    }
}

#[test]
fn what_only_a_person_decides_is_no_part_of_one_step() {
    let mut app = open(120, 36);
    on(&mut app, "failure-log");
    app.press("F");
    let text = app.text();
    assert!(
        text.contains("Review these fixes one by one with f"),
        "{text}"
    );
    assert!(matches!(app.model.page, Page::Usual), "{text}");
    app.keys = 0;
    app.press("f<enter>");
    // One decision for all logs, and one step takes it back.
    assert_eq!((archived(&app).len(), count(&app, "failure-log")), (2, 0));
    app.press("u");
    assert!(count(&app, "failure-log") > 0);
    assert!(app.keys <= 6);
    on(&mut app, "contradiction");
    app.press("F");
    assert!(
        app.text().contains("these pairs are decided one by one"),
        "{}",
        app.text()
    );
}

#[test]
fn nothing_is_left() {
    let world = World::new(vec![crate::fixtures::notes().remove(0)]);
    let mut app = App::with(setup(120, 36), world);
    app.press("3=FOn<enter>");
    assert!(matches!(app.model.page, Page::Usual | Page::Fix(_)));
    let mut app = App::with(setup(80, 24), World::new(Vec::new()));
    app.press("3=FOn<enter>s");
    assert!(matches!(app.model.page, Page::Usual));
}
