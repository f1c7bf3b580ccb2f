//! Memories of one format as memories of another.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::curate::Change;
use memkeep::curate::change::Destination;
use memkeep::memory::format::table_of;
use memkeep::memory::{Memory, MemoryId, Role, Schema, Timestamp};
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use memkeep::systems::golemcore::GOLEMCORE;
use memkeep::systems::ralph::RALPH;
use memkeep::systems::rum::RUM;

use crate::place::load;

/// 2026-02-01T12:00:00Z
pub const NOW: Timestamp = Timestamp(1_769_947_200_000);
const TITLE: &str = "Token refresh fails silently";
const BODY: &str = "The proxy drops the header.\n\n- Retry once, then log in anew.\n";

pub fn open(root: &Path, format: &str, path: &Path) -> Collection {
    let search = Search {
        start: root.to_owned(),
        root: Some(root.to_owned()),
        paths: vec![path.to_owned()],
        format: Some(format.to_owned()),
        ..Search::default()
    };
    Collection::open(&search, &root.join("state")).unwrap()
}

/// Where a store of a format stands below a folder. The database of one that is a program's own
/// is there already.
pub fn place(root: &Path, below: &str, schema: &'static Schema) -> PathBuf {
    let table = table_of(schema);
    let first = table.and_then(|table| table.project.first().map(String::as_str));
    let coded = ["memory", ".ralph/agent/memories.md", "demo.rum.db"];
    let coded = coded.into_iter().zip([&GOLEMCORE, &RALPH, &RUM]);
    let coded = coded.filter(|(_, own)| ***own == *schema);
    let path = coded.map(|(path, _)| path).next().or(first);
    let path = root.join(below).join(path.unwrap_or("notes"));
    if schema.can.in_rows && !path.exists() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let db = rusqlite::Connection::open(&path).unwrap();
        db.execute_batch(include_str!("../support/rum.sql"))
            .unwrap();
    }
    path
}

fn only(collection: &Collection) -> Arc<Memory> {
    let index = |memory: &Arc<Memory>| memory.id.local.starts_with("MEMORY");
    let mut all = load(collection);
    all.retain(|memory| !index(memory));
    assert_eq!(all.len(), 1, "{all:?}");
    all.pop().unwrap()
}

fn convert(collection: &Collection, id: &MemoryId, format: &str, path: &Path) -> Vec<String> {
    convert_all(collection, vec![id.clone()], format, path)
}

/// Converts memories; gives the notes.
pub fn convert_all(
    collection: &Collection,
    ids: Vec<MemoryId>,
    format: &str,
    path: &Path,
) -> Vec<String> {
    let name = ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    let change = Change::Convert {
        ids,
        to: Destination::New {
            format: format.to_owned(),
            path: path.to_owned(),
        },
        remove: false,
    };
    let memories = load(collection);
    let plan = collection.plan(&change, &memories, NOW);
    let plan = plan.unwrap_or_else(|error| panic!("{name:?} -> {format}: {error}"));
    let notes = plan.notes.clone();
    collection.carry_out(plan, "convert", name, NOW).unwrap();
    notes
}

fn rawko(importance: &str) -> (tempfile::TempDir, PathBuf, Collection, MemoryId) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let store = root.join(".rawko/memories");
    fs::create_dir_all(&store).unwrap();
    let text = format!(
        "---\ntitle: {TITLE}\nwhenToUse:\n  - \"oauth|token\"\ntags: [auth]\nimportance: {importance}\ndiscoveredAt: 2026-01-20\ndiscoveredBy: debugger\n---\n\n# {TITLE}\n\n{BODY}"
    );
    fs::write(store.join("token-refresh.md"), text).unwrap();
    let collection = open(&root, "rawko", &store);
    let id = only(&collection).id.clone();
    (dir, root, collection, id)
}

fn written(to: &str, importance: &str, below: &str, file: &str) -> String {
    let (_dir, root, collection, id) = rawko(importance);
    convert(&collection, &id, to, &root.join(below));
    fs::read_to_string(root.join(below).join(file)).unwrap()
}

#[test]
fn a_converted_memory_is_what_its_format_wants() {
    assert_eq!(
        written("cursor", "critical", ".cursor/rules", "token-refresh.mdc"),
        format!(
            "---\ndescription: The proxy drops the header\nalwaysApply: true\n---\n\n# {TITLE}\n\n{BODY}"
        )
    );
    let copilot = written(
        "copilot",
        "critical",
        ".github/instructions",
        "token-refresh.instructions.md",
    );
    assert!(copilot.contains("\napplyTo: \"**\"\n"), "{copilot}");
    assert!(
        copilot.contains("\ndescription: \"The proxy drops the header\"\n"),
        "{copilot}"
    );
    let serena = written("serena", "high", ".serena/memories", "token-refresh.md");
    assert!(serena.starts_with(&format!("# {TITLE}\n\n")), "{serena}");
    let kiro = written("kiro", "critical", ".kiro/steering", "token-refresh.md");
    let described = written("kiro", "high", ".kiro/steering", "token-refresh.md");
    assert!(described.contains("inclusion: auto\n"), "{described}");
    assert!(
        kiro.contains("\ninclusion: always\n") || kiro.starts_with("---\ninclusion: always\n"),
        "{kiro}"
    );
}

#[test]
fn cases_are_a_description_only_where_a_person_can_read_them() {
    for (cases, description) in [
        ("oauth|token", "The proxy drops the header"),
        ("max.*retry", "The proxy drops the header"),
        ("When changing the proxy", "Use when changing the proxy"),
    ] {
        let (_dir, root, collection, id) = rawko("low");
        let file = root.join(".rawko/memories/token-refresh.md");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace("oauth|token", cases)).unwrap();
        let rules = root.join(".cursor/rules");
        let notes = convert(&collection, &id, "cursor", &rules);
        let text = fs::read_to_string(rules.join("token-refresh.mdc")).unwrap();
        let line = format!("description: {description}\n");
        assert!(text.contains(&line), "{text}");
        let is_left_out = notes.concat().contains("whenToUse");
        assert_eq!(is_left_out, !description.starts_with("Use"), "{notes:?}");
    }
}

#[test]
fn a_description_and_a_mode_are_cases_and_an_importance() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let rules = root.join(".cursor/rules");
    fs::create_dir_all(&rules).unwrap();
    let text = "---\ndescription: Use when the proxy is changed\nalwaysApply: true\n---\n\nText.\n";
    fs::write(rules.join("proxy.mdc"), text).unwrap();
    let collection = open(&root, "cursor", &rules);
    let to = root.join(".rawko/memories");
    let notes = convert(&collection, &only(&collection).id.clone(), "rawko", &to);
    assert_eq!(notes, [""; 0]);
    let after = only(&open(&root, "rawko", &to));
    assert_eq!(after.importance(), Some("critical"));
    let patterns = after.role(Role::Patterns).unwrap().items();
    let patterns: Vec<String> = patterns.map(ToString::to_string).collect();
    assert_eq!(patterns, ["the proxy is changed"]);
}

#[test]
fn a_description_is_the_first_sentence_of_prose() {
    for (text, description) in [
        (
            "# Code Style\n\n## Architecture\n**This project has been migrated to Tuist.** All configuration is defined in `Project.swift` files.\n\n## Naming\n- Types: PascalCase\n",
            "This project has been migrated to Tuist",
        ),
        (
            "# Overview\n\nThis project has been migrated to Tuist. Targets are declared in `Project.swift` and generated with `tuist generate`.\n",
            "This project has been migrated to Tuist",
        ),
        (
            "# Overview\n\n## Purpose\nA small server that books ferries for cars and trucks.\n\n## Stack\n- Node\n",
            "A small server that books ferries for cars and trucks",
        ),
        ("Use tabs.\n", "Use tabs"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let store = root.join(".serena/memories");
        fs::create_dir_all(&store).unwrap();
        fs::write(store.join("a.md"), text).unwrap();
        let collection = open(&root, "serena", &store);
        let to = root.join(".cursor/rules");
        convert(&collection, &only(&collection).id.clone(), "cursor", &to);
        let made = fs::read_to_string(to.join("a.mdc")).unwrap();
        let line = format!("description: {description}\n");
        assert!(made.contains(&line), "{made}");
        assert!(made.trim_end().ends_with(text.trim_end()), "{made}");
    }
}

#[test]
fn patterns_on_files_are_written_as_each_loader_reads_them() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let rules = root.join(".cursor/rules");
    fs::create_dir_all(&rules).unwrap();
    fs::write(rules.join("ui.mdc"), "---\ndescription: Style of the UI\nglobs: src/**/*.{ts,tsx},*.css\nalwaysApply: false\n---\n\n# UI\n\nUse tokens.\n").unwrap();
    let collection = open(&root, "cursor", &rules);
    let id = only(&collection).id.clone();
    for (to, below, file, line) in [
        (
            "copilot",
            ".github/instructions",
            "ui.instructions.md",
            "applyTo: \"src/**/*.{ts,tsx},*.css\"\n",
        ),
        (
            "windsurf",
            ".windsurf/rules",
            "ui.md",
            "globs: src/**/*.{ts,tsx},*.css\n",
        ),
        ("windsurf", ".windsurf/rules2", "ui.md", "trigger: glob\n"),
        ("kiro", ".kiro/steering", "ui.md", "inclusion: fileMatch\n"),
        (
            "cline",
            ".clinerules",
            "ui.md",
            "paths:\n  - \"src/**/*.{ts,tsx}\"\n  - \"*.css\"\n",
        ),
    ] {
        convert(&collection, &id, to, &root.join(below));
        let text = fs::read_to_string(root.join(below).join(file)).unwrap();
        assert!(text.contains(line), "{to}: {text}");
    }
}

#[test]
fn the_systems_with_code_of_their_own_take_and_give_memories() {
    for (to, below) in [
        ("ralph", ".ralph/agent/memories.md"),
        ("golemcore", "memory"),
    ] {
        let (_dir, root, collection, id) = rawko("high");
        let path = root.join(below);
        convert(&collection, &id, to, &path);
        let middle = open(&root, to, &path);
        let between = load(&middle);
        let between = between.first().unwrap_or_else(|| panic!("{to} has none"));
        assert_eq!(
            between.created.map(Timestamp::date).as_deref(),
            Some("2026-01-20"),
            "{to}"
        );
        assert_eq!(between.tags().collect::<Vec<_>>(), ["auth"], "{to}");
        let back = root.join("back/.rawko/memories");
        convert(&middle, &between.id, "rawko", &back);
        let after = only(&open(&root, "rawko", &back));
        assert_eq!(*after.title, *TITLE, "{to}");
        assert_eq!(only(&collection).created, after.created, "{to}");
        assert_eq!(after.tags().collect::<Vec<_>>(), ["auth"], "{to}");
    }
}

#[test]
fn between_stores_of_one_format_no_byte_changes() {
    let (_dir, root, collection, id) = rawko("high");
    let file = root.join(".rawko/memories/token-refresh.md");
    let odd =
        "---\r\ntitle:   'Odd'   # as it was\r\nwhenToUse: [a]\r\nown: 1\r\n---\r\n\r\nText  \r\n";
    fs::write(&file, odd).unwrap();
    let other = root.join("other/.rawko/memories");
    convert(&collection, &id, "rawko", &other);
    assert_eq!(
        fs::read_to_string(other.join("token-refresh.md")).unwrap(),
        odd
    );
    // A name that is taken gets a number.
    convert(&collection, &id, "rawko", &other);
    assert_eq!(
        fs::read_to_string(other.join("token-refresh-2.md")).unwrap(),
        odd
    );
}

#[test]
fn what_a_whole_system_takes_for_granted_makes_no_memory_critical() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let rules = root.join(".kiro/steering");
    fs::create_dir_all(&rules).unwrap();
    fs::write(rules.join("ui.md"), "# UI\n\nUse tokens.\n").unwrap();
    let collection = open(&root, "kiro", &rules);
    convert(
        &collection,
        &only(&collection).id.clone(),
        "rawko",
        &root.join(".rawko/memories"),
    );
    let middle = open(&root, "rawko", &root.join(".rawko/memories"));
    let between = only(&middle);
    assert_eq!(between.importance(), Some("medium"));
}

#[test]
fn a_link_is_written_as_the_other_system_reads_it() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let topics = root.join(".claude/memory");
    fs::create_dir_all(&topics).unwrap();
    fs::write(topics.join("a.md"), "---\nname: a\n---\nSee [[db]], [[db|it]], [the pool](sub/pool.md), `[[code]]` and [x](../x.md).\n").unwrap();
    let collection = open(&root, "claude", &topics);
    for (to, below, file, line) in [
        (
            "serena",
            ".serena/memories",
            "a.md",
            "See mem:db, it (mem:db), the pool (mem:sub/pool), `[[code]]` and [x](../x.md).",
        ),
        (
            "copilot",
            ".github/instructions",
            "a.instructions.md",
            "See [db](db.instructions.md), [it](db.instructions.md), [the pool](sub/pool.instructions.md), `[[code]]` and [x](../x.md).",
        ),
        (
            "cursor",
            ".cursor/rules",
            "a.mdc",
            "See @db, it (@db), [the pool](sub/pool.mdc), `[[code]]` and [x](../x.md).",
        ),
        (
            "rawko",
            ".rawko/memories",
            "a.md",
            "See [[db]], [[db|it]], [the pool](sub/pool.md), `[[code]]` and [x](../x.md).",
        ),
    ] {
        convert(
            &collection,
            &only(&collection).id.clone(),
            to,
            &root.join(below),
        );
        let text = fs::read_to_string(root.join(below).join(file)).unwrap();
        assert!(text.contains(line), "{to}: {text}");
    }
}
