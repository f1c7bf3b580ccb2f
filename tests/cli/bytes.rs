//! What changes leave as it was: bytes, links, modes.

use std::fs;

use crate::place::Place;

/// Bytes that a careless program would change.
fn awkward() -> Vec<(&'static str, Vec<u8>)> {
    let plain = "---\ntitle: T\ntags: [x]\nimportance: low\n---\n\nText.\n";
    let two = format!(
        "{plain}\n---\n\n---\ntitle: Second\ntags: [y]\n---\n\nMore.\n\n---\n\n---\ntitle: Third\ntags: [z]\n---\nLast"
    );
    vec![
        ("plain", plain.into()),
        ("crlf", plain.replace('\n', "\r\n").into()),
        ("bom", format!("\u{feff}{plain}").into()),
        ("no-end", plain.trim_end().into()),
        ("two", two.clone().into()),
        ("two-crlf", two.replace('\n', "\r\n").into()),
        ("latin", [plain.as_bytes(), b"caf\xe9\n"].concat()),
        ("returns", plain.replace("Text.", "a\rb\rc").into()),
        ("Großer Name 🙂", plain.into()),
    ]
}

#[test]
fn every_change_can_be_taken_back_byte_for_byte() {
    let place = Place::empty();
    for (name, bytes) in awkward() {
        place.write(&format!("{name}.md"), bytes);
    }
    let before = place.snapshot();
    let body = place.home().join("body");
    fs::write(&body, "other\nbody").unwrap();
    let body = body.to_str().unwrap();
    let locals = [
        "plain",
        "crlf",
        "bom",
        "no-end",
        "two",
        "two#2",
        "two#3",
        "two-crlf",
        "two-crlf#2",
        "latin",
        "returns",
        "Großer Name 🙂",
    ];
    let mut calls: Vec<Vec<&str>> = Vec::new();
    for local in locals {
        calls.push(vec![
            "edit",
            local,
            "--set",
            "importance=high",
            "--add-tag",
            "q",
        ]);
        calls.push(vec!["edit", local, "--body-file", body]);
        calls.push(vec!["delete", local]);
        calls.push(vec!["archive", local]);
    }
    calls.push(vec!["delete", "two", "two#3"]);
    calls.push(vec!["delete", "two", "two#2", "two#3", "crlf"]);
    calls.push(vec!["archive", "two#2", "two#3", "plain"]);
    calls.push(vec!["rename", "plain", "sub/folder/plain"]);
    calls.push(vec!["add", "x", "--title", "Plain"]);
    calls.push(vec!["lint", "--fix", "--fail-on", "never"]);
    for call in calls {
        place.ok(&call);
        let after = place.snapshot();
        assert_ne!(after, before, "{call:?}");
        place.ok(&["undo"]);
        assert_eq!(place.snapshot(), before, "{call:?}");
        place.ok(&["redo"]);
        assert_eq!(place.snapshot(), after, "{call:?}");
        place.ok(&["undo"]);
        assert_eq!(place.snapshot(), before, "{call:?}");
    }
}

#[test]
fn restore_brings_back_byte_for_byte() {
    let place = Place::empty();
    for (name, bytes) in awkward() {
        place.write(&format!("{name}.md"), bytes);
    }
    let before = place.snapshot();
    for (out, back) in rows! {
        &["archive", "crlf"][..] => &["archive/crlf"][..],
        &["archive", "two#2"] => &["archive/two-2"],
        &["archive", "two", "two#2", "bom"] => &["archive/two", "archive/two-2", "archive/bom"],
        &["archive", "plain", "bom"] => &["archive/bom", "rawko:archive/plain"],
        &["archive", "plain"] => &["plain"],
        &["delete", "no-end"] => &["no-end"],
        &["delete", "two#3"] => &["two#3"],
        &["delete", "two", "two#2", "latin"] => &["rawko:two", "two#2", "latin"],
        &["delete", "plain", "bom"] => &["plain", "bom"],
    } {
        place.ok(out);
        place.ok(&[&["restore"], back].concat());
        assert_eq!(place.snapshot(), before, "{out:?}");
    }
    // One of several that went together.
    place.ok(&["delete", "plain", "bom"]);
    place.ok(&["restore", "bom"]);
    assert!(place.file("bom.md").exists() && !place.file("plain.md").exists());
    place.ok(&["restore", "plain"]);
    assert_eq!(place.snapshot(), before);
    // A part of a file that changed since does not come back over it.
    place.ok(&["delete", "two#2"]);
    fs::write(place.file("two.md"), "other\n").unwrap();
    let ran = place.run(&["restore", "two#2"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert_eq!(place.read("two.md"), b"other\n");
}

#[cfg(unix)]
#[test]
fn links_and_modes_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let place = Place::sample();
    let target = place.root().join("elsewhere.txt");
    fs::write(&target, "---\ntitle: Linked\ntags: [x]\n---\n\nText.\n").unwrap();
    symlink("../../elsewhere.txt", place.file("link.md")).unwrap();
    let before = place.snapshot();
    let is_link = || {
        fs::symlink_metadata(place.file("link.md"))
            .unwrap()
            .is_symlink()
    };
    place.ok(&["edit", "link", "--add-tag", "y"]);
    assert!(is_link());
    let text = fs::read_to_string(&target).unwrap();
    assert!(
        text.contains("[x, \"y\"]") || text.contains("[x, y]"),
        "{text}"
    );
    place.ok(&["undo"]);
    for refused in [
        &["archive", "link"][..],
        &["rename", "link", "other"],
        &["delete", "link"],
    ] {
        assert_eq!(place.run(refused).code, 2, "{refused:?}");
    }
    place.ok(&["add", "More", "--title", "Linked"]);
    assert!(is_link());
    place.ok(&["undo"]);
    assert_eq!(place.snapshot(), before);
    // Of a link to several memories only the one goes that was named.
    let one = fs::read_to_string(&target).unwrap();
    fs::write(
        &target,
        format!("{one}\n\n---\n\n---\ntitle: More\n---\n\nMore.\n"),
    )
    .unwrap();
    place.ok(&["delete", "link#2"]);
    assert!(is_link());
    place.ok(&["undo"]);
    fs::write(&target, one).unwrap();
    assert_eq!(place.snapshot(), before);

    let mode = |name: &str| fs::metadata(place.file(name)).unwrap().permissions().mode() & 0o777;
    let set = |name: &str, mode| {
        fs::set_permissions(place.file(name), fs::Permissions::from_mode(mode)).unwrap()
    };
    set("auth-flow.md", 0o640);
    set("deploy.md", 0o600);
    place.ok(&["edit", "auth-flow", "--set", "importance=low"]);
    assert_eq!(mode("auth-flow.md"), 0o640);
    place.ok(&["delete", "auth-flow"]);
    place.ok(&["undo"]);
    assert_eq!(mode("auth-flow.md"), 0o640);
    place.ok(&["archive", "auth-flow"]);
    assert_eq!(mode("archive/auth-flow.md"), 0o640);
    place.ok(&["archive", "deploy#2"]);
    assert_eq!(
        mode("archive/deploy-2.md"),
        0o600,
        "what was private stays so"
    );
    place.ok(&["undo"]);
    assert_eq!(mode("deploy.md"), 0o600);
}
