//! The README's tables are projections of what the program knows of itself.
//!
//! `UPDATE_README=1 cargo test --test readme` writes them anew.

#![cfg(test)]

use std::fs;
use std::path::Path;

use clap::CommandFactory as _;

fn readme() -> (std::path::PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

/// The text between `<!-- name -->` and `<!-- /name -->`.
fn section<'a>(text: &'a str, name: &str) -> (&'a str, &'a str, &'a str) {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let from = text.find(&open).unwrap() + open.len();
    let to = text.find(&close).unwrap();
    (&text[..from], &text[from..to], &text[to..])
}

#[test]
fn the_table_of_keys_is_that_of_the_commands() {
    let (path, text) = readme();
    let expected = format!("{}\n", memkeep::app::key_table().trim());
    let (head, shown, tail) = section(&text, "keys");
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(path, format!("{head}{expected}{tail}")).unwrap();
    } else {
        assert_eq!(shown, expected, "UPDATE_README=1 cargo test --test readme");
    }
}

#[test]
fn every_command_is_named() {
    let (_, text) = readme();
    for command in memkeep::cli::Args::command().get_subcommands() {
        let name = command.get_name();
        assert!(
            text.contains(&format!("`memkeep {name}`")) || text.contains(&format!("`{name}`")),
            "the README does not name `memkeep {name}`"
        );
    }
}

#[test]
fn what_is_not_built_is_not_offered() {
    let (_, text) = readme();
    let (_, not_yet) = text.split_once("## Not yet").unwrap();
    for command in memkeep::cli::Args::command().get_subcommands() {
        assert!(!not_yet.contains(&format!("`{}`", command.get_name())));
    }
}
