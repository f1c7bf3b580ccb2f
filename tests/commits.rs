//! The measure of how well memories are ranked for a repository's own commits.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[expect(dead_code, reason = "the bench prints, the test looks")]
#[path = "../benches/support/commits.rs"]
mod commits;

use std::fs;
use std::path::Path;
use std::process::Command;

fn git(root: &Path, arguments: &[&str]) {
    let out = Command::new("git")
        .current_dir(root)
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "{out:?}");
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_memory_that_names_what_a_commit_touched_answers_its_subject() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    git(root, &["init", "-q"]);
    let memory = |name: &str, title: &str, body: &str| {
        let text = format!("---\ntitle: \"{title}\"\n---\n\n{body}\n");
        write(root, &format!(".rawko/memories/{name}.md"), &text);
    };
    memory(
        "refunds",
        "Refunds",
        "Refunds are rows of their own: `src/refund.rs`.",
    );
    memory(
        "ferries",
        "Ferries",
        "The timetable is read by src/ferry.rs, at night.",
    );
    memory(
        "longer",
        "Another path",
        "Refunds of a refund: src/refund.rs.bak stays.",
    );
    write(root, "src/refund.rs", "1");
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "Round refunds up"]);
    write(root, "src/ferry.rs", "1");
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "Nothing in common with it"]);
    write(root, "README", "1");
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "Words of no memory's path"]);
    let measured = commits::measure(root);
    assert_eq!(measured.tasks, 2);
    assert!(
        measured.gain > 0.0 && measured.gain < 1.0,
        "{}",
        measured.gain
    );
}
