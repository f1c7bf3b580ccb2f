//! Promotion beyond a step of importance: to the project, to a rule, and what is ready for it.

use std::fs;

use insta::assert_snapshot;

use crate::place::Place;

const TOPIC: &str = "---\nname: Pool size\ndescription: how many connections a pool holds\nmetadata:\n  type: project\n---\n\nA pool holds ten connections.\n\nMore of them starve the database.\n";

fn item(id: &str, more: &str) -> String {
    format!(
        "{{\"id\":\"{id}\",\"layer\":\"EPISODIC\",\"type\":\"FIX\",\"title\":\"Pool {id}\",\"content\":\"The pool {id} holds ten.\",{more},\"createdAt\":\"2026-01-20T00:00:00Z\"}}\n"
    )
}

/// A project with rows of an agent's and an entry of Ralph's, and a topic of the user's own.
fn place() -> Place {
    let place = Place::sample();
    let mine = place.home().join(".claude/agent-memory/reviewer");
    fs::create_dir_all(&mine).unwrap();
    fs::write(
        mine.join("MEMORY.md"),
        "- [Pool size](pool.md) — how many connections\n",
    )
    .unwrap();
    fs::write(mine.join("pool.md"), TOPIC).unwrap();
    let ralph = place.root().join(".ralph/agent");
    fs::create_dir_all(&ralph).unwrap();
    let entry = "# Memories\n\n## Patterns\n\n### mem-1769600000-00a1\n> Run just check before a commit\n<!-- tags: a | created: 2026-01-01 -->\n";
    fs::write(ralph.join("memories.md"), entry).unwrap();
    let items = place.root().join("memory/items/episodic");
    fs::create_dir_all(&items).unwrap();
    let rows = item("sure", "\"confidence\":0.95,\"source\":\"tool_result\"")
        + &item("unsure", "\"confidence\":0.5,\"fingerprint\":\"f1\"")
        + &item("twin", "\"confidence\":0.5,\"fingerprint\":\"f1\"");
    fs::write(items.join("2026-01-20.jsonl"), rows).unwrap();
    fs::write(
        place.root().join("CLAUDE.md"),
        "# Rules\n\n- Keep it small.\n",
    )
    .unwrap();
    place
}

#[test]
fn what_promotion_does_is_told_before_it_happens() {
    let place = place();
    let told: String = [
        &["promote", "--candidates"][..],
        &["promote", "pool", "--to", "project", "--dry-run"],
        &["promote", "mem-1769600000-00a1"],
        &["promote", "mem-1769600000-00a1", "--to-rule", "--dry-run"],
        &[
            "promote",
            "mem-1769600000-00a1",
            "--to-rule",
            "AGENTS.md",
            "--line",
            "Check first.",
            "--dry-run",
        ],
        &[
            "promote",
            "mem-1769600000-00a1",
            "--to-rule",
            "../AGENTS.md",
        ],
        &["promote", "mem-1769600000-00a1", "--to", "project"],
        &["promote", "unsure"],
    ]
    .iter()
    .map(|args| place.told(args))
    .collect();
    assert_snapshot!(told);
    let json = place
        .run(&["promote", "--candidates", "--format", "json"])
        .json();
    let ready = json
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["ready"] == true)
        .count();
    assert_eq!(ready, 2, "{json}");
}

#[test]
fn a_memory_of_the_users_goes_to_the_project_and_back() {
    let place = place();
    let mine = place.home().join(".claude/agent-memory/reviewer");
    let before = (place.snapshot(), fs::read(mine.join("MEMORY.md")).unwrap());
    place.ok(&["promote", "pool", "--to", "project"]);
    assert!(!mine.join("pool.md").exists());
    let shown = place.ok(&["list", "--store", "rawko", "--format", "quiet"]);
    assert!(shown.contains("rawko:pool"), "{shown}");
    place.ok(&["undo"]);
    assert_eq!(fs::read_to_string(mine.join("pool.md")).unwrap(), TOPIC);
    assert!(before == (place.snapshot(), fs::read(mine.join("MEMORY.md")).unwrap()));
}

#[test]
fn a_rule_is_one_line_and_its_memory_is_archived_in_the_same_step() {
    let place = place();
    let rules = place.root().join("CLAUDE.md");
    place.ok(&["promote", "mem-1769600000-00a1", "--to-rule"]);
    let text = fs::read_to_string(&rules).unwrap();
    assert_eq!(
        text,
        "# Rules\n\n- Keep it small.\n- Run just check before a commit\n"
    );
    assert!(
        place
            .ok(&["list", "--all"])
            .contains("archive/mem-1769600000-00a1")
    );
    place.ok(&["undo"]);
    assert_eq!(
        fs::read_to_string(&rules).unwrap(),
        "# Rules\n\n- Keep it small.\n"
    );
    assert!(
        !place
            .ok(&["list", "--all"])
            .contains("archive/mem-1769600000-00a1")
    );
}
