//! The rules of the house, proven by reading the source.
#![cfg(test)]

#[path = "../support/program.rs"]
mod program;

mod source;

use std::fs;
use std::path::Path;

use source::{Source, all, below};

/// Modules without a file, process, thread, clock, environment, randomness or terminal.
const PURE: &[&str] = &[
    "memory",
    "text",
    "retrieval",
    "search",
    "lint",
    "curate",
    "app",
    "ui",
];
/// The layers: a module of one may import those to the left of it and its own.
const LAYERS: &[&[&str]] = &[
    &["memory", "text"],
    &["retrieval", "search", "lint", "curate"],
    &["app"],
    &["ui"],
    &["store", "project", "run", "cli", "config", "term", "agent"],
];
/// What a pure module does not name.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::process",
    "std::thread",
    "std::env",
    "std::net",
    "std::io",
    "std::time::SystemTime",
    "std::time::Instant",
    "rand",
    "tempfile",
    "rustix",
    "notify",
    "signal_hook",
    "etcetera",
    "chrono::Local",
    "chrono::Utc::now",
];
/// Longest file without its tests.
const LONGEST: usize = 450;

/// Fails with every place at once.
fn none(rule: &str, found: &[String]) {
    assert!(found.is_empty(), "{rule}:\n  {}", found.join("\n  "));
}

/// The user of this project named what stands at its top.
#[test]
fn the_top_level_holds_what_was_named() {
    const NAMED: &[&str] = &[
        "Cargo.toml",
        "Cargo.lock",
        "src",
        "assets",
        "tests",
        "themes",
        "benches",
        "docs",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        "target",
    ];
    let top = fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
    let names = top.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let other = names.filter(|name| !name.starts_with('.') && !NAMED.contains(&name.as_str()));
    none("not named", &other.collect::<Vec<_>>());
}

fn pure() -> Vec<Source> {
    let pure = |source: &Source| PURE.contains(&source.module.as_str());
    all().into_iter().filter(pure).collect()
}

/// What a pure module names that is outside of it.
fn outside(source: &Source) -> Vec<String> {
    // Paths as they are written where a module was imported: `fs::read`.
    let short = [
        "fs::",
        "process::",
        "thread::",
        "env::var",
        "SystemTime::now",
        "Instant::now",
        "Utc::now",
        "Local::now",
    ];
    // The error and the reading of bytes that are in memory touch nothing.
    let harmless = ["std::io::Error", "std::io::ErrorKind", "std::io::Cursor"];
    let mut found = Vec::new();
    for (line, path) in source.paths() {
        let within = |name: &&str| path == **name || path.starts_with(&format!("{name}::"));
        let starts = |name: &&str| path.starts_with(*name);
        let is_outside = IMPURE.iter().any(within) || short.iter().any(starts);
        if is_outside && !harmless.iter().any(starts) {
            found.push(format!("{}:{line}: {path}", source.name));
        }
    }
    found
}

/// What a pure module names of the terminal.
fn terminal(source: &Source) -> Vec<String> {
    let functions = [
        "read",
        "poll",
        "EnableMouseCapture",
        "EnableBracketedPaste",
        "PushKeyboardEnhancementFlags",
    ];
    let mut found = Vec::new();
    for (line, path) in source.paths() {
        let event = path.strip_prefix("crossterm::event::");
        let allowed = event.is_some_and(|name| !functions.contains(&name));
        let terminal = path == "crossterm" || path.starts_with("crossterm::");
        if terminal && !(allowed && source.module == "app") {
            found.push(format!("{}:{line}: {path}", source.name));
        }
    }
    found
}

/// What a module imports from a layer above its own.
fn upwards(source: &Source) -> Vec<String> {
    let layer = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    let Some(own) = layer(&source.module) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (line, path) in source.paths() {
        let to = path
            .strip_prefix("crate::")
            .and_then(|rest| rest.split("::").next());
        if to.and_then(layer).is_some_and(|to| to > own) {
            found.push(format!("{}:{line}: {path}", source.name));
        }
    }
    found
}

#[test]
fn pure_modules_touch_nothing_outside() {
    let found: Vec<String> = pure().iter().flat_map(outside).collect();
    none("a pure module names what is outside of it", &found);
}

#[test]
fn pure_modules_know_keys_and_no_terminal() {
    let found: Vec<String> = pure().iter().flat_map(terminal).collect();
    none(
        "only src/term touches the terminal; src/app knows its events",
        &found,
    );
}

#[test]
fn imports_go_one_way() {
    let found: Vec<String> = all().iter().flat_map(upwards).collect();
    none(
        "memory <- retrieval, search, lint, curate <- app <- ui <- the rest",
        &found,
    );
}

#[test]
fn these_tests_would_notice() {
    let text = "use std::{collections::HashMap, fs};\nuse crate::{memory::Memory,\n    store::Store};\nuse crossterm::{event::KeyEvent, terminal};\nfn f() { let x = std::time::Instant::now(); crate::ui::view(); crossterm::event::read(); }\n#[cfg(test)]\nmod tests { use std::net; }\n";
    let source = Source::of("src/app/made_up.rs".to_owned(), text);
    let short = |found: Vec<String>| -> Vec<String> {
        let path = |text: &String| text.rsplit(": ").next().unwrap().to_owned();
        found.iter().map(path).collect()
    };
    assert_eq!(
        short(outside(&source)),
        ["std::fs", "std::time::Instant::now"]
    );
    assert_eq!(
        short(upwards(&source)),
        ["crate::store::Store", "crate::ui::view"]
    );
    assert_eq!(
        short(terminal(&source)),
        ["crossterm::terminal", "crossterm::event::read"]
    );
    assert_eq!(source.lines_without_tests(), 5);
    let imports: usize = all()
        .iter()
        .flat_map(Source::paths)
        .filter(|(_, path)| path.starts_with("crate::"))
        .count();
    assert!(imports > 300, "{imports} imports were seen");
}

#[test]
fn every_module_has_a_place_in_the_layers() {
    let known: Vec<&str> = LAYERS.concat();
    let mut found = Vec::new();
    for source in all() {
        let is_root = ["lib", "main"].contains(&source.module.as_str());
        if !is_root && !known.contains(&source.module.as_str()) {
            found.push(source.name);
        }
    }
    none(
        "a module that the picture of the program does not know",
        &found,
    );
}

#[test]
fn files_are_short() {
    let mut found = Vec::new();
    for source in all() {
        let lines = source.lines_without_tests();
        if lines >= LONGEST && !source.is_test() {
            found.push(format!("{}: {lines} lines", source.name));
        }
    }
    none(
        "files have fewer than 450 lines without their tests",
        &found,
    );
}

#[test]
fn modules_are_files_beside_their_folders() {
    let found: Vec<String> = all()
        .into_iter()
        .map(|source| source.name)
        .filter(|name| name.ends_with("mod.rs"))
        .collect();
    none("foo.rs beside foo/, no mod.rs", &found);
}

#[test]
fn nothing_is_allowed_that_is_denied() {
    let denied = ["#[allow(", "#![allow(", "#[ignore"];
    let mut found = Vec::new();
    for source in below(&["src", "tests", "benches"]) {
        for (line, code) in source.whole() {
            let text = code.trim();
            let is_denied = denied.iter().any(|start| text.starts_with(start));
            if is_denied || text.contains("unsafe {") {
                found.push(format!("{}:{line}: {text}", source.name));
            }
        }
    }
    none(
        "no #[allow(…)], no #[ignore], no unsafe: #[expect(…, reason)] says why",
        &found,
    );
}

#[test]
fn the_readme_knows_every_command() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let home = tempfile::tempdir().unwrap();
    let help = program::program(home.path(), home.path())
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| {
            line.strip_prefix("  ")?
                .split(' ')
                .next()
                .filter(|name| !name.is_empty())
        })
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 15, "{help}");
    let missing: Vec<String> = commands
        .into_iter()
        .filter(|command| {
            !readme.contains(&format!("memkeep {command}"))
                && !readme.contains(&format!("`{command}"))
        })
        .map(str::to_owned)
        .collect();
    none("README.md names every command", &missing);
}
