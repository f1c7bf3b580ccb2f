//! Links that lead out of a store. Whatever they lead to is in the temporary folder of the test.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::place::{PLAIN, Place};

/// A folder beside the project, with a memory and a text that is none.
fn outside(place: &Place) -> PathBuf {
    let outside = place.root().with_file_name("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("memory.md"), PLAIN).unwrap();
    fs::write(outside.join("text.md"), "# A text\n\nOf nobody.\n").unwrap();
    outside
}

fn run(place: &Place, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = place.command();
    command.current_dir(folder).args(arguments);
    command.stdout(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    command.output().unwrap()
}

fn told(out: &Output) -> String {
    [&out.stdout[..], &out.stderr]
        .map(String::from_utf8_lossy)
        .concat()
}

/// A command that is refused because something is read-only.
fn refused(place: &Place, arguments: &[&str]) {
    let out = run(place, &place.root(), arguments);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {}", told(&out));
    let why = ["is read-only", "it lies outside of the project"];
    assert!(
        why.iter().any(|why| told(&out).contains(why)),
        "{arguments:?}: {}",
        told(&out)
    );
}

#[test]
fn a_memory_that_a_link_leads_to_outside_is_read_only() {
    let place = Place::new(&[("a.md", &PLAIN.replace("Text.", "Another text."))]);
    let outside = outside(&place);
    symlink(outside.join("memory.md"), place.file("link.md")).unwrap();
    let text = place.root().join("new.txt");
    fs::write(&text, "# New\n").unwrap();
    for arguments in [
        &["edit", "link", "--set", "importance=high"][..],
        &["edit", "link", "--body-file", text.to_str().unwrap()],
        &["promote", "link"],
        &["merge", "link", "a"],
    ] {
        refused(&place, arguments);
    }
    let shown = told(&run(&place, &place.root(), &["lint"]));
    assert!(
        shown.contains("link.md is read-only: it leads to"),
        "{shown}"
    );
    let deleted = told(&run(&place, &place.root(), &["delete", "link"]));
    assert!(deleted.contains("remove it with `rm`"), "{deleted}");
}

#[test]
fn what_a_link_leads_to_that_is_no_memory_is_neither_shown_nor_changed() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let text = place.root().join("text.md");
    let before = "# A text\n\nOf nobody.\n";
    fs::write(&text, before).unwrap();
    symlink("../../text.md", place.file("link.md")).unwrap();
    let new = place.root().join("new.txt");
    fs::write(&new, "# New\n").unwrap();
    refused(
        &place,
        &["edit", "link", "--body-file", new.to_str().unwrap()],
    );
    refused(&place, &["edit", "link", "--set", "importance=high"]);
    let shown = told(&run(&place, &place.root(), &["show", "link"]));
    assert!(!shown.contains("Of nobody"), "{shown}");
    assert!(shown.contains("which is no memory"), "{shown}");
    refused(&place, &["delete", "link"]);
    assert_eq!(fs::read_to_string(&text).unwrap(), before);
}

#[test]
fn folders_are_not_written_to_through_a_link_that_leaves_the_root() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let target = outside(&place).join("taken");
    fs::create_dir(&target).unwrap();
    let is_empty = || fs::read_dir(&target).unwrap().count() == 0;
    symlink(&target, place.file("archive")).unwrap();
    refused(&place, &["archive", "a"]);
    symlink(&target, place.root().join(".memkeep")).unwrap();
    refused(&place, &["confirm", "a"]);
    assert!(is_empty());
    // What was archived before the folder became a link is not taken back through it.
    fs::remove_file(place.file("archive")).unwrap();
    assert!(
        run(&place, &place.root(), &["archive", "a"])
            .status
            .success()
    );
    let moved = target.join("archive");
    fs::rename(place.file("archive"), &moved).unwrap();
    symlink(&moved, place.file("archive")).unwrap();
    refused(&place, &["undo"]);
    assert_eq!(fs::read_to_string(moved.join("a.md")).unwrap(), PLAIN);
    // A whole store behind a link.
    let other = place.root().join("other");
    fs::create_dir_all(other.join(".rawko")).unwrap();
    fs::create_dir(target.join("store")).unwrap();
    fs::write(target.join("store/m.md"), PLAIN).unwrap();
    symlink(target.join("store"), other.join(".rawko/memories")).unwrap();
    for arguments in [
        &["edit", "m", "--set", "importance=high"][..],
        &["add", "x", "--title", "N"],
    ] {
        let out = run(&place, &other, arguments);
        assert!(
            told(&out).contains("is read-only"),
            "{arguments:?}: {}",
            told(&out)
        );
    }
    assert_eq!(fs::read_dir(target.join("store")).unwrap().count(), 1);
}

#[test]
fn links_to_other_work_trees_and_to_the_users_own_stores_are_followed() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let (main, second) = (place.root(), place.root().with_file_name("second"));
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.current_dir(&main).env("HOME", &main).args(arguments);
        assert!(git.output().unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "-q"]);
    let who = [
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@y",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x",
    ];
    git(&who);
    git(&["worktree", "add", "-q", "../second"]);
    fs::create_dir_all(second.join(".rawko/memories")).unwrap();
    symlink(place.file("a.md"), second.join(".rawko/memories/a.md")).unwrap();
    let out = run(&place, &second, &["edit", "a", "--set", "importance=high"]);
    assert!(out.status.success(), "{}", told(&out));
    assert!(place.text("a.md").contains("importance: high"));
    assert!(run(&place, &second, &["undo"]).status.success());
    assert_eq!(place.text("a.md"), PLAIN);
    // A second work tree that git's files of the first do not name is none.
    let third = place.root().with_file_name("third");
    fs::create_dir_all(third.join(".rawko/memories")).unwrap();
    fs::copy(second.join(".git"), third.join(".git")).unwrap();
    symlink(place.file("a.md"), third.join(".rawko/memories/a.md")).unwrap();
    let out = run(&place, &third, &["edit", "a", "--set", "importance=high"]);
    assert!(told(&out).contains("is read-only"), "{}", told(&out));
    // The home of these calls is the folder above the root.
    let memory = place
        .root()
        .with_file_name(".golemcore")
        .join("workspace/memory");
    fs::create_dir_all(memory.join("items")).unwrap();
    let row = "{\"id\":\"x\",\"layer\":\"SEMANTIC\",\"type\":\"FIX\",\"content\":\"Tabs.\"}\n";
    fs::write(memory.join("items/semantic.jsonl"), row).unwrap();
    symlink(&memory, main.join("memory")).unwrap();
    let out = run(&place, &main, &["edit", "golemcore:x", "--set", "title=Y"]);
    assert!(out.status.success(), "{}", told(&out));
}

#[test]
fn a_file_without_write_permission_is_not_written_to() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let set_mode =
        |mode| fs::set_permissions(place.file("a.md"), fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o444);
    let out = run(
        &place,
        &place.root(),
        &["edit", "a", "--set", "importance=high"],
    );
    assert_eq!(out.status.code(), Some(2), "{}", told(&out));
    assert!(
        told(&out).contains("may not be written to (mode 444)"),
        "{}",
        told(&out)
    );
    assert_eq!(place.text("a.md"), PLAIN);
    set_mode(0o600);
    assert!(
        run(
            &place,
            &place.root(),
            &["edit", "a", "--set", "importance=high"]
        )
        .status
        .success()
    );
}

#[test]
fn a_name_that_is_too_long_is_said_of_the_new_name() {
    let place = Place::new(&[("a.md", PLAIN)]);
    let long = "n".repeat(300);
    let out = run(&place, &place.root(), &["rename", "a", &long]);
    assert_eq!(out.status.code(), Some(2));
    let told = told(&out);
    assert!(
        told.contains(&format!("{long}.md: File name too long")),
        "{told}"
    );
    assert_eq!(place.names(), ["a.md"]);
}
