//! Arguments of `review` and `proposals`.

use clap::ValueEnum;

/// How the queue is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReviewFormat {
    /// For people.
    #[default]
    Table,
    /// An array of entries.
    Json,
    /// For a comment on a pull request.
    Markdown,
    /// Ids only.
    Quiet,
}

/// Arguments of `review`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("accepting").multiple(true)))]
pub struct Review {
    /// Compare with this revision
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub base: String,
    /// Accept these changes, deletions too: stage them, and nothing else of their files
    #[arg(long, value_name = "ID", num_args = 1.., group = "accepting")]
    pub accept: Vec<String>,
    /// Keep these memories: accept what changed of them; a deletion is refused
    #[arg(long, value_name = "ID", num_args = 1.., group = "accepting")]
    pub keep: Vec<String>,
    /// Accept a new secret or a new instruction to the reader too
    #[arg(long, requires = "accepting")]
    pub anyway: bool,
    /// Reject these memories: bring the old version back; a new one goes to the archive
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub reject: Vec<String>,
    /// Why they are rejected
    #[arg(long, value_name = "TEXT", requires = "reject")]
    pub reason: Option<String>,
    /// Commit what is staged of memories, and nothing else, with your hooks and signing
    #[arg(long)]
    pub commit: bool,
    /// The commit message [default: one made from what is staged]
    #[arg(short, long, value_name = "TEXT", requires = "commit")]
    pub message: Option<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ReviewFormat,
}

/// Arguments of `proposals`.
#[derive(Debug, clap::Args)]
pub struct Proposals {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ReviewFormat,
}
