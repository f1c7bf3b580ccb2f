//! `memkeep prime`: a whole store as context. `memkeep skill`: how to use it.

use std::io::Write as _;
use std::sync::Arc;

use super::args::{self, ListFormat, PrimeFormat};
use super::error::Error;
use super::inject::{dialect, policy_named};
use super::list::{Chosen, check_types, print, print_json, refuse_type, types};
use super::output::note;
use super::session::Session;
use super::{Output, exit};
use crate::memory::{Memory, Problem, Severity, Sight, State, tokens_of};
use crate::retrieval::{Limits, Options, Policy, Preview, STORE, Snapshot, Task};
use crate::store::discover::FORMATS;
use crate::systems::policy;

/// What a store gives, and its memories.
struct Part {
    memories: Snapshot,
    preview: Arc<Preview>,
}

/// Runs `memkeep prime`.
pub fn run(session: &Session, args: &args::Prime, output: &mut Output) -> Result<u8, Error> {
    if let Some(text) = &args.types {
        refuse_type(session)?;
        if args.dialect.as_deref() == Some("spec") {
            check_types(session, &types(text))?;
        }
    }
    let policies = policies(session, args)?;
    let all = session.load();
    let mut parts: Vec<Part> = Vec::new();
    for (store, (policy, dialect)) in session.collection.stores.iter().zip(policies) {
        let mut limits = limits(args, dialect);
        match room(args.budget, &parts) {
            Some(0) if args.budget != Some(0) => {
                let id = &store.info().id;
                note(&format!("note: nothing of {id}: the budget is used up"));
                continue;
            }
            room => limits.budget = room,
        }
        for line in policy.notes(&limits) {
            note(&format!("note: {line}"));
        }
        let of_store = |memory: &&Arc<Memory>| memory.id.store == store.info().id;
        let memories: Snapshot = Arc::new(all.iter().filter(of_store).cloned().collect());
        if let Some((memory, problem)) = unread(&memories) {
            let path = session.collection.shown(&memory.path);
            return Err(Error::wrong(&*problem.message).place(format!("{path}:{}", problem.line)));
        }
        let task = Task {
            text: String::new(),
            agent: String::new(),
            plan: None,
            history: None,
            files: Vec::new(),
            now: session.now,
        };
        let scorer = policy.scorer(memories.clone());
        let preview = scorer.preview(&task, &limits, None, &session.collection);
        // The program ends soon, and then nobody needs the room.
        std::mem::forget(scorer);
        parts.push(Part { memories, preview });
    }
    show(session, &all, &parts, args.format, output)
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
    session: &Session,
    args: &args::Prime,
) -> Result<Vec<(&'static dyn Policy, &'static str)>, Error> {
    let own = session.collection.infos().map(|info| policy(info.policy()));
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
fn room(budget: Option<usize>, parts: &[Part]) -> Option<usize> {
    let texts = parts.iter().map(|part| part.preview.prompt.len());
    let used: usize = texts
        .filter(|len| *len > 0)
        .map(|len| len + GAP.len())
        .sum();
    budget.map(|budget| budget.saturating_sub(tokens_of(used)))
}

/// What stands between the texts of two stores.
const GAP: &str = "\n\n";

fn limits(args: &args::Prime, dialect: &'static str) -> Limits {
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
    session: &Session,
    all: &[Arc<Memory>],
    parts: &[Part],
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
            print(session, all, &Chosen::from(memories), format, output)?;
        }
        None => {
            let body = |memory: &Memory| Some(session.body(memory).unwrap_or_default());
            print_json(session, all, &memories, body, output)?;
        }
    }
    Ok(exit::DONE)
}

/// Runs `memkeep skill`.
pub fn skill(session: &Session, args: &args::Skill, output: &mut Output) -> Result<u8, Error> {
    let named = args.policy.as_deref().map(policy_named).transpose()?;
    let is_named = |name: &str| named.is_none_or(|named| named.name() == name);
    let infos = session.collection.infos();
    let stores = infos.filter(|info| is_named(info.policy()));
    let stores = stores.map(|info| (info.policy(), session.collection.shown(&info.path)));
    let mut places: Vec<(&str, String)> = stores.collect();
    if let (Some(named), true) = (named, places.is_empty()) {
        // Where its first store would stand.
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
