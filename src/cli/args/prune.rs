//! Flags of `prune`.

/// Arguments of `prune`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub struct Prune {
    /// What has expired: its system does not read it any more
    #[arg(long, group = "what")]
    pub expired: bool,
    /// Of memories that say the same, the one that lint would archive
    #[arg(long, group = "what")]
    pub duplicates: bool,
    /// What no commit and no saved task selects, and nothing says that it should
    #[arg(long, group = "what")]
    pub never_selected: bool,
    /// Only what was last written longer ago; alone, all of that: 90d, 12w, 6m, 1y
    #[arg(long, group = "what", value_name = "AGE")]
    pub older: Option<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}
