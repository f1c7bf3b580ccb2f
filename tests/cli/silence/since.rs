//! What did not change since a revision.

use std::path::Path;
use std::process::Command;

use super::*;

fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

fn commit(place: &Place) {
    git(&place.root(), &["add", "-A"]);
    git(&place.root(), &["commit", "-qm", "x", "--allow-empty"]);
}

fn repository() -> Place {
    let place = Place::empty();
    git(&place.root(), &["init", "-q", "-b", "main"]);
    place
}

const SINCE: [&str; 4] = ["--rule", "personal-path", "--since", "HEAD"];

#[test]
fn since_a_revision_only_changed_memories_count() {
    let place = repository();
    note(&place, "a", PERSONAL);
    // Before the first commit all is new.
    assert_eq!(lint(&place, &SINCE), ["info personal-path a"]);
    note(&place, "b", PERSONAL);
    place.write("two.md", two("x", PERSONAL));
    commit(&place);
    assert_eq!(lint(&place, &SINCE), [""; 0]);

    note(&place, "b", &format!("{PERSONAL} Still."));
    note(&place, "new", PERSONAL);
    // Of a file with two memories the one that changed; a note before it moves the other only.
    place.write(
        "two.md",
        two("x longer than it was, and with another line\n", PERSONAL),
    );
    let expected = ["info personal-path b", "info personal-path new"];
    assert_eq!(lint(&place, &SINCE), expected);
    place.write("two.md", two("x", &format!("{PERSONAL} Still.")));
    git(&place.root(), &["add", "-A"]);
    let expected = [
        "info personal-path b",
        "info personal-path new",
        "info personal-path two#2",
    ];
    assert_eq!(lint(&place, &SINCE), expected);
    commit(&place);
    assert_eq!(lint(&place, &SINCE), [""; 0]);
    let since = |name: &str| lint(&place, &["--rule", "personal-path", "--since", name]);
    assert_eq!(since("HEAD~1"), expected);
    assert_eq!(since("main~1"), expected);
    // What git is told to ignore is not part of a change.
    fs::write(place.root().join(".gitignore"), "private.md\n").unwrap();
    note(&place, "private", PERSONAL);
    assert_eq!(since("HEAD"), [""; 0]);
}

#[test]
fn since_a_revision_a_memory_that_only_has_another_name_is_none_that_changed() {
    let place = repository();
    note(&place, "a", PERSONAL);
    note(&place, "b", "Nothing is wrong with it.");
    commit(&place);
    let of = |name: &str| format!(".rawko/memories/{name}.md");
    for (from, to) in [("a", "z"), ("z", "y")] {
        git(&place.root(), &["mv", &of(from), &of(to)]);
        assert_eq!(lint(&place, &SINCE), [""; 0], "{to}");
    }
    fs::rename(place.file("y.md"), place.file("x.md")).unwrap();
    assert_eq!(lint(&place, &SINCE), [""; 0]);
    // Another text under another name is new, and so is what stands beside the one it was copied from.
    let moved = place.read("x.md");
    place.write("x.md", [&moved[..], b"\nStill.\n"].concat());
    assert_eq!(lint(&place, &SINCE), ["info personal-path x"]);
    place.write("a.md", &moved);
    place.write("x.md", &moved);
    assert_eq!(lint(&place, &SINCE), ["info personal-path x"]);
}

/// A file of two memories.
fn two(first: &str, second: &str) -> String {
    let one = |title: &str, body: &str| {
        format!(
            "---\ntitle: {title}\nwhenToUse: {title}\ntags: [x]\nimportance: high\ndiscoveredBy: a\n---\n\n{body}\n\n"
        )
    };
    format!("{}---\n\n{}", one("one", first), one("two", second))
}

#[test]
fn line_ends_that_git_converts_are_no_change_and_a_filter_is_named() {
    let place = repository();
    for name in ["a", "b", "filtered"] {
        note(&place, name, PERSONAL);
    }
    commit(&place);
    git(&place.root(), &["config", "core.autocrlf", "true"]);
    for name in ["a.md", "b.md", "filtered.md"] {
        let text = String::from_utf8(place.read(name)).unwrap();
        place.write(name, text.replace('\n', "\r\n"));
    }
    assert_eq!(lint(&place, &SINCE), [""; 0]);
    fs::write(
        place.root().join(".gitattributes"),
        "filtered.md filter=any\nb.md -text\n",
    )
    .unwrap();
    assert_eq!(lint(&place, &SINCE), ["info personal-path b"]);
    note(&place, "filtered", &format!("{PERSONAL} Still."));
    let ran = place.run(&[&["lint", "--fail-on", "never"], &SINCE[..]].concat());
    let note = "whether .rawko/memories/filtered.md changed is unknown: a filter, keyword or \
                encoding of git applies; its memories count as changed";
    assert!(ran.err.contains(note), "{}", ran.err);
    assert!(ran.text().contains("filtered"), "{}", ran.text());
}

#[test]
fn a_pair_counts_where_one_of_the_two_changed() {
    let place = repository();
    note(
        &place,
        "pool",
        "The pool holds 10 connections in production.",
    );
    note(
        &place,
        "sizes",
        "The pool holds 25 connections in production.",
    );
    commit(&place);
    let since = |place: &Place| lint(place, &["--rule", "contradiction", "--since", "HEAD"]);
    assert_eq!(lint(&place, &["--rule", "contradiction"]).len(), 1);
    assert_eq!(since(&place), [""; 0]);
    note(
        &place,
        "pool",
        "The pool holds 12 connections in production.",
    );
    // It is reported on the other.
    assert_eq!(since(&place), ["warning contradiction sizes"]);
}

#[test]
fn entries_and_rows_are_compared_one_by_one() {
    let place = Place::bare();
    let root = place.root();
    git(&root, &["init", "-q"]);
    let ralph = root.join(".ralph/agent/memories.md");
    fs::create_dir_all(ralph.parent().unwrap()).unwrap();
    let entry = |id: &str, body: &str, tags: &str| {
        format!("### mem-{id}\n> {body}\n<!-- tags: {tags} | created: 2026-01-01 -->\n\n")
    };
    let file = |entries: &[String]| format!("# Memories\n\n## Patterns\n\n{}", entries.concat());
    let old = [
        entry("1-aaaa", PERSONAL, "a"),
        entry("2-bbbb", PERSONAL, "b"),
    ];
    fs::write(&ralph, file(&old)).unwrap();
    commit(&place);
    let since = |more: &[&str]| {
        let mut args = vec!["--since", "HEAD", "--rule", "personal-path"];
        args.extend(more);
        lint(&place, &args)
    };
    assert_eq!(since(&[]), [""; 0]);
    let new = entry("0-cccc", "Nothing.", "c");
    fs::write(
        &ralph,
        file(&[new.clone(), old[0].clone(), entry("2-bbbb", PERSONAL, "z")]),
    )
    .unwrap();
    assert_eq!(since(&[]), ["info personal-path mem-2-bbbb"]);
    fs::write(&ralph, file(&[new, old[0].clone(), old[1].clone()])).unwrap();
    assert_eq!(since(&[]), [""; 0]);
}

#[test]
fn since_what_is_no_revision_is_wrong() {
    let place = Place::sample();
    let mut told = place.told(&["lint", "--since", "HEAD"]);
    git(&place.root(), &["init", "-q"]);
    for name in ["v1", "--all", "HEAD~1", ""] {
        told.push_str(&place.told(&["lint", "--since", name]));
    }
    commit(&place);
    told.push_str(&place.told(&["lint", "--since", "HEAD:nothing"]));
    insta::assert_snapshot!(told);
}

/// Notes that repeat, contradict and name each other, one of them twice called the same.
#[test]
fn since_a_revision_the_same_is_found_about_what_changed_as_in_a_whole_run() {
    let place = repository();
    let pool =
        |size: usize| format!("The pool of the shop holds {size} connections in production.");
    let copies = "Amounts are whole cents everywhere; only the page divides them by a hundred.";
    for n in 0..4 {
        note(&place, &format!("copy-{n}"), copies);
    }
    note(&place, "pool", &pool(10));
    note(&place, "old", "Uploads end at 20 MB.");
    note(&place, "other", PERSONAL);
    place.write("named.md", "---\ntitle: About old\nwhenToUse: n\ntags: [shop]\nimportance: high\ndiscoveredBy: planner\ndiscoveredAt: 2026-01-01\nrelatedMemories: [gone.md]\n---\n\nUploads end somewhere.\n");
    commit(&place);
    note(&place, "sizes", &pool(25));
    note(&place, "copy-1", &format!("{copies} Prices too."));
    note(
        &place,
        "old",
        "Superseded by other.\n\nUploads end at 20 MB.",
    );
    let all = |more: &[&str]| {
        let args = [&["lint", "--format", "json", "--fail-on", "never"], more].concat();
        let json = place.run(&args).json();
        json["findings"].as_array().unwrap().clone()
    };
    for (more, changed) in [
        (
            ["--since", "HEAD"].as_slice(),
            ["copy-1", "old", "sizes"].as_slice(),
        ),
        (&["copy-1"], &["copy-1"]),
        (&["pool"], &["pool"]),
    ] {
        let is_about = |one: &serde_json::Value| {
            let is =
                |id: &serde_json::Value| changed.iter().any(|name| *id == format!("rawko:{name}"));
            let asks = [
                "contradiction",
                "near-duplicate",
                "contained",
                "superseded-active",
            ];
            let rule = one["rule"].as_str().unwrap();
            let is_since = more[0] == "--since";
            let counts = is_since || asks.contains(&rule);
            let most = if is_since { usize::MAX } else { 1 };
            let mut related = one["related"].as_array().unwrap().iter().take(most);
            is(&one["id"]) || counts && related.any(is)
        };
        let expected: Vec<_> = all(&[]).into_iter().filter(is_about).collect();
        assert!(expected.len() > 1, "{more:?}");
        assert_eq!(all(more), expected, "{more:?}");
    }
}
