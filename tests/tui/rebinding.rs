//! Keys of what is edited come from the one table too.

use std::collections::BTreeMap;

use memkeep::app::msg::{Look, Msg};
use memkeep::app::{Keymap, Model};

use crate::fixtures::notes;
use crate::harness::{App, setup};
use crate::world::World;

fn app(own: &[(&str, &str)]) -> App {
    let own: BTreeMap<String, Vec<String>> = own
        .iter()
        .map(|(id, key)| ((*id).to_owned(), vec![(*key).to_owned()]))
        .collect();
    let mut setup = setup(120, 36);
    setup.keymap = Keymap::with(&own).unwrap();
    App::with(setup, World::new(notes()))
}

fn edits(model: &Model) -> bool {
    model.editor.is_some()
}

#[test]
fn the_keys_of_fields() {
    let mut app = app(&[
        ("save", "ctrl-o"),
        ("raise-choice", "+"),
        ("leave-fields", "Q"),
    ]);
    app.press("ei");
    assert!(app.text().contains("Ctrl-o save"), "{}", app.text());
    app.press("+<esc><ctrl-s>");
    assert!(edits(&app.model), "the old keys are nothing");
    app.press("<ctrl-o>");
    assert!(!edits(&app.model));
    assert!(app.text().contains("u undo"), "{}", app.text());
    app.press("eQ");
    assert!(!edits(&app.model));
}

#[test]
fn the_keys_of_texts() {
    let mut app = app(&[
        ("leave-text", "ctrl-q"),
        ("undo-text", "alt-z"),
        ("give-up", "!"),
    ]);
    app.press("jiab<alt-z><alt-z><esc>");
    assert!(edits(&app.model));
    app.press("c<ctrl-q>");
    assert!(app.text().contains("! discard"), "{}", app.text());
    app.press("y");
    assert!(edits(&app.model));
    app.press("!");
    assert!(!edits(&app.model));
}

#[test]
fn the_palette_knows_them() {
    let mut app = app(&[("give-up", "ctrl-o")]);
    app.press("?«discard»");
    let text = app.text();
    assert!(
        text.contains("Ctrl-o") && text.contains("only when asked"),
        "{text}"
    );
}

#[test]
fn changed_settings_take_effect_and_wrong_ones_leave_the_old() {
    let mut app = app(&[]);
    let look = |key: &str| Look {
        theme: None,
        keys: [("new".to_owned(), vec![key.to_owned()])].into(),
    };
    app.send(Msg::Settings(Ok(look("ctrl-o"))));
    assert!(app.text().contains("settings reloaded"), "{}", app.text());
    for wrong in [Ok(look("contrl-w")), Err("c.toml:1:1: broken".to_owned())] {
        app.send(Msg::Settings(wrong));
        assert!(
            app.text().contains("the old settings stay"),
            "{}",
            app.text()
        );
    }
    app.press("o");
    assert!(!edits(&app.model));
    app.press("<ctrl-o>");
    assert!(edits(&app.model), "{}", app.text());
}
