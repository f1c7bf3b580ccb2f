//! Words that are no command, and the commands they were most likely meant for.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::CommandFactory as _;

use super::{Args, wants};
use crate::cli::error::Error;
use crate::lint::all_nearest;
use crate::workspace::{self, Kind};

/// An error about a path that is not there, with the commands that the word was most likely meant
/// for.
pub fn name_commands(error: workspace::Error) -> Error {
    let missing = match &error.kind {
        Kind::Missing(path) => path.file_name().and_then(OsStr::to_str),
        _ => None,
    };
    match missing.and_then(nearest_commands) {
        Some(hint) => error.hint(hint).into(),
        None => error.into(),
    }
}

/// The same where the parser stumbled over a flag behind a word that is no command.
pub fn mistyped(words: impl Iterator<Item = OsString>) -> Option<Error> {
    let program = Args::command();
    let words: Vec<OsString> = words.collect();
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let (_, word) = pairs.find(|(before, word)| !is_flag(word) && !wants(&program, before))?;
    let word = word.to_str().filter(|word| !Path::new(word).exists())?;
    let is_known = program.find_subcommand(word).is_some();
    let hint = nearest_commands(word).filter(|_| !is_known)?;
    Some(Error::wrong(format!("no such command: {word}")).hint(hint))
}

/// A hint that names the commands that are most like a word.
fn nearest_commands(word: &str) -> Option<String> {
    let program = Args::command();
    let names = program.get_subcommands().map(clap::Command::get_name);
    let near = all_nearest(word, names);
    let near: Vec<String> = near
        .iter()
        .map(|name| format!("`memkeep {name}`"))
        .collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
}
