//! The arguments of a call, and those that several commands share.

mod mistyped;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, ValueEnum};

pub use self::mistyped::{mistyped, name_commands};
use super::Command;
use super::global::Global;

/// Browse, curate and check what coding agents remember about a code base.
#[derive(Debug, Parser)]
#[command(
    name = "memkeep",
    bin_name = "memkeep",
    version,
    about,
    max_term_width = 100,
    subcommand_precedence_over_arg = true
)]
pub struct Args {
    /// Stores or folders; with none, every store found from here
    pub paths: Vec<PathBuf>,
    /// Command to run; without one, the terminal UI.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Flags of every command.
    #[command(flatten)]
    pub global: Global,
}

impl Args {
    /// The arguments of a call, the program's name first. clap takes a word that is the name of a
    /// command for the command, even where a flag before it wants a value: such a value is tied to
    /// its flag first, so that a folder may be called `demo`.
    pub fn of(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let program = Self::command();
        let mut tied: Vec<OsString> = Vec::new();
        let mut begun = false;
        for word in words {
            match tied
                .last_mut()
                .filter(|last| !begun && wants(&program, last))
            {
                Some(flag) => {
                    flag.push("=");
                    flag.push(word);
                }
                None => {
                    begun |= program.find_subcommand(&word).is_some();
                    tied.push(word);
                }
            }
        }
        Self::try_parse_from(tied)
    }
}

/// True if a word is a flag that a value follows.
fn wants(program: &clap::Command, word: &OsStr) -> bool {
    let name = word.to_str().and_then(|word| word.strip_prefix("--"));
    program
        .get_arguments()
        .any(|flag| name.is_some() && flag.get_long() == name && flag.get_action().takes_values())
}

/// Flags that narrow a listing.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Filter {
    /// Only memories of this type
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// Only memories with any of these tags
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub tags: Vec<String>,
    /// Only the newest N, by the date they were written
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
    /// Only memories written in the last DAYS days
    #[arg(long, value_name = "DAYS")]
    pub recent: Option<u32>,
}

/// How a listing is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For people.
    #[default]
    Table,
    /// An array of memories.
    Json,
    /// A Markdown list.
    Markdown,
    /// Ids only.
    Quiet,
}

/// Arguments of the commands on several memories.
#[derive(Debug, clap::Args)]
pub struct Ids {
    /// The memories
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of the commands that ask before they do it.
#[derive(Debug, clap::Args)]
pub struct Sure {
    /// The memories
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// True if a call is one of a command, however wrong the rest of it is.
pub fn is_of(name: &str, words: impl Iterator<Item = OsString>) -> bool {
    let program = Args::command();
    let is_command = |word: &OsString| program.find_subcommand(word).is_some();
    words
        .skip(1)
        .find(is_command)
        .is_some_and(|word| word == name)
}
