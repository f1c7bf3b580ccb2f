//! `memkeep convert`: shown, made, moved and taken back.

use std::fs;

use crate::place::Place;

#[test]
fn a_conversion_is_shown_made_and_taken_back() {
    let place = Place::sample();
    let files = || {
        let mut all = place.snapshot();
        all.retain(|(path, _)| path.is_file());
        all
    };
    let ids = place.ok(&["list", "--format", "quiet"]);
    let id = ids.lines().next().unwrap();
    let before = files();
    let args = ["convert", id, "--to", "cursor"];
    let ran = place.run(&[&args[..], &["--dry-run"]].concat());
    assert!(
        ran.text().contains("+++ b/.cursor/rules/"),
        "{}",
        ran.text()
    );
    let told = "note: left out, cursor has no place for it: discoveredAt, discoveredBy";
    assert!(ran.err.contains(told), "{}", ran.err);
    assert_eq!(files(), before, "a dry run writes nothing");
    let said = place.ok(&args);
    assert!(
        said.contains("copied “") && said.contains("” to cursor"),
        "{said}"
    );
    let stores = place.ok(&["stores", "--format", "quiet"]);
    assert_eq!(stores, "rawko\ncursor\n");
    place.ok(&["undo"]);
    assert_eq!(files(), before, "one step back");
}

#[test]
fn a_move_takes_the_memory_out_of_its_store_in_the_same_step() {
    let place = Place::sample();
    let before = place.ok(&["list", "--format", "quiet"]);
    let ids: Vec<&str> = before.lines().take(2).collect();
    let said = place.ok(&["convert", ids[0], ids[1], "--to", "serena", "--move"]);
    assert!(said.contains("moved 2 memories to serena"), "{said}");
    let after = place.ok(&["list", "--format", "quiet"]);
    assert!(
        ids.iter().all(|id| !after.lines().any(|one| one == *id)),
        "{after}"
    );
    assert_eq!(after.lines().count(), before.lines().count());
    place.ok(&["undo"]);
    assert_eq!(place.ok(&["list", "--format", "quiet"]), before);
}

#[test]
fn a_store_is_named_by_format_id_or_path() {
    let place = Place::sample();
    let ids = place.ok(&["list", "--format", "quiet"]);
    let id = ids.lines().next().unwrap();
    place.ok(&[
        "convert",
        id,
        "--to",
        "rawko",
        "--into",
        "docs/.rawko/memories",
    ]);
    let other = place.root().join("docs/.rawko/memories");
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
    // Outside of the project, where a person says so.
    let away = place.home().join("notes");
    place.ok(&[
        "convert",
        id,
        "--to",
        "basic-memory",
        "--into",
        away.to_str().unwrap(),
    ]);
    assert_eq!(fs::read_dir(&away).unwrap().count(), 1);
    for (args, code, part) in rows! {
        vec!["convert", "nothing", "--to", "cursor"] => 1 => "nothing",
        vec!["convert", id, "--to", "nonsense"] => 2 => "no format and no store is `nonsense`",
        vec!["convert", id, "--to", "rum"] => 2 => "memkeep makes no store of rum",
        vec!["convert", id, "--to", "rawko"] => 2 => "in rawko already",
        vec!["convert", id, "--to", "cursor", "--read-only"] => 2 => "--read-only",
    } {
        let ran = place.run(&args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.text());
        assert!(ran.err.contains(part), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_text_stays_as_it_is_and_fields_without_a_place_are_named() {
    let nested = "metadata:\n  node_type: memory\n  type: feedback\n  originSessionId: abc-1\n";
    let place = with(&[
        (
            ".claude/memory/Feedback_Use-Tabs.md",
            &format!(
                "---\nname: Feedback_Use-Tabs\ndescription: \"Tabs: always\"\n{nested}---\n\nUse tabs.\n"
            ),
        ),
        (
            ".claude/memory/user-tabs.md",
            &format!("---\nname: User prefers tabs\n{nested}---\n\nUse tabs.\n"),
        ),
    ]);
    let all = ["claude:Feedback_Use-Tabs", "claude:user-tabs"];
    let said = place.ok(&[&["convert"], &all[..], &["--to", "cursor"]].concat());
    let told = "left out, cursor has no place for it: metadata.node_type (2), originSessionId (2), type (2)";
    assert!(said.contains(told), "{said}");
    assert_eq!(
        read(&place, ".cursor/rules/Feedback_Use-Tabs.mdc"),
        "---\ndescription: Tabs – always\nalwaysApply: false\n---\n\nUse tabs.\n"
    );
    assert_eq!(
        read(&place, ".cursor/rules/user-tabs.mdc"),
        "---\ndescription: Use tabs\nalwaysApply: false\n---\n\n# User prefers tabs\n\nUse tabs.\n"
    );
}

/// A project with these files.
fn with(files: &[(&str, &str)]) -> Place {
    let place = Place::bare();
    for (path, text) in files {
        let path = place.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.root().join(path)).unwrap()
}

#[test]
fn links_lead_to_what_is_converted_along_and_others_stay_as_they_are() {
    let claude = [
        (
            ".claude/memory/a.md",
            "---\nname: a\n---\n\nSee [[feedback-style]], [[feedback-style|it]], [it](feedback_style.md), [[other]], [[A Plan: Later]] and [[new]].\n",
        ),
        (
            ".claude/memory/feedback_style.md",
            "---\nname: feedback-style\n---\n\nTabs.\n",
        ),
        (".claude/memory/other.md", "---\nname: other\n---\n\nO.\n"),
    ];
    for (to, file, text) in [
        (
            "serena",
            ".serena/memories/a.md",
            "See mem:feedback_style, it (mem:feedback_style), it (mem:feedback_style), [[other]], [[A Plan: Later]] and mem:new.",
        ),
        (
            "copilot",
            ".github/instructions/a.instructions.md",
            "See [feedback_style](feedback_style.instructions.md), [it](feedback_style.instructions.md), [it](feedback_style.instructions.md), [[other]], [[A Plan: Later]] and [new](new.instructions.md).",
        ),
        (
            "cursor",
            ".cursor/rules/a.mdc",
            "See @feedback_style, it (@feedback_style), [it](feedback_style.mdc), [[other]], [[A Plan: Later]] and @new.",
        ),
    ] {
        let place = with(&claude);
        place.ok(&["convert", "a", "feedback_style", "--to", to]);
        let made = read(&place, file);
        assert!(made.contains(text), "{to}: {made}");
        // One that is there already is linked to as well.
        place.ok(&["convert", "claude:other", "--to", to]);
        place.ok(&["convert", "claude:a", "--to", to]);
        let again = read(&place, &file.replace("/a.", "/a-2."));
        assert!(!again.contains("[[other]]"), "{to}: {again}");
    }
}

#[test]
fn memories_that_are_named_in_a_field_are_links_of_the_other_format() {
    let text = "---\ntitle: \"A plan\"\nwhenToUse: [\"a\"]\ntags: []\nimportance: low\ndiscoveredAt: \"2026-01-01\"\ndiscoveredBy: x\nrelatedMemories:\n  - b\n  - gone\n  - c.md\n---\n\n# A plan\n\nText.\n";
    let other = |name: &str| text.replace("A plan", name);
    let place = with(&[
        (".rawko/memories/a.md", text),
        (".rawko/memories/b.md", &other("Beta plan")),
        (".rawko/memories/c.md", &other("C")),
    ]);
    for (to, file, links) in rows! {
        "basic-memory" => "A plan.md" => "[[Beta plan]], [[c]]",
        "claude" => "a.md" => "[[b]], [[c]]",
        "serena" => "a.md" => "mem:b, mem:c",
        "cursor" => "a.mdc" => "@b, @c",
        "copilot" => "a.instructions.md" => "[b](b.instructions.md), [c](c.instructions.md)",
    } {
        let all = ["rawko:a", "rawko:b", "rawko:c"];
        let said = place.ok(&[&["convert"], &all[..], &["--to", to, "--into", to]].concat());
        let made = fs::read_dir(place.root().join(to)).unwrap();
        let made = made.map(|file| file.unwrap().path()).collect::<Vec<_>>();
        let made = made.iter().find(|path| path.ends_with(file));
        let made = fs::read_to_string(made.unwrap()).unwrap();
        let line = format!("Text.\n\nRelated: {links}\n");
        assert!(made.ends_with(&line), "{to}: {made}");
        // One that no store has is no link.
        assert!(said.contains("relatedMemories"), "{to}: {said}");
    }
}

#[test]
fn links_of_rules_are_paths_from_the_root_or_from_their_folder() {
    let place = with(&[
        (
            ".cursor/rules/ui/a.mdc",
            "---\nalwaysApply: true\n---\n\nSee [db](mdc:.cursor/rules/db.mdc), @db.mdc, [near](b.mdc), [up](../db.mdc), [old](old.mdc), [doc](../../../docs/x.md) and [none](none.mdc).\n",
        ),
        (
            ".cursor/rules/ui/old.mdc",
            "---\nalwaysApply: true\n---\n\nOld.\n",
        ),
        ("docs/x.md", "# X\n"),
        (
            ".cursor/rules/ui/b.mdc",
            "---\nalwaysApply: true\n---\n\nB.\n",
        ),
        (
            ".cursor/rules/db.mdc",
            "---\nalwaysApply: true\n---\n\nDB.\n",
        ),
    ]);
    place.ok(&["convert", "ui/a", "ui/b", "cursor:db", "--to", "copilot"]);
    let made = read(&place, ".github/instructions/ui/a.instructions.md");
    assert!(
        made.contains(
            "See [db](../db.instructions.md), [db](../db.instructions.md), [near](b.instructions.md), [up](../db.instructions.md), [old](../../../.cursor/rules/ui/old.mdc), [doc](../../../docs/x.md) and [none](none.instructions.md)."
        ),
        "{made}"
    );
    place.ok(&["convert", "cursor:ui/a", "--to", "memory-bank"]);
    let made = read(&place, "memory-bank/ui/a.md");
    assert!(made.contains("[doc](../../docs/x.md)"), "{made}");
    assert!(
        made.contains("[near](../../.cursor/rules/ui/b.mdc)"),
        "{made}"
    );
    place.ok(&[
        "convert",
        "memory-bank:ui/a",
        "--to",
        "cursor",
        "--into",
        "back/.cursor/rules",
    ]);
    let made = read(&place, "back/.cursor/rules/ui/a.mdc");
    assert!(made.contains("[doc](../../../../docs/x.md)"), "{made}");
}

#[test]
fn an_index_and_context_are_no_memories_to_convert() {
    let place = with(&[
        (".claude/memory/MEMORY.md", "# Memory\n\n- [A](a.md) — a\n"),
        (".claude/memory/a.md", "---\nname: a\n---\n\nA.\n"),
        ("CLAUDE.md", "# Rules\n\nUse tabs.\n"),
    ]);
    for args in [
        &["convert", "claude:MEMORY", "--to", "serena"][..],
        &["convert", "claude:MEMORY", "--to", "serena", "--move"],
    ] {
        let ran = place.run(args);
        assert_eq!(ran.code, 2, "{}", ran.text());
        assert!(ran.err.contains("is the index of its store"), "{}", ran.err);
    }
    let ran = place.run(&["convert", "context:CLAUDE", "--to", "serena"]);
    assert_eq!(ran.code, 2, "{}", ran.text());
    assert!(ran.err.contains("is no memory but context"), "{}", ran.err);
    assert!(!place.root().join(".serena").exists());
}

#[test]
fn a_new_file_has_the_line_ends_of_its_source() {
    let place = with(&[(
        ".claude/memory/a.md",
        "---\r\nname: a\r\ndescription: A\r\nmetadata:\r\n  type: user\r\n---\r\n\r\nOne.\r\n\r\n- [ ] two\r\n",
    )]);
    for (to, file) in [
        ("cursor", ".cursor/rules/a.mdc"),
        ("serena", ".serena/memories/a.md"),
        ("rawko", ".rawko/memories/a.md"),
    ] {
        place.ok(&["convert", "claude:a", "--to", to]);
        let made = read(&place, file);
        assert_eq!(
            made.matches("\r\n").count(),
            made.matches('\n').count(),
            "{to}: {made:?}"
        );
        assert!(made.contains("\r\n"), "{to}: {made:?}");
    }
}

#[test]
fn a_store_of_one_memory_and_a_wrong_place_are_told() {
    let place = with(&[
        (".claude/memory/a.md", "---\nname: a\n---\n\nA.\n"),
        (".claude/memory/b.md", "---\nname: b\n---\n\nB.\n"),
        ("notes.txt", "x\n"),
        ("notes.md", "# Notes\n"),
    ]);
    for (args, part) in rows! {
        &["convert", "a", "b", "--to", "junie"][..] => "junie holds one memory: .junie/guidelines.md",
        &["convert", "a", "--to", "rawko", "--into", "notes.txt"] =>
            "a store of rawko is a folder, and notes.txt is a file",
        &["convert", "a", "--to", "cursor", "--into", "notes.md"] =>
            "a store of cursor is a folder, and notes.md is a file",
        &["convert", "a", "--to", "golemcore", "--into", "notes.txt"] =>
            "no store of golemcore can be made at notes.txt",
    } {
        let ran = place.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.text());
        assert!(ran.err.contains(part), "{args:?}: {}", ran.err);
    }
    place.ok(&["convert", "a", "--to", "junie"]);
    let ran = place.run(&["convert", "b", "--to", "junie"]);
    assert_eq!(ran.code, 2, "{}", ran.text());
    assert!(
        ran.err
            .contains("junie holds one memory: .junie/guidelines.md"),
        "{}",
        ran.err
    );
}

#[test]
fn links_in_links_and_titles_of_one_name_are_no_trouble() {
    let ralph = "# Memories\n\n## Patterns\n\n### mem-1-a\n> Use tabs (1)\n<!-- tags: a | created: 2026-01-01 -->\n\n### mem-2-b\n> Use tabs 1!\n<!-- tags: a | created: 2026-01-01 -->\n";
    let place = with(&[
        (
            ".cursor/rules/a.mdc",
            "---\nalwaysApply: true\n---\n\n[größer [b](b.mdc)](b.mdc) [ä](mdc:.cursor/rules/b.mdc)\n",
        ),
        (".ralph/agent/memories.md", ralph),
    ]);
    place.ok(&["convert", "cursor:a", "--to", "serena"]);
    let ids = place.ok(&["list", "--store", "ralph", "--format", "quiet"]);
    let ids: Vec<&str> = ids.lines().collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    place.ok(&["convert", ids[0], ids[1], "--to", "claude"]);
    let made = fs::read_dir(place.root().join(".claude/memory")).unwrap();
    let names = made.map(|one| one.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, ["MEMORY.md", "use-tabs-1-2.md", "use-tabs-1.md"]);
}

#[test]
fn a_note_without_a_description_gets_its_first_sentence() {
    let place = Place::bare();
    let note = "# DB\n\nPostgres listens on port 5433. Never use 5432.\n";
    let path = place.root().join(".serena/memories/db.md");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, note).unwrap();
    for (format, file) in [
        ("claude", ".claude/memory/db.md"),
        ("cursor", ".cursor/rules/db.mdc"),
        ("copilot", ".github/instructions/db.instructions.md"),
    ] {
        place.ok(&["convert", "serena:db", "--to", format]);
        let text = fs::read_to_string(place.root().join(file)).unwrap();
        let line = text.lines().find(|line| line.starts_with("description: "));
        let line = line.unwrap_or_default();
        assert!(line.contains("Postgres listens on port 5433"), "{text}");
    }
}
