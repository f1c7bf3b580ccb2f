//! Files of other systems are read, checked and written as their own system does.

use std::fs;

use serde_json::Value;

use crate::place::Place;

/// A project with these files.
fn project(files: &[(&str, &str)]) -> Place {
    let place = Place::bare();
    for (name, text) in files {
        let path = place.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.root().join(name)).unwrap()
}

/// Runs a command that must fail; its standard error.
fn refused(place: &Place, args: &[&str]) -> String {
    let ran = place.run(args);
    assert_ne!(ran.code, 0, "{args:?}: {}", ran.text());
    ran.err
}

/// A file outside of the project that holds a body.
fn body(place: &Place, text: &str) -> String {
    let path = place.home().join("body.md");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The findings of a rule: severity, memory and message.
fn findings(place: &Place, rule: &str) -> Vec<String> {
    let args = ["lint", "--rule", rule, "--fail-on", "never"];
    let json = place
        .run(&[&args[..], &["--format", "json"]].concat())
        .json();
    let found = json["findings"].as_array().unwrap().iter();
    let text = |one: &Value| {
        format!("{} {}: {}", one["severity"], one["id"], one["message"]).replace('"', "")
    };
    found.map(text).collect()
}

/// What a preview selects and leaves out: `name` or `name: why not`.
fn preview(place: &Place, args: &[&str]) -> Vec<String> {
    let args = [&["inject", "--task", "x", "--format", "json"], args].concat();
    let json = &place.run(&args).json()["previews"][0];
    let local = |one: &Value| {
        let id = one["id"].as_str().unwrap();
        id.split_once(':').unwrap().1.to_owned()
    };
    let all = |key: &str| json[key].as_array().unwrap().clone();
    let given = all("selected").iter().map(local).collect::<Vec<_>>();
    let out = all("rejected");
    let out = out
        .iter()
        .map(|one| format!("{}: {}", local(one), one["reason"].as_str().unwrap()));
    given.into_iter().chain(out).collect()
}

#[test]
fn a_list_becomes_the_string_that_its_system_reads() {
    let go = ".cursor/rules/go.mdc";
    let quoted = ".cursor/rules/quoted.mdc";
    let rs = ".github/instructions/rs.instructions.md";
    let list = "---\nglobs:\n  - \"**/*.go\"\n  - \"**/*.mod\"\nalwaysApply: false\n---\nGo.\n";
    let files = [
        (go, list),
        (quoted, "---\nglobs: \"**/*.rs, *.toml\"\n---\nRust.\n"),
        (rs, "---\napplyTo: [\"**/*.rs\"]\n---\nRust.\n"),
    ];
    let expected = [
        "---\nglobs: **/*.go,**/*.mod\nalwaysApply: false\n---\nGo.\n",
        "---\nglobs: **/*.rs,*.toml\n---\nRust.\n",
        "---\napplyTo: \"**/*.rs\"\n---\nRust.\n",
    ];
    let place = project(&files);
    for (id, set) in [
        ("cursor:go", "globs=**/*.go,**/*.mod"),
        ("cursor:quoted", "globs=**/*.rs, *.toml"),
        ("copilot:rs.instructions", "applyTo=**/*.rs"),
    ] {
        place.ok(&["edit", id, "--set", set]);
    }
    assert_eq!([go, quoted, rs].map(|name| read(&place, name)), expected);

    let place = project(&files);
    assert_eq!(findings(&place, "pattern-never-matches").len(), 3);
    // The rules would join prompts that they are not in now: that is for a person to decide.
    let fixed = place.run(&["lint", "--fix", "--rule", "pattern-never-matches"]);
    assert_eq!(fixed.err.matches("a person decides").count(), 3);
    assert_eq!(read(&place, go), list);
}

#[test]
fn a_pattern_that_does_not_parse_leaves_its_neighbours() {
    let patterns = "[\"src/[a\", \"**/*.css\"]";
    let kiro = format!("---\ninclusion: fileMatch\nfileMatchPattern: {patterns}\n---\nCss.\n");
    let place = project(&[(".kiro/steering/css.md", &kiro)]);
    assert_eq!(preview(&place, &["--file", "a/b.css"]), ["css"]);
    let found = findings(&place, "pattern-never-matches");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`src/[a` matches nothing"), "{found:?}");
    let rule = format!("---\npaths: {patterns}\n---\nCss.\n");
    let place = project(&[(".claude/rules/css.md", &rule)]);
    let given = preview(&place, &["--store", "context", "--file", "a/b.css"]);
    assert_eq!(given, [".claude/rules/css"]);
}

#[test]
fn a_listing_goes_by_when_a_memory_was_last_written() {
    let topic = |modified: &str| {
        format!("---\nname: x\ndescription: d\nmetadata:\n  modified: {modified}\n---\nText.\n")
    };
    let place = project(&[
        (".claude/memory/MEMORY.md", "- [A](a.md)\n- [B](b.md)\n"),
        (".claude/memory/a.md", &topic("2026-01-01T10:00:00Z")),
        (".claude/memory/b.md", &topic("2026-01-28T10:00:00Z")),
    ]);
    let now = ["list", "--now", "2026-01-30T12:00:00Z"];
    for flag in ["--last=1", "--recent=7"] {
        let listed = place.ok(&[&now[..], &[flag, "--format", "quiet"]].concat());
        assert_eq!(listed, "claude:b\n", "{flag}");
    }
    let listed = place.ok(&now);
    let row = listed.lines().find(|line| line.contains("claude:b"));
    assert!(row.unwrap().contains(" 2d "), "{listed}");
}

#[test]
fn words_are_found_in_descriptions_as_they_stand() {
    let topic = |about: &str| format!("---\nname: x\ndescription: {about}\n---\nText.\n");
    let place = project(&[
        (
            ".claude/memory/a.md",
            &topic("How the Webhook signature is checked"),
        ),
        (
            ".claude/memory/b.md",
            &topic("Wishes of the team, by hook or crook"),
        ),
        (".claude/memory/webhook.md", &topic("Other")),
    ]);
    for args in [["search", "webhook"], ["list", "--query=webhook"]] {
        let listed = place.ok(&[&args[..], &["--format", "quiet"]].concat());
        let mut listed: Vec<&str> = listed.lines().collect();
        if args[0] == "search" {
            assert_eq!(listed, ["claude:webhook", "claude:a"]);
        }
        listed.sort_unstable();
        assert_eq!(listed, ["claude:a", "claude:webhook"], "{args:?}");
    }
    let both = place.ok(&["search", "signature webhook", "--format", "quiet"]);
    assert_eq!(both, "claude:a\n");
}

#[test]
fn a_text_of_several_tags_is_their_list() {
    let note = "notes/a.md";
    let text = |tags: &str| format!("---\ntitle: A\npermalink: a\n{tags}\n---\n\nText.\n");
    for (tags, added, removed) in rows! {
        "tags: a, b" => "tags: [a, b, zed]" => "tags: [b]",
        "tags: '[\"a\", \"#b\"]'" => "tags: [a, b, zed]" => "tags: [b]",
        "tags: [a, \"#b\"]" => "tags: [a, \"#b\", \"zed\"]" => "tags: [\"#b\"]",
        "tags: [\"a, b\"]" => "tags: [a, b, zed]" => "tags: [b]",
        "tags:\n- a # one\n- '#b'" => "tags:\n- a # one\n- '#b'\n- 'zed'" => "tags:\n- '#b'",
    } {
        let place = project(&[(note, &text(tags))]);
        let store = ["--store", "notes"];
        for tag in ["a", "b"] {
            let list = ["list", "--tags", tag, "--format", "quiet"];
            let found = place.ok(&[&list[..], &store].concat());
            assert_eq!(found.lines().count(), 1, "{tags} {tag}");
        }
        let edit = |what: [&str; 2]| place.ok(&[&["edit", "a"], &what[..], &store].concat());
        edit(["--add-tag", "zed"]);
        assert_eq!(read(&place, note), text(added), "{tags}");
        place.ok(&["undo", "--store", "notes"]);
        edit(["--remove-tag", "a"]);
        assert_eq!(read(&place, note), text(removed), "{tags}");
        place.ok(&["undo", "--store", "notes"]);
        assert_eq!(read(&place, note), text(tags));
    }
}

#[test]
fn two_notes_with_one_permalink_are_an_error() {
    let note = |title: &str| format!("---\ntitle: {title}\npermalink: same\n---\n\nText.\n");
    let place = project(&[("notes/a.md", &note("A")), ("notes/b.md", &note("B"))]);
    let args = ["lint", "--store", "notes", "--rule", "duplicate-id"];
    let found = place.run(&args);
    assert_eq!(found.code, 1, "{}", found.err);
    let found = found.text();
    for part in [
        "notes/b.md:1",
        "error",
        ":a has the same `permalink`: same",
        "notes/a.md:1",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn links_by_title_and_by_permalink_follow_what_they_name() {
    let place = project(&[
        (
            "notes/Water Temp.md",
            "---\ntitle: Water Temp\npermalink: notes/lrt\n---\n\nHot.\n",
        ),
        (
            "notes/other.md",
            "---\ntitle: Other\npermalink: other\n---\n\n[[Water Temp]] and [[notes/lrt]].\n",
        ),
    ]);
    let body = |place: &Place| {
        read(place, "notes/other.md")
            .split("\n\n")
            .nth(1)
            .unwrap()
            .to_owned()
    };
    place.ok(&["rename", "Water Temp", "sub/Water Heat", "--store", "notes"]);
    assert_eq!(body(&place), "[[Water Temp]] and [[notes/lrt]].\n");
    let id = "sub/Water Heat";
    place.ok(&[
        "edit",
        id,
        "--set",
        "permalink=notes/heat",
        "--store",
        "notes",
    ]);
    assert_eq!(body(&place), "[[Water Temp]] and [[notes/heat]].\n");
    place.ok(&["edit", id, "--set", "title=Heat", "--store", "notes"]);
    assert_eq!(body(&place), "[[Heat]] and [[notes/heat]].\n");
}

#[test]
fn a_new_note_is_written_as_basic_memory_writes_it() {
    let place = project(&[("notes/a.md", "---\ntitle: A\npermalink: a\n---\n\nText.\n")]);
    let add = ["add", "hello", "--title", "New / note", "--tags", "a,b"];
    place.ok(&[&add[..], &["--store", "notes"]].concat());
    let text = read(&place, "notes/New - note.md");
    let head = "---\ntitle: New / note\ntype: note\npermalink: new-note\ntags:\n- a\n- b\n";
    let rest = text.strip_prefix(head).unwrap_or_else(|| panic!("{text}"));
    assert!(rest.starts_with("created: 2"), "{text}");
    assert!(rest.ends_with("\n---\n\nhello\n"), "{text}");
}

#[test]
fn a_linked_folder_is_read_without_circles() {
    use std::os::unix::fs::symlink;
    let core = "# Core\n\nUse `mem:shared/s`.\n";
    let place = project(&[
        (".serena/memories/core.md", core),
        ("shared/s.md", "# S\n\nText.\n"),
    ]);
    symlink("../../shared", place.root().join(".serena/memories/shared")).unwrap();
    symlink("..", place.root().join("shared/up")).unwrap();
    symlink("../.serena/memories", place.root().join("shared/round")).unwrap();
    let list = place.ok(&["list", "--format", "quiet"]);
    let ids: Vec<&str> = list.lines().collect();
    assert_eq!(ids, ["serena:core", "serena:shared/s"]);
    let stores = place.run(&["stores", "-v"]);
    let told = format!("{}{}", stores.text(), stores.err);
    assert!(
        told.contains("shared/round: a link that leads in a circle"),
        "{told}"
    );
    assert_eq!(findings(&place, "broken-relation"), [""; 0]);
    let prompt = place.ok(&[
        "inject", "--task", "x", "--store", "serena", "--format", "prompt",
    ]);
    assert_eq!(prompt.trim(), r#"{"memories": ["core", "shared/s"]}"#);
    place.ok(&[
        "edit",
        "serena:shared/s",
        "--body-file",
        &body(&place, "New.\n"),
    ]);
    assert_eq!(read(&place, "shared/s.md"), "New.\n");

    // What a link leads to outside of the project is read and not written.
    let other = place.home().join("other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("o.md"), "Theirs.\n").unwrap();
    symlink(&other, place.root().join(".serena/memories/other")).unwrap();
    let why = refused(
        &place,
        &[
            "edit",
            "serena:other/o",
            "--body-file",
            &body(&place, "New.\n"),
        ],
    );
    assert!(why.contains("is read-only"), "{why}");
    assert_eq!(fs::read_to_string(other.join("o.md")).unwrap(), "Theirs.\n");
}

#[test]
fn names_that_serena_cannot_open_are_told_and_refused() {
    let place = project(&[
        (".serena/memories/core.md", "# Core\n\nText.\n"),
        (".serena/memories/global/foo.md", "# Foo\n\nText.\n"),
        (".serena/memories/x.md.md", "# X\n\nText.\n"),
        (".serena/memories/old/log.md", "# Log\n\nText.\n"),
        (
            ".serena/project.yml",
            "ignored_memory_patterns: [\"old/.*\"]\n",
        ),
    ]);
    let found = findings(&place, "load-error");
    let about: Vec<&str> = found
        .iter()
        .map(|one| one.split(": ").next().unwrap())
        .collect();
    assert_eq!(
        about,
        ["error serena:global/foo", "error serena:x.md"],
        "{found:?}"
    );
    for name in ["mem:foo", "global/foo2", "global", "y.md.md"] {
        let why = refused(&place, &["rename", "serena:core", name]);
        assert!(why.contains("is no name for a memory"), "{name}: {why}");
    }
    // What the owner has left out is no finding.
    assert_eq!(findings(&place, "invisible-to-loader"), [""; 0]);
    assert!(preview(&place, &["--store", "serena"]).contains(&"old/log: invisible".to_owned()));
}

#[test]
fn what_cline_does_not_load_is_no_rule() {
    let place = project(&[
        (".clinerules/on.md", "C.\n"),
        (".clinerules/sub/deep.md", "F.\n"),
        (".clinerules/workflows/release.md", "G.\n"),
        (".clinerules/yaml.md", "---\npaths: **/*.ts\n---\nH.\n"),
    ]);
    let seen = preview(&place, &["--store", "cline"]);
    assert_eq!(seen, ["on", "sub/deep: invisible", "yaml: invisible"]);
    place.ok(&["edit", "cline:yaml", "--set", "paths=**/*.ts"]);
    let text = "---\npaths: [\"**/*.ts\"]\n---\nH.\n";
    assert_eq!(read(&place, ".clinerules/yaml.md"), text);
    let seen = preview(&place, &["--store", "cline"]);
    assert_eq!(seen, ["on", "yaml", "sub/deep: invisible"]);
}

#[test]
fn a_file_that_is_given_whole_has_no_fields() {
    let file = ".github/copilot-instructions.md";
    let place = project(&[(file, "Be brief.\n")]);
    let set = ["edit", "copilot-instructions", "--set", "applyTo=**"];
    let why = refused(&place, &set);
    assert!(why.contains("has no fields"), "{why}");
    assert_eq!(findings(&place, "load-error"), [""; 0]);
    let text = "---\napplyTo: ['*.rs']\n---\nBe brief.\n";
    let place = project(&[(file, text)]);
    assert_eq!(findings(&place, "pattern-never-matches"), [""; 0]);
    let found = findings(&place, "load-error");
    let says = "its fields are not read: the system gives all of the file as text";
    assert_eq!(
        found,
        [format!("warning copilot:copilot-instructions: {says}")]
    );
    assert_eq!(preview(&place, &[]), ["copilot-instructions"]);
    refused(&place, &set);
    assert_eq!(read(&place, file), text);
}

#[test]
fn a_rename_says_where_the_old_name_still_stands() {
    let place = project(&[
        (
            ".cursor/rules/db.mdc",
            "---\ndescription: DB\n---\nUse it.\n",
        ),
        (
            ".cursor/rules/other.mdc",
            "---\ndescription: Other\n---\nSee @db.\n",
        ),
        (
            "AGENTS.md",
            "Start.\n\nObey @db and [it](.cursor/rules/db.mdc), not @dbx.\n",
        ),
        ("CLAUDE.md", "[l](memory-bank/feat/login.md)\n"),
        (
            ".clinerules/bank.md",
            "First\nread `memory-bank/feat/login.md`.\n",
        ),
        (
            "memory-bank/activeContext.md",
            "# Active\n\n[l](feat/login.md)\n",
        ),
        ("memory-bank/feat/login.md", "# Login\n\nText.\n"),
    ]);
    let told = place.ok(&["rename", "cursor:db", "sql/database2"]);
    assert!(
        told.contains("the old name still stands in AGENTS.md:3"),
        "{told}"
    );
    let other = read(&place, ".cursor/rules/other.mdc");
    assert!(other.ends_with("See @database2.\n"), "{other}");
    let ran = place.run(&[
        "rename",
        "memory-bank:feat/login",
        "feat/signin",
        "--dry-run",
    ]);
    assert!(
        ran.err
            .contains("still stands in .clinerules/bank.md:2, CLAUDE.md:1"),
        "{}",
        ran.err
    );
}

#[test]
fn a_switch_is_true_or_false() {
    let rule = "---\nalwaysApply: true\n---\nText.\n";
    let place = project(&[(".cursor/rules/a.mdc", rule)]);
    let why = refused(&place, &["edit", "cursor:a", "--set", "alwaysApply=maybe"]);
    assert!(
        why.contains("`maybe` is not a value of `alwaysApply`"),
        "{why}"
    );
}

#[test]
fn limits_and_dead_links_are_told() {
    let long = format!("---\ntrigger: always_on\n---\n{}\n", "word ".repeat(3600));
    let links = "[gone](instructions/gone.instructions.md) [here](../README.md)\n";
    let place = project(&[
        (".windsurf/rules/long.md", &long),
        (".github/copilot-instructions.md", links),
        ("README.md", "# Readme\n"),
    ]);
    let says = "18028 characters, and windsurf takes 12000 of a file";
    let given = place.ok(&["inject", "--task", "x", "--store", "windsurf"]);
    assert!(given.contains(&format!("long: {says}")), "{given}");
    let found = findings(&place, "body-length");
    assert_eq!(found, [format!("warning windsurf:long: {says}")]);
    let given = place.ok(&["inject", "--task", "x", "--store", "copilot"]);
    assert!(given.contains("links to ../README.md"), "{given}");
    assert!(!given.contains("gone"), "{given}");
}

#[test]
fn the_tags_of_observations_are_found() {
    let front = "---\ntitle: A\npermalink: a\ntags: [own]\n---\n\n";
    let note = format!("{front}- [fact] Cents only #money (audit)\n");
    let place = project(&[("notes/a.md", &note)]);
    for (query, count) in [
        ("tag:money", 1),
        ("tag:own", 1),
        ("tag:mon*", 1),
        ("tag:other", 0),
        ("!tag:money", 0),
    ] {
        let list = ["list", "--query", query, "--store", "notes"];
        let found = place.run(&[&list[..], &["--format", "quiet"]].concat());
        assert_eq!(found.text().lines().count(), count, "{query}");
    }
}

#[test]
fn links_to_a_merged_note_lead_to_the_other_one() {
    let note = |name: &str, text: &str| {
        let upper = name.to_uppercase();
        format!("---\ntitle: {upper}\npermalink: p{name}\n---\n\n{text}\n")
    };
    let place = project(&[
        ("notes/a.md", &note("a", "One.")),
        ("notes/b.md", &note("b", "Two.")),
        ("notes/c.md", &note("c", "[[b]], [[B]], [[pb]] and [[A]].")),
    ]);
    place.ok(&["merge", "a", "b", "--store", "notes"]);
    let text = read(&place, "notes/c.md");
    assert!(text.ends_with("[[a]], [[a]], [[a]] and [[A]].\n"), "{text}");
}

#[test]
fn a_memory_that_fills_a_prompt_is_told_and_a_new_index_is_fine() {
    let place = Place::bare();
    place.ok(&["init", "--as", "claude"]);
    assert_eq!(place.run(&["lint"]).code, 0);
    // A topic written beside it is not listed yet.
    let topic = place.root().join(".claude/memory/a.md");
    fs::write(&topic, "# A\n\nText of the topic.\n").unwrap();
    assert_eq!(findings(&place, "index-orphan").len(), 1);
    fs::remove_file(topic).unwrap();
    let words = "one more line of an endless log\n".repeat(5000);
    fs::write(place.root().join(".claude/memory/log.md"), words).unwrap();
    let found = findings(&place, "body-length");
    assert_eq!(
        found,
        ["warning claude:log: 40000 tokens in one memory: split it"]
    );
    let place = project(&[(".serena/memories/a.md", "# A\n\nText.\n")]);
    for (flag, what) in [("--tags", "tags"), ("--type", "type")] {
        let why = refused(&place, &["add", "x", "--title", "T", flag, "a"]);
        assert!(
            why.contains(&format!("serena memories have no {what}")),
            "{why}"
        );
    }
}
