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
