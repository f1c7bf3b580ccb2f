//! `memkeep prime`: a whole store as context. `memkeep skill`: the text that teaches its use.

use clap::ValueEnum;
use std::io::Write as _;
use std::sync::Arc;

use super::args::ListFormat;
use super::error::Error;
use super::list::{Chosen, check_types, print, print_json, refuse_type, types};
use super::output::note;
use super::{Output, exit};
use crate::memory::{Memory, Problem, Severity, Sight, State, tokens_of};
use crate::retrieval::{Limits, Options, Policy, STORE, Task};
use crate::store::discover::FORMATS;
use crate::systems::policy;
use crate::workspace::Workspace;
use crate::workspace::preview::{StorePreview, dialect, of_store, policy_named};

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

/// Runs `memkeep prime`.
pub fn run(ws: &Workspace, args: &Prime, output: &mut Output) -> Result<u8, Error> {
    if let Some(text) = &args.types {
        refuse_type(ws)?;
        if args.dialect.as_deref() == Some("spec") {
            check_types(ws, &types(text))?;
        }
    }
    let policies = policies(ws, args)?;
    let all = ws.load();
    let mut parts: Vec<StorePreview> = Vec::new();
    let task = Task {
        now: ws.now,
        ..Task::default()
    };
    for (store, (policy, dialect)) in ws.collection.stores.iter().zip(policies) {
        let mut limits = limits(args, dialect);
        match room(args.budget, &parts) {
            Some(0) if args.budget != Some(0) => {
                let id = &store.info().id;
                note(&format!("note: nothing of {id}: the budget is used up"));
                continue;
            }
            room => limits.budget = room,
        }
        let notes = policy.notes(&limits);
        notes.iter().for_each(|line| note(&format!("note: {line}")));
        if let Some((memory, problem)) = unread(&of_store(&**store, &all)) {
            let path = ws.collection.shown(&memory.path);
            return Err(Error::wrong(&*problem.message).place(format!("{path}:{}", problem.line)));
        }
        parts.push(ws.preview_store(&**store, &task, (policy, &limits), &all));
    }
    show(ws, &all, &parts, args.format, output)
}

/// Why Ralph reads nothing of its file and gives an error: the first line that is no text, say.
fn unread(memories: &[Arc<Memory>]) -> Option<(&Memory, &Problem)> {
    let whole = |memory: &&Arc<Memory>| {
        memory.schema.can.all_or_none
            && memory.state == State::Active
            && memory.sight == Sight::Skipped
    };
    memories.iter().filter(whole).find_map(|memory| {
        let mut problems = memory.problems.iter();
        let is_it = |one: &&Problem| one.rule == "load-error" && one.severity == Severity::Error;
        Some((&**memory, problems.find(is_it)?))
    })
}

/// The policy of each store that gives it as a whole, with its dialect.
fn policies(
    ws: &Workspace,
    args: &Prime,
) -> Result<Vec<(&'static dyn Policy, &'static str)>, Error> {
    let own = ws.collection.infos().map(|info| policy(info.policy()));
    let own: Vec<&dyn Policy> = own
        .map(|own| {
            own.map_or(&crate::retrieval::whole::Whole as &dyn Policy, |own| {
                own.whole()
            })
        })
        .collect();
    let wanted = args.dialect.as_deref();
    // A dialect is that of the stores that have it.
    let some_has = wanted.is_some_and(|name| own.iter().any(|own| own.dialects().contains(&name)));
    own.into_iter()
        .map(|own| {
            let has = wanted.is_some_and(|name| own.dialects().contains(&name));
            let name = wanted.filter(|_| has || !some_has);
            Ok((own, dialect(own, name)?))
        })
        .collect()
}

/// The tokens of a budget for all stores that those before have left.
fn room(budget: Option<usize>, parts: &[StorePreview]) -> Option<usize> {
    let texts = parts.iter().map(|part| part.preview.prompt.len());
    let used: usize = texts
        .filter(|len| *len > 0)
        .map(|len| len + GAP.len())
        .sum();
    budget.map(|budget| budget.saturating_sub(tokens_of(used)))
}

/// Separator of the texts of two stores.
const GAP: &str = "\n\n";

fn limits(args: &Prime, dialect: &'static str) -> Limits {
    let mut options = Options::default();
    options.set("prime", "true");
    let recent = args.recent.map(|days| days.to_string());
    for (name, value) in [
        ("types", &args.types),
        ("tags", &args.tags),
        ("recent", &recent),
    ] {
        if let Some(value) = value {
            options.set(name, value.as_str());
        }
    }
    Limits {
        dialect,
        budget: args.budget,
        options,
        ..Limits::default()
    }
}

fn show(
    ws: &Workspace,
    all: &[Arc<Memory>],
    parts: &[StorePreview],
    format: PrimeFormat,
    output: &mut Output,
) -> Result<u8, Error> {
    let listed = match format {
        PrimeFormat::Markdown | PrimeFormat::Prompt => {
            let texts = parts.iter().map(|part| part.preview.prompt.as_str());
            let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
            output.write_all(texts.join(GAP).as_bytes())?;
            return Ok(exit::DONE);
        }
        PrimeFormat::Json => None,
        PrimeFormat::Table => Some(ListFormat::Table),
        PrimeFormat::Quiet => Some(ListFormat::Quiet),
    };
    let places: std::collections::HashMap<*const Memory, usize> = all
        .iter()
        .enumerate()
        .map(|(n, memory)| (Arc::as_ptr(memory), n))
        .collect();
    let memories: Vec<(usize, &Arc<Memory>)> = parts
        .iter()
        .flat_map(|part| {
            let of_part = |index: usize| part.memories.get(index);
            part.preview
                .selected
                .iter()
                .filter_map(move |verdict| of_part(verdict.memory))
        })
        .filter_map(|memory| Some((*places.get(&Arc::as_ptr(memory))?, memory)))
        .collect();
    match listed {
        Some(format) => {
            print(ws, all, &Chosen::from(memories), format, output)?;
        }
        None => {
            let body = |memory: &Memory| Some(ws.body(memory).unwrap_or_default());
            print_json(ws, all, &memories, body, output)?;
        }
    }
    Ok(exit::DONE)
}

/// Runs `memkeep skill`.
pub fn skill(ws: &Workspace, args: &Skill, output: &mut Output) -> Result<u8, Error> {
    let named = args.policy.as_deref().map(policy_named).transpose()?;
    let is_named = |name: &str| named.is_none_or(|named| named.name() == name);
    let infos = ws.collection.infos();
    let stores = infos.filter(|info| is_named(info.policy()));
    let stores = stores.map(|info| (info.policy(), ws.collection.shown(&info.path)));
    let mut places: Vec<(&str, String)> = stores.collect();
    if let (Some(named), true) = (named, places.is_empty()) {
        // Use the default path of its first store.
        let formats = FORMATS
            .iter()
            .filter(|format| format.policy == named.name());
        let usual = formats.filter_map(|format| Some((format.policy, *format.project.first()?)));
        places.extend(usual.map(|(policy, place)| (policy, place.to_owned())));
    }
    let text = |(name, place): &(&str, String)| {
        let text = policy(name).and_then(|policy| policy.skill())?;
        Some(text.replace(STORE, place))
    };
    let texts: Vec<String> = places.iter().filter_map(text).collect();
    if texts.is_empty() {
        return Err(Error::nothing(match named {
            Some(_) => "this policy has no text that teaches it",
            None => "no store is of a format with a text that teaches it",
        }));
    }
    output.write_all(texts.join("\n").as_bytes())?;
    Ok(exit::DONE)
}
