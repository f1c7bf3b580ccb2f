//! Other programs at the same files, at the same moment.

use std::fs;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};

use memkeep::store::StoreError;

use crate::place::{NOW, PLAIN, Place, load, set, write_all};

/// Two programs add to the same files at once.
pub fn two_processes(rounds: u64) {
    let place = Place::new(&[]);
    place.write(
        "shared.md",
        PLAIN
            .replace("[x]", "[]")
            .replace("title: T", "title: Shared"),
    );
    // The same file, with the same and with other titles, and the fields of one memory.
    for round in 0..rounds {
        let mut children: Vec<Child> = Vec::new();
        for side in ["left", "right"] {
            let word = format!("{side}{round}");
            children.push(
                place
                    .command()
                    .args(["add", &word, "--title", "Shared"])
                    .spawn()
                    .unwrap(),
            );
            children.push(
                place
                    .command()
                    .args(["add", &word, "--title", &format!("New {round}")])
                    .spawn()
                    .unwrap(),
            );
            children.push(
                place
                    .command()
                    .args(["edit", "rawko:shared", "--add-tag", &word])
                    .spawn()
                    .unwrap(),
            );
        }
        for mut child in children {
            assert_eq!(child.wait().unwrap().code(), Some(0), "round {round}");
        }
    }
    let memories = load(&place.open());
    let shared = place.text("shared.md");
    let tags: Vec<&str> = memories
        .iter()
        .find(|memory| &*memory.id.local == "shared")
        .unwrap()
        .tags()
        .collect();
    for round in 0..rounds {
        let new = place.text(&format!("new-{round}.md"));
        for side in ["left", "right"] {
            let word = format!("{side}{round}");
            assert_eq!(shared.matches(&format!("\n{word}\n")).count(), 1, "{word}");
            assert_eq!(new.matches(&format!("\n{word}\n")).count(), 1, "{word}");
            assert!(tags.contains(&word.as_str()), "{word}");
        }
    }
    assert!(
        !place.names().iter().any(|name| name.starts_with('.')),
        "{:?}",
        place.names()
    );
    // Every one of them is a step that can be taken back.
    let mut steps = 0;
    while place.open().undo().unwrap().is_some() {
        steps += 1;
    }
    assert_eq!(steps, rounds * 6);
}

/// Another program writes a file between the moments in which it is read and saved.
pub fn writes_between(rounds: u64) {
    let place = Place::new(&[("a.md", PLAIN)]);
    let collection = place.open();
    for round in 0..rounds {
        place.write("a.md", PLAIN);
        let memories = load(&collection);
        let theirs = PLAIN.replace("Text.", &format!("Theirs {round:04}."));
        // As a whole, in place, and with the size it had.
        match round % 3 {
            0 => write_all(&place.file("a.md"), theirs.as_bytes()),
            1 => place.write("a.md", &theirs),
            _ => place.write("a.md", PLAIN.replace("Text.", "Tex7.")),
        }
        let expected = place.read("a.md");
        // A change planned on the old file.
        let plan = || {
            let mut old = memories.clone();
            old.truncate(1);
            collection.change(&set("a", "importance", "high"), &old, NOW)
        };
        match plan() {
            Err(StoreError::Changed(_)) => assert_eq!(place.read("a.md"), expected),
            // Within one tick of the clock and of the same size, the new text is what is edited.
            Ok(_) => assert_eq!(
                place.text("a.md"),
                String::from_utf8(expected).unwrap().replace("low", "high")
            ),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Another program writes a file without a pause while it is edited.
pub fn keeps_writing(rounds: u64) {
    let place = Place::new(&[("a.md", PLAIN)]);
    let path = place.file("a.md");
    let done = AtomicBool::new(false);
    let content = |n: u32| PLAIN.replace("Text.", &format!("Theirs {n}."));
    let last = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut n = 0;
            while !done.load(Ordering::Relaxed) {
                n += 1;
                write_all(&path, content(n).as_bytes());
            }
            n
        });
        let collection = place.open();
        for round in 0..rounds {
            let word = if round % 2 == 0 { "high" } else { "low" };
            match collection.change(&set("a", "importance", word), &load(&collection), NOW) {
                Ok(_) | Err(StoreError::Changed(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        done.store(true, Ordering::Relaxed);
        writer.join().unwrap()
    });
    // What they wrote last is there, edited or not; never a text of before.
    let text = place.text("a.md").replace("high", "low");
    assert_eq!(text, content(last));
    // Where they wrote twice within one exchange, their older text is kept beside the file.
    let names = place.names();
    for name in names.iter().filter(|name| name.ends_with(".tmp")) {
        let kept = place.text(name);
        let number = kept
            .split("Theirs ")
            .nth(1)
            .and_then(|rest| rest.split('.').next());
        let number: u32 = number
            .and_then(|number| number.parse().ok())
            .expect("theirs");
        assert!(
            kept.replace("high", "low") == content(number) && number < last,
            "{kept}"
        );
    }
}

/// Another program writes a file in the moment in which it is deleted.
pub fn deletes(rounds: u64) {
    let place = Place::new(&[]);
    let path = place.file("a.md");
    for round in 0..rounds {
        fs::write(&path, PLAIN).unwrap();
        let theirs = format!("{PLAIN}theirs {round}\n");
        let collection = place.open();
        let memories = load(&collection);
        let result = std::thread::scope(|scope| {
            let writer = scope.spawn(|| write_all(&path, theirs.as_bytes()));
            let delete = memkeep::curate::Change::Delete {
                ids: vec![crate::place::id("a")],
                sure: false,
            };
            let result = collection.change(&delete, &memories, NOW);
            writer.join().unwrap();
            result
        });
        match result {
            Ok(_) | Err(StoreError::Changed(_)) => {
                assert_eq!(fs::read_to_string(&path).unwrap(), theirs)
            }
            Err(error) => panic!("{error}"),
        }
        assert_eq!(place.names(), ["a.md"]);
        fs::remove_file(place.journal_file()).ok();
    }
}

/// A program locks Ralph's file as Ralph does, and adds to it in place while memkeep adds too.
pub fn locks(rounds: u64) {
    let place = Place::new(&[]);
    let file = place.root().join(".ralph/agent/memories.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "# Memories\n\n## Patterns\n\n## Fixes\n\n").unwrap();
    let lock = file.with_file_name("memories.md.lock");
    fs::write(&lock, "").unwrap();
    for round in 0..rounds {
        let mut command = place.command();
        command.args([
            "--store",
            "ralph",
            "add",
            &format!("ours {round}."),
            "-t",
            "fix",
        ]);
        let mut child = command.spawn().unwrap();
        for part in 0..5 {
            let held = fs::File::open(&lock).unwrap();
            held.lock().unwrap();
            let text = fs::read_to_string(&file).unwrap();
            let entry = format!(
                "### mem-{}-{part:04x}\n> theirs {round}.{part}.\n<!-- tags: x | created: 2026-01-20 -->\n\n",
                1_700_000_000 + round
            );
            fs::write(
                &file,
                text.replacen("## Fixes\n\n", &format!("## Fixes\n\n{entry}"), 1),
            )
            .unwrap();
            held.unlock().unwrap();
        }
        assert!(child.wait().unwrap().success(), "round {round}");
    }
    let text = fs::read_to_string(&file).unwrap();
    for round in 0..rounds {
        assert_eq!(
            text.matches(&format!("ours {round}.")).count(),
            1,
            "round {round}"
        );
        for part in 0..5 {
            let theirs = format!("theirs {round}.{part}.");
            assert_eq!(text.matches(&theirs).count(), 1, "{theirs}");
        }
    }
}
