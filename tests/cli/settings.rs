//! `memkeep config`: where a value comes from, mistakes and their exit code.

use std::fs;

use crate::place::Place;

fn project(place: &Place, text: &str) {
    fs::create_dir_all(place.root().join(".memkeep")).unwrap();
    fs::write(place.root().join(".memkeep/config.toml"), text).unwrap();
}

fn user(place: &Place, text: &str) {
    let folder = place.home().join("config/memkeep");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), text).unwrap();
}

/// The origin of a key.
fn origin(place: &Place, key: &str) -> (String, String) {
    let all = place.run(&["config", "print", "--format", "json"]).json();
    let all = all.as_array().unwrap();
    let one = all.iter().find(|one| one["key"] == key);
    let text = |name: &str| one.map_or("", |one| one[name].as_str().unwrap()).to_owned();
    (text("value"), text("origin"))
}

#[test]
fn every_value_names_the_layer_that_wins() {
    let place = Place::sample();
    let expected = |value: &str, origin: &str| (value.to_owned(), origin.to_owned());
    assert_eq!(origin(&place, "agents"), expected("\"propose\"", "default"));
    user(
        &place,
        "theme = 'light'\nagents = 'write'\n[inject]\nmax = 9\nbudget = 100\n",
    );
    project(
        &place,
        "# ours\ntheme = 'dark'\nagents = 'write'\n[inject]\nmax = 7\nagent = 'dev'\n",
    );
    let own = place.home().join("config/memkeep/config.toml");
    let at = |line: usize| format!("{}:{line}", own.display());
    assert_eq!(
        origin(&place, "theme"),
        expected("'dark'", ".memkeep/config.toml:2")
    );
    assert_eq!(
        origin(&place, "inject.max"),
        expected("7", ".memkeep/config.toml:5")
    );
    assert_eq!(origin(&place, "inject.budget"), expected("100", &at(5)));
    // A project's file has no say in this.
    assert_eq!(origin(&place, "agents"), expected("'write'", &at(2)));
    // The agent's own file wins over both, and the environment over that.
    let agents = place.root().join(".rawko/agents");
    fs::create_dir_all(&agents).unwrap();
    fs::write(
        agents.join("dev.md"),
        "---\nmemory:\n  maxInjected: 3\n---\n",
    )
    .unwrap();
    assert_eq!(
        origin(&place, "inject.max"),
        expected("3", ".rawko/agents/dev.md")
    );
    let mut command = place.command(&place.root());
    let out = command
        .args(["config", "print", "--origin"])
        .env("MEMKEEP_MAX", "2")
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("inject.max = "))
        .unwrap();
    assert!(
        line.starts_with("inject.max = 2 ") && line.ends_with("# MEMKEEP_MAX"),
        "{text}"
    );
    // It is a file that can be read again.
    let printed = place.ok(&["config", "print"]);
    let again = place.root().join("again.toml");
    fs::write(&again, &printed).unwrap();
    let again = ["config", "print", "--config", again.to_str().unwrap()];
    assert_eq!(place.ok(&again), printed);
}

#[test]
fn a_mistake_is_exit_1_with_its_place() {
    let place = Place::sample();
    assert_eq!(place.run(&["config", "check"]).code, 0);
    project(&place, "[inject]\nmaxx = 3\n\n[keys]\nquit = ['x']\n");
    user(
        &place,
        "[keys]\nquit = ['x']\nundo = ['x']\n[worth]\nrecord = true\n",
    );
    let ran = place.run(&["config", "check"]);
    let text = ran.text();
    assert_eq!((ran.code, &*ran.err), (1, ""), "{text}");
    for part in [
        ".memkeep/config.toml:2:1: unknown key `maxx`; did you mean `max`?",
        ".memkeep/config.toml:4:2: ignored: a file of the project may not set `keys`",
        "config.toml:1:1: ",
        "3 mistakes",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = place.run(&["config", "check", "--format", "json"]);
    assert_eq!(json.json().as_array().unwrap().len(), 3);
    assert_eq!(json.json()[0]["line"], 2);
}

#[test]
fn paths_and_schema_are_printed_without_a_store() {
    let place = Place::bare();
    let paths = place.run(&["config", "path", "--format", "json"]).json();
    let layers: Vec<&str> = paths
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["layer"].as_str().unwrap())
        .collect();
    assert_eq!(layers, ["project", "user", "themes", "state"]);
    let schema = place.run(&["config", "schema"]).json();
    assert_eq!(schema["type"], "object");
    let rules = &schema["$defs"]["rules"]["items"]["enum"];
    assert!(
        rules
            .as_array()
            .unwrap()
            .iter()
            .any(|rule| rule == "stale-path")
    );
}
