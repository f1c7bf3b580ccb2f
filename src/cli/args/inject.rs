//! Arguments of `inject`.

use std::path::PathBuf;

use clap::ValueEnum;

/// How a preview is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InjectFormat {
    /// For people.
    #[default]
    Table,
    /// The injected text, byte for byte, and nothing else.
    Prompt,
    /// Every verdict.
    Json,
    /// A report.
    Markdown,
}

/// The words of `--min-importance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Importance {
    /// 5 points.
    Low,
    /// 15 points.
    Medium,
    /// 25 points.
    High,
    /// 30 points.
    Critical,
}

/// Arguments of `inject`.
#[derive(Debug, clap::Args)]
pub struct Inject {
    /// What the agent is about to do; `-` reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub task: String,
    /// The agent
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// The agent's own file, for its settings [default: .rawko/agents/NAME.md]
    #[arg(long, value_name = "FILE")]
    pub agent_file: Option<PathBuf>,
    /// The agent's plan
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub plan: Option<String>,
    /// What happened before
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub history: Option<String>,
    /// A file the task touches
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// The policy [default: that of each store's system]
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
    /// The policy's dialect: natural, arbiter, unified or sdk of rawko, ralph or spec of ralph, rum
    /// or spec of rum
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// The most memories to inject
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// The least importance to inject
    #[arg(long, value_enum)]
    pub min_importance: Option<Importance>,
    /// Tokens the prompt stays within
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
    /// RUM: the memory with this id
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// RUM: what an agent asks for, beside the task
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub query: Option<String>,
    /// RUM: only this kind of task
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<String>,
    /// RUM: only memories of this agent
    #[arg(long, value_name = "ID")]
    pub agent_id: Option<String>,
    /// RUM: only what came off, or only what did not
    #[arg(long, value_name = "true|false")]
    pub success: Option<String>,
    /// RUM: only memories from then on
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// RUM: only memories up to then
    #[arg(long, value_name = "DATE")]
    pub before: Option<String>,
    /// RUM: summary, outcome, reasoning, full or complete
    #[arg(long, value_name = "DEPTH")]
    pub depth: Option<String>,
    /// The active skill (golemcore)
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// The scope besides the global one: session:CHANNEL:CONVERSATION, goal:…, task:ID; several
    /// with commas, nearest first (golemcore)
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<String>,
    /// How much is told: index, summary, selective_detail, full_pack (golemcore)
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,
    /// How wordily: compact, balanced, rich (golemcore)
    #[arg(long, value_name = "STYLE")]
    pub style: Option<String>,
    /// Show what every score is made of
    #[arg(long)]
    pub explain: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: InjectFormat,
}

impl Inject {
    /// The flags that were given and that not every policy has, by name.
    pub fn given(&self) -> Vec<&'static str> {
        let flags = [
            ("agent", self.agent.is_some()),
            ("agent-file", self.agent_file.is_some()),
            ("plan", self.plan.is_some()),
            ("history", self.history.is_some()),
            ("file", !self.files.is_empty()),
            ("max", self.max.is_some()),
            ("min-importance", self.min_importance.is_some()),
            ("budget", self.budget.is_some()),
        ];
        let given = flags.into_iter().filter(|(_, given)| *given);
        given
            .map(|(name, _)| name)
            .chain(self.options().into_iter().map(|(name, _)| name))
            .collect()
    }

    /// The flags that only some policies know, with what they say.
    pub fn options(&self) -> Vec<(&'static str, &str)> {
        let options = [
            ("id", &self.id),
            ("query", &self.query),
            ("type", &self.kind),
            ("agent-id", &self.agent_id),
            ("success", &self.success),
            ("since", &self.since),
            ("before", &self.before),
            ("depth", &self.depth),
            ("skill", &self.skill),
            ("scope", &self.scope),
            ("mode", &self.mode),
            ("style", &self.style),
        ];
        let given = options.into_iter();
        given
            .filter_map(|(name, value)| Some((name, value.as_deref()?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::schema::IMPORTANCE;

    #[test]
    fn the_words_of_importance_are_those_of_the_field() {
        let words = Importance::value_variants().iter();
        let words = words.filter_map(|word| word.to_possible_value());
        let words: Vec<String> = words.map(|word| word.get_name().to_owned()).collect();
        assert_eq!(words, IMPORTANCE);
    }
}
