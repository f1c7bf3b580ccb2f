//! Flags of `rename`, `merge` and `convert`.

use std::path::PathBuf;

/// Arguments of `convert`.
#[derive(Debug, clap::Args)]
pub struct Convert {
    /// The memories
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// The format or the store that they go to
    #[arg(long, value_name = "FORMAT|STORE")]
    pub to: String,
    /// The folder or file of that store; made where it is not there [default: the project's store of
    /// that format]
    #[arg(long, value_name = "PATH")]
    pub into: Option<PathBuf>,
    /// Take them out of the store they are in
    #[arg(long = "move")]
    pub remove: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `merge`.
#[derive(Debug, clap::Args)]
pub struct Merge {
    /// The memory that keeps its place and id
    #[arg(value_name = "ID")]
    pub keep: String,
    /// The memories whose statements, tags and links it takes in
    #[arg(required = true, value_name = "ID")]
    pub with: Vec<String>,
    /// Delete these instead of archiving them
    #[arg(long)]
    pub delete: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `rename`.
#[derive(Debug, clap::Args)]
pub struct Rename {
    /// The memory
    pub id: String,
    /// Its new name, below the store and without `.md`
    pub to: String,
    /// Change mentions of the old name in other memories, context files and agents' files too
    #[arg(long)]
    pub mentions: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}
