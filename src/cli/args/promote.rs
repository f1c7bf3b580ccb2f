//! Flags of `promote` and `demote`.

use std::path::PathBuf;

use super::HistoryFormat;

/// Arguments of `promote` and `demote`.
#[derive(Debug, clap::Args)]
pub struct Promote {
    /// The memories
    #[arg(required_unless_present = "candidates", value_name = "ID")]
    pub ids: Vec<String>,
    /// Move them to another store: `project`, a store or a format
    #[arg(long, value_name = "project|STORE")]
    pub to: Option<String>,
    /// Make each a rule in a file, and archive it [default: the file that its own agent loads]
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "to")]
    pub to_rule: Option<Option<PathBuf>>,
    /// The rule in your own words; the memory stays if they leave something out
    #[arg(long, value_name = "TEXT")]
    pub line: Option<String>,
    /// Name the memories that are ready, and what is missing for the others
    #[arg(long, conflicts_with_all = ["ids", "to", "to_rule"])]
    pub candidates: bool,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print candidates
    #[arg(long, value_enum, default_value_t)]
    pub format: HistoryFormat,
}

/// Arguments of `reorder`.
#[derive(Debug, clap::Args)]
pub struct Reorder {
    /// The indexes [default: those of all stores]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// By what: `value` puts what people said first, then what was changed last
    #[arg(long, value_enum, default_value_t)]
    pub by: OrderBy,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What entries are ordered by.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum OrderBy {
    /// What people said first, then what was changed last
    #[default]
    Value,
}
