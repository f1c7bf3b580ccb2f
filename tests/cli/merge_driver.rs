//! Branches that both wrote memories, merged by git through memkeep.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use insta::assert_snapshot;

use crate::place::Place;

const RALPH: &str = ".ralph/agent/memories.md";

/// The search path with the program on it.
fn search_path() -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_memkeep"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::iter::once(program.parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

fn git(place: &Place, args: &[&str]) -> Output {
    Command::new("git")
        .current_dir(place.root())
        .args(["-c", "user.name=A", "-c", "user.email=a@b"])
        .args(args)
        .env("HOME", place.home())
        .env("XDG_STATE_HOME", place.home().join("state"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap()
}

fn ok(place: &Place, args: &[&str]) {
    let done = git(place, args);
    assert!(done.status.success(), "{done:?}");
}

fn write(place: &Place, path: &str, text: &str) {
    let path = place.root().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.root().join(path)).unwrap()
}

fn entry(n: u32, text: &str, tags: &str) -> String {
    format!(
        "### mem-176960000{n}-00a{n}\n> {text}\n<!-- tags: {tags} | created: 2026-01-0{n} -->\n\n"
    )
}

fn ralph(entries: &[String]) -> String {
    format!(
        "# Memories\n\n## Patterns\n\n{}## Fixes\n",
        entries.concat()
    )
}

fn row(id: &str, text: &str, more: &str) -> String {
    format!(
        "{{\"id\":\"{id}\",\"layer\":\"EPISODIC\",\"type\":\"FIX\",\"title\":\"{id}\",\"content\":\"{text}\"{more}}}\n"
    )
}

fn note(title: &str, importance: &str, body: &str) -> String {
    format!(
        "---\ntitle: {title}\nwhenToUse: [x]\ntags: []\nimportance: {importance}\ndiscoveredAt: \"2026-01-01\"\ndiscoveredBy: dev\n---\n\n{body}\n"
    )
}

const ROWS: &str = "memory/items/episodic/2026-01-20.jsonl";
const NOTE: &str = ".rawko/memories/note.md";
const INDEX: &str = ".claude/memory/MEMORY.md";

/// A repository in which git merges with memkeep, with a memory in each of four formats.
fn place() -> Place {
    let place = Place::bare();
    write(&place, RALPH, &ralph(&[entry(1, "one", "a")]));
    write(&place, ROWS, &row("a", "A.", ""));
    write(&place, NOTE, &note("Note", "low", "The text."));
    write(
        &place,
        ".claude/memory/one.md",
        "---\nname: one\ndescription: the first\n---\n\nOne.\n",
    );
    write(&place, INDEX, "# Index\n\n- [one](one.md) — the first\n");
    ok(&place, &["init", "-q", "-b", "main"]);
    let done = place.run(&["init", "--git", "--yes"]);
    assert_eq!(done.code, 0, "{}{}", done.text(), done.err);
    ok(&place, &["add", "-A"]);
    ok(&place, &["commit", "-qm", "first"]);
    place
}

/// Commits files on a branch of their own, and others on the main one; merges the first.
fn merge(place: &Place, theirs: &[(&str, String)], ours: &[(&str, String)]) -> bool {
    for (branch, files) in [("theirs", theirs), ("main", ours)] {
        if branch == "theirs" {
            ok(place, &["checkout", "-q", "-b", branch]);
        } else {
            ok(place, &["checkout", "-q", branch]);
        }
        for (path, text) in files {
            write(place, path, text);
        }
        ok(place, &["commit", "-qam", branch]);
    }
    git(place, &["merge", "-q", "--no-edit", "theirs"])
        .status
        .success()
}

#[test]
fn the_driver_is_registered_after_a_look_at_the_diff_and_once() {
    let place = Place::bare();
    write(&place, RALPH, &ralph(&[entry(1, "one", "a")]));
    write(&place, NOTE, &note("Note", "low", "The text."));
    assert_eq!(
        place.run(&["init", "--git"]).code,
        2,
        "there is no repository"
    );
    ok(&place, &["init", "-q", "-b", "main"]);
    let asked = place.run(&["init", "--git"]);
    assert!(asked.err.contains("nothing is written"), "{}", asked.err);
    let config = read(&place, ".git/config");
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_memkeep")).unwrap();
    let shown = place.ok(&["init", "--git", "--yes"]);
    assert_snapshot!(shown.replace(&*program.to_string_lossy(), "PROGRAM"));
    assert!(place.ok(&["init", "--git", "--yes"]).contains("already"));
    place.ok(&["undo"]);
    assert_eq!(read(&place, ".git/config"), config);
    assert!(!place.root().join(".gitattributes").exists());
}

#[test]
fn the_driver_is_the_running_program_where_path_has_another_or_none() {
    let path = place();
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_memkeep")).unwrap();
    let driver = |place: &Place| {
        let config = git(place, &["config", "merge.memkeep.driver"]).stdout;
        String::from_utf8(config).unwrap().trim().to_owned()
    };
    let arguments = "merge-driver %O %A %B %P";
    assert_eq!(
        driver(&path),
        format!("'{}' {arguments}", program.display())
    );
    // With the program on PATH its name does, wherever it moves.
    let place = Place::bare();
    write(&place, NOTE, &note("Note", "low", "The text."));
    ok(&place, &["init", "-q", "-b", "main"]);
    let mut command = place.command(&place.root());
    command.env("PATH", search_path());
    let done = command.args(["init", "--git", "--yes"]).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        said.contains("git runs the `memkeep` that is on PATH"),
        "{said}"
    );
    assert_eq!(driver(&place), format!("memkeep {arguments}"));
}

#[test]
fn what_both_branches_added_is_there_without_a_conflict() {
    let place = place();
    let (old, mine, theirs) = (
        entry(1, "one", "a"),
        entry(2, "mine", "b"),
        entry(3, "theirs", "c"),
    );
    let done = merge(
        &place,
        &[
            (RALPH, ralph(&[theirs.clone(), old.clone()])),
            (ROWS, row("a", "A.", "") + &row("c", "C.", "")),
            (
                INDEX,
                "# Index\n\n- [one](one.md) — the first\n- [two](two.md) — theirs\n".to_owned(),
            ),
            (NOTE, note("Note", "high", "The text.")),
        ],
        &[
            (RALPH, ralph(&[mine.clone(), old.clone()])),
            (ROWS, row("a", "A.", "") + &row("b", "B.", "")),
            (
                INDEX,
                "# Index\n\n- [one](one.md) — the very first\n- [six](six.md) — mine\n".to_owned(),
            ),
            (NOTE, note("Note, again", "low", "The text.")),
        ],
    );
    assert!(done, "{}", read(&place, RALPH));
    assert_eq!(read(&place, RALPH), ralph(&[mine, theirs, old]));
    assert_eq!(
        read(&place, ROWS),
        row("a", "A.", "") + &row("b", "B.", "") + &row("c", "C.", "")
    );
    assert_eq!(read(&place, NOTE), note("Note, again", "high", "The text."));
    assert_eq!(
        read(&place, INDEX),
        "# Index\n\n- [one](one.md) — the very first\n- [six](six.md) — mine\n- [two](two.md) — theirs\n"
    );
}

#[test]
fn a_conflict_stands_inside_one_memory() {
    let place = place();
    let other = entry(2, "other", "x");
    let done = merge(
        &place,
        &[
            (
                RALPH,
                ralph(&[entry(1, "one, as they say", "a, z"), other.clone()]),
            ),
            (ROWS, row("a", "Theirs.", ",\"confidence\":0.9")),
            (NOTE, note("Note", "high", "Their text.")),
        ],
        &[
            (RALPH, ralph(&[entry(1, "one, as I say", "a"), other])),
            (ROWS, row("a", "Mine.", "")),
            (NOTE, note("Mine", "low", "My text.")),
        ],
    );
    assert!(!done);
    let unmerged = git(&place, &["diff", "--name-only", "--diff-filter=U"]).stdout;
    assert_eq!(String::from_utf8(unmerged).unwrap().lines().count(), 3);
    assert_snapshot!(
        [RALPH, ROWS, NOTE]
            .map(|path| read(&place, path))
            .join("=====\n")
    );
}

/// A driver that cannot write leaves git's file alone and says so in the way that git understands.
#[cfg(unix)]
#[test]
fn a_driver_that_cannot_write_is_no_merge_and_leaves_the_file_as_it_was() {
    let place = Place::bare();
    let [base, ours, theirs] = ["one", "ours", "one"].map(|text| ralph(&[entry(1, text, "a")]));
    for (name, text) in [("O", &base), ("A", &ours), ("B", &theirs)] {
        write(&place, name, text);
    }
    let run = |limits: &str| {
        let program = env!("CARGO_BIN_EXE_memkeep");
        let script = format!("{limits} exec '{program}' merge-driver O A B {RALPH}");
        let mut command = Command::new("sh");
        command.current_dir(place.root()).args(["-c", &script]);
        command.env("HOME", place.home()).output().unwrap()
    };
    let failed = run("trap '' XFSZ; ulimit -f 0;");
    let said = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert_eq!(failed.status.code(), Some(129), "{said}");
    assert!(said.contains("cannot be written"), "{said}");
    assert_eq!(read(&place, "A"), ours);
    assert_eq!(
        fs::read_dir(place.root()).unwrap().count(),
        3,
        "nothing is left behind"
    );
    assert!(run("").status.success());
    for arguments in [
        &["merge-driver", "O", "gone", "B", RALPH][..],
        &["merge-driver", "O"],
    ] {
        assert_eq!(place.run(arguments).code, 129);
    }
}
