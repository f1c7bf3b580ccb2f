//! Fields that were typed and not saved when the program ended.

use memkeep::app::Msg;
use memkeep::app::msg::{Change, Draft, Effect};

use crate::fixtures::notes;
use crate::harness::{App, setup};
use crate::world::World;

/// What of an ended run is kept, as its file has it.
fn left(app: &App) -> Option<Draft> {
    let text = serde_json::to_string(app.world.kept.as_ref()?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

/// What is typed, the program ended, and started again.
fn again(keys: &str) -> App {
    let mut before = App::open(120, 36);
    before.press(keys);
    let draft = left(&before).expect(keys);
    let mut app = App::open(120, 36);
    app.send(Msg::Draft(draft, true));
    app
}

#[test]
fn fields_that_were_typed_are_offered_again() {
    for (keys, offered, saved) in rows! {
        "e<enter>«YY»" => "title: Auth" => "title=Authentication Module StructureYY",
        "e<enter>«YY»<enter>" => "title: Auth" => "title=Authentication Module StructureYY",
        "ei<right>" => "importance: critical" => "importance=critical",
    } {
        let mut app = again(keys);
        app.press("gu");
        let text = app.text();
        assert!(text.contains("Unsaved text was found"), "{keys}: {text}");
        assert!(text.contains(offered), "{keys}: {text}");
        app.press("<enter>");
        assert_eq!(app.world.found, ["taken"], "{keys}");
        assert!(app.text().contains("unsaved"), "{keys}: {}", app.text());
        app.press("<ctrl-s>");
        let [Change::Edit { edits, .. }] = app.world.changes.as_slice() else {
            panic!("{keys}: {:?}", app.world.changes);
        };
        assert_eq!(edits.len(), 1, "{keys}: {edits:?}");
        assert!(format!("{edits:?}").contains(saved.split('=').next_back().unwrap()));
        assert_eq!(left(&app), None, "{keys}: it is saved");
    }
}

#[test]
fn nothing_is_kept_of_fields_that_are_as_they_were_or_given_up() {
    for keys in [
        "e",
        "ejj",
        "e<enter><esc>",
        "e<enter>«Y»<backspace>",
        "e<enter>«Y»<esc>",
        "e<enter>«Y»<enter>u",
        "e<enter>«Y»<enter><esc>y",
        "e<enter>«Y»<enter><ctrl-s>",
        "o<esc><esc>",
    ] {
        let mut app = App::open(120, 36);
        app.press(keys);
        assert_eq!(left(&app), None, "{keys}: {}", app.text());
    }
    // What was taken up and is given up then is gone, too.
    let mut app = again("e<enter>«Y»");
    app.world.kept = Some(Draft {
        id: String::new(),
        base: String::new(),
        text: String::new(),
        form: None,
    });
    app.press("gu<enter><esc>y");
    assert_eq!(left(&app), None, "{}", app.text());
}

#[test]
fn a_new_memory_that_was_not_saved_is_offered_again() {
    let mut app = again("o«A new title»<enter>");
    app.press("gu<enter>");
    assert!(app.text().contains("A new title"), "{}", app.text());
    app.press("<esc>");
    assert!(!app.text().contains("memories ·"), "{}", app.text());
    app.press("n<ctrl-s>");
    let title = |change: &Change| match change {
        Change::Add { title, .. } => title.clone(),
        other => panic!("{other:?}"),
    };
    let titles: Vec<String> = app.world.changes.iter().map(title).collect();
    assert!(
        titles.iter().all(|title| title == "A new title"),
        "{titles:?}"
    );
}

/// What is on disk by now is read, and the draft taken up.
fn read_and_restored(app: &mut App) {
    let memories = app.world.snapshot();
    app.send(Msg::Snapshot(memories, Vec::new()));
    app.press("gu<enter>");
}

/// A draft of an earlier run.
fn draft() -> Draft {
    Draft {
        id: "rawko:cache-ttl".to_owned(),
        base: "a\nb\n".to_owned(),
        text: "a\nmine\n".to_owned(),
        form: None,
    }
}

const OFFER: &str = "unsaved text of rawko:cache-ttl was found · gu shows it";

#[test]
fn keys_that_were_typed_ahead_decide_nothing_about_a_draft() {
    let mut app = App::unloaded(setup(120, 36), World::new(notes()));
    app.send(Msg::Draft(draft(), true));
    app.press("guj<enter><esc>");
    let answers = app.world.answer(Effect::Load);
    answers.into_iter().for_each(|msg| app.send(msg));
    app.press("/deploy<enter>");
    assert!(app.world.found.is_empty(), "{:?}", app.world.found);
    assert!(app.text().contains(OFFER), "{}", app.text());
    assert!(app.text().contains("deploy"), "the filter has the keys");
    // Another text is kept and dropped beside it.
    app.press("<esc><esc>iX<esc>y");
    assert!(app.world.found.is_empty(), "{:?}", app.world.found);
    app.press("gu");
    assert!(app.text().contains("mine"), "{}", app.text());
}

#[test]
fn a_discarded_draft_comes_back_and_a_postponed_one_waits() {
    let mut app = App::open(120, 36);
    app.send(Msg::Draft(draft(), true));
    assert!(app.text().contains(OFFER), "{}", app.text());
    app.press("gu<esc>");
    assert!(!app.text().contains("unsaved text"), "{}", app.text());
    assert!(app.world.found.is_empty());
    app.press("guj<enter>");
    assert!(
        app.text()
            .contains("unsaved text discarded · gu brings it back"),
        "{}",
        app.text()
    );
    app.press("gu<enter>");
    assert_eq!(app.world.found, ["discarded", "taken"]);
    assert!(app.text().contains("mine"), "{}", app.text());
}

#[test]
fn what_another_program_wrote_since_is_shown_beside_what_was_typed() {
    let mut app = again("e<enter>«YY»");
    let of = app.world.notes.iter_mut();
    for note in of {
        note.title = note.title.replace("Authentication", "Their");
    }
    read_and_restored(&mut app);
    assert!(app.text().contains("≠ on disk Their"), "{}", app.text());
    // Of a memory that is gone what was typed is copied.
    let mut app = again("e<enter>«YY»");
    app.world.notes.clear();
    read_and_restored(&mut app);
    assert!(app.world.copied[0].contains("YY"), "{:?}", app.world.copied);
}
