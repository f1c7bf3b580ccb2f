//! Memories of one format as memories of another, and back.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::curate::Change;
use memkeep::curate::change::Destination;
use memkeep::memory::format::{Broken, LinkForm, PatternsOn, TABLES, table_of};
use memkeep::memory::golemcore::GOLEMCORE;
use memkeep::memory::ralph::RALPH;
use memkeep::memory::rum::RUM;
use memkeep::memory::schema::{FieldSpec, Kind};
use memkeep::memory::{Memory, MemoryId, Role, Schema, Severity, Timestamp, Value};
use memkeep::retrieval::Texts as _;
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;

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
    let first = table.and_then(|table| table.project.first().copied());
    let coded = ["memory", ".ralph/agent/memories.md", "demo.rum.db"];
    let coded = coded.into_iter().zip([&GOLEMCORE, &RALPH, &RUM]);
    let coded = coded.filter(|(_, own)| *own == schema);
    let path = coded.map(|(path, _)| path).next().or(first);
    let path = root.join(below).join(path.unwrap_or("notes"));
    if schema.in_rows() && !path.exists() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let db = rusqlite::Connection::open(&path).unwrap();
        db.execute_batch(include_str!("../support/rum.sql"))
            .unwrap();
    }
    path
}

/// A value of a field, the `variant`th of its choices.
fn sample(schema: &'static Schema, spec: &FieldSpec, variant: usize) -> Option<Value> {
    let list = |items: &[&str]| items.iter().map(|item| Value::from(*item)).collect();
    let table = table_of(schema);
    let in_lines = table.is_some_and(|table| table.frontmatter == Broken::Lines);
    let is_on_task = table.is_some_and(|table| table.patterns_on == PatternsOn::Task);
    Some(match (spec.role, spec.kind) {
        (Role::Title, _) => return None,
        (_, Kind::Choice(words)) => words[variant % words.len()].into(),
        (_, Kind::Bool) => Value::Bool(variant.is_multiple_of(2)),
        (_, Kind::Patterns) if is_on_task => list(&["oauth|token", "log in", "max.*retry"]),
        (_, Kind::Patterns) if in_lines => "src/**/*.{ts,tsx},docs/*.md".into(),
        (_, Kind::Patterns) => list(&["src/**/*.{ts,tsx}", "docs/*.md"]),
        (_, Kind::Tags) if table.is_none() => list(&["auth", "network"]),
        (_, Kind::Tags) => list(&["auth", "net work"]),
        (_, Kind::Names) if table.is_none() => return None,
        (_, Kind::Names) => list(&["proxy", "login.md"]),
        (_, Kind::Lines) => list(&["one"]),
        (_, Kind::Date) if schema == &RALPH => "2026-01-20".into(),
        (_, Kind::Date) => "2026-01-20T10:00:00.000Z".into(),
        (_, Kind::Number(..)) => 0.5.into(),
        (_, Kind::Text) => format!("the {} of it", spec.name).into(),
    })
}

/// A sentence with a link as the texts of a format have them.
fn link(schema: &Schema) -> &'static str {
    match schema.can.links.first() {
        Some(LinkForm::Wiki) => "\nSee [[db]].\n",
        Some(LinkForm::Mem) => "\nSee mem:db.\n",
        Some(LinkForm::Path) if schema.can.links.len() > 1 => "\nSee [db](db.instructions.md).\n",
        Some(LinkForm::Path) => "\nSee [db](db.md).\n",
        Some(LinkForm::At) => "\nSee @db.\n",
        Some(LinkForm::File | LinkForm::Name) | None => "",
    }
}

/// A store with one memory that has every field.
fn full(root: &Path, schema: &'static Schema, (variant, bare): (usize, bool)) -> Collection {
    let path = place(root, "from", schema);
    let table = table_of(schema);
    let is_file = table.is_none_or(|table| table.may_be_file) && path.extension().is_some();
    let folder = if is_file {
        path.parent().unwrap()
    } else {
        &path
    };
    fs::create_dir_all(folder).unwrap();
    if is_file && table.is_some() {
        let heading = if bare {
            ""
        } else {
            "# Token refresh fails silently\n\n"
        };
        fs::write(&path, format!("{heading}{BODY}")).unwrap();
        return open(root, schema.format, &path);
    }
    if schema == &RALPH {
        fs::write(&path, "# Memories\n").unwrap();
    }
    let collection = open(root, schema.format, &path);
    // What else a system with code of its own takes is checked by that code.
    let is_asked = |spec: &&FieldSpec| {
        let is_free = spec.role != Role::Plain && !schema.follows.contains(&spec.name);
        table.is_some() || is_free && !schema.is_text(spec.name)
    };
    let fields = schema.fields.iter().filter(is_asked).filter_map(|spec| {
        let value = sample(schema, spec, variant)?;
        Some((spec.name.to_owned(), value))
    });
    let add = Change::Add {
        store: None,
        title: TITLE.to_owned(),
        fields: fields.collect(),
        body: format!("{BODY}{}", link(schema)),
    };
    collection.change(&add, &[], NOW).unwrap();
    // A person may have written no heading.
    if table.is_some() && bare {
        let memory = only(&collection);
        let text = fs::read_to_string(&memory.path).unwrap();
        let text = text.replace(&format!("# {TITLE}\n\n"), "");
        fs::write(&memory.path, text).unwrap();
    }
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

/// What differs between a memory and what it is after it went to another format and came back.
fn trip(from: &'static Schema, to: &'static Schema, of: (usize, bool)) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let start = full(&root, from, of);
    let before = only(&start);
    let there = place(&root, "there", to);
    convert(&start, &before.id, to.format, &there);
    let middle = open(&root, to.format, &there);
    let between = only(&middle);
    let name = format!("{} -> {} {of:?}", from.format, to.format);
    let mut wrong = Vec::new();
    let problems = between
        .problems
        .iter()
        .filter(|one| one.severity != Severity::Info);
    wrong.extend(problems.map(|one| format!("{name}: {one:?}")));
    let back = place(&root, "back", from);
    convert(&middle, &between.id, from.format, &back);
    let end = open(&root, from.format, &back);
    let after = only(&end);
    let text = end.body(&after).unwrap_or_default();
    // What the other system noted of its own copy is news.
    let noted = text.find(&format!("## Kept from {}\n", to.format));
    let text = &text[..noted.unwrap_or(text.len())];
    // Both are links of Claude's.
    let text = text.replace(
        "[db](db.md)",
        if link(from).contains("[[") {
            "[[db]]"
        } else {
            "[db](db.md)"
        },
    );
    let own = start.body(&before).unwrap_or_default();
    let shown = middle.body(&between).unwrap_or_default();
    if text.trim() != own.trim() {
        wrong.push(format!(
            "{name}: {own:?}\n became {text:?}\n by way of {shown}"
        ));
    }
    // Names of most systems have one sign between words.
    if before.title.replace('_', "-") != after.title.replace('_', "-") {
        wrong.push(format!("{name}: {} became {}", before.title, after.title));
    }
    for spec in from.fields {
        // What the system fills is its own.
        let filled = from.follows.contains(&spec.name) && spec.role != Role::Updated;
        let filled = filled
            || from.can.written_as == Some(spec.name)
            || from.is_text(spec.name)
            || table_of(from).is_none() && from.follows.contains(&spec.name);
        let items = |value: &Value| value.items().map(ToString::to_string).collect::<Vec<_>>();
        let value = |memory: &Memory| match memory.field(spec.name) {
            None | Some(Value::Null) => spec.default_value().as_ref().map(items),
            Some(value) if spec.kind == Kind::Date => {
                Timestamp::of_value(value).map(|at| vec![at.to_rfc3339()])
            }
            value => value.map(items),
        };
        let (was, is) = (value(&before), value(&after));
        if !filled && was != is {
            wrong.push(format!(
                "{name}: {} {was:?} became {is:?} by way of {:?} {shown}",
                spec.name, between.fields
            ));
        }
    }
    wrong
}

/// How many ways of attaching a memory a format has.
fn variants(schema: &Schema) -> usize {
    let mode = schema.role(Role::Mode);
    mode.map_or(1, |spec| match spec.kind {
        Kind::Choice(words) => words.len(),
        _ => 2,
    })
}

#[test]
fn a_memory_comes_back_from_every_other_format_as_it_was() {
    let tables = TABLES.iter().filter(|table| !table.schema.can.context);
    let mut all: Vec<&'static Schema> = tables.map(|table| table.schema).collect();
    all.extend([&RALPH, &GOLEMCORE, &RUM]);
    let mut wrong = Vec::new();
    for from in &all {
        for to in all.iter().filter(|to| to != &from) {
            for variant in 0..variants(from) {
                wrong.extend(trip(from, to, (variant, false)));
            }
            wrong.extend(trip(from, to, (0, true)));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
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
