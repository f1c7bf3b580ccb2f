//! Arguments of `hook`.

use clap::ValueEnum;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HookAgent {
    /// Claude Code: an event as JSON in, its answer as JSON out
    Claude,
    /// Any program: a task as text in, text out
    Generic,
}

/// Arguments of `hook`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Standard input is an event of Claude Code (SessionStart, UserPromptSubmit), or a task as text. \
Where nothing fits, and on every failure, nothing is printed and the exit code is 0; -v says why. \
`memkeep init --claude` sets Claude Code up.")]
pub struct Hook {
    /// Who asks
    pub agent: HookAgent,
}
