//! The review view: deciding on changes one by one and of a kind at once, and committing.

use std::sync::Arc;

use memkeep::app::msg::{Change, Msg};
use memkeep::curate::differences::{Against, Entry, Kind, Proposal, Side};

use crate::fixtures::notes;
use crate::harness::{App, setup};
use crate::trust::many;
use crate::world::World;

/// Five changes since the last commit: three new memories, two that say something else.
fn changed(width: u16, height: u16) -> App {
    let mut world = World::new(notes());
    let mut base = notes();
    base.retain(|note| !note.archived);
    base.drain(0..3);
    base[0].body.push_str("\nA line that is gone now.\n");
    base[1].tags.push("gone".to_owned());
    world.commits.base = base;
    App::with(setup(width, height), world)
}

#[test]
fn five_changes_are_kept_and_committed_with_eight_keys() {
    for (width, height) in [(120, 36), (80, 24), (60, 20)] {
        let mut app = changed(width, height);
        app.keys = 0;
        app.press("4<enter><enter><enter><enter><enter>c<enter>");
        assert!(app.keys <= 8, "{}", app.keys);
        let messages = &app.world.commits.messages;
        assert_eq!(messages.len(), 1, "{width}");
        assert!(
            messages[0].starts_with("Memories: add 3, update 2\n\n- added: "),
            "{messages:?}"
        );
        assert!(app.world.commits.staged.is_empty());
        assert!(app.text().contains("Nothing to review"), "{}", app.text());
    }
}

#[test]
fn the_card_shows_what_a_change_is_and_does() {
    for (width, height, keys) in [
        (120, 36, "4j"),
        (99, 50, "4G"),
        (80, 24, "4"),
        (60, 20, "4<enter>"),
        (40, 12, "4"),
    ] {
        let mut app = changed(width, height);
        app.press(keys);
        insta::assert_snapshot!(format!("review_{width}x{height}"), app.screen());
    }
}

#[test]
fn what_waits_fills_the_screen() {
    let mut app = changed(99, 50);
    for note in &mut app.world.notes {
        note.body.push_str("\n- One.\n- Two.\n- Three.\n");
    }
    app.press("<ctrl-l>4");
    let text = app.text();
    let blank = text.lines().filter(|line| line.trim().is_empty()).count();
    assert!(blank * 10 <= 50 * 3, "{blank} blank lines: {text}");
    assert!(text.contains("── next: NEW  Cache Entries"), "{text}");
}

#[test]
fn the_words_that_changed_are_marked_in_the_text() {
    let mut app = changed(120, 36);
    app.world.commits.base[0].body = "Sign tokens with HS256 and rotate keys.\n".to_owned();
    let body = "Sign tokens with RS256 and rotate keys.\n\n- Never log one.\n";
    let local = app.world.commits.base[0].local.clone();
    let notes = app.world.notes.iter_mut();
    let mut own = notes.filter(|note| note.local == local);
    own.next().unwrap().body = body.to_owned();
    app.press("<ctrl-l>4jjj");
    let text = app.text();
    for marked in [
        "Sign tokens with ‹HS256 → RS256› and rotate keys.",
        "‹+Never log one.›",
    ] {
        assert!(text.contains(marked), "{marked}: {text}");
    }
    app.press("j");
    assert!(app.text().contains("tags: "), "{}", app.text());
}

#[test]
fn the_strip_is_the_way_back_to_a_decided_change() {
    for width in [120, 80, 60, 40] {
        let mut app = changed(width, 24);
        app.press("4<enter><enter>k");
        let strip = app.text().lines().nth(1).unwrap().to_owned();
        assert!(strip.contains("2 of 5") && strip.contains('✓'), "{strip}");
        // The change is open again, and not offered to be accepted twice.
        let text = app.text();
        assert!(text.contains("accepted"), "{text}");
        assert!(!text.contains("Enter accept"), "{text}");
        app.press("r");
        let strip = app.text().lines().nth(1).unwrap().to_owned();
        assert!(strip.contains("2 of 5") && strip.contains('✗'), "{strip}");
    }
}

#[test]
fn findings_of_before_stand_below_the_text() {
    let mut app = changed(120, 60);
    app.world.commits.older = 25;
    app.press("4jjj");
    let text = app.text();
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    assert!(at("! src/auth.rs is gone") < at("▍"), "{text}");
    assert!(
        at("▍") < at("older · src/auth.rs is gone · stale-path"),
        "{text}"
    );
}

#[test]
fn the_first_screen_shows_the_number_that_the_review_shows() {
    let mut app = changed(120, 36);
    let _ = memkeep::app::update(&mut app.model, Msg::Waiting(9));
    assert!(app.text().contains("9 changes"), "{}", app.text());
    app.press("4");
    assert!(app.text().contains("0 of 5"), "{}", app.text());
    app.press("1");
    assert_eq!(app.model.waiting(), 5);
}

#[test]
fn all_of_a_kind_are_decided_with_one_key_and_each_can_be_taken_back() {
    let mut app = changed(120, 36);
    app.press("4A");
    assert_eq!(
        app.world.commits.staged.len(),
        3,
        "the kind of the one that is stood on"
    );
    assert!(app.text().contains("3 of 5"), "{}", app.text());
    app.press("u");
    assert!(app.world.commits.staged.is_empty());
    assert!(app.text().contains("0 of 5"), "{}", app.text());
    app.press("ggr");
    assert!(app.text().contains("1 of 5"), "{}", app.text());
    // What was rejected stays in sight until it is committed or taken back.
    assert!(app.text().contains('✗'), "{}", app.text());
    app.press("u");
    assert!(!app.text().contains('✗'), "{}", app.text());
    app.press("ll");
    assert!(app.text().contains('–'), "{}", app.text());
}

#[test]
fn the_commit_box_lists_what_is_committed() {
    let mut app = changed(80, 24);
    app.press("4Ac");
    let text = app.text();
    assert!(text.contains("Memories: add 3"), "{text}");
    assert_eq!(text.matches("- added: ").count(), 3, "{text}");
}

#[test]
fn more_than_twenty_are_decided_when_asked_twice() {
    let mut app = App::with(setup(80, 24), many(21));
    app.world.commits.base.clear();
    app.press("<ctrl-l>4A");
    assert!(app.text().contains("Accept 21 changes?"), "{}", app.text());
    assert!(app.world.commits.staged.is_empty());
    app.press("A");
    assert_eq!(app.world.commits.staged.len(), 21);
}

#[test]
fn nothing_is_committed_before_something_is_kept() {
    let mut app = changed(120, 36);
    app.press("4c");
    assert!(
        app.text().contains("nothing is accepted yet"),
        "{}",
        app.text()
    );
}

#[test]
fn a_new_secret_is_accepted_with_one_key_alone_and_after_a_question() {
    let mut app = changed(120, 36);
    app.world.commits.rule = Some("secret");
    app.press("4G");
    let text = app.text();
    assert!(text.contains("K keep it anyway"), "{text}");
    assert!(!text.contains("Enter accept"), "{text}");
    app.press("<enter>");
    assert!(
        app.text().contains("secret: i edits it, K keeps it anyway"),
        "{}",
        app.text()
    );
    app.press("A");
    assert!(
        app.world.commits.staged.is_empty(),
        "both edited ones carry it"
    );
    app.press("K");
    assert!(app.text().contains("Keep it anyway?"), "{}", app.text());
    app.press("<esc>");
    assert!(app.world.commits.staged.is_empty());
    app.press("KK");
    assert_eq!(app.world.commits.staged.len(), 1);
    let sure = |change: &Change| matches!(change, Change::Accept { sure: true, .. });
    assert!(app.world.changes.iter().all(sure));
}

#[test]
fn a_deletion_is_accepted_by_its_name_and_many_after_a_question() {
    let mut world = World::new(notes());
    world.commits.base = notes();
    world.notes.drain(0..2);
    let mut app = App::with(setup(120, 36), world);
    app.press("4");
    for words in [
        "accept the deletion",
        "bring it back",
        "accept all deleted (2)",
    ] {
        assert!(app.text().contains(words), "{words}: {}", app.text());
    }
    app.press("A");
    assert!(app.text().contains("Accept 2 deletions?"), "{}", app.text());
    assert!(app.world.changes.is_empty());
    app.press("A");
    assert_eq!(app.world.changes.len(), 1);
}

#[test]
fn the_raw_diff_is_the_card_without_anything_else() {
    let mut app = changed(120, 36);
    app.press("4G");
    assert!(app.text().contains("src/auth.rs is gone"), "{}", app.text());
    app.press("D");
    assert!(!app.text().contains("is gone"), "{}", app.text());
    assert!(app.text().contains("@@"), "{}", app.text());
}

/// A proposal to add a memory with this body.
fn proposed(name: &str, body: &str, confidence: f64) -> Entry {
    let mut note = notes().remove(0);
    (note.local, note.title, note.body) = (name.to_owned(), name.to_owned(), body.to_owned());
    let side = Side {
        memory: Arc::new(note.memory()),
        text: note.text().into(),
        body: body.into(),
    };
    let proposal = Proposal {
        action: "add".to_owned(),
        from: Some("s.jsonl".to_owned()),
        confidence: Some(confidence),
        ..Proposal::default()
    };
    let against = Against::Proposal(Box::new(proposal));
    let id = side.memory.id.clone();
    Entry::new(id, Kind::Added, (None, Some(side)), against)
}

/// Fifty subjects that have nothing to do with each other.
fn subjects() -> impl Iterator<Item = String> {
    let things = "parser cache router mailer ledger queue socket index schema theme";
    let rules = "retries twice|drops empty rows|reads its own clock|needs a lock|logs in colour";
    let rules: Vec<&str> = rules.split('|').collect();
    let all = things.split(' ').flat_map(move |thing| {
        let rules = rules.clone().into_iter();
        rules.map(move |rule| format!("{thing} {rule}"))
    });
    all.enumerate()
        .map(|(n, text)| format!("The {text} in module{n} since release{n}."))
}

#[test]
fn a_hundred_proposals_are_reviewed_with_150_keys() {
    // Each on its own: accepted, rejected, accepted …
    let mut app = App::with(setup(120, 36), World::new(notes()));
    let twice = subjects().chain(subjects().map(|text| text.replace("The", "Now the old")));
    let all = twice
        .enumerate()
        .map(|(n, text)| proposed(&format!("own{n}"), &format!("{text} {n} {n}"), 0.5));
    app.world.commits.base = app
        .world
        .notes
        .iter()
        .filter(|note| !note.archived)
        .cloned()
        .collect();
    app.world.commits.proposed = all.collect();
    app.keys = 0;
    app.press("4");
    for _ in 0..50 {
        app.press("<enter>r");
    }
    assert!(app.keys <= 150, "{}", app.keys);
    let decided = &app.world.commits.decided;
    let accepted = decided.values().filter(|one| **one == "accepted");
    assert_eq!((decided.len(), accepted.count()), (100, 50));
    assert!(app.world.commits.proposed.is_empty());
}

#[test]
fn proposals_that_say_nearly_the_same_are_one_card() {
    let mut app = App::with(setup(120, 36), World::new(notes()));
    let body = "Retry the upload with a token of the second login, never with the first one.";
    let others = [
        ("upload-a", body.to_owned(), 0.4),
        ("upload-b", body.replace("Retry", "Repeat"), 0.9),
        ("upload-c", format!("{body} It expires."), 0.6),
        ("upload-d", body.replace("never with", "then with"), 0.6),
    ];
    app.world.commits.base = app
        .world
        .notes
        .iter()
        .filter(|note| !note.archived)
        .cloned()
        .collect();
    app.world.commits.proposed = others
        .iter()
        .map(|(name, body, sure)| proposed(name, body, *sure))
        .collect();
    app.press("4");
    let text = app.text();
    assert!(text.contains("0 of 2"), "{text}");
    assert!(text.contains("3 proposals say nearly the same"), "{text}");
    // The surest is shown first.
    assert!(
        text.contains("from s.jsonl · confidence 90 %") && text.contains("Repeat the upload"),
        "{text}"
    );
    app.press("w");
    assert!(app.text().contains("It expires."), "{}", app.text());
    app.press("<enter>");
    let decided: Vec<(&str, &str)> = app
        .world
        .commits
        .decided
        .iter()
        .map(|(id, what)| (&**id, *what))
        .collect();
    assert_eq!(
        decided,
        [
            ("upload-a", "rejected"),
            ("upload-b", "rejected"),
            ("upload-c", "accepted")
        ]
    );
    assert!(app.text().contains("then with"), "{}", app.text());
}
