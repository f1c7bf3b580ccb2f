//! A store of the user's and two projects that show it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::place::PLAIN;
use crate::program::program;

pub const ROWS: &str = "{\"id\":\"x\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"X\",\"content\":\"Tabs.\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}\n{\"id\":\"y\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"Y\",\"content\":\"Spaces.\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}\n";

/// Two projects with a store each, and one of the user's.
pub struct Two(TempDir);

impl Two {
    pub fn new() -> Self {
        let two = Self(tempfile::tempdir().unwrap());
        for project in ["a", "b"] {
            let store = two.project(project).join(".rawko/memories");
            fs::create_dir_all(&store).unwrap();
            fs::create_dir(two.project(project).join(".git")).unwrap();
            fs::write(store.join("own.md"), PLAIN).unwrap();
        }
        fs::create_dir_all(two.rows().parent().unwrap()).unwrap();
        fs::write(two.rows(), ROWS).unwrap();
        two
    }

    pub fn project(&self, name: &str) -> PathBuf {
        self.0.path().join("home").join(name)
    }

    pub fn rows(&self) -> PathBuf {
        let memory = self.project(".golemcore/workspace/memory");
        memory.join("items/semantic.jsonl")
    }

    pub fn own(&self, project: &str) -> String {
        fs::read_to_string(self.project(project).join(".rawko/memories/own.md")).unwrap()
    }

    pub fn text(&self) -> String {
        fs::read_to_string(self.rows()).unwrap()
    }

    pub fn command(&self, project: &str, arguments: &[&str]) -> Command {
        let home = self.0.path().join("home");
        let mut command = program(&self.project(project), &home);
        command
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    pub fn run(&self, project: &str, arguments: &[&str]) -> Output {
        let mut command = self.command(project, arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.output().unwrap()
    }

    pub fn ok(&self, project: &str, arguments: &[&str]) -> String {
        let out = self.run(project, arguments);
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success(), "{arguments:?}: {told}");
        told
    }

    /// The journals that name a file.
    pub fn journals(&self, name: &str) -> Vec<PathBuf> {
        let state = self.0.path().join("home/state/memkeep");
        let folders = fs::read_dir(state).unwrap().flatten();
        let all = folders.map(|folder| folder.path().join("journal.jsonl"));
        let names = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(name));
        all.filter(names).collect()
    }
}
