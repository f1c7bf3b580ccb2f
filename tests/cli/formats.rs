//! The formats that are tables: found, listed, previewed, edited, undone to the same bytes, and
//! kept in step with what names them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::place::Place;

/// Files of one project: a store of every format.
const FILES: &[(&str, &str)] = &[
    (
        ".claude/memory/MEMORY.md",
        "- [Deploys](deploys.md) — from CI only\n- [Tests](tests.md) — how they run\n- [Gone](gone.md) — no such file\n",
    ),
    (
        ".claude/memory/deploys.md",
        "---\nname: deploys\ndescription: Deploys run from CI only\nmetadata: \n  node_type: memory\n  type: project\n---\n\nSee [[tests]] and [how](tests.md).\n",
    ),
    (
        ".claude/memory/tests.md",
        "---\nname: tests\ndescription: a value: with a colon\ntype: feedback\n---\nRun `make test`.\n",
    ),
    (
        ".claude/agent-memory/reviewer/MEMORY.md",
        "Look at the diff first.\n",
    ),
    (
        ".serena/memories/core.md",
        "# Core\n\nRead `mem:style/rust` and `mem:style/rust-old` first.\n",
    ),
    (".serena/memories/style/rust.md", "# Rust\n\nNo unwrap.\r\n"),
    ("memory-bank/projectbrief.md", "# Brief\n\nA tool.\n"),
    (
        ".cursor/rules/a.mdc",
        "---\ndescription: X: y\nglobs: **/*.rs, src/*\nalwaysApply: false\n---\nUse rustfmt.\n",
    ),
    (
        ".cursor/rules/quoted.mdc",
        "---\nglobs: \"**/*.rs\"\nalwaysApply: false\n---\nQuoted.\n",
    ),
    (
        ".cursor/rules/always.mdc",
        "---\nalwaysApply: true\n---\nAlways.\n",
    ),
    (".cursor/rules/plain.md", "Not read.\n"),
    (
        ".github/instructions/rs.instructions.md",
        "---\napplyTo: \"**/*.rs\"\n---\n\nRust rules.\n",
    ),
    (
        ".github/instructions/list.instructions.md",
        "---\napplyTo: [\"**/*.rs\"]\n---\n\nA list.\n",
    ),
    (".github/copilot-instructions.md", "Be brief.\n"),
    (".kiro/steering/product.md", "What it is.\n"),
    (".clinerules/style.md", "Tabs.\n"),
    (
        ".windsurf/rules/go.md",
        "---\ntrigger: glob\nglobs: *.go\n---\nGo.\n",
    ),
    (".roo/rules/one.md", "One.\n"),
    (
        ".augment/rules/manual.md",
        "---\ntype: manual\n---\nBy hand.\n",
    ),
    (".trae/rules/project_rules.md", "Rules.\n"),
    (".junie/guidelines.md", "Guidelines.\n"),
    (
        ".openhands/microagents/repo.md",
        "---\nname: repo\n---\nAbout it.\n",
    ),
];

fn project() -> Place {
    let place = Place::bare();
    for (name, text) in FILES {
        write(&place, name, text);
    }
    place
}

fn write(place: &Place, name: &str, text: &str) {
    let path = place.root().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.root().join(name)).unwrap()
}

fn snapshot(folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            snapshot(&path, all);
        } else {
            all.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
}

fn bytes(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    snapshot(&place.root(), &mut all);
    all
}

#[test]
fn every_format_is_found_with_its_policy() {
    let stores = project().run(&["stores", "--format", "json"]).json();
    let found: Vec<String> = stores
        .as_array()
        .unwrap()
        .iter()
        .map(|store| {
            let text = |key: &str| store[key].as_str().unwrap().to_owned();
            format!("{} {} {}", text("id"), text("policy"), store["memories"])
        })
        .collect();
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn a_field_and_a_body_are_edited_and_undone_to_the_same_bytes() {
    let place = project();
    let before = bytes(&place);
    let body = place.root().parent().unwrap().join("body.md");
    fs::write(&body, "Another body\n\nwith two paragraphs\n").unwrap();
    let list = place.run(&["list", "--format", "json"]).json();
    let all = list.as_array().unwrap();
    assert_eq!(all.len(), FILES.len());
    for memory in all {
        let id = memory["id"].as_str().unwrap();
        let field = match memory["format"].as_str().unwrap() {
            "claude" | "cursor" | "copilot" | "windsurf" | "kiro" | "augment" => {
                "description=a: \"b\" # c"
            }
            "cline" | "openhands" => "name=new: name",
            _ => "",
        };
        let path = body.display().to_string();
        for edit in [vec!["--set", field], vec!["--body-file", &path]] {
            if edit[1].is_empty() {
                continue;
            }
            let args = [&["edit", id][..], &edit].concat();
            let ran = place.run(&args);
            assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
            let after = bytes(&place);
            let changed = after
                .iter()
                .filter(|(path, now)| before.get(*path) != Some(now));
            assert_eq!(changed.count(), 1, "{args:?}");
            let undone = place.run(&["undo"]);
            assert_eq!(undone.code, 0, "{args:?}: {}", undone.err);
            assert!(bytes(&place) == before, "{args:?}");
        }
    }
}

#[test]
fn only_the_line_of_the_field_changes() {
    let place = project();
    for (id, set, name, line) in [
        (
            "deploys",
            "type=reference",
            ".claude/memory/deploys.md",
            "  type: reference",
        ),
        (
            "claude@.claude/memory:tests",
            "description=plain",
            ".claude/memory/tests.md",
            "description: plain",
        ),
        (
            "claude@.claude/memory:tests",
            "type=user",
            ".claude/memory/tests.md",
            "type: user",
        ),
        (
            "cursor:a",
            "globs=**/*.ts,*.md",
            ".cursor/rules/a.mdc",
            "globs: **/*.ts,*.md",
        ),
        (
            "cursor:a",
            "alwaysApply=true",
            ".cursor/rules/a.mdc",
            "alwaysApply: true",
        ),
        (
            "copilot:rs.instructions",
            "applyTo=**/*.py",
            ".github/instructions/rs.instructions.md",
            "applyTo: \"**/*.py\"",
        ),
    ] {
        let before = read(&place, name);
        let ran = place.run(&["edit", id, "--set", set]);
        assert_eq!(ran.code, 0, "{id} {set}: {}", ran.err);
        let after = read(&place, name);
        let other: Vec<(&str, &str)> = before
            .lines()
            .zip(after.lines())
            .filter(|(before, after)| before != after)
            .collect();
        assert_eq!(other.len(), 1, "{id} {set}: {after}");
        assert_eq!(other[0].1, line, "{id} {set}");
        assert_eq!(before.lines().count(), after.lines().count(), "{id} {set}");
        place.run(&["undo"]);
    }
    // The space that Claude Code writes behind `metadata:` stays.
    assert!(read(&place, ".claude/memory/deploys.md").contains("metadata: \n"));
}

#[test]
fn an_index_and_links_follow_a_new_name() {
    let place = project();
    let before = bytes(&place);
    let ran = place.run(&["rename", "claude@.claude/memory:tests", "test-runs"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let index = read(&place, ".claude/memory/MEMORY.md");
    assert!(
        index.contains("- [Tests](test-runs.md) — how they run\n"),
        "{index}"
    );
    let deploys = read(&place, ".claude/memory/deploys.md");
    assert!(
        deploys.ends_with("See [[test-runs]] and [how](test-runs.md).\n"),
        "{deploys}"
    );
    assert!(read(&place, ".claude/memory/test-runs.md").contains("name: test-runs\n"));
    place.run(&["undo"]);
    assert!(bytes(&place) == before);

    let ran = place.run(&["rename", "serena:style/rust", "style/rs"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let core = read(&place, ".serena/memories/core.md");
    assert_eq!(
        core,
        "# Core\n\nRead `mem:style/rs` and `mem:style/rust-old` first.\n"
    );
    place.run(&["undo"]);
    assert!(bytes(&place) == before);
}

#[test]
fn an_index_loses_and_gains_lines_with_its_files() {
    let place = project();
    let before = bytes(&place);
    let index = || read(&place, ".claude/memory/MEMORY.md");
    for command in ["archive", "delete"] {
        assert_eq!(place.run(&[command, "claude@.claude/memory:tests"]).code, 0);
        assert!(!index().contains("tests.md"), "{command}: {}", index());
        assert_eq!(place.run(&["undo"]).code, 0);
        assert!(bytes(&place) == before, "{command}");
    }
    let args = [
        "add",
        "Use pnpm",
        "--store",
        "claude@.claude/memory",
        "--set",
        "description=not npm",
    ];
    let ran = place.run(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        index().ends_with("- [Use pnpm](use-pnpm.md) — not npm\n")
            || index().contains("(use-pnpm.md) — not npm\n"),
        "{}",
        index()
    );
    assert!(
        read(&place, ".claude/memory/use-pnpm.md")
            .starts_with("---\nname: use-pnpm\ndescription: not npm\n")
    );
    place.run(&["undo"]);
    let ran = place.run(&["promote", "claude@.claude/memory:tests"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(index().starts_with("- [Tests](tests.md)"), "{}", index());
    assert_eq!(
        place.run(&["promote", "claude@.claude/memory:tests"]).code,
        2
    );
    place.run(&["undo"]);
    assert!(bytes(&place) == before);
}

#[test]
fn previews_are_what_each_loader_gives() {
    let place = project();
    let json = place
        .run(&[
            "inject",
            "--task",
            "x",
            "--file",
            "src/lib.rs",
            "--format",
            "json",
        ])
        .json();
    let mut lines = Vec::new();
    for preview in json["previews"].as_array().unwrap() {
        for key in ["selected", "rejected"] {
            for verdict in preview[key].as_array().unwrap() {
                let hint = verdict["hint"].as_str().unwrap_or_default();
                lines.push(format!(
                    "{} · {} · {hint}",
                    verdict["id"].as_str().unwrap(),
                    verdict["reason"].as_str().unwrap()
                ));
            }
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_memory_bank_is_read_where_a_rule_says_so() {
    let place = project();
    let reasons = |place: &Place| {
        let args = [
            "inject",
            "--task",
            "x",
            "--store",
            "memory-bank",
            "--format",
            "json",
        ];
        let json = place.run(&args).json();
        json["previews"][0]["selected"].as_array().unwrap().len()
    };
    let told = |place: &Place| told(place, "memory-bank");
    assert_eq!(reasons(&place), 0);
    let missing = "missing-file warning: 5 files that the system expects are not there";
    let unread = "invisible-to-loader warning: no rule of the project tells an agent to read this folder, and no program does";
    assert_eq!(told(&place), [unread, missing]);
    write(
        &place,
        "AGENTS.md",
        "Read all files of memory-bank/ first.\n",
    );
    assert_eq!(reasons(&place), 1);
    assert_eq!(told(&place), [missing]);
    for name in [
        "productContext",
        "ActiveContext",
        "systemPatterns",
        "techContext",
        "progress",
    ] {
        write(
            &place,
            &format!("memory-bank/{name}.md"),
            "# Known\n\nWhat is known.\n",
        );
    }
    let lint = place.run(&["lint", "--store", "memory-bank"]).text();
    let spelled = "`activeContext.md` is written `ActiveContext.md`";
    assert!(lint.contains(spelled), "{lint}");
    // A folder of rules is loaded; another variant has other files.
    fs::remove_file(place.root().join("AGENTS.md")).unwrap();
    fs::remove_dir_all(place.root().join("memory-bank")).unwrap();
    for name in ["brief", "product", "context", "architecture", "tech"] {
        let path = format!(".kilocode/rules/memory-bank/{name}.md");
        write(
            &place,
            &path,
            &format!("# Of the {name}\n\nIt says {name}.\n"),
        );
    }
    assert_eq!(told(&place), [""; 0]);
}

#[test]
fn what_has_no_description_is_told_once() {
    let place = project();
    let says = "missing-field info: 1 entry of the index and 1 file without a description";
    assert!(!told(&place, "claude@.claude/memory").contains(&says.to_owned()));
    write(&place, ".claude/memory/bare.md", "No fields.\n");
    let index = place.root().join(".claude/memory/MEMORY.md");
    let text = fs::read_to_string(&index).unwrap();
    fs::write(&index, text + "- [Bare](bare.md)\n").unwrap();
    assert!(told(&place, "claude@.claude/memory").contains(&says.to_owned()));
}

#[test]
fn copilots_loader_decides_the_preview_and_lint() {
    let place = Place::bare();
    let folder = ".github/instructions";
    for (name, text) in [
        (
            "blank",
            "\n---\napplyTo: \"**\"\ndescription: \"x\"\n---\n\nBehind a blank line.\n",
        ),
        ("empty", "---\napplyTo: \"\"\n---\n\nAn empty value.\n"),
        ("bare", "Neither patterns nor a description.\n"),
        (
            "rust",
            "---\napplyTo: \"**/*.rs\"\n---\n\nSee [more](more.instructions.md) and #file:../../docs/api.md\n",
        ),
        (
            "more",
            "---\ndescription: \"More.\"\n---\n\nMore, and ![no](bare.instructions.md).\n",
        ),
    ] {
        write(&place, &format!("{folder}/{name}.instructions.md"), text);
    }
    let args = [
        "inject", "--task", "x", "--file", "src/a.rs", "--format", "json",
    ];
    let preview = place.run(&args).json()["previews"][0].clone();
    let of = |key: &str| {
        let all = preview[key].as_array().unwrap().iter();
        let words = all.map(|one| {
            let word = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
            let hit = one["match"]["hit"].as_str().unwrap_or_default();
            format!("{} {} {hit}{}", word("id"), word("reason"), word("hint"))
        });
        words.collect::<Vec<_>>().join("\n")
    };
    let both = ["selected", "rejected"].map(of).join("\n\n");
    insta::assert_snapshot!(format!("{both}\n\n{}", told(&place, "copilot").join("\n")));
    let table = place.run(&args[..5]).text();
    let note = "rust.instructions links to ../../docs/api.md, which VS Code attaches too";
    assert!(table.contains(note), "{table}");
}

/// What lint says of a store: rule, severity and message.
fn told(place: &Place, store: &str) -> Vec<String> {
    let json = place
        .run(&["lint", "--store", store, "--format", "json"])
        .json();
    let findings = json["findings"].as_array().unwrap().iter();
    let words = |one: &serde_json::Value| {
        let word = |key: &str| one[key].as_str().unwrap().to_owned();
        format!("{} {}: {}", word("rule"), word("severity"), word("message"))
    };
    findings.map(words).collect()
}

#[test]
fn an_index_is_cut_where_its_loader_cuts_it() {
    let place = Place::bare();
    let entries: String = (0..230)
        .map(|n| format!("- [T{n}](t{n}.md) — hook\n"))
        .collect();
    write(&place, ".claude/memory/MEMORY.md", &entries);
    write(&place, ".claude/memory/t5.md", "five\n");
    write(&place, ".claude/memory/t210.md", "late\n");
    let json = place
        .run(&["inject", "--task", "x", "--format", "json"])
        .json();
    let prompt = json["previews"][0]["prompt"].as_str().unwrap();
    assert_eq!(
        prompt
            .lines()
            .filter(|line| line.starts_with("- [T"))
            .count(),
        200
    );
    assert!(
        prompt.contains("\n\n> WARNING: MEMORY.md is 230 lines (limit: 200)."),
        "{prompt}"
    );
    let rejected = json["previews"][0]["rejected"].to_string();
    assert!(
        rejected.contains("never loaded: line 211 of MEMORY.md is cut off"),
        "{rejected}"
    );
    let lint = place.run(&["lint", "--format", "json"]).text();
    for rule in ["index-overflow", "index-dangling"] {
        assert!(lint.contains(rule), "{lint}");
    }
}

#[test]
fn the_users_folder_is_found_by_the_name_of_the_project() {
    let place = Place::bare();
    let root = place.root().canonicalize().unwrap();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = root.display().to_string().chars().map(plain).collect();
    let folder = place.home().join(".claude/projects");
    for (project, text) in [(name.as_str(), "mine\n"), ("-other-project", "not mine\n")] {
        fs::create_dir_all(folder.join(project).join("memory")).unwrap();
        fs::write(folder.join(project).join("memory/MEMORY.md"), text).unwrap();
    }
    let ids = |args: &[&str]| {
        place
            .run(&[&["list", "--format", "quiet"], args].concat())
            .lines()
    };
    assert_eq!(ids(&[]), ["claude:MEMORY"]);
    assert_eq!(ids(&["--all-projects"]).len(), 2);
}

#[test]
fn context_is_counted_and_never_changed() {
    let place = project();
    write(
        &place,
        "CLAUDE.md",
        "# Project\n\nSee @docs/more.md and `@not/this.md`.\n",
    );
    write(&place, "docs/more.md", "More.\n");
    write(&place, "not/this.md", "Code.\n");
    // A file counts for the agents that load it.
    let inject = place.run(&["inject", "--task", "x"]).text();
    let together = inject.lines().find(|line| line.starts_with("together: "));
    let tokens = |agent: &str| {
        let parts = together.unwrap_or_default().split(", ");
        let own = parts.filter_map(|part| part.strip_suffix(&format!(" tokens for {agent}")));
        own.last()
            .and_then(|count| count.rsplit(' ').next()?.parse::<u32>().ok())
    };
    assert!(tokens("Claude Code") > tokens("Cursor"), "{inject}");
    assert!(tokens("Cursor") > tokens("Cline"), "{inject}");
    let stores = place.run(&["stores"]).text();
    assert!(
        stores.contains("CLAUDE.md · 13 tokens · Claude Code at the start"),
        "{stores}"
    );
    assert!(
        stores.contains("docs/more.md · 2 tokens · imported"),
        "{stores}"
    );
    assert!(!stores.contains("not/this.md"), "{stores}");
    let json = place
        .run(&["inject", "--task", "x", "--format", "json"])
        .json();
    assert_eq!(json["context"].as_array().unwrap().len(), 2);
    let report = place
        .run(&["inject", "--task", "x", "--format", "markdown"])
        .text();
    assert!(report.starts_with("# What agents are given\n"), "{report}");
    // It is no store of memories.
    let list = place.run(&["list", "--format", "quiet"]).text();
    assert!(!list.contains("CLAUDE"), "{list}");
}
