//! What a decision does to files, copies and the next commit, outside git and for proposals too.

use std::fs;

use super::{NEW_ENTRY, Project, change, topic, written_at};

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
    for (file, before, after, deleted) in rows! {
        rows => format!("{a}{c}{cut}") => format!("{a}{cut}") => "golemcore:z",
        rows => format!("{a}{b}{c}") => format!("{b}{c}") => "golemcore:x",
        rows => format!("{a}{b}{c}") => format!("{a}{c}") => "golemcore:x#2",
        notes => format!("{head}{one}{two}") => format!("{head}{two}") => "ralph:mem-1769000000",
    } {
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
        project.0.ok(&["review", "--accept", deleted]);
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
    let old = project.0.run(&["prune", "--older", "7d", "--yes"]);
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
        .ok(&["review", "--accept", added, "--accept", "claude:builds"]);
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
    project.0.ok(&["review", "--accept", "claude:builds"]);
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
    let rejected = project.read(".memkeep/decisions.jsonl");
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
