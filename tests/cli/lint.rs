//! Lint of memories that have to do with each other, and of what must not be shown.

use crate::fresh::Repo;
use crate::place::Place;

/// A good memory with this body.
fn note(place: &Place, name: &str, body: &str) {
    let text = format!(
        "---\ntitle: About {name}\nwhenToUse: {name}\ntags: [shop]\nimportance: high\n\
         discoveredBy: planner\n---\n\n{body}\n"
    );
    place.write(&format!("{name}.md"), text);
}

/// The findings of these rules: rule, id, line and related ids.
fn found(place: &Place, rules: &[&str]) -> Vec<(String, String, u64, Vec<String>)> {
    let mut args = vec!["lint", "--format", "json", "--fail-on", "never"];
    args.extend(rules.iter().flat_map(|rule| ["--rule", *rule]));
    let lint = place.run(&args).json();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let findings = lint["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| {
            let related = finding["related"]
                .as_array()
                .unwrap()
                .iter()
                .map(text)
                .collect();
            (
                text(&finding["rule"]),
                text(&finding["id"]),
                finding["line"].as_u64().unwrap(),
                related,
            )
        })
        .collect()
}

const PAIRS: [&str; 3] = ["contradiction", "near-duplicate", "contained"];

#[test]
fn a_pair_that_contradicts_is_no_duplicate() {
    let place = Place::empty();
    note(
        &place,
        "pool",
        "The pool holds 10 connections in production. Ask before you change that.",
    );
    note(
        &place,
        "sizes",
        "The pool holds 25 connections in production. Ask before you change that.",
    );
    note(
        &place,
        "cents",
        "Amounts are whole cents everywhere; only the page divides them by a hundred.",
    );
    note(
        &place,
        "money",
        "Amounts are whole cents everywhere, only the page divides them by a hundred.",
    );
    let id = |name: &str| format!("rawko:{name}");
    assert_eq!(
        found(&place, &PAIRS),
        [
            ("near-duplicate".into(), id("money"), 1, vec![id("cents")]),
            ("contradiction".into(), id("sizes"), 9, vec![id("pool")]),
        ]
    );
    let text = place.run(&["lint", "--rule", "contradiction"]);
    assert_eq!(text.code, 1);
    assert!(
        text.text()
            .contains("The pool holds ‹25› connections in production."),
        "{}",
        text.text()
    );
    assert!(
        text.text()
            .contains("The pool holds ‹10› connections in production.")
    );
    let json = place
        .run(&["lint", "--rule", "contradiction", "--format", "json"])
        .json();
    let mark = &json["findings"][0]["marks"][0];
    let evidence = json["findings"][0]["evidence"][0].as_str().unwrap();
    let range = mark["start"].as_u64().unwrap() as usize..mark["end"].as_u64().unwrap() as usize;
    assert_eq!(&evidence[range], "25");
}

#[test]
fn a_copy_of_today_is_merged_into_what_is_committed() {
    let repo = Repo::new();
    let body = "Amounts are whole cents everywhere; only the page divides them by a hundred.";
    note(&repo.0, "money", body);
    repo.commit("2026-01-02", "Note money");
    note(&repo.0, "cents", body);
    let id = |name: &str| format!("rawko:{name}");
    let copy = ("near-duplicate".into(), id("cents"), 1, vec![id("money")]);
    assert_eq!(found(&repo.0, &PAIRS), [copy]);
    let pruned = repo.0.run(&["prune", "--duplicates", "--dry-run"]).text();
    assert!(
        pruned.contains("cents.md") && !pruned.contains("money.md"),
        "{pruned}"
    );
}

#[test]
fn what_one_memory_supersedes_is_not_asked_again() {
    let place = Place::empty();
    note(
        &place,
        "old-limit",
        "The gateway refuses uploads of more than 20 MB.",
    );
    place.write(
        "new-limit.md",
        "---\ntitle: New\nwhenToUse: upload\ntags: [shop]\nimportance: high\ndiscoveredBy: planner\n\
         supersedes: old-limit\n---\n\nThe gateway refuses uploads of more than 50 MB.\n",
    );
    let rules = ["contradiction", "superseded-active", "near-duplicate"];
    let id = |name: &str| format!("rawko:{name}");
    assert_eq!(
        found(&place, &rules),
        [(
            "superseded-active".into(),
            id("old-limit"),
            1,
            vec![id("new-limit")]
        )]
    );
}

#[test]
fn no_output_shows_a_secret() {
    let place = Place::empty();
    // Made here, so that no scanner finds one in this file.
    let secret = format!("ghp_{}", "q7Zk2Lm9Xw4Rt8Yp".repeat(3).get(..36).unwrap());
    note(
        &place,
        "deploy",
        &format!("The deploy token of staging is {secret} until May.\n\n\u{1b}[0m"),
    );
    note(
        &place,
        "token",
        &format!("The deploy token of staging is {secret} until June."),
    );
    place.write(
        "twin.md",
        format!("---\ntitle: {secret}\nwhenToUse: '{secret}|'\ntags: [shop]\nimportance: high\n---\n\nx\n"),
    );
    place.write(
        "other.md",
        format!("---\ntitle: {secret}\nwhenToUse: a\ntags: [b]\nimportance: low\n---\n\ny\n"),
    );
    let rules: Vec<String> = found(&place, &[]).into_iter().map(|one| one.0).collect();
    for rule in [
        "secret",
        "contradiction",
        "duplicate-title",
        "terminal-escape",
    ] {
        assert!(rules.iter().any(|found| found == rule), "{rule}: {rules:?}");
    }
    let hidden = secret.get(8..).unwrap();
    for args in [
        "lint --format table",
        "lint --format json",
        "lint --format sarif",
        "lint --format github",
        "lint --format quiet",
        "lint --fix --dry-run",
        "lint --answer deploy token keep-a --dry-run",
        "merge deploy token --dry-run",
        "archive twin --dry-run",
        "list",
        "list --format markdown",
        "search ghp_q7Zk2",
        "show deploy",
        "show twin",
        "lint --answer deploy token keep-a",
        "archive twin",
        "undo",
    ] {
        let ran = place.run(&args.split(' ').collect::<Vec<_>>());
        assert!(
            !ran.text().contains(hidden) && !ran.err.contains(hidden),
            "{args}: {}",
            ran.text()
        );
    }
    // What is asked for as data is as it is.
    for args in ["show twin --format json", "show twin --format markdown"] {
        let ran = place.run(&args.split(' ').collect::<Vec<_>>());
        assert!(ran.text().contains(&secret), "{args}: {}", ran.text());
    }
}

#[test]
fn what_fills_in_the_same_headings_is_no_duplicate() {
    let place = Place::empty();
    let form = |tried: &str, failed: &str, instead: &str| {
        format!(
            "## What was tried first and by whom\n\n{tried}\n\n## Why it did not work for us in the end\n\n{failed}\n\n## What to do in the place of it from now on\n\n{instead}\n\nAsk the platform team first."
        )
    };
    let one = form(
        "Redis for sessions.",
        "Lost on restart.",
        "Use the database for it.",
    );
    let other = form(
        "Polling.",
        "The quota ended.",
        "Take the webhook, which is signed.",
    );
    note(&place, "sessions", &one);
    note(&place, "polling", &other);
    let rules: Vec<String> = found(&place, &[]).into_iter().map(|one| one.0).collect();
    let alike = ["near-duplicate", "contained"];
    assert!(
        !rules.iter().any(|rule| alike.contains(&rule.as_str())),
        "{rules:?}"
    );
    note(&place, "copy", &other.replace("ended", "has ended"));
    let rules: Vec<String> = found(&place, &[]).into_iter().map(|one| one.0).collect();
    assert!(
        rules.iter().any(|rule| rule == "near-duplicate"),
        "{rules:?}"
    );
}

#[test]
fn a_finding_in_a_text_that_is_written_otherwise_has_the_place_in_the_file() {
    let place = Place::bare();
    let write = |path: &str, text: &str| {
        let path = place.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        ".ralph/agent/memories.md",
        "# Memories\n\n## Patterns\n\n### mem-1769600000-00a1\n> Prices are cents.\n\n> \n> See /home/anna/shop first.\n>and /home/anna/cart\n<!-- tags: a | created: 2026-01-28 -->\n",
    );
    write(
        "memory/items/semantic.jsonl",
        "{\"id\":\"a\",\"layer\":\"SEMANTIC\",\"content\":\"Nothing.\"}\n{\"id\":\"b\",\"layer\":\"SEMANTIC\",\"content\":\"One\\nsee /home/anna/shop.\"}\n",
    );
    let lint = place.run(&["lint", "--rule", "personal-path", "--fail-on", "never"]);
    let said = String::from_utf8(lint.out).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let at = |start: &str| {
        lines
            .iter()
            .any(|line| line.trim_start().starts_with(start))
    };
    assert!(at(".ralph/agent/memories.md:9:7 "), "{said}");
    let second = r#"{"id":"b","layer":"SEMANTIC","content":"One\nsee "#;
    let second = format!("memory/items/semantic.jsonl:2:{} ", second.len() + 1);
    assert!(at(&second), "{said}");
}

#[test]
fn documents_in_folders_are_read_before_anything_is_committed() {
    let place = Place::empty();
    let says =
        "Log levels of the harbour are set with `HARBOR_LOG`, and no level is written twice.";
    note(&place, "levels", says);
    let folder = place.root().join("docs");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("README.md"), says).unwrap();
    let ran = place.run(&["lint", "--rule", "repeats-docs"]);
    assert!(
        ran.text().contains("`docs/README.md` says this already"),
        "{}",
        ran.text()
    );
}

#[test]
fn fixes_that_are_left_for_the_same_reason_take_one_line() {
    let place = Place::bare();
    place.ok(&["init", "--as", "ralph"]);
    for test in ["api", "web", "cli"] {
        let log = format!(
            "failure: cmd=npm test {test}, exit=1, error=port taken, next=run {test} alone"
        );
        place.ok(&["add", &log, "--type", "fix", "--store", "ralph"]);
    }
    let ran = place.run(&[
        "lint",
        "--rule",
        "failure-log",
        "--fix",
        "--dry-run",
        "--fail-on",
        "never",
    ]);
    let left: Vec<&str> = ran
        .err
        .lines()
        .filter(|line| line.starts_with("not applied"))
        .collect();
    assert_eq!(left.len(), 1, "{left:#?}");
    assert!(left[0].contains("and 2 more [failure-log]"), "{left:#?}");
}

#[test]
fn stores_counts_the_findings_that_lint_shows() {
    let place = Place::bare();
    let folder = place.root().join(".claude/memory");
    std::fs::create_dir_all(&folder).unwrap();
    let index = "- [A](a.md) — one\n- [B](b.md) — two\n- [C](c.md) — three\n";
    std::fs::write(folder.join("MEMORY.md"), index).unwrap();
    let lint = place.run(&["lint", "--format", "json"]).json();
    let shown = lint["findings"].as_array().unwrap();
    let dangling = shown.iter().filter(|one| one["rule"] == "index-dangling");
    assert_eq!(dangling.count(), 1, "three links in one finding: {lint}");
    let stores = place.run(&["stores", "--format", "json"]).json();
    assert_eq!(stores[0]["findings"], shown.len(), "{lint}");
}
