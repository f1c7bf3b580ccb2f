//! Flags and commands.

mod check;
mod convert;
mod git;
mod history;
mod hook;
mod inject;
mod link;
mod lint;
mod mistyped;
mod prime;
mod promote;
mod prune;
mod review;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};

pub use check::{Check, CheckFormat};
pub use convert::{Convert, Merge, Rename};
pub use git::MergeDriver;
pub use history::{History, HistoryFormat};
pub use hook::{Hook, HookAgent, is_of};
pub use inject::{Inject, InjectFormat};
pub use link::{Chapter, Link};
pub use lint::{FailOn, Lint, LintFormat};
pub use mistyped::{mistyped, name_commands};
pub use prime::{Prime, PrimeFormat, Skill};
pub use promote::{OrderBy, Promote, Reorder};
pub use prune::Prune;
pub use review::{Proposals, Review, ReviewFormat};

pub use super::global::Global;
pub use super::output::Color;

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
    /// What to do; with none, the terminal UI.
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

/// Whether a word is a flag that a value follows.
fn wants(program: &clap::Command, word: &OsStr) -> bool {
    let name = word.to_str().and_then(|word| word.strip_prefix("--"));
    program
        .get_arguments()
        .any(|flag| name.is_some() && flag.get_long() == name && flag.get_action().takes_values())
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The stores found, with their formats, counts and problems
    Stores(Stores),
    /// The memories, in the order of their files
    List(List),
    /// The memories that match a query, best first
    Search(Search),
    /// One memory, whole
    Show(Show),
    /// Write a new memory; where a file may hold several, append to the one with this title
    Add(Add),
    /// Change fields or the body of a memory, and not one byte beside them
    Edit(Edit),
    /// Give a memory another name, and the relations that name it with it
    Rename(Rename),
    /// Take memories out of their store; `restore` and `undo` bring them back
    Delete(Sure),
    /// Put memories where their system does not read them
    Archive(Ids),
    /// Say that memories are still right; what lint says of their age starts anew
    Confirm(Ids),
    /// Bring archived or deleted memories back, byte for byte
    Restore(Ids),
    /// Raise memories: their importance, or to a more lasting layer
    Promote(Promote),
    /// Lower memories: their importance, or back to the episodes
    Demote(Promote),
    /// Make one memory of several: the first says what all say, the others go to the archive
    Merge(Merge),
    /// Copy or move memories to another store, in its format
    Convert(Convert),
    /// Make their system forget memories (golemcore: they expire at once)
    Forget(Sure),
    /// Link a memory to another: `memkeep link A caused_by B`
    Link(Link),
    /// Take a link away
    Unlink(Link),
    /// Make a chapter of memories
    Chapter(Chapter),
    /// Order the entries of an index by value, so that what matters stays above its cut
    Reorder(Reorder),
    /// Archive what has expired, repeats, is never selected or is old, in one step
    Prune(Prune),
    /// Take the last change back
    Undo(UndoOne),
    /// Make the last undone change again
    Redo(Undo),
    /// The versions of a memory, or the changes that memkeep made; brings a version back
    History(History),
    /// What git calls to merge a file of memories, memory by memory; `init --git` registers it
    MergeDriver(MergeDriver),
    /// Make a store
    Init(Init),
    /// What would be injected for a task, and why
    Inject(Box<Inject>),
    /// A whole store as context, within a budget
    Prime(Prime),
    /// The text that teaches an agent to use memories
    Skill(Skill),
    /// What an agent's hook is given of the memories for a prompt
    Hook(Hook),
    /// What is wrong with memories, why it matters, and how to put it right
    Lint(Lint),
    /// What changed since the last commit, memory by memory: keep, reject, commit
    Review(Review),
    /// What agents propose and nobody has decided on
    Proposals(Proposals),
    /// Whether the tasks of .memkeep/tasks.yaml are given what they must, may and must not be
    Check(Check),
    /// The terminal UI on a fresh copy of the bundled sample project
    Demo(Demo),
}

/// What every listing is narrowed by.
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

/// Arguments of `stores`.
#[derive(Debug, clap::Args)]
pub struct Stores {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Arguments of `list`.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Only memories that match this query, e.g. `auth importance:>=high created:<30d`
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub query: Option<String>,
    /// What to narrow by.
    #[command(flatten)]
    pub filter: Filter,
    /// Archived memories too
    #[arg(long)]
    pub all: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Arguments of `search`.
#[derive(Debug, clap::Args)]
pub struct Search {
    /// What to look for: words, 'exact, ^prefix, suffix$, !not, a | b, field:value
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// What to narrow by.
    #[command(flatten)]
    pub filter: Filter,
    /// All matches instead of the best five, archived memories too
    #[arg(long)]
    pub all: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// The memory
    pub id: String,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Arguments of `add`.
#[derive(Debug, clap::Args)]
pub struct Add {
    /// The body; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    pub content: String,
    /// The title [default: the first heading or line of the body]
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// The type, in formats that have types
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// The tags
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub tags: Vec<String>,
    /// Another field: `--set importance=high`
    #[arg(long = "set", value_name = "FIELD=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Arguments of `edit`.
#[derive(Debug, clap::Args)]
#[group(id = "edits", required = true, multiple = true)]
pub struct EditWhat {
    /// Give a field a value; lists are comma-separated or YAML (`[a, b]`); nothing removes it
    #[arg(long = "set", value_name = "FIELD=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Give a field a value that the format does not know
    #[arg(
        long = "set-new",
        value_name = "FIELD=VALUE",
        allow_hyphen_values = true
    )]
    pub set_new: Vec<String>,
    /// Take a field away
    #[arg(long, value_name = "FIELD")]
    pub unset: Vec<String>,
    /// Add a tag
    #[arg(long, value_name = "TAG")]
    pub add_tag: Vec<String>,
    /// Take a tag away
    #[arg(long, value_name = "TAG")]
    pub remove_tag: Vec<String>,
    /// Replace the body by a file's text; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub body_file: Option<PathBuf>,
}

/// Arguments of `edit`.
#[derive(Debug, clap::Args)]
pub struct Edit {
    /// The memory
    pub id: String,
    /// What changes.
    #[command(flatten)]
    pub what: EditWhat,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
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

/// Arguments of `undo`.
#[derive(Debug, clap::Args)]
pub struct UndoOne {
    /// The change, by its number in `memkeep history` [default: the last one]
    #[arg(value_name = "#N", conflicts_with = "dry_run")]
    pub change: Option<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `redo`.
#[derive(Debug, clap::Args)]
pub struct Undo {
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `init`.
#[derive(Debug, clap::Args)]
pub struct Init {
    /// Where the store goes, if its format has several places
    #[arg(value_name = "PATH", conflicts_with_all = ["claude", "git"])]
    pub path: Option<PathBuf>,
    /// Add `memkeep hook claude` to this project's .claude/settings.json instead
    #[arg(long)]
    pub claude: bool,
    /// Have git merge the files of memories memory by memory: lines of .gitattributes, and the
    /// repository's configuration
    #[arg(long, conflicts_with = "claude")]
    pub git: bool,
    /// With --claude or --git: write without asking
    #[arg(long)]
    pub yes: bool,
    /// Say what would be made and make nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
pub struct Demo {
    /// Name a few task descriptions worth typing
    #[arg(long)]
    pub list_tasks: bool,
    /// Write the sample project into this new folder and end
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
}
