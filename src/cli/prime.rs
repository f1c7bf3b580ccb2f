//! `memkeep prime`: a whole store as context. `memkeep skill`: the text that teaches its use.

use super::change::tell;
use super::list::{Ranked, check_types, print, print_json, refuse_type, types};
use super::prelude::*;
use crate::memory::{Sight, tokens_of};
use crate::retrieval::whole::WHOLE;
use crate::retrieval::{Limits, Options, Policy, STORE, Task};
use crate::store::discover::FORMATS;
use crate::systems::policy;
use crate::workspace::preview::{StorePreview, dialect, of_store, policy_named};

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
    #[arg(long, default_value = "markdown", value_parser = one_of(&["markdown", "prompt", "json", "table", "quiet"]))]
    pub format: Format,
}

#[derive(Debug, clap::Args)]
pub struct Skill {
    /// The policy whose text to print [default: those of the stores that have one]
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
}

pub fn run(ws: &Workspace, args: &Prime, output: &mut Output) -> Result<u8> {
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
        let limits = limits(args, dialect, &parts);
        if limits.budget == Some(0) && args.budget != Some(0) {
            let id = &store.info().id;
            note(&format!("note: nothing of {id}: the budget is used up"));
            continue;
        }
        tell(&(policy.notes)(&limits));
        let own = of_store(store, &all);
        if let Some(error) = own.iter().find_map(|memory| unread(ws, memory)) {
            return Err(error);
        }
        parts.push(ws.preview_store(store, &task, (policy, &limits), &all));
    }
    show(ws, &all, &parts, args.format, output)
}

/// Why Ralph reads nothing of its file and gives an error: the first line that is no text, say.
fn unread(ws: &Workspace, memory: &Memory) -> Option<Error> {
    let is_skipped = memory.state == State::Active && memory.sight == Sight::Skipped;
    let mut problems = memory.problems.iter();
    let problem = problems.find(|one| one.rule == "load-error" && one.severity == Severity::Error);
    let problem = problem.filter(|_| is_skipped && memory.schema.can.all_or_none)?;
    let path = ws.collection.shown(&memory.path);
    Some(Error::wrong(&*problem.message).place(format!("{path}:{}", problem.line)))
}

/// The policy of each store that gives it as a whole, with its dialect.
fn policies(ws: &Workspace, args: &Prime) -> Result<Vec<(&'static Policy, &'static str)>> {
    let whole = |own: Option<&'static Policy>| own.filter(|own| own.gives_whole).unwrap_or(&WHOLE);
    let own = ws.collection.infos();
    let own = own.map(|info| whole(policy(info.policy())));
    let own: Vec<&Policy> = own.collect();
    let wanted = args.dialect.as_deref();
    // A dialect is that of the stores that have it.
    let has = |own: &&Policy| wanted.is_some_and(|name| own.dialects.contains(&name));
    let some_has = own.iter().any(has);
    let named = |own| {
        let wanted = wanted.filter(|_| has(&own) || !some_has);
        Ok((own, dialect(own, wanted)?))
    };
    own.into_iter().map(named).collect()
}

const GAP: &str = "\n\n";

/// The limits of a store; of the budget for all of them what those before have left.
fn limits(args: &Prime, dialect: &'static str, parts: &[StorePreview]) -> Limits {
    let mut options = Options::default();
    options.set("prime", "true");
    let recent = args.recent.map(|days| days.to_string());
    let given = [
        ("types", &args.types),
        ("tags", &args.tags),
        ("recent", &recent),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            options.set(name, value.as_str());
        }
    }
    let texts = parts.iter().map(|part| part.preview.prompt.len());
    let used = texts.filter(|len| *len > 0).map(|len| len + GAP.len());
    let used = tokens_of(used.sum());
    Limits {
        dialect,
        budget: args.budget.map(|budget| budget.saturating_sub(used)),
        options,
        ..Limits::default()
    }
}

fn show(
    ws: &Workspace,
    all: &[Arc<Memory>],
    parts: &[StorePreview],
    format: Format,
    output: &mut Output,
) -> Result<u8> {
    if matches!(format, Format::Markdown | Format::Prompt) {
        let texts = parts.iter().map(|part| part.preview.prompt.as_str());
        let text = texts.filter(|text| !text.is_empty()).join(GAP);
        output.write_all(text.as_bytes())?;
        return Ok(exit::DONE);
    }
    let places = all.iter().enumerate();
    let places = places.map(|(n, memory)| (Arc::as_ptr(memory), n));
    let places: HashMap<*const Memory, usize> = places.collect();
    let selected = parts.iter().flat_map(|part| {
        let verdicts = part.preview.selected.iter();
        verdicts.filter_map(|verdict| part.memories.get(verdict.memory))
    });
    let memories = selected.filter_map(|one| Some((0, *places.get(&Arc::as_ptr(one))?, one)));
    let memories: Vec<Ranked<'_>> = memories.collect();
    if format == Format::Json {
        let body = |memory: &Memory| Some(ws.body(memory).unwrap_or_default());
        print_json(ws, all, &memories, body, output)?;
    } else {
        print(ws, all, &memories, format, output)?;
    }
    Ok(exit::DONE)
}

pub fn skill(ws: &Workspace, args: &Skill, output: &mut Output) -> Result<u8> {
    let named = args.policy.as_deref().map(policy_named).transpose()?;
    let is_named = |name: &str| named.is_none_or(|named| named.name == name);
    let stores = ws.collection.infos().filter(|info| is_named(info.policy()));
    let stores = stores.map(|info| (info.policy(), ws.collection.shown(&info.path)));
    let mut places: Vec<(&str, String)> = stores.collect();
    if named.is_some() && places.is_empty() {
        // Use the default path of its first store.
        let formats = FORMATS.iter().filter(|format| is_named(format.policy));
        let usual = formats.filter_map(|format| Some((format.policy, *format.project.first()?)));
        places.extend(usual.map(|(policy, place)| (policy, place.to_owned())));
    }
    let text = |(name, place): &(&str, String)| Some(policy(name)?.skill?.replace(STORE, place));
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
