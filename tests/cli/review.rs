//! `memkeep review`: what differs, keeping and rejecting one memory of several, committing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::Place;

mod advice;
mod decided;

/// A project with a store of each kind of file: one a memory, several in a file, rows, an index.
struct Project(Place);

const RALPH: &str = "# Memories\n\n## Patterns\n\n### mem-1769000000-0001\n> Retry the upload twice.\n<!-- tags: net | created: 2026-01-20 -->\n\n### mem-1769000000-0002\n> Ask before a release.\n<!-- tags: release | created: 2026-01-20 -->\n\n## Fixes\n\n### mem-1769000000-0003\n> The tests need Postgres.\n<!-- tags: db | created: 2026-01-21 -->\n";
const ROWS: &str = "{\"id\":\"x\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"X\",\"content\":\"Tabs.\"}\n{\"id\":\"y\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"Y\",\"content\":\"Spaces.\"}\n";
const INDEX: &str =
    "# Notes\n\n- [Builds](builds.md) — how to build\n- [Tests](tests.md) — how to test\n";

fn topic(name: &str, text: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n---\n\n{text}\n"
    )
}

impl Project {
    fn new() -> Self {
        let place = Place::sample();
        let project = Self(place);
        project.write("release.sh", "git tag\n");
        project.write(".ralph/agent/memories.md", RALPH);
        project.write("memory/items/semantic.jsonl", ROWS);
        project.write(".claude/memory/MEMORY.md", INDEX);
        project.write(".claude/memory/builds.md", &topic("Builds", "Use make."));
        project.write(".claude/memory/tests.md", &topic("Tests", "Use make test."));
        project
    }

    fn committed() -> Self {
        let project = Self::new();
        project.git(&["init", "-q", "-b", "main"]);
        project.git(&["config", "user.name", "Ada"]);
        project.git(&["config", "user.email", "ada@example.org"]);
        project.commit_all();
        project
    }

    fn commit_all(&self) {
        self.git(&["add", "-A", "."]);
        self.git(&["commit", "-q", "-m", "Sign the release"]);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.root().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name}");
        self.write(name, &text.replace(from, to));
    }

    /// Runs git as the person; what it prints.
    fn git(&self, arguments: &[&str]) -> String {
        let done = Command::new("git")
            .arg("-C")
            .arg(self.0.root())
            .args(arguments)
            .env("HOME", self.0.home())
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    fn staged(&self, name: &str) -> String {
        self.git(&["show", &format!(":{name}")])
    }

    fn ids(&self) -> String {
        self.0.ok(&["review", "--format", "quiet"])
    }
}

const NEW_ENTRY: &str =
    "### mem-1769100000-0009\n> Sign every tag.\n<!-- tags: release | created: 2026-01-22 -->\n\n";

/// A change in every store, two in files that hold several memories.
fn change(project: &Project) {
    project.replace(".ralph/agent/memories.md", "twice", "three times");
    let new = format!("## Patterns\n\n{NEW_ENTRY}");
    project.replace(".ralph/agent/memories.md", "## Patterns\n\n", &new);
    project.replace("memory/items/semantic.jsonl", "Tabs.", "Two spaces.");
    project.replace("memory/items/semantic.jsonl", "Spaces.", "Tabs.");
    project.write(".claude/memory/release.md", &topic("Release", "Tag it."));
    let index = project.read(".claude/memory/MEMORY.md");
    let index = index.replace("# Notes", "# What we know");
    let line = "- [Release](release.md) — how to release\n";
    project.write(".claude/memory/MEMORY.md", &format!("{index}{line}"));
    project.replace(".claude/memory/tests.md", "make test", "make check");
    let auth = project.0.store().join("auth.md");
    let first = fs::read_dir(project.0.store())
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let first = if auth.exists() { auth } else { first };
    fs::rename(&first, project.0.store().join("renamed-by-hand.md")).unwrap();
}

/// Sets the time of each file that differs from the last commit: reviews show it.
fn written_at(project: &Project, at: &str) {
    let at = memkeep::memory::Timestamp::parse_iso(at).unwrap().0;
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(at.unsigned_abs());
    let changed = project.git(&["status", "--porcelain", "-z", "-uall"]);
    for line in changed.split('\0').filter(|line| line.len() > 3) {
        if let Ok(file) = fs::File::options()
            .append(true)
            .open(project.path(&line[3..]))
        {
            file.set_modified(time).unwrap();
        }
    }
}

#[test]
fn every_change_is_an_entry_of_its_own() {
    let project = Project::committed();
    assert_eq!(project.ids(), "");
    change(&project);
    written_at(&project, "2026-01-30T11:00:00Z");
    insta::assert_snapshot!(project.0.told(&["review"]));
    let all = project.0.run(&["review", "--format", "json"]).json();
    let all = all.as_array().unwrap();
    let keys = [
        "id", "path", "change", "staged", "fields", "diff", "findings",
    ];
    for entry in all {
        assert!(keys.iter().all(|key| entry.get(key).is_some()), "{entry}");
    }
    let of = |change: &str| all.iter().filter(|one| one["change"] == change).count();
    assert_eq!((of("added"), of("renamed"), of("deleted")), (2, 1, 0));
    let markdown = project.0.ok(&["review", "--format", "markdown"]);
    assert!(markdown.starts_with("## Memories: "), "{markdown}");
    assert!(markdown.contains("+> Sign every tag.") || markdown.contains("+Sign every tag."));
}

#[test]
fn keeping_stages_the_bytes_of_one_memory_and_undo_takes_that_back() {
    let project = Project::committed();
    change(&project);
    let work = project.0.snapshot();
    let (ralph, rows) = (".ralph/agent/memories.md", "memory/items/semantic.jsonl");
    project.0.ok(&["review", "--keep", "mem-1769100000-0009"]);
    let expected = RALPH.replace("## Patterns\n\n", &format!("## Patterns\n\n{NEW_ENTRY}"));
    assert_eq!(project.staged(ralph), expected);
    project.0.ok(&["review", "--keep", "golemcore:y"]);
    assert_eq!(project.staged(rows), ROWS.replace("Spaces.", "Tabs."));
    // The line of the index comes with the topic, the heading does not.
    project.0.ok(&["review", "--keep", "claude:release"]);
    let line = "- [Release](release.md) — how to release\n";
    let index = ".claude/memory/MEMORY.md";
    assert_eq!(project.staged(index), format!("{INDEX}{line}"));
    project.0.ok(&["review", "--keep", "claude:MEMORY"]);
    assert_eq!(project.staged(index), project.read(index));
    project.0.ok(&["review", "--keep", "renamed-by-hand"]);
    assert!(
        project
            .git(&["diff", "--cached", "--name-status"])
            .contains("R100")
    );
    let is_journal = |path: &Path| path.components().any(|part| part.as_os_str() == ".git");
    let files = |all: Vec<(PathBuf, Vec<u8>)>| {
        let mut all = all;
        all.retain(|(path, _)| path.is_file() && !is_journal(path));
        all
    };
    assert_eq!(
        files(project.0.snapshot()),
        files(work),
        "the work tree stays as it is"
    );
    for _ in 0..5 {
        project.0.ok(&["undo"]);
    }
    assert_eq!(project.git(&["diff", "--cached"]), "");
    project.0.ok(&["redo"]);
    assert_eq!(project.staged(ralph), expected);
}

#[test]
fn rejecting_brings_the_old_version_back_and_archives_a_new_memory() {
    let project = Project::committed();
    change(&project);
    let ralph = ".ralph/agent/memories.md";
    let before = project.read(ralph);
    project.0.ok(&["review", "--keep", "mem-1769000000-0001"]);
    let said = project.0.ok(&[
        "review",
        "--reject",
        "mem-1769000000-0001",
        "--reason",
        "not so",
    ]);
    assert_eq!(said, "rejected “Retry the upload three times.”: not so\n");
    assert_eq!(project.read(ralph), before.replace("three times", "twice"));
    assert_eq!(
        project.git(&["diff", "--cached"]),
        "",
        "what was kept of it is not staged"
    );
    let said = project.0.ok(&["review", "--reject", "claude:release"]);
    assert_eq!(
        said,
        "rejected “Release” · archived in .claude/memory/archive, which is new\n"
    );
    assert!(!project.path(".claude/memory/release.md").exists());
    let index = project.read(".claude/memory/MEMORY.md");
    assert_eq!(index, INDEX.replace("# Notes", "# What we know"));
    project.0.ok(&["review", "--reject", "renamed-by-hand"]);
    assert!(!project.0.store().join("renamed-by-hand.md").exists());
    for _ in 0..3 {
        project.0.ok(&["undo"]);
    }
    assert_eq!(project.read(ralph), before);
    assert!(project.path(".claude/memory/release.md").exists());
    // A new and a changed memory of one file at once.
    let new = NEW_ENTRY.split_whitespace().nth(1).unwrap();
    let said = project
        .0
        .ok(&["review", "--reject", new, "mem-1769000000-0001"]);
    assert_eq!(
        said,
        "rejected 2 changes · archived in .ralph/agent/memories.archive.md, which is new\n"
    );
    assert_eq!(project.read(ralph), RALPH);
    project.0.ok(&["undo"]);
    assert_eq!(project.read(ralph), before);
    assert!(project.0.store().join("renamed-by-hand.md").exists());
}

#[test]
fn an_accepted_memory_that_goes_away_is_not_committed() {
    let project = Project::committed();
    change(&project);
    let ralph = ".ralph/agent/memories.md";
    let new = NEW_ENTRY.split_whitespace().nth(1).unwrap();
    let ids = [new, "mem-1769000000-0001", "claude:release"];
    project.0.ok(&[&["review", "--keep"], &ids[..]].concat());
    project
        .0
        .ok(&["promote", new, "--to-rule", "AGENTS.md", "--yes"]);
    project.0.ok(&["archive", "claude:release"]);
    let staged = project.git(&["diff", "--cached", "--name-only"]);
    assert_eq!(staged, format!("{ralph}\n"));
    assert_eq!(project.staged(ralph), RALPH.replace("twice", "three times"));
    assert_eq!(project.staged(".claude/memory/MEMORY.md"), INDEX);
    project.0.ok(&["undo"]);
    project.0.ok(&["undo"]);
    assert!(project.staged(ralph).contains(new));
    assert!(
        project
            .staged(".claude/memory/release.md")
            .contains("Tag it.")
    );
    // One that the last commit has stays in the index until its deletion is accepted.
    project.0.ok(&["archive", "mem-1769000000-0002"]);
    assert!(project.staged(ralph).contains("mem-1769000000-0002"));
}

#[test]
fn an_accepted_entry_that_moves_to_another_section_waits_again() {
    let project = Project::committed();
    change(&project);
    let new = NEW_ENTRY.split_whitespace().nth(1).unwrap();
    project.0.ok(&["review", "--keep", new]);
    let staged = || {
        let all = project.0.run(&["review", "--format", "json"]).json();
        let mut all = all.as_array().unwrap().iter();
        let own = all.find(|one| one["id"].as_str().unwrap().ends_with(new));
        own.unwrap()["staged"].clone()
    };
    let before = staged();
    project.0.ok(&["edit", new, "--set", "type=fix"]);
    assert_ne!(staged(), before);
    project.0.ok(&["review", "--keep", new]);
    assert_eq!(staged(), before);
    let ralph = project.staged(".ralph/agent/memories.md");
    let (_, fixes) = ralph.split_once("## Fixes").unwrap();
    assert!(fixes.contains(new), "{ralph}");
}

#[test]
fn a_commit_holds_what_was_kept_and_nothing_else_that_is_staged() {
    let project = Project::committed();
    project.write("code.rs", "fn main() {}\n");
    project.git(&["add", "code.rs"]);
    change(&project);
    let none = project.0.run(&["review", "--commit"]);
    assert_eq!(
        (none.code, none.err.lines().next()),
        (1, Some("error: nothing is staged"))
    );
    project
        .0
        .ok(&["review", "--keep", "golemcore:x", "mem-1769000000-0001"]);
    let hook = project.path(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(
        &hook,
        "#!/bin/sh\ngit diff --cached --name-only >\"$HOME/seen\"\n",
    )
    .unwrap();
    executable(&hook);
    let said = project.0.ok(&["review", "--commit", "-m", "Two notes"]);
    assert!(
        said.starts_with("committed ") && said.ends_with(": Two notes\n"),
        "{said}"
    );
    let seen = fs::read_to_string(project.0.home().join("seen")).unwrap();
    assert_eq!(
        seen,
        ".ralph/agent/memories.md\nmemory/items/semantic.jsonl\n"
    );
    assert_eq!(
        project.git(&["diff", "--cached", "--name-only"]),
        "code.rs\n"
    );
    let ralph = project.git(&["show", "HEAD:.ralph/agent/memories.md"]);
    assert_eq!(ralph, RALPH.replace("twice", "three times"));
    // What is committed is not unstaged: undo takes back the change before it.
    let undone = project.0.run(&["undo"]);
    assert_eq!(undone.code, 1, "{}", undone.text());
    assert_eq!(
        project.git(&["diff", "--cached", "--name-only"]),
        "code.rs\n"
    );
    // A hook that refuses is the person's; nothing is committed.
    fs::write(&hook, "#!/bin/sh\nexit 1\n").unwrap();
    project.0.ok(&["review", "--keep", "golemcore:y"]);
    assert_eq!(project.0.run(&["review", "--commit"]).code, 2);
    assert_eq!(project.git(&["rev-list", "--count", "HEAD"]), "2\n");
}

#[cfg(unix)]
fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn line_ends_filters_links_and_merges_are_respected_or_refused() {
    let project = Project::committed();
    let ralph = ".ralph/agent/memories.md";
    project.git(&["config", "core.autocrlf", "true"]);
    project.write(
        ralph,
        &RALPH.replace('\n', "\r\n").replace("twice", "thrice"),
    );
    project.0.ok(&["review", "--keep", "mem-1769000000-0001"]);
    assert_eq!(project.staged(ralph), RALPH.replace("twice", "thrice"));
    project.0.ok(&["review", "--reject", "mem-1769000000-0001"]);
    assert_eq!(project.read(ralph), RALPH.replace('\n', "\r\n"));
    project.git(&["config", "core.autocrlf", "false"]);
    project.write(ralph, RALPH);
    // Of what a filter applies to it is unknown whether it changed.
    project.write(".gitattributes", "*.jsonl filter=shout\n");
    let marker = project.0.home().join("ran");
    let filter = format!("touch {}; cat", marker.display());
    project.git(&["config", "filter.shout.clean", &filter]);
    project.replace("memory/items/semantic.jsonl", "Tabs.", "Two spaces.");
    let ran = project.0.run(&["review", "--keep", "golemcore:x"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .contains("a filter, keyword or encoding of git applies"),
        "{}",
        ran.err
    );
    // So is a new file that git would filter.
    project.write(".gitattributes", "*.md filter=shout\n");
    project.write(".claude/memory/new.md", &topic("New", "A note."));
    let ran = project.0.run(&["review", "--keep", "claude:new"]);
    assert_eq!(ran.code, 2, "{}{}", ran.text(), ran.err);
    assert!(ran.err.contains("cannot be staged"), "{}", ran.err);
    fs::remove_file(project.path(".claude/memory/new.md")).unwrap();
    assert!(!marker.exists(), "a filter ran");
    fs::remove_file(project.path(".gitattributes")).unwrap();
    project.write("memory/items/semantic.jsonl", ROWS);
    // Two branches that changed one entry.
    for (branch, word) in [("theirs", "thrice"), ("main", "once")] {
        project.git(&["checkout", "-q", "-B", branch, "main"]);
        project.write(ralph, &RALPH.replace("twice", word));
        project.commit_all();
        if branch == "theirs" {
            project.git(&["checkout", "-q", "main"]);
        }
    }
    let merge = Command::new("git")
        .arg("-C")
        .arg(project.0.root())
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "merge",
            "theirs",
        ])
        .output();
    assert!(!merge.unwrap().status.success());
    let ran = project.0.run(&["review", "--commit"]);
    assert_ne!(ran.code, 0);
    assert!(
        ran.err.contains("has conflicts") || ran.err.contains("a merge"),
        "{}",
        ran.err
    );
    // The markers are one finding, not what follows from them.
    let ran = project.0.run(&["lint", "--rule", "load-error"]);
    assert!(
        ran.text().contains("2 errors, 0 warnings"),
        "{}",
        ran.text()
    );
    assert!(ran.text().contains("memories.md:"), "{}", ran.text());
    assert!(
        ran.text().contains("has conflict markers"),
        "{}",
        ran.text()
    );
    // Nothing is decided before the merge is finished.
    project.replace("memory/items/semantic.jsonl", "Tabs.", "Two spaces.");
    for decision in ["--keep", "--reject"] {
        let ran = project.0.run(&["review", decision, "golemcore:x"]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("in the middle of a merge"), "{}", ran.err);
    }
    assert!(
        project
            .read("memory/items/semantic.jsonl")
            .contains("Two spaces.")
    );
    let staged = project.git(&["diff", "--cached", "--name-only"]);
    assert!(!staged.contains("semantic"), "{staged}");
}

#[test]
fn another_program_that_holds_the_index_is_waited_for_by_nobody() {
    let project = Project::committed();
    change(&project);
    project.write(".git/index.lock", "");
    let ran = project.0.run(&["review", "--keep", "golemcore:x"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    fs::remove_file(project.path(".git/index.lock")).unwrap();
    assert_eq!(project.git(&["diff", "--cached"]), "");
    project.0.ok(&["review", "--keep", "golemcore:x"]);
}
