//! Arguments of `link`, `unlink` and `chapter`.

/// Arguments of `link` and `unlink`.
#[derive(Debug, clap::Args)]
pub struct Link {
    /// The memory that the link begins at
    #[arg(value_name = "ID")]
    pub from: String,
    /// What kind of link: a field of the format, e.g. caused_by
    #[arg(value_name = "TYPE")]
    pub kind: String,
    /// The memory that it leads to
    #[arg(value_name = "ID")]
    pub to: String,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `chapter`.
#[derive(Debug, clap::Args)]
pub struct Chapter {
    /// Its memories, in their order
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// What it is called [default: the tag that they share, else the goal of the first]
    #[arg(long, allow_hyphen_values = true)]
    pub title: Option<String>,
    /// What they say together [default: their goals and outcomes]
    #[arg(long, allow_hyphen_values = true)]
    pub summary: Option<String>,
    /// The tags
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub tags: Vec<String>,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}
