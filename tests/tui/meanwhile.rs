//! What another program writes while fields are edited.

use memkeep::app::Msg;
use memkeep::app::msg::Change;
use memkeep::memory::edit::FieldEdit;

use crate::harness::App;

/// The program on the fields of the first memory.
fn fields() -> App {
    let mut app = App::open(120, 36);
    app.press("e");
    app
}

/// Another program writes to the memory that is edited, and it is seen.
fn other(app: &mut App, write: impl FnOnce(&mut crate::fixtures::Note)) {
    let of = app.model.current().unwrap().id.local.to_string();
    let notes = app.world.notes.iter_mut();
    write(notes.into_iter().find(|note| note.local == of).unwrap());
    let memories = app.world.snapshot();
    app.send(Msg::Snapshot(memories, Vec::new()));
}

/// The fields that were saved.
fn saved(app: &App) -> Vec<String> {
    let edits = app.world.changes.iter().flat_map(|change| match change {
        Change::Edit { edits, .. } => edits.as_slice(),
        other => panic!("{other:?}"),
    });
    let field = |edit: &FieldEdit| match edit {
        FieldEdit::Set { field, value } => format!("{field}={value}"),
        other => panic!("{other:?}"),
    };
    edits.map(field).collect()
}

#[test]
fn what_both_wrote_is_shown_and_asked_about_before_it_is_written_over() {
    for (width, height) in [(120, 36), (80, 24), (40, 12)] {
        let mut app = App::open(width, height);
        app.press("e<enter>«YY»");
        other(&mut app, |note| note.title = "EXT port".to_owned());
        // Who types does not look at the bottom line.
        app.press("«Z»");
        assert!(app.text().contains("changed on disk"), "{}", app.text());
        app.press("<enter>");
        assert!(app.text().contains("≠ on disk EXT port"), "{}", app.text());
        app.press("<ctrl-s>");
        let text = app.text();
        assert!(text.contains("≠ on disk EXT port"), "{text}");
        assert!(text.contains("save again to overwrite"), "{text}");
        // Anything else is not an answer.
        app.press("x");
        app.press("n");
        assert_eq!(saved(&app), [""; 0]);
        app.press("<ctrl-s>");
        assert_eq!(saved(&app), ["title=Authentication Module StructureYYZ"]);
    }
}

/// What was seen goes along: another change may be read before it is shown.
#[test]
fn a_save_says_what_it_was_made_from() {
    let mut app = fields();
    app.press("<enter>«YY»<enter>i<right><ctrl-s>");
    let [Change::Edit { seen, .. }] = app.world.changes.as_slice() else {
        panic!("{:?}", app.world.changes);
    };
    let seen = seen.iter().map(|(name, value)| {
        let value = value.as_ref().and_then(memkeep::memory::Value::as_str);
        (&**name, value.unwrap_or_default())
    });
    let was = [
        ("title", "Authentication Module Structure"),
        ("importance", "high"),
    ];
    assert_eq!(seen.collect::<Vec<_>>(), was);
}

#[test]
fn what_another_program_wrote_is_taken_by_putting_the_field_back() {
    let mut app = fields();
    app.press("<enter>«YY»<enter>");
    other(&mut app, |note| note.title = "EXT port".to_owned());
    app.press("ui<right><ctrl-s>");
    assert_eq!(saved(&app), ["importance=critical"]);
    assert!(app.model.editor.is_none(), "nothing was to be asked");
}

#[test]
fn what_another_program_alone_wrote_is_taken_over() {
    let mut app = fields();
    app.press("<enter>«YY»<enter>");
    other(&mut app, |note| note.importance = "low".to_owned());
    assert!(!app.text().contains("≠ on disk"), "{}", app.text());
    app.press("<ctrl-s>");
    assert_eq!(saved(&app), ["title=Authentication Module StructureYY"]);
}

/// The other value, not the one that was there when the field was gone into.
#[test]
fn a_field_that_is_left_as_it_was_is_as_the_store_has_it_now() {
    let mut app = fields();
    app.press("<enter>");
    other(&mut app, |note| note.title = "EXT port".to_owned());
    app.press("<esc>i<right>");
    assert!(app.text().contains("EXT port"), "{}", app.text());
    app.press("<ctrl-s>");
    assert_eq!(saved(&app), ["importance=critical"]);
}

/// What is typed next is text where it was text.
#[test]
fn a_form_that_is_typed_into_stays_where_it_is() {
    let mut app = fields();
    app.press("<enter>");
    other(&mut app, |note| note.importance = "low".to_owned());
    app.press("«qa»<enter><ctrl-s>");
    assert_eq!(saved(&app), ["title=Authentication Module Structureqa"]);
    let mut app = fields();
    app.press("i");
    other(&mut app, |note| note.title = "EXT port".to_owned());
    app.press("<right><ctrl-s>");
    assert_eq!(saved(&app), ["importance=critical"]);
}

/// The question was about another value.
#[test]
fn what_changes_while_it_is_asked_is_asked_about_again() {
    let mut app = fields();
    app.press("<enter>«YY»<enter>");
    other(&mut app, |note| note.title = "EXT port".to_owned());
    app.press("<ctrl-s>");
    other(&mut app, |note| note.title = "EXT door".to_owned());
    app.press("y");
    assert_eq!(saved(&app), [""; 0]);
    app.press("<ctrl-s>");
    assert!(app.text().contains("≠ on disk EXT door"), "{}", app.text());
}
