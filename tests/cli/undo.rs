//! Taking back what was changed, in files that another program wrote to meanwhile.

use std::fs;
use std::path::PathBuf;

use crate::place::Place;

const NOTE: &str = "---\ntitle: Holds\nwhenToUse: [hold]\ntags:\n  - api\n  - client\nimportance: critical\ndiscoveredAt: \"2026-01-01\"\ndiscoveredBy: developer\n---\n\n# Holds\n\nA hold ends after 10 minutes and no later.\n\nIt is then free for others.\n";

fn entry(id: &str, text: &str, tags: &str) -> String {
    format!(
        "### mem-{id}\n> {text} is long enough to be found\n<!-- tags: {tags} | created: 2026-01-01 -->\n\n"
    )
}

fn entries() -> String {
    let one = entry("1769600000-00a1", "One", "api, client");
    let two = entry("1769500000-00a2", "Two", "x");
    let three = entry("1769400000-00a3", "Three", "y");
    let four = entry("1769300000-00a4", "Four", "z");
    format!("# Memories\n\n## Patterns\n\n{one}{two}{three}{four}")
}

/// A project with a memory of one format and entries of another.
fn place() -> Place {
    let place = Place::bare();
    place.write("hold.md", NOTE);
    fs::create_dir_all(ralph(&place).parent().unwrap()).unwrap();
    fs::write(ralph(&place), entries()).unwrap();
    place
}

fn ralph(place: &Place) -> PathBuf {
    place.root().join(".ralph/agent/memories.md")
}

fn both(place: &Place) -> String {
    let note = String::from_utf8(place.read("hold.md")).unwrap();
    note + &fs::read_to_string(ralph(place)).unwrap()
}

/// What another program does to both files.
fn rewrite(place: &Place, from: &str, to: &str) {
    let before = both(place);
    let note = String::from_utf8(place.read("hold.md")).unwrap();
    place.write("hold.md", note.replace(from, to));
    let text = fs::read_to_string(ralph(place)).unwrap();
    fs::write(ralph(place), text.replace(from, to)).unwrap();
    assert_ne!(before, both(place), "{from}");
}

#[test]
fn what_another_program_wrote_in_the_same_place_stays() {
    let again = entry("1769600000-00a1", "Another", "api");
    let third = "### mem-1769400000-00a3";
    let readded = format!("{again}{third}");
    for (change, from, to) in [
        (
            &["edit", "hold", "--set", "importance=high"][..],
            "importance: high",
            "importance: high-ish",
        ),
        (
            &["edit", "hold", "--set", "discoveredBy=x"],
            "discoveredBy: x",
            "discoveredBy: xavier",
        ),
        (
            &["edit", "hold", "--set", "discoveredBy=x"],
            "discoveredBy: x",
            "discoveredBy: y",
        ),
        (
            &["edit", "hold", "--unset", "importance"],
            "title: Holds",
            "title: Holds\nimportance: low",
        ),
        (
            &["edit", "hold", "--remove-tag", "client"],
            "  - api",
            "  - client\n  - api",
        ),
        (&["delete", "mem-17696"], third, &readded),
        (
            &["edit", "mem-17696", "--add-tag", "b"],
            "api, client, b",
            "api, client, bc",
        ),
    ] {
        let place = place();
        place.ok(change);
        rewrite(&place, from, to);
        let before = both(&place);
        let ran = place.run(&["undo"]);
        assert_eq!(ran.code, 3, "{change:?}: {}{}", ran.err, both(&place));
        assert_eq!(both(&place), before, "{change:?}");
        assert_eq!(place.run(&["undo", "--dry-run"]).code, 3, "{change:?}");
    }
    let place = place();
    let text = NOTE.split("---\n\n").nth(1).unwrap();
    fs::write(
        place.root().join("new.txt"),
        text.replace("10 minutes", "15 minutes"),
    )
    .unwrap();
    place.ok(&["edit", "hold", "--body-file", "new.txt"]);
    rewrite(&place, "15 minutes", "150 seconds");
    assert_eq!(place.run(&["undo"]).code, 3);
    assert!(both(&place).contains("150 seconds"));
}

#[test]
fn what_stands_already_is_not_done_twice() {
    for (change, from, to) in [
        (
            &["edit", "mem-17696", "--remove-tag", "client"][..],
            "tags: api ",
            "tags: api, client ",
        ),
        (
            &["edit", "hold", "--remove-tag", "client"],
            "  - api\n",
            "  - api\n  - client\n",
        ),
        (
            &["edit", "hold", "--set", "importance=high"],
            "importance: high",
            "importance: critical",
        ),
    ] {
        for more in ["", "\nMore.\n"] {
            let place = place();
            place.ok(&["edit", "mem-17693", "--add-tag", "first"]);
            place.ok(change);
            rewrite(&place, from, to);
            place.write(
                "hold.md",
                [&place.read("hold.md"), more.as_bytes()].concat(),
            );
            let before = both(&place);
            assert_eq!(
                place.ok(&["undo", "--dry-run"]),
                "all stands that way already: nothing was written\n"
            );
            let told = place.ok(&["undo"]);
            assert!(told.contains("all stands that way already"), "{told}");
            assert_eq!(both(&place), before, "{change:?}");
            // The one before it is taken back next, and this one can be made again.
            place.ok(&["undo"]);
            assert_eq!(both(&place), before.replace("z, first", "z"), "{change:?}");
            place.ok(&["redo"]);
            place.ok(&["redo"]);
            rewrite(&place, from, to);
            assert_eq!(both(&place), before, "{change:?}");
        }
    }
}

#[test]
fn what_was_made_again_by_others_is_not_made_twice() {
    let place = place();
    place.ok(&["edit", "mem-17696", "--add-tag", "zeta"]);
    let with = both(&place);
    place.ok(&["undo"]);
    rewrite(&place, "api, client", "api, client, zeta");
    rewrite(&place, "Four is", "Vier is");
    assert!(place.ok(&["redo"]).contains("already"));
    assert_eq!(both(&place), with.replace("Four is", "Vier is"));
}

#[test]
fn entries_far_apart_come_back_around_what_was_written_between() {
    let place = place();
    let before = both(&place);
    place.ok(&["archive", "mem-17696", "mem-17693"]);
    let archived = both(&place);
    rewrite(&place, "Two is", "Zwei is");
    place.ok(&["undo"]);
    assert_eq!(both(&place), before.replace("Two is", "Zwei is"));
    assert!(!ralph(&place).with_file_name("memories.archive.md").exists());
    place.ok(&["redo"]);
    assert_eq!(both(&place), archived.replace("Two is", "Zwei is"));
}

#[test]
fn a_named_store_takes_back_what_was_said_of_its_memories_first() {
    let place = place();
    place.write("other.md", NOTE.replace("Holds", "Other"));
    for store in ["rawko", "ralph"] {
        place.ok(&["archive", "other"]);
        place.ok(&[
            "confirm",
            if store == "rawko" {
                "hold"
            } else {
                "mem-17696"
            },
        ]);
        let told = place.ok(&["--store", store, "undo"]);
        assert!(told.contains("confirmed"), "{store}: {told}");
        place.ok(&["--store", "rawko", "undo"]);
        assert!(place.file("other.md").exists());
    }
}

#[test]
fn some_entries_leave_a_file_as_they_would_one_by_one() {
    let long = entries() + "## Fixes\n\n" + &entry("1769200000-00a5", "Five", "f");
    for text in [
        long.clone(),
        long.trim_end().to_owned(),
        long.replace('\n', "\r\n"),
    ] {
        let [one, together] = [false, true].map(|together| {
            let place = place();
            fs::write(ralph(&place), &text).unwrap();
            let ids = ["mem-17692", "mem-17695", "mem-17694"];
            if together {
                place.ok(&[&["archive"][..], &ids].concat());
            } else {
                ids.iter().for_each(|id| drop(place.ok(&["archive", id])));
            }
            let archive = fs::read(ralph(&place).with_file_name("memories.archive.md")).unwrap();
            let left = both(&place);
            let gone = ids.map(|id| format!("archive/{id}"));
            let gone = gone.each_ref().map(String::as_str);
            place.ok(&[&["restore"][..], &gone].concat());
            (archive, left, both(&place))
        });
        assert_eq!(one, together, "{text}");
    }
}
