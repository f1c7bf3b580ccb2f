//! The UI runs no program that the folder names.

use std::fs;

use super::harness::{self, Pty};
use super::repository::Trapped;

#[test]
fn the_ui_runs_no_program_that_a_repository_names() {
    let home = tempfile::tempdir().unwrap();
    let (root, markers) = (home.path().join("project"), home.path().join("markers"));
    fs::create_dir_all(&root).unwrap();
    fs::create_dir(&markers).unwrap();
    let trapped = Trapped::repository(&root, &markers);
    trapped.set(|_| true);
    trapped.lure();
    trapped.touch();
    let index = trapped.index();
    let mut command = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
    command.cwd(&root);
    trapped.surround(&mut |name, value| command.env(name, value));
    let mut pty = Pty::start(command);
    pty.resize(120, 30);
    pty.text("The changed memory");
    // The head stands there once git has answered.
    pty.text("main");
    pty.keys("3");
    pty.text("▸ suggestions: ");
    // What another program writes is compared again, and a change made here too.
    pty.keys("1");
    trapped.touch();
    trapped.write("plain", "Afterwards");
    pty.keys("/plain\r");
    pty.text("Afterwards");
    pty.keys("a");
    pty.text("archived");
    pty.quit("q");
    assert_eq!(trapped.ran(), [""; 0]);
    assert_eq!(trapped.index(), index, "the UI wrote the index");
}
