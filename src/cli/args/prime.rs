//! Arguments of `prime` and `skill`.

use clap::ValueEnum;

/// How a whole store is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PrimeFormat {
    /// The text, byte for byte, and nothing else.
    #[default]
    Markdown,
    /// The same.
    Prompt,
    /// The memories that are in it.
    Json,
    /// For people.
    Table,
    /// Their ids only.
    Quiet,
}

/// Arguments of `prime`.
#[derive(Debug, clap::Args)]
pub struct Prime {
    /// Tokens the text stays within; 0 for no limit
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
    /// Only memories of these types
    #[arg(short = 't', long = "type", value_name = "A,B")]
    pub types: Option<String>,
    /// Only memories with any of these tags
    #[arg(long, value_name = "A,B")]
    pub tags: Option<String>,
    /// Only memories written in the last DAYS days
    #[arg(long, value_name = "DAYS")]
    pub recent: Option<u32>,
    /// The dialect of the store's policy: ralph or spec
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: PrimeFormat,
}

/// Arguments of `skill`.
#[derive(Debug, clap::Args)]
pub struct Skill {
    /// The policy whose text to print [default: those of the stores that have one]
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
}
