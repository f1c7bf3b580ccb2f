//! Flags of `prune`.

/// Arguments of `prune`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub struct Prune {
    /// Prune what has expired: its system does not read it any more
    #[arg(long, group = "what")]
    pub expired: bool,
    /// Prune, of memories that say the same, the one that lint would archive
    #[arg(long, group = "what")]
    pub duplicates: bool,
    /// Prune what neither the last commits nor the saved tasks select; never what was written in
    /// the last 14 days or has no date
    #[arg(long, group = "what")]
    pub never_selected: bool,
    /// Narrow the flags above to memories last written longer ago: 90d, 12w, 6m, 1y; without
    /// them, prune everything that old
    #[arg(long, group = "what", value_name = "AGE")]
    pub older: Option<String>,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}
