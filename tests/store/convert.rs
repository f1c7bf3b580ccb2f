//! Memories of one format as memories of another, and back.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::curate::Change;
use memkeep::curate::change::Destination;
use memkeep::memory::format::{PatternsOn, TABLES, Table};
use memkeep::memory::schema::{FieldSpec, Kind};
use memkeep::memory::{Memory, MemoryId, Role, Timestamp, Value};
use memkeep::retrieval::Texts as _;
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;

use crate::place::load;

/// 2026-02-01T12:00:00Z
const NOW: Timestamp = Timestamp(1_769_947_200_000);
const TITLE: &str = "Token refresh fails silently";
const BODY: &str = "The proxy drops the header.\n\n- Retry once, then log in anew.\n";

fn open(root: &Path, format: &str, path: &Path) -> Collection {
    let search = Search {
        start: root.to_owned(),
        root: Some(root.to_owned()),
        paths: vec![path.to_owned()],
        format: Some(format.to_owned()),
        ..Search::default()
    };
    Collection::open(&search, &root.join("state")).unwrap()
}

/// Where a store of a format stands below a folder.
fn place(root: &Path, below: &str, table: &Table) -> PathBuf {
    let first = table.project.first().copied().unwrap_or("notes");
    root.join(below).join(first)
}

/// A value of a field, the `variant`th of its choices.
fn sample(table: &Table, spec: &FieldSpec, variant: usize) -> Option<Value> {
    let list = |items: &[&str]| items.iter().map(|item| Value::from(*item)).collect();
    let in_lines = table.frontmatter == memkeep::memory::format::Broken::Lines;
    Some(match (spec.role, spec.kind) {
        (Role::Title, _) => return None,
        (_, Kind::Choice(words)) => words[variant % words.len()].into(),
        (_, Kind::Bool) => Value::Bool(variant.is_multiple_of(2)),
        (_, Kind::Patterns) if table.patterns_on == PatternsOn::Task => {
            list(&["oauth|token", "log in", "max.*retry"])
        }
        (_, Kind::Patterns) if in_lines => "src/**/*.{ts,tsx},docs/*.md".into(),
        (_, Kind::Patterns) => list(&["src/**/*.{ts,tsx}", "docs/*.md"]),
        (_, Kind::Tags) => list(&["auth", "net work"]),
        (_, Kind::Names) => list(&["proxy", "login.md"]),
        (_, Kind::Lines) => list(&["one"]),
        (_, Kind::Date) => "2026-01-20T10:00:00.000Z".into(),
        (_, Kind::Number(..)) => 0.5.into(),
        (_, Kind::Text) => format!("the {} of it", spec.name).into(),
    })
}

/// A store with one memory that has every field.
fn full(root: &Path, table: &'static Table, variant: usize) -> Collection {
    let path = place(root, "from", table);
    let is_file = table.may_be_file && path.extension().is_some();
    let folder = if is_file {
        path.parent().unwrap()
    } else {
        &path
    };
    fs::create_dir_all(folder).unwrap();
    if is_file {
        fs::write(&path, format!("# {TITLE}\n\n{BODY}")).unwrap();
        return open(root, table.name(), &path);
    }
    let collection = open(root, table.name(), &path);
    let fields = table.schema.fields.iter().filter_map(|spec| {
        let value = sample(table, spec, variant)?;
        Some((spec.name.to_owned(), value))
    });
    let add = Change::Add {
        store: None,
        title: TITLE.to_owned(),
        fields: fields.collect(),
        body: BODY.to_owned(),
    };
    collection.change(&add, &[], NOW).unwrap();
    collection
}

fn only(collection: &Collection) -> Arc<Memory> {
    let index = |memory: &Arc<Memory>| memory.id.local.starts_with("MEMORY");
    let mut all = load(collection);
    all.retain(|memory| !index(memory));
    assert_eq!(all.len(), 1, "{all:?}");
    all.pop().unwrap()
}

fn convert(collection: &Collection, id: &MemoryId, format: &str, path: &Path) -> Vec<String> {
    let change = Change::Convert {
        ids: vec![id.clone()],
        to: Destination::New {
            format: format.to_owned(),
            path: path.to_owned(),
        },
        remove: false,
    };
    let memories = load(collection);
    let plan = collection.plan(&change, &memories, NOW).unwrap();
    let notes = plan.notes.clone();
    collection
        .carry_out(plan, "convert", vec![id.to_string()], NOW)
        .unwrap();
    notes
}

/// What differs between a memory and what it is after it went to another format and came back.
fn trip(from: &'static Table, to: &'static Table, variant: usize) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let start = full(&root, from, variant);
    let before = only(&start);
    let there = place(&root, "there", to);
    convert(&start, &before.id, to.name(), &there);
    let middle = open(&root, to.name(), &there);
    let between = only(&middle);
    let name = format!("{} -> {} ({variant})", from.name(), to.name());
    let mut wrong = Vec::new();
    if !between.problems.is_empty() {
        wrong.push(format!("{name}: {:?}", between.problems));
    }
    let back = place(&root, "back", from);
    convert(&middle, &between.id, from.name(), &back);
    let end = open(&root, from.name(), &back);
    let after = only(&end);
    let text = end.body(&after).unwrap_or_default();
    // The day on which the memory was made in the other format is news.
    let day = "\n\n## Kept from rawko\n\n- discoveredAt: \"2026-02-01T12:00:00Z\"\n";
    let text = text.replace(day, "");
    if text.contains("Kept from") || !text.contains(BODY.trim()) {
        wrong.push(format!("{name}: the text is {text:?}"));
    }
    if before.title != after.title {
        wrong.push(format!("{name}: {} became {}", before.title, after.title));
    }
    for spec in from.schema.fields {
        // What the system fills is its own.
        let filled = from.schema.follows.contains(&spec.name);
        let (was, is) = (before.field(spec.name), after.field(spec.name));
        if !filled && was != is {
            let shown = middle.body(&between).unwrap_or_default();
            wrong.push(format!(
                "{name}: {} {was:?} became {is:?} by way of {:?} {shown}",
                spec.name, between.fields
            ));
        }
    }
    wrong
}

/// How many ways of attaching a memory a format has.
fn variants(table: &Table) -> usize {
    let mode = table.schema.role(Role::Mode);
    mode.map_or(1, |spec| match spec.kind {
        Kind::Choice(words) => words.len(),
        _ => 2,
    })
}

#[test]
fn a_memory_comes_back_from_every_other_format_as_it_was() {
    let mut wrong = Vec::new();
    let memories = || TABLES.iter().filter(|table| !table.schema.can.context);
    for from in memories() {
        for to in memories().filter(|to| to.name() != from.name()) {
            for variant in 0..variants(from) {
                wrong.extend(trip(from, to, variant));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
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
            "---\ndescription: Use when oauth|token\nalwaysApply: true\n---\n\n# {TITLE}\n\n{}\n\n## Kept from rawko\n\n- tags: [auth]\n- discoveredAt: \"2026-01-20\"\n- discoveredBy: debugger\n",
            BODY.trim_end()
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
        copilot.contains("\ndescription: \"Use when oauth|token\"\n"),
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
fn what_is_changed_in_the_other_format_counts() {
    let (_dir, root, collection, id) = rawko("low");
    let rules = root.join(".cursor/rules");
    convert(&collection, &id, "cursor", &rules);
    let file = rules.join("token-refresh.mdc");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("- importance: low\n"), "{text}");
    let text = text
        .replace("alwaysApply: false", "alwaysApply: true")
        .replace(
            "description: Use when oauth|token",
            "description: Use when the proxy is changed",
        );
    fs::write(&file, text).unwrap();
    let middle = open(&root, "cursor", &rules);
    let back = root.join("back/.rawko/memories");
    convert(&middle, &only(&middle).id.clone(), "rawko", &back);
    let after = only(&open(&root, "rawko", &back));
    assert_eq!(after.importance(), Some("critical"));
    let patterns: Vec<String> = after
        .role(Role::Patterns)
        .unwrap()
        .items()
        .map(ToString::to_string)
        .collect();
    assert_eq!(patterns, ["the proxy is changed"]);
    assert_eq!(after.tags().collect::<Vec<_>>(), ["auth"]);
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
        let before = only(&collection);
        assert_eq!(*after.title, *TITLE, "{to}");
        assert_eq!(before.created, after.created, "{to}");
        let rest = before.schema.fields.iter();
        for spec in rest.filter(|spec| spec.role != Role::Created) {
            let (was, is) = (before.field(spec.name), after.field(spec.name));
            assert_eq!(was, is, "{to}: {}", spec.name);
        }
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
fn what_a_system_takes_for_granted_comes_back() {
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
    // That all rules of a system are attached makes none of them critical.
    assert_eq!(between.importance(), Some("medium"));
    convert(
        &middle,
        &between.id,
        "kiro",
        &root.join("back/.kiro/steering"),
    );
    let after = only(&open(&root, "kiro", &root.join("back/.kiro/steering")));
    assert_eq!(after.role(Role::Mode), Some(&Value::from("always")));
}
