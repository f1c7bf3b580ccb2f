//! Generated parts of the documents match the program.
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes them anew.

#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;

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
        let first = rule.help().lines().nth(2).unwrap().trim_end_matches('.');
        let severity = format!("{:?}", rule.severity).to_lowercase();
        table.push_str(&format!("| `{}` | {severity} | {first} |\n", rule.id));
    }
    table
}

#[test]
fn generated_tables_match_the_program() {
    for (document, name, table) in [
        ("docs/keys.md", "keys", memkeep::app::key_table()),
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

#[test]
fn the_readme_fits_two_screens_and_its_links_lead_somewhere() {
    let (_, text) = read("README.md");
    assert!(text.lines().count() <= 200);
    for link in text.split("](").skip(1) {
        let target = link.split(')').next().unwrap();
        assert!(target.contains("://") || read(target).0.is_file());
    }
}

#[test]
fn the_readme_names_every_command_and_offers_none_that_is_missing() {
    let (_, text) = read("README.md");
    let (_, not_yet) = text.split_once("## Not yet").unwrap();
    for command in memkeep::cli::Args::command().get_subcommands() {
        let name = command.get_name();
        let is_named =
            text.contains(&format!("`memkeep {name}`")) || text.contains(&format!("`{name}`"));
        assert!(is_named, "the README does not name `memkeep {name}`");
        assert!(!not_yet.contains(&format!("`{name}`")), "{name}");
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
