//! What golemcore itself writes twice.

use std::path::Path;

use super::*;
use crate::memory::golemcore::GOLEMCORE;

/// A row of golemcore's, in a file below its tree.
fn row(file: &str, fields: &str, content: &str) -> Sample {
    let fields = frontmatter::read(fields).unwrap();
    let get = |name: &str| {
        fields
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or("none")
            .to_owned()
    };
    let local = format!("{}-{}", get("id"), file.replace('/', "-"));
    let path = format!("/repo/memory/items/{file}.jsonl");
    let id = MemoryId::new(&"golemcore".into(), local);
    let mut row = Memory {
        span: 0..content.len(),
        body: 0..content.len(),
        words: u32::try_from(content.split(' ').count()).unwrap(),
        created: Timestamp::parse_iso(&get("createdAt")),
        ..Memory::new(id, Path::new(&path).into(), &GOLEMCORE)
    };
    row.fields = fields;
    Sample::whole(row, content)
}

/// What the bot writes of a turn of a talk, and what its promotion leaves behind.
#[test]
fn what_golemcore_writes_twice_is_no_finding() {
    const SAID: &str =
        "The page size must be at most 200, since larger pages time out in the gateway.";
    let talk = format!("User: What about the page size?\nAssistant: {SAID}");
    let at = |more: &str| format!("createdAt: '2026-01-20T10:00:00Z'\n{more}");
    let later = |more: &str| format!("createdAt: '2026-01-22T10:00:00Z'\n{more}");
    let turn = "id: t\nlayer: EPISODIC\ntype: TASK_STATE\nsource: turn\ntitle: 'User asked: What about the page size?'";
    let taken = |id: &str, layer: &str, kind: &str, title: &str| {
        format!(
            "id: {id}\nlayer: {layer}\ntype: {kind}\nsource: derived\ntitle: {title}\nfingerprint: f-{kind}"
        )
    };
    let limit = taken("c", "EPISODIC", "CONSTRAINT", "Constraint");
    let durable = taken("c", "SEMANTIC", "CONSTRAINT", "Constraint");
    let failure = taken("f", "EPISODIC", "FAILURE", "Failure context");
    let day = "episodic/2026-01-20";
    let rules = [
        "duplicate-title",
        "near-duplicate",
        "contained",
        "empty-body",
    ];
    let found = |rows: Vec<Sample>| {
        let store = Store::new(rows);
        let found = rules.iter().flat_map(|rule| store.only(rule));
        found.map(|finding| finding.rule).collect::<Vec<_>>()
    };
    let quiet = [
        vec![row(day, &at(turn), &talk), row(day, &at(&limit), SAID)],
        vec![
            row(day, &at(&limit), SAID),
            row("semantic", &at(&durable), SAID),
        ],
        vec![row(day, &at(&limit), SAID), row(day, &at(&failure), SAID)],
        vec![
            row(day, &at(&limit), SAID),
            row(
                "semantic",
                &at(&durable.replace("id: c", "id: d")),
                "Invoices are never deleted.",
            ),
        ],
        vec![
            row(
                "semantic",
                &at(&format!("id: a\ntype: PROJECT_FACT\ntitle: '{SAID}'")),
                SAID,
            ),
            row(
                "semantic",
                &at("id: b\ntitle: Invoices"),
                "A storno is booked instead.",
            ),
        ],
    ];
    for (n, rows) in quiet.into_iter().enumerate() {
        assert_eq!(found(rows), [""; 0], "{n}");
    }
    let other = "episodic/2026-01-22";
    let fact = "type: PROJECT_FACT\nsource: tool:memory\ntitle: Pages";
    // A row that stands there twice, by its id, is no second memory with its title.
    let twice = ["Pages are cut at 200.", "A footer stands below each."];
    let twice = twice.map(|content| row("semantic", &at(&format!("id: a\n{fact}")), content));
    assert_eq!(Store::new(twice.into()).only("duplicate-title"), []);
    let loud = [
        // Titles that somebody chose, and words that the type does not bring along.
        (
            vec![
                row(day, &at(&format!("id: a\n{fact}")), "Pages are cut at 200."),
                row(
                    "semantic",
                    &at(&format!("id: b\n{fact}")),
                    "Pages have a footer.",
                ),
            ],
            &["duplicate-title"][..],
        ),
        // Two of one file, of any layer.
        (
            vec![
                row(
                    "semantic",
                    &at(&format!("id: a\n{fact}")),
                    "Pages are cut at 200.",
                ),
                row(
                    "semantic",
                    &later("id: b\ntype: FIX\ntitle: ' pages'"),
                    "A footer stands below each.",
                ),
            ],
            &["duplicate-title"],
        ),
        (
            vec![
                row(day, &at(&format!("id: a\n{fact}")), "Pages are cut at 200."),
                row(
                    day,
                    &at(&format!("id: b\n{fact}")),
                    "A footer stands below each.",
                ),
            ],
            &["duplicate-title"],
        ),
        (
            vec![
                row(
                    day,
                    &at("id: a\ntype: FIX\ntitle: Constraint"),
                    "The job runs at night.",
                ),
                row(
                    "semantic",
                    &at("id: b\ntype: FIX\ntitle: Constraint"),
                    "Cents are whole.",
                ),
            ],
            &["duplicate-title"],
        ),
        (
            vec![row(
                "semantic",
                &at("id: a\ntitle: The page size is 200"),
                "Page size: 200.",
            )],
            &["empty-body"],
        ),
        // The same from two turns, and twice in one file.
        (
            vec![
                row(day, &at(&limit), SAID),
                row(
                    other,
                    &later(&limit.replace("id: c", "id: d").replace("f-C", "g-C")),
                    SAID,
                ),
            ],
            &["near-duplicate"],
        ),
        (
            vec![
                row(day, &at(&limit), SAID),
                row(day, &at(&limit.replace("id: c", "id: d")), SAID),
            ],
            &["near-duplicate"],
        ),
    ];
    for (rows, expected) in loud {
        assert_eq!(found(rows), expected);
    }
    // Of an episode and a fact the fact stays.
    let fact = limit
        .replace("id: c", "id: d")
        .replace("f-C", "g-C")
        .replace("EPISODIC", "SEMANTIC");
    let finding = one(
        "near-duplicate",
        vec![
            row(day, &at(&limit), SAID),
            row("semantic", &later(&fact), SAID),
        ],
    );
    let fix = finding.fix.unwrap();
    assert_eq!(fix.memory, 1);
    assert!(matches!(fix.change, Change::Merge { with, .. } if with.local.starts_with("c-")));
}
