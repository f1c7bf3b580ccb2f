//! `--plain`: the screen line by line, played through a pipe on the sample project.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::program::program;

/// The sample project, and a home beside it.
struct Sample {
    place: TempDir,
}

impl Sample {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let mut demo = program(place.path(), place.path());
        let done = demo.args(["demo", "--into", "tideline"]).output().unwrap();
        assert!(done.status.success());
        let sample = Self { place };
        for (name, value) in [
            ("user.name", "Ines"),
            ("user.email", "ines@tideline.example"),
        ] {
            sample.git(&["config", name, value]);
        }
        sample
    }

    fn root(&self) -> PathBuf {
        self.place.path().join("tideline")
    }

    fn git(&self, args: &[&str]) -> String {
        let mut git = Command::new("git");
        let done = git.arg("-C").arg(self.root()).args(args).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    }

    fn file(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_default()
    }

    /// Sends lines; the greeting and the answer to each.
    fn play(&self, lines: &[&str]) -> Vec<String> {
        let mut plain = program(&self.root(), self.place.path());
        plain.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = plain.arg("--plain").spawn().unwrap();
        let text = lines.join("\n") + "\n";
        let mut to = child.stdin.take().unwrap();
        to.write_all(text.as_bytes()).unwrap();
        drop(to);
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success());
        let out = String::from_utf8(done.stdout).unwrap();
        let is_drawn = |c: char| ('\u{2500}'..='\u{259f}').contains(&c) || c == '\x1b';
        assert!(!out.contains(is_drawn), "{out}");
        let answers = out.trim_end_matches('\n').split("\n\n");
        answers.map(str::to_owned).collect()
    }
}

#[test]
fn finds_a_stale_path_reads_where_it_went_and_fixes_it() {
    let sample = Sample::new();
    let file = ".rawko/memories/money-is-integer-cents.md";
    let lines = ["filter has:stale-path money", "fix", "apply-fix", "undo"];
    let answers = sample.play(&lines);
    let greeting = "memkeep on tideline, branch main: 97 memories";
    assert!(answers[0].starts_with(greeting), "{}", answers[0]);
    let row = "1. Money Is Integer Cents; ";
    assert!(answers[1].contains(row), "{}", answers[1]);
    assert!(
        answers[2].contains("src/pricing/money.ts"),
        "{}",
        answers[2]
    );
    let commands = "commands: apply-fix, back";
    assert!(answers[2].ends_with(commands), "{}", answers[2]);
    let fixed = "fixed “Money Is Integer Cents”; undo";
    assert!(answers[3].starts_with(fixed), "{}", answers[3]);
    assert!(answers[4].starts_with("undone: "), "{}", answers[4]);
    assert!(sample.file(file).contains("src/lib/money.ts"));
    sample.play(&lines[..3]);
    assert!(!sample.file(file).contains("src/lib/money.ts"));
}

#[test]
fn reviews_changes_and_commits_them() {
    let sample = Sample::new();
    let subject = "Take what the day taught";
    let lines = ["review", "accept-all", "skip", "accept", "commit", subject];
    let answers = sample.play(&lines);
    let first = "NEW  Freeze the Clock in Tests of Holds";
    assert!(answers[1].contains(first), "{}", answers[1]);
    let question = "Commit what is accepted?";
    assert!(answers[5].starts_with(question), "{}", answers[5]);
    assert!(answers[6].starts_with("committed "), "{}", answers[6]);
    let log = sample.git(&["log", "-1", "--format=%s"]);
    assert_eq!(log.trim(), subject);
    let files = sample.git(&["show", "--name-only", "--format=", "HEAD"]);
    assert_eq!(files.lines().count(), 3, "{files}");
}

#[test]
fn explains_a_ranking_and_edits_fields_bodies_and_rows() {
    let sample = Sample::new();
    let file = ".rawko/memories/operator-tokens.md";
    let old = sample.file(".rawko/memories/hold-length.md");
    let before = sample.file(file);
    let answers = sample.play(&[
        "task add oauth integration to the booking api",
        "2",
        "browse",
        "filter operator tokens",
        "edit-fields importance=critical",
        "edit-body",
        "Tokens live for half an hour.",
        "",
        "No table holds them.",
        ".",
        "filter how long a hold lasts",
        "archive 1",
        "archive 9999",
        "edit-fields importance=vital",
        "archiev",
        "?undo",
        "zoom",
    ]);
    assert!(answers[1].contains("given as number 1, "), "{}", answers[1]);
    assert!(answers[2].contains("injected as #2"), "{}", answers[2]);
    assert!(answers[5].contains("importance"), "{}", answers[5]);
    assert!(answers[8].starts_with("archived "), "{}", answers[8]);
    assert!(answers[10].starts_with("error: "), "{}", answers[10]);
    let unknown = "error: no command is called `archiev`\nhint: did you mean `archive`";
    assert!(answers[11].starts_with(unknown), "{}", answers[11]);
    assert!(answers[12].contains("undo: undo the last change"));
    assert_eq!(answers[13], "error: `zoom` is for the screen");
    let (head, _) = before.split_once("\n---\n").unwrap();
    let head = head.replace("importance: high", "importance: critical");
    let text = sample.file(file);
    assert!(text.starts_with(&head), "{text}");
    let body = "Tokens live for half an hour.\n\nNo table holds them.\n";
    assert!(text.ends_with(body), "{text}");
    assert_eq!(sample.file(".rawko/memories/archive/hold-length.md"), old);
}
