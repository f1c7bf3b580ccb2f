//! Errors: one clear sentence, a hint, the exit code of the contract, and nothing written.

use std::fs;
use std::process::Stdio;

use memkeep::memory::frontmatter;

use crate::place::{Place, Ran};

#[test]
fn wrong_use() {
    let place = Place::sample();
    let before = place.snapshot();
    insta::assert_snapshot!(place.all_told(&[
        &["lst"],
        &[],
        &["."],
        &["list", "--fromat", "quiet"],
        &["list", "--format", "xml"],
        &["list", "extra"],
        &["list", "--store", "nope"],
        &["list", "--as", "nope"],
        &["list", "--root", "nope"],
        &["list", "--config", "nope"],
        &["list", "--now", "yesterday"],
        &["list", "--type", "fix"],
        &["list", "--last", "many"],
        &["list", "--query", "impotance:high"],
        &["list", "--query", "auth created:<soon"],
        &["list", "--query", "auth created:<"],
        &["show"],
        &["show", "nothing"],
        &["add"],
        &["add", ""],
        &["add", "x", "--title", "two\nlines"],
        &["add", "x", "--set", "nope=1"],
        &["add", "x", "--set", "importance=urgent"],
        &["add", "x", "--type", "fix"],
        &["edit", "auth-flow"],
        &["edit", "auth-flow", "--set", "importance"],
        &["edit", "auth-flow", "--set", "importance=urgent"],
        &["edit", "auth-flow", "--set", "discoveredAt=soon"],
        &["edit", "auth-flow", "--set", "nope=1"],
        &["edit", "auth-flow", "--unset", "nope"],
        &["edit", "auth-flow", "--set", "tags=[a, b"],
        &["edit", "auth-flow", "--remove-tag", "nope"],
        &["edit", "auth-flow", "--body-file", "nope"],
        &["edit", "auth-flow", "--body-file", "."],
        &["edit", "broken", "--set", "importance=low"],
        &["rename", "auth-flow", "deploy"],
        &["rename", "auth-flow", "../up"],
        &["rename", "auth-flow", ".hidden/x"],
        &["rename", "deploy#2", "own-name"],
        &["restore", "auth-flow"],
        &["restore", "nothing"],
        &["archive", "archive/old"],
        &["undo"],
        &["redo"],
        &["undo", "--dry-run"],
        &["inject"],
        &["inject", "--task", "x", "--policy", "nope"],
        &["inject", "--task", "x", "--dialect", "nope"],
        &["inject", "--task", "x", "--min-importance", "nope"],
        &["inject", "--task", "x", "--agent-file", "nope"],
        &["lint", "--rule", "name-stile"],
        &["lint", "--rule", "nothing-like-it-at-all"],
        &["lint", "--explain", "nope"],
        &["lint", "nothing"],
        &["lint", "--dry-run"],
        &["init", "--as", "nope"],
    ]));
    assert_eq!(place.snapshot(), before);
}

#[test]
fn nothing_is_written_where_nothing_may_be() {
    let place = Place::sample();
    place.ok(&["edit", "auth-flow", "--set", "importance=low"]);
    place.ok(&["undo"]);
    let before = place.snapshot();
    for args in [
        &["add", "x"][..],
        &["edit", "auth-flow", "--set", "importance=low"],
        &["rename", "auth-flow", "other"],
        &["delete", "auth-flow"],
        &["archive", "auth-flow"],
        &["restore", "archive/old"],
        &["undo"],
        &["redo"],
        &["lint", "--fix"],
    ] {
        let ran = place.run(&[&["--read-only"], args].concat());
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.text(), ran.err);
        assert!(ran.err.contains("--read-only"), "{args:?}: {}", ran.err);
    }
    assert_eq!(place.snapshot(), before);
    // What only reads, and a dry run, work.
    assert_eq!(place.run(&["--read-only", "list"]).code, 0);
    let dry = place.run(&[
        "--read-only",
        "edit",
        "auth-flow",
        "--set",
        "importance=low",
        "--dry-run",
    ]);
    assert_eq!(dry.code, 0, "{}", dry.err);
    let bare = Place::bare();
    assert_eq!(bare.run(&["--read-only", "init"]).code, 2);
    assert!(!bare.store().exists());
}

#[test]
fn no_store_and_an_empty_one() {
    let bare = Place::bare();
    let calls: &[&[&str]] = &[
        &["stores"],
        &["stores", "--format", "json"],
        &["list"],
        &["list", "--format", "json"],
        &["search", "x"],
        &["inject", "--task", "x"],
        &["inject", "--task", "x", "--format", "prompt"],
        &["lint"],
        &["show", "x"],
        &["undo"],
        &["add", "x"],
    ];
    insta::assert_snapshot!("no store", bare.all_told(calls));
    let empty = Place::empty();
    insta::assert_snapshot!("an empty store", empty.all_told(&calls[..calls.len() - 1]));
    insta::assert_snapshot!(
        "init",
        bare.all_told(&[&["init", "--dry-run"], &["init"], &["init"], &["stores"],])
    );
}

#[test]
fn a_broken_configuration_is_told_and_left_out() {
    let place = Place::sample();
    let config = place.root().join(".memkeep/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    let mut told = String::new();
    for text in [
        "theme = \"dark\"\n[inject]\n  maxx = 3\n",
        "theme = [\n",
        "[inject]\nmax = \"three\"\n",
    ] {
        fs::write(&config, text).unwrap();
        told += &place.told(&["list", "--format", "quiet", "--last", "1"]);
    }
    fs::write(&config, b"\xff\xfe").unwrap();
    told += &place.told(&["list", "--format", "quiet", "--last", "1"]);
    insta::assert_snapshot!(told);
}

#[test]
fn settings_of_all_layers() {
    let place = Place::sample();
    let selected = |args: &[&str]| {
        let args = [
            &[
                "inject",
                "--task",
                "login deploy rollback",
                "--format",
                "json",
            ],
            args,
        ]
        .concat();
        place.run(&args).json()["previews"][0]["selected"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(selected(&[]), 3);
    let user = place.home().join("config/memkeep/config.toml");
    fs::create_dir_all(user.parent().unwrap()).unwrap();
    fs::write(&user, "[inject]\nmax = 2\n").unwrap();
    assert_eq!(selected(&[]), 2);
    fs::create_dir_all(place.root().join(".memkeep")).unwrap();
    fs::write(
        place.root().join(".memkeep/config.toml"),
        "[inject]\nmax = 1\n",
    )
    .unwrap();
    assert_eq!(selected(&[]), 1);
    let own = place.root().join(".rawko/agents/developer.md");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "---\nmemory:\n  maxInjected: 2\n---\nYou are…\n").unwrap();
    assert_eq!(selected(&["--agent", "developer"]), 2);
    assert_eq!(selected(&["--agent", "developer", "--max", "3"]), 3);
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_error() {
    use std::io::Read as _;
    let place = Place::empty();
    // More than a pipe holds.
    for n in 0..1500 {
        place.write(
            &format!("memory-with-a-name-that-is-rather-long-{n:060}.md"),
            "---\ntitle: x\n---\n\nx\n",
        );
    }
    for format in ["quiet", "json", "table", "markdown"] {
        let mut child = place
            .command(&place.root())
            .args(["list", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0; 8]).unwrap();
        drop(out);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{format}");
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_listed_and_says_why() {
    let place = Place::empty();
    place.write("latin.md", b"---\ntitle: Latin\n---\n\ncaf\xe9\n");
    place.write("empty.md", "");
    place.write("nul.md", b"a\0b\n");
    fs::create_dir(place.file("folder.md")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.file("dangling.md")).unwrap();
    std::os::unix::fs::symlink("loop.md", place.file("loop.md")).unwrap();
    let pipe = place.file("pipe.md");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.unwrap().success());
    let before = fs::read_dir(place.store()).unwrap().count();
    insta::assert_snapshot!(place.all_told(&[
        &["list"],
        &["lint", "--rule", "load-error"],
        &["show", "pipe"],
        &["edit", "pipe", "--set", "importance=low"],
        &["edit", "folder", "--set", "importance=low"],
        &["edit", "dangling", "--set", "importance=low"],
        &["delete", "folder"],
        &["archive", "pipe"],
        &["archive", "dangling"],
        &["inject", "--task", "x", "--format", "prompt"],
    ]));
    assert_eq!(fs::read_dir(place.store()).unwrap().count(), before);
}

#[test]
fn hostile_text_does_not_reach_standard_error_raw() {
    let place = Place::empty();
    place.write("a.md", "---\ntitle: \"x\\e[31m\"\n---\n\nx\n");
    let ran = place.run(&["show", "\u{1b}[2J"]);
    assert_eq!(ran.code, 1);
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
    for args in [
        &["list"][..],
        &["show", "a"],
        &["list", "--format", "markdown"],
    ] {
        assert!(!place.ok(args).contains('\u{1b}'), "{args:?}");
    }
}

#[test]
fn the_screen_has_the_settings_of_inject() {
    let place = Place::sample();
    let agents = place.root().join(".rawko/agents");
    fs::create_dir_all(&agents).unwrap();
    // The environment stands above the agent's own file.
    for (variable, own, wrong) in [("huge", "high", true), ("high", "huge", false)] {
        let text = format!("---\nmemory:\n  minImportance: {own}\n---\n");
        fs::write(agents.join("dev.md"), text).unwrap();
        for arguments in [&["inject", "--task", "auth"][..], &[]] {
            let ran: Ran = place
                .command(&place.root())
                .args(arguments)
                .env("MEMKEEP_AGENT", "dev")
                .env("MEMKEEP_MIN_IMPORTANCE", variable)
                .output()
                .unwrap()
                .into();
            let told = ran.err.contains("`huge` is no importance");
            assert_eq!(told, wrong, "{arguments:?} {variable} {own}: {}", ran.err);
        }
    }
}

/// Whatever nests its values 10,000 deep is refused before a parser that calls itself reads it.
#[test]
fn deep_nesting_is_refused_with_its_reason() {
    let place = Place::bare();
    let put = |path: &str, text: &str| {
        let path = place.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let braces = "{".repeat(10_000) + &"}".repeat(10_000);
    put(
        ".cursor/rules/a.mdc",
        &format!("---\nglobs: {braces}\n---\n\nA.\n"),
    );
    put(
        ".github/instructions/a.instructions.md",
        &format!("---\napplyTo: \"{braces}\"\n---\n\nA.\n"),
    );
    put(".ralph/agent/memories.md", "# Memories\n");
    for deep in ["[".repeat(20_000), "- ".repeat(20_000), "? ".repeat(20_000)] {
        put(
            ".rawko/memories/a.md",
            &format!("---\ntitle: {deep}\n---\n\nA.\n"),
        );
        put(".memkeep/tasks.yaml", &format!("tasks: \n  {deep}\n"));
        put("ralph.yml", &format!("memories:\n  {deep}\n"));
        for args in [
            &["inject", "--task", "x", "--file", "a.rs"][..],
            &["lint"],
            &["list"],
        ] {
            let ran = place.run(args);
            assert!(
                (0..=2).contains(&ran.code),
                "{args:?}: {}: {}",
                ran.code,
                ran.err
            );
        }
    }
    let told = place
        .run(&["lint", "--rule", "pattern-never-matches"])
        .text();
    assert_eq!(told.matches("nested too deeply").count(), 2, "{told}");
}

#[test]
fn values_that_nest_too_deeply_are_not_parsed() {
    for open in ["[", "{a: ", "- ", "? "] {
        let deep = |count: usize| frontmatter::read(&format!("a:\n  {}", open.repeat(count)));
        let error = deep(300).unwrap_err();
        assert!(
            error.message.contains("nested too deeply"),
            "{open}: {error}"
        );
        let error = deep(5).err().map(|error| error.message);
        assert!(
            !error.is_some_and(|error| error.contains("deeply")),
            "{open}"
        );
    }
    assert!(frontmatter::read(&format!("a: x # {}", "-".repeat(300))).is_ok());
}
