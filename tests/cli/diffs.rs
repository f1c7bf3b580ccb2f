//! What a dry run prints is what the change does: `git apply` and `patch -p1` take it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::place::Place;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else if entry.file_type().unwrap().is_symlink() {
            #[cfg(unix)]
            std::os::unix::fs::symlink(fs::read_link(entry.path()).unwrap(), to).unwrap();
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Applies a diff in a copy of the project; none where the program is not installed.
fn apply(place: &Place, diff: &[u8], program: &str, args: &[&str]) -> Option<Place> {
    use std::io::Write as _;
    let other = Place::bare();
    copy(&place.root(), &other.root());
    let child = Command::new(program)
        .args(args)
        .current_dir(other.root())
        .env("GIT_CEILING_DIRECTORIES", other.root().parent().unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.ok()?;
    child.stdin.take().unwrap().write_all(diff).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{program}: {}{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(diff)
    );
    Some(other)
}

/// The files of a project below its root.
fn files(place: &Place) -> Vec<(String, Vec<u8>)> {
    let root = place.root();
    let all = place.snapshot().into_iter();
    all.filter(|(path, _)| !fs::symlink_metadata(path).unwrap().is_dir())
        .map(|(path, bytes)| {
            (
                path.strip_prefix(&root).unwrap().display().to_string(),
                bytes,
            )
        })
        .collect()
}

#[test]
fn a_dry_run_is_a_patch_of_what_would_be_done() {
    let place = Place::sample();
    let plain = "---\ntitle: T\ntags: [x]\nimportance: low\n---\n\nText.";
    place.write("with blanks.md", plain);
    place.write("latin.md", [plain.as_bytes(), b" caf\xe9\n"].concat());
    place.write("returns.md", plain.replace("Text", "a\rb\rc"));
    place.write("größe.md", plain);
    #[cfg(unix)]
    place.write("quo\"te\\.md", plain);
    let lines: String = (0..4000).map(|n| format!("line {n}\n")).collect();
    place.write("long.md", format!("{plain}\n{lines}"));
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", place.file("dangling.md")).unwrap();
    let body = place.home().join("body");
    fs::write(&body, format!("{lines}more")).unwrap();
    let body = body.to_str().unwrap();
    let mut calls: Vec<Vec<&str>> = Vec::new();
    let names = [
        "auth-flow",
        "deploy#2",
        "windows",
        "with blanks",
        "latin",
        "returns",
        "größe",
        "long",
    ];
    for local in names.into_iter().chain(cfg!(unix).then_some("quo\"te\\")) {
        calls.push(vec![
            "edit",
            local,
            "--set",
            "importance=medium",
            "--add-tag",
            "q",
        ]);
        calls.push(vec!["edit", local, "--body-file", body]);
        calls.push(vec!["delete", local]);
        calls.push(vec!["archive", local]);
    }
    calls.push(vec!["rename", "auth-flow", "new folder/auth"]);
    calls.push(vec!["restore", "archive/old"]);
    calls.push(vec!["add", "x", "--title", "A: \"b\""]);
    calls.push(vec!["add", "x", "--title", "Windows"]);
    calls.push(vec!["lint", "--fix", "--fail-on", "never"]);
    for call in calls {
        let before = files(&place);
        let diff = place.run(&[&call[..], &["--dry-run"]].concat());
        assert_eq!(diff.code, 0, "{call:?}: {}", diff.err);
        assert_eq!(files(&place), before, "{call:?}: a dry run writes nothing");
        let by_git = apply(&place, &diff.out, "git", &["apply", "-"]);
        let by_patch = apply(&place, &diff.out, "patch", &["-s", "-p1"]);
        place.ok(&call);
        let done = files(&place);
        for (program, other) in [("git", by_git), ("patch", by_patch)] {
            if let Some(other) = other {
                assert_eq!(files(&other), done, "{call:?} by {program}");
            }
        }
        let back = place.run(&["undo", "--dry-run"]);
        let undone = apply(&place, &back.out, "git", &["apply", "-"]);
        place.ok(&["undo"]);
        assert_eq!(files(&place), before, "{call:?}");
        if let Some(other) = undone {
            assert_eq!(files(&other), before, "{call:?}: undo by git");
        }
    }
}

#[test]
fn a_change_far_down_is_counted_from_the_top() {
    let place = Place::empty();
    let lines: String = (1..=50).map(|n| format!("line {n}\n")).collect();
    place.write("a.md", format!("---\ntitle: A\n---\n\n{lines}"));
    let body = place.home().join("body");
    fs::write(&body, lines.replace("line 40\n", "line forty\n")).unwrap();
    insta::assert_snapshot!(place.told(&[
        "edit",
        "a",
        "--body-file",
        body.to_str().unwrap(),
        "--dry-run"
    ]));
}
