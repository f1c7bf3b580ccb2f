//! `memkeep inject`: the selection for a task, with reasons.

pub mod print;

use std::borrow::Cow;

use clap::builder::PossibleValuesParser;

use super::change::tell;
use super::prelude::*;
use crate::config::InjectSettings;
use crate::memory::schema::IMPORTANCE;
use crate::retrieval::multi_store::join;
use crate::retrieval::{Limits, Options, Policy, Task};
use crate::systems::policy;
use crate::workspace::preview::{StorePreview, dialect, is_dialect, policy_named};
use crate::workspace::{ContextFiles, Picture};

#[derive(Debug, Default, clap::Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Inject {
    /// Task of the agent; `-` reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    #[serde(skip)]
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
    #[serde(skip)]
    pub files: Vec<String>,
    /// The policy [default: that of each store's system]
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub policy: Option<String>,
    /// The policy's dialect: natural, arbiter, unified or sdk of rawko; ralph, golemcore or rum, or spec
    /// of each of these
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub dialect: Option<String>,
    /// The most memories to inject
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// The least importance to inject
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(IMPORTANCE))]
    pub min_importance: Option<String>,
    /// Tokens the prompt stays within
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
    /// Flags that only some policies know.
    #[command(flatten)]
    #[serde(flatten)]
    pub own: PolicyFlags,
    /// Show what every score is made of
    #[arg(long)]
    #[serde(skip)]
    pub explain: bool,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(&["table", "prompt", "json", "markdown"]))]
    #[serde(skip)]
    pub format: Format,
}

/// The flags that only some policies know: an option of a policy has the name of its flag.
#[derive(Debug, Default, clap::Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PolicyFlags {
    /// RUM: the memory with this id
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// RUM: what an agent asks for, beside the task
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub query: Option<String>,
    /// RUM: only this kind of task
    #[arg(long = "type", value_name = "TYPE")]
    #[serde(rename = "type")]
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
    /// RUM: with the links of each memory, from the depth full on
    #[arg(long)]
    pub links: bool,
    /// Preset below the store's own settings: coding_fast, coding_deep, general_chat … (golemcore)
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
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
}

/// The flags that were given and that not every policy has, by their names. Files of context go by
/// `--file` whatever the policies are.
fn given(flags: &impl Serialize) -> Vec<(String, String)> {
    let all = serde_json::to_value(flags).unwrap_or_default();
    let all = all.as_object().cloned().into_iter().flatten();
    let given = all.filter_map(|(name, value)| match value {
        serde_json::Value::String(text) => Some((name, text)),
        serde_json::Value::Null | serde_json::Value::Bool(false) => None,
        value => Some((name, value.to_string())),
    });
    given.collect()
}

/// Near misses that are looked at for people.
const LOOKED_AT: usize = 200;

const SHOWN: usize = 10;

pub fn run(ws: &Workspace, args: &Inject, output: &mut Output) -> Result<u8> {
    let (task, context, mut previews) = previews(ws, args)?;
    previews.iter().for_each(|of| tell(&of.notes));
    let prompt = join(previews.iter().map(|of| &*of.preview.prompt));
    if args.format == Format::Prompt {
        output.write_all(prompt.as_bytes())?;
        return Ok(exit::DONE);
    }
    add_caveats(ws, &mut previews);
    for of in previews.iter_mut().filter(|_| args.format != Format::Json) {
        let rejected = &mut Arc::make_mut(&mut of.preview).rejected;
        rejected.sort_by_key(|verdict| verdict.nearness().unwrap_or(3));
        rejected.truncate(SHOWN);
    }
    let picture = Picture::of(&previews, context.files(ws, &task));
    match args.format {
        Format::Json => print::print_json(&task, &previews, &prompt, &picture, output)?,
        Format::Markdown => print::markdown(&picture, &previews, &task.text, output)?,
        _ => {
            for of in &previews {
                print::table(of, args.explain, output)?;
            }
            print::picture(&picture, previews.len(), output)?;
        }
    }
    // The program is over sooner where nobody frees 100,000 verdicts one by one.
    std::mem::forget(previews);
    Ok(exit::DONE)
}

pub fn add_caveats(ws: &Workspace, previews: &mut [StorePreview]) {
    let given = previews.iter().flat_map(StorePreview::given);
    let given = given.cloned().collect_vec();
    let caveats = ws.caveats(&ws.lint_facts(ws.now), &given);
    for of in previews {
        of.caveats.clone_from(&caveats);
    }
}

pub fn previews(ws: &Workspace, args: &Inject) -> Result<(Task, ContextFiles, Vec<StorePreview>)> {
    let flags = InjectSettings {
        agent: args.agent.clone(),
        dialect: args.dialect.clone(),
        max: args.max,
        min_importance: args.min_importance.clone(),
        budget: args.budget,
        score_bonus: None,
    };
    let settings = ws.inject_settings(flags, args.agent_file.as_deref())?;
    let own = ws.collection.infos().map(|info| info.policy());
    let policies = own.map(|own| policy_named(args.policy.as_deref().unwrap_or(own)));
    let policies: Vec<&Policy> = policies.collect::<Result<_, _>>()?;
    let context = ContextFiles::load(ws);
    refuse_flags(args, &policies)?;
    let task = Task {
        text: text_or_stdin(&args.task)?,
        agent: settings.agent.clone().unwrap_or_default(),
        plan: args.plan.clone(),
        history: args.history.clone(),
        files: args.files.iter().map(|file| ws.below_root(file)).collect(),
        now: ws.now,
    };
    let stores = ws.collection.stores.iter().zip(policies);
    let mut previews = of_stores(ws, args, (&settings, &task), stores, &ws.load())?;
    let parts = previews.iter_mut();
    let parts = parts.map(|of| (&mut of.preview, &**of.memories));
    ws.add_handouts(&mut parts.collect_vec());
    Ok((task, context, previews))
}

/// The same for a task and the files that it touches, with what the settings say. `format` decides
/// how many rejected memories are kept.
pub fn asked(
    ws: &Workspace,
    (task, files): (&str, &[String]),
    format: Format,
) -> Result<(Task, ContextFiles, Vec<StorePreview>)> {
    let asked = Inject {
        task: task.to_owned(),
        files: files.to_vec(),
        format,
        ..Inject::default()
    };
    previews(ws, &asked)
}

pub fn of_stores<'s>(
    ws: &Workspace,
    args: &Inject,
    (settings, task): (&InjectSettings, &Task),
    stores: impl Iterator<Item = (&'s dyn Store, &'static Policy)>,
    memories: &Snapshot,
) -> Result<Vec<StorePreview>> {
    let one = |(store, policy): (&dyn Store, &'static Policy)| {
        let limits = limits(ws, store, policy, settings, args)?;
        let mut task = Cow::Borrowed(task);
        if policy.literal_files {
            task.to_mut().files.clone_from(&args.files);
        }
        Ok(ws.preview_store(store, &task, (policy, &limits), memories))
    };
    stores.map(one).collect()
}

/// Refuses a flag that no policy knows, and names the policies that do not know it.
fn refuse_flags(args: &Inject, policies: &[&'static Policy]) -> Result<()> {
    for (flag, _) in given(args) {
        let lacks = |policy: &&&Policy| !policy.flags.contains(&&*flag);
        let without: Vec<&&Policy> = policies.iter().filter(lacks).collect();
        let Some(first) = without.first() else {
            continue;
        };
        if without.len() == policies.len() {
            let hint = match first.flags {
                [] => format!("leave it out: what is injected depends on no --{flag} here"),
                known => format!("it has --{}", known.join(", --")),
            };
            let what = format!("the policy {} has no --{flag}", first.name);
            return Err(Error::wrong(what).hint(hint));
        }
        let names = without.iter().map(|policy| policy.name).sorted_unstable();
        let names: Vec<&str> = names.dedup().collect();
        let one = names.len() == 1;
        let which = if one { "policy" } else { "policies" };
        let which = format!("{which} {}", names.join(", "));
        note(&format!("note: --{flag} means nothing to the {which}"));
    }
    Ok(())
}

fn limits(
    ws: &Workspace,
    store: &dyn Store,
    policy: &'static Policy,
    settings: &InjectSettings,
    args: &Inject,
) -> Result<Limits> {
    let foreign = |name: &&str| passed_over(ws, policy, args, name);
    let wanted = settings.dialect.as_deref().filter(|name| !foreign(name));
    let mut own = Options::default();
    let mut given = given(&args.own);
    given.retain(|(flag, _)| policy.flags.contains(&&**flag));
    for (name, value) in given {
        (policy.check)(&name, &value).map_err(|hint| {
            Error::wrong(format!("`{value}` is no value of `{name}`")).hint(hint)
        })?;
        own.set(&name, value);
    }
    let rejected = match args.format {
        Format::Prompt => 0,
        Format::Json => usize::MAX,
        _ => LOOKED_AT,
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
fn passed_over(ws: &Workspace, own: &Policy, args: &Inject, name: &str) -> bool {
    let has = |policy: &Policy| policy.dialects.contains(&name);
    let mut stores = ws.collection.infos();
    let mut beside = || stores.any(|info| policy(info.policy()).is_some_and(has));
    !has(own)
        && match args.dialect {
            Some(_) => args.policy.is_none() && beside(),
            None => is_dialect(name),
        }
}
