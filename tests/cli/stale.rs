//! Paths that are gone, on the sample project and its history.

use std::fs;

use crate::place::Place;

const ALL: &[&str] = &["lint", "--rule", "stale-path", "--format", "json"];

#[test]
fn stale_paths_of_the_sample_project_are_found_and_a_moved_one_is_named_anew() {
    let place = Place::bare();
    let root = place.root();
    fs::remove_dir(&root).unwrap();
    let into = root.display().to_string();
    let home = place.home();
    assert_eq!(place.run_in(&home, &["demo", "--into", &into]).code, 0);
    let found = place.run_in(&root, ALL);
    assert_eq!(found.code, 1);
    let found = found.json();
    let findings = found["findings"].as_array().unwrap();
    let said: Vec<(&str, &str)> = findings
        .iter()
        .map(|one| {
            (
                one["id"].as_str().unwrap(),
                one["message"].as_str().unwrap(),
            )
        })
        .collect();
    let moved = "`src/lib/money.ts` has moved: it is `src/pricing/money.ts` now";
    // The folders are left, and nothing is in them.
    let folder = "`src/lib` has moved: it is `src/pricing` now";
    assert_eq!(
        said,
        [
            (
                "rawko:expired-holds-are-swept",
                "`src/jobs/hold-sweeper.ts` and `src/jobs` are gone"
            ),
            (
                "rawko:express-async-wrapper",
                "`src/middleware/async-route.ts` is gone"
            ),
            ("rawko:money-is-integer-cents", moved),
            ("rawko:project-layout", folder),
        ]
    );
    let evidence = findings[0]["evidence"][0].as_str().unwrap();
    assert!(
        evidence.contains(" by Priya Nair: Let holds lapse"),
        "{evidence}"
    );
    let listed = place.run_in(
        &root,
        &["list", "--query", "has:stale-path", "--format", "quiet"],
    );
    assert_eq!(listed.lines().len(), 4);

    let file = place.file("money-is-integer-cents.md");
    let before = fs::read_to_string(&file).unwrap();
    place.run_in(&root, &["lint", "--fix", "--rule", "stale-path"]);
    let after = fs::read_to_string(&file).unwrap();
    assert_eq!(
        after,
        before.replace("src/lib/money.ts", "src/pricing/money.ts")
    );
    let left = place.run_in(&root, ALL).json();
    assert_eq!(left["summary"]["warning"], 2);
}

#[test]
fn without_a_repository_it_says_what_it_did_not_check() {
    let place = Place::empty();
    place.write(
        "a.md",
        "---\ntitle: a\n---\n\nSee src/a.rs and docs/b.md.\n",
    );
    place.write("b.md", "---\ntitle: b\n---\n\nSee src/a.rs.\n");
    let out = place.run_in(&place.root(), ALL);
    assert_eq!(out.code, 0);
    let out = out.json();
    assert_eq!(out["summary"]["info"], 0);
    assert_eq!(out["notes"][0]["rule"], "stale-path");
    assert_eq!(
        out["notes"][0]["message"],
        "paths not looked up: this is not a git repository"
    );
}

#[test]
fn what_lies_in_a_submodule_or_an_ignored_folder_is_no_stale_path() {
    let place = Place::empty();
    let root = place.root();
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.arg("-C").arg(&root).args(["-c", "user.name=Ines"]);
        git.args(["-c", "user.email=ines@example.com"]).args(args);
        assert!(git.output().unwrap().status.success(), "{args:?}");
    };
    let write = |file: &str, text: &str| {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), text).unwrap();
    };
    let gone = ["libs/ui/a.ts", "out/report.json", "src/a.ts"];
    git(&["init", "-q"]);
    gone.iter().for_each(|file| write(file, file));
    git(&["add", "-A"]);
    git(&["commit", "-qm", "Begin"]);
    git(&["rm", "-rq", "libs", "out", "src"]);
    write(
        ".gitmodules",
        "[submodule \"ui\"]\n\tpath = libs/ui\n\turl = https://example.com/ui\n",
    );
    write(".gitignore", "out/\n");
    git(&["add", "-A"]);
    git(&["commit", "-qm", "Take the library from its own repository"]);
    let body = "Read libs/ui/a.ts, `out/`, out/report.json and src/a.ts.";
    place.write("a.md", format!("---\ntitle: a\n---\n\n{body}\n"));
    let found = place.run_in(&root, ALL).json();
    let said = found["findings"].as_array().unwrap().iter();
    let said: Vec<&str> = said.map(|one| one["message"].as_str().unwrap()).collect();
    assert_eq!(said, ["`src/a.ts` is gone"]);
}

#[test]
fn of_a_history_that_was_not_read_whole_each_rule_says_so() {
    let place = Place::bare();
    let root = place.root();
    fs::remove_dir(&root).unwrap();
    let into = root.display().to_string();
    let home = place.home();
    assert_eq!(place.run_in(&home, &["demo", "--into", &into]).code, 0);
    // What a clone with `--depth 1` writes: the commit has no parents here.
    let out = std::process::Command::new("git")
        .arg("-C")
        .arg(&root)
        .args(["rev-parse", "HEAD"])
        .output()
        .unwrap();
    fs::write(root.join(".git/shallow"), out.stdout).unwrap();
    let rules = ["changed-since", "stale-path", "stale-symbol"];
    let mut args = vec!["lint", "--format", "json"];
    args.extend(rules.iter().flat_map(|rule| ["--rule", rule]));
    let found = place.run_in(&root, &args).json();
    let notes: Vec<&str> = found["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| {
            assert_eq!(
                note["message"],
                "not all of the history was read: the clone is shallow"
            );
            note["rule"].as_str().unwrap()
        })
        .collect();
    assert_eq!(notes, rules);
}
