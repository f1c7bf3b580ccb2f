//! `memkeep review`: what differs, keeping and rejecting one memory of several, committing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::Place;

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
        all.retain(|(path, _)| {
            path.is_file() && !is_journal(path) && !path.ends_with("memories.md.lock")
        });
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
    project.0.ok(&["review", "--reject", "claude:release"]);
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
    assert!(project.0.store().join("renamed-by-hand.md").exists());
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

#[test]
fn outside_of_git_the_last_review_is_the_base() {
    let project = Project::new();
    let first = project.0.run(&["review"]);
    assert!(first.err.contains("count as reviewed"), "{}", first.err);
    change(&project);
    let ids = project.ids();
    assert!(ids.contains("ralph:mem-1769100000-0009"), "{ids}");
    project.0.ok(&["review", "--keep", "mem-1769100000-0009"]);
    assert!(!project.ids().contains("mem-1769100000-0009"));
    project.0.ok(&["undo"]);
    assert_eq!(project.ids(), ids);
    project.0.ok(&["review", "--reject", "mem-1769000000-0001"]);
    assert!(project.read(".ralph/agent/memories.md").contains("twice"));
    assert_eq!(project.0.run(&["review", "--commit"]).code, 1);
}

#[test]
fn outside_of_git_every_kept_change_is_taken_back_after_all_are_kept() {
    let project = Project::new();
    project.0.run(&["review"]);
    change(&project);
    let ids = project.ids();
    for id in ids.lines() {
        project.0.ok(&["review", "--keep", id]);
    }
    assert_eq!(project.ids(), "");
    // What is kept is the base of the next change.
    project.replace("memory/items/semantic.jsonl", "Two spaces.", "Four.");
    let diff = project.0.ok(&["review", "--format", "markdown"]);
    assert!(diff.contains("-") && diff.contains("Two spaces."), "{diff}");
    project.replace("memory/items/semantic.jsonl", "Four.", "Two spaces.");
    for _ in ids.lines() {
        assert!(project.ids().lines().count() < ids.lines().count());
        project.0.ok(&["undo"]);
    }
    assert_eq!(project.ids(), ids);
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
fn an_index_line_stands_on_the_card_of_its_topic() {
    let project = Project::committed();
    change(&project);
    let all = project.0.run(&["review", "--format", "json"]).json();
    let diff = |id: &str| {
        let mut all = all.as_array().unwrap().iter();
        let entry = all.find(|one| one["id"] == id);
        entry.map(|one| one["diff"].as_str().unwrap().to_owned())
    };
    let index = diff("claude:MEMORY").unwrap();
    assert!(index.contains("+# What we know"), "{index}");
    assert!(!index.contains("release.md"), "{index}");
    let topic = diff("claude:release").unwrap();
    let line = "+++ .claude/memory/MEMORY.md\n";
    assert!(topic.contains(line), "{topic}");
    assert!(topic.contains("+- [Release](release.md)"), "{topic}");
    assert!(!topic.contains("What we know"), "{topic}");
    assert!(!diff("claude:tests").unwrap().contains("MEMORY"));
}

#[test]
fn what_only_changes_its_number_is_no_change() {
    let row = |id: &str, text: &str| {
        format!(
            "{{\"id\":\"{id}\",\"layer\":\"SEMANTIC\",\"type\":\"PREFERENCE\",\"title\":\"{text}\",\"content\":\"{text}.\"}}\n"
        )
    };
    let (a, b, c) = (row("x", "Tabs"), row("x", "Spaces"), row("z", "Make"));
    let cut = "{\"id\":\"cut-off\n";
    let ralph = |n: u32, text: &str| {
        format!("### mem-{n}\n> {text}\n<!-- tags: a | created: 2026-01-20 -->\n\n")
    };
    let head = "# Memories\n\n## Patterns\n\n";
    let (one, two) = (ralph(1_769_000_000, "one"), ralph(1_769_000_000, "two"));
    let (rows, notes) = ("memory/items/semantic.jsonl", ".ralph/agent/memories.md");
    for (file, before, after, deleted) in [
        (
            rows,
            format!("{a}{c}{cut}"),
            format!("{a}{cut}"),
            "golemcore:z",
        ),
        (rows, format!("{a}{b}{c}"), format!("{b}{c}"), "golemcore:x"),
        (
            rows,
            format!("{a}{b}{c}"),
            format!("{a}{c}"),
            "golemcore:x#2",
        ),
        (
            notes,
            format!("{head}{one}{two}"),
            format!("{head}{two}"),
            "ralph:mem-1769000000",
        ),
    ] {
        let project = Project::new();
        project.write(file, &before);
        project.git(&["init", "-q", "-b", "main"]);
        project.git(&["config", "user.name", "Ada"]);
        project.git(&["config", "user.email", "ada@example.org"]);
        project.commit_all();
        project.write(file, &after);
        let all = project.0.run(&["review", "--format", "json"]).json();
        let found: Vec<(&str, &str)> = all
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["change"].as_str().unwrap(), one["id"].as_str().unwrap()))
            .collect();
        assert_eq!(found, [("deleted", deleted)], "{file} {after}");
        project.0.ok(&["review", "--keep", deleted]);
        assert_eq!(project.staged(file), after);
        project.0.ok(&["undo"]);
        project.0.ok(&["review", "--reject", deleted]);
        assert_eq!(project.read(file), before);
    }
}

#[test]
fn why_a_memory_is_archived_is_known_whatever_archived_it() {
    let project = Project::committed();
    let archived = |id: &str| {
        let shown = project.0.ok(&["show", id]);
        let line = shown
            .lines()
            .find_map(|line| line.strip_prefix("archived "));
        line.unwrap_or_default().trim().to_owned()
    };
    project.0.ok(&["add", "Pin the image", "--store", "rawko"]);
    let new = format!("## Patterns\n\n{NEW_ENTRY}");
    project.replace(".ralph/agent/memories.md", "## Patterns\n\n", &new);
    for id in ["rawko:pin-the-image", "ralph:mem-1769100000-0009"] {
        project
            .0
            .ok(&["review", "--reject", id, "--reason", "a raw log"]);
    }
    for (id, what) in [
        ("rawko:archive/pin-the-image", "“Pin the image”"),
        ("ralph:archive/mem-1769100000-0009", "“Sign every tag.”"),
    ] {
        assert_eq!(
            archived(id),
            format!("on 2026-01-30: rejected {what}: a raw log")
        );
    }
    // Of several stores in one step, with a reason for each memory.
    project.commit_all();
    let old = project.0.run(&["prune", "--older", "7d"]);
    assert_eq!(old.code, 0, "{}", old.err);
    assert!(
        old.text().starts_with("archived ") && !old.text().contains('“'),
        "{}",
        old.text()
    );
    for line in old
        .err
        .lines()
        .filter(|line| line.starts_with("ralph:") || line.starts_with("golemcore:"))
    {
        let (id, why) = line.split_once(": ").unwrap();
        let (store, local) = id.split_once(':').unwrap();
        let known = archived(&format!("{store}:archive/{local}"));
        assert!(
            known.starts_with("on 2026-01-30: archived ") && known.ends_with(why),
            "{id}: {known}"
        );
    }
}

#[test]
fn a_change_is_as_old_as_its_file_and_has_an_author_only_if_it_names_one() {
    let project = Project::committed();
    change(&project);
    project.0.ok(&[
        "add",
        "Pin the image",
        "--store",
        "rawko",
        "--set",
        "discoveredBy=codex",
    ]);
    project.replace(".ralph/agent/memories.md", "Ask before", "Never ask before");
    written_at(&project, "2026-01-30T11:00:00Z");
    let all = project.0.run(&["review", "--format", "json"]).json();
    let all = all.as_array().unwrap();
    for entry in all {
        let written = match entry["change"].as_str().unwrap() {
            "renamed" => continue,
            _ => entry["written"].as_str().unwrap_or_default(),
        };
        assert_eq!(written, "2026-01-30T11:00:00Z", "{entry}");
        let author = (entry["id"] == "rawko:pin-the-image").then_some("codex");
        assert_eq!(entry["author"].as_str(), author, "{entry}");
    }
}

const FORGET: &str = "{\"version\":1,\"action\":\"forget\",\"store\":\"claude\",\"id\":\"claude:builds\",\"by\":\"codex\",\"why\":\"gone\"}";

#[test]
fn a_kept_proposal_is_staged_whole_and_committed_under_the_id_of_the_memory() {
    let project = Project::new();
    project.write(
        ".claude/memory/tests.md",
        &topic("Tests", "See [builds](builds.md)."),
    );
    project.git(&["init", "-q", "-b", "main"]);
    project.git(&["config", "user.name", "Ada"]);
    project.git(&["config", "user.email", "ada@example.org"]);
    project.commit_all();
    let add = "{\"version\":1,\"action\":\"add\",\"store\":\"ralph\",\"fields\":{\"tags\":[\"net\"]},\"body\":\"Time out after a minute.\",\"by\":\"codex\"}";
    project.write(".memkeep/proposals/20260130T100000Z-0011aabb.json", add);
    project.write(".memkeep/proposals/20260130T100001Z-0011aabc.json", FORGET);
    // What waits beside a proposal is not staged with it.
    project.replace(".ralph/agent/memories.md", "twice", "three times");
    let all = project.0.run(&["review", "--format", "json"]).json();
    let all = all.as_array().unwrap();
    let of = |id: &str| all.iter().find(|one| one["id"] == id).unwrap();
    let shown = of("claude:builds")["diff"].as_str().unwrap();
    assert!(shown.contains("-- [Builds](builds.md)"), "{shown}");
    assert!(shown.contains("+++ .claude/memory/tests.md\n"), "{shown}");
    let added = all.iter().find(|one| one["change"] == "added").unwrap();
    let added = added["id"].as_str().unwrap();
    project
        .0
        .ok(&["review", "--keep", added, "--keep", "claude:builds"]);
    let all = project.0.run(&["review", "--format", "json"]).json();
    for entry in all.as_array().unwrap() {
        let waits = entry["id"] == "ralph:mem-1769000000-0001";
        assert_eq!(entry["staged"], !waits, "{entry}");
    }
    let notes = project.staged(".ralph/agent/memories.md");
    assert!(
        notes.contains("Time out after a minute.") && notes.contains("twice"),
        "{notes}"
    );
    project.0.ok(&["review", "--commit"]);
    let message = project.git(&["log", "-1", "--format=%B"]);
    assert!(!message.contains("proposal"), "{message}");
    assert!(message.contains("(ralph:mem-"), "{message}");
    assert_eq!(project.ids(), "ralph:mem-1769000000-0001\n");
}

#[test]
fn a_proposal_kept_outside_of_git_is_one_decision_too() {
    let project = Project::new();
    project.0.run(&["review"]);
    project.write(".memkeep/proposals/20260130T100001Z-0011aabc.json", FORGET);
    assert_eq!(project.ids(), "claude:builds\n");
    project.0.ok(&["review", "--keep", "claude:builds"]);
    assert_eq!(project.ids(), "");
    project.0.ok(&["undo"]);
    assert_eq!(project.ids(), "claude:builds\n");
}

#[test]
fn proposals_are_kept_and_rejected_as_changes_are() {
    let project = Project::committed();
    let first = project
        .0
        .ok(&["list", "--store", "rawko", "--format", "quiet"]);
    let first = first.lines().next().unwrap().to_owned();
    let add = "{\"version\":1,\"action\":\"add\",\"store\":\"rawko\",\"id\":null,\"fields\":{\"title\":\"Use vitest\",\"whenToUse\":[\"vitest\"],\"importance\":\"high\"},\"body\":\"Vitest runs the tests.\",\"by\":\"claude\",\"from\":null,\"task\":null,\"why\":\"it came up twice\",\"confidence\":0.8,\"created\":\"2026-01-30T10:00:00Z\"}";
    let edit = format!(
        "{{\"version\":1,\"action\":\"edit\",\"store\":\"rawko\",\"id\":\"{first}\",\"fields\":{{\"importance\":\"critical\"}},\"body\":null,\"by\":\"claude\",\"why\":\"seen in use\"}}"
    );
    project.write(".memkeep/proposals/20260130T100000Z-0011aabb.json", add);
    project.write(".memkeep/proposals/20260130T100001Z-0011aabc.json", &edit);
    project.write(".memkeep/proposals/broken.json", "{\"version\":1,");
    insta::assert_snapshot!(project.0.told(&["proposals"]));
    project.0.ok(&["review", "--keep", "rawko:use-vitest"]);
    let text = fs::read_to_string(project.0.store().join("use-vitest.md")).unwrap();
    assert!(
        text.contains("discoveredBy: claude") && text.contains("Vitest runs the tests."),
        "{text}"
    );
    project
        .0
        .ok(&["review", "--reject", &first, "--reason", "it is not"]);
    let rejected = project.read(".memkeep/rejected.jsonl");
    assert!(rejected.contains("\"reason\":\"it is not\""), "{rejected}");
    assert_eq!(project.0.ok(&["proposals", "--format", "quiet"]), "");
    project.0.ok(&["undo"]);
    project.0.ok(&["undo"]);
    assert_eq!(
        project
            .0
            .ok(&["proposals", "--format", "quiet"])
            .lines()
            .count(),
        2
    );
}
