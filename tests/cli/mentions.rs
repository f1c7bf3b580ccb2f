//! What still mentions a memory that gets another name or leaves its store.

use std::fs;

use crate::place::Place;

/// Files that mention `project_overview`, each with the lines that do.
const FILES: [(&str, &str, &[usize]); 9] = [
    (
        ".serena/memories/commands.md",
        "# Commands\n\nSee project_overview first, then `project_overview.md`.\n",
        &[3],
    ),
    (
        "CLAUDE.md",
        "Read `project_overview`.\nIt is .serena/memories/project_overview.md.\nNever run project_overview.py or project_overview().\n",
        &[1, 2],
    ),
    (
        ".claude/agents/reviewer.md",
        "---\nname: reviewer\n---\n\nStart with [it](../../.serena/memories/project_overview.md), mem:project_overview.\n",
        &[5],
    ),
    (
        "packages/api/AGENTS.md",
        "**project_overview** says more.\n",
        &[1],
    ),
    (
        ".github/prompts/start.prompt.md",
        "read_memory(\"project_overview\")\n",
        &[1],
    ),
    // Another file, and files that instruct no agent.
    (
        ".clinerules/bank.md",
        "See docs/project_overview.md and old-project_overview.\n",
        &[],
    ),
    ("docs/guide.md", "project_overview\n", &[]),
    ("node_modules/x/CLAUDE.md", "project_overview\n", &[]),
    (".serena/memories-archive/old.md", "project_overview\n", &[]),
];

fn project() -> Place {
    let place = Place::bare();
    let own = [(
        ".serena/memories/project_overview.md",
        "# Overview\n\nA server.\n",
    )];
    let files = FILES.iter().map(|(path, text, _)| (*path, *text));
    for (path, text) in files.chain(own) {
        let path = place.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.root().join(path)).unwrap()
}

/// Checks that a command lists all mentions and no other place.
fn lists_all(place: &Place, args: &[&str]) {
    let ran = place.run(args);
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    let lines = ran.err.lines();
    let mut told: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix("note: still mentioned in "))
        .filter(|place| !place.contains(' '))
        .collect();
    told.sort_unstable();
    let all = FILES.iter().flat_map(|(path, _, lines)| {
        let lines = lines.iter();
        lines.map(move |line| format!("{path}:{line}"))
    });
    let mut all: Vec<String> = all.collect();
    all.sort();
    assert_eq!(told, all, "{args:?}: {}", ran.err);
}

#[test]
fn what_still_mentions_a_memory_is_listed_and_left() {
    for args in [
        &["rename", "serena:project_overview", "overview"][..],
        &["archive", "serena:project_overview"],
        &["delete", "serena:project_overview", "--yes"],
        &[
            "convert",
            "serena:project_overview",
            "--to",
            "claude",
            "--move",
        ],
    ] {
        let place = project();
        let before = place.snapshot();
        lists_all(&place, &[args, &["--dry-run"]].concat());
        assert_eq!(place.snapshot(), before, "{args:?}");
        lists_all(&place, args);
        for (path, text, _) in FILES {
            assert_eq!(read(&place, path), text, "{args:?}");
        }
    }
}

#[test]
fn a_rename_changes_mentions_on_yes_and_one_undo_takes_all_back() {
    let place = project();
    let before = place.snapshot();
    let said = place.ok(&[
        "rename",
        "serena:project_overview",
        "base/overview",
        "--mentions",
    ]);
    assert!(said.contains("changed 8 mentions in 5 files"), "{said}");
    for (path, text, lines) in FILES {
        let mut expected: Vec<String> = text.lines().map(str::to_owned).collect();
        for line in lines {
            let line = &mut expected[line - 1];
            *line = line.replace("project_overview", "base/overview");
        }
        assert_eq!(read(&place, path).trim_end(), expected.join("\n"), "{path}");
    }
    place.ok(&["undo"]);
    let files = |all: Vec<(std::path::PathBuf, Vec<u8>)>| {
        let files = all.into_iter().filter(|(path, _)| path.is_file());
        files.collect::<Vec<_>>()
    };
    assert_eq!(files(place.snapshot()), files(before));
}

#[test]
fn a_word_is_no_mention_and_a_name_is() {
    let place = Place::bare();
    for (path, text) in [
        (
            ".claude/memory/deploy.md",
            "---\nname: deploy\n---\n\nOn Tuesdays.\n",
        ),
        (
            ".cursor/rules/deploy.mdc",
            "---\nalwaysApply: true\n---\n\nA rule.\n",
        ),
        (
            "AGENTS.md",
            "To deploy, deploy. Never src/deploy or deploy.sh.\nSee `memory/deploy`, .claude/memory/deploy.md.\n`deploy` is a rule too.\n",
        ),
    ] {
        let path = place.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place.ok(&["rename", "claude:deploy", "ship", "--mentions"]);
    // Two memories have the bare name: only a path says which one is meant.
    assert_eq!(
        read(&place, "AGENTS.md"),
        "To deploy, deploy. Never src/deploy or deploy.sh.\nSee `memory/ship`, .claude/memory/ship.md.\n`deploy` is a rule too.\n"
    );
    place.ok(&["delete", "claude:ship", "--yes"]);
    let said = place.ok(&["archive", "cursor:deploy"]);
    assert!(said.contains("still mentioned in AGENTS.md:3 "), "{said}");
}

#[test]
fn archiving_says_which_links_to_a_note_are_plain_text_now() {
    let place = Place::bare();
    let notes = place.root().join(".serena/memories");
    std::fs::create_dir_all(&notes).unwrap();
    std::fs::write(notes.join("flow.md"), "# Flow\nSee mem:ledger.\n").unwrap();
    std::fs::write(notes.join("ledger.md"), "# Ledger\nDouble entry.\n").unwrap();
    let said = place.ok(&["archive", "serena:ledger"]);
    assert!(said.contains("links to it are plain text now in flow.md"));
    let text = std::fs::read_to_string(notes.join("flow.md")).unwrap();
    assert_eq!(text, "# Flow\nSee ledger.\n");
}
