//! What the systems of the formats do: stores that are one file, links, settings of their own.

use std::fs;

use crate::place::Place;

fn write(place: &Place, name: &str, text: &str) {
    let path = place.root().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Runs a command that must succeed; its standard output.
fn done(place: &Place, args: &[&str]) -> String {
    let ran = place.run(args);
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    ran.text()
}

#[test]
fn the_only_memory_of_a_store_that_is_one_file_comes_back_from_the_archive() {
    for name in [
        ".github/copilot-instructions.md",
        ".junie/guidelines.md",
        ".clinerules",
    ] {
        let place = Place::bare();
        write(&place, name, "# One\n\nText.\n");
        let id = done(&place, &["list", "--format", "quiet"]);
        done(&place, &["archive", id.trim()]);
        assert!(!place.root().join(name).exists(), "{name}");
        done(&place, &["restore", id.trim()]);
        let text = fs::read_to_string(place.root().join(name)).unwrap();
        assert_eq!(text, "# One\n\nText.\n", "{name}");
    }
}

#[test]
fn a_link_to_a_memory_that_is_not_there_is_a_broken_relation() {
    let place = Place::bare();
    write(
        &place,
        ".claude/memory/MEMORY.md",
        "- [A](a.md) — one\n- [B](b.md) — two\n- [C](feedback_flat_lists.md) — three\n",
    );
    let text = "---\nname: a\ndescription: x\n---\n[[b]], [[the-b]], [[later]], [[later]], `[[code]]`, mem:no, \
                [[flat-lists]].\n";
    write(&place, ".claude/memory/a.md", text);
    write(
        &place,
        ".claude/memory/b.md",
        "---\nname: the-b\ndescription: y\n---\nB.\n",
    );
    write(
        &place,
        ".claude/memory/feedback_flat_lists.md",
        "---\nname: Lists stay flat\ndescription: z\ntype: feedback\n---\nC.\n",
    );
    write(
        &place,
        ".serena/memories/core.md",
        "`mem:style/conventions`, `mem:style/convention`, `mem:global/x`, [[no]].\n",
    );
    write(&place, ".serena/memories/style/conventions.md", "# Style\n");
    let args = [
        "lint",
        "--rule",
        "broken-relation",
        "--fail-on",
        "never",
        "--format",
        "quiet",
    ];
    let json = place.run(&[&args[..6], &["json"]].concat()).json();
    let found: Vec<String> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {} {}", one["severity"], one["id"], one["message"]).replace('"', ""))
        .collect();
    assert_eq!(
        found,
        [
            "warning serena:core the related memory `style/convention` is not in the store",
            "info claude:a 2 links lead to no memory of the store",
        ]
    );
    done(
        &place,
        &[
            "lint",
            "--fix",
            "--rule",
            "broken-relation",
            "--fail-on",
            "never",
        ],
    );
    let core = fs::read_to_string(place.root().join(".serena/memories/core.md")).unwrap();
    assert!(
        core.starts_with("`mem:style/conventions`, `mem:style/conventions`,"),
        "{core}"
    );
    let own = fs::read_to_string(place.root().join(".claude/memory/a.md")).unwrap();
    assert!(own.ends_with("[[feedback_flat_lists]].\n"), "{own}");
}

#[test]
fn a_folder_above_stores_and_a_folder_of_the_settings_are_opened() {
    let place = Place::bare();
    for name in ["a", "b"] {
        let file = format!(".claude/agent-memory/{name}/MEMORY.md");
        write(&place, &file, "One.\n");
    }
    for folder in [".claude/agent-memory", ".claude"] {
        let list = done(&place, &["list", "--store", folder, "--format", "quiet"]);
        let found: Vec<&str> = list.lines().collect();
        let [a, b] = ["a", "b"].map(|name| format!("claude@.claude/agent-memory/{name}:MEMORY"));
        assert_eq!(found, [a, b], "{folder}");
    }
    let notes = place.home().join("notes");
    fs::create_dir_all(place.home().join(".claude")).unwrap();
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("MEMORY.md"), "Mine.\n").unwrap();
    let settings = "{\"autoMemoryDirectory\": \"~/notes\"}";
    fs::write(place.home().join(".claude/settings.json"), settings).unwrap();
    let stores = done(&place, &["stores"]);
    assert!(stores.contains("claude@~/notes"), "{stores}");
}

#[test]
fn context_is_a_store_where_it_is_asked_for() {
    let place = Place::bare();
    write(&place, "CLAUDE.md", "# Project\n\nUse tabs.\n");
    let list = done(&place, &["list", "--store", "context", "--format", "quiet"]);
    assert_eq!(list, "context:CLAUDE\n");
    let ran = place.run(&["archive", "context:CLAUDE", "--store", "context"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}

#[test]
fn serenas_settings_set_names_apart() {
    let place = Place::bare();
    for name in ["core", "_old/x", "adr/1"] {
        write(&place, &format!(".serena/memories/{name}.md"), "# One\n");
    }
    let settings =
        "ignored_memory_patterns: ['_old/.*', '(']\nread_only_memory_patterns:\n- adr/.*\n";
    write(&place, ".serena/project.yml", settings);
    let args = ["inject", "--task", "x", "--format", "prompt"];
    assert_eq!(
        done(&place, &args),
        "{\"memories\": [\"core\"], \"read_only_memories\": [\"adr/1\"]}"
    );
    let list = place.run(&["list", "--format", "json"]).json();
    let hidden = list.as_array().unwrap().iter();
    let hidden: Vec<&str> = hidden
        .filter_map(|one| one["hidden_reason"].as_str())
        .collect();
    assert_eq!(hidden, ["the system's settings ignore its name"]);
}

#[test]
fn links_follow_a_new_title() {
    let place = Place::bare();
    let note = "---\ntitle: Old Title\npermalink: notes/one\n---\n\n- [fact] It holds #tag\n- relates_to [[Two]]\n";
    write(&place, "kb/one.md", note);
    write(
        &place,
        "kb/two.md",
        "---\ntitle: Two\npermalink: notes/two\n---\n\nSee [[Old Title]] and [[Old Title|it]].\n",
    );
    let kb = ["--store", "kb"];
    done(
        &place,
        &[&["edit", "one", "--set", "title=New"][..], &kb].concat(),
    );
    let two = fs::read_to_string(place.root().join("kb/two.md")).unwrap();
    assert!(two.ends_with("See [[New]] and [[New|it]].\n"), "{two}");
    done(&place, &[&["undo"][..], &kb].concat());
    let two = fs::read_to_string(place.root().join("kb/two.md")).unwrap();
    assert!(two.contains("[[Old Title]]"), "{two}");
    // Observations and relations are found by their words too.
    for word in ["holds", "relates_to"] {
        let found = done(
            &place,
            &[&["search", word, "--format", "quiet"][..], &kb].concat(),
        );
        assert_eq!(found, "basic-memory:one\n", "{word}");
    }
}

#[test]
fn a_note_is_read_as_its_own_program_reads_it() {
    let place = Place::bare();
    let notes = [
        (
            "kb/money/Cents_Only.md",
            "---\npermalink: kb/money/cents\n---\n\n- [decision] Amounts are cents #money (since 2024)\n- [ ] open\n- relates_to [[kb/money/ledger]] (rounding)\n- \"part of\" [[Accounts Book]]\n",
        ),
        (
            "kb/money/ledger.md",
            "---\ntitle: The Ledger\npermalink: kb/ledger-of-all\ncategory: plan\n---\n\nSee [[cents]], [[cents-only]], [[The Ledger]], [[ledger_of_all]] and [[Tax Rules]], [[Tax Office]].\n",
        ),
        (
            "kb/.agent/hidden.md",
            "---\ntitle: Hidden\n---\n\nNot read.\n",
        ),
    ];
    for (path, text) in notes {
        write(&place, path, text);
    }
    let run =
        |args: &[&str]| place.run(&[args, &["--store", "kb", "--as", "basic-memory"]].concat());
    for (query, found) in [
        ("category:decision", "Cents_Only"),
        ("category:plan", "ledger"),
        ("relation:relates_to", "Cents_Only"),
        ("relation:\"part of\"", "Cents_Only"),
        ("relation:links_to", "ledger"),
    ] {
        let ids = run(&["list", "--query", query, "--format", "quiet"]).text();
        assert_eq!(ids, format!("basic-memory:money/{found}\n"), "{query}");
    }
    let show = run(&["show", "money/Cents_Only", "--format", "json"]).json();
    assert_eq!(show["title"], "Cents_Only");
    let observations = serde_json::json!([{
        "category": "decision",
        "text": "Amounts are cents #money",
        "tags": ["money"],
        "context": "since 2024",
    }]);
    assert_eq!(show["fields"]["observations"], observations);
    let relations = serde_json::json!([
        {"type": "relates_to", "target": "kb/money/ledger", "context": "rounding"},
        {"type": "part of", "target": "Accounts Book", "context": null},
    ]);
    assert_eq!(show["fields"]["relations"], relations);
    let show = run(&["show", "money/Cents_Only"]).text();
    let relation = "relates_to → kb/money/ledger (rounding)";
    assert!(show.contains(relation), "{show}");
    let lint = run(&["lint", "--format", "json"]).json();
    let findings = lint["findings"].as_array().unwrap().iter();
    let messages = findings.map(|one| one["message"].as_str().unwrap());
    let expected = ["3 links lead to no memory of the store"];
    assert_eq!(messages.collect::<Vec<_>>(), expected);
}

#[test]
fn archived_basic_memory_notes_are_listed_found_and_restored() {
    let place = Place::bare();
    let note =
        "---\ntitle: Cents\ntype: note\npermalink: money/cents\n---\n\n# Cents\n\nIn cents.\n";
    let path = place.root().join("kb/money/cents.md");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, note).unwrap();
    let config = place.root().join(".memkeep/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(
        &config,
        "[[stores]]\npath = \"kb\"\nformat = \"basic-memory\"\n",
    )
    .unwrap();
    place.ok(&["archive", "money/cents"]);
    assert!(!path.exists());
    assert_eq!(place.run(&["list", "--format", "quiet"]).text(), "");
    let listed = place.ok(&["list", "--all", "--format", "quiet"]);
    assert_eq!(listed, "basic-memory:.archive/money/cents\n");
    assert_eq!(
        place.ok(&["search", "is:archived", "--format", "quiet"]),
        listed
    );
    place.ok(&["restore", ".archive/money/cents"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), note);
}
