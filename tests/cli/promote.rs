//! Promotion beyond a step of importance: to the project, to a rule, and what is ready for it.

use std::fs;

use insta::assert_snapshot;
use memkeep::curate::promote::{left_out, rule, with_rule};

use crate::place::Place;

const TOPIC: &str = "---\nname: Pool size\ndescription: how many connections a pool holds\nmetadata:\n  type: project\n---\n\nA pool holds ten connections.\n\nMore of them starve the database.\n";

fn item(id: &str, more: &str) -> String {
    format!(
        "{{\"id\":\"{id}\",\"layer\":\"EPISODIC\",\"type\":\"FIX\",\"title\":\"Pool {id}\",\"content\":\"The pool holds ten connections.\",{more},\"createdAt\":\"2026-01-20T00:00:00Z\"}}\n"
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
    assert_eq!(ready, 0, "{json}");
}

#[test]
fn a_memory_of_the_users_goes_to_the_project_and_back() {
    let place = place();
    let mine = place.home().join(".claude/agent-memory/reviewer");
    let files = || {
        let files = place.snapshot().into_iter();
        files.filter(|(path, _)| path.is_file()).collect::<Vec<_>>()
    };
    let before = (files(), fs::read(mine.join("MEMORY.md")).unwrap());
    place.ok(&["promote", "pool", "--to", "project"]);
    assert!(!mine.join("pool.md").exists());
    let shared = place.root().join(".claude/agent-memory/reviewer");
    assert_eq!(fs::read_to_string(shared.join("pool.md")).unwrap(), TOPIC);
    assert!(shared.join("MEMORY.md").exists());
    place.ok(&["undo"]);
    assert_eq!(fs::read_to_string(mine.join("pool.md")).unwrap(), TOPIC);
    assert!(before == (files(), fs::read(mine.join("MEMORY.md")).unwrap()));
}

#[test]
fn a_rule_is_one_line_and_its_memory_is_archived_in_the_same_step() {
    let place = place();
    let rules = place.root().join("CLAUDE.md");
    let asked = place.run(&["promote", "mem-1769600000-00a1", "--to-rule"]);
    let shown = asked.text() + &asked.err;
    assert_eq!(asked.code, 2, "{shown}");
    assert!(
        shown.contains("+- Run just check") && shown.contains("--line TEXT"),
        "{shown}"
    );
    place.ok(&["promote", "mem-1769600000-00a1", "--to-rule", "--yes"]);
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

const LESSON: &str = "---\nname: retry-limits\ndescription: how often a call is retried\nmetadata:\n  type: feedback\n---\n\nRetry a call three times at most.\n\n**Why:** more of them took the gateway down.\n\n- wait a second first\n- log each of them\n";

/// A project with a topic in the memory that Claude Code keeps of it below the person's home.
fn lesson(text: &str) -> (Place, std::path::PathBuf) {
    let place = Place::empty();
    let root = fs::canonicalize(place.root()).unwrap();
    let name = root
        .to_str()
        .unwrap()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let mine = place
        .home()
        .join(".claude/projects")
        .join(name)
        .join("memory");
    fs::create_dir_all(&mine).unwrap();
    fs::write(
        mine.join("MEMORY.md"),
        "- [Retries](retry-limits.md) — how often\n",
    )
    .unwrap();
    fs::write(mine.join("retry-limits.md"), text).unwrap();
    (place, mine)
}

#[test]
fn a_memory_of_claude_goes_where_claude_reads_it() {
    let (place, mine) = lesson(LESSON);
    let before = place.snapshot();
    let root = place.root();
    // The empty folder of another system is no store.
    place.ok(&["promote", "retry-limits", "--to", "project", "--yes"]);
    let rule = "- Retry a call three times at most.\n  - **Why:** more of them took the gateway down.\n  - wait a second first\n  - log each of them\n";
    assert_eq!(fs::read_to_string(root.join("CLAUDE.md")).unwrap(), rule);
    assert!(!mine.join("retry-limits.md").exists());
    assert!(
        place
            .ok(&["list", "--all"])
            .contains("archive/retry-limits")
    );
    place.ok(&["undo"]);
    assert!(before == place.snapshot());
    assert_eq!(
        fs::read_to_string(mine.join("retry-limits.md")).unwrap(),
        LESSON
    );
    // Without CLAUDE.md Claude reads AGENTS.md, which a new CLAUDE.md would hide.
    fs::write(root.join("AGENTS.md"), "- Keep it small.\n").unwrap();
    place.ok(&["promote", "retry-limits", "--to", "project", "--yes"]);
    let agents = fs::read_to_string(root.join("AGENTS.md")).unwrap();
    assert_eq!(agents, format!("- Keep it small.\n{rule}"));
    assert!(!root.join("CLAUDE.md").exists());
    place.ok(&["undo"]);
    // A folder in the project is a place only where a setting or a link leads there.
    let shared = root.join(".claude/memory");
    fs::create_dir_all(&shared).unwrap();
    fs::write(shared.join("MEMORY.md"), "# Memory\n").unwrap();
    let dry = ["promote", "retry-limits", "--to", "project", "--dry-run"];
    assert!(place.run(&dry).text().contains("b/AGENTS.md"));
    let setting = format!("{{\"autoMemoryDirectory\":\"{}\"}}", shared.display());
    fs::write(place.home().join(".claude/settings.json"), setting).unwrap();
    let moved = place.run(&dry).text();
    assert!(
        moved.contains("b/.claude/memory/retry-limits.md"),
        "{moved}"
    );
}

#[test]
fn a_new_store_is_one_of_the_memorys_own_format() {
    let place = Place::empty();
    let mine = place.home().join(".serena/memories/global");
    fs::create_dir_all(&mine).unwrap();
    fs::write(mine.join("pools.md"), "A pool holds ten connections.\n").unwrap();
    place.ok(&["promote", "pools", "--to", "project"]);
    assert!(place.root().join(".serena/memories/pools.md").exists());
}

#[test]
fn a_lesson_is_never_cut_in_half() {
    let long = LESSON.replace(
        "down.",
        &"down, and it took an hour to find out. ".repeat(20),
    );
    let (place, mine) = lesson(&long);
    let refused = place.run(&["promote", "retry-limits", "--to-rule", "--yes"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(
        refused.err.contains("too much for a rule"),
        "{}",
        refused.err
    );
    assert!(!place.root().join("CLAUDE.md").exists());
    // The memory stays if the words of the person leave something out.
    let own = "Retry a call three times at most.";
    let args = [
        "promote",
        "retry-limits",
        "--to-rule",
        "--yes",
        "--line",
        own,
    ];
    place.ok(&args);
    let text = fs::read_to_string(place.root().join("CLAUDE.md")).unwrap();
    assert_eq!(text, format!("- {own}\n"));
    assert!(mine.join("retry-limits.md").exists());
}

#[test]
fn rules_stand_behind_the_last_entry_of_a_list() {
    for (title, body, line) in rows! {
        "Pools" => "# Pools\n\nA pool holds\nten.\n\nMore." => "Pools: A pool holds ten.\nMore.",
        "A pool holds ten…" => "A pool holds ten connections." => "A pool holds ten connections.",
        "Only a title." => "" => "Only a title",
        "pool-size" => "1. Open it.\n2. Close it." => "1. Open it.\n2. Close it.",
    } {
        let rule = rule(title, body).unwrap();
        assert_eq!(rule, line);
        assert_eq!(left_out(body, &rule), None, "{body}");
    }
    assert!(rule("T", "```\nls\n```").is_err());
    assert!(rule("T", &"Word word. ".repeat(60)).is_err());
    assert_eq!(
        left_out("Open it.\n\nClose it.", "Open it."),
        Some("Close it.")
    );
    for (file, after) in rows! {
        "" => "- x\n",
        "# Rules\n\n- a\n" => "# Rules\n\n- a\n- x\n",
        "* a" => "* a\n* x\n",
        "- a\n  more\n" => "- a\n  more\n- x\n",
        "# T\n\n@a.md\n" => "# T\n\n@a.md\n\n## Rules\n\n- x\n",
        "```\n- a\n```\n" => "```\n- a\n```\n\n- x\n",
        "# Rules\r\n\r\nText.\r\n\r\n" => "# Rules\r\n\r\nText.\r\n\r\n- x\r\n",
        "- a\n\n<!--\n- b\n-->\n" => "- a\n\n<!--\n- b\n-->\n\n- x\n",
        "---\ntags:\n- a\n---\nText.\n" => "---\ntags:\n- a\n---\nText.\n\n- x\n",
    } {
        assert_eq!(with_rule(file, "x"), after, "{file:?}");
    }
    assert_eq!(with_rule("* a\n", "x\ny"), "* a\n* x\n  * y\n");
}

#[test]
fn only_what_is_proven_loaded_and_there_once_is_ready() {
    let place = Place::bare();
    let items = place.root().join("memory/items/episodic");
    fs::create_dir_all(&items).unwrap();
    let of = |id: &str, text: &str, more: &str| {
        format!(
            "{{\"id\":\"{id}\",\"layer\":\"EPISODIC\",\"type\":\"FIX\",\"title\":\"{id}\",\"content\":\"{text}\",\"confidence\":0.95,{more},\"createdAt\":\"2026-01-20T00:00:00Z\"}}\n"
        )
    };
    let tool = "\"source\":\"tool_result\"";
    let rows = of("proven", "The gateway needs a header.", tool)
        + &of(
            "said",
            "Deployments on Fridays are frozen.",
            "\"source\":\"chat\"",
        )
        + &of(
            "over",
            "The cache was cold in the morning.",
            &format!("{tool},\"ttlDays\":1"),
        )
        + &of(
            "one",
            "Pools hang with ten connections open.",
            &format!("{tool},\"fingerprint\":\"f\""),
        );
    fs::write(items.join("2026-01-20.jsonl"), rows).unwrap();
    let two = of(
        "two",
        "Pools hang with ten connections open.",
        &format!("{tool},\"fingerprint\":\"f\""),
    );
    fs::write(items.join("2026-01-21.jsonl"), two).unwrap();
    let json = place
        .run(&["promote", "--candidates", "--format", "json"])
        .json();
    let all = json.as_array().unwrap();
    let of = |id: &str| {
        all.iter()
            .find(|one| one["id"] == format!("golemcore:{id}"))
            .unwrap()
    };
    assert_eq!(of("proven")["ready"], true, "{json}");
    for (id, missing) in [
        ("said", "a confirmation"),
        ("over", "does not load it"),
        ("one", "`memkeep merge golemcore:"),
        ("two", "`memkeep merge golemcore:one golemcore:two`"),
    ] {
        let why = of(id)["missing"].as_str().unwrap_or_default();
        assert!(why.contains(missing), "{id}: {json}");
    }
    assert_eq!(
        of("two")["command"],
        "memkeep merge golemcore:one golemcore:two"
    );
    place.ok(&["confirm", "said"]);
    let json = place
        .run(&["promote", "--candidates", "--format", "json"])
        .json();
    let ready = json
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["ready"] == true);
    assert_eq!(ready.count(), 2, "{json}");
}
