//! Arguments of `check`.

use clap::ValueEnum;

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people.
    #[default]
    Table,
    /// Every task with its lists, recall and precision.
    Json,
    /// The names of tasks that fail.
    Quiet,
}

/// Kinds of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportKind {
    /// One page that needs no other file.
    Html,
}

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// Only these tasks, by name
    #[arg(value_name = "TASK")]
    pub tasks: Vec<String>,
    /// Print a page that shows the tasks before (at the last commit) and now
    #[arg(long, value_enum, value_name = "KIND")]
    pub report: Option<ReportKind>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: CheckFormat,
}
