//! A store of the user's, changed from two projects: its history goes with it.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use tempfile::TempDir;

use crate::place::PLAIN;
use crate::program::program;

const ROWS: &str = "{\"id\":\"x\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"X\",\"content\":\"Tabs.\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}\n{\"id\":\"y\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"Y\",\"content\":\"Spaces.\",\"updatedAt\":\"2026-01-10T00:00:00Z\"}\n";

/// Two projects with a store each, and one of the user's.
struct Two(TempDir);

impl Two {
    fn new() -> Self {
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

    fn project(&self, name: &str) -> PathBuf {
        self.0.path().join("home").join(name)
    }

    fn rows(&self) -> PathBuf {
        let memory = self.project(".golemcore/workspace/memory");
        memory.join("items/semantic.jsonl")
    }

    fn own(&self, project: &str) -> String {
        fs::read_to_string(self.project(project).join(".rawko/memories/own.md")).unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(self.rows()).unwrap()
    }

    fn run(&self, project: &str, arguments: &[&str]) -> Output {
        let home = self.0.path().join("home");
        let mut command = program(&self.project(project), &home);
        command.args(arguments).output().unwrap()
    }

    fn ok(&self, project: &str, arguments: &[&str]) -> String {
        let out = self.run(project, arguments);
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success(), "{arguments:?}: {told}");
        told
    }

    /// The journals that name a file.
    fn journals(&self, name: &str) -> Vec<PathBuf> {
        let state = self.0.path().join("home/state/memkeep");
        let folders = fs::read_dir(state).unwrap().flatten();
        let all = folders.map(|folder| folder.path().join("journal.jsonl"));
        let names = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(name));
        all.filter(names).collect()
    }
}

#[test]
fn a_step_is_taken_back_from_every_project_that_shows_the_store() {
    let two = Two::new();
    two.ok("a", &["edit", "rawko:own", "--set", "importance=high"]);
    two.ok("a", &["edit", "golemcore:x", "--set", "title=From a"]);
    two.ok("b", &["edit", "golemcore:y", "--set", "title=From b"]);
    two.ok("b", &["edit", "rawko:own", "--set", "importance=high"]);
    assert_eq!(
        two.journals("semantic.jsonl").len(),
        1,
        "the store has one history"
    );
    // The last one of the store, then the one before it: neither knows of the other's own store.
    two.ok("a", &["undo"]);
    assert!(two.text().contains("From a") && !two.text().contains("From b"));
    two.ok("a", &["undo"]);
    assert_eq!(two.text(), ROWS);
    two.ok("a", &["undo"]);
    assert_eq!(two.own("a"), PLAIN);
    assert_eq!(two.run("a", &["undo"]).status.code(), Some(1));
    two.ok("b", &["redo"]);
    assert!(two.text().contains("From a"));
    two.ok("b", &["undo"]);
    two.ok("b", &["undo"]);
    assert_eq!(
        (two.text(), two.own("b")),
        (ROWS.to_owned(), PLAIN.to_owned())
    );
}

#[test]
fn a_step_over_stores_of_two_homes_is_one_step() {
    let two = Two::new();
    two.ok("a", &["archive", "rawko:own", "golemcore:x"]);
    assert!(!two.text().contains("Tabs."));
    two.ok("b", &["undo"]);
    assert_eq!(
        (two.text(), two.own("a")),
        (ROWS.to_owned(), PLAIN.to_owned())
    );
    two.ok("a", &["redo"]);
    assert!(!two.text().contains("Tabs."));
    two.ok("a", &["undo"]);
    assert_eq!(
        (two.text(), two.own("a")),
        (ROWS.to_owned(), PLAIN.to_owned())
    );
}

#[test]
fn what_one_project_left_in_the_middle_is_settled_from_the_other() {
    let two = Two::new();
    two.ok("a", &["edit", "golemcore:x", "--set", "title=From a"]);
    let [journal] = &two.journals("semantic.jsonl")[..] else {
        panic!()
    };
    let text = fs::read_to_string(journal).unwrap();
    let plan = text.lines().next().unwrap();
    let token: serde_json::Value = serde_json::from_str(plan).unwrap();
    let token = token["temporary"].as_str().unwrap().to_owned();
    // Killed before the exchange, beside a file that is somebody else's.
    fs::write(journal, format!("{plan}\n")).unwrap();
    let edited = two.text();
    fs::write(two.rows(), ROWS).unwrap();
    let beside = |name: &str| two.rows().with_file_name(name);
    let own = beside(&format!(".memkeep-{token}-0.tmp"));
    fs::write(&own, &edited[..edited.len() / 2]).unwrap();
    fs::write(beside(".memkeep-zzzz.tmp"), "not ours\n").unwrap();
    let told = two.ok("b", &["list"]);
    assert!(told.contains(".memkeep-zzzz.tmp is left alone"), "{told}");
    assert!(!own.exists());
    assert_eq!(two.text(), ROWS);
    assert_eq!(
        fs::read_to_string(beside(".memkeep-zzzz.tmp")).unwrap(),
        "not ours\n"
    );
    two.ok("b", &["edit", "golemcore:y", "--set", "title=From b"]);
    assert_eq!(two.ok("a", &["list"]), "");
    two.ok("a", &["undo"]);
    assert_eq!(two.text(), ROWS);
}
