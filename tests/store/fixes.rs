//! Many fixes in one step.

use std::fmt::Write as _;

use memkeep::curate::Change;
use memkeep::memory::Value;
use memkeep::memory::edit::FieldEdit;
use memkeep::store::{Overlay, StoreError};

use crate::place::{NOW, PLAIN, Place, id, load};

/// Enough that looking for each among all would take as long as the rest of these tests.
const MANY: usize = 3_000;

fn retag(of: &str, n: usize) -> Change {
    let tags = FieldEdit::Set {
        field: "tags".into(),
        value: Value::List([format!("t{n}").into()].into()),
    };
    Change::edit(&id(of), vec![tags])
}

fn rename(of: &str, to: &str) -> Change {
    Change::Rename {
        id: id(of),
        to: to.to_owned(),
        mentions: false,
    }
}

#[test]
fn each_of_thousands_takes_and_names_follow() {
    let place = Place::new(&[]);
    for n in 0..MANY {
        let named = (n + 1) % MANY;
        let front = format!("relatedMemories: [Old_{named}, other]\ndiscoveredBy");
        place.write(
            &format!("Old_{n}.md"),
            PLAIN.replace("discoveredBy", &front),
        );
    }
    let collection = place.open();
    let memories = load(&collection);
    let fixes = (0..MANY).map(|n| {
        let old = format!("Old_{n}");
        if n.is_multiple_of(3) {
            rename(&old, &format!("new-{n}"))
        } else {
            retag(&old, n)
        }
    });
    let done = collection
        .change(&Change::Fix(fixes.collect()), &memories, NOW)
        .unwrap();
    assert!(done.changed, "{}", done.title);
    let name = |n: usize| {
        let n = n % MANY;
        if n.is_multiple_of(3) {
            format!("new-{n}")
        } else {
            format!("Old_{n}")
        }
    };
    for n in 0..MANY {
        let mut wanted = String::new();
        write!(wanted, "relatedMemories: [{}, other]", name(n + 1)).unwrap();
        let text = place.text(&format!("{}.md", name(n)));
        assert!(text.contains(&wanted), "{n}: {text}");
        assert_eq!(
            text.contains(&format!("tags: [t{n}]")),
            !n.is_multiple_of(3),
            "{n}"
        );
    }
    assert_eq!(place.names().len(), MANY);
}

#[test]
fn a_fix_that_fails_leaves_nothing_behind() {
    let named = PLAIN.replace("discoveredBy", "relatedMemories: [a]\ndiscoveredBy");
    let place = Place::new(&[("a.md", PLAIN), ("b.md", &named), ("c.md", &named)]);
    let collection = place.open();
    let memories = load(&collection);
    // Another program writes what a rename would change after the file itself.
    place.write("c.md", named.replace("Text", "Other text"));
    let fixes = [
        retag("b", 1),
        rename("a", "new-a"),
        retag("gone", 2),
        retag("a", 3),
    ];
    let mut overlay = Overlay::default();
    let done = collection
        .planner(&memories, &mut overlay)
        .stage_fixes(&fixes);
    let took: Vec<bool> = done.iter().map(Result::is_ok).collect();
    assert_eq!(took, [true, false, false, true]);
    let changed: Vec<_> = overlay
        .changed()
        .map(|path| path.file_name().unwrap().to_owned())
        .collect();
    assert_eq!(changed, ["a.md", "b.md"]);
    let bytes = overlay.bytes(&memories[1].path).unwrap();
    let text = String::from_utf8_lossy(bytes);
    assert!(
        text.contains("tags: [t1]") && text.contains("[a]"),
        "{text}"
    );
}

#[test]
fn the_first_error_ends_a_change() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let collection = place.open();
    let fixes = Change::Fix(vec![retag("gone", 0), retag("a", 1)]);
    let refused = collection.change(&fixes, &load(&collection), NOW);
    assert!(matches!(refused, Err(StoreError::Refused(_))));
    assert_eq!(place.text("a.md"), PLAIN);
}

#[test]
fn only_fixes_that_do_no_harm_are_made_unseen() {
    let place = Place::new(&[("a.md", PLAIN), ("b.md", PLAIN), ("c.md", PLAIN)]);
    let collection = place.open();
    let memories = load(&collection);
    // It takes a sentence out, and so it is for a person to make.
    let empty = Change::edit(&id("b"), vec![FieldEdit::Body(String::new())]);
    let fixes = vec![retag("a", 1), empty.clone(), retag("c", 2)];
    let mut overlay = Overlay::default();
    let done = collection
        .planner(&memories, &mut overlay)
        .stage_safe(&fixes);
    let took: Vec<bool> = done.iter().map(Result::is_ok).collect();
    assert_eq!(took, [true, false, true]);
    let why = done[1].as_ref().unwrap_err().to_string();
    assert!(why.contains("words of the text that go"), "{why}");
    let done = collection
        .change(&Change::SafeFixes(fixes), &memories, NOW)
        .unwrap();
    assert!(done.title.contains("1 of them left for review"), "{done:?}");
    assert_eq!(place.text("b.md"), PLAIN);
    assert!(place.text("c.md").contains("tags: [t2]"));
    let memories = load(&collection);
    let alone = Change::SafeFixes(vec![empty.clone()]);
    assert!(collection.change(&alone, &memories, NOW).is_err());
    // A person may make it, and sees what it does.
    let plan = collection.preview(&Change::Fix(vec![empty]), &memories, NOW);
    let notes = plan.unwrap().notes;
    assert!(
        notes
            .iter()
            .any(|note| note.contains("words of the text that go"))
    );
}
