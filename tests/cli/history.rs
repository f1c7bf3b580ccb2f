//! The versions of a memory, bringing one back, and the list of changes.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;

use crate::place::Place;

const POOL: &str = "---\ntitle: Pool size\nwhenToUse: [pool]\ntags: [db]\nimportance: low\ndiscoveredAt: \"2026-01-01\"\ndiscoveredBy: developer\n---\n\n# Pool size\n\nThe pool holds ten connections.\n\nNever more.\n";
const SECOND: &str = "\n---\n\n---\ntitle: Second\nwhenToUse: [x]\ntags: []\nimportance: low\ndiscoveredAt: \"2026-01-01\"\ndiscoveredBy: developer\n---\n\nSecond text.\n";
const ENTRIES: &str = "# Memories\n\n## Patterns\n\n### mem-1769600000-00a1\n> one text\n<!-- tags: a | created: 2026-01-01 -->\n\n### mem-1769600000-00a2\n> two text\n<!-- tags: b | created: 2026-01-01 -->\n\n## Fixes\n";
const RALPH: &str = ".ralph/agent/memories.md";

fn git(place: &Place, args: &[&str], (day, who): (&str, &str)) {
    let date = format!("{day}T12:00:00Z");
    let done = Command::new("git")
        .current_dir(place.root())
        .args(["-c", &format!("user.name={who}"), "-c", "user.email=a@b"])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_AUTHOR_DATE", &date)
        .env("GIT_COMMITTER_DATE", &date)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

fn commit(place: &Place, day: &str, who: &str, subject: &str) {
    git(place, &["add", "-A"], (day, who));
    git(place, &["commit", "-qm", subject], (day, who));
}

fn edit(place: &Place, path: &str, pairs: &[(&str, &str)]) {
    let path = place.root().join(path);
    let mut text = fs::read_to_string(&path).unwrap();
    for (from, to) in pairs {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    fs::write(path, text).unwrap();
}

/// A repository with five commits in which memories are changed, renamed and taken away.
fn place() -> Place {
    let place = Place::empty();
    git(&place, &["init", "-q", "-b", "main"], ("2026-01-01", "Ann"));
    place.write("pool.md", POOL);
    place.write("two.md", format!("{POOL}{SECOND}"));
    fs::create_dir_all(place.root().join(".ralph/agent")).unwrap();
    fs::write(place.root().join(RALPH), ENTRIES).unwrap();
    commit(&place, "2026-01-02", "Ann", "First notes");
    let pool = [
        ("importance: low", "importance: high"),
        ("holds ten", "holds 25"),
    ];
    edit(&place, ".rawko/memories/pool.md", &pool);
    edit(&place, RALPH, &[("two text", "two text, longer")]);
    commit(&place, "2026-01-09", "Bob", "Raise the pool");
    git(
        &place,
        &[
            "mv",
            ".rawko/memories/pool.md",
            ".rawko/memories/pool-size.md",
        ],
        ("2026-01-10", "Ann"),
    );
    commit(&place, "2026-01-10", "Ann", "Rename it");
    edit(&place, RALPH, &[("one text", "one other text")]);
    edit(
        &place,
        ".rawko/memories/two.md",
        &[("Second text", "Second text, changed")],
    );
    commit(&place, "2026-01-12", "Cleo", "Change others");
    let last =
        "### mem-1769600000-00a2\n> two text, longer\n<!-- tags: b | created: 2026-01-01 -->\n\n";
    edit(&place, RALPH, &[(last, "")]);
    commit(&place, "2026-01-14", "Ann", "Drop one");
    edit(
        &place,
        ".rawko/memories/pool-size.md",
        &[("25 conn", "30 conn")],
    );
    place
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.root().join(path)).unwrap()
}

#[test]
fn the_versions_of_a_memory_are_told_and_none_of_its_neighbours() {
    let place = place();
    let told: String = [
        &["history", "pool-size"][..],
        &["history", "ralph:mem-1769600000-00a2"],
        &["history", "two#2"],
        &["history", "two", "--last", "1"],
        &["history", "pool-size", "--restore", "HEAD~3", "--dry-run"],
        &["history", "pool-size", "--restore", "nothing"],
        &["history", "ralph:mem-1769600000-00a2", "--restore", "HEAD"],
        &["history", "nothing"],
        &["history"],
    ]
    .iter()
    .map(|args| place.told(args))
    .collect();
    assert_snapshot!(told);
    let json = place
        .run(&["history", "pool-size", "--format", "json"])
        .json();
    let changes: Vec<&str> = json
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["change"].as_str().unwrap())
        .collect();
    assert_eq!(changes, ["changed", "renamed", "changed", "added"]);
    assert_eq!(json[1]["from"], ".rawko/memories/pool.md");
    assert_eq!(
        json[2]["fields"][0],
        serde_json::json!({"name": "importance", "old": "low", "new": "high"})
    );
}

#[test]
fn a_version_comes_back_byte_for_byte_and_alone_and_is_undone() {
    let place = place();
    let before = place.snapshot();
    place.ok(&["history", "pool-size", "--restore", "HEAD~4"]);
    assert_eq!(read(&place, ".rawko/memories/pool-size.md"), POOL);
    place.ok(&["undo"]);
    // One of a file that others share, one that is not there any more, a second document.
    place.ok(&["history", "mem-1769600000-00a1", "--restore", "HEAD~4"]);
    place.ok(&[
        "history",
        "ralph:mem-1769600000-00a2",
        "--restore",
        "HEAD~3",
    ]);
    assert_eq!(
        read(&place, RALPH),
        ENTRIES.replace("two text", "two text, longer")
    );
    place.ok(&["history", "two#2", "--restore", "HEAD~4"]);
    assert_eq!(
        read(&place, ".rawko/memories/two.md"),
        format!("{POOL}{SECOND}")
    );
    for _ in 0..3 {
        place.ok(&["undo"]);
    }
    assert!(before == place.snapshot());
    let told = place.ok(&["history"]);
    assert_eq!(told.matches("undone").count(), 4, "{told}");
    assert_eq!(told.matches("`memkeep redo` does it again: ").count(), 1);
    // They stay listed when another change follows.
    place.ok(&["edit", "pool-size", "--set", "importance=critical"]);
    let told = place.ok(&["history"]);
    assert_eq!(told.matches("undone: ").count(), 4, "{told}");
    assert!(!told.contains("does it again"), "{told}");
    assert_eq!(place.run(&["redo"]).code, 1);
}

#[test]
fn line_ends_of_the_working_file_stay_when_a_version_comes_back() {
    let place = place();
    let text = read(&place, RALPH).replace('\n', "\r\n");
    fs::write(place.root().join(RALPH), text).unwrap();
    place.ok(&["history", "mem-1769600000-00a1", "--restore", "HEAD~4"]);
    let text = read(&place, RALPH);
    assert!(
        text.contains("> one text\r\n") && !text.replace("\r\n", "").contains('\n'),
        "{text:?}"
    );
}

#[test]
fn a_memory_is_followed_by_id_from_file_to_file() {
    let place = Place::bare();
    let row = |layer: &str, text: &str| {
        format!(
            "{{\"id\":\"it-1\",\"layer\":\"{layer}\",\"type\":\"FIX\",\"title\":\"Pool\",\"content\":\"{text}\",\"confidence\":0.9,\"createdAt\":\"2026-01-01T00:00:00Z\"}}\n"
        )
    };
    let items = place.root().join("memory/items");
    fs::create_dir_all(items.join("episodic")).unwrap();
    fs::write(
        items.join("episodic/2026-01-01.jsonl"),
        row("EPISODIC", "Ten."),
    )
    .unwrap();
    git(&place, &["init", "-q", "-b", "main"], ("2026-01-01", "Ann"));
    commit(&place, "2026-01-01", "Ann", "An episode");
    fs::remove_file(items.join("episodic/2026-01-01.jsonl")).unwrap();
    fs::write(
        items.join("semantic.jsonl"),
        row("SEMANTIC", "Ten, always.") + &row("SEMANTIC", "Other").replace("it-1", "it-2"),
    )
    .unwrap();
    commit(&place, "2026-01-02", "Bob", "Promote it");
    let json = place.run(&["history", "it-1", "--format", "json"]).json();
    let steps: Vec<(&str, &str)> = json
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["change"].as_str().unwrap(),
                one["subject"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(steps, [("renamed", "Promote it"), ("added", "An episode")]);
}

#[test]
fn without_a_repository_the_journal_knows_the_versions() {
    let place = Place::empty();
    place.write("pool.md", POOL);
    place.ok(&["edit", "pool", "--set", "importance=high"]);
    place.ok(&["rename", "pool", "size"]);
    place.ok(&["edit", "size", "--set", "title=Size"]);
    let told = place.ok(&["history", "size"]);
    assert_snapshot!(told);
    let before = read(&place, ".rawko/memories/size.md");
    place.ok(&["history", "size", "--restore", "#0^"]);
    assert_eq!(read(&place, ".rawko/memories/size.md"), POOL);
    place.ok(&["undo"]);
    assert_eq!(read(&place, ".rawko/memories/size.md"), before);
    place.ok(&["history", "size", "--restore", "#0"]);
    let text = read(&place, ".rawko/memories/size.md");
    assert_eq!(text, POOL.replace("importance: low", "importance: high"));
    place.ok(&["delete", "size"]);
    place.ok(&["history", "rawko:size", "--restore", "#4"]);
    assert_eq!(read(&place, ".rawko/memories/size.md"), text);
}

#[test]
fn an_archived_memory_says_when_and_why_it_was_put_aside() {
    let place = Place::sample();
    place.ok(&["archive", "auth-flow"]);
    let shown = place.ok(&["show", "rawko:archive/auth-flow"]);
    assert!(shown.contains("on 2026-01-30: archived “"), "{shown}");
}

#[test]
fn a_memory_in_a_database_has_the_versions_of_the_journal() {
    let place = Place::bare();
    fs::remove_dir(place.root()).unwrap();
    let (into, home) = (place.root().display().to_string(), place.home());
    assert_eq!(place.run_in(&home, &["demo", "--into", &into]).code, 0);
    let ids = place.ok(&["list", "--store", "rum", "--format", "quiet"]);
    let id = ids.lines().next().unwrap();
    let importance = || place.run(&["show", id, "--format", "json"]).json()["importance"].clone();
    let old = importance();
    for value in ["0.11", "0.22", "0.33"] {
        place.ok(&["edit", id, "--set", &format!("importance={value}")]);
    }
    let told = place.ok(&["history", id]);
    assert!(
        told.contains("-importance: 0.22\n    +importance: 0.33"),
        "{told}"
    );
    place.ok(&["history", id, "--restore", "#0"]);
    assert_eq!(importance(), 0.11);
    place.ok(&["history", id, "--restore", "#0^"]);
    assert_eq!(importance(), old);
    place.ok(&["undo"]);
    place.ok(&["undo"]);
    assert_eq!(importance(), 0.33);
}

#[test]
fn one_change_is_taken_back_unless_a_later_one_stands_in_its_place() {
    let place = Place::empty();
    place.write("pool.md", POOL);
    place.write("other.md", POOL);
    place.ok(&["edit", "pool", "--set", "importance=high"]);
    place.ok(&["edit", "other", "--set", "title=Other"]);
    place.ok(&["edit", "pool", "--set", "discoveredBy=me"]);
    place.ok(&["edit", "pool", "--set", "importance=critical"]);
    let refused = place.run(&["undo", "#0"]);
    assert_eq!(refused.code, 3);
    let why =
        "a later change stands in the same place: undo #3 first, edited “Pool size”: importance";
    assert!(refused.err.contains(why), "{}", refused.err);
    place.ok(&["undo", "#1"]);
    assert_eq!(read(&place, ".rawko/memories/other.md"), POOL);
    place.ok(&["undo", "3"]);
    // Another field of the same memory is in the way too.
    let refused = place.run(&["undo", "#0"]);
    assert!(refused.err.contains("undo #2 first"), "{}", refused.err);
    place.ok(&["undo", "#2"]);
    place.ok(&["undo", "#0"]);
    assert_eq!(read(&place, ".rawko/memories/pool.md"), POOL);
    for (wrong, code) in [("#0", 1), ("#99", 1), ("last", 2)] {
        assert_eq!(place.run(&["undo", wrong]).code, code, "{wrong}");
    }
    // Redone in order, the last that was undone first.
    place.ok(&["redo"]);
    assert!(read(&place, ".rawko/memories/pool.md").contains("importance: high"));
}
