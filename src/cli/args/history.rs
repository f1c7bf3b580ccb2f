//! Flags of `history`.

use clap::ValueEnum;

/// Arguments of `history`.
#[derive(Debug, clap::Args)]
pub struct History {
    /// The memory, also one that was deleted [default: every change that memkeep made]
    pub id: Option<String>,
    /// Bring back a version: a commit, branch or tag, or `#` and the number of a step
    #[arg(long, value_name = "REV", requires = "id")]
    pub restore: Option<String>,
    /// Who last changed which line
    #[arg(long, requires = "id", conflicts_with = "restore")]
    pub blame: bool,
    /// Only the newest N
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,
    /// With --restore: print the diff and write nothing
    #[arg(long, requires = "restore")]
    pub dry_run: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: HistoryFormat,
}

/// How a history is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum HistoryFormat {
    /// For people.
    #[default]
    Table,
    /// An array of versions, or of changes.
    Json,
}
