//! The real program in a terminal.

use std::path::Path;

use rustix::process::Signal;

use super::harness::{self, Pty};

/// A folder with one memory, and the program on it.
fn started(home: &Path) -> Pty {
    let store = home.join("project/.rawko/memories");
    std::fs::create_dir_all(&store).unwrap();
    std::fs::write(
        store.join("first.md"),
        "---\ntitle: The first memory\nwhenToUse: [auth]\nimportance: high\n\
         discoveredBy: developer\ntags: [a]\n---\n\nIts body.\n",
    )
    .unwrap();
    let mut command = harness::command(env!("CARGO_BIN_EXE_memkeep"), home);
    command.cwd(home.join("project"));
    let pty = Pty::start(command);
    pty.text("The first memory");
    pty
}

#[test]
#[ignore = "the program does not open the screen yet"]
fn starts_shows_what_is_there_and_quits() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
#[ignore = "the program does not open the screen yet"]
fn stands_every_size() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    for (columns, rows) in [
        (20, 5),
        (1, 1),
        (3, 2),
        (39, 9),
        (59, 24),
        (99, 30),
        (250, 70),
    ] {
        let mark = pty.mark();
        pty.resize(columns, rows);
        pty.bytes(mark, b"\x1b[?2026l");
    }
    pty.text("The first memory");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}

#[test]
#[ignore = "the program does not open the screen yet"]
fn ends_cleanly_by_signals() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let home = tempfile::tempdir().unwrap();
        let pty = started(home.path());
        pty.signal(signal);
        assert_eq!(pty.end().0, code, "{signal:?}");
    }
}

#[test]
#[ignore = "the program does not open the screen yet"]
fn without_a_terminal_it_says_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    let mut command = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
    command.env("TERM", "dumb");
    let (code, out) = Pty::start(command).end();
    assert_eq!(code, 2);
    assert!(out.contains("memkeep list"), "{out}");
}
