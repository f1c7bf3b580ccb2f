//! `memkeep inject`: what would be injected for a task, and why.

pub mod picture;
mod table;

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum as _;

use super::args::{self, InjectFormat};
use super::error::Error;
use super::output::note;
use super::play::unread;
use super::session::{Session, text_or_stdin};
use super::{Output, exit, json};
use crate::config::InjectSettings;
use crate::memory::Memory;
use crate::memory::schema::IMPORTANCE;
use crate::retrieval::together::join;
use crate::retrieval::{Limits, Options, Policy, Preview, Snapshot, Task, Verdict};
use crate::store::Store;
use crate::store::control::{self, Owner};
use crate::systems::{POLICIES, policy};
use picture::{Context, Picture};
use table::table;

/// Near misses shown to people.
const SHOWN: usize = 10;

/// The preview of one store.
pub struct StorePreview {
    store: String,
    /// Names of the agents that are given the store; empty if all are.
    agents: Vec<String>,
    /// Its memories.
    pub memories: Snapshot,
    /// What would be injected of them.
    pub preview: Arc<Preview>,
    /// Settings that do nothing.
    notes: Vec<String>,
}

/// Runs the command.
pub fn run(session: &Session, args: &args::Inject, output: &mut Output) -> Result<u8, Error> {
    let (task, context, previews) = previews(session, args)?;
    for line in previews.iter().flat_map(|of| &of.notes) {
        note(&format!("note: {line}"));
    }
    let prompt = join(previews.iter().map(|of| &*of.preview.prompt));
    let picture = || Picture::of(session, &previews, context.files(session, &task));
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
            picture().table(previews.len(), output)?;
        }
        InjectFormat::Markdown => {
            picture().markdown(&previews, &task.text, output)?;
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
    session: &Session,
    args: &args::Inject,
) -> Result<(Task, Context, Vec<StorePreview>), Error> {
    let settings = settings(session, flags(args), args.agent_file.as_deref())?;
    let policies = policies(session, args)?;
    let context = Context::load(session);
    let own = context.policy().filter(|_| context.goes_by_files());
    refuse_flags(args, &[&policies[..], own.as_slice()].concat())?;
    let task = Task {
        text: text_or_stdin(&args.task)?,
        agent: settings.agent.clone().unwrap_or_default(),
        plan: args.plan.clone(),
        history: args.history.clone(),
        files: args
            .files
            .iter()
            .map(|file| session.below_root(file))
            .collect(),
        now: session.now,
    };
    let memories = session.load();
    let mut previews = Vec::new();
    for (store, policy) in session.collection.stores.iter().zip(policies) {
        let limits = limits(session, &**store, policy, &settings, args)?;
        previews.push(preview(
            session, &**store, policy, &limits, &memories, &task,
        ));
    }
    Ok((task, context, previews))
}

/// What the flags say.
fn flags(args: &args::Inject) -> InjectSettings {
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

/// Flags over the environment, the agent's own file, the project and the user.
pub fn settings(
    session: &Session,
    flags: InjectSettings,
    agent_file: Option<&Path>,
) -> Result<InjectSettings, Error> {
    let upper = flags.over(session.environment.inject.clone());
    let below = session.settings.inject.clone();
    let agent = upper.agent.clone().or_else(|| below.agent.clone());
    let own = agent_settings(session, agent_file, agent.as_deref())?;
    let all = upper.over(own).over(below);
    let unknown = |word: &&str| !IMPORTANCE.contains(word);
    match all.min_importance.as_deref().filter(unknown) {
        Some(word) => Err(Error::wrong(format!("`{word}` is no importance"))
            .hint(format!("one of {}", IMPORTANCE.join(", ")))),
        None => Ok(all),
    }
}

/// The limits with the settings of these agents' own files, by agent.
pub fn limits_of<'a>(
    session: &Session,
    agents: impl IntoIterator<Item = &'a str>,
    usual: &Limits,
) -> Result<HashMap<String, Limits>, Error> {
    let of_agent = |agent: &str| {
        let flags = InjectSettings {
            agent: Some(agent.to_owned()).filter(|agent| !agent.is_empty()),
            ..InjectSettings::default()
        };
        let own = settings(session, flags, None)?;
        let limits = Limits {
            max: own.max,
            min_importance: own.min_importance,
            budget: own.budget,
            score_bonus: own.score_bonus.unwrap_or_default(),
            ..usual.clone()
        };
        Ok((agent.to_owned(), limits))
    };
    agents.into_iter().map(of_agent).collect()
}

/// The agents that have a file of their own.
pub fn agents(session: &Session) -> Vec<String> {
    let files = std::fs::read_dir(session.collection.root.join(AGENTS));
    let files = files.into_iter().flatten().flatten();
    let name = |file: std::fs::DirEntry| {
        let name = file.file_name().into_string().ok()?;
        name.strip_suffix(".md").map(ToOwned::to_owned)
    };
    files.filter_map(name).collect()
}

/// The folder of the agents' own files.
const AGENTS: &str = ".rawko/agents";

/// The settings in an agent's own file.
fn agent_settings(
    session: &Session,
    file: Option<&Path>,
    agent: Option<&str>,
) -> Result<InjectSettings, Error> {
    let default = |agent: &str| {
        let plain = !agent.is_empty() && !agent.contains(['/', '\\', '\0']) && agent != "..";
        plain.then(|| {
            session
                .collection
                .root
                .join(AGENTS)
                .join(format!("{agent}.md"))
        })
    };
    let named = file.map(|file| (session.start.join(file), Owner::Person));
    let own = || {
        Some((
            agent.and_then(default)?,
            Owner::Project(&session.collection.root),
        ))
    };
    let Some((path, owner)) = named.or_else(own) else {
        return Ok(InjectSettings::default());
    };
    let text = control::text(&path, owner)?;
    if text.is_none() && file.is_some() {
        let what = "the agent's file cannot be read: No such file or directory";
        return Err(Error::wrong(what).place(path.display().to_string()));
    }
    Ok(InjectSettings::of_agent(&text.unwrap_or_default()))
}

pub fn policy_named(name: &str) -> Result<&'static dyn Policy, Error> {
    policy(name).ok_or_else(|| {
        let known: Vec<&str> = POLICIES.iter().map(|policy| policy.name()).collect();
        Error::wrong(format!("unknown policy `{name}`"))
            .hint(format!("known policies: {}", known.join(", ")))
    })
}

/// The policy of each store, in their order.
fn policies(session: &Session, args: &args::Inject) -> Result<Vec<&'static dyn Policy>, Error> {
    let own = session.collection.infos().map(|info| info.policy());
    own.map(|own| policy_named(args.policy.as_deref().unwrap_or(own)))
        .collect()
}

/// Refuses a flag that means nothing to any of the policies, and says to which of several it means
/// nothing.
fn refuse_flags(args: &args::Inject, policies: &[&'static dyn Policy]) -> Result<(), Error> {
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

/// How much of a store is selected, and how.
fn limits(
    session: &Session,
    store: &dyn Store,
    policy: &'static dyn Policy,
    settings: &InjectSettings,
    args: &args::Inject,
) -> Result<Limits, Error> {
    let foreign = |name: &&str| passed_over(session, policy, args, name);
    let wanted = settings.dialect.as_deref().filter(|name| !foreign(name));
    let own = options(session, policy, args)?;
    let limits = Limits {
        dialect: dialect(policy, wanted)?,
        max: settings.max,
        min_importance: settings.min_importance.clone(),
        budget: settings.budget,
        score_bonus: settings.score_bonus.unwrap_or_default(),
        rejected: match args.format {
            InjectFormat::Prompt => 0,
            InjectFormat::Json => usize::MAX,
            InjectFormat::Table | InjectFormat::Markdown => SHOWN,
        },
        options: own.over(&own_settings(session, store)?),
        hidden: std::collections::BTreeSet::new(),
    };
    if limits.dialect == "unified" && args.min_importance.is_some() {
        note("note: the dialect unified has no least importance; --min-importance changes nothing");
    }
    Ok(limits)
}

/// Whether a dialect that a policy has not is another's: that of a flag belongs to the policies of
/// the stores that are previewed too, that of a setting to any, for it is written once for many
/// folders.
fn passed_over(session: &Session, own: &dyn Policy, args: &args::Inject, name: &str) -> bool {
    let has = |policy: &dyn Policy| policy.dialects().contains(&name);
    let mut stores = session.collection.infos();
    let mut beside = || stores.any(|info| policy(info.policy()).is_some_and(has));
    !has(own)
        && match args.dialect {
            Some(_) => args.policy.is_none() && beside(),
            None => is_dialect(name),
        }
}

/// Whether any policy has a dialect.
pub fn is_dialect(name: &str) -> bool {
    POLICIES
        .iter()
        .any(|policy| policy.dialects().contains(&name))
}

/// What a system's own configuration says. Where other stores are previewed too, one that cannot be
/// read holds none of them up: it is said, and nothing of it counts.
fn own_settings(session: &Session, store: &dyn Store) -> Result<Options, Error> {
    match store.settings(&session.collection.root) {
        Err(error) if session.collection.infos().count() > 1 => {
            let (what, id) = (unread(&error), &store.info().id);
            note(&format!("note: {what}; {id} is previewed without it"));
            Ok(Options::default())
        }
        settings => Ok(settings?),
    }
}

/// What of this place's time counts for policies: seconds east of Greenwich, where the clock is
/// not set by a flag.
pub fn place_and_time(session: &Session) -> Options {
    let mut options = Options::default();
    if session.global.now.is_none() {
        options.set("utc-offset", session.collection.east.to_string());
    }
    options
}

/// The flags that only some policies know.
fn options(session: &Session, policy: &dyn Policy, args: &args::Inject) -> Result<Options, Error> {
    let mut options = place_and_time(session);
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

fn preview(
    session: &Session,
    store: &dyn Store,
    policy: &dyn Policy,
    limits: &Limits,
    memories: &[Arc<Memory>],
    task: &Task,
) -> StorePreview {
    let of_store = |memory: &&Arc<Memory>| memory.id.store == store.info().id;
    let memories: Snapshot = Arc::new(memories.iter().filter(of_store).cloned().collect());
    let scorer = policy.scorer(memories.clone());
    let preview = scorer.preview(task, limits, None, &session.collection);
    // The program ends soon, and then nobody needs the room.
    std::mem::forget(scorer);
    StorePreview {
        store: store.info().id.to_string(),
        agents: store.info().readers(),
        memories,
        preview,
        notes: policy.notes(limits),
    }
}

/// The dialect with this name; empty, which stands for the default, without one.
pub fn dialect(policy: &dyn Policy, name: Option<&str>) -> Result<&'static str, Error> {
    let known = policy.dialects();
    let Some(name) = name else {
        return Ok("");
    };
    known
        .iter()
        .copied()
        .find(|known| *known == name)
        .ok_or_else(|| {
            let hint = if known.is_empty() {
                "it has none".to_owned()
            } else {
                format!("it has {}", known.join(", "))
            };
            Error::wrong(format!(
                "the policy {} has no dialect `{name}`",
                policy.name()
            ))
            .hint(hint)
        })
}

fn title_of<'a>(of: &'a StorePreview, verdict: &Verdict) -> &'a str {
    of.memories
        .get(verdict.memory)
        .map_or("", |memory| &*memory.title)
}
