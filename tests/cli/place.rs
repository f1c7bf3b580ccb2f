//! A project in a temporary folder, and the program in it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::program::program;
pub use crate::ran::Ran;

/// The clock of every call.
pub const NOW: &str = "2026-01-30T12:00:00Z";

pub struct Place {
    dir: TempDir,
}

impl Place {
    /// A project without a store.
    pub fn bare() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("p")).unwrap();
        fs::create_dir_all(dir.path().join("home")).unwrap();
        Self { dir }
    }

    /// A project with an empty store.
    pub fn empty() -> Self {
        let place = Self::bare();
        fs::create_dir_all(place.store()).unwrap();
        place
    }

    /// A project with a few memories.
    pub fn sample() -> Self {
        let place = Self::empty();
        for (name, text) in SAMPLE {
            place.write(name, text);
        }
        place
    }

    pub fn root(&self) -> PathBuf {
        self.dir.path().join("p")
    }

    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub fn store(&self) -> PathBuf {
        self.root().join(".rawko/memories")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.store().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    /// Every file of the project and its bytes.
    pub fn snapshot(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn walk(folder: &Path, all: &mut Vec<(PathBuf, Vec<u8>)>) {
            let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let (path, kind) = (entry.path(), entry.file_type().unwrap());
                if kind.is_symlink() {
                    let to = fs::read_link(&path).unwrap();
                    all.push((path, to.as_os_str().as_encoded_bytes().to_vec()));
                } else if kind.is_dir() {
                    all.push((path.clone(), Vec::new()));
                    walk(&path, all);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    all.push((path, bytes));
                }
            }
        }
        let mut all = Vec::new();
        walk(&self.root(), &mut all);
        all
    }

    /// The program, ready to run in a folder of the project.
    pub fn command(&self, folder: &Path) -> Command {
        program(folder, &self.home())
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.command(&self.root());
        clocked(&mut command, args);
        command.output().unwrap().into()
    }

    /// The same in a folder below the project.
    pub fn run_in(&self, folder: &Path, args: &[&str]) -> Ran {
        let mut command = self.command(folder);
        clocked(&mut command, args);
        command.output().unwrap().into()
    }

    /// The same with a text on standard input.
    pub fn run_with(&self, input: &[u8], args: &[&str]) -> Ran {
        let mut command = self.command(&self.root());
        clocked(&mut command, args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that does not read its input closes it.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap().into()
    }

    pub fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}{}", ran.text(), ran.err);
        ran.text()
    }

    /// A call as a person would see it.
    pub fn told(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        let quoted = |arg: &&str| {
            if arg.is_empty() || arg.contains([' ', '"', '#', '|', '*', '\n']) {
                format!("{arg:?}")
            } else {
                (*arg).to_owned()
            }
        };
        let args: Vec<String> = args.iter().map(quoted).collect();
        let text = format!(
            "$ memkeep {}\n{}{}[exit {}]\n",
            args.join(" "),
            ran.text(),
            ran.err,
            ran.code
        );
        self.redacted(&text)
    }

    pub fn all_told(&self, calls: &[&[&str]]) -> String {
        let told: Vec<String> = calls.iter().map(|args| self.told(args)).collect();
        told.join("\n")
    }

    pub fn redacted(&self, text: &str) -> String {
        let real = fs::canonicalize(self.dir.path()).unwrap();
        // The numbers of errors differ between systems.
        let mut plain = String::new();
        for (n, part) in text.split(" (os error ").enumerate() {
            let rest = part.split_once(')').map_or(part, |(_, rest)| rest);
            plain.push_str(if n == 0 { part } else { rest });
        }
        plain
            .replace(&real.display().to_string(), "[tmp]")
            .replace(&self.dir.path().display().to_string(), "[tmp]")
    }
}

fn clocked(command: &mut Command, args: &[&str]) {
    if !args.contains(&"--now") {
        command.args(["--now", NOW]);
    }
    command.args(args);
}

/// A store in which every column has something to show.
pub const SAMPLE: &[(&str, &str)] = &[
    (
        "auth-flow.md",
        "---\ntitle: \"Auth Flow\" # keep\nwhenToUse: [\"login|oauth\"]\ntags: [auth, security]\nimportance: high\ndiscoveredAt: \"2026-01-29T12:00:00Z\"\ndiscoveredBy: developer\n---\n\n# Auth Flow\n\nThe token is checked in `src/auth.ts`.\n",
    ),
    (
        "deploy.md",
        "---\ntitle: Deploy on Tuesdays\nwhenToUse:\n  - deploy\ntags:\n  - ops\nimportance: low\ndiscoveredAt: \"2025-06-01\"\ndiscoveredBy: planner\nrelatedMemories: [auth-flow.md]\n---\n\n# Deploy on Tuesdays\n\nNever on a Friday.\n\n---\n\n---\ntitle: Rollback\nwhenToUse: [rollback]\ntags: [ops]\nimportance: critical\ndiscoveredAt: \"2026-01-01\"\ndiscoveredBy: planner\n---\n\n# Rollback\n\nUse the last tag.\n",
    ),
    (
        "broken.md",
        "---\ntitle: Broken: yes\ntags: [x]\n---\n\nStill readable.\n",
    ),
    (
        "archive/old.md",
        "---\ntitle: Old News\nwhenToUse: [news]\ntags: []\nimportance: low\ndiscoveredAt: \"2024-01-01\"\ndiscoveredBy: planner\n---\n\n# Old News\n\nGone.\n",
    ),
    (
        "windows.md",
        "---\r\ntitle: Windows\r\nwhenToUse: [crlf]\r\ntags: [ops]\r\nimportance: medium\r\ndiscoveredAt: \"2026-01-02\"\r\ndiscoveredBy: tester\r\n---\r\n\r\n# Windows\r\n\r\nLine ends.",
    ),
];
