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
            // All of this file is text.
            "copilot" if id == "copilot:copilot-instructions" => "",
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
    for (id, set, name, line) in rows! {
        "deploys" => "type=reference" => ".claude/memory/deploys.md" => "  type: reference",
        "claude@.claude/memory:tests" => "description=plain" => ".claude/memory/tests.md" =>
            "description: plain",
        "claude@.claude/memory:tests" => "type=user" => ".claude/memory/tests.md" => "type: user",
        "cursor:a" => "globs=**/*.ts,*.md" => ".cursor/rules/a.mdc" => "globs: **/*.ts,*.md",
        "cursor:a" => "alwaysApply=true" => ".cursor/rules/a.mdc" => "alwaysApply: true",
        "copilot:rs.instructions" => "applyTo=**/*.py" => ".github/instructions/rs.instructions.md" =>
            "applyTo: \"**/*.py\"",
    } {
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
fn all_lines_of_a_value_go_where_the_field_is_read_by_lines() {
    // Patterns make most rules no YAML.
    for (value, shown, rest) in rows! {
        ">\n  old words\n  # more" => "old words # more" => "x: false",
        ">\n  old words\n  # more" => "old words # more" => "globs: **/*.rs",
        "\"old words\n  more\"" => "old words more" => "x: false",
        "\"old words\n  more\"" => "old words more" => "globs: **/*.rs",
    } {
        let place = Place::bare();
        let front = format!("---\ndescription: {value}\n{rest}\n---\nB\n");
        write(&place, ".cursor/rules/a.mdc", &front);
        let told = place.ok(&["show", "cursor:a"]);
        assert!(told.contains(shown), "{told}");
        place.ok(&["edit", "cursor:a", "--set", "description=New"]);
        let now = read(&place, ".cursor/rules/a.mdc");
        assert_eq!(now, format!("---\ndescription: New\n{rest}\n---\nB\n"));
        place.ok(&["undo"]);
        place.ok(&["edit", "cursor:a", "--unset", "description"]);
        let now = read(&place, ".cursor/rules/a.mdc");
        assert_eq!(now, format!("---\n{rest}\n---\nB\n"));
        place.ok(&["undo"]);
        // The text stays what it is where new patterns make the rest no YAML.
        place.ok(&["edit", "cursor:a", "--set", "globs=*.ts"]);
        let now = read(&place, ".cursor/rules/a.mdc");
        assert!(
            now.contains(value) && now.contains("globs: *.ts\n"),
            "{now}"
        );
    }
}

#[test]
fn a_file_keeps_how_its_name_ends() {
    let place = Place::bare();
    let files = [
        ("cline:a", ".clinerules/a.txt"),
        ("cline:b", ".clinerules/b.md"),
        ("cursor:c", ".cursor/rules/c.md"),
    ];
    for (_, name) in files {
        write(&place, name, "x\n");
    }
    for (id, name) in files {
        place.ok(&["delete", id]);
        assert!(!place.root().join(name).exists());
        place.ok(&["restore", id]);
        assert_eq!(read(&place, name), "x\n");
    }
    place.ok(&["delete", "cline:a", "cursor:c", "cline:b"]);
    place.ok(&["restore", "cline:a"]);
    place.ok(&["restore", "cursor:c"]);
    assert_eq!(read(&place, ".clinerules/a.txt"), "x\n");
    assert_eq!(read(&place, ".cursor/rules/c.md"), "x\n");
    place.ok(&["rename", "cline:a", "d"]);
    assert_eq!(read(&place, ".clinerules/d.txt"), "x\n");
    place.ok(&["rename", "cline:d", "e.md"]);
    assert_eq!(read(&place, ".clinerules/e.md"), "x\n");
}

#[test]
fn an_entry_of_an_index_is_one_short_line() {
    let place = Place::bare();
    let words = "many words ".repeat(30);
    let front = format!("---\nname: b\ndescription: |\n  one\n  {words}\n---\n\nB\n");
    write(&place, ".claude/memory/MEMORY.md", "- [A](a.md)\n");
    write(&place, ".claude/memory/a.md", "---\nname: a\n---\n\nA\n");
    write(&place, ".claude/memory/b.md", &front);
    let found = ["lint", "--rule", "index-orphan", "--format", "json"];
    let found = place.run(&found).json();
    let diff = found["findings"][0]["fix"]["diff"].as_str().unwrap();
    let line = diff.lines().find_map(|line| line.strip_prefix("+- [b]"));
    let entry = format!("- [b]{}", line.unwrap());
    write(
        &place,
        ".claude/memory/MEMORY.md",
        &format!("- [A](a.md)\n{entry}\n"),
    );
    let set = "description=two\nlines";
    place.ok(&["add", "C", "--title", "c", "--set", set]);
    let index = read(&place, ".claude/memory/MEMORY.md");
    let lines: Vec<&str> = index.lines().collect();
    assert_eq!(lines.len(), 3, "{index}");
    assert!(
        lines[1].starts_with("- [b](b.md) — one many words many"),
        "{index}"
    );
    assert!(lines[1].ends_with("many…"), "{index}");
    assert!(
        (190..=200).contains(&lines[1].encode_utf16().count()),
        "{index}"
    );
    assert_eq!(lines[2], "- [c](c.md) — two lines");
}

#[test]
fn a_rule_that_the_model_is_told_nothing_of_is_as_good_as_lost() {
    let place = Place::bare();
    for (name, mode) in [
        (".kiro/steering/a.md", "inclusion: auto"),
        (".augment/rules/b.md", "type: agent_requested"),
        (".windsurf/rules/c.md", "trigger: model_decision"),
    ] {
        write(&place, name, &format!("---\n{mode}\n---\n\nText.\n"));
        let store = name.rsplit_once('/').unwrap().0;
        let inject = ["inject", "--task", "x", "--explain", "--store", store];
        let told = place.run(&inject).text();
        assert!(told.contains("description, and it has none"), "{told}");
        assert!(!told.contains("reachable"), "{told}");
        let lint = ["lint", "--rule", "missing-field", "--store", store];
        let told = place.run(&lint).text();
        assert!(told.contains("1 file has no description"), "{told}");
        let full = format!("---\n{mode}\ndescription: D\n---\n\nText.\n");
        write(&place, name, &full);
        let told = place.run(&inject).text();
        assert!(told.contains("reachable"), "{told}");
        assert!(!place.run(&lint).text().contains("description"));
    }
}

#[test]
fn names_of_files_keep_the_letters_of_titles() {
    let place = Place::bare();
    write(&place, ".claude/memory/MEMORY.md", "# M\n");
    write(
        &place,
        ".cursor/rules/a.mdc",
        "---\nalwaysApply: true\n---\nA\n",
    );
    let add = |store: &str, title: &str| {
        let args = ["add", "x", "--store", store, "--format", "quiet", "--title"];
        let ran = place.run(&[&args[..], &[title]].concat());
        (
            ran.code,
            ran.text().trim().replace(&format!("{store}:"), ""),
        )
    };
    for (store, title, id) in [
        ("claude", "データベース", "データベース"),
        ("claude", "U\u{308}ber Größe!", "über-größe"),
        ("claude", "हिन्दी", "हिन्दी"),
        ("claude", "🙂", "untitled"),
        ("claude", "🙃", "untitled-2"),
        ("cursor", "C++ style", "c-style"),
        ("cursor", "C style", "c-style-2"),
        ("cursor", "C# style", "c-style-3"),
    ] {
        assert_eq!(add(store, title), (0, id.to_owned()), "{title}");
    }
    // The same title is no other memory.
    assert_eq!(add("cursor", "c style").0, 2);
    assert_eq!(add("claude", "データベース").0, 2);
    assert!(add("claude", &"界".repeat(90)).0 == 0);
}

#[test]
fn patterns_of_a_new_rule_count() {
    let place = Place::bare();
    for (folder, field, mode) in [
        (".kiro/steering", "fileMatchPattern", "inclusion: fileMatch"),
        (".windsurf/rules", "globs", "trigger: glob"),
    ] {
        fs::create_dir_all(place.root().join(folder)).unwrap();
        let set = format!("{field}=**/*.rs");
        let store = ["--store", folder, "--title"];
        let add = |title: &str, set: &[&str]| {
            place.ok(&[&["add", "R."], &store[..], &[title], set].concat());
            read(&place, &format!("{folder}/{title}.md"))
        };
        let new = add("r", &["--set", &set]);
        assert!(new.contains(mode), "{new}");
        let key = mode.split(':').next().unwrap();
        let given = add("s", &["--set", &set, "--set", &format!("{key}=manual")]);
        assert!(given.contains(": manual"), "{given}");
        let bare = add("t", &[]);
        assert!(bare.contains("always"), "{bare}");
    }
}

#[test]
fn a_link_by_name_keeps_its_ending() {
    let place = Place::bare();
    write(
        &place,
        ".claude/memory/MEMORY.md",
        "- [[b.md]]\n- [A](a.md)\n",
    );
    let text = "---\nname: a\n---\n\nSee [[b.md]], [[b.md|it]] and [[b]].\n";
    write(&place, ".claude/memory/a.md", text);
    write(&place, ".claude/memory/b.md", "---\nname: b\n---\n\nB\n");
    place.ok(&["rename", "b", "c"]);
    let index = read(&place, ".claude/memory/MEMORY.md");
    assert_eq!(index, "- [[c.md]]\n- [A](a.md)\n");
    let a = read(&place, ".claude/memory/a.md");
    assert!(a.ends_with("See [[c.md]], [[c.md|it]] and [[c]].\n"), "{a}");
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
    let expected = |severity| {
        format!("missing-file {severity}: 5 files that the system expects are not there")
    };
    let (unsure, missing) = (expected("info"), expected("warning"));
    let unread = "invisible-to-loader info: no rule of the project tells an agent to read this folder, and no program does";
    assert_eq!(told(&place), [unread, &*unsure]);
    write(
        &place,
        "AGENTS.md",
        "Read all files of memory-bank/ first.\n",
    );
    assert_eq!(reasons(&place), 1);
    assert_eq!(told(&place), [&*missing]);
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
    for (name, text) in rows! {
        "blank" => "\n---\napplyTo: \"**\"\ndescription: \"x\"\n---\n\nBehind a blank line.\n",
        "empty" => "---\napplyTo: \"\"\n---\n\nAn empty value.\n",
        "bare" => "Neither patterns nor a description.\n",
        "rust" =>
            "---\napplyTo: \"**/*.rs\"\n---\n\nSee [more](more.instructions.md) and #file:../../docs/api.md\n",
        "more" => "---\ndescription: \"More.\"\n---\n\nMore, and ![no](bare.instructions.md).\n",
    } {
        write(&place, &format!("{folder}/{name}.instructions.md"), text);
    }
    write(&place, "docs/api.md", "# API\n");
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
    let by_agent = inject
        .lines()
        .find_map(|line| line.strip_prefix("  of these for "));
    let tokens = |agent: &str| {
        let mut parts = by_agent.unwrap_or_default().split(", ");
        parts.find_map(|part| part.strip_prefix(agent)?.trim().parse::<u32>().ok())
    };
    assert!(tokens("Claude Code") > tokens("Cursor"), "{inject}");
    assert!(tokens("Cursor") > tokens("Cline"), "{inject}");
    let stores = place.run(&["stores"]).text();
    assert!(
        stores.contains("CLAUDE.md · 12 tokens · Claude Code loads it at every start"),
        "{stores}"
    );
    assert!(
        stores.contains("docs/more.md · 2 tokens · Claude Code loads it with the file that imports it; imported by CLAUDE.md line 3"),
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

/// Files of one store whose texts name each other in every way that is followed.
const LINKED: &[(&str, &str)] = &[
    (
        ".claude/memory/MEMORY.md",
        "Start with [how tests run](how%20tests%20run.md), then the rest.\n\n\
         - [Tests](<how tests run.md>) — alone\n\
         - [Deploys](deploys.md \"CI\") and [tests](how%20tests%20run.md#why) — two\n\
         - **[Again](./deploys.md)**\n\n\
         | topic | file |\n|---|---|\n| tests | [here](<how tests run.md>) |\n",
    ),
    (
        ".claude/memory/how tests run.md",
        "---\nname: how tests run\ndescription: tests\n---\nRun.\n",
    ),
    (
        ".claude/memory/deploys.md",
        "---\nname: deploys\ndescription: d\n---\nSee [[how tests run]], [[how tests run|the tests]] and [x](<how tests run.md> 't').\n\n```\n[[how tests run]]\n```\n",
    ),
];

fn linked() -> Place {
    let place = Place::bare();
    for (name, text) in LINKED {
        write(&place, name, text);
    }
    place
}

#[test]
fn every_form_of_a_link_follows_a_new_name() {
    let place = linked();
    let before = bytes(&place);
    let ran = place.run(&["rename", "claude:how tests run", "test runs"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (name, text) in LINKED {
        let name = name.replace("how tests run", "test runs");
        let mut now = text.replace("how tests run.md", "test runs.md");
        now = now.replace("how%20tests%20run", "test%20runs");
        now = now.replace(
            "See [[how tests run]], [[how tests run|",
            "See [[test runs]], [[test runs|",
        );
        now = now.replace("name: how tests run", "name: test runs");
        assert_eq!(read(&place, &name), now, "{name}");
    }
    assert_eq!(place.run(&["undo"]).code, 0);
    assert!(bytes(&place) == before);
}

#[test]
fn what_is_gone_is_named_plainly() {
    let place = linked();
    let before = bytes(&place);
    for command in ["archive", "delete"] {
        let ran = place.run(&[command, "claude:how tests run"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(
            read(&place, ".claude/memory/MEMORY.md"),
            "Start with how tests run, then the rest.\n\n\
             - [Deploys](deploys.md \"CI\") and tests — two\n\
             - **[Again](./deploys.md)**\n\n\
             | topic | file |\n|---|---|\n| tests | here |\n",
            "{command}"
        );
        let deploys = read(&place, ".claude/memory/deploys.md");
        assert!(
            deploys.ends_with(
                "\nSee how tests run, the tests and x.\n\n```\n[[how tests run]]\n```\n"
            ),
            "{command}: {deploys}"
        );
        assert_eq!(place.run(&["undo"]).code, 0);
        assert!(bytes(&place) == before, "{command}");
    }
    // One change of both leaves nothing behind.
    let both = ["delete", "claude:how tests run", "claude:deploys"];
    assert_eq!(place.run(&both).code, 0);
    let index = read(&place, ".claude/memory/MEMORY.md");
    let rest = "Start with how tests run, then the rest.\n\n\
         | topic | file |\n|---|---|\n| tests | here |\n";
    assert_eq!(index, rest);
}

#[test]
fn a_link_to_what_was_merged_leads_to_what_it_became() {
    let place = linked();
    write(
        &place,
        ".claude/memory/third.md",
        "---\nname: third\n---\nSee [[deploys]] and [d](deploys.md).\n",
    );
    let ran = place.run(&["merge", "claude:how tests run", "claude:deploys"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let third = read(&place, ".claude/memory/third.md");
    assert!(
        third.ends_with("See [[how tests run]] and [d](how%20tests%20run.md).\n"),
        "{third}"
    );
}

#[test]
fn a_link_that_leads_nowhere_is_told_in_every_form() {
    let place = Place::bare();
    write(
        &place,
        ".claude/memory/MEMORY.md",
        "- [A](a.md) and [B](b%20b.md \"t\") — [C](<c c.md>)\n- [D](../../etc/passwd.md)\n- [E](/abs.md)\n",
    );
    write(
        &place,
        ".claude/memory/a.md",
        "---\nname: a\ndescription: d\n---\nText of it.\n",
    );
    let found = place
        .run(&["lint", "--rule", "index-dangling", "--format", "json"])
        .text();
    for part in ["`b b.md` is not there", "`c c.md` is not there"] {
        assert!(found.contains(part), "{part}\n{found}");
    }
    // What leads out of the folder is not looked at.
    assert!(!found.contains("passwd.md`") && !found.contains("abs.md`"));
}

#[test]
fn files_that_are_not_there_are_one_finding() {
    let place = Place::bare();
    let index = "# M\n\n- [A](a.md) — a\n- [B](b.md) — b\n  more of b\n- [T](team/t.md) — t\n- [C](c.md) — c, with [D](d.md)\n";
    write(&place, ".claude/memory/MEMORY.md", index);
    write(&place, ".claude/memory/a.md", "Text of a.\n");
    write(&place, ".claude/memory/team/t.md", "Text of t.\n");
    write(&place, ".claude/memory/team/o.md", "Text of o.\n");
    // Either index may list a file of the folder.
    write(&place, ".claude/memory/team/MEMORY.md", "- [O](o.md) — o\n");
    let rules = ["--rule", "index-dangling", "--rule", "index-orphan"];
    let found = place.run(&[&["lint"], &rules[..]].concat()).text();
    let says = "3 links lead to no memory of the store";
    assert!(found.contains(says), "{found}");
    assert!(found.contains(":7: `d.md` is not there"), "{found}");
    assert!(found.contains("1 warning, 0 suggestions"), "{found}");
    // A person decides on each line.
    place.run(&["lint", "--rule", "index-dangling", "--fix"]);
    assert_eq!(read(&place, ".claude/memory/MEMORY.md"), index);
    for (title, line) in [
        (
            "take line 4 out, keep only the words of the link in line 7",
            "- [B](b.md) — b\n  more of b\n",
        ),
        (
            "keep only the words of the link in line 5",
            "- [C](c.md) — c, with [D](d.md)\n",
        ),
    ] {
        let found = place.run(&[&["lint"], &rules[..], &["--format", "json"]].concat());
        assert_eq!(found.json()["findings"][0]["fix"]["title"], title);
        let rest = read(&place, ".claude/memory/MEMORY.md").replace(line, "");
        write(&place, ".claude/memory/MEMORY.md", &rest);
    }
}

#[test]
fn mentions_of_rules_and_instructions_follow_a_new_name() {
    let place = Place::bare();
    write(
        &place,
        ".cursor/rules/style.mdc",
        "---\nalwaysApply: true\n---\nTabs.\n",
    );
    write(
        &place,
        ".cursor/rules/sub/a.mdc",
        "---\nalwaysApply: true\n---\nSee @style, @style.mdc, `@.cursor/rules/style.mdc`, [s](mdc:.cursor/rules/style.mdc) and [t](../style.mdc), me@style.org.\n\n```java\n@style\n@Override\n```\n\n@gone.mdc and @param x.\n",
    );
    write(
        &place,
        ".github/instructions/py.instructions.md",
        "---\napplyTo: \"**\"\n---\nPython.\n",
    );
    write(
        &place,
        ".github/instructions/all.instructions.md",
        "---\napplyTo: \"**\"\n---\nRead #file:py.instructions.md, [p](./py.instructions.md) and #file:gone.instructions.md.\n",
    );
    let before = bytes(&place);
    assert_eq!(place.run(&["rename", "cursor:style", "form"]).code, 0);
    let a = read(&place, ".cursor/rules/sub/a.mdc");
    assert!(
        a.contains("See @form, @form.mdc, `@.cursor/rules/form.mdc`, [s](mdc:.cursor/rules/form.mdc) and [t](../form.mdc), me@style.org.\n\n```java\n@style\n@Override\n```\n"),
        "{a}"
    );
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(
        place
            .run(&["rename", "copilot:py.instructions", "python"])
            .code,
        0
    );
    let all = read(&place, ".github/instructions/all.instructions.md");
    assert!(
        all.contains("Read #file:python.instructions.md, [p](./python.instructions.md) and"),
        "{all}"
    );
    assert_eq!(place.run(&["undo"]).code, 0);
    assert!(bytes(&place) == before);
    let found = place
        .run(&["lint", "--rule", "broken-relation", "--format", "json"])
        .json();
    let found: Vec<&str> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        found,
        [
            "the related memory `gone` is not in the store",
            "the related memory `gone.instructions` is not in the store"
        ]
    );
}

#[test]
fn names_with_folders_and_names_of_the_users_memories_are_looked_up_whole() {
    let place = project();
    let user = place.home().join(".serena/memories/global");
    fs::create_dir_all(user.join("tools")).unwrap();
    fs::write(
        user.join("tools/git.md"),
        "# Git\n\nSee `mem:global/tools/git` and `mem:core`.\n",
    )
    .unwrap();
    write(
        &place,
        ".serena/memories/links.md",
        "# L\n\n`mem:global/tools/git`, `mem:tools/git`, `mem:wrong/rust`, `mem:style/rust`.\n",
    );
    let ran = place.run(&[
        "rename",
        "serena@~/.serena/memories/global:tools/git",
        "tools/jj",
    ]);
    let ran = if ran.code == 0 {
        ran
    } else {
        panic!("{} {}", ran.err, place.run(&["stores"]).text())
    };
    assert!(ran.err.is_empty(), "{}", ran.err);
    let links = read(&place, ".serena/memories/links.md");
    assert!(
        links.contains("`mem:global/tools/jj`, `mem:tools/git`,"),
        "{links}"
    );
    let text = fs::read_to_string(user.join("tools/jj.md")).unwrap();
    assert!(
        text.contains("See `mem:global/tools/jj` and `mem:core`"),
        "{text}"
    );
    assert_eq!(place.run(&["undo"]).code, 0);
    let to = "serena@~/.serena/memories/global";
    let ran = place.run(&["convert", "serena@.:style/rust", "--to", to, "--move"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let core = read(&place, ".serena/memories/core.md");
    assert!(
        core.contains("Read `mem:global/style/rust` and `mem:style/rust-old`"),
        "{core}"
    );
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.run(&["rename", "serena@.:core", "main"]).code, 0);
    let text = fs::read_to_string(user.join("tools/git.md")).unwrap();
    assert!(text.contains("`mem:main`"), "{text}");
    let found = place.run(&["lint", "--rule", "broken-relation"]).text();
    assert!(
        found.contains("`wrong/rust` is not in the store"),
        "{found}"
    );
    assert!(
        !found.contains("`style/rust`") && !found.contains("global/"),
        "{found}"
    );
}

#[test]
fn a_new_name_for_a_file_that_its_system_knows_by_name_is_told() {
    let place = project();
    for (id, name) in [
        ("claude@.claude/memory:MEMORY", "MEMORY.md"),
        ("memory-bank:projectbrief", "projectbrief.md"),
        ("copilot:copilot-instructions", "copilot-instructions.md"),
    ] {
        let ran = place.run(&["rename", id, "other", "--dry-run"]);
        let told = format!("finds {name} by its name: under another one it is not loaded");
        assert!(ran.err.contains(&told), "{id}: {}", ran.err);
        let ran = place.run(&["rename", id, "other"]);
        assert!(ran.text().contains(&told), "{id}: {}", ran.text());
        place.run(&["undo"]);
    }
    let ran = place.run(&["rename", "serena:core", "other"]);
    assert!(!ran.text().contains("finds"), "{}", ran.text());
}

/// A project with an index, instructions that import a file, and rules with and without patterns.
fn with_context() -> Place {
    let place = project();
    write(&place, "CLAUDE.md", "# Project\n\nSee @docs/more.md.\n");
    write(&place, "docs/more.md", "More.\n");
    let rules = ".claude/rules";
    write(&place, &format!("{rules}/all.md"), "Every time.\n");
    let ts = "---\npaths: **/*.ts\n---\n\nStrict types.\n";
    write(&place, &format!("{rules}/ts.md"), ts);
    let py = "---\npaths:\n  - \"src/**/*.py\"\n---\n\nPython.\n";
    write(&place, &format!("{rules}/py.md"), py);
    place
}

#[test]
fn rules_with_paths_are_loaded_for_files_that_match() {
    let place = with_context();
    let given = |files: &[&str]| {
        let mut args = vec![
            "inject", "--store", "claude", "--task", "x", "--format", "json",
        ];
        files.iter().for_each(|file| args.extend(["--file", *file]));
        let json = place.run(&args).json();
        let all = json["context"].as_array().unwrap().clone();
        let given = all.iter().filter(|file| file["given"] == true);
        let paths = given.map(|file| file["path"].as_str().unwrap().to_owned());
        paths.collect::<Vec<_>>()
    };
    let always = [".claude/rules/all.md", "CLAUDE.md", "docs/more.md"];
    assert_eq!(given(&[]), always);
    for (file, rule) in [("deep/a.ts", "ts"), ("src/in/a.py", "py")] {
        let mut expected = vec![format!(".claude/rules/{rule}.md")];
        expected.extend(always.iter().map(|path| (*path).to_owned()));
        expected.sort();
        assert_eq!(given(&[file]), expected, "{file}");
    }
    let table = place.ok(&["inject", "--task", "x"]);
    let hint = "not loaded for this task · a file that matches `**/*.ts` attaches it (--file PATH)";
    assert!(table.contains(hint), "{table}");
    // Files of context go by the flag, so every policy takes it.
    for policy in [
        "index", "names", "always", "globs", "ralph", "rawko", "hybrid",
    ] {
        let args = ["inject", "--task", "x", "--file", "a", "--policy", policy];
        let ran = place.run(&args);
        assert_eq!((ran.code, &*ran.err), (0, ""), "{policy}");
    }
}

#[test]
fn instructions_of_a_subfolder_count_for_files_below_it() {
    let place = with_context();
    write(&place, "packages/web/AGENTS.md", "Agents of the web.\n");
    write(&place, "packages/web/CLAUDE.md", "Web. @NOTES.md\n");
    write(&place, "packages/web/NOTES.md", "Notes.\n");
    write(&place, "node_modules/x/CLAUDE.md", "Of others.\n");
    write(&place, "fork/.git/HEAD", "");
    write(&place, "fork/deep/CLAUDE.md", "Of others.\n");
    let given = |files: &[&str]| {
        let mut args = vec!["inject", "--task", "x", "--format", "json"];
        files.iter().for_each(|file| args.extend(["--file", *file]));
        let json = place.run(&args).json();
        let all = json["context"].as_array().unwrap().clone();
        let own =
            |file: &&serde_json::Value| !file["path"].as_str().unwrap().starts_with(".claude");
        let all = all.iter().filter(own);
        let all = all.map(|file| {
            (
                file["path"].as_str().unwrap().to_owned(),
                file["given"] == true,
            )
        });
        (all.collect::<Vec<_>>(), json["together"]["tokens"].as_u64())
    };
    let web = |is_given: bool| {
        let own = ["AGENTS.md", "CLAUDE.md", "NOTES.md"];
        let own = own.map(|name| (format!("packages/web/{name}"), is_given));
        let always = ["CLAUDE.md", "docs/more.md"].map(|path| (path.to_owned(), true));
        [&always[..], &own[..]].concat()
    };
    let (none, less) = given(&[]);
    assert_eq!(none, web(false));
    assert_eq!(given(&["packages/website/a.ts"]).0, web(false));
    let (all, more) = given(&["packages/web/src/a.ts"]);
    assert_eq!(all, web(true));
    assert!(more > less, "{more:?} {less:?}");
    let table = place.ok(&["inject", "--task", "x"]);
    assert!(
        table.contains("a file below packages/web loads it"),
        "{table}"
    );
    // They are shown where there is no store too.
    let bare = Place::bare();
    write(&bare, "web/AGENTS.md", "Agents.\n");
    let stores = bare.ok(&["stores"]);
    assert!(stores.contains("no store found"), "{stores}");
    assert!(
        stores.contains("web/AGENTS.md · 2 tokens · loaded with the files below web"),
        "{stores}"
    );
}

#[test]
fn every_link_of_a_line_lists_its_topic() {
    let place = with_topics("- [A](a.md), see [B](b.md) — both\n");
    let json = place
        .run(&[
            "inject", "--store", "claude", "--task", "x", "--format", "json",
        ])
        .json();
    let all = json["previews"][0]["rejected"].as_array().unwrap();
    for id in ["claude:a", "claude:b"] {
        let own = all.iter().find(|one| one["id"] == id).unwrap();
        let hint = own["hint"].as_str().unwrap();
        assert!(
            hint.contains("line 1 of MEMORY.md lists it"),
            "{id}: {hint}"
        );
    }
}

#[test]
fn instructions_down_to_the_working_directory_are_context() {
    let place = with_context();
    for folder in ["packages", "packages/api", "packages/web"] {
        write(
            &place,
            &format!("{folder}/CLAUDE.md"),
            "Nested @NOTES.md.\n",
        );
    }
    write(&place, "packages/api/AGENTS.md", "Agents.\n");
    write(&place, "packages/api/NOTES.md", "Notes.\n");
    let root = place.root().display().to_string();
    let nested = |folder: &str| {
        let args = ["--root", &root, "inject", "--task", "x", "--format", "json"];
        let json = place.run_in(&place.root().join(folder), &args).json();
        let all = json["context"].as_array().unwrap().iter();
        let all = all.filter(|file| file["given"] == true);
        let paths = all.map(|file| file["path"].as_str().unwrap().to_owned());
        let nested = paths.filter(|path| path.starts_with("packages"));
        nested.collect::<Vec<_>>()
    };
    assert_eq!(nested("."), [""; 0]);
    assert_eq!(nested("packages"), ["packages/CLAUDE.md"]);
    let both = [
        "packages/CLAUDE.md",
        "packages/api/AGENTS.md",
        "packages/api/CLAUDE.md",
        "packages/api/NOTES.md",
    ];
    assert_eq!(nested("packages/api"), both);
}

#[test]
fn files_of_context_are_shown_with_what_loads_them_and_not_changed() {
    let place = with_context();
    let shown = place.ok(&["show", "context:docs/more"]);
    assert!(shown.contains("imported by CLAUDE.md line 3"), "{shown}");
    let shown = place.ok(&["show", "context:CLAUDE"]);
    assert!(
        shown.contains("Claude Code loads it at every start"),
        "{shown}"
    );
    for args in [
        &["edit", "context:CLAUDE", "--set", "title=x"][..],
        &["archive", "context:CLAUDE"],
        &["delete", "context:CLAUDE"],
        &["rename", "context:CLAUDE", "OTHER"],
    ] {
        let refused = place.run(args);
        assert_eq!(refused.code, 2, "{args:?}");
        assert!(
            refused
                .err
                .contains("read-only: change the file in your editor"),
            "{}",
            refused.err
        );
    }
}

/// An index with frontmatter and so many entries, whose files are there.
fn with_index(entries: usize) -> Place {
    let place = Place::bare();
    let mut index = "---\nname: index\n---\n\n".to_owned();
    for n in 0..entries {
        index.push_str(&format!("- [t{n}](t{n}.md) — what it says\n"));
        let text = format!("---\nname: t{n}\ndescription: what it says\n---\n\nText {n}.\n");
        write(&place, &format!(".claude/memory/t{n}.md"), &text);
    }
    write(&place, ".claude/memory/MEMORY.md", &index);
    place
}

#[test]
fn every_part_tells_the_same_cut_of_an_index() {
    let place = with_index(202);
    let lint = place
        .run(&["lint", "--rule", "index-overflow", "--format", "json"])
        .json();
    let found = &lint["findings"][0];
    let size = "202 lines (limit 200, 2 over) and 6445 units (limit 25000, 18555 left)";
    let says = format!("2 entries are never loaded: {size}");
    assert_eq!(found["message"], says);
    // Frontmatter does not count, and the line is that of the file.
    assert_eq!(found["line"], 205);
    let json = place
        .run(&["inject", "--task", "x", "--format", "json"])
        .json();
    let all = json["previews"][0]["rejected"].as_array().unwrap();
    let hint = |id: &str| {
        let own = all.iter().find(|one| one["id"] == id).unwrap();
        own["hint"].as_str().unwrap().to_owned()
    };
    assert_eq!(hint("claude:t199"), "line 204 of MEMORY.md lists it");
    assert_eq!(
        hint("claude:t200"),
        "never loaded: line 205 of MEMORY.md is cut off"
    );
    let table = place.ok(&["inject", "--task", "x"]);
    let says = "MEMORY.md is cut at line 205: 2 of 202 entries are never loaded";
    assert!(table.contains(&format!("{says}; {size}")), "{table}");
    let related: Vec<_> = found["related"].as_array().unwrap().iter().collect();
    assert_eq!(related, ["claude:t200", "claude:t201"]);
}

#[test]
fn an_entry_below_the_cut_is_told_when_it_is_written() {
    let place = with_index(200);
    let said = place.ok(&["add", "New.", "--title", "New"]);
    let why = "line 205 of MEMORY.md is below the cut and never loaded: promote it or make room";
    assert!(said.contains(why), "{said}");
    write(
        &place,
        ".claude/memory/orphan.md",
        "---\nname: orphan\n---\n\nOrphan.\n",
    );
    let lint = place
        .run(&["lint", "--rule", "index-orphan", "--format", "json"])
        .json();
    let title = &lint["findings"][0]["fix"]["title"];
    assert_eq!(title, "list `orphan.md` in line 206 of 200");
    let place = with_index(3);
    assert!(
        !place
            .ok(&["add", "New.", "--title", "New"])
            .contains("below the cut")
    );
}

#[test]
fn a_team_folder_has_an_index_of_its_own() {
    let place = with_index(2);
    let topic = |name: &str| format!("---\nname: {name}\ndescription: d\n---\n\nText.\n");
    write(
        &place,
        ".claude/memory/team/MEMORY.md",
        "# Team\n\n- [t](t.md) — d\n",
    );
    for name in [
        "team/t",
        "team/u",
        "logs/2026/08/23/1-x",
        "sessions/s",
        "own",
    ] {
        write(&place, &format!(".claude/memory/{name}.md"), &topic(name));
    }
    let lint = place
        .run(&["lint", "--rule", "index-orphan", "--format", "json"])
        .json();
    let found = lint["findings"].as_array().unwrap().iter();
    let found: Vec<_> = found
        .map(|one| {
            (
                one["id"].as_str().unwrap(),
                one["message"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("claude:MEMORY", "`own.md` is not listed"),
        ("claude:team/MEMORY", "`u.md` is not listed"),
    ];
    assert_eq!(found, expected);
    let title = lint["findings"][1]["fix"]["title"].as_str().unwrap();
    assert_eq!(title, "list `u.md` in line 4 of 200");
    write(
        &place,
        ".claude/memory/team/MEMORY.md",
        "# Team\n\n- [t](t.md) — d\n- [team/u](u.md) — d\n",
    );
    let read =
        |name: &str| fs::read_to_string(place.root().join(".claude/memory").join(name)).unwrap();
    assert!(
        read("team/MEMORY.md").ends_with("- [team/u](u.md) — d\n"),
        "{}",
        read("team/MEMORY.md")
    );
    assert!(!read("MEMORY.md").contains("team/"));
    let preview = place.ok(&["inject", "--task", "x"]);
    for says in [
        "line 3 of team/MEMORY.md lists it",
        "the index of team/: when it is loaded is not known",
    ] {
        assert!(preview.contains(says), "{preview}");
    }
    let lint = place.ok(&["lint", "--rule", "missing-field", "--fail-on", "never"]);
    assert!(!lint.contains("team/MEMORY"), "{lint}");
    place.ok(&["promote", "team/u"]);
    assert!(read("team/MEMORY.md").starts_with("# Team\n\n- [team/u]"));
    place.ok(&["archive", "team/u"]);
    assert_eq!(read("team/MEMORY.md"), "# Team\n\n- [t](t.md) — d\n");
}

#[test]
fn the_lists_of_sections_are_ordered_each_by_itself() {
    let place = with_index(150);
    let topic =
        |kind: &str| format!("---\nname: x\ndescription: d\nmetadata:\n  type: {kind}\n---\n");
    for (name, kind) in [("said", "user"), ("old", "project"), ("older", "project")] {
        write(&place, &format!(".claude/memory/{name}.md"), &topic(kind));
    }
    let read = || fs::read_to_string(place.root().join(".claude/memory/MEMORY.md")).unwrap();
    let head = read();
    let (front, list) = head.split_at(head.find("- [t0]").unwrap());
    let people = "## People\n\n- [o](old.md)\n- [s](said.md)\n";
    // A list of what is no memory stays as it stands.
    let others = "## Others\n\n- see CONTRIBUTING\n- [x](../x.md)\n";
    let index = |text: &str| write(&place, ".claude/memory/MEMORY.md", text);
    let before = format!("{front}## Work\n\n{list}\n{others}\n{people}");
    index(&before);
    place.ok(&["reorder", "--yes"]);
    let sorted = people.replace(
        "- [o](old.md)\n- [s](said.md)\n",
        "- [s](said.md)\n- [o](old.md)\n",
    );
    assert_eq!(
        read(),
        format!("{front}## Work\n\n{list}\n{others}\n{sorted}")
    );
    let more = "- [r](older.md)\n".repeat(60);
    index(&format!(
        "{front}## Work\n\n{list}{more}\n{others}\n{people}"
    ));
    let said = place.ok(&["promote", "said"]);
    assert!(said.contains("still below the cut"), "{said}");
    let said = place.ok(&["undo"]) + &place.ok(&["reorder", "--yes"]);
    assert!(said.contains("ordered"), "{said}");
    assert_eq!(
        read(),
        format!("{front}## Work\n\n{list}{more}\n{others}\n{sorted}")
    );
    assert!(
        place
            .ok(&["reorder", "--yes"])
            .contains("nothing to change")
    );
}

#[test]
fn entries_without_a_path_go_and_move_with_their_topics() {
    let place = with_topics("- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n- [D](d.md)\n");
    let titled = "---\nname: the-d\ndescription: d\n---\n\nText.\n";
    write(&place, ".claude/memory/d.md", titled);
    let index = "# I\n\n- `a.md` — one\n- [[b]] — two\n- c.md — three\n- [[the-d]] — four\n\nNotes:\n\n- see README.md\n- z.md is no topic\n";
    write(&place, ".claude/memory/MEMORY.md", index);
    let before = bytes(&place);
    let lint = place.ok(&["lint", "--rule", "index-orphan", "--rule", "index-dangling"]);
    assert!(!lint.contains("index-"), "{lint}");
    let preview = place.ok(&["inject", "--task", "x"]);
    for line in 3..7 {
        assert!(
            preview.contains(&format!("line {line} of MEMORY.md lists it")),
            "{preview}"
        );
    }
    place.ok(&["promote", "d"]);
    place.ok(&["rename", "a", "aa"]);
    place.ok(&["rename", "b", "bb"]);
    let now = "# I\n\n- [[the-d]] — four\n- `aa.md` — one\n- [[bb]] — two\n- c.md — three\n\nNotes:\n\n- see README.md\n- z.md is no topic\n";
    assert_eq!(read_index(&place), now);
    place.ok(&["archive", "aa", "bb", "d"]);
    place.ok(&["delete", "c", "--yes"]);
    let rest = "# I\n\nNotes:\n\n- see README.md\n- z.md is no topic\n";
    assert_eq!(read_index(&place), rest);
    place.ok(&["restore", "c"]);
    place.ok(&["restore", "aa", "bb", "d"]);
    assert_eq!(read_index(&place), now);
    undo(&place, 7);
    assert!(bytes(&place) == before);
}

#[test]
fn an_entry_goes_with_the_topic_that_it_leads_with() {
    let index = "- [A](a.md) — one, see [[b]] and [C](c.md)\n- [B](b.md) — not [A](a.md)\n- [C](c.md)\n- [D](d.md), [E](e.md)\n";
    let place = with_topics(index);
    place.ok(&["archive", "a"]);
    let now = "- [B](b.md) — not A\n- [C](c.md)\n- [D](d.md), [E](e.md)\n";
    assert_eq!(read_index(&place), now);
    // The only mention of another topic stays.
    place.ok(&["archive", "d"]);
    assert_eq!(read_index(&place), now.replace("[D](d.md)", "D"));
    // What changed since stays where it is: the entry comes back behind it.
    place.ok(&["restore", "a"]);
    let own = "- [A](a.md) — one, see [[b]] and [C](c.md)\n";
    let index = index.replace(own, "") + own;
    assert_eq!(read_index(&place), index.replace("[D](d.md)", "D"));
    place.ok(&["restore", "d"]);
    assert_eq!(read_index(&place), index);
    place.ok(&["delete", "d", "e", "--yes"]);
    assert_eq!(
        read_index(&place),
        index.replace("- [D](d.md), [E](e.md)\n", "")
    );
}

#[test]
fn a_link_by_name_has_no_folder_where_its_topic_moves_into_one() {
    let place = with_topics("- [A](a.md)\n- [B](b.md)\n- [[a]]\n");
    let topic = "---\nname: b\ndescription: d\n---\n\nSee [[a]] and [it](a.md).\n";
    write(&place, ".claude/memory/b.md", topic);
    place.ok(&["rename", "a", "sub/a"]);
    assert_eq!(
        read_index(&place),
        "- [A](sub/a.md)\n- [B](b.md)\n- [[a]]\n"
    );
    assert_eq!(
        read(&place, ".claude/memory/b.md"),
        topic.replace("(a.md)", "(sub/a.md)")
    );
    place.ok(&["rename", "sub/a", "sub/c"]);
    assert_eq!(
        read_index(&place),
        "- [A](sub/c.md)\n- [B](b.md)\n- [[c]]\n"
    );
}

#[test]
fn a_topic_that_moves_keeps_its_entry() {
    let index = "- [G](g.md)\n  - [A!](a.md) — by hand\n    more\n- `b.md` — two\n- [C](c.md)\n  - [D](d.md)\n";
    let place = with_topics(&format!("{index}- [B](b.md)\n"));
    write(&place, ".claude/memory/MEMORY.md", index);
    let other = ".claude/agent-memory/reviewer/MEMORY.md";
    write(&place, other, "# R\r\n\r\n- [X](x.md)\r\n");
    write(&place, ".claude/agent-memory/reviewer/a.md", "Taken.\n");
    let before = bytes(&place);
    let to = place.root().join(".claude/agent-memory/reviewer");
    let to = to.display().to_string();
    for name in ["a", "b", "c"] {
        let id = &*format!("claude@.claude/memory:{name}");
        place.ok(&["convert", id, "--to", "claude", "--into", &to, "--move"]);
    }
    let expected = "# R\r\n\r\n- [X](x.md)\r\n- [A!](a-2.md) — by hand\r\n  more\r\n- `b.md` — two\r\n- [C](c.md)\r\n";
    assert_eq!(read(&place, other), expected);
    assert_eq!(read_index(&place), "- [G](g.md)\n- C\n  - [D](d.md)\n");
    undo(&place, 3);
    assert!(bytes(&place) == before);
}

#[test]
fn a_list_that_mentions_topics_is_no_list_of_them() {
    let index = "- Never guess, see [B](b.md).\n- A fact\n- Another\n- See [A](a.md)\n- Third\n\nTopics:\n- [X](../x.md)\n- **[A](a.md)** — one\n- Bees: [B](b.md)\n";
    let place = with_topics(index);
    let person = "---\nname: b\ndescription: d\nmetadata:\n  type: user\n---\n";
    write(&place, ".claude/memory/b.md", person);
    place.ok(&["reorder", "--yes"]);
    let list = "- **[A](a.md)** — one\n- Bees: [B](b.md)\n";
    let now = index.replace(list, "- Bees: [B](b.md)\n- **[A](a.md)** — one\n");
    assert_eq!(read_index(&place), now);
    // What mentions a topic keeps its words where the entry goes.
    place.ok(&["archive", "b"]);
    let less = now
        .replace("- Bees: [B](b.md)\n", "")
        .replace("[B](b.md)", "B");
    assert_eq!(read_index(&place), less);
    place.ok(&["promote", "a"]);
    place.ok(&["restore", "b"]);
    assert!(read_index(&place).contains("- Bees: [B](b.md)\n"));
}

/// A store with an index and a topic for each of its links.
fn with_topics(index: &str) -> Place {
    let place = Place::bare();
    for (at, _) in index.match_indices("](") {
        let rest = &index[at + 2..];
        let file = &rest[..rest.find(')').unwrap()];
        let name = file.strip_suffix(".md").unwrap();
        let topic = format!("---\nname: {name}\ndescription: about {name}\n---\n\nText.\n");
        write(&place, &format!(".claude/memory/{file}"), &topic);
    }
    write(&place, ".claude/memory/MEMORY.md", index);
    place
}

fn read_index(place: &Place) -> String {
    read(place, ".claude/memory/MEMORY.md")
}

/// Takes back so many steps.
fn undo(place: &Place, steps: usize) {
    for _ in 0..steps {
        place.ok(&["undo"]);
    }
}

#[test]
fn a_topic_comes_back_with_the_entry_that_its_index_had() {
    let index = "# I\n\n- [A!](a.md) — one\n- [B!](b.md) — two\n  of b\n- [C!](c.md)\n- [D!](d.md)\n\n## J\n\n- [J](j.md)\n";
    let b = "- [B!](b.md) — two\n  of b\n";
    for command in ["archive", "delete"] {
        let place = with_topics(index);
        let before = bytes(&place);
        // Another one was added, others were renamed and ordered.
        place.ok(&[command, "b", "--yes"][..if command == "delete" { 3 } else { 2 }]);
        place.ok(&["add", "New.", "--title", "New"]);
        place.ok(&["rename", "a", "z"]);
        place.ok(&["demote", "c"]);
        place.ok(&["restore", "b"]);
        let now = "# I\n\n- [A!](z.md) — one\n- [D!](d.md)\n- [C!](c.md)\n\n## J\n\n- [J](j.md)\n- [New](new.md)\n- [B!](b.md) — two\n  of b\n";
        assert_eq!(read_index(&place), now, "{command}");
        assert_eq!(
            read(&place, ".claude/memory/b.md"),
            read(&with_topics(index), ".claude/memory/b.md")
        );
        undo(&place, 5);
        assert!(bytes(&place) == before, "{command}");
        // Its neighbours are gone too, and another program wrote to the index.
        place
            .ok(&[command, "a", "b", "c", "d", "--yes"][..if command == "delete" { 6 } else { 5 }]);
        assert_eq!(read_index(&place), "# I\n\n## J\n\n- [J](j.md)\n");
        place.ok(&["restore", "b"]);
        let now = format!("# I\n\n## J\n\n- [J](j.md)\n{b}");
        assert_eq!(read_index(&place), now, "{command}");
        write(
            &place,
            ".claude/memory/MEMORY.md",
            &now.replace("# I\n", "# I\n\nText.\n"),
        );
        place.ok(&["restore", "d", "a", "c"]);
        assert_eq!(
            read_index(&place),
            format!(
                "# I\n\nText.\n\n## J\n\n- [J](j.md)\n{b}- [D!](d.md)\n- [A!](a.md) — one\n- [C!](c.md)\n"
            ),
            "{command}"
        );
    }
}

#[test]
fn memories_keep_their_folders_and_ids_in_an_archive_beside_the_store() {
    let place = Place::bare();
    let links = "mem:x/n mem:y/n\n";
    write(&place, ".serena/memories/x/n.md", "# X\n");
    write(&place, ".serena/memories/y/n.md", "# Y\n");
    write(&place, ".serena/memories/c.md", links);
    // An archive from before has no folders.
    write(&place, ".serena/memories-archive/n.md", "# Old\n");
    place.ok(&["archive", "serena:x/n"]);
    place.ok(&["archive", "serena:y/n"]);
    let all = || place.run(&["list", "--all", "--format", "quiet"]).lines();
    let mut ids = all();
    ids.sort_unstable();
    assert_eq!(ids, ["serena:c", "serena:n", "serena:x/n", "serena:y/n"]);
    place.ok(&["rename", "serena:y/n", "y/m"]);
    place.ok(&["undo"]);
    for id in ["serena:y/n", "serena:n", "serena:x/n"] {
        place.ok(&["restore", id]);
    }
    assert_eq!(read(&place, ".serena/memories/c.md"), links);
    for (file, text) in [("x/n", "# X\n"), ("y/n", "# Y\n"), ("n", "# Old\n")] {
        assert_eq!(read(&place, &format!(".serena/memories/{file}.md")), text);
    }
}

#[test]
fn what_links_to_a_topic_does_again_when_its_step_is_taken_back() {
    let index = "- [A](a.md)\r\n- [B!](b.md) — two\r\n\tof b\r\n- [C](c.md)";
    let place = with_topics(index);
    let topic = "---\nname: a\ndescription: d\n---\n\nSee [[b]] and [it](b.md).\n";
    write(&place, ".claude/memory/a.md", topic);
    place.ok(&["archive", "b"]);
    let plain = topic.replace("[[b]] and [it](b.md)", "b and it");
    assert_eq!(read(&place, ".claude/memory/a.md"), plain);
    place.ok(&["restore", "b"]);
    assert_eq!(read(&place, ".claude/memory/a.md"), topic);
    place.ok(&["archive", "b"]);
    place.ok(&["demote", "a"]);
    // It has another name in the archive now.
    place.ok(&["rename", "archive/b", "archive/bb"]);
    place.ok(&["restore", "archive/bb"]);
    assert_eq!(
        read_index(&place),
        "- [C](c.md)\r\n- [A](a.md)\r\n- [b](bb.md) — about b\r\n"
    );
    undo(&place, 2);
    place.ok(&["restore", "b"]);
    assert_eq!(
        read_index(&place),
        "- [C](c.md)\r\n- [A](a.md)\r\n- [B!](b.md) — two\r\n\tof b"
    );
    // Something else changed since: texts beside the index stay as they are.
    assert_eq!(read(&place, ".claude/memory/a.md"), plain);
    // One that was deleted with others keeps the mode of its file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let file = place.root().join(".claude/memory/b.md");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        place.ok(&["delete", "b", "c", "--yes"]);
        place.ok(&["restore", "b"]);
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}

#[test]
fn entries_in_an_entry_stay_where_it_goes_and_follow_it_where_it_moves() {
    let index =
        "- [P](p.md) — group\n  of p\n  - [Q](q.md)\n    of q\n  - [R](r.md)\n\n- [S](s.md)\n";
    let place = with_topics(index);
    let before = bytes(&place);
    place.ok(&["promote", "s"]);
    let now =
        "- [S](s.md)\n\n- [P](p.md) — group\n  of p\n  - [Q](q.md)\n    of q\n  - [R](r.md)\n";
    assert_eq!(read_index(&place), now);
    let said = place.ok(&["demote", "q"]);
    assert!(
        said.contains("line 5 becomes line 6 of MEMORY.md"),
        "{said}"
    );
    let now = now.replace(
        "  - [Q](q.md)\n    of q\n  - [R](r.md)\n",
        "  - [R](r.md)\n  - [Q](q.md)\n    of q\n",
    );
    assert_eq!(read_index(&place), now);
    // The words of what has entries in it stay.
    place.ok(&["archive", "p"]);
    assert_eq!(read_index(&place), now.replace("[P](p.md)", "P"));
    place.ok(&["archive", "q"]);
    place.ok(&["restore", "p"]);
    let less = now.replace("  - [Q](q.md)\n    of q\n", "");
    assert_eq!(read_index(&place), less);
    place.ok(&["restore", "q"]);
    let own = "- [Q](q.md)\n  of q\n";
    assert_eq!(read_index(&place), less + own);
    place.ok(&["delete", "q", "p", "r", "--yes"]);
    assert_eq!(read_index(&place), "- [S](s.md)\n\n");
    place.ok(&["restore", "p", "q"]);
    assert_eq!(
        read_index(&place),
        "- [S](s.md)\n- [P](p.md) — group\n  of p\n- [Q](q.md)\n  of q\n\n"
    );
    undo(&place, 8);
    assert!(bytes(&place) == before);
    // A new line stands behind all of the last entry.
    place.ok(&["add", "New.", "--title", "New"]);
    assert_eq!(read_index(&place), format!("{index}- [New](new.md)\n"));
}

#[test]
fn an_index_is_ordered_by_value_in_one_step() {
    let place = Place::bare();
    let topic = |kind: &str, day: u32| {
        let at = format!("  type: {kind}\n  modified: 2026-01-{day:02}T00:00:00.000Z\n");
        format!("---\nname: x\ndescription: d\nmetadata:\n{at}---\n\nText.\n")
    };
    for (name, kind, day) in [
        ("old", "project", 1),
        ("new", "project", 9),
        ("said", "user", 2),
    ] {
        write(
            &place,
            &format!(".claude/memory/{name}.md"),
            &topic(kind, day),
        );
    }
    let index = ".claude/memory/MEMORY.md";
    let before = "---\nname: i\n---\n# Index\n\n- [o](old.md)\n- [n](new.md)\n- [s](said.md)\n";
    write(&place, index, before);
    let read = || fs::read_to_string(place.root().join(index)).unwrap();
    let diff = place.ok(&["reorder", "--dry-run"]);
    assert!(diff.contains("+- [s](said.md)"), "{diff}");
    assert_eq!(read(), before);
    place.ok(&["reorder", "--yes"]);
    let after = "---\nname: i\n---\n# Index\n\n- [s](said.md)\n- [n](new.md)\n- [o](old.md)\n";
    assert_eq!(read(), after);
    assert!(
        place
            .ok(&["reorder", "--yes"])
            .contains("nothing to change")
    );
    place.ok(&["undo"]);
    assert_eq!(read(), before);
    // An entry is worth as much as the best one in it, and a comment has none.
    let before = "- [n](new.md)\n- [o](old.md)\n  - [s](said.md)\n<!-- - [x](x.md) -->\n";
    write(&place, index, before);
    place.ok(&["reorder", "--yes"]);
    let after = "- [o](old.md)\n  - [s](said.md)\n- [n](new.md)\n<!-- - [x](x.md) -->\n";
    assert_eq!(read(), after);
    let lint = place.ok(&["lint", "--rule", "index-dangling"]);
    assert!(!lint.contains("x.md"), "{lint}");
    let refused = place.run(&["reorder", "claude:old"]);
    assert!(
        refused.err.contains("it is not the index of its store"),
        "{}",
        refused.err
    );
}

#[test]
fn what_no_loader_reads_is_told() {
    // A bank that no rule names.
    let place = Place::bare();
    write(&place, "memory-bank/projectbrief.md", "# Brief\n\nText.\n");
    let visible = || {
        let json = place.run(&["list", "--format", "json"]).json();
        (json[0]["visible"].clone(), json[0]["hidden_reason"].clone())
    };
    let (is_visible, why) = visible();
    assert_eq!(is_visible, false);
    assert!(
        why.as_str().unwrap().contains("no rule of the project"),
        "{why}"
    );
    write(&place, "AGENTS.md", "Read memory-bank/ first.\n");
    assert_eq!(visible(), (true.into(), serde_json::Value::Null));
    // A rule that its loader drops.
    let place = Place::bare();
    write(&place, ".clinerules/a.md", "---\npaths: [\n---\n\nText.\n");
    let json = place
        .run(&["inject", "--task", "x", "--format", "json"])
        .json();
    assert_eq!(json["previews"][0]["rejected"][0]["reason"], "invisible");
    // Notes in folders that are not gone into, and a store that is the root.
    let place = Place::bare();
    write(&place, ".obsidian/note.md", "# Note\n\nText.\n");
    let root = place.root();
    let root = root.to_str().unwrap();
    let listed = place.run(&["list", "--store", root, "--as", "basic-memory"]);
    assert_eq!(listed.code, 1);
    let stores = place.ok(&["stores", "--store", root, "--as", "basic-memory"]);
    assert!(stores.contains("  . · project"), "{stores}");
}

#[test]
fn an_import_counts_for_the_agents_that_load_what_imports_it() {
    let place = project();
    write(&place, "CLAUDE.md", "@AGENTS.md\n");
    write(&place, "AGENTS.md", &"Run the tests.\n".repeat(40));
    write(&place, "docs/rust.md", "Rust.\n");
    write(
        &place,
        ".claude/rules/rs.md",
        "---\npaths:\n  - \"**/*.rs\"\n---\n@../../docs/rust.md\n",
    );
    let context = |more: &[&str]| {
        let args = [&["inject", "--task", "x", "--format", "json"], more].concat();
        let json = place.run(&args).json();
        let files = json["context"].as_array().unwrap().clone();
        let file = |path: &str| {
            let found = files.iter().find(|file| file["path"] == path);
            found.unwrap_or_else(|| panic!("{files:?}")).clone()
        };
        (file("AGENTS.md"), file("docs/rust.md"))
    };
    let (agents, rust) = context(&[]);
    let of = agents["agents"].as_array().unwrap();
    assert!(of.iter().any(|agent| agent == "Claude Code"), "{agents}");
    assert_eq!(rust["given"], false);
    let (_, rust) = context(&["--file", "src/a.rs"]);
    assert_eq!(rust["given"], true);
}

#[test]
fn brackets_of_code_are_no_links_and_rules_of_different_agents_repeat_nothing() {
    let place = Place::bare();
    let text = "Take rows[[0]], m = [[1, 2], [3, 4]] and ``[[x]]`` from the code of the parser.\n";
    write(&place, ".claude/memory/a.md", text);
    write(&place, ".cursor/rules/a.mdc", text);
    write(&place, ".github/instructions/a.instructions.md", text);
    let found = place.run(&["lint", "--format", "json"]).json();
    let rules = found["findings"].as_array().unwrap().iter();
    let mut rules = rules.map(|one| one["rule"].as_str().unwrap());
    assert!(
        rules.all(|rule| rule != "broken-relation" && rule != "near-duplicate"),
        "{found}"
    );
}

#[test]
fn notes_still_to_be_written_are_one_finding_of_the_memory_that_names_them() {
    let place = project();
    let memory = place.root().join(".claude/memory");
    fs::create_dir_all(&memory).unwrap();
    let names: Vec<String> = (0..8).map(|n| format!("[[note-of-day-{n}]]")).collect();
    fs::write(
        memory.join("a.md"),
        format!("# A\n\n{}\n", names.join(", ")),
    )
    .unwrap();
    let found = place.run(&[
        "lint",
        "claude@.claude/memory:a",
        "--rule",
        "broken-relation",
        "--format",
        "json",
    ]);
    let found = found.json()["findings"].clone();
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    assert_eq!(
        found[0]["message"],
        "8 links lead to no memory of the store"
    );
    let shown = found[0]["evidence"].as_array().unwrap();
    assert_eq!(shown.len(), 8, "{shown:?}");
    assert_eq!(
        shown[0],
        "a:3: the related memory `note-of-day-0` is not in the store"
    );
}

#[test]
fn what_a_format_allows_is_no_error() {
    let place = Place::bare();
    let put = |name: &str, text: &str| write(&place, name, text);
    put("AGENTS.md", "Read all of memory-bank.\n");
    put("memory-bank/progress.md", "");
    put("memory-bank/activeContext.md", "# Active context\n");
    put(".serena/memories/blank.md", "\n");
    let rule = |globs: &str, always: bool| {
        format!("---\ndescription: x\nglobs: {globs}\nalwaysApply: {always}\n---\nUse rustfmt.\n")
    };
    put(".cursor/rules/named.mdc", &rule("[]", false));
    put(
        ".cursor/rules/braces.mdc",
        &rule("src/*.{rs,toml}, **/*.{c,h}", false),
    );
    put(".cursor/rules/every.mdc", &rule("[\"**/*\"]", true));
    put(".cursor/rules/listed.mdc", &rule("[\"**/*.rs\"]", false));
    put(
        ".claude/memory/own.md",
        "---\nname: own\ndescription: x\ntype: decision\n---\nWe use tabs.\n",
    );
    let ran = place.run(&["lint", "--format", "json", "--fail-on", "never"]);
    let found: serde_json::Value = serde_json::from_str(&ran.text()).unwrap();
    let about = [
        "load-error",
        "empty-body",
        "pattern-never-matches",
        "unknown-value",
    ];
    let mut all: Vec<String> = (found["findings"].as_array().unwrap().iter())
        .filter(|one| about.contains(&one["rule"].as_str().unwrap()))
        .map(|one| {
            let [severity, rule, id] =
                ["severity", "rule", "id"].map(|key| one[key].as_str().unwrap());
            format!("{id}: {severity} {rule}")
        })
        .collect();
    all.sort();
    assert_eq!(
        all,
        [
            "claude:own: info unknown-value",
            "cursor:braces: info pattern-never-matches",
            "cursor:listed: warning pattern-never-matches",
            "memory-bank:activeContext: info empty-body",
            "memory-bank:progress: info empty-body",
            "serena:blank: warning empty-body",
        ],
        "{}",
        ran.text()
    );
}
