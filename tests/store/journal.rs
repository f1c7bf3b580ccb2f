//! The journal: undo and redo after a restart, and what a crash leaves.

use std::fs;
use std::io::Write as _;
use std::time::Duration;

use memkeep::curate::{Change, Plan};
use memkeep::store::disk::Disk;
use memkeep::store::{StoreError, apply};

use crate::place::{NOW, PLAIN, Place, change, id, load, set};

fn importance(place: &Place) -> String {
    load(&place.open())[0].importance().unwrap().to_owned()
}

#[test]
fn undo_and_redo_after_a_restart() {
    let place = Place::new(&[("a.md", PLAIN)]);
    for word in ["medium", "high", "critical"] {
        change(&place.open(), &set("a", "importance", word)).unwrap();
    }
    for word in ["high", "medium", "low"] {
        assert_eq!(place.open().undo().unwrap().unwrap().action, "edit");
        assert_eq!(importance(&place), word);
    }
    assert_eq!(place.text("a.md"), PLAIN);
    assert!(place.open().undo().unwrap().is_none());
    for word in ["medium", "high"] {
        assert!(place.open().redo().unwrap().is_some());
        assert_eq!(importance(&place), word);
    }
    // A new change drops what could be made again.
    change(&place.open(), &set("a", "importance", "low")).unwrap();
    assert!(place.open().redo().unwrap().is_none());
    for word in ["high", "medium", "low"] {
        place.open().undo().unwrap().unwrap();
        assert_eq!(importance(&place), word);
    }
}

#[test]
fn a_file_that_changed_meanwhile_is_left_alone() {
    let place = Place::new(&[("a.md", PLAIN), ("b.md", PLAIN)]);
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    change(&place.open(), &set("b", "importance", "high")).unwrap();
    place.write("b.md", "another program\n");
    assert!(matches!(place.open().undo(), Err(StoreError::Changed(_))));
    assert_eq!(place.text("b.md"), "another program\n");
    // It can still be taken back when the file is what it was.
    place.write("b.md", PLAIN.replace("low", "high"));
    place.open().undo().unwrap().unwrap();
    assert_eq!(place.text("b.md"), PLAIN);
    place.open().undo().unwrap().unwrap();
    assert_eq!(place.text("a.md"), PLAIN);
}

#[test]
fn what_others_wrote_elsewhere_in_the_file_stays() {
    let place = Place::new(&[("a.md", PLAIN), ("b.md", PLAIN)]);
    let more = "\nAn agent wrote this meanwhile.\n";
    change(&place.open(), &set("b", "importance", "high")).unwrap();
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    let high = place.text("a.md");
    place.write("a.md", format!("{high}{more}"));
    place.open().undo().unwrap().unwrap();
    assert_eq!(place.text("a.md"), format!("{PLAIN}{more}"));
    // There and back, over a restart, and with more that comes.
    place.open().redo().unwrap().unwrap();
    assert_eq!(place.text("a.md"), format!("{high}{more}"));
    place.write("a.md", format!("{high}{more}{more}"));
    place.open().undo().unwrap().unwrap();
    place.write("a.md", format!("{PLAIN}{more}"));
    place.open().redo().unwrap().unwrap();
    assert_eq!(place.text("a.md"), format!("{high}{more}"));
    place.open().undo().unwrap().unwrap();
    place.open().undo().unwrap().unwrap();
    assert_eq!(place.text("b.md"), PLAIN);
    assert!(place.open().undo().unwrap().is_none());
}

#[test]
fn a_step_back_in_a_changed_file_is_finished_after_a_crash() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let more = "\nAn agent wrote this meanwhile.\n";
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    let high = format!("{}{more}", place.text("a.md"));
    place.write("a.md", &high);
    place.open().undo().unwrap().unwrap();
    forget_the_end(&place);
    place.open().recover().unwrap();
    assert!(place.open().undo().unwrap().is_none());
    place.open().redo().unwrap().unwrap();
    assert_eq!(place.text("a.md"), high);
}

/// Two files change; the program dies at some point of the way.
fn two_changes(place: &Place) -> Plan {
    let collection = place.open();
    let delete = Change::Delete {
        ids: vec![id("a"), id("b")],
        sure: false,
    };
    collection.plan(&delete, &load(&collection), NOW).unwrap()
}

/// The journal as a crash leaves it: the last line is missing. Of a step that is the one that it
/// ended, then the one that all of it was made.
fn forget_the_end(place: &Place) {
    let text = fs::read_to_string(place.journal_file()).unwrap();
    let cut = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
    fs::write(place.journal_file(), &text[..cut]).unwrap();
}

/// The names of the temporary files of the last step: of its first two changes.
fn temporaries(place: &Place) -> [String; 2] {
    let text = fs::read_to_string(place.journal_file()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut tokens =
        lines.filter_map(|line: serde_json::Value| line["temporary"].as_str().map(str::to_owned));
    let token = tokens.next_back().unwrap();
    [0, 1].map(|number| format!(".memkeep-{token}-{number}.tmp"))
}

#[test]
fn a_step_that_was_begun_is_taken_back_or_finished() {
    // Nothing of it, the first half, the second half, all of it.
    for (first, second) in [(false, false), (true, false), (false, true), (true, true)] {
        let place = Place::new(&[("a.md", PLAIN), ("b.md", PLAIN)]);
        let plan = two_changes(&place);
        let collection = place.open();
        collection
            .carry_out(
                plan,
                "delete",
                vec!["rawko:a".into()],
                memkeep::memory::Timestamp(0),
            )
            .unwrap();
        forget_the_end(&place);
        forget_the_end(&place);
        for (made, name) in [(first, "a.md"), (second, "b.md")] {
            if !made {
                place.write(name, PLAIN);
            }
        }
        // What a save leaves that never came to its end, whole and in part.
        let [one, two] = temporaries(&place);
        place.write(&one, "");
        place.write(&two, &PLAIN[..10]);
        place.open().recover().unwrap();
        if first && second {
            assert_eq!(place.names(), [""; 0]);
            place.open().undo().unwrap().unwrap();
        }
        assert_eq!(place.names(), ["a.md", "b.md"], "{first} {second}");
        assert_eq!(
            (place.text("a.md"), place.text("b.md")),
            (PLAIN.to_owned(), PLAIN.to_owned())
        );
        assert!(place.open().undo().unwrap().is_none());
    }
}

#[test]
fn a_step_back_that_was_begun_is_taken_back_or_finished() {
    for (first, second) in [(false, false), (true, false), (false, true), (true, true)] {
        let place = Place::new(&[("a.md", PLAIN), ("b.md", PLAIN)]);
        let plan = two_changes(&place);
        let collection = place.open();
        collection
            .carry_out(plan, "delete", vec![], memkeep::memory::Timestamp(0))
            .unwrap();
        collection.undo().unwrap().unwrap();
        forget_the_end(&place);
        forget_the_end(&place);
        for (made, name) in [(first, "a.md"), (second, "b.md")] {
            if !made {
                fs::remove_file(place.file(name)).unwrap();
            }
        }
        place.open().recover().unwrap();
        if first && second {
            assert!(place.open().undo().unwrap().is_none());
            place.open().redo().unwrap().unwrap();
        }
        assert_eq!(place.names(), [""; 0], "{first} {second}");
        place.open().undo().unwrap().unwrap();
        assert_eq!(place.names(), ["a.md", "b.md"]);
    }
}

#[test]
fn what_another_program_wrote_at_the_moment_of_a_crash_comes_back() {
    let place = Place::new(&[("a.md", PLAIN)]);
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    forget_the_end(&place);
    forget_the_end(&place);
    // The exchange was made, and what came out of it was not looked at any more.
    let [temporary, _] = temporaries(&place);
    place.write(&temporary, "another program\n");
    place.open().recover().unwrap();
    assert_eq!(place.names(), ["a.md"]);
    assert_eq!(place.text("a.md"), "another program\n");
}

#[test]
fn the_next_change_settles_what_a_crash_left() {
    let place = Place::new(&[("a.md", PLAIN), ("b.md", PLAIN)]);
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    forget_the_end(&place);
    change(&place.open(), &set("b", "importance", "high")).unwrap();
    place.open().undo().unwrap().unwrap();
    place.open().undo().unwrap().unwrap();
    assert_eq!(
        (place.text("a.md"), place.text("b.md")),
        (PLAIN.to_owned(), PLAIN.to_owned())
    );
}

#[test]
fn a_torn_line_swallows_nothing() {
    let place = Place::new(&[("a.md", PLAIN)]);
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(place.journal_file())
        .unwrap();
    file.write_all(b"{\"event\":\"plan\",\"seq\":7,\"ti")
        .unwrap();
    drop(file);
    change(&place.open(), &set("a", "importance", "critical")).unwrap();
    place.open().undo().unwrap().unwrap();
    assert_eq!(importance(&place), "high");
    place.open().undo().unwrap().unwrap();
    assert_eq!(place.text("a.md"), PLAIN);
}

fn make(plan: &Plan) -> Option<StoreError> {
    let (disk, token) = (&Disk::default(), "token");
    apply::Step { disk, plan, token }.make(|| Ok(())).1
}

#[test]
fn a_plan_is_carried_out_whole_or_not_at_all() {
    let place = Place::new(&[("a.md", PLAIN), ("b.md", PLAIN), ("c.md", PLAIN)]);
    let plan = {
        let collection = place.open();
        let archive = Change::Archive(vec![id("a"), id("b"), id("c")]);
        collection.plan(&archive, &load(&collection), NOW).unwrap()
    };
    place.write("b.md", "other\n");
    assert!(make(&plan).is_some());
    assert_eq!(place.names(), ["a.md", "b.md", "c.md"]);
    // The same where the way is blocked only at the last one.
    place.write("b.md", PLAIN);
    fs::create_dir_all(place.file("archive")).unwrap();
    place.write("archive/c.md", "in the way\n");
    assert!(make(&plan).is_some());
    assert_eq!(place.names(), ["a.md", "archive", "b.md", "c.md"]);
    assert_eq!(place.text("archive/c.md"), "in the way\n");
}

#[test]
fn a_start_waits_for_nobody() {
    let place = Place::new(&[("a.md", PLAIN)]);
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    forget_the_end(&place);
    let lock = fs::File::open(place.open().state.join("lock")).unwrap();
    lock.lock().unwrap();
    // Whoever holds the lock is at work: what looks unfinished is theirs.
    place.open().recover().unwrap();
    assert_eq!(importance(&place), "high");
    let status = place.command().args(["list"]).status().unwrap();
    assert!(status.success());
    drop(lock);
    place.open().undo().unwrap().unwrap();
    assert_eq!(place.text("a.md"), PLAIN);
}

#[test]
fn a_change_gives_up_where_another_one_never_ends() {
    let place = Place::new(&[("a.md", PLAIN)]);
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    let lock = fs::File::open(place.open().state.join("lock")).unwrap();
    lock.lock().unwrap();
    let mut collection = place.open();
    collection.journals.patience = Duration::ZERO;
    let result = change(&collection, &set("a", "importance", "low"));
    assert!(matches!(result, Err(StoreError::Locked(_))));
    assert!(matches!(collection.undo(), Err(StoreError::Locked(_))));
    assert_eq!(importance(&place), "high");
}

#[test]
fn recovery_leaves_alone_what_its_journal_does_not_name() {
    let place = Place::new(&[("a.md", PLAIN)]);
    // A file that somebody committed under such a name.
    place.write(".memkeep-zzzz.tmp", "not ours\n");
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    let high = place.text("a.md");
    forget_the_end(&place);
    forget_the_end(&place);
    // Whatever the names in the journal were guessed to be.
    let [own, _] = temporaries(&place);
    place.write(&own, PLAIN);
    let notes = place.open().recover().unwrap();
    assert_eq!(place.text("a.md"), high);
    assert_eq!(place.text(".memkeep-zzzz.tmp"), "not ours\n");
    assert_eq!(place.names(), [".memkeep-zzzz.tmp", "a.md"]);
    assert_eq!(notes, Vec::<String>::new());
    place.open().undo().unwrap().unwrap();
    assert_eq!(place.text("a.md"), PLAIN);
}

#[test]
fn what_an_exchange_left_is_not_put_over_a_file_that_changed_since() {
    let place = Place::new(&[("a.md", PLAIN)]);
    change(&place.open(), &set("a", "importance", "high")).unwrap();
    forget_the_end(&place);
    forget_the_end(&place);
    let [own, _] = temporaries(&place);
    place.write(&own, "another program\n");
    place.write("a.md", "and a third one\n");
    let notes = place.open().recover().unwrap();
    assert_eq!(place.text("a.md"), "and a third one\n");
    assert_eq!(place.text(&own), "another program\n");
    assert!(notes.iter().any(|note| note.contains(&own)), "{notes:?}");
}

#[test]
fn an_earlier_step_that_was_begun_is_taken_back_or_finished() {
    let two = format!("{PLAIN}\n---\n\n{}", PLAIN.replace("title: T", "title: U"));
    for (is_made, cut) in [(false, 2), (true, 2), (true, 1)] {
        let place = Place::new(&[("two.md", &two)]);
        for id in ["two", "two#2"] {
            change(&place.open(), &set(id, "importance", "high")).unwrap();
        }
        let both = place.text("two.md");
        place.open().undo_one(0).unwrap().unwrap();
        let one = place.text("two.md");
        assert_eq!(one.matches("importance: high").count(), 1, "{one}");
        for _ in 0..cut {
            forget_the_end(&place);
        }
        if !is_made {
            place.write("two.md", &both);
        }
        place.open().recover().unwrap();
        assert_eq!(place.text("two.md"), if is_made { one } else { both });
        while place.open().undo().unwrap().is_some() {}
        assert_eq!(place.text("two.md"), two, "{is_made} {cut}");
    }
}
