//! What a typed id stands for, and which stores there are.

use std::fs;

use crate::place::{Place, SAMPLE};

#[test]
fn exact_ids_then_names_then_prefixes() {
    let place = Place::empty();
    for name in ["auth", "auth-flow", "login"] {
        place.write(
            &format!("{name}.md"),
            format!("---\ntitle: {name}\n---\n\nx\n"),
        );
    }
    for (typed, found) in [
        ("rawko:auth", "rawko:auth"),
        ("auth", "rawko:auth"),
        ("auth-", "rawko:auth-flow"),
        ("rawko:l", "rawko:login"),
    ] {
        assert_eq!(
            place.ok(&["show", typed, "--format", "quiet"]),
            format!("{found}\n")
        );
    }
    insta::assert_snapshot!(place.all_told(&[
        &["show", "au"],
        &["show", "rawko:"],
        &["show", "nothing"],
        &["edit", "au", "--set", "importance=low"],
        &["delete", "auth", "nothing"],
    ]));
    assert!(place.file("auth.md").exists(), "all of them or none");
}

#[test]
fn stores_in_parents_up_to_the_repository() {
    let place = Place::sample();
    let deep = place.root().join("sub/deeper");
    fs::create_dir_all(&deep).unwrap();
    // Above the repository nothing is looked for.
    let above = place.root().parent().unwrap().join(".rawko/memories");
    fs::create_dir_all(&above).unwrap();
    // A linked worktree has a file instead of a folder.
    fs::write(place.root().join(".git"), "gitdir: /elsewhere\n").unwrap();
    assert_eq!(
        place.run_in(&deep, &["stores", "--format", "quiet"]).text(),
        "rawko\n"
    );

    let own = place.root().join("sub/.rawko/memories");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("auth-flow.md"), SAMPLE[0].1).unwrap();
    let told = |args: &[&str]| {
        let ran = place.run_in(&deep, args);
        place.redacted(&format!(
            "$ {}\n{}{}[exit {}]\n",
            args.join(" "),
            ran.text(),
            ran.err,
            ran.code
        ))
    };
    insta::assert_snapshot!(
        [
            told(&["stores", "--format", "json"]),
            told(&["show", "auth-flow"]),
            told(&["show", "rawko@sub:auth-flow", "--format", "quiet"]),
            told(&["list", "--store", "rawko@sub", "--format", "quiet"]),
            told(&["list", "--store", "../.rawko/memories", "--format", "quiet"]),
            told(&[
                "list", "--store", "rawko", "--last", "1", "--format", "quiet"
            ]),
            told(&["stores", "--store", "rawko@nope"]),
        ]
        .join("\n")
    );
}

#[test]
fn stores_that_are_named() {
    let place = Place::sample();
    let other = Place::sample();
    let (store, file) = (place.store(), place.file("deploy.md"));
    let paths = ["p", ".", ".rawko/memories"];
    let places = [
        store.to_str().unwrap(),
        file.to_str().unwrap(),
        place.root().to_str().unwrap().to_owned().leak(),
    ];
    let parent = place.root().parent().unwrap().to_owned();
    assert_eq!(
        place
            .run_in(&parent, &["p", "stores", "--format", "quiet"])
            .text(),
        "rawko\n"
    );
    for path in paths.iter().skip(1).copied().chain(places) {
        assert_eq!(
            place.ok(&[path, "stores", "--format", "quiet"]),
            "rawko\n",
            "{path}"
        );
        assert_eq!(
            place.ok(&[
                "--root",
                place.root().to_str().unwrap(),
                "stores",
                "--format",
                "quiet"
            ]),
            "rawko\n"
        );
    }
    // A store from elsewhere beside those found here; both ids say where.
    let elsewhere = other.root();
    let elsewhere = elsewhere.to_str().unwrap();
    assert_eq!(
        place.ok(&["stores", "--store", elsewhere, "--format", "quiet"]),
        "rawko\n"
    );
    let both = place.run(&[
        "stores", "--store", elsewhere, "--store", "rawko", "--format", "quiet",
    ]);
    let ids = both.lines();
    assert_eq!(ids.len(), 2, "{ids:?}");
    assert_eq!(ids[0], "rawko@.");
    assert!(ids[1].starts_with("rawko@/"), "{ids:?}");
    let shown = place.ok(&[
        "show",
        "auth-flow",
        "--store",
        elsewhere,
        "--format",
        "json",
    ]);
    assert!(
        shown.contains(elsewhere),
        "a path outside the root is absolute: {shown}"
    );
    // A folder that holds nothing of the format needs a word.
    fs::create_dir(place.root().join("notes")).unwrap();
    fs::write(place.root().join("notes/a.md"), "# A note\n").unwrap();
    assert_eq!(place.run(&["notes", "list"]).code, 2);
    assert_eq!(
        place.ok(&["notes", "list", "--as", "rawko", "--format", "quiet"]),
        "rawko:a\n"
    );
}

#[test]
fn flags_before_and_after_the_command() {
    let place = Place::sample();
    let root = place.root();
    let root = root.to_str().unwrap();
    let before = place.run(&[
        "--root", root, "--store", "rawko", "--color", "never", "list",
    ]);
    let after = place.run(&[
        "list", "--root", root, "--store", "rawko", "--color", "never",
    ]);
    assert_eq!((before.code, &before.out), (0, &after.out));
    assert!(place.ok(&["--version"]).starts_with("memkeep "));
    let verbose = place.run(&["-v", "list"]);
    assert!(
        verbose.err.starts_with("read 6 memories from "),
        "{}",
        verbose.err
    );
}

#[test]
fn a_folder_may_be_called_like_a_command() {
    let place = Place::sample();
    let parent = place.root().parent().unwrap().to_owned();
    std::fs::rename(place.root(), parent.join("demo")).unwrap();
    for args in [
        &["--root", "demo", "stores", "--format", "quiet"][..],
        &["stores", "--format", "quiet", "--root", "demo"],
        &[
            "--root=demo",
            "--color",
            "never",
            "stores",
            "--format=quiet",
        ],
    ] {
        assert_eq!(place.run_in(&parent, args).text(), "rawko\n", "{args:?}");
    }
}

#[test]
fn a_store_without_a_memory_is_told_by_its_place() {
    let place = Place::bare();
    let root = place.root();
    let quiet = ["stores", "--format", "quiet"];
    for (path, text, format) in [
        (".agent/memories.md", "# Memories\n\n## Patterns\n", "ralph"),
        (".ralph/agent/memories.md", "", "ralph"),
        (".rawko/memories/a.md", "A text.\n", "rawko"),
    ] {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        for path in [path, file.to_str().unwrap()] {
            let args = [&["--store", path], &quiet[..]].concat();
            assert_eq!(
                place.ok(&args).split(['@', '\n']).next(),
                Some(format),
                "{path}"
            );
        }
        fs::remove_file(file).unwrap();
    }
    // By its name as well, wherever a link leads.
    #[cfg(unix)]
    {
        fs::write(root.join("elsewhere.md"), "").unwrap();
        let link = root.join(".agent/memories.md");
        std::os::unix::fs::symlink("../elsewhere.md", link).unwrap();
        let args = [&["--store", ".agent/memories.md"], &quiet[..]].concat();
        assert_eq!(place.ok(&args), "ralph\n");
    }
}

#[test]
fn what_is_no_store_is_said() {
    let place = mixed();
    fs::create_dir(place.root().join("empty")).unwrap();
    insta::assert_snapshot!(place.all_told(&[
        &["stores", "--store", "docs/z.md"],
        &["docs/z.md", "stores"],
        &["stores", "--store", "empty"],
        &["stores", "--store", "nowhere"],
    ]));
}

/// One file with rawko's fields, one of Ralph's, one database and one text that is neither, side
/// by side.
fn mixed() -> Place {
    let place = Place::bare();
    let docs = place.root().join("docs");
    fs::create_dir_all(&docs).unwrap();
    fs::write(docs.join("r.md"), SAMPLE[0].1).unwrap();
    let ralph = "## Fixes\n\n### mem-1769200000-00a4\n> The tests need Postgres.\n";
    fs::write(docs.join("notes.md"), ralph).unwrap();
    fs::write(docs.join("x.rum.db"), "").unwrap();
    fs::write(docs.join("z.md"), "# A text\n\nOf nobody.\n").unwrap();
    place
}

#[test]
fn a_file_that_is_named_is_told_by_what_it_holds() {
    let place = mixed();
    for (name, format) in [
        ("r.md", "rawko"),
        ("notes.md", "ralph"),
        ("x.rum.db", "rum"),
    ] {
        let path = format!("docs/{name}");
        let quiet = ["stores", "--format", "quiet"];
        for args in [
            [&["--store", &path], &quiet[..]].concat(),
            [&[&*path], &quiet[..]].concat(),
        ] {
            assert_eq!(place.ok(&args), format!("{format}\n"), "{args:?}");
        }
    }
    let listed = place.ok(&["--store", "docs/notes.md", "list", "--format", "quiet"]);
    assert_eq!(listed, "ralph:mem-1769200000-00a4\n");
    let before = place.snapshot();
    let ran = place.run(&["--store", "docs/notes.md", "edit", "auth", "--add-tag", "x"]);
    assert_eq!(ran.code, 1, "{}{}", ran.text(), ran.err);
    assert_eq!(place.run(&["--store", "docs/z.md", "list"]).code, 2);
    assert!(place.snapshot() == before);
    // A person's word is enough.
    assert_eq!(
        place.ok(&[
            "--store",
            "docs/r.md",
            "--as",
            "ralph",
            "stores",
            "--format",
            "quiet"
        ]),
        "ralph\n"
    );
}

#[cfg(unix)]
#[test]
fn a_store_that_links_lead_to_is_one_store() {
    use std::os::unix::fs::symlink;
    let place = Place::bare();
    let (root, home) = (place.root(), place.home());
    let ralph = "## Fixes\n\n### mem-1769200000-00a4\n> The tests need Postgres.\n";
    for folder in [".ralph/agent", ".agent", "sub/.rawko"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    fs::write(root.join(".ralph/agent/memories.md"), ralph).unwrap();
    symlink(
        "../.ralph/agent/memories.md",
        root.join(".agent/memories.md"),
    )
    .unwrap();
    fs::create_dir_all(place.store()).unwrap();
    fs::write(place.file("auth-flow.md"), SAMPLE[0].1).unwrap();
    symlink("../../.rawko/memories", root.join("sub/.rawko/memories")).unwrap();
    let databases = home.join(".rum/projects/p");
    fs::create_dir_all(&databases).unwrap();
    fs::write(databases.join("p.rum.db"), "").unwrap();
    symlink(databases.join("p.rum.db"), root.join("p.rum.db")).unwrap();
    symlink("p.rum.db", root.join("link.rum.db")).unwrap();
    let memory = home.join(".golemcore/workspace/memory");
    fs::create_dir_all(memory.join("items")).unwrap();
    fs::write(memory.join("items/semantic.jsonl"), "").unwrap();
    symlink(&memory, root.join("memory")).unwrap();

    let quiet = ["stores", "--format", "quiet"];
    assert_eq!(place.ok(&quiet), "rawko\nralph\ngolemcore\nrum\n");
    fs::write(root.join(".git"), "gitdir: /elsewhere\n").unwrap();
    assert_eq!(
        place.run_in(&root.join("sub"), &quiet).text(),
        "rawko\nralph\ngolemcore\nrum\n"
    );
    // Under whatever name it is asked for.
    for (path, id) in [
        (".agent/memories.md", "ralph"),
        ("link.rum.db", "rum"),
        ("memory", "golemcore"),
        ("sub", "rawko"),
    ] {
        let args = [&["--store", path], &quiet[..]].concat();
        assert_eq!(place.ok(&args), format!("{id}\n"), "{path}");
    }
    let both = [&[".", "sub"], &quiet[..]].concat();
    assert_eq!(place.ok(&both).lines().count(), 4);
    // The link stays one.
    place.ok(&["edit", "mem-1769200000-00a4", "--add-tag", "x"]);
    assert!(
        fs::symlink_metadata(root.join(".agent/memories.md"))
            .unwrap()
            .is_symlink()
    );
    let listed = place.ok(&["list", "--format", "quiet", "--store", "ralph"]);
    assert_eq!(listed, "ralph:mem-1769200000-00a4\n");
}
