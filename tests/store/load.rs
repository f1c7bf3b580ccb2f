//! Every file gives its memories, whatever is wrong with it.

use std::fs;
use std::sync::Arc;

use memkeep::memory::{Memory, State};

use crate::place::{PLAIN, Place, load};

/// Rule, line and column of what is wrong with a memory.
fn problems(memory: &Memory) -> Vec<(&str, u32, u32)> {
    memory
        .problems
        .iter()
        .map(|problem| (problem.rule, problem.line, problem.column))
        .collect()
}

/// One file: its name for the table, its bytes, what is wrong, and why the loader skips it.
type Case = (
    &'static str,
    Vec<u8>,
    &'static [(&'static str, u32, u32)],
    Option<&'static str>,
);

#[test]
fn what_is_wrong_has_a_place_and_a_reason() {
    let cases: Vec<Case> = vec![
        ("fine", PLAIN.into(), &[], None),
        (
            "crlf",
            PLAIN.replace('\n', "\r\n").into(),
            &[],
            Some("the loader finds no frontmatter: Windows line ends"),
        ),
        (
            "bom",
            format!("\u{feff}{PLAIN}").into(),
            &[],
            Some("the loader finds no frontmatter: a byte order mark before the frontmatter"),
        ),
        (
            "no fields",
            "# Only text\n".into(),
            &[("load-error", 1, 1)],
            Some("the loader finds no frontmatter"),
        ),
        (
            "empty",
            "".into(),
            &[("load-error", 1, 1)],
            Some("the loader"),
        ),
        (
            "blank",
            " \n\n".into(),
            &[("load-error", 1, 1)],
            Some("the loader"),
        ),
        (
            "broken",
            PLAIN.replace("title: T", "title: a: b").into(),
            &[("load-error", 2, 9)],
            Some("its frontmatter is not YAML"),
        ),
        (
            "latin",
            [PLAIN.as_bytes(), b"caf\xe9"].concat(),
            &[("load-error", 13, 4)],
            None,
        ),
        (
            "unknown word",
            PLAIN.replace("low", "urgent").into(),
            &[("unknown-value", 5, 13)],
            Some("the loader skips it: `importance`"),
        ),
        (
            "bad date",
            PLAIN.replace("2026-01-01", "soon").into(),
            &[("bad-date", 6, 15)],
            None,
        ),
        (
            "number",
            PLAIN.replace("title: T", "title: 3").into(),
            &[("unknown-value", 2, 8)],
            Some("the loader skips it: `title`"),
        ),
        (
            "no list",
            PLAIN.replace("[x]", "x").into(),
            &[("unknown-value", 4, 7)],
            Some("the loader skips it: `tags` is not a list"),
        ),
        (
            "no tags",
            PLAIN.replace("tags: [x]\n", "").into(),
            &[],
            Some("the loader skips it: `tags` is missing"),
        ),
        (
            "item",
            PLAIN.replace("[x]", "[x, 3]").into(),
            &[("unknown-value", 4, 11)],
            None,
        ),
        (
            "missing",
            PLAIN.replace("discoveredBy: dev\n", "").into(),
            &[("missing-field", 2, 1)],
            Some("the loader skips it: `discoveredBy` is missing"),
        ),
        (
            "null",
            PLAIN.replace("title: T", "title:").into(),
            &[("missing-field", 2, 1)],
            Some("the loader skips it: `title` is missing"),
        ),
        ("nul", PLAIN.replace("Text.", "a\0b").into(), &[], None),
    ];
    let place = Place::new(&[]);
    for (name, bytes, _, _) in &cases {
        place.write(&format!("{name}.md"), bytes);
    }
    let memories = load(&place.open());
    assert_eq!(memories.len(), cases.len(), "none is dropped");
    for (name, _, wrong, hidden) in &cases {
        let memory = memories
            .iter()
            .find(|memory| &*memory.id.local == *name)
            .unwrap();
        assert_eq!(problems(memory), *wrong, "{name}: {:?}", memory.problems);
        match hidden {
            None => assert_eq!(memory.hidden, None, "{name}"),
            Some(reason) => {
                let said = memory
                    .hidden
                    .as_deref()
                    .unwrap_or_else(|| panic!("{name}: visible"));
                assert!(said.starts_with(reason), "{name}: {said}");
            }
        }
        for problem in &memory.problems {
            assert!(!problem.message.is_empty(), "{name}");
        }
    }
}

#[test]
fn several_memories_in_a_file() {
    let second = PLAIN.replace("title: T", "title: Second");
    let update = "\n---\n\n## Update (2026-01-24)\n\nNews.\n";
    let fenced = "```yaml\n---\ntitle: not one\n---\n```\n\n---\n\na rule above\n";
    let place = Place::new(&[(
        "a.md",
        &format!("{PLAIN}{fenced}{update}\n\n---\n\n{second}"),
    )]);
    let memories = load(&place.open());
    let ids: Vec<String> = memories
        .iter()
        .map(|memory| memory.id.to_string())
        .collect();
    assert_eq!(ids, ["rawko:a", "rawko:a#2"]);
    assert_eq!(
        memories[0].updated.unwrap().to_rfc3339(),
        "2026-01-24T00:00:00Z"
    );
    assert_eq!(&*memories[1].title, "Second");
    let bytes = place.read("a.md");
    let line = bytes[..memories[1].span.start]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        + 1;
    assert_eq!(memories[1].line as usize, line);
    assert!(bytes[memories[1].span.clone()].starts_with(b"---\ntitle: Second"));
}

#[test]
fn the_order_is_that_of_path_bytes_and_places() {
    let place = Place::new(&[
        ("b.md", PLAIN),
        ("B.md", PLAIN),
        ("ä.md", PLAIN),
        ("a-b.md", PLAIN),
        ("a.md", PLAIN),
        ("sub/x.md", PLAIN),
        ("archive/old.md", PLAIN),
        (".hidden/x.md", PLAIN),
        ("notes.txt", PLAIN),
        ("upper.MD", PLAIN),
    ]);
    let memories = load(&place.open());
    let locals: Vec<&str> = memories.iter().map(|memory| &*memory.id.local).collect();
    assert_eq!(locals, ["B", "a-b", "a", "archive/old", "b", "sub/x", "ä"]);
    let archived: Vec<&str> = memories
        .iter()
        .filter(|memory| memory.state == State::Archived)
        .map(|memory| &*memory.id.local)
        .collect();
    assert_eq!(archived, ["archive/old"]);
    assert!(
        memories[5].hidden.is_some(),
        "the loader does not look into folders"
    );
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_listed_and_never_waited_for() {
    let place = Place::new(&[("real.md", PLAIN)]);
    fs::create_dir(place.file("folder.md")).unwrap();
    fs::write(place.file("folder.md/inside.md"), PLAIN).unwrap();
    std::os::unix::fs::symlink("real.md", place.file("link.md")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.file("dangling.md")).unwrap();
    std::os::unix::fs::symlink("loop.md", place.file("loop.md")).unwrap();
    let pipe = place.file("pipe.md");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.unwrap().success());
    let memories = load(&place.open());
    let told: Vec<_> = memories
        .iter()
        .map(|memory| (&*memory.id.local, problems(memory)))
        .collect();
    let broken = || vec![("load-error", 1, 1)];
    assert_eq!(
        told,
        [
            ("dangling", broken()),
            ("folder", broken()),
            ("link", vec![]),
            ("loop", broken()),
            ("pipe", broken()),
            ("real", vec![])
        ]
    );
    assert!(
        memories
            .iter()
            .all(|memory| memory.hidden.is_some() == (&*memory.id.local != "real"))
    );
}

#[test]
fn a_later_load_takes_what_did_not_change() {
    let place = Place::new(&[("a.md", PLAIN), ("b.md", PLAIN), ("c.md", PLAIN)]);
    let collection = place.open();
    let first = load(&collection);
    place.write("b.md", PLAIN.replace("Text.", "Other text."));
    fs::remove_file(place.file("c.md")).unwrap();
    place.write("d.md", PLAIN);
    let second = collection.load(&first, &mut |_| true).memories;
    let locals: Vec<&str> = second.iter().map(|memory| &*memory.id.local).collect();
    assert_eq!(locals, ["a", "b", "d"]);
    assert!(Arc::ptr_eq(&first[0], &second[0]), "not read again");
    assert!(!Arc::ptr_eq(&first[1], &second[1]));
    assert_eq!(second, load(&collection), "as if all were read");
}

#[test]
fn a_load_hands_on_pieces_and_ends_where_nobody_wants_more() {
    let place = Place::new(&[]);
    for n in 0..500 {
        place.write(&format!("m{n:04}.md"), PLAIN);
    }
    let collection = place.open();
    let mut pieces = Vec::new();
    let whole = collection.load(&[], &mut |piece| {
        pieces.push(piece.to_vec());
        true
    });
    assert!(pieces.len() > 1);
    assert_eq!(pieces.concat(), whole.memories);
    let mut seen = 0;
    collection.load(&[], &mut |piece| {
        seen += piece.len();
        false
    });
    assert!(seen < 500, "{seen}");
}

#[test]
fn a_folder_that_is_none_is_told() {
    let place = Place::new(&[]);
    fs::remove_dir(place.store()).unwrap();
    fs::write(place.store(), "a file").unwrap();
    let loaded = place.open().load(&[], &mut |_| true);
    assert!(loaded.memories.is_empty());
    assert_eq!(loaded.problems.len(), 1, "{:?}", loaded.problems);
}
