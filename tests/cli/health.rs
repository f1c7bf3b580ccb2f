//! The history of the sample project played as tasks, and memkeep's own ranking of its stores.

use std::fs;

use crate::place::Place;

fn sample() -> Place {
    let place = Place::bare();
    let root = place.root();
    fs::remove_dir(&root).unwrap();
    let into = root.display().to_string();
    let home = place.home();
    assert_eq!(place.run_in(&home, &["demo", "--into", &into]).code, 0);
    place
}

const BOTH: [&str; 5] = [
    "lint",
    "--rule",
    "never-selected",
    "--rule",
    "always-selected",
];

fn both<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let both = BOTH.iter().copied();
    both.chain(more.iter().copied()).collect()
}

#[test]
fn what_the_history_of_the_sample_project_selects_is_told_in_every_format() {
    let place = sample();
    let root = place.root();
    let out = place.run_in(&root, &both(&[]));
    assert_eq!(out.code, 0, "suggestions fail nothing");
    insta::assert_snapshot!(out.text());
    assert_eq!(place.run_in(&root, &both(&["--fail-on", "info"])).code, 1);
    let json = place.run_in(&root, &both(&["--format", "json"])).json();
    let findings = json["findings"].as_array().unwrap();
    let of = |id: &str| findings.iter().find(|one| one["id"] == id).unwrap();
    assert_eq!(of("rawko:operator-tokens")["rule"], "always-selected");
    let surcharge = of("rawko:trailer-surcharge");
    assert_eq!(surcharge["confidence"], 0.9);
    for (format, says) in [("sarif", "\"never-selected\""), ("github", "::notice")] {
        let out = place.run_in(&root, &both(&["--format", format]));
        assert!(out.text().contains(says), "{format}: {}", out.text());
    }
    let quiet = place.run_in(&root, &both(&["--format", "quiet"])).text();
    assert!(quiet.lines().any(|id| id == "rawko:operator-tokens"));
    let fixed = place.run_in(&root, &both(&["--fix", "--dry-run"])).text();
    assert_eq!(fixed, "", "what a memory is for is the person's to say");
}

#[test]
fn a_baseline_holds_what_the_played_tasks_show_too() {
    let place = sample();
    let root = place.root();
    assert_eq!(place.run_in(&root, &["lint", "--write-baseline"]).code, 0);
    let left = place.run_in(&root, &["lint", "--fail-on", "info"]);
    assert_eq!(left.code, 0, "{}", left.text());
    assert!(
        left.text()
            .starts_with("0 errors, 0 warnings, 0 suggestions"),
        "{}",
        left.text()
    );
}

#[test]
fn a_tasks_file_that_is_wrong_is_named_and_left_out() {
    let place = sample();
    let root = place.root();
    fs::write(
        root.join(".memkeep/tasks.yaml"),
        "tasks:\n- task: a\n  expects: [b]\n",
    )
    .unwrap();
    let out = place.run_in(&root, &both(&[]));
    let says = "note: .memkeep/tasks.yaml:3:";
    assert!(
        out.err.contains(says) && out.err.contains("unknown field `expects`"),
        "{}",
        out.err
    );
    assert!(
        !out.text().contains("operator-tokens"),
        "13 commits are too few"
    );
    let json = place.run_in(&root, &both(&["--format", "json"])).json();
    let note = json["notes"][0]["message"].as_str().unwrap();
    assert!(note.starts_with(".memkeep/tasks.yaml:3:"), "{note}");
}

#[test]
fn every_store_can_be_ranked_by_memkeep() {
    let place = sample();
    let root = place.root();
    let ask = [
        "inject",
        "--policy",
        "hybrid",
        "--task",
        "refund the payment of a booking",
    ];
    let out = place.run_in(
        &root,
        &[&ask[..], &["--format", "json", "--max", "2"]].concat(),
    );
    let json = out.json();
    let previews = json["previews"].as_array().unwrap();
    assert!(previews.len() >= 4);
    for preview in previews {
        assert_eq!(preview["policy"], "hybrid");
        let selected = preview["selected"].as_array().unwrap();
        assert!(!selected.is_empty(), "{}", preview["store"]);
        for (place, verdict) in (1..).zip(selected) {
            assert_eq!(verdict["rank"], place);
            assert!(verdict["score"].as_f64().unwrap() > 0.0);
            assert!(!verdict["factors"].as_array().unwrap().is_empty());
        }
        let all = selected.len() + preview["rejected"].as_array().unwrap().len();
        assert!(all > selected.len());
    }
    let prompt = place.run_in(
        &root,
        &[&ask[..], &["--format", "prompt", "--store", "ralph"]].concat(),
    );
    assert!(
        prompt.text().starts_with("# Memories\n"),
        "{}",
        prompt.text()
    );
    let wrong = place.run_in(&root, &[&ask[..], &["--dialect", "natural"]].concat());
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .err
            .contains("the policy hybrid has no dialect `natural`"),
        "{}",
        wrong.err
    );
    let wrong = place.run_in(&root, &[&ask[..], &["--depth", "full"]].concat());
    assert_eq!(wrong.code, 2, "{}", wrong.err);
}
