//! Whole screens with their styles.

use insta::assert_snapshot;

use crate::harness::App;

#[test]
fn browse_wide() {
    assert_snapshot!(
        "browse-120-dark",
        App::open(120, 36).dark().press("G<up>").screen()
    );
    assert_snapshot!(
        "browse-120-mono",
        App::open(120, 36).press("5j").press("jjjj").screen()
    );
}

#[test]
fn browse_filtered() {
    assert_snapshot!(
        "filter-120",
        App::open(120, 30).dark().press("/auth").screen()
    );
    assert_snapshot!(
        "filter-80",
        App::open(80, 24).press("/auth<enter>").screen()
    );
    assert_snapshot!(
        "filter-error-80",
        App::open(80, 24).press("/importnce:high").screen()
    );
}

#[test]
fn what_its_loader_reads_otherwise_stands_below_the_text() {
    let mut app = App::open(120, 36);
    let without = app.text();
    app.model.reading.seen = Some("First of all.\nAnd of the entry\u{1b}[31m below.".into());
    let text = app.text();
    let line = |what: &str| text.lines().position(|line| line.contains(what));
    let heading = line("as its own loader reads it").unwrap_or_else(|| panic!("{text}"));
    assert_eq!(line("First of all."), Some(heading + 1), "{text}");
    assert_eq!(line("And of the entry"), Some(heading + 2), "{text}");
    assert!(!text.contains('\u{1b}'));
    // Of another memory it is another one.
    app.press("jk");
    // The bottom line says what waits until the first key.
    let lines = |text: &str| text.lines().take(30).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&app.text()), lines(&without));
}

#[test]
fn browse_small() {
    assert_snapshot!("browse-80", App::open(80, 24).press("jj").screen());
    assert_snapshot!(
        "reading-80",
        App::open(80, 24)
            .dark()
            .press("/oauth<enter><enter>")
            .screen()
    );
    assert_snapshot!("browse-40", App::open(40, 12).press("j").screen());
    assert_snapshot!("browse-20", App::open(20, 5).press("j").screen());
    assert_snapshot!("reading-20", App::open(20, 5).press("j<enter>").screen());
}

#[test]
fn inject() {
    let keys = "t«add oauth integration to auth»";
    assert_snapshot!(
        "inject-120-dark",
        App::open(120, 36).dark().press(keys).screen()
    );
    assert_snapshot!(
        "inject-120-mono",
        App::open(120, 30).press(keys).press("<enter>jj").screen()
    );
    assert_snapshot!(
        "inject-80",
        App::open(80, 24).press(keys).press("<enter>").screen()
    );
    assert_snapshot!("inject-40", App::open(40, 12).press(keys).screen());
    assert_snapshot!("inject-20", App::open(20, 5).press(keys).screen());
    assert_snapshot!(
        "ranked-list",
        App::open(120, 24).press(keys).press("<enter>1").screen()
    );
}

#[test]
fn explain() {
    let keys = "t«add oauth integration to auth»<enter>1/cache<enter>x";
    assert_snapshot!(
        "explain-120",
        App::open(120, 30).dark().press(keys).screen()
    );
    assert_snapshot!("explain-80", App::open(80, 24).press(keys).screen());
}

#[test]
fn lint() {
    assert_snapshot!(
        "lint-120-dark",
        App::open(120, 36).dark().press("3").screen()
    );
    assert_snapshot!("lint-fix-120", App::open(120, 36).press("3f").screen());
    assert_snapshot!("lint-80", App::open(80, 24).press("3j").screen());
}

#[test]
fn palette() {
    assert_snapshot!("palette-120", App::open(120, 30).dark().press("?").screen());
    assert_snapshot!("palette-80", App::open(80, 24).press(":undo").screen());
    assert_snapshot!("palette-20", App::open(20, 5).press("?").screen());
}

#[test]
fn light() {
    assert_snapshot!("browse-120-light", App::open(120, 24).light().screen());
}

#[test]
fn editing() {
    let task = "t«add oauth integration to auth»<enter>1/«structure»<enter>";
    assert_snapshot!(
        "form-120",
        App::open(120, 36)
            .dark()
            .press(task)
            .press("ei<right>")
            .screen()
    );
    assert_snapshot!(
        "form-80",
        App::open(80, 24).press(task).press("ei<right>").screen()
    );
    assert_snapshot!("form-new-120", App::open(120, 36).press("o").screen());
    let mut conflict = App::open(120, 30).dark();
    conflict.press("jiMine. ");
    for note in &mut conflict.world.notes {
        note.body = note.body.replace("ten minutes", "an hour");
    }
    let memories = conflict.world.snapshot();
    conflict.send(memkeep::app::Msg::Snapshot(memories, Vec::new()));
    assert_snapshot!("changed-120", conflict.screen());
    assert_snapshot!("conflict-120", conflict.press("<ctrl-s>").screen());
    assert_snapshot!("editor-120", App::open(120, 36).dark().press("ji").screen());
    assert_snapshot!(
        "reading-120-dark",
        App::open(120, 36).dark().press("/oauth<enter>").screen()
    );
}

#[test]
fn empty_and_offered() {
    let mut with = crate::harness::setup(80, 24);
    with.agents_here = vec!["CLAUDE.md (Claude Code)".to_owned()];
    with.opened = Vec::new();
    let world = crate::world::World::new(Vec::new());
    assert_snapshot!("no-store-80", App::with(with, world).dark().screen());
    let mut app = App::open(80, 24);
    app.send(memkeep::app::Msg::Draft(
        memkeep::app::msg::Draft {
            id: "rawko:cache-ttl".to_owned(),
            base: "one\ntwo\n".to_owned(),
            text: "one\ntwo, and what was typed before the power went\n".to_owned(),
            form: None,
        },
        true,
    ));
    app.press("gu");
    assert_snapshot!("draft-80", app.screen());
    app.press("<enter>X");
    assert!(
        app.text().contains("Xone") && app.text().contains("two, and what was typed"),
        "{}",
        app.text()
    );
    let picked = App::open(120, 24).dark().press("  jvj").screen();
    assert_snapshot!("picked-120", picked);
    assert_snapshot!("inject-empty-80", App::open(80, 24).press("2").screen());
}

#[test]
fn a_message_is_said_whole() {
    let mut app = App::open(40, 12);
    app.press("D");
    assert_snapshot!("message-40", app.text());
    assert_snapshot!("message-20", App::open(20, 5).press("D").text());
    app.press("j");
    assert!(!app.text().contains("forget:"), "{}", app.text());
    // How to take it back is on one line.
    for width in 40..80 {
        let mut app = App::open(width, 12);
        app.press("  a");
        assert!(app.text().contains("u undo"), "{}", app.text());
    }
}

#[test]
fn the_way_to_all_keys_is_on_every_screen_that_has_room() {
    for width in 40..=120 {
        for keys in ["", "3", "t«oauth»<enter>", "<enter>"] {
            let text = App::open(width, 24).press(keys).text();
            let last = text.trim_end().lines().last().unwrap_or_default();
            assert!(last.ends_with("? all keys"), "{width} {keys}: {last}");
        }
    }
}

#[test]
fn where_nothing_matches_the_keys_that_help_are_named() {
    let mut app = App::open(80, 24);
    app.press("/zzzz");
    assert!(
        app.text()
            .contains("Esc leaves the filter · Esc again clears it")
    );
    app.press("<esc>");
    assert!(app.text().contains("/ changes the filter · Esc clears it"));
    app.press("<esc>");
    assert!(!app.text().contains("Nothing matches"));
}

#[test]
fn a_theme_is_shown_as_it_is_chosen_and_written_only_when_asked() {
    let theme = |app: &App| app.model.theme.clone();
    let mut app = App::open(60, 20);
    assert!(app.press("<ctrl-t>").text().contains("a light one"));
    app.press("j");
    assert_eq!((theme(&app).as_str(), app.model.light), ("light", true));
    app.press("<esc>");
    assert_eq!((theme(&app).as_str(), app.model.light), ("dark", false));
    let text = app.press("<ctrl-t>j<enter>").text();
    assert!(text.contains("theme light until memkeep ends"), "{text}");
    assert_eq!(theme(&app), "light");
}

#[test]
fn the_palette_begins_with_what_is_used_most_here() {
    let mut app = App::open(80, 24);
    app.press("?");
    let Some(memkeep::app::Overlay::Palette(palette)) = &app.model.overlay else {
        panic!("{}", app.text());
    };
    assert_eq!((palette.row, palette.hits[0].0.id), (0, "filter"));
}
