//! `kill -9` at random moments of staging, committing and merging, with another git at work: the
//! index, the history and the merged file are the old ones or the new ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::killing::{Numbers, kill_after};
use crate::program::program;
use crate::repository::git;

/// The file of memories, below the root.
const FILE: &str = ".ralph/agent/memories.md";
/// Git gives its lock back within this time.
const PATIENCE: Duration = Duration::from_secs(20);

/// A file of three memories that say this.
fn memories(texts: [&str; 3]) -> String {
    let one = |(n, text): (usize, &str)| {
        format!("\n### mem-1769000000-000{n}\n> {text}\n<!-- tags: a | created: 2026-01-20 -->\n")
    };
    let all: String = texts.into_iter().enumerate().map(one).collect();
    format!("# Memories\n\n## Patterns\n{all}")
}

/// A repository with three changed memories in one file.
struct Repository {
    ground: TempDir,
    base: String,
    work: String,
}

impl Repository {
    fn new() -> Self {
        let this = Self {
            ground: TempDir::new().unwrap(),
            base: memories(["Retry twice.", "Ask before a release.", "Use Postgres."]),
            work: memories(["Retry three times.", "Ask Ines first.", "Use SQLite."]),
        };
        fs::create_dir_all(this.root().join(".ralph/agent")).unwrap();
        fs::create_dir_all(this.home()).unwrap();
        this.git(&["init", "-q", "-b", "main"]);
        for (name, value) in [("user.name", "Ada"), ("user.email", "ada@example.org")] {
            this.git(&["config", name, value]);
        }
        fs::write(this.file(), &this.base).unwrap();
        this.git(&["add", "-A", "."]);
        this.git(&["commit", "-q", "-m", "base"]);
        fs::write(this.file(), &this.work).unwrap();
        this
    }

    fn root(&self) -> PathBuf {
        self.ground.path().join("work")
    }

    fn home(&self) -> PathBuf {
        self.ground.path().join("home")
    }

    fn file(&self) -> PathBuf {
        self.root().join(FILE)
    }

    fn git(&self, arguments: &[&str]) -> String {
        let done = git(&self.root()).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    fn memkeep(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = program(&self.root(), &self.home());
        command.args(arguments);
        command
    }

    /// What is staged of the file.
    fn staged(&self) -> String {
        self.git(&["show", &format!(":{FILE}")])
    }

    /// Waits until the git that the killed program started has ended.
    fn settle(&self) {
        let begun = Instant::now();
        while self.root().join(".git/index.lock").exists() {
            assert!(begun.elapsed() < PATIENCE, "the index stays locked");
            std::thread::yield_now();
        }
    }
}

const KEEP: &[&str] = &["review", "--keep", "mem-1769000000-0001"];
const COMMIT: &[&str] = &["review", "--commit", "-m", "kept"];

/// So many kills of each kind.
pub fn run(rounds: u64, seed: u64) {
    let repository = Repository::new();
    let mut numbers = Numbers((seed ^ 0x57a6) | 1);
    // What each step makes of it where it is not killed, and how long it takes.
    let begun = Instant::now();
    assert!(repository.memkeep(KEEP).output().unwrap().status.success());
    let keeping = u64::try_from(begun.elapsed().as_micros()).unwrap();
    let kept = repository.staged();
    assert_eq!(
        kept,
        repository
            .base
            .replace("Ask before a release.", "Ask Ines first.")
    );
    let mut new = [0, 0, 0];
    for round in 1..=rounds {
        repository.git(&["reset", "-q"]);
        let mut child = repository.memkeep(KEEP).spawn().unwrap();
        // Somebody else stages a file at the same time; one of the two may be refused.
        fs::write(repository.root().join("other.txt"), format!("{round}\n")).unwrap();
        let mut other = git(&repository.root());
        let mut other = other.args(["add", "other.txt"]).spawn().unwrap();
        kill_after(&mut child, numbers.below(keeping + keeping / 4));
        other.wait().unwrap();
        repository.settle();
        let staged = repository.staged();
        assert!(
            staged == repository.base || staged == kept,
            "seed {seed}, round {round}: {staged}"
        );
        new[0] += usize::from(staged == kept);

        repository.git(&["reset", "-q"]);
        assert!(repository.memkeep(KEEP).output().unwrap().status.success());
        let before = repository.git(&["rev-parse", "HEAD"]);
        let mut commit = repository.memkeep(COMMIT);
        let mut child = commit.stdout(Stdio::null()).spawn().unwrap();
        kill_after(&mut child, numbers.below(2 * keeping));
        repository.settle();
        // Of a commit git may still be about to write the reference.
        repository.git(&["status", "--porcelain"]);
        let committed = repository.git(&["show", &format!("HEAD:{FILE}")]);
        let case = format!("seed {seed}, round {round}: {committed}");
        assert!(committed == repository.base || committed == kept, "{case}");
        assert_eq!(repository.staged(), kept, "{case}");
        new[1] += usize::from(committed == kept);
        repository.git(&["update-ref", "HEAD", before.trim()]);

        let is_merged = merged(&repository, &mut numbers, keeping);
        new[2] += usize::from(is_merged);
        assert_eq!(
            fs::read_to_string(repository.file()).unwrap(),
            repository.work,
            "{case}"
        );
        let listed = repository
            .memkeep(&["list", "--format", "quiet"])
            .output()
            .unwrap();
        assert_eq!(
            listed.stdout.iter().filter(|byte| **byte == b'\n').count(),
            3,
            "{case}"
        );
    }
    repository.git(&["fsck", "--no-dangling"]);
    let [kept, committed, merged] = new;
    println!("{rounds} kills each: {kept} times staged, {committed} committed, {merged} merged");
}

/// So many pairs of keeps of one file, some with a `git add` of it, each a little later than the
/// other: what ends well is staged.
pub fn pairs(rounds: u64, seed: u64) {
    let repository = Repository::new();
    let mut numbers = Numbers((seed ^ 0x9a12) | 1);
    let kept = [
        ("mem-1769000000-0000", "Retry three times."),
        ("mem-1769000000-0001", "Ask Ines first."),
    ];
    let mut refused = 0;
    for round in 1..=rounds {
        repository.git(&["reset", "-q"]);
        let start = |id| {
            let mut keep = repository.memkeep(&["review", "--keep", id]);
            keep.stdout(Stdio::null()).spawn().unwrap()
        };
        let mut first = start(kept[0].0);
        std::thread::sleep(Duration::from_millis(numbers.below(80)));
        let mut second = start(kept[1].0);
        let mut add = git(&repository.root());
        let mut add = (round % 4 == 0).then(|| add.args(["add", FILE]).spawn().unwrap());
        let done = [&mut first, &mut second].map(|child| child.wait().unwrap().success());
        let added = add.as_mut().map(|add| add.wait().unwrap().success());
        repository.settle();
        let staged = repository.staged();
        let case = format!("seed {seed}, round {round}: {done:?} {added:?} {staged}");
        for ((_, text), done) in kept.iter().zip(done) {
            assert!(!done || staged.contains(text), "{case}");
            refused += u64::from(!done);
        }
        assert!(added != Some(true) || staged == repository.work, "{case}");
    }
    println!("{rounds} pairs of keeps: {refused} were refused, none was lost");
}

/// Kills the merge driver; whether its result was written.
fn merged(repository: &Repository, numbers: &mut Numbers, whole: u64) -> bool {
    let folder = repository.ground.path().join("merge");
    fs::create_dir_all(&folder).unwrap();
    let ours = memories([
        "Retry three times.",
        "Ask before a release.",
        "Use Postgres.",
    ]);
    let theirs = memories(["Retry twice.", "Ask before a release.", "Use SQLite."]);
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name)
    };
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let sides = [("O", &repository.base), ("A", &ours), ("B", &theirs)];
    let sides = sides.map(|(name, text)| path(&write(name, text)));
    let [base, mine, other] = &sides;
    let arguments = ["merge-driver", base, mine, other, FILE];
    let mut child = repository.memkeep(&arguments).spawn().unwrap();
    kill_after(&mut child, numbers.below(whole / 2));
    let text = fs::read_to_string(folder.join("A")).unwrap();
    let both = memories(["Retry three times.", "Ask before a release.", "Use SQLite."]);
    assert!(text == ours || text == both, "{text}");
    text == both
}
