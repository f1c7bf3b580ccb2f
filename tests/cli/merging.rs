//! One memory of two, in every format: what is added, what goes, and that it can be taken back.

use std::fs;

use crate::place::Place;

const POOL: &str = "---\ntitle: Pool size\nwhenToUse: [pool, \"max.*conn\"]\ntags: [db]\nimportance: medium\ndiscoveredAt: 2026-01-02\ndiscoveredBy: planner\nrelatedMemories: [sizes, deploy]\n---\n\n# Pool size\n\nThe pool holds ten connections.\n\n- Never raise it by hand\n";
const SIZES: &str = "---\ntitle: Sizes of pools\nwhenToUse:\n  - pool\n  - sizes\ntags: [db, limits]\nimportance: high\ndiscoveredAt: 2026-01-20\ndiscoveredBy: developer\nrelatedMemories: [pool.md, cache]\nrelatedFiles: [src/pool.ts]\n---\n\n# Sizes of pools\n\nThe *pool* holds ten connections. A worker holds two.\n\n## Limits\n\n- never raise it by hand.\n- Ask the database team first\n";
const DEPLOY: &str = "---\ntitle: Deploys\nwhenToUse: [deploy]\ntags: [ops]\nimportance: low\ndiscoveredAt: 2026-01-02\ndiscoveredBy: planner\nrelatedMemories: [\"[[sizes]]\", pool.md, sizes.md] # both\n---\n\nMigrate first.\n";

fn rawko() -> Place {
    let place = Place::empty();
    for (name, text) in [
        ("pool.md", POOL),
        ("sizes.md", SIZES),
        ("deploy.md", DEPLOY),
    ] {
        place.write(name, text);
    }
    place
}

/// Merges, and takes it back and makes it again.
fn there_and_back(place: &Place, args: &[&str]) -> String {
    // A folder that was made for the archive may stay, and the lock of the system.
    let files = || {
        let mut all = place.snapshot();
        all.retain(|(path, _)| path.is_file() && path.extension().is_none_or(|end| end != "lock"));
        all
    };
    let before = files();
    let diff = place.ok(&[args, &["--dry-run"]].concat());
    assert_eq!(files(), before, "a dry run writes nothing");
    let said = place.ok(args);
    let after = files();
    place.ok(&["undo"]);
    assert_eq!(files(), before, "one step back");
    place.ok(&["redo"]);
    assert_eq!(files(), after, "and again");
    format!("{diff}\n{said}")
}

#[test]
fn markdown_files_take_in_statements_lists_and_relations() {
    let place = rawko();
    insta::assert_snapshot!(there_and_back(&place, &["merge", "pool", "sizes"]));
    assert_eq!(
        place.ok(&["list", "--all", "--format", "quiet"]),
        "rawko:archive/sizes\nrawko:deploy\nrawko:pool\n"
    );
    // What it says now it says once.
    assert_eq!(place.run(&["merge", "deploy", "pool", "--dry-run"]).code, 0);
}

#[test]
fn memories_of_one_file_are_merged() {
    let place = Place::empty();
    let second = "---\ntitle: More\nwhenToUse: [x]\nimportance: low\n---\n\nA second thing.\n";
    place.write("one.md", format!("{POOL}\n\n---\n\n{second}"));
    insta::assert_snapshot!(there_and_back(&place, &["merge", "one", "one#2"]));
    assert_eq!(
        place.ok(&["list", "--all", "--format", "quiet"]),
        "rawko:archive/one-2\nrawko:one\n"
    );
}

#[test]
fn line_ends_stay_and_what_says_nothing_new_adds_nothing() {
    let place = Place::empty();
    place.write("a.md", POOL.replace('\n', "\r\n"));
    place.write("b.md", SIZES);
    place.ok(&["merge", "a", "b"]);
    let text = String::from_utf8(place.read("a.md")).unwrap();
    assert_eq!(
        text.matches('\n').count(),
        text.matches("\r\n").count(),
        "{text}"
    );
    let place = Place::empty();
    place.write("a.md", POOL);
    place.write("b.md", POOL);
    place.ok(&["merge", "a", "b"]);
    assert_eq!(String::from_utf8(place.read("a.md")).unwrap(), POOL);
}

#[test]
fn an_entry_of_ralphs_takes_in_the_content_and_the_tags() {
    let place = Place::bare();
    let file = place.root().join(".ralph/agent/memories.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "# Memories\n\n## Patterns\n\n### mem-1769600000-00a1\n> Prices are integer cents.\n<!-- tags: money | created: 2026-01-28 -->\n\n## Fixes\n\n### mem-1769500000-00a2\n> Prices are integer cents. `Money` formats them.\n>\n> - Never use floats\n<!-- tags: money, api | created: 2026-01-02 -->\n").unwrap();
    insta::assert_snapshot!(there_and_back(
        &place,
        &["merge", "mem-1769600000-00a1", "mem-1769500000-00a2"]
    ));
}

#[test]
fn a_row_of_golemcore_takes_in_the_content_the_tags_and_the_scores() {
    let place = Place::bare();
    let items = place.root().join("memory/items");
    fs::create_dir_all(&items).unwrap();
    fs::write(items.join("semantic.jsonl"), "{\"id\":\"cents\",\"layer\":\"SEMANTIC\",\"type\":\"CONSTRAINT\",\"title\":\"Money in cents\",\"content\":\"Every amount is a whole number of cents.\",\"scope\":\"global\",\"tags\":[\"ledger\"],\"confidence\":0.9,\"salience\":0.7,\"createdAt\":\"2026-01-20T00:00:00Z\",\"updatedAt\":\"2026-01-21T00:00:00Z\",\"references\":[\"src/ledger.ts\"],\"fingerprint\":\"f1\",\"own\":{\"kept\":[1]}}\n{\"id\":\"money\",\"layer\":\"SEMANTIC\",\"type\":\"PROJECT_FACT\",\"title\":\"Money\",\"content\":\"Every amount is a whole number of cents. Only the page divides them.\",\"scope\":\"global\",\"tags\":[\"ledger\",\"page\"],\"confidence\":0.5,\"salience\":0.8,\"createdAt\":\"2026-01-20T00:00:00Z\",\"references\":[\"src/page.ts\"]}\n{\"id\":\"mine\",\"layer\":\"SEMANTIC\",\"content\":\"Only here.\",\"scope\":\"task:1\",\"createdAt\":\"2026-01-20T00:00:00Z\"}\n").unwrap();
    insta::assert_snapshot!(there_and_back(&place, &["merge", "cents", "money"]));
}

#[test]
fn what_would_lose_something_is_refused() {
    let place = rawko();
    place.write("open.md", POOL.replace("The pool", "```\nThe pool"));
    place.write("archive/gone.md", POOL);
    let items = place.root().join("memory/items");
    fs::create_dir_all(&items).unwrap();
    fs::write(items.join("semantic.jsonl"), "{\"id\":\"all\",\"layer\":\"SEMANTIC\",\"content\":\"Every amount is whole.\",\"scope\":\"global\",\"createdAt\":\"2026-01-20T00:00:00Z\"}\n{\"id\":\"mine\",\"layer\":\"SEMANTIC\",\"content\":\"Only here.\",\"scope\":\"task:1\",\"createdAt\":\"2026-01-20T00:00:00Z\"}\n{\"id\":\"soon\",\"layer\":\"SEMANTIC\",\"content\":\"Two days left.\",\"ttlDays\":30,\"createdAt\":\"2026-01-29T12:00:00Z\"}\n").unwrap();
    insta::assert_snapshot!(place.all_told(&[
        &["merge", "pool", "pool"],
        &["merge", "pool", "golemcore:all"],
        &["merge", "pool", "archive/gone"],
        &["merge", "golemcore:all", "golemcore:mine"],
        &["merge", "golemcore:soon", "golemcore:all"],
        &["merge", "open", "sizes"],
        &["merge", "pool", "nothing"],
        &["merge", "pool"],
    ]));
}

#[test]
fn several_become_one_in_one_step() {
    let place = rawko();
    let told = there_and_back(&place, &["merge", "pool", "sizes", "deploy"]);
    assert!(
        told.contains("“Sizes of pools” is archived") && told.contains("“Deploys” is archived"),
        "{told}"
    );
    let text = String::from_utf8(place.read("pool.md")).unwrap();
    for says in [
        "Never raise it by hand",
        "A worker holds two.",
        "Ask the database team first",
        "Migrate first.",
    ] {
        assert_eq!(text.matches(says).count(), 1, "{says}: {text}");
    }
    let place = Place::bare();
    let entry = |n: u32, text: &str| {
        format!(
            "### mem-176960000{n}-00a{n}\n> {text}\n<!-- tags: t{n} | created: 2026-01-0{n} -->\n\n"
        )
    };
    let path = place.root().join(".ralph/agent/memories.md");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let all = [
        "The queue holds ten jobs",
        "Workers restart at noon",
        "Logs are kept a week",
    ];
    let entries: String = (1..).zip(all).map(|(n, text)| entry(n, text)).collect();
    fs::write(
        &path,
        format!("# Memories\n\n## Patterns\n\n{entries}## Fixes\n"),
    )
    .unwrap();
    let ids = [1, 2, 3].map(|n| format!("mem-176960000{n}-00a{n}"));
    there_and_back(&place, &["merge", &ids[1], &ids[0], &ids[2]]);
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        all.iter().all(|says| text.contains(says)) && text.matches("### mem-").count() == 1,
        "{text}"
    );
}
