//! `memkeep check`: expectations about what tasks are given.

use std::fs;

use crate::place::Place;
use crate::repository::git;

const TASKS: &str = "tasks:
- name: sign in
  task: Add an oauth login
  agent: developer
  must: [auth-flow]
  must_not: [deploy]
- name: ship
  task: Deploy the login page
  must: [rawko:deploy, nowhere]
  may: []
  max_tokens: 20
";

fn place(tasks: &str) -> Place {
    let place = Place::sample();
    fs::create_dir_all(place.root().join(".memkeep")).unwrap();
    fs::write(place.root().join(".memkeep/tasks.yaml"), tasks).unwrap();
    place
}

#[test]
fn tasks_are_checked_and_told() {
    let place = place(TASKS);
    let ran = place.run(&["check"]);
    insta::assert_snapshot!(format!("{}{}exit {}", ran.text(), ran.err, ran.code));
    let json = place.run(&["check", "--format", "json"]).json();
    insta::assert_snapshot!(format!("{json:#}"));
    assert_eq!(place.run(&["check", "sign in"]).code, 0);
    let quiet = place.run(&["check", "--format", "quiet"]);
    assert_eq!((quiet.code, &*quiet.text()), (1, "ship\n"));
}

#[test]
fn a_wrong_file_is_told_with_line_and_key_and_an_empty_check_is_no_success() {
    for (tasks, says) in [
        ("tasks:\n- task: a\n  musts: [x]\n", "musts"),
        ("tasks:\n- name: a\n", "missing field `task`"),
        ("tasks: []\n", "no tasks in .memkeep/tasks.yaml"),
    ] {
        let ran = place(tasks).run(&["check"]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(says), "{}", ran.err);
        let has_place = ran.err.contains("--> .memkeep/tasks.yaml:");
        assert_eq!(has_place, !tasks.contains("[]"), "{}", ran.err);
    }
    assert_eq!(place(TASKS).run(&["check", "other"]).code, 2);
    assert_eq!(Place::bare().run(&["check"]).code, 2);
}

#[test]
fn the_report_shows_what_the_last_commit_gave_and_hides_what_is_hostile() {
    let place = place("tasks:\n- {name: '<b>ship</b>', task: Deploy it, must: [deploy]}\n");
    let run = |args: &[&str]| assert!(git(&place.root()).args(args).status().unwrap().success());
    run(&["init", "-q"]);
    run(&["add", "-A"]);
    run(&["commit", "-qm", "first"]);
    let deploy = fs::read_to_string(place.file("deploy.md")).unwrap();
    place.write("deploy.md", deploy.replace("  - deploy", "  - rollout"));
    let auth = fs::read_to_string(place.file("auth-flow.md")).unwrap();
    place.write("auth-flow.md", auth.replace("login|oauth", "deploy"));
    let ran = place.run(&["check", "--report", "html"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let page = ran.text();
    assert!(!page.contains("<b>ship"), "{page}");
    for part in ["href=", "src=", "http"] {
        assert!(!page.contains(part), "{part}: {page}");
    }
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("<tr"))
        .collect();
    insta::assert_snapshot!(rows.join("\n"));
    assert!(page.contains("missing: deploy"), "{page}");
    assert!(page.contains("<pre>## ") && !page.contains('␊'), "{page}");
}

/// A place whose memories are matched by `pool`, each with a body of its own.
fn pooled(bodies: &[(&str, &str)]) -> Place {
    let place = Place::empty();
    for (name, body) in bodies {
        let fields = "whenToUse: [pool]\ntags: [ops]\nimportance: high\ndiscoveredAt: \"2023-01-02\"\ndiscoveredBy: dev";
        let text = format!("---\ntitle: {name}\n{fields}\n---\n\n# {name}\n\n{body}\n");
        place.write(&format!("{name}.md"), text);
    }
    place
}

const SMALL: (&str, &str) = ("small", "The pool holds 10 connections in production.");
const LARGE: (&str, &str) = ("large", "The pool holds 25 connections in production.");

#[test]
fn what_is_given_together_carries_its_contradictions() {
    let place = pooled(&[SMALL, LARGE, ("tests", "Tests of the pool run alone.")]);
    let args = ["inject", "--task", "grow the pool", "--format"];
    let inject = |more: &[&str]| place.run(&[&args[..], more].concat());
    let findings = |more: &[&str]| {
        let json = inject(&[&["json"], more].concat()).json();
        let all = json["previews"][0]["selected"].as_array().unwrap().clone();
        let rejected = json["previews"][0]["rejected"].as_array().unwrap().clone();
        assert!(
            rejected
                .iter()
                .all(|one| one["findings"] == serde_json::json!([]))
        );
        let one = |one: &serde_json::Value| (one["id"].clone(), one["findings"].clone());
        all.iter().map(one).collect::<Vec<_>>()
    };
    let other = |id: &str| serde_json::json!([{"rule": "contradiction", "related": [id]}]);
    let all = findings(&[]);
    assert_eq!(all.len(), 3);
    for (id, own) in &all {
        match id.as_str().unwrap() {
            "rawko:small" => assert_eq!(*own, other("rawko:large")),
            "rawko:large" => assert_eq!(*own, other("rawko:small")),
            _ => assert_eq!(*own, serde_json::json!([])),
        }
    }
    // The other one is not given, so nothing given contradicts anything.
    assert_eq!(findings(&["--max", "1"])[0].1, serde_json::json!([]));
    for format in ["table", "markdown"] {
        let text = inject(&[format]).text();
        assert_eq!(text.matches("contradicts ").count(), 2, "{text}");
    }
    let prompt = inject(&["prompt"]).text();
    assert!(!prompt.contains("contradict"), "{prompt}");
}

#[test]
fn a_task_may_forbid_contradictions_and_stale_memories() {
    let place = pooled(&[
        SMALL,
        LARGE,
        ("setup", "The pool is set up in `src/pool.rs`."),
    ]);
    let run = |args: &[&str]| assert!(git(&place.root()).args(args).status().unwrap().success());
    fs::create_dir_all(place.root().join("src")).unwrap();
    fs::write(place.root().join("src/pool.rs"), "x\n").unwrap();
    run(&["init", "-q"]);
    run(&["add", "-A"]);
    run(&["commit", "-qm", "first"]);
    run(&["rm", "-q", "src/pool.rs"]);
    run(&["commit", "-qm", "second"]);
    let check = |more: &str| {
        let tasks = format!("tasks:\n- {{name: grow, task: grow the pool, {more}}}\n");
        fs::create_dir_all(place.root().join(".memkeep")).unwrap();
        fs::write(place.root().join(".memkeep/tasks.yaml"), tasks).unwrap();
        place.run(&["check"])
    };
    assert_eq!(check("must: [small]").code, 0);
    let ran = check("no_contradictions: true");
    assert_eq!(ran.code, 1, "{}", ran.text());
    let why = "rawko:large: contradicts rawko:small";
    assert!(ran.text().contains(why), "{}", ran.text());
    assert!(!ran.text().contains("src/pool.rs"), "{}", ran.text());
    let ran = check("no_stale: true");
    assert_eq!(ran.code, 1, "{}", ran.text());
    assert!(ran.text().contains("src/pool.rs"), "{}", ran.text());
    let page = place.run(&["check", "--report", "html"]).text();
    assert_eq!(page.matches("! contradicts ").count(), 2, "{page}");
    let json = place.run(&["check", "--format", "json"]).json();
    assert_eq!(json["tasks"][0]["spoiled"].as_array().unwrap().len(), 1);
}
