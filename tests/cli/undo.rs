//! Taking back what was changed, out of order and in files that another program wrote to meanwhile.

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
    for (change, from, to) in rows! {
        &["edit", "hold", "--set", "importance=high"][..] => "importance: high" => "importance: high-ish",
        &["edit", "hold", "--set", "discoveredBy=x"] => "discoveredBy: x" => "discoveredBy: xavier",
        &["edit", "hold", "--set", "discoveredBy=x"] => "discoveredBy: x" => "discoveredBy: y",
        &["edit", "hold", "--unset", "importance"] => "title: Holds" => "title: Holds\nimportance: low",
        &["edit", "hold", "--remove-tag", "client"] => "  - api" => "  - client\n  - api",
        &["delete", "mem-17696"] => third => &readded,
        &["edit", "mem-17696", "--add-tag", "b"] => "api, client, b" => "api, client, bc",
    } {
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
    for (change, from, to) in rows! {
        &["edit", "mem-17696", "--remove-tag", "client"][..] => "tags: api " => "tags: api, client ",
        &["edit", "hold", "--remove-tag", "client"] => "  - api\n" => "  - api\n  - client\n",
        &["edit", "hold", "--set", "importance=high"] => "importance: high" => "importance: critical",
    } {
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

/// Every file and folder of the project; locks do not count.
fn snapshot(place: &Place) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = place.snapshot();
    all.retain(|(path, _)| path.extension().is_none_or(|end| end != "lock"));
    all
}

/// A project with three memories of one format, and their names.
type Three = (&'static str, fn(&Place), [&'static str; 3]);

fn rawko(place: &Place) {
    for name in ["a", "b", "c"] {
        place.write(&format!("{name}.md"), NOTE.replace("Holds", name));
    }
}

fn claude(place: &Place) {
    let folder = place.root().join(".claude/memory");
    fs::create_dir_all(&folder).unwrap();
    let note = |name: &str| {
        let text = format!("---\nname: {name}\ndescription: about {name}\n---\n\nTell {name}.\n");
        fs::write(folder.join(format!("{name}.md")), text).unwrap();
        format!("- [{name}]({name}.md) – about {name}\n")
    };
    let index = ["n1", "n2", "n3"].map(note).concat();
    fs::write(folder.join("MEMORY.md"), format!("# Memory\n\n{index}")).unwrap();
}

fn serena(place: &Place) {
    let folder = place.root().join(".serena/memories");
    fs::create_dir_all(&folder).unwrap();
    for name in ["a", "b", "c"] {
        fs::write(
            folder.join(format!("{name}.md")),
            format!("# {name}\n\nText.\n"),
        )
        .unwrap();
    }
}

fn golemcore(place: &Place) {
    let folder = place.root().join("memory/items");
    fs::create_dir_all(&folder).unwrap();
    let row = |id: &str| {
        format!(
            "{{\"id\":\"{id}\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"{id}\",\"content\":\"About {id}.\",\"createdAt\":\"2026-01-10T00:00:00Z\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}}\n"
        )
    };
    fs::write(
        folder.join("semantic.jsonl"),
        ["a", "b", "c"].map(row).concat(),
    )
    .unwrap();
}

fn entries_of_ralph(place: &Place) {
    fs::create_dir_all(ralph(place).parent().unwrap()).unwrap();
    fs::write(ralph(place), entries()).unwrap();
}

const FORMATS: &[Three] = &rows! {
    "rawko" => rawko => ["a", "b", "c"],
    "claude" => claude => ["n1", "n2", "n3"],
    "serena" => serena => ["a", "b", "c"],
    "golemcore" => golemcore => ["a", "b", "c"],
    "ralph" => entries_of_ralph => ["mem-17696", "mem-17695", "mem-17694"],
};

/// Calls that have to be refused for the sake of a later change, and change nothing.
fn refused(place: &Place, call: &[&str], other: &str) {
    let before = snapshot(place);
    let ran = place.run(call);
    assert_eq!(ran.code, 3, "{call:?}: {}{}", ran.text(), ran.err);
    assert!(
        ran.err.contains(&format!("undo {other} first")),
        "{}",
        ran.err
    );
    assert_eq!(snapshot(place), before, "{call:?}");
}

/// Undoes one change after the other, until the project is as it was.
fn undo_all(place: &Place, first: &[(PathBuf, Vec<u8>)], format: &str) {
    while place.run(&["undo"]).code == 0 {}
    let ran = place.run(&["undo"]);
    assert_eq!(ran.code, 1, "{format}: {}", ran.err);
    assert_eq!(snapshot(place), first, "{format}");
}

#[test]
fn what_was_restored_since_is_not_deleted_or_archived_again() {
    for (format, make, [a, b, c]) in FORMATS {
        for away in ["delete", "archive"] {
            let place = Place::bare();
            make(&place);
            let first = snapshot(&place);
            place.ok(&[away, a, b]);
            place.ok(&["restore", a]);
            refused(&place, &["undo", "#0"], "#1");
            let ran = place.run(&["redo"]);
            assert_eq!(
                (ran.code, ran.err.as_str()),
                (1, "error: nothing to redo\n"),
                "{format}"
            );
            place.ok(&["undo"]);
            place.ok(&["confirm", c]);
            // It is gone, and comes back out of the archive or the journal.
            place.ok(&["restore", a]);
            assert_eq!(place.run(&["show", a]).code, 0, "{format}");
            undo_all(&place, &first, format);
        }
    }
}

#[test]
fn one_of_several_entries_of_a_file_goes_and_the_rest_stays() {
    for (format, make, _) in FORMATS {
        let place = Place::bare();
        make(&place);
        let first = snapshot(&place);
        place.ok(&["add", "Xylophones are loud."]);
        let one = snapshot(&place);
        place.ok(&["undo"]);
        place.ok(&["add", "Yellow is bright."]);
        let other = snapshot(&place);
        place.ok(&["undo"]);
        place.ok(&["redo"]);
        assert_eq!(snapshot(&place), other, "{format}");
        place.ok(&["undo"]);
        place.ok(&["add", "Xylophones are loud."]);
        place.ok(&["add", "Yellow is bright."]);
        let both = snapshot(&place);
        place.ok(&["undo", "#2"]);
        place.ok(&["redo"]);
        // The first entry is the last step now.
        place.ok(&["undo", "#3"]);
        assert_eq!(snapshot(&place), one, "{format}");
        place.ok(&["redo"]);
        assert_eq!(snapshot(&place), both, "{format}");
        undo_all(&place, &first, format);
    }
}

#[test]
fn a_rename_is_undone_unless_what_it_touched_was_moved_since() {
    for (text, is_in_the_way) in [("Tell n3.", false), ("Tell [[n1]].", true)] {
        let place = Place::bare();
        claude(&place);
        let note = place.root().join(".claude/memory/n3.md");
        let old = fs::read_to_string(&note).unwrap();
        fs::write(&note, old.replace("Tell n3.", text)).unwrap();
        let first = snapshot(&place);
        place.ok(&["rename", "n1", "x2"]);
        place.ok(&["archive", "n3"]);
        match is_in_the_way {
            true => refused(&place, &["undo", "#0"], "#1"),
            false => drop(place.ok(&["undo", "#0"])),
        }
        place.ok(&["undo"]);
        undo_all(&place, &first, text);
    }
    let place = Place::bare();
    entries_of_ralph(&place);
    let first = snapshot(&place);
    place.ok(&["rename", "mem-17696", "mem-1769600000-00ff"]);
    place.ok(&["edit", "mem-1769600000-00ff", "--add-tag", "new"]);
    refused(&place, &["undo", "#0"], "#1");
    undo_all(&place, &first, "ralph");
}

#[test]
fn what_was_moved_to_another_store_and_renamed_there_leaves_no_copy() {
    for (format, make, [a, ..]) in FORMATS {
        let place = Place::bare();
        make(&place);
        let into = place.root().join("memory-bank");
        fs::create_dir_all(&into).unwrap();
        fs::write(into.join("progress.md"), "# Progress\n").unwrap();
        let first = snapshot(&place);
        place.ok(&["convert", a, "--to", "memory-bank", "--move"]);
        let ids = place.ok(&["list", "--store", "memory-bank", "--format", "quiet"]);
        let new = ids.lines().find(|id| !id.ends_with("progress")).unwrap();
        place.ok(&["rename", new, "elsewhere"]);
        refused(&place, &["undo", "#0"], "#1");
        undo_all(&place, &first, format);
    }
}

#[test]
fn a_new_change_ends_redo_in_every_store() {
    let place = place();
    let rows = place.home().join(".golemcore/workspace/memory/items");
    fs::create_dir_all(&rows).unwrap();
    let row = "{\"id\":\"x\",\"layer\":\"SEMANTIC\",\"type\":\"FIX\",\"title\":\"X\",\"content\":\"Tabs.\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}\n";
    fs::write(rows.join("semantic.jsonl"), row).unwrap();
    place.ok(&["edit", "golemcore:x", "--set", "title=Z"]);
    place.ok(&["undo"]);
    place.ok(&["edit", "hold", "--set", "importance=low"]);
    let ran = place.run(&["redo"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "error: nothing to redo\n")
    );
    assert_eq!(
        fs::read_to_string(rows.join("semantic.jsonl")).unwrap(),
        row
    );
}

#[test]
fn what_was_restored_is_not_archived_any_more() {
    let place = Place::sample();
    place.ok(&["delete", "auth-flow"]);
    place.ok(&["restore", "auth-flow"]);
    let again = place.run(&["restore", "auth-flow"]);
    assert_eq!(again.code, 2, "{}", again.err);
    assert!(
        again.err.contains("rawko:auth-flow is not archived"),
        "{}",
        again.err
    );
}

#[test]
fn a_folder_of_the_archive_goes_with_the_last_undo_in_any_order() {
    let place = Place::bare();
    let notes = place.root().join(".serena/memories");
    fs::create_dir_all(notes.join("api")).unwrap();
    fs::write(notes.join("style.md"), "# Style\n\nTabs.\n").unwrap();
    fs::write(notes.join("api/errors.md"), "# Errors\n\nNo codes.\n").unwrap();
    place.ok(&["archive", "serena:api/errors"]);
    let seq = |line: &str| line.split_whitespace().next().unwrap().to_owned();
    let history = place.ok(&["history"]);
    let first = history.lines().map(seq).find(|word| word.starts_with('#'));
    place.ok(&["archive", "serena:style"]);
    place.ok(&["undo", &first.unwrap()]);
    place.ok(&["redo"]);
    place.ok(&["undo"]);
    place.ok(&["undo"]);
    assert!(!place.root().join(".serena/memories-archive").exists());
    assert_eq!(
        fs::read_to_string(notes.join("api/errors.md")).unwrap(),
        "# Errors\n\nNo codes.\n"
    );
}

#[test]
fn a_name_that_another_memory_took_is_named_by_restore() {
    let place = Place::bare();
    place.write("a.md", NOTE);
    place.ok(&["delete", "a", "--yes"]);
    place.ok(&["add", "Another text.", "--title", "a"]);
    let refused = place.run(&["restore", "a"]);
    assert!(
        refused
            .err
            .contains("another memory has the name of rawko:a now"),
        "{}",
        refused.err
    );
    assert!(!refused.err.contains("changed on disk"), "{}", refused.err);
}
