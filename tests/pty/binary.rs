//! The real program in a terminal.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use portable_pty::CommandBuilder;

use super::harness::{self, Pty, taken};

/// The program on a folder with one memory.
fn command(home: &Path) -> CommandBuilder {
    let store = home.join("project/.rawko/memories");
    if !store.exists() {
        std::fs::create_dir_all(&store).unwrap();
        std::fs::write(
            store.join("first.md"),
            "---\ntitle: The first memory\nwhenToUse: [auth]\nimportance: high\n\
             discoveredBy: developer\ntags: [a]\n---\n\nIts body.\n",
        )
        .unwrap();
    }
    let mut command = harness::command(env!("CARGO_BIN_EXE_memkeep"), home);
    command.cwd(home.join("project"));
    command
}

fn started(home: &Path) -> Pty {
    let pty = Pty::start(command(home));
    pty.text("The first memory");
    pty
}

#[test]
fn starts_shows_what_is_there_and_quits() {
    let home = tempfile::tempdir().unwrap();
    let pty = started(home.path());
    pty.quit("q");
}

#[test]
fn a_store_that_appears_meanwhile_is_shown() {
    let home = tempfile::tempdir().unwrap();
    let pty = started(home.path());
    let folder = home.path().join("project/.ralph/agent");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("memories.md"),
        "# Memories\n\n## Fixes\n\n### mem-1769600000-00a1\n> From another store.\n<!-- tags: a | created: 2026-01-28 -->\n",
    )
    .unwrap();
    pty.text("From another store.");
    pty.quit("q");
}

#[test]
fn the_lines_beside_a_finding_have_the_numbers_of_the_file() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".ralph/agent");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("memories.md"),
        "# Memories\n\n## Fixes\n\n### mem-1769600000-00a1\n> On the sixth line.\n>\n> On the eighth.\n\
         <!-- tags: a | created: 2026-01-28 -->\n",
    )
    .unwrap();
    let mut command = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
    command.cwd(home.path());
    let mut pty = Pty::start(command);
    pty.text("On the sixth line.");
    pty.resize(120, 30);
    pty.keys("3");
    pty.text(" 6 On the sixth line.");
    pty.text(" 8 On the eighth.");
    pty.keys("\r");
    pty.quit("q");
}

#[test]
fn the_screen_and_the_command_tell_the_same_total() {
    let home = tempfile::tempdir().unwrap();
    let mut program = command(home.path());
    let project = home.path().join("project");
    std::fs::write(
        project.join("CLAUDE.md"),
        "# Rules\n\nAsk before a release.\n",
    )
    .unwrap();
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_memkeep"))
        .args(["inject", "--task", "auth", "--format", "json"])
        .current_dir(&project)
        .env("HOME", home.path())
        .output()
        .unwrap();
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    let total = told["together"]["tokens"].as_u64().unwrap();
    assert!(total > told["tokens"].as_u64().unwrap());
    program.cwd(&project);
    let mut pty = Pty::start(program);
    pty.text("The first memory");
    pty.resize(140, 40);
    pty.keys("tauth\r");
    pty.text(&format!("{total} together"));
    pty.quit("q");
}

#[test]
fn a_named_store_without_memories_is_named() {
    let home = tempfile::tempdir().unwrap();
    let notes = home.path().join("notes");
    std::fs::create_dir(&notes).unwrap();
    std::fs::write(notes.join("read.txt"), "text").unwrap();
    for flags in [
        &["--as", "rawko", "notes"][..],
        &["--as", "rawko", "--store", "notes"],
    ] {
        let mut command = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
        command.args(flags);
        let pty = Pty::start(command);
        pty.text("This store has no memories yet");
        pty.text("notes");
        pty.quit("q");
    }
}

#[test]
fn the_terminal_says_whether_it_is_light_and_nothing_of_it_is_typed() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    pty.bytes(0, b"\x1b]11;?\x07");
    let color = |screen: &vt100::Screen| screen.cell(0, 1).unwrap().fgcolor();
    let dark = pty.seen(color);
    pty.keys("/fi\x1b]11;rgb:ffff/ffff/ffff\x07rst");
    pty.text("/first");
    pty.wait("the light theme", |screen| color(screen) != dark);
    pty.keys("\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\");
    pty.wait("the dark theme", |screen| color(screen) == dark);
    pty.text("/first");
    pty.quit("\x1b\x1bq");
}

#[test]
fn who_leaves_at_once_leaves_no_answer_behind() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(command(home.path()));
    pty.bytes(0, b"\x1b]11;?\x07");
    pty.keys("q\x1b]11;rgb:ffff/ffff/ffff\x07");
    assert_eq!(pty.end().0, 0);
}

#[test]
fn a_chosen_theme_asks_nothing() {
    let home = tempfile::tempdir().unwrap();
    for (name, value) in [("MEMKEEP_THEME", "light"), ("NO_COLOR", "1")] {
        let mut command = command(home.path());
        command.env(name, value);
        let mut pty = Pty::start(command);
        pty.text("The first memory");
        pty.keys("q");
        let (code, out) = pty.end();
        assert_eq!(code, 0);
        assert!(!out.contains("\x1b]11;"), "{name}");
    }
}

#[test]
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
    pty.quit("q");
}

#[test]
fn ends_cleanly_by_signals() {
    harness::ends_by_signals(started);
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_memkeep"));
    let program = program.env_remove("TERM").env("HOME", home.path());
    let done = program.current_dir(home.path()).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("memkeep list"), "{said}");
}

#[test]
fn a_dumb_terminal_is_answered_line_by_line() {
    let home = tempfile::tempdir().unwrap();
    let mut command = command(home.path());
    command.env("TERM", "dumb");
    let pty = Pty::start(command);
    pty.text("1. The first memory");
    pty.quit("quit\n");
}

#[test]
fn the_editor_gets_the_file_and_its_changes_show() {
    let home = tempfile::tempdir().unwrap();
    let editor = home.path().join("editor");
    std::fs::write(
        &editor,
        "#!/bin/sh\nsed 's/The first memory/Another title/' \"$1\" >new && cat new >\"$1\"\n",
    )
    .unwrap();
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = command(home.path());
    command.env("VISUAL", &editor);
    let mut pty = Pty::start(command);
    pty.text("The first memory");
    pty.keys("E");
    pty.text("Another title");
    pty.wait("the screen to be taken", taken);
    pty.text("edited first.md in the editor: +1 −1 lines · u undo");
    pty.keys("u");
    pty.text("undone: edited first.md in the editor");
    let file = home.path().join("project/.rawko/memories/first.md");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("title: The first memory\n"), "{text}");
    pty.quit("q");
}

#[test]
fn what_another_program_writes_shows() {
    let home = tempfile::tempdir().unwrap();
    let pty = started(home.path());
    let store = home.path().join("project/.rawko/memories");
    let first = std::fs::read_to_string(store.join("first.md")).unwrap();
    let second = first.replace("The first memory", "A second one");
    std::fs::write(store.join("second.md"), &second).unwrap();
    pty.text("A second one");
    std::fs::rename(store.join("second.md"), store.join("third.md")).unwrap();
    std::fs::write(
        store.join("third.md"),
        second.replace("A second one", "A third"),
    )
    .unwrap();
    pty.wait("the change", |screen| {
        let shown = screen.contents();
        shown.contains("A third") && !shown.contains("A second one")
    });
    pty.quit("q");
}

#[test]
fn another_branch_shows() {
    let home = tempfile::tempdir().unwrap();
    let command = command(home.path());
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        let project = home.path().join("project");
        let done = git.args(arguments).current_dir(project).output().unwrap();
        assert!(done.status.success());
    };
    git(&["init", "-q", "-b", "one-branch"]);
    let pty = Pty::start(command);
    pty.text("one-branch");
    git(&["symbolic-ref", "HEAD", "refs/heads/another"]);
    pty.text("another");
    pty.quit("q");
}

/// What a person staged beside memories stays staged, CLAUDE.md among it.
#[test]
fn a_commit_from_the_screen_takes_memories_alone() {
    let home = tempfile::tempdir().unwrap();
    let command = command(home.path());
    let project = home.path().join("project");
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(arguments)
            .current_dir(&project)
            .env("HOME", home.path());
        let done = git.output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["config", "user.name", "a"]);
    git(&["config", "user.email", "a@example.com"]);
    std::fs::write(project.join("CLAUDE.md"), "Use make.\n").unwrap();
    git(&["add", "CLAUDE.md"]);
    git(&["commit", "-q", "-m", "first"]);
    std::fs::write(project.join("CLAUDE.md"), "Use just.\n").unwrap();
    std::fs::write(project.join("code.rs"), "fn main() {}\n").unwrap();
    git(&["add", "CLAUDE.md", "code.rs"]);
    let mut pty = Pty::start(command);
    pty.text("The first memory");
    pty.keys("4");
    pty.text("0 of 1  ▸");
    pty.text("the body has 2 words");
    pty.keys("\r");
    pty.text("u undo");
    pty.keys("c");
    pty.text("Commit what is accepted?");
    pty.keys("\r");
    pty.text("committed ");
    pty.quit("q");
    let shown = git(&["show", "--stat", "--format=%s", "HEAD"]);
    assert!(
        shown.contains(".rawko/") && !shown.contains("code.rs"),
        "{shown}"
    );
    let staged = git(&["diff", "--cached", "--name-only"]);
    assert_eq!(staged, "CLAUDE.md\ncode.rs\n");
}

/// What the repository and its manifests say is part of what is wrong with a memory.
#[test]
fn findings_follow_the_last_commit_and_the_manifests() {
    let home = tempfile::tempdir().unwrap();
    let command = command(home.path());
    let project = home.path().join("project");
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
        let done = git.args(arguments).current_dir(&project).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    std::fs::create_dir(project.join("docs")).unwrap();
    std::fs::write(project.join("docs/deploy.md"), "How to deploy.\n").unwrap();
    let manifest = |version: &str| {
        let text = format!("{{\"dependencies\": {{\"react\": \"^{version}.0.0\"}}}}\n");
        std::fs::write(project.join("package.json"), text).unwrap();
    };
    manifest("18");
    let first = project.join(".rawko/memories/first.md");
    let text = std::fs::read_to_string(&first).unwrap();
    let body = "Always deploy with docs/deploy.md.\n\nThe front end uses React 18.\n";
    std::fs::write(&first, text.replace("Its body.\n", body)).unwrap();
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let mut pty = Pty::start(command);
    pty.text("The first memory");
    pty.resize(120, 36);
    pty.wait("the first lint", |screen| {
        screen.contents().contains("Lint 0") || !screen.contents().contains("stale-")
    });
    git(&["rm", "-q", "docs/deploy.md"]);
    git(&["commit", "-q", "-m", "second"]);
    pty.text("stale-path");
    manifest("17");
    pty.text("stale-version");
    pty.keys("R");
    pty.text("stale-version");
    pty.quit("q");
}

#[test]
fn a_broken_tasks_file_is_said_beside_the_findings() {
    let home = tempfile::tempdir().unwrap();
    let command = command(home.path());
    let folder = home.path().join("project/.memkeep");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("tasks.yaml"), "- {task: [\n").unwrap();
    let mut pty = Pty::start(command);
    pty.text("The first memory");
    // Below 100 columns, where frames have no border to say it in.
    pty.keys("3");
    pty.text("not checked: .memkeep/tasks.yaml:");
    pty.quit("q");
}

#[test]
fn unsaved_text_is_offered_after_kill_9() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = started(home.path());
    pty.keys("\r");
    pty.text("Its body.");
    pty.keys("i");
    pty.wait("the cursor of an editor", |screen| !screen.hide_cursor());
    pty.keys("Unsaved words. ");
    pty.text("Unsaved words.");
    let kept = || {
        let state = walk(&home.path().join("state"));
        state.iter().any(|path| {
            let draft = std::fs::read_to_string(path).unwrap_or_default();
            path.extension().is_some_and(|e| e == "json") && draft.contains("Unsaved words. ")
        })
    };
    // The draft is written beside the loop; each key makes the screen wait for one more frame.
    for n in 0.. {
        if kept() {
            break;
        }
        assert!(n < 100_000, "no draft was kept");
        let mark = pty.mark();
        pty.keys(if n % 2 == 0 { "\x1b[D" } else { "\x1b[C" });
        pty.bytes(mark, b"\x1b[?2026l");
    }
    pty.kill();
    // Typing on goes to the program and decides nothing about the text.
    let mut pty = started(home.path());
    pty.keys("/deploy\r");
    pty.text("unsaved text of");
    pty.quit("\x03");
    assert!(kept());
    let mut pty = started(home.path());
    pty.text("unsaved text of");
    pty.keys("gu");
    pty.text("Unsaved words.");
    pty.keys("j\r");
    pty.text("brings it back");
    assert!(!kept());
    pty.keys("gu");
    pty.text("Unsaved words.");
    pty.keys("\r");
    pty.wait("the cursor of an editor", |screen| !screen.hide_cursor());
    assert!(kept());
    pty.quit("\x03");
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(walk(&path));
        } else {
            out.push(path);
        }
    }
    out
}
