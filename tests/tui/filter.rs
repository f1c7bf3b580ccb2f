//! Typing a filter.

use memkeep::app::msg::Effect;

use crate::harness::App;
use crate::keys::current;

#[test]
fn a_filter_that_hides_the_selected_memory_gives_it_back() {
    let mut app = App::open(120, 36);
    app.press("jjj/postgres");
    assert_eq!(current(&app), "postgres-pool");
    app.press("<ctrl-u>");
    assert_eq!(current(&app), "jwt-pattern");
}

/// The next key edits what is selected: it must not be another memory than a moment ago.
#[test]
fn what_is_selected_stays_selected_when_the_filter_is_taken_away() {
    for keys in [
        "/«postgres»<enter>",
        "/«postgres»<esc>",
        "/«auth»<esc>jj",
        // Found in a text alone, which is looked at after Enter.
        "/«provider outages»<enter>",
        "/«importance:low»<enter>s",
    ] {
        let mut app = App::open(120, 36);
        app.press("jjj");
        app.press(keys);
        assert!(!app.model.browse.rows.is_empty(), "{keys}");
        let selected = current(&app);
        app.press("<esc>");
        assert!(!app.model.browse.filter.is_on(), "{keys}");
        assert_eq!(current(&app), selected, "{keys}");
    }
}

/// Who goes to the list is on what stands there, and stays on it without the filter too.
#[test]
fn a_memory_found_by_a_filter_is_stood_on_when_the_filter_is_cleared() {
    let mut app = App::open(120, 36);
    app.press("jjj/postgres<enter>");
    assert_eq!(current(&app), "postgres-pool");
    app.press("<esc>");
    assert!(!app.model.browse.filter.is_on());
    assert_eq!(current(&app), "postgres-pool");
    // Nothing found is nothing to stand on.
    app.press("/zzzz<enter><esc>");
    assert_eq!(current(&app), "postgres-pool");
}

#[test]
fn a_field_without_a_value_is_told_and_empties_no_list() {
    let mut app = App::open(120, 36);
    app.press("/auth created:>");
    assert!(
        app.text()
            .contains("`created:` needs a value · write created:2026-03")
    );
    assert_eq!(app.model.browse.rows.len(), 6);
    app.press("90d");
    assert!(app.model.browse.filter.error.is_none());
}

#[test]
fn esc_leaves_the_filter_and_then_clears_it() {
    let mut app = App::open(120, 36);
    app.press("/auth<esc>");
    assert_eq!(app.model.browse.rows.len(), 6);
    app.press("<esc>");
    assert_eq!(app.model.browse.rows.len(), 12);
    assert!(!app.model.browse.filter.is_on());
}

#[test]
fn texts_are_looked_at_when_the_words_are_typed() {
    let mut app = App::open(120, 36);
    let listed = |app: &App| app.model.browse.rows.len();
    let word = "alphabetical";
    let note = app
        .world
        .notes
        .iter_mut()
        .find(|note| note.local == "jwt-pattern")
        .unwrap();
    note.body
        .push_str(&format!("\nThe keys are in {word} order, tokens too.\n"));
    let loaded = app.world.answer(Effect::Load);
    for msg in loaded {
        app.send(msg);
    }
    app.press(&format!("/«'{word}»"));
    assert_eq!(listed(&app), 0);
    assert!(
        app.text().contains("Enter searches bodies too"),
        "{}",
        app.text()
    );
    app.press("<enter>");
    assert_eq!(listed(&app), 1, "{}", app.text());
    // What is found elsewhere stays before what only the texts have.
    app.press("<esc><esc>");
    app.press("/«'oauth»");
    let titles = listed(&app);
    app.press("<enter>");
    let with_texts = listed(&app);
    assert!(with_texts >= titles);
    // What must not be there must not be in a text.
    app.press("<esc><esc>");
    app.press(&format!("/«!'{word}»"));
    let all = listed(&app);
    app.press("<enter>");
    assert_eq!(listed(&app), all - 1);
    // Other words are looked for anew.
    app.press("/«x»");
    assert!(!app.model.browse.filter.texts);
}
