//! The rules of the house, proven by reading the source.
#![cfg(test)]

mod budget;
mod source;

use std::fs;

use source::{Source, all, below};

/// Modules without a file, process, thread, clock, environment, randomness or terminal.
const PURE: &[&str] = &[
    "memory",
    "text",
    "retrieval",
    "systems",
    "search",
    "lint",
    "curate",
    "extract",
    "app",
    "ui",
];
/// The layers: a module of one may import those to the left of it and its own.
const LAYERS: &[&[&str]] = &[
    &["memory", "text"],
    &["retrieval", "search"],
    &["systems"],
    &["lint", "curate"],
    &["extract"],
    &["app"],
    &["ui"],
    &["store", "project", "config", "term", "agent"],
    &["workspace"],
    &["run", "cli"],
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
/// Lines of Rust in `src/lint` and `src/text`, tests included: a special case for a sentence is no
/// rule. Examples are rows of `assets/lint` and `tests/lint`.
const MOST_OF_LINT: usize = 16_290;

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
        "memory, text <- retrieval, search <- systems <- lint, curate <- extract <- app <- ui <- store, project, \
         agent <- workspace <- run, cli",
        &found,
    );
}

/// The only file that builds scorers; the others get previews from the workspace.
const BUILDER: &str = "src/workspace/preview.rs";

#[test]
fn scorers_are_built_in_one_place() {
    let mut found = Vec::new();
    for source in all().into_iter().filter(|source| !source.is_test()) {
        let text = fs::read_to_string(&source.name).unwrap();
        let code = text.lines().zip(1..=source.lines_without_tests());
        let builds = code.filter(|(text, _)| text.contains("policy.scorer("));
        found.extend(builds.map(|(_, line)| format!("{}:{line}", source.name)));
    }
    assert!(
        matches!(found.as_slice(), [one] if one.starts_with(BUILDER)),
        "{} places build a scorer: {found:?}",
        found.len()
    );
    println!("places that build a scorer: {}", found.len());
}

#[test]
fn changes_know_nothing_of_lint() {
    let curate = all().into_iter().filter(|one| one.module == "curate");
    let is_lint = |path: &str| path.starts_with("crate::lint");
    let found: Vec<String> = curate
        .flat_map(|source| {
            let paths = source.paths().into_iter();
            let paths = paths.filter(|(_, path)| is_lint(path));
            let shown = paths.map(|(line, path)| format!("{}:{line}: {path}", source.name));
            shown.collect::<Vec<_>>()
        })
        .collect();
    none("lint <- curate is the other way round", &found);
}

/// The modules of `src/lint` that run rules, and are none.
const ENGINE: &[&str] = &[
    "answers",
    "baseline",
    "cache",
    "collector",
    "digest",
    "facts",
    "finding",
    "fixes",
    "join",
    "judged",
    "pages",
    "pairs",
    "position",
    "questions",
    "report",
    "repository",
    "select",
    "silence",
    "subject",
    "tuning",
    "words",
];

#[test]
fn the_engine_of_lint_names_no_rule() {
    let table = fs::read_to_string("src/lint.rs").unwrap();
    let (_, table) = table.split_once("pub static RULES").unwrap();
    let (table, _) = table.split_once("];").unwrap();
    let is_part = |c: char| c.is_ascii_lowercase() || c == '_' || c == ':';
    let modules = table.split(|c| !is_part(c));
    let modules = modules.filter_map(|path| Some(path.split_once("::")?.0));
    let modules = modules.filter(|module| !module.is_empty());
    let modules: Vec<&str> = modules.filter(|module| !ENGINE.contains(module)).collect();
    assert!(modules.contains(&"stale_path"), "{modules:?}");
    let ids = memkeep::lint::RULES.iter().map(|rule| rule.id);
    let ids = ids.filter(|id| *id != memkeep::lint::UNUSED);
    let ids: Vec<String> = ids.map(|id| format!("\"{id}\"")).collect();
    let is_engine = |source: &Source| {
        let below = source.name.strip_prefix("src/lint/");
        let module = below.map(|path| path.split(['/', '.']).next().unwrap());
        module.is_some_and(|module| ENGINE.contains(&module)) && !source.is_test()
    };
    let mut found = Vec::new();
    for source in all().into_iter().filter(is_engine) {
        for (line, path) in source.paths() {
            let is_local = path.starts_with("super::") || path.starts_with("crate::lint::");
            if is_local && path.split("::").any(|part| modules.contains(&part)) {
                found.push(format!("{}:{line}: {path}", source.name));
            }
        }
        let text = fs::read_to_string(&source.name).unwrap();
        let code = text.lines().zip(1..=source.lines_without_tests());
        for (text, line) in code.filter(|(text, _)| !text.trim_start().starts_with("//")) {
            if ids.iter().any(|id| text.contains(id)) {
                found.push(format!("{}:{line}: {}", source.name, text.trim()));
            }
        }
    }
    none(
        "a finding says itself what the engine has to know of its rule",
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

/// The only file that starts programs: git, the person's editor, the desktop's clipboard and the
/// model's command of the person's own configuration.
const STARTER: &str = "src/project/programs.rs";

#[test]
fn programs_are_started_in_one_place() {
    let mut found = Vec::new();
    for source in all() {
        let code = source.code();
        let mut commands: Vec<_> = code
            .filter(|(_, code)| code.contains("Command::new"))
            .collect();
        if source.name == STARTER {
            assert_eq!(commands.split_off(0).len(), 1);
        }
        found.extend(
            commands
                .iter()
                .map(|(line, _)| format!("{}:{line}: Command::new", source.name)),
        );
        if [STARTER, "src/project/git.rs"].contains(&source.name.as_str()) {
            continue;
        }
        let starts = |path: &str| path.starts_with("std::process::Command");
        let paths = source.paths().into_iter().filter(|(_, path)| starts(path));
        found.extend(paths.map(|(line, path)| format!("{}:{line}: {path}", source.name)));
    }
    none(
        "programs are started by project::programs::command alone",
        &found,
    );
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
fn what_a_format_can_do_is_asked_of_its_schema() {
    let name = regex::Regex::new(r#"format(?:\(\))?\s*[!=]=\s*"([\w-]+)""#).unwrap();
    let mut found = Vec::new();
    for source in all().iter().filter(|source| !source.is_test()) {
        let path = &source.name;
        let text = std::fs::read_to_string(path).unwrap();
        for (line, code) in text.lines().enumerate() {
            let Some(named) = name.captures(code).map(|found| found[1].to_owned()) else {
                continue;
            };
            if !path.contains(&format!("/{named}")) {
                found.push(format!("{path}:{}: {}", line + 1, code.trim()));
            }
        }
    }
    none(
        "a format is asked for by its name outside its own files",
        &found,
    );
}

#[test]
fn lint_stays_small() {
    let is_lint = |source: &Source| matches!(&*source.module, "lint" | "text");
    let sources = all();
    let lines = sources.iter().filter(|source| is_lint(source));
    let lines: usize = lines.map(|source| source.whole().count()).sum();
    assert!(
        lines > 0 && lines <= MOST_OF_LINT,
        "src/lint and src/text have {lines} lines"
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

/// What is written anywhere else goes past the writer that keeps a terminal from obeying it.
#[test]
fn one_writer_writes() {
    const WORDS: [&str; 6] = [
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "io::stdout(",
        "io::stderr(",
    ];
    let is_writer = |source: &Source| source.module == "term" || source.name == "src/cli/output.rs";
    let written = |source: &Source| -> Vec<String> {
        let code = source.code();
        let found = code.filter(|(_, code)| WORDS.iter().any(|word| code.contains(word)));
        let found = found.map(|(line, code)| format!("{}:{line}: {}", source.name, code.trim()));
        found.collect()
    };
    let others = all().into_iter().filter(|source| !is_writer(source));
    let found: Vec<String> = others.flat_map(|source| written(&source)).collect();
    none("only src/term and src/cli/output.rs write", &found);
    let made_up = Source::of("src/run/x.rs".to_owned(), "fn f() { std::io::stdout(); }\n");
    assert_eq!(written(&made_up).len(), 1);
}
