//! Generated parts of the documents match the program.
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes them anew.

#![cfg(test)]

#[macro_use]
#[path = "support/rows.rs"]
mod rows;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use memkeep::app::command;
use memkeep::app::key::{self, Key};
use memkeep::cli::Args;

fn read(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

/// Splits a text around the part between `<!-- name -->` and `<!-- /name -->`.
fn section<'a>(text: &'a str, name: &str) -> (&'a str, &'a str, &'a str) {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = text.find(&open).unwrap() + open.len();
    let to = text.find(&close).unwrap();
    (&text[..from], &text[from..to], &text[to..])
}

/// The thresholds of rules, as a table.
fn threshold_table() -> String {
    let mut table = "| rule | threshold | default | what |\n|---|---|---|---|\n".to_owned();
    for rule in memkeep::lint::RULES {
        for known in rule.thresholds {
            let (rule, name) = (rule.id, known.name);
            let (usual, what) = (known.usual, known.what);
            table.push_str(&format!("| `{rule}` | `{name}` | {usual} | {what} |\n"));
        }
    }
    table
}

/// Every rule with its usual severity and the first sentence of its page.
fn rule_table() -> String {
    let mut rules: Vec<_> = memkeep::lint::RULES.iter().collect();
    rules.sort_unstable_by_key(|rule| rule.id);
    let mut table = "| rule | severity | finds |\n|---|---|---|\n".to_owned();
    for rule in rules {
        let first = memkeep::text::rule_pages::page(rule.id)
            .lines()
            .nth(2)
            .unwrap()
            .trim_end_matches('.');
        let severity = format!("{:?}", rule.severity).to_lowercase();
        table.push_str(&format!("| `{}` | {severity} | {first} |\n", rule.id));
    }
    table
}

/// The keys of every command, a table for each place in which they are heard.
fn key_table() -> String {
    let mut out = String::new();
    let mut heard = "";
    for command in command::all() {
        if command.heard != heard {
            heard = command.heard;
            out.push_str(&format!(
                "\n**{heard}**\n\n| keys | what | id |\n|---|---|---|\n"
            ));
        }
        let keys = command.keys.iter().map(|keys| {
            let keys = key::label(&Key::parse_all(keys).unwrap());
            format!("`{}`", keys.replace('|', "\\|"))
        });
        let keys: Vec<String> = keys.collect();
        out.push_str(&format!(
            "| {} | {}: {} | `{}` |\n",
            keys.join(" "),
            command.title,
            command.help.replace('|', "\\|"),
            command.id
        ));
    }
    out
}

#[test]
fn generated_tables_match_the_program() {
    for (document, name, table) in [
        ("docs/keys.md", "keys", key_table()),
        ("docs/configuration.md", "thresholds", threshold_table()),
        ("docs/lint.md", "rules", rule_table()),
    ] {
        let (path, text) = read(document);
        let expected = format!("{}\n", table.trim());
        let (head, shown, tail) = section(&text, name);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(path, format!("{head}{expected}{tail}")).unwrap();
        } else {
            assert_eq!(
                shown, expected,
                "{document}: UPDATE_DOCS=1 cargo test --test docs"
            );
        }
    }
}

/// The README and every page of `docs`, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "md" => pages.push(path),
                _ => {}
            }
        }
    }
    pages.sort_unstable();
    let text = |path: PathBuf| (fs::read_to_string(&path).unwrap(), path);
    pages
        .into_iter()
        .map(text)
        .map(|(text, path)| (path, text))
        .collect()
}

#[test]
fn the_readme_is_short_and_links_lead_somewhere() {
    let (_, text) = read("README.md");
    assert!(text.lines().count() <= 150);
    for (page, text) in pages() {
        // A link in code is an example.
        let prose: String = text.split('`').step_by(2).collect();
        let links = prose
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let pictures = ["src=\"", "srcset=\""].map(|mark| text.split(mark).skip(1));
        let pictures = pictures
            .into_iter()
            .flatten()
            .filter_map(|rest| rest.split('"').next());
        for target in links.chain(pictures).filter(|one| !one.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => page.clone(),
                file => page.with_file_name("").join(file),
            };
            assert!(file.is_file(), "{}: {target}", page.display());
            let anchors = fs::read_to_string(file).unwrap_or_default();
            let mut anchors = anchors
                .lines()
                .filter(|line| line.starts_with('#'))
                .map(anchor);
            let is_there = heading.is_empty() || anchors.any(|one| one == heading);
            assert!(is_there, "{}: {target}", page.display());
        }
    }
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Lines of a page that call memkeep: lines of code blocks, and code in the text that begins with
/// its name; true for lines that a reader copies into a shell.
fn calls(text: &str) -> Vec<(String, bool)> {
    let mut calls = Vec::new();
    let mut fence = None;
    for line in text.lines() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                None => Some(info.to_owned()),
                Some(_) => None,
            };
        } else if let Some(info) = &fence {
            let is_shell = ["", "sh"].contains(&info.as_str());
            // A line that is drawn, or whose quote ends on a later line, is no call.
            let words = shell_words::split(line).unwrap_or_default();
            if words.iter().any(|word| word == "memkeep") && !line.contains('│') {
                calls.push((line.trim().to_owned(), is_shell));
            }
        } else {
            let codes = line.split('`').skip(1).step_by(2);
            let codes = codes.filter(|code| code.starts_with("memkeep "));
            calls.extend(codes.map(|code| (code.replace("\\|", "|"), false)));
        }
    }
    calls
}

/// The words behind each `memkeep` of a line, up to the end of its command.
fn arguments(line: &str) -> Vec<Vec<String>> {
    let words = shell_words::split(line).unwrap_or_default();
    let ends = ["|", "||", "&&", ";", ">", "<", ">>"];
    let mut all = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let is_argument = before.is_some_and(|word| word == "add" || word == "-v");
        if word == "memkeep" && !is_argument {
            let rest = words[at + 1..].iter();
            all.push(
                rest.take_while(|word| !ends.contains(&word.as_str()))
                    .cloned()
                    .collect(),
            );
        }
    }
    all
}

/// True if a word stands for what the reader puts there: `ID`, `FORMAT|STORE`, `...`.
fn is_placeholder(word: &str) -> bool {
    let is_name = |part: &str| {
        part.len() > 1
            && part
                .chars()
                .all(|c| c.is_ascii_uppercase() || "_|".contains(c))
    };
    word.contains('…')
        || word.contains("...")
        || word.starts_with('[')
        || word.split(['=', ' ', '/']).any(is_name)
        || (word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase()))
}

/// Mistakes of a call that is not written to its end.
const LACKS: [ErrorKind; 3] = [
    ErrorKind::MissingRequiredArgument,
    ErrorKind::MissingSubcommand,
    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
];

/// Says what is wrong with a call, by the table of commands.
fn mistake(words: &[String], is_shell: bool) -> Option<String> {
    let program = Args::command();
    let call = ["memkeep".to_owned()]
        .into_iter()
        .chain(words.iter().cloned());
    if !words.iter().any(|word| is_placeholder(word)) {
        return match Args::of(&mut memkeep::cli::program(), call.map(Into::into)) {
            // Text may name a command or a flag without what it needs.
            Err(error) if !is_shell && LACKS.contains(&error.kind()) => None,
            Err(_) if !is_shell && words.last().is_some_and(|word| word.starts_with("--")) => {
                mistake(&[words, &["X".to_owned()]].concat(), false)
            }
            Err(error) if error.use_stderr() => Some(error.to_string()),
            _ => None,
        };
    }
    // Placeholders have no values: the names are checked.
    let deeper = |command, word: &String| match command {
        Some(command) => clap::Command::find_subcommand(command, word).or(Some(command)),
        None => program.find_subcommand(word),
    };
    let command = words.iter().fold(None, deeper);
    let own = command.into_iter().flat_map(clap::Command::get_arguments);
    let known: Vec<_> = own
        .chain(program.get_arguments())
        .filter_map(clap::Arg::get_long)
        .collect();
    let flags = words
        .iter()
        .filter_map(|word| word.trim_start_matches('[').strip_prefix("--"));
    let mut flags = flags.map(|flag| flag.split(['=', ']']).next().unwrap_or_default());
    let unknown =
        flags.find(|flag| !["", "help", "version"].contains(flag) && !known.contains(flag));
    unknown.map(|flag| format!("no flag --{flag}"))
}

#[test]
fn every_call_in_the_documents_is_one() {
    let mut wrong = Vec::new();
    for (page, text) in pages() {
        for (line, is_shell) in calls(&text) {
            for words in arguments(&line) {
                let mistake = mistake(&words, is_shell);
                let mistake = mistake.map(|what| format!("{}: {line}\n{what}", page.display()));
                wrong.extend(mistake);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // These tests would notice.
    let is_wrong = |line: &str| {
        arguments(line)
            .iter()
            .any(|words| mistake(words, true).is_some())
    };
    assert!(is_wrong("memkeep lint --no-such-flag"));
    assert!(is_wrong("memkeep edit ID --no-such-flag FILE"));
    assert!(is_wrong("echo x | memkeep hook --task x | cat"));
    assert!(!is_wrong("memkeep edit ID --set importance=high"));
}

/// True if a call ends by itself and needs nothing but the sample project.
fn is_playable(line: &str) -> bool {
    let calls = arguments(line);
    let starts = ["memkeep ", "echo ", "memkeep"];
    let is_shell = starts.iter().any(|start| line.starts_with(start));
    let words = shell_words::split(line).unwrap_or_default();
    let mut pairs = words.windows(2);
    let is_own = pairs.all(|pair| pair[0] != "|" || pair[1] == "memkeep");
    is_shell
        && is_own
        && calls.iter().all(|words| {
            let has = |flag: &str| words.iter().any(|word| word == flag);
            let command = Args::of(
                &mut memkeep::cli::program(),
                ["memkeep".to_owned()].iter().chain(words).map(Into::into),
            );
            let opens_screen = match command.map(|args| args.command) {
                Ok(None) => true,
                Ok(Some(_)) => has("demo") && !has("--into") && !has("--list-tasks"),
                Err(error) => error.use_stderr(),
            };
            let asks_model = has("--ask") && !has("--dry-run") && !has("--prompt-only");
            !opens_screen && !asks_model && !words.iter().any(|word| is_placeholder(word))
        })
}

/// The sample project with what the pages say that a project has.
fn lay_out(program: &mut dyn FnMut(&Path, &str) -> std::process::Output, folder: &Path) -> PathBuf {
    fs::create_dir_all(folder.join(".config/fish/completions")).unwrap();
    let root = folder.join("demo");
    let done = program(folder, "memkeep demo --into demo");
    assert!(done.status.success());
    let block = |page: &str, info: &str| {
        let text = read(page).1;
        let (_, rest) = text.split_once(&format!("```{info}\n")).unwrap();
        rest.split_once("```").unwrap().0.to_owned()
    };
    for (file, text) in rows! {
        "task.txt" => "Refund all bookings".to_owned(),
        ".memkeep/tasks.yaml" => block("docs/check.md", "yaml"),
        ".memkeep/formats/decisions.toml" => block("docs/own-formats.md", "toml"),
        "docs/notes/queue.md" => "# Queue\n\nThe queue is small.\n".to_owned(),
        ".serena/memories/core.md" => "# Core\n\nRead `mem:db` first.\n".to_owned(),
        ".serena/memories/db.md" => "# Database\n\nPostgres.\n".to_owned(),
        "memory-bank/progress.md" => "# Progress\n\nHalf done.\n".to_owned(),
        ".cursor/rules/auth.mdc" => "---\nglobs: src/auth/**\n---\n\nNo tokens in logs.\n".to_owned(),
        ".github/instructions/tests.instructions.md" =>
            "---\napplyTo: \"**/*.test.ts\"\n---\n\nNo sleeps.\n".to_owned(),
    } {
        let file = root.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let done = program(&root, "git update-ref refs/remotes/origin/main HEAD~1");
    assert!(done.status.success(), "the sample project has a history");
    root
}

#[test]
fn every_call_that_can_be_played_works() {
    let binary = Path::new(env!("CARGO_BIN_EXE_memkeep")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [binary.to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).unwrap();
    let (mut wrong, mut played) = (Vec::new(), 0);
    for (page, text) in pages() {
        let calls = calls(&text);
        let lines: Vec<_> = calls
            .iter()
            .filter(|(line, is_shell)| *is_shell && is_playable(line))
            .collect();
        if lines.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut run = |at: &Path, line: &str| {
            let mut shell = Command::new("sh");
            shell
                .args(["-c", line])
                .current_dir(at)
                .stdin(Stdio::null());
            shell
                .env_clear()
                .env("PATH", &path)
                .env("HOME", folder.path());
            for (name, value) in [
                ("GIT_AUTHOR_NAME", "a"),
                ("GIT_AUTHOR_EMAIL", "a@example.org"),
                ("GIT_COMMITTER_NAME", "a"),
                ("GIT_COMMITTER_EMAIL", "a@example.org"),
            ] {
                shell.env(name, value);
            }
            shell.output().unwrap()
        };
        let root = lay_out(&mut run, folder.path());
        for (line, _) in lines {
            let output = run(&root, line);
            let error = String::from_utf8_lossy(&output.stderr);
            played += 1;
            let is_fine = matches!(output.status.code(), Some(0 | 1)) && !error.contains("error: ");
            if !is_fine {
                wrong.push(format!("{}: {line}\n{error}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(played > 50, "{played} calls were played");
}

#[test]
fn the_readme_names_every_command() {
    let (_, text) = read("README.md");
    for command in Args::command().get_subcommands() {
        let name = command.get_name();
        let is_named =
            text.contains(&format!("`memkeep {name}`")) || text.contains(&format!("`{name}`"));
        assert!(is_named, "the README does not name `memkeep {name}`");
    }
}

/// The keys that the reader of tables knows where it is given one that it does not know.
fn known_keys(table: &str) -> Vec<String> {
    let error = memkeep::memory::format::Table::read(table).unwrap_err();
    let (_, expected) = error.message.split_once("expected ").unwrap();
    let words = expected.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

#[test]
fn every_key_of_a_format_is_described() {
    let (_, text) = read("docs/own-formats.md");
    let good =
        "name = \"x\"\nabout = \"x\"\npolicy = \"always\"\nproject = [\"x\"]\narchive = \"a\"\n";
    for (part, header) in [
        ("Table", ""),
        ("Field", "[[field]]\n"),
        ("Index", "[index]\n"),
        ("Carriers", "[carriers]\n"),
    ] {
        let (_, shown, _) = section(&text, &format!("keys {part}"));
        let rows = shown.lines().filter_map(|line| line.strip_prefix("| `"));
        let described: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
        assert_eq!(
            described,
            known_keys(&format!("{good}{header}zzz = 1\n")),
            "{part}"
        );
    }
    // The example is a format.
    let example = text
        .split("```toml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    memkeep::memory::format::Table::read(example).unwrap();
}
