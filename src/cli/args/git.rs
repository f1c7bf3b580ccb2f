//! Flags of `merge-driver`.

use std::path::PathBuf;

/// Arguments of `merge-driver`, as git fills them in: `%O %A %B %P`.
#[derive(Debug, clap::Args)]
pub struct MergeDriver {
    /// The version that both sides began with
    pub base: PathBuf,
    /// Our version; the result is written here
    pub ours: PathBuf,
    /// Their version
    pub theirs: PathBuf,
    /// The file in the repository
    pub path: PathBuf,
}
