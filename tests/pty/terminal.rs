//! What the terminal code does with a terminal, and how it leaves it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::process::Signal;

use super::child;
use super::harness::{self, Pty, given_back, taken};

fn started(home: &Path) -> Pty {
    let pty = Pty::start(child::command(home));
    pty.text("loaded");
    pty
}

fn script(home: &Path, text: &str) -> String {
    let path = home.join("editor");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn starts_and_quits() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    pty.wait("the screen to be taken", taken);
    pty.keys("a");
    pty.text("key Char('a')");
    pty.keys("q");
    let (code, out) = pty.end();
    assert_eq!(code, 0);
    // Every frame is sent whole, and nothing asks the terminal anything.
    assert_eq!(
        out.matches("\x1b[?2026h").count() + 1,
        out.matches("\x1b[?2026l").count()
    );
    for question in ["\x1b[6n", "\x1b[c", "\x1b[?u", "\x1b]11;?"] {
        assert!(!out.contains(question), "{question:?}");
    }
    assert!(
        !out.contains("\x1b[?1003h"),
        "mere mouse movement wakes nobody"
    );
}

#[test]
fn takes_pasted_text_for_text() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    pty.keys("\x1b[200~q\nq\x1b[201~");
    pty.text("pasted \"q\\nq\"");
    pty.quit("q");
}

#[test]
fn follows_the_size_down_to_one_cell() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    for (columns, rows) in [(20, 5), (1, 1), (2, 1), (200, 60), (60, 20)] {
        pty.resize(columns, rows);
        if columns >= 20 {
            pty.text(&format!("{columns} x {rows}"));
        }
    }
    pty.quit("q");
}

#[test]
fn a_change_of_size_right_after_the_first_frame_is_seen() {
    let home = tempfile::tempdir().unwrap();
    for _ in 0..5 {
        let mut pty = Pty::start(child::command(home.path()));
        pty.text("80 x 24");
        pty.resize(100, 30);
        pty.text("100 x 30");
        pty.quit("q");
    }
}

#[test]
fn reads_the_keys_that_come_as_the_size_changes() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    for (n, key) in (0..).zip('F'..='Z') {
        pty.resize(60 + n % 2, 40);
        pty.keys(&key.to_string());
        pty.text(&format!("key Char('{key}')"));
    }
    pty.quit("q");
}

#[test]
fn ends_cleanly_by_signals() {
    harness::ends_by_signals(started);
}

#[test]
fn a_panic_says_its_message_on_the_screen_the_person_came_from() {
    for (key, message) in [
        ("p", "a panic on purpose"),
        ("w", "a worker's panic on purpose"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let mut pty = started(home.path());
        pty.keys(key);
        let (code, out) = pty.end();
        assert_eq!(code, 101, "{key}");
        let left = out.rfind("\x1b[?1049l").unwrap();
        assert!(out.rfind(message).unwrap() > left, "{out:?}");
        assert!(
            !out[left..].contains("\x1b[?2026h"),
            "no frame comes after it"
        );
    }
}

#[test]
fn an_abort_and_a_stack_overflow_give_the_terminal_back() {
    for key in ["1", "2"] {
        let home = tempfile::tempdir().unwrap();
        let mut pty = started(home.path());
        pty.keys(key);
        let (code, out) = pty.end();
        assert_ne!(code, 0, "{key}");
        let left = out.rfind("\x1b[?1049l").unwrap();
        let drawn = out[left..].contains("\x1b[?2026h");
        assert!(!drawn, "{key}: no frame comes after it");
    }
}

#[test]
fn stops_and_goes_on_in_a_shell() {
    let home = tempfile::tempdir().unwrap();
    let mut shell = harness::command("bash", home.path());
    shell.args(["--norc", "--noprofile", "-i"]);
    shell.env("PS1", "$ ");
    // The shell's own paste mode is not what is tested.
    let inputrc = home.path().join("inputrc");
    std::fs::write(&inputrc, "set enable-bracketed-paste off\n").unwrap();
    shell.env("INPUTRC", &inputrc);
    shell.env("MEMKEEP_TEST_CHILD", home.path().join("file.md"));
    let mut pty = Pty::start(shell);
    pty.text("$ ");
    let program = std::env::current_exe().unwrap();
    pty.keys(&format!(
        "stty -a >before; {} {}\r",
        program.display(),
        child::arguments().join(" ")
    ));
    pty.text("loaded");
    pty.keys("\x1a");
    pty.text("Stopped");
    pty.wait("the screen to be given back", given_back);
    pty.keys("stty -a >stopped; echo com''pared\r");
    pty.text("compared");
    pty.keys("fg\r");
    pty.text("resumed");
    pty.wait("the screen to be taken", taken);
    pty.keys("a");
    pty.text("key Char('a')");
    pty.keys("q");
    pty.wait("the shell", given_back);
    pty.keys("stty -a >after; echo do''ne\r");
    pty.text("done");
    pty.wait("the screen to be given back", given_back);
    let read = |name| std::fs::read_to_string(home.path().join(name)).unwrap();
    assert_eq!(read("stopped"), read("before"));
    assert_eq!(read("after"), read("before"));
    pty.keys("exit\r");
}

#[test]
fn a_stop_and_a_start_from_outside_draw_the_screen_again() {
    let home = tempfile::tempdir().unwrap();
    let pty = started(home.path());
    let mark = pty.mark();
    pty.signal(Signal::CONT);
    pty.bytes(mark, b"\x1b[?1049h");
    pty.text("resumed");
    pty.quit("q");
}

#[test]
fn the_editor_has_the_terminal_alone() {
    let home = tempfile::tempdir().unwrap();
    let editor = script(
        home.path(),
        "echo editing \"$@\"; read -r line; echo \"$line\" >typed; cat >>\"$2\" <<.\nx\n.",
    );
    let mut command = child::command(home.path());
    command.env("VISUAL", format!("'{editor}' -n"));
    command.env("EDITOR", "/no/such/thing");
    let mut pty = Pty::start(command);
    pty.text("loaded");
    pty.keys("E");
    pty.text("editing -n");
    pty.wait("the screen to be given back", given_back);
    pty.keys("to the editor q\r");
    pty.text("resumed");
    pty.keys("a");
    pty.text("key Char('a')");
    pty.quit("q");
    let typed = std::fs::read_to_string(home.path().join("typed")).unwrap();
    assert_eq!(typed, "to the editor q\n");
    assert_eq!(
        std::fs::read_to_string(home.path().join("file.md")).unwrap(),
        "x\n"
    );
}

#[test]
fn ctrl_c_in_the_editor_is_the_editors() {
    let home = tempfile::tempdir().unwrap();
    let editor = script(
        home.path(),
        "trap 'echo caught; exit 0' INT; echo editing; while :; do read -r line; done",
    );
    let mut command = child::command(home.path());
    command.env("EDITOR", editor);
    let mut pty = Pty::start(command);
    pty.text("loaded");
    pty.keys("E");
    pty.text("editing");
    pty.keys("\x03");
    pty.text("resumed");
    pty.quit("q");
}

#[test]
fn an_editor_that_fails_is_said() {
    let home = tempfile::tempdir().unwrap();
    let mut command = child::command(home.path());
    command.env("EDITOR", "/no/such/editor");
    let mut pty = Pty::start(command);
    pty.text("loaded");
    pty.keys("E");
    pty.text("`/no/such/editor` cannot be started");
    pty.quit("q");
}

#[test]
fn unsaved_text_survives_kill_9() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    pty.keys("da");
    pty.text("key Char('a')");
    let drafts = home.path().join("state/drafts");
    let kept = || {
        let entries = std::fs::read_dir(&drafts).into_iter().flatten().flatten();
        entries
            .into_iter()
            .any(|entry| entry.path().extension().is_some_and(|e| e == "json"))
    };
    // The draft is written beside the loop; each key makes the screen wait for one more frame.
    let mut keys = 0;
    while !kept() {
        pty.keys("b");
        keys += 1;
        pty.text("key Char('b')");
        assert!(keys < 100_000, "no draft was kept");
    }
    pty.kill();
    let pty = started(home.path());
    pty.text("draft half a sent");
    pty.quit("q");
}

#[test]
fn over_ssh_text_is_copied_by_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let mut command = child::command(home.path());
    command.env("SSH_TTY", "/dev/pts/9");
    let mut pty = Pty::start(command);
    pty.text("loaded");
    let mark = pty.mark();
    pty.keys("y");
    pty.bytes(mark, b"\x1b]52;c;Y29waWVkIHRleHQ=\x07");
    pty.text("copied by the terminal (OSC 52)");
    pty.quit("q");
}

#[test]
fn a_dumb_terminal_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut command = child::command(home.path());
    command.env("TERM", "dumb");
    let (code, out) = Pty::start(command).end();
    assert_eq!(code, 2);
    assert!(
        out.contains("TERM=dumb") && !out.contains('\x1b'),
        "{out:?}"
    );
}
