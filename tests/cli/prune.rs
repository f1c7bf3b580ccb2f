//! Archiving what has expired, repeats, is never selected or is old.

use std::fs;
use std::path::PathBuf;

use crate::place::{Place, Ran};

fn sample() -> Place {
    let place = Place::bare();
    fs::remove_dir(place.root()).unwrap();
    let (into, home) = (place.root().display().to_string(), place.home());
    assert_eq!(place.run_in(&home, &["demo", "--into", &into]).code, 0);
    place
}

fn prune(place: &Place, args: &[&str]) -> Ran {
    let all = [&["prune", "--now", "2026-11-20T12:00:00Z"][..], args].concat();
    let mut command = place.command(&place.root());
    command.args(all).output().unwrap().into()
}

fn files(place: &Place) -> Vec<(PathBuf, Vec<u8>)> {
    let is_lock = |path: &PathBuf| path.extension().is_some_and(|end| end == "lock");
    place
        .snapshot()
        .into_iter()
        .filter(|(path, _)| !is_lock(path))
        .collect()
}

#[test]
fn what_is_pruned_is_one_diff_with_its_reasons_and_one_undo() {
    let place = sample();
    let before = files(&place);
    let flags = ["--expired", "--duplicates", "--never-selected"];
    let dry = prune(&place, &[&flags[..], &["--dry-run"]].concat());
    insta::assert_snapshot!(dry.err);
    assert!(dry.text().contains("diff --git") && before == files(&place));
    let asked = prune(&place, &flags);
    assert!(asked.code == 2 && before == files(&place));
    let done = prune(&place, &[&flags[..], &["--yes"]].concat());
    assert!(
        done.code == 0 && done.text().starts_with("archived "),
        "{}{}",
        done.text(),
        done.err
    );
    assert!(before != files(&place));
    place.ok(&["undo"]);
    assert!(before == files(&place));
}

#[test]
fn a_new_memory_had_no_time_to_be_selected() {
    let place = sample();
    let path = place.root().join(".rawko/memories/validate-at-the-edge.md");
    let text = fs::read_to_string(&path).unwrap();
    let date = text.lines().find(|line| line.starts_with("discoveredAt"));
    let date = date.unwrap().to_owned();
    let on = |day: &str| {
        fs::write(&path, text.replace(&date, &format!("discoveredAt: {day}"))).unwrap();
        prune(&place, &["--never-selected", "--dry-run"]).err
    };
    let pruned = "rawko:validate-at-the-edge: none of ";
    assert!(on("2026-10-20").contains(pruned));
    assert!(!on("2026-11-19").contains(pruned));
}

#[test]
fn an_age_narrows_what_is_pruned_and_alone_is_what_is_pruned() {
    let place = Place::sample();
    let ids = |ran: &Ran| {
        ran.err
            .lines()
            .filter_map(|line| line.split(": ").next().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let old = prune(&place, &["--older", "30d", "--dry-run"]);
    assert_eq!(old.code, 0, "{}", old.err);
    let all = ids(&old);
    assert!(!all.is_empty());
    let older = prune(&place, &["--older", "100y", "--dry-run"]);
    assert_eq!(
        (older.code, older.err.contains("nothing is to be pruned")),
        (1, true)
    );
    let none = prune(&place, &["--expired", "--older", "30d", "--dry-run"]);
    assert_eq!(none.code, 1, "{}", none.err);
    for wrong in ["soon", "d", "1.5d", "3q"] {
        assert_eq!(prune(&place, &["--older", wrong]).code, 2);
    }
    assert_eq!(prune(&place, &[]).code, 2);
}

#[test]
fn a_copy_that_another_agent_reads_is_not_archived() {
    let place = Place::bare();
    let short = "Run every migration with lock_timeout set to two seconds on the primary.\n";
    let long = format!(
        "{short}\nNever rename a column while the old workers are running; add a new one and backfill it in batches of five hundred rows, then drop the old one a week later.\n\nThe dashboard of the database shows the locks.\n"
    );
    let write = |path: &str, text: &str| {
        let path = place.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        ".claude/memory/migrations.md",
        &format!("---\nname: migrations\n---\n\n{long}"),
    );
    write(
        ".cursor/rules/lock.mdc",
        &format!("---\nalwaysApply: true\n---\n\n{short}"),
    );
    let lint = place.run(&["lint", "--rule", "contained"]);
    assert!(!lint.text().contains("contained"), "{}", lint.text());
    let done = prune(&place, &["--duplicates", "--yes"]);
    assert!(!done.text().contains("archived"), "{}", done.text());
    // What two stores say that one agent is given both of is said once.
    write(
        ".claude/memory/lock.md",
        &format!("---\nname: lock\n---\n\n{short}"),
    );
    let done = prune(&place, &["--duplicates", "--yes"]);
    assert!(
        done.text().contains("archived"),
        "{}{}",
        done.text(),
        done.err
    );
    assert!(place.root().join(".cursor/rules/lock.mdc").exists());
}

#[test]
fn rows_of_equal_text_and_fingerprint_are_duplicates_whatever_file_they_are_in() {
    let place = Place::bare();
    let items = place.root().join("memory/items/episodic");
    fs::create_dir_all(&items).unwrap();
    let row = |id: &str, more: &str| {
        format!(
            "{{\"id\":\"{id}\",\"layer\":\"EPISODIC\",\"type\":\"FIX\",\"title\":\"Pool\",\"content\":\"It hangs.\",\"fingerprint\":\"f1\"{more},\"createdAt\":\"2026-11-10T00:00:00Z\"}}\n"
        )
    };
    let other = row("other", "").replace("It hangs.", "It is slow.");
    fs::write(items.join("2026-11-10.jsonl"), row("a", "") + &other).unwrap();
    let scoped = row("scoped", ",\"scope\":\"session:x\"");
    fs::write(items.join("2026-11-11.jsonl"), row("b", "") + &scoped).unwrap();
    let ran = prune(&place, &["--duplicates", "--dry-run"]);
    let pruned: Vec<&str> = ran
        .err
        .lines()
        .filter(|line| line.contains("fingerprint of"))
        .collect();
    assert_eq!(
        pruned,
        ["golemcore:b: text and fingerprint of `golemcore:a`"],
        "{}",
        ran.err
    );
}
