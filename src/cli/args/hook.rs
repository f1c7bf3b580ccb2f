//! Arguments of `hook`.

use std::ffi::OsString;

use clap::{CommandFactory as _, ValueEnum};

use super::Args;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HookAgent {
    /// Claude Code: an event as JSON in, its answer as JSON out
    Claude,
    /// Any program: a task as text in, text out
    Generic,
}

/// Arguments of `hook`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Standard input is an event of Claude Code (SessionStart, UserPromptSubmit), or a task as text. \
Where nothing fits, and on every failure, nothing is printed and the exit code is 0; -v says why. \
`memkeep init --claude` sets Claude Code up.")]
pub struct Hook {
    /// Who asks
    pub agent: HookAgent,
}

/// Whether a call is one of a command, however wrong the rest of it is.
pub fn is_of(name: &str, words: impl Iterator<Item = OsString>) -> bool {
    let program = Args::command();
    let is_command = |word: &OsString| program.find_subcommand(word).is_some();
    words
        .skip(1)
        .find(is_command)
        .is_some_and(|word| word == name)
}
