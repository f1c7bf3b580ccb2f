//! The Inject view before an audience: one store at a time, the line between in and out, settings.

use std::sync::Arc;

use memkeep::retrieval::Reason;

use crate::harness::App;
use crate::stores::{many_stores, two_stores};

#[test]
fn one_store_is_shown_at_a_time_and_all_are_named() {
    let mut app = two_stores();
    app.press("t«auth»<enter>");
    let text = app.text();
    let line = text.lines().find(|line| line.contains(" │ ")).unwrap();
    assert!(line.contains(" < api 2 of 5 │ web 0 >"), "{text}");
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("5 places, 3 free"))
            .count(),
        1,
        "{text}"
    );
    let first = app.model.current().unwrap().id.store.to_string();
    app.press(">");
    let second = app.model.current().unwrap().id.store.to_string();
    assert_eq!((&*first, &*second), ("rawko@api", "rawko@web"));
    assert!(app.text().contains("# rawko@web"), "{}", app.text());
    app.press(">");
    assert_eq!(app.model.current().unwrap().id.store.to_string(), first);
    // From the list the view opens on the store of the memory one stands on.
    app.press("<<>1gg2");
    let here = app
        .model
        .browse
        .cursor
        .chosen
        .as_ref()
        .unwrap()
        .store
        .clone();
    assert_eq!(app.model.current().unwrap().id.store, here);
}

#[test]
fn the_line_of_stores_fits_the_screen() {
    for width in [120, 100, 80, 60, 40] {
        let mut app = many_stores(width);
        app.press("t«auth»<enter>");
        for _ in 0..6 {
            let shown = app.model.inject.store.clone().unwrap().to_string();
            let text = app.text();
            let line = text.lines().find(|line| line.contains(" │ ")).unwrap();
            assert!(line.trim_end().ends_with('>'), "{width}: {line}");
            assert!(line.contains(shown.split('@').nth(1).unwrap()), "{line}");
            app.press(">");
        }
    }
}

#[test]
fn every_store_in_the_line_has_its_count() {
    for (width, expected) in rows! {
        72 => "< api 1 │ web 0 │ warehouse 1 of 5 │ ingest 0 │ billing 0 │ mail 0 >",
        64 => "< api 1 │ web 0 │ warehouse 1 of 5 │ ingest 0 │ billing 0 │ … >",
        40 => "< web 0 │ warehouse 1 of 5 │ ingest… >",
    } {
        let mut app = many_stores(width);
        app.press("t«auth»<enter>");
        let text = app.text();
        let line = text.lines().find(|line| line.contains(" │ ")).unwrap();
        assert_eq!(line.trim(), expected, "{width}");
    }
}

#[test]
fn the_line_between_in_and_out_is_always_on_the_screen() {
    for (width, height) in [
        (120, 36),
        (100, 30),
        (80, 24),
        (60, 20),
        (40, 12),
        (120, 10),
    ] {
        let mut app = App::open(width, height);
        app.press("t«add oauth integration to auth»<enter>");
        for keys in ["gg", "G", "gg"] {
            app.press(keys);
            let text = app.text();
            assert!(
                text.contains("5 places, 2 free"),
                "{width}x{height} {keys}: {text}"
            );
        }
    }
}

#[test]
fn what_can_never_load_stands_last_with_its_reason() {
    let mut app = App::open(120, 36);
    app.press("t«auth»<enter>");
    let mut preview = app.model.inject.preview().unwrap().clone();
    let one = &mut preview.rejected[0];
    (one.reason, one.hint) = (Reason::Invalid, Some("no pattern is valid".to_owned()));
    let memories = app.model.inject.previewed().unwrap().clone();
    app.model.inject.show(memories, Arc::new(preview), None);
    let text = app.press("G").text();
    let row = text.lines().position(|line| line.contains("▌")).unwrap();
    let row = text.lines().skip(row - 1).take(2).collect::<String>();
    assert!(
        row.contains("invalid") && row.contains("no pattern is valid"),
        "{text}"
    );
}

#[test]
fn settings_of_the_policy_are_typed_and_checked() {
    let mut app = App::open(120, 24);
    app.press("t«add oauth integration to auth»<tab><tab><tab><tab>«max=x»");
    assert!(
        app.text().contains("`x` is no value of max: a number"),
        "{}",
        app.text()
    );
    app.press("<backspace>«1 min-importance=medium»");
    assert!(app.text().contains("1 of 1"), "{}", app.text());
    app.press("« nothing=1»");
    assert!(
        app.text().contains("rawko has no setting `nothing`"),
        "{}",
        app.text()
    );
}

#[test]
fn the_command_line_that_gives_the_same_is_copied() {
    let mut app = App::open(120, 24);
    app.press("t«it's auth»<tab><tab>«src/a.rs»<tab><down><tab>«max=3»<enter>y");
    assert_eq!(
        app.world.copied,
        [
            "memkeep inject --task 'it'\\''s auth' --agent developer --file src/a.rs --dialect arbiter --max 3"
        ]
    );
}
