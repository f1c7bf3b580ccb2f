//! Flags of every command.

use std::path::PathBuf;

use super::output::{Color, note};
use crate::memory::Timestamp;
use crate::workspace::{self, Options};

/// Flags of every command.
#[derive(Clone, Debug, clap::Args)]
pub struct Global {
    /// Folder to search for stores [default: the working directory and its parents up to the
    /// repository root]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Only this store: an id or a format as `memkeep stores` prints them, or a path
    #[arg(long, global = true, value_name = "ID|FORMAT|PATH")]
    pub store: Vec<String>,
    /// The stores of every project below your home too, not only of this one
    #[arg(long, global = true)]
    pub all_projects: bool,
    /// Read the given paths as this format
    #[arg(long = "as", global = true, value_name = "FORMAT")]
    pub format_as: Option<String>,
    /// The clock, for ages and for the dates that are written
    #[arg(long, global = true, value_name = "RFC3339")]
    pub now: Option<String>,
    /// Change nothing
    #[arg(long, global = true)]
    pub read_only: bool,
    /// Colours on standard output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// This configuration file instead of the user's and the project's
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Say more about what is read and left out
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

impl Global {
    /// The options under which a workspace is opened.
    pub fn options(&self, paths: Vec<PathBuf>) -> Result<Options, workspace::Error> {
        let now = self.now.as_ref().map(|text| {
            Timestamp::parse_iso(text).ok_or_else(|| {
                let what = format!("--now is `{text}`, not a point in time");
                workspace::Error::wrong(what).hint("e.g. 2026-11-20T10:00:00Z")
            })
        });
        Ok(Options {
            root: self.root.clone(),
            paths,
            format: self.format_as.clone(),
            only: self.store.clone(),
            all_projects: self.all_projects,
            config: self.config.clone(),
            read_only: self.read_only,
            now: now.transpose()?,
            verbose: self.verbose,
            state: workspace::state_folder(),
            tell: note,
        })
    }
}
