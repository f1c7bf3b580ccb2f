//! Commands that write: what they say, what they change, and that nothing else changes.

use std::fs;

use crate::place::Place;

#[test]
fn what_changes_say() {
    let place = Place::sample();
    insta::assert_snapshot!(place.all_told(&[
        &[
            "edit",
            "auth-flow",
            "--set",
            "importance=low",
            "--add-tag",
            "new",
            "--dry-run"
        ],
        &[
            "edit",
            "auth-flow",
            "--set",
            "importance=low",
            "--add-tag",
            "new"
        ],
        &["edit", "auth-flow", "--set", "importance=low"],
        &["undo", "--dry-run"],
        &["undo"],
        &["redo", "--dry-run"],
        &["redo"],
        &["undo"],
        &["rename", "auth-flow", "auth/token-flow", "--dry-run"],
        &["rename", "auth-flow", "rawko:token-flow.md"],
        &["show", "deploy", "--format", "markdown"],
        &["undo"],
        &["archive", "auth-flow", "deploy#2"],
        &["list", "--all", "--format", "quiet"],
        &["restore", "archive/auth-flow", "archive/deploy-2"],
        &["list", "--all", "--format", "quiet"],
        &["delete", "auth-flow", "--dry-run"],
        &["delete", "auth-flow"],
        &["restore", "auth-flow"],
        &["add", "Use barrel exports", "--tags", "style, code"],
        &["add", "More of it", "--title", "Use barrel exports"],
        &["show", "use-barrel-exports", "--format", "markdown"],
        &["lint", "--fix", "--rule", "invisible-to-loader"],
    ]));
}

/// What is edited, and the text that must stand in the file instead of another one.
#[test]
fn values_as_a_field_wants_them() {
    let text = "---\ntitle: T # title\nwhenToUse: [a]\ntags: [x, y]   # two\nimportance: low\nown: 1\n---\n\nBody.\n";
    for (args, from, to) in rows! {
        &["--set", "importance=high"][..] => "importance: low" => "importance: high",
        &["--set", "tags=a, b"] => "[x, y]   #" => "[a, b]   #",
        &["--set", "tags=[a, 'b, c']"] => "[x, y]" => "[a, \"b, c\"]",
        &["--set", "whenToUse=auth.{0,5}flow, login"] => "whenToUse: [a]" =>
            "whenToUse: [\"auth.{0,5}flow\", login]",
        &["--set", "title=3"] => "title: T #" => "title: \"3\" #",
        &["--set", "title=Note: \"x\" # y"] => "title: T #" => "title: \"Note: \\\"x\\\" # y\" #",
        &["--set", "title=- x"] => "title: T #" => "title: \"- x\" #",
        &["--set", "own=2"] => "own: 1" => "own: 2",
        &["--set", "own=yes please"] => "own: 1" => "own: yes please",
        &["--set", "own="] => "own: 1\n" => "",
        &["--unset", "own"] => "own: 1\n" => "",
        &["--set-new", "mine=true"] => "own: 1\n" => "own: 1\nmine: true\n",
        &["--set-new", "mine=a # b"] => "own: 1\n" => "own: 1\nmine: \"a # b\"\n",
        &["--set-new", "mine=\"3\""] => "own: 1\n" => "own: 1\nmine: \"3\"\n",
        &["--set-new", "mine=# a"] => "own: 1\n" => "own: 1\nmine: \"# a\"\n",
        &["--set-new", "mine=a: b: c"] => "own: 1\n" => "own: 1\nmine: \"a: b: c\"\n",
        &["--set-new", "importance=high"] => "importance: low" => "importance: high",
        &["--add-tag", "z"] => "[x, y]" => "[x, y, z]",
        &["--add-tag", "x"] => "[x, y]" => "[x, y]",
        &["--add-tag", "z", "--add-tag", "z"] => "[x, y]" => "[x, y, z]",
        &["--remove-tag", "x"] => "[x, y]" => "[y]",
        &["--remove-tag", "y", "--remove-tag", "x", "--add-tag", "q"] => "[x, y]" => "[q]",
        &["--set", "tags=b, c", "--remove-tag", "c"] => "[x, y]" => "[b]",
        &["--set", "importance=high", "--set", "tags=q", "--unset", "own"] =>
            "[x, y]   # two\nimportance: low\nown: 1\n" => "[q]   # two\nimportance: high\n",
    } {
        let place = Place::empty();
        place.write("t.md", text);
        place.ok(&[&["edit", "t"], args].concat());
        let after = String::from_utf8(place.read("t.md")).unwrap();
        assert_eq!(after, text.replace(from, to), "{args:?}");
        if from != to {
            place.ok(&["undo"]);
            assert_eq!(
                place.read("t.md"),
                text.as_bytes(),
                "{args:?}: all of a call is one step"
            );
        }
    }
}

#[test]
fn a_body_from_a_file_and_from_standard_input() {
    let place = Place::sample();
    let head = |name: &str| {
        let text = String::from_utf8(place.read(name)).unwrap();
        let end = text.rfind("---").unwrap() + 3;
        text[..end].to_owned()
    };
    let front = head("auth-flow.md");
    let ran = place.run_with(
        b"# New\n\nText\n",
        &["edit", "auth-flow", "--body-file", "-"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = String::from_utf8(place.read("auth-flow.md")).unwrap();
    assert!(
        text.starts_with(&front) && text.ends_with("# New\n\nText\n"),
        "{text}"
    );
    place.ok(&["undo"]);
    // The line ends of the file are kept.
    fs::write(place.root().join("body"), "one\ntwo\n").unwrap();
    place.ok(&["edit", "windows", "--body-file", "body"]);
    let text = String::from_utf8(place.read("windows.md")).unwrap();
    assert!(text.contains("one\r\ntwo"), "{text:?}");
    assert!(!text.replace("\r\n", "").contains('\n'), "{text:?}");
    fs::write(place.root().join("body"), b"\xff").unwrap();
    assert_eq!(
        place.run(&["edit", "windows", "--body-file", "body"]).code,
        2
    );
}

#[test]
fn a_new_memory_is_one_that_the_loader_sees() {
    let place = Place::empty();
    for (n, title) in [
        "Plain",
        "Note: \"x\" # y",
        "🙂 emoji",
        "- lead",
        "--- x",
        "'quoted'",
        "[a, b]",
        "null",
        "3",
        "yes",
        "x\\y",
        "日本語",
        "a:b",
        "*star",
        "&amp",
        "%x",
        "@x",
        "`x`",
        "trailing:",
        "{a}",
    ]
    .iter()
    .enumerate()
    {
        let id = place.ok(&["add", "Some text", "--title", title, "--format", "quiet"]);
        let shown = place.run(&["show", id.trim(), "--format", "json"]).json();
        assert_eq!(shown["title"], *title);
        assert_eq!(shown["fields"]["title"], *title);
        assert_eq!(shown["created"], crate::place::NOW);
        let appended = shown["id"].as_str().unwrap().contains('#');
        assert_eq!(shown["visible"], !appended, "{title}: {shown}");
        assert_eq!(
            place
                .run(&["list", "--all", "--format", "quiet"])
                .lines()
                .len(),
            n + 1
        );
    }
}

#[test]
fn adding_never_overwrites() {
    let place = Place::sample();
    let before = place.read("deploy.md");
    // The same title: the text of that memory grows, where its loader reads it.
    let added = [
        "add",
        "More",
        "--title",
        "Deploy on Tuesdays",
        "--format",
        "quiet",
    ];
    let same = place.ok(&added);
    let after = place.read("deploy.md");
    assert!(!same.contains("#3") && after.len() > before.len(), "{same}");
    let shown = place.ok(&["show", same.trim()]);
    assert!(
        shown.contains("## Update (2026-01-30)") && shown.contains("More"),
        "{shown}"
    );
    place.ok(&["undo"]);
    assert_eq!(place.read("deploy.md"), before);
    // Another title with the same file name: appended there, as the systems' own writer does.
    assert_eq!(
        place.ok(&["add", "x", "--title", "Deploy!", "--format", "quiet"]),
        "rawko:deploy#3\n"
    );
    place.ok(&["undo"]);
    // A file that ends without a line end keeps what it has.
    let before = place.read("windows.md");
    assert_eq!(
        place.ok(&["add", "x", "--title", "Windows", "--format", "quiet"]),
        "rawko:windows\n"
    );
    assert!(place.read("windows.md").starts_with(&before));
    // The title from the body, the body from standard input.
    let ran = place.run_with(
        b"# From a heading\n\ntext\n",
        &["add", "-", "--format", "quiet"],
    );
    assert_eq!(ran.text(), "rawko:from-a-heading\n");
    let json = place
        .run(&[
            "add",
            "--format",
            "json",
            "--set",
            "importance=critical",
            "--set",
            "source=me",
            "Another",
        ])
        .json();
    assert_eq!(json["importance"], "critical");
    assert_eq!(json["fields"]["source"], "me");
    assert_eq!(json["body"], "# Another\n\nAnother\n");
}

#[test]
fn a_file_that_changed_since_is_not_touched() {
    let place = Place::sample();
    place.ok(&["edit", "auth-flow", "--set", "importance=low"]);
    place.ok(&["rename", "windows", "other"]);
    place.write("auth-flow.md", "another program\n");
    place.write("windows.md", "another file\n");
    let before = place.snapshot();
    insta::assert_snapshot!(place.all_told(&[&["undo"], &["undo", "--dry-run"],]));
    fs::remove_file(place.file("windows.md")).unwrap();
    place.ok(&["undo"]);
    let ran = place.run(&["undo"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert_eq!(place.read("auth-flow.md"), b"another program\n");
    assert!(
        before
            .iter()
            .any(|(path, bytes)| path.ends_with("auth-flow.md") && bytes == b"another program\n")
    );
}

#[test]
fn renaming_takes_relations_along() {
    let place = Place::sample();
    let related =
        |list: &str| format!("---\ntitle: R\ntags: [x]\nrelatedMemories: {list}\n---\n\nx\n");
    place.write("flow.md", related("[auth-flow, other.md, auth-flow.md]"));
    place.write(
        "block.md",
        related("\n  - \"auth-flow.md\" # why\n  - auth-flows.md"),
    );
    place.write(
        "bad.md",
        "---\ntitle: a: b\nrelatedMemories: [auth-flow.md]\n---\n\nx\n",
    );
    let bad = place.read("bad.md");
    place.ok(&["rename", "auth-flow", "token"]);
    assert_eq!(
        place.read("flow.md"),
        related("[token, other.md, token.md]").into_bytes()
    );
    assert_eq!(
        place.read("block.md"),
        related("\n  - \"token.md\" # why\n  - auth-flows.md").into_bytes()
    );
    assert_eq!(
        place.read("bad.md"),
        bad,
        "broken fields are no reason to refuse"
    );
    assert!(
        String::from_utf8(place.read("deploy.md"))
            .unwrap()
            .contains("[token.md]")
    );
}

#[test]
fn a_named_store_takes_only_its_own_changes_back() {
    let place = Place::bare();
    let note = "---\ntitle: T\nwhenToUse: t\nimportance: low\ndiscoveredBy: a\n---\n\nBody.\n";
    place.write("a.md", note);
    let ralph = place.root().join(".ralph/agent/memories.md");
    std::fs::create_dir_all(ralph.parent().unwrap()).unwrap();
    let entry = "# Memories\n\n## Patterns\n\n### mem-1-aaaa\n> One\n<!-- tags: a | created: 2026-01-01 -->\n";
    std::fs::write(&ralph, entry).unwrap();
    place.ok(&["edit", "rawko:a", "--set", "importance=high"]);
    place.ok(&["edit", "mem-1-aaaa", "--add-tag", "b"]);
    let diff = place.ok(&["--store", "rawko", "undo", "--dry-run"]);
    assert!(
        diff.contains("importance") && !diff.contains("mem-1"),
        "{diff}"
    );
    place.ok(&["--store", "rawko", "undo"]);
    assert_eq!(place.read("a.md"), note.as_bytes());
    assert_ne!(std::fs::read_to_string(&ralph).unwrap(), entry);
    assert_eq!(place.run(&["--store", "rawko", "undo"]).code, 1);
    place.ok(&["--store", "ralph", "undo"]);
    assert_eq!(std::fs::read_to_string(&ralph).unwrap(), entry);
    // The one that was taken back last comes first, of each.
    place.ok(&["--store", "rawko", "redo"]);
    assert_ne!(place.read("a.md"), note.as_bytes());
    place.ok(&["redo"]);
    assert_ne!(std::fs::read_to_string(&ralph).unwrap(), entry);
}
