//! Flags of `lint`.

use clap::ValueEnum;

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people.
    #[default]
    Table,
    /// Findings and their counts.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// Ids of the memories with findings.
    Quiet,
}

/// Which findings make the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors.
    Error,
    /// Errors and warnings.
    Warning,
    /// All of them.
    Info,
    /// None.
    Never,
}

/// Arguments of `lint`.
#[derive(Debug, clap::Args)]
pub struct Lint {
    /// Only these memories
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Only this rule
    #[arg(long, value_name = "RULE")]
    pub rule: Vec<String>,
    /// Apply every safe fix
    #[arg(long, group = "writes")]
    pub fix: bool,
    /// Remember what you say of two memories that a rule asks about, so that it is not asked
    /// again until one of them changes: keep-a or keep-b (the other is archived), both, merge (A
    /// then says what both say, and B is archived), not-a-conflict, ask-again
    #[arg(
        long,
        num_args = 3,
        value_names = ["ID_A", "ID_B", "ANSWER"],
        group = "writes",
        conflicts_with_all = ["ids", "fix", "explain"]
    )]
    pub answer: Vec<String>,
    /// With --answer A B both: in which cases which of the two holds
    #[arg(
        long,
        value_name = "TEXT",
        requires = "answer",
        allow_hyphen_values = true
    )]
    pub scope: Option<String>,
    /// Write all findings to .memkeep/decisions.jsonl: they are old from now on, neither shown nor
    /// counted
    #[arg(
        long,
        group = "writes",
        conflicts_with_all = ["ids", "fix", "explain", "rule", "since", "answer"]
    )]
    pub write_baseline: bool,
    /// Add what would be shown to .memkeep/decisions.jsonl: of these memories, rules or changes it
    /// is not reported any more
    #[arg(
        long,
        group = "writes",
        conflicts_with_all = ["fix", "explain", "answer", "write_baseline", "no_baseline", "format", "fail_on"]
    )]
    pub silence: bool,
    /// With --silence: why it stays as it is
    #[arg(
        long,
        value_name = "TEXT",
        requires = "silence",
        allow_hyphen_values = true
    )]
    pub reason: Option<String>,
    /// With --silence: the date on which it is reported again
    #[arg(long, value_name = "DATE", requires = "silence")]
    pub until: Option<String>,
    /// Old findings too
    #[arg(long)]
    pub no_baseline: bool,
    /// Only what memories cause that changed since this revision of git, uncommitted changes
    /// included
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub since: Option<String>,
    /// Ask the language model of the configuration which memories contradict or repeat each other;
    /// only new and changed ones are sent
    #[arg(
        long,
        group = "writes",
        conflicts_with_all = ["ids", "fix", "explain", "answer", "write_baseline", "silence"]
    )]
    pub ask: bool,
    /// With --ask: print the requests and send nothing
    #[arg(long, requires = "ask", conflicts_with = "dry_run")]
    pub prompt_only: bool,
    /// With --ask: take the answers from this file, or from standard input where it is -
    #[arg(
        long,
        value_name = "FILE",
        requires = "ask",
        conflicts_with_all = ["dry_run", "prompt_only"]
    )]
    pub response: Option<String>,
    /// With --ask: tokens of a request [default: 24000, or the configuration's]
    #[arg(long, value_name = "TOKENS", requires = "ask")]
    pub budget: Option<usize>,
    /// With --fix, --answer, --silence or --write-baseline: print the diff and write nothing; with
    /// --ask: print how much would be sent
    #[arg(long, requires = "writes")]
    pub dry_run: bool,
    /// Which findings make the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Warning, value_name = "SEVERITY")]
    pub fail_on: FailOn,
    /// The page of help of a rule
    #[arg(long, value_name = "RULE")]
    pub explain: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: LintFormat,
}
