//! The use of memories: told from an answer, recorded where the person wants it, shown, asked for
//! and linted.

use std::fs;

use crate::place::Place;

const FILTERS: &str = "The web package: run its tests with `pnpm --filter web test`.";
const INSTALL: &str = "Packages of the web: never run `npm install`, it writes a second lock file.";
const COLOURS: &str = "Colours of the web are named in `theme/tokens.css`.";

/// A project with three memories that one task is given.
fn given() -> Place {
    let place = Place::empty();
    for (name, body) in [
        ("filters", FILTERS),
        ("install", INSTALL),
        ("colours", COLOURS),
    ] {
        let text = format!(
            "---\ntitle: About {name}\nwhenToUse: web\nimportance: high\ndiscoveredBy: ada\n---\n\n{body}\n"
        );
        place.write(&format!("{name}.md"), text);
    }
    place
}

fn record(place: &Place, text: &str) {
    let folder = place.home().join("config/memkeep");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), text).unwrap();
}

const ANSWER: &str = "User: test the web\n\n$ npm install\nadded 1 package\n\n\
    $ pnpm --filter web test\nok\n\nAssistant: All tests pass.\n";

const USED: [&str; 5] = ["used", "--task", "test the web", "--answer", "-"];

#[test]
fn an_answer_tells_what_it_drew_on_and_went_against() {
    let place = given();
    let before = place.snapshot();
    let ran = place.run_with(
        ANSWER.as_bytes(),
        &[&USED[..], &["--format", "json"]].concat(),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let json = ran.json();
    let parts = json["memories"].as_array().unwrap().iter().map(|one| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        (text("id"), text("part"))
    });
    let parts: Vec<_> = parts.collect();
    for (name, part) in [
        ("filters", "drawn"),
        ("install", "against"),
        ("colours", "unused"),
    ] {
        assert!(
            parts.contains(&(format!("rawko:{name}"), part.to_owned())),
            "{parts:?}"
        );
    }
    let numbers = ["given", "drawn", "against", "recorded"].map(|name| json[name].to_string());
    assert_eq!(numbers, ["3", "1", "1", "false"]);
    let quiet = place.run_with(
        ANSWER.as_bytes(),
        &[&USED[..], &["--format", "quiet"]].concat(),
    );
    assert_eq!(quiet.text(), "rawko:filters\n");
    let plain = place.run_with(b"All is well.", &USED);
    assert!(
        plain
            .text()
            .ends_with("3 memories given, 0 drawn on, 0 gone against\n"),
        "{}",
        plain.text()
    );
    assert_eq!(place.snapshot(), before);
    assert_eq!(
        place
            .run(&["used", "--task", "x", "--answer", "none.md"])
            .code,
        2
    );
}

#[test]
fn uses_are_counted_only_where_the_person_says_so() {
    let place = given();
    fs::create_dir_all(place.root().join(".memkeep")).unwrap();
    fs::write(
        place.root().join(".memkeep/config.toml"),
        "[worth]\nrecord = true\n",
    )
    .unwrap();
    let project = place.run_with(ANSWER.as_bytes(), &USED);
    assert!(
        project.err.contains("may not set `worth`"),
        "{}",
        project.err
    );
    let of = |id: &str| place.run(&["show", id, "--format", "json"]).json()["worth"].to_string();
    assert_eq!(of("filters"), "null");
    record(&place, "[worth]\nrecord = true\n");
    let before = place.snapshot();
    for _ in 0..3 {
        assert_eq!(place.run_with(ANSWER.as_bytes(), &USED).code, 0);
    }
    let dry = [&USED[..], &["--dry-run"]].concat();
    assert_eq!(place.run_with(ANSWER.as_bytes(), &dry).code, 0);
    assert_eq!(of("filters"), r#"{"given":3,"drawn":3,"against":0}"#);
    assert_eq!(of("install"), r#"{"given":3,"drawn":0,"against":3}"#);
    let shown = place.ok(&["show", "colours"]);
    assert!(
        shown.contains("given 3 times, drawn on in 0, gone against in 0"),
        "{shown}"
    );
    for (query, expected) in [
        ("given:3", "rawko:colours\nrawko:filters\nrawko:install\n"),
        ("drawn:>0", "rawko:filters\n"),
        ("against:>=3", "rawko:install\n"),
        ("drawn:0 against:0", "rawko:colours\n"),
    ] {
        let listed = place.run(&["list", "--query", query, "--format", "quiet"]);
        assert_eq!(listed.text(), expected, "{query}: {}", listed.err);
    }
    let stats = place.run(&["stats", "--format", "json"]).json();
    assert_eq!(stats["recording"], true);
    assert_eq!(stats["stores"][0]["given"], 9);
    assert_eq!(stats["memories"][0]["id"], "rawko:filters");
    let table = place.ok(&["stats"]);
    assert!(table.contains("hit rate 33 %"), "{table}");
    assert_eq!(place.snapshot(), before);
}

#[test]
fn unused_and_ignored_memories_are_suggestions() {
    let place = given();
    let found = || {
        let rules = [
            "--rule",
            "never-used",
            "--rule",
            "ignored",
            "--format",
            "json",
        ];
        let json = place.run(&[&["lint"][..], &rules].concat()).json();
        let all = json["findings"].as_array().unwrap().clone();
        let one =
            |one: &serde_json::Value| format!("{} {}", one["rule"], one["id"]).replace('"', "");
        all.iter().map(one).collect::<Vec<_>>()
    };
    record(
        &place,
        "[worth]\nrecord = true\n[lint.threshold]\nnever-used = { given = 4 }\nignored = { given = 4 }\n",
    );
    for count in 1..=4 {
        assert_eq!(found(), [""; 0], "{count}");
        assert_eq!(place.run_with(ANSWER.as_bytes(), &USED).code, 0);
    }
    assert_eq!(
        found(),
        ["never-used rawko:colours", "ignored rawko:install"]
    );
    let pruned = place.ok(&["prune", "--never-used", "--yes"]);
    assert!(pruned.starts_with("archived “About colours”"), "{pruned}");
}
