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
        "---\nglobs: **/*.rs, *.toml\n---\nRust.\n",
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
    assert_eq!(read(&place, go), expected[0]);
    assert_eq!(read(&place, rs), expected[2]);

    let place = project(&files);
    assert_eq!(findings(&place, "pattern-never-matches").len(), 3);
    place.ok(&["lint", "--fix", "--rule", "pattern-never-matches"]);
    assert_eq!([go, quoted, rs].map(|name| read(&place, name)), expected);
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
