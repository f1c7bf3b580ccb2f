//! `memkeep inject`: the selection for a task, with reasons.

pub mod picture;
mod table;

use std::io::Write as _;
use std::path::PathBuf;

use clap::ValueEnum;

use super::error::Error;
use super::output::{note, text_or_stdin};
use super::{Output, exit, json};
use crate::config::InjectSettings;
use crate::retrieval::multi_store::join;
use crate::retrieval::{Limits, Options, Policy, Task, Verdict};
use crate::store::Store;
use crate::systems::policy;
use crate::workspace::preview::{StorePreview, dialect, is_dialect, policy_named};
use crate::workspace::{ContextFiles, Picture, Workspace};
use table::table;

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
    /// Task of the agent; `-` reads standard input
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
    /// Level of detail: index, summary, selective_detail, full_pack (golemcore)
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

/// Near misses shown to people.
const SHOWN: usize = 10;

/// Runs the command.
pub fn run(ws: &Workspace, args: &Inject, output: &mut Output) -> Result<u8, Error> {
    let (task, context, previews) = previews(ws, args)?;
    for line in previews.iter().flat_map(|of| &of.notes) {
        note(&format!("note: {line}"));
    }
    let prompt = join(previews.iter().map(|of| &*of.preview.prompt));
    let picture = || Picture::of(ws, &previews, context.files(ws, &task));
    match args.format {
        InjectFormat::Prompt => output.write_all(prompt.as_bytes())?,
        InjectFormat::Json => {
            let each = previews.iter();
            let each =
                each.map(|of| (of.store.as_str(), &*of.preview, &of.memories, &of.notes[..]));
            json::inject::print(&task, each, &prompt, &picture(), output.json())?;
        }
        InjectFormat::Table => {
            for of in &previews {
                table(of, args.explain, output)?;
            }
            picture::table(&picture(), previews.len(), output)?;
        }
        InjectFormat::Markdown => {
            picture::markdown(&picture(), &previews, &task.text, output)?;
            for of in &previews {
                table::markdown(of, output)?;
            }
        }
    }
    // The program is over sooner where nobody frees 100,000 verdicts one by one.
    std::mem::forget(previews);
    Ok(exit::DONE)
}

/// The task, the context files, and the preview of each store.
pub fn previews(
    ws: &Workspace,
    args: &Inject,
) -> Result<(Task, ContextFiles, Vec<StorePreview>), Error> {
    let settings = ws.inject_settings(flags(args), args.agent_file.as_deref())?;
    let policies = policies(ws, args)?;
    let context = ContextFiles::load(ws);
    let own = context.policy().filter(|_| context.goes_by_files());
    refuse_flags(args, &[&policies[..], own.as_slice()].concat())?;
    let task = Task {
        text: text_or_stdin(&args.task)?,
        agent: settings.agent.clone().unwrap_or_default(),
        plan: args.plan.clone(),
        history: args.history.clone(),
        files: args.files.iter().map(|file| ws.below_root(file)).collect(),
        now: ws.now,
    };
    let memories = ws.load();
    let mut previews = Vec::new();
    for (store, policy) in ws.collection.stores.iter().zip(policies) {
        let limits = limits(ws, &**store, policy, &settings, args)?;
        previews.push(ws.preview_store(&**store, &task, (policy, &limits), &memories));
    }
    Ok((task, context, previews))
}

/// Settings of the flags.
fn flags(args: &Inject) -> InjectSettings {
    let importance = args
        .min_importance
        .and_then(|word| word.to_possible_value());
    InjectSettings {
        agent: args.agent.clone(),
        dialect: args.dialect.clone(),
        max: args.max,
        min_importance: importance.map(|word| word.get_name().to_owned()),
        budget: args.budget,
        score_bonus: None,
    }
}

/// The policy of each store, in their order.
fn policies(ws: &Workspace, args: &Inject) -> Result<Vec<&'static dyn Policy>, Error> {
    let own = ws.collection.infos().map(|info| info.policy());
    own.map(|own| Ok(policy_named(args.policy.as_deref().unwrap_or(own))?))
        .collect()
}

/// Refuses a flag that means nothing to any of the policies, and says to which of several it means
/// nothing.
fn refuse_flags(args: &Inject, policies: &[&'static dyn Policy]) -> Result<(), Error> {
    for flag in args.given() {
        let (with, without): (Vec<&dyn Policy>, Vec<_>) = policies
            .iter()
            .copied()
            .partition(|policy| policy.flags().contains(&flag));
        let Some(first) = without.first() else {
            continue;
        };
        if with.is_empty() {
            let known: Vec<String> = first
                .flags()
                .iter()
                .map(|flag| format!("--{flag}"))
                .collect();
            let hint = match known.is_empty() {
                true => format!("leave it out: what is injected depends on no --{flag} here"),
                false => format!("it has {}", known.join(", ")),
            };
            return Err(
                Error::wrong(format!("the policy {} has no --{flag}", first.name())).hint(hint),
            );
        }
        let mut names: Vec<&str> = without.iter().map(|policy| policy.name()).collect();
        names.sort_unstable();
        names.dedup();
        let which = if names.len() == 1 {
            "policy"
        } else {
            "policies"
        };
        let names = names.join(", ");
        note(&format!(
            "note: --{flag} means nothing to the {which} {names}"
        ));
    }
    Ok(())
}

/// The limits of a store's preview.
fn limits(
    ws: &Workspace,
    store: &dyn Store,
    policy: &'static dyn Policy,
    settings: &InjectSettings,
    args: &Inject,
) -> Result<Limits, Error> {
    let foreign = |name: &&str| passed_over(ws, policy, args, name);
    let wanted = settings.dialect.as_deref().filter(|name| !foreign(name));
    let own = options(policy, args)?;
    let rejected = match args.format {
        InjectFormat::Prompt => 0,
        InjectFormat::Json => usize::MAX,
        InjectFormat::Table | InjectFormat::Markdown => SHOWN,
    };
    let mut limits = ws.limits(settings, dialect(policy, wanted)?, rejected);
    limits.options = own.over(&limits.options).over(&ws.store_settings(store)?);
    if limits.dialect == "unified" && args.min_importance.is_some() {
        note("note: the dialect unified has no least importance; --min-importance changes nothing");
    }
    Ok(limits)
}

/// True if a dialect that a policy has not is another's: that of a flag belongs to the policies of
/// the stores that are previewed too, that of a setting to any, for it is written once for many
/// folders.
fn passed_over(ws: &Workspace, own: &dyn Policy, args: &Inject, name: &str) -> bool {
    let has = |policy: &dyn Policy| policy.dialects().contains(&name);
    let mut stores = ws.collection.infos();
    let mut beside = || stores.any(|info| policy(info.policy()).is_some_and(has));
    !has(own)
        && match args.dialect {
            Some(_) => args.policy.is_none() && beside(),
            None => is_dialect(name),
        }
}

/// The flags that only some policies know.
fn options(policy: &dyn Policy, args: &Inject) -> Result<Options, Error> {
    let mut options = Options::default();
    let own = policy.flags();
    for (name, value) in args
        .options()
        .into_iter()
        .filter(|(flag, _)| own.contains(flag))
    {
        if let Err(hint) = policy.check(name, value) {
            return Err(Error::wrong(format!("`{value}` is no value of `{name}`")).hint(hint));
        }
        options.set(name, value);
    }
    Ok(options)
}

fn title_of<'a>(of: &'a StorePreview, verdict: &Verdict) -> &'a str {
    of.memories
        .get(verdict.memory)
        .map_or("", |memory| &*memory.title)
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
