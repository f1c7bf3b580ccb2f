//! Nothing of a store, a repository or an argument reaches a terminal raw, whatever the command and
//! its format.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::harness::{self, Pty};
use super::hostile::{COLORS, PIECES, all, raw, yaml};

/// A project in which every text is hostile: names, titles, bodies, fields, authors.
fn project(home: &Path) -> std::path::PathBuf {
    let project = home.join("p");
    let store = project.join(".rawko/memories");
    fs::create_dir_all(&store).unwrap();
    let odd = all();
    let name = PIECES[..8].concat().replace('/', "_") + "e" + &"\u{301}".repeat(20);
    let memory = |title: &str, more: &str| {
        format!(
            "---\ntitle: {}\nwhenToUse: [{}, auth]\ntags: [{}, b]\nimportance: high\n\
             discoveredAt: \"2026-01-01\"\ndiscoveredBy: {}\n{}: {}\n{more}---\n\n# {odd}\n\n{odd} \
             is in `src/gone.rs`.\nToken: ghp_0123456789abcdefghijABCDEFGHIJ012345\n",
            yaml(&format!("{title} {odd}")),
            yaml(&format!("pay {odd}")),
            yaml(&odd),
            yaml(&odd),
            yaml(&format!("own{odd}")),
            yaml(&odd),
        )
    };
    fs::write(store.join(format!("{name}.md")), memory("One", "")).unwrap();
    let related = format!("relatedMemories: [{}]\n", yaml(&odd));
    fs::write(store.join("plain.md"), memory("Two", &related)).unwrap();
    fs::write(
        store.join("broken.md"),
        format!("---\ntitle: {odd}: x\n---\n{odd}\n"),
    )
    .unwrap();
    let ralph = project.join(".ralph/agent");
    fs::create_dir_all(&ralph).unwrap();
    let entry = format!(
        "# Memories\n\n## Fixes\n\n### mem-1769600000-00a1\n> {}\n<!-- tags: {} | created: 2026-01-28 -->\n",
        odd.replace('\u{85}', ""),
        PIECES.concat()
    );
    fs::write(ralph.join("memories.md"), entry).unwrap();
    fs::create_dir_all(project.join("src")).unwrap();
    fs::write(project.join("src/gone.rs"), "fn gone() {}\n").unwrap();
    let git = |arguments: &[&str]| {
        let author = odd.replace(['\u{feff}', '\n'], "");
        let done = Command::new("git")
            .args(arguments)
            .current_dir(&project)
            .env("HOME", home)
            .env("GIT_AUTHOR_NAME", &author)
            .env("GIT_AUTHOR_EMAIL", "a@example.com")
            .env("GIT_COMMITTER_NAME", &author)
            .env("GIT_COMMITTER_EMAIL", "a@example.com")
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    git(&["rm", "-q", "src/gone.rs"]);
    git(&["commit", "-q", "-m", &odd]);
    project
}

/// Every command with every format that it has; the first word of each format list is its flag.
const CALLS: &[(&[&str], &[&str])] = &rows! {
    &["stores"] => LISTS,
    &["list", "--all", "-v"] => LISTS,
    &["search", "one"] => LISTS,
    &["show", "plain"] => LISTS,
    &["show", "mem-1769600000-00a1"] => LISTS,
    &["inject", "--task", "auth", "--explain"] => &["table", "prompt", "json", "markdown"],
    &["prime"] => &["markdown", "prompt", "json", "table", "quiet"],
    &["lint"] => &["table", "json", "sarif", "github", "quiet"],
    &["lint", "--fix", "--dry-run"] => &[],
    &["lint", "--write-baseline", "--dry-run"] => &[],
    &["lint", "--explain", "secret"] => &[],
    &["edit", "plain", "--set", "importance=low", "--dry-run"] => &[],
    &["edit", "plain", "--set", "title=X", "--dry-run"] => &[],
    &["rename", "plain", "other", "--dry-run"] => &[],
    &["delete", "plain", "--dry-run"] => &[],
    &["archive", "plain", "--dry-run"] => &[],
    &["confirm", "plain", "--dry-run"] => &[],
    &["promote", "plain", "--dry-run"] => &[],
    &["demote", "plain", "--dry-run"] => &[],
    &["forget", "plain", "--dry-run"] => &[],
    &["merge", "plain", "broken", "--dry-run"] => &[],
    &["add", "HOSTILE", "--dry-run"] => &[],
    &["add", "a body", "--title", "New", "--tags", "HOSTILE"] => LISTS,
    &["undo", "--dry-run"] => &[],
    &["archive", "plain"] => &[],
    &["restore", "HOSTILE"] => &[],
    &["undo"] => &[],
    &["redo", "--dry-run"] => &[],
    &["skill"] => &[],
    &["init", "--as", "HOSTILE"] => &[],
    &["show", "HOSTILE"] => &[],
    &["show", "o"] => &[],
    &["HOSTILE"] => &[],
    &["--HOSTILE"] => &[],
    &["list", "--format", "HOSTILE"] => &[],
    &["list", "--query", "HOSTILE:x"] => &[],
    &["list", "--store", "HOSTILE"] => &[],
    &["list", "--root", "HOSTILE"] => &[],
    &["list", "--config", "HOSTILE"] => &[],
    &["list", "--now", "HOSTILE"] => &[],
    &["list", "-t", "HOSTILE"] => &[],
    &["lint", "--rule", "HOSTILE"] => &[],
    &["lint", "--since", "HOSTILE"] => &[],
    &["inject", "--task", "HOSTILE", "--policy", "HOSTILE"] => &[],
    &["inject", "--task", "HOSTILE"] => &["table", "json", "markdown"],
    &["link", "plain", "HOSTILE", "broken"] => &[],
    &["demo", "--into", "/nowhere/HOSTILE"] => &[],
    &["--help"] => &[],
    &["list", "--help"] => &[],
};
const LISTS: &[&str] = &["table", "json", "markdown", "quiet"];

#[test]
fn nothing_hostile_reaches_a_terminal_raw() {
    let home = tempfile::tempdir().unwrap();
    let project = project(home.path());
    let odd = all();
    for (words, formats) in CALLS {
        let words: Vec<String> = words
            .iter()
            .map(|word| word.replace("HOSTILE", &odd))
            .collect();
        let flags = formats.iter().map(|format| vec!["--format", format]);
        let flags: Vec<Vec<&str>> = match formats.is_empty() {
            true => vec![Vec::new()],
            false => flags.collect(),
        };
        for flags in flags {
            let mut call = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
            call.cwd(&project);
            call.args(&words);
            call.args(&flags);
            let (_, out) = Pty::start(call).end();
            assert!(!out.is_empty(), "{words:?} {flags:?}");
            assert_eq!(raw(&out, COLORS), None, "{words:?} {flags:?}");
        }
    }
}

#[test]
fn json_on_a_terminal_says_what_it_says_in_a_pipe() {
    let home = tempfile::tempdir().unwrap();
    let project = project(home.path());
    for words in [
        &["list", "--format", "json"][..],
        &["show", "plain", "--format", "json"],
        &["inject", "--task", "pay", "--format", "json"],
        &["lint", "--format", "json"],
        &["lint", "--format", "sarif"],
    ] {
        let words: Vec<&str> = [words, &["--now", "2026-02-01T00:00:00Z"]].concat();
        let mut call = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
        call.cwd(&project);
        call.args(&words);
        let (_, out) = Pty::start(call).end();
        let begin = out.find(['[', '{']).unwrap();
        let shown: serde_json::Value = serde_json::from_str(&out[begin..]).unwrap();
        let piped = Command::new(env!("CARGO_BIN_EXE_memkeep"))
            .args(&words)
            .current_dir(&project)
            .env("HOME", home.path())
            .env("XDG_STATE_HOME", home.path().join("state"))
            .output()
            .unwrap();
        let text = String::from_utf8(piped.stdout).unwrap();
        assert!(
            raw(&text, &[]).is_some(),
            "a pipe gets the bytes: {words:?}"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            shown
        );
    }
}
