//! `memkeep hook`: the memories that another agent is given, as its hooks ask for them.
//!
//! A hook never stands in the way: whatever goes wrong, it prints nothing and exits with 0.

use std::io::{self, Read as _};
use std::path::PathBuf;

use super::args::Global;
use super::prelude::*;
use crate::agent::hook::{Event, Group, Record, block, clean};
use crate::config::InjectSettings;
use crate::lint::chars::cut;
use crate::lint::{carries_data_away, fields_beside, mask, orders_its_reader};
use crate::retrieval::hybrid::about::{About, HANDED_OUT, Ranked, handed_out};
use crate::retrieval::hybrid::background::Background;
use crate::retrieval::relevant::relevant;
use crate::retrieval::{Limits, Options, Policy, Task, Texts as _};
use crate::store::Store;
use crate::systems::policy;
use crate::workspace::preview::PREVIEWS;

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

/// Bytes of standard input that are read; more is no event.
const MOST_INPUT: u64 = 16 << 20;

/// Bytes of a prompt that memories are looked for by.
const MOST_PROMPT: usize = 32 << 10;

/// Runs the command.
pub fn run(mut global: Global, paths: &[PathBuf], args: &Hook, output: &mut Output) -> u8 {
    let verbose = global.verbose;
    std::panic::set_hook(Box::new(move |panic| {
        if verbose {
            panic.to_string().lines().for_each(note);
        }
        std::process::exit(i32::from(exit::DONE));
    }));
    // Nothing is written, not even to put right what a crash left behind.
    global.read_only = true;
    let answer = match args.agent {
        HookAgent::Claude => claude(&global, paths),
        HookAgent::Generic => generic(&global, paths),
    };
    let result = answer.and_then(|answer| {
        let mut lines = answer.iter();
        let printed = lines.try_for_each(|answer| writeln!(output, "{answer}"));
        printed.map_err(|error| error.to_string())
    });
    if let Some(why) = result.err().filter(|_| verbose) {
        note(&format!("hook: {why}"));
    }
    exit::DONE
}

/// The answer to an event of Claude Code: at the start of a session what is given whatever the task
/// is, later what goes by the prompt.
fn claude(global: &Global, paths: &[PathBuf]) -> Result<Option<String>, String> {
    let event = Event::parse(&input()?).map_err(|error| format!("no event: {error}"))?;
    let (task, always) = match &*event.hook_event_name {
        "SessionStart" => ("", true),
        "UserPromptSubmit" if !event.prompt.trim().is_empty() => (&*event.prompt, false),
        _ => return Ok(None),
    };
    // Paths are those of the call, whatever folder the session works in.
    let paths = paths.iter().map(std::path::absolute);
    let paths = paths.collect::<io::Result<Vec<_>>>();
    let paths = paths.map_err(|error| error.to_string())?;
    if let Some(folder) = event.cwd.as_ref().filter(|folder| folder.is_dir()) {
        std::env::set_current_dir(folder).map_err(|error| error.to_string())?;
    }
    let context = context(global, paths, task, always)?;
    Ok(context.map(|context| event.answer(&context).to_string()))
}

/// The answer to a task on standard input.
fn generic(global: &Global, paths: &[PathBuf]) -> Result<Option<String>, String> {
    context(
        global,
        paths.to_vec(),
        String::from_utf8_lossy(&input()?).trim(),
        true,
    )
}

/// Standard input as far as it is looked at; the rest is read so that nobody writes to a closed pipe.
fn input() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    let read = stdin.by_ref().take(MOST_INPUT).read_to_end(&mut bytes);
    let read = read.and_then(|_| io::copy(&mut stdin, &mut io::sink()));
    read.map(|_| bytes).map_err(|error| error.to_string())
}

/// The block of all stores: memories that go by the task if there is one, and those that are given
/// whatever it is.
fn context(
    global: &Global,
    paths: Vec<PathBuf>,
    task: &str,
    always: bool,
) -> Result<Option<String>, String> {
    // The tables of warnings and secrets are read while the stores are.
    rayon::spawn(|| drop((warning_of(""), mask(""))));
    let ws = global.options(paths).and_then(Workspace::open);
    let ws = ws.map_err(|error| error.in_a_line())?;
    let loaded = ws.collection.load(&[], &mut |_| true);
    if global.verbose {
        ws.warn_of(&ws.ignored);
        ws.warn();
        let problems = loaded.problems.iter();
        problems.for_each(|problem| note(&format!("hook: {problem}")));
    }
    let mut memories = loaded.memories;
    ws.collection.drop_outside(&mut memories);
    let block = given(&ws, &memories, task, always);
    // The program ends soon, and then nobody needs the room.
    std::mem::forget(memories);
    Ok(block)
}

/// The block of some memories for a task; see [`context`].
pub fn given(ws: &Workspace, memories: &[Arc<Memory>], task: &str, always: bool) -> Option<String> {
    let settings = ws.inject_settings(InjectSettings::default(), None);
    let settings = settings.unwrap_or_default();
    let by_task = !task.is_empty();
    let task = Task {
        text: cut(task, MOST_PROMPT).to_owned(),
        agent: settings.agent.clone().unwrap_or_default(),
        now: ws.now,
        ..Task::default()
    };
    let (mut ranked, mut groups) = (Vec::new(), Vec::new());
    for store in ws.collection.stores.iter() {
        let Some(policy) = policy(store.info().policy()) else {
            continue;
        };
        let id = &store.info().id;
        let of_store = memories.iter().filter(|memory| memory.id.store == *id);
        let options = ws.collection.settings(&**store).unwrap_or_default();
        if !policy.gives_texts {
            // The index is loaded by its system itself.
            let index = options.get("index");
            let index = index.map(|file| file.strip_suffix(".md").unwrap_or(file));
            let topics = of_store.filter(|memory| index != Some(&*memory.id.local));
            if by_task {
                rank(ws, Arc::new(topics.cloned().collect()), &task, &mut ranked);
            }
            continue;
        }
        let limits = limits(ws, policy, &settings, &options);
        let goes_by_task = (policy.goes_by_task)(limits.dialect);
        if always || goes_by_task {
            let mut snapshot: Snapshot = Arc::new(of_store.cloned().collect());
            if by_task && goes_by_task {
                snapshot = relevant_to(ws, policy, &snapshot, &limits, &task);
            }
            groups.push(selected(ws, &**store, (policy, &limits), snapshot, &task));
        }
    }
    ranked.sort_by(|(one, _): &(About, _), (other, _)| other.evidence.total_cmp(&one.evidence));
    ranked.truncate(handed_out(ranked.iter().map(|(about, _)| *about)));
    let each = ranked.iter().filter_map(|(_, memory)| record(ws, memory));
    let each = each.collect();
    groups.insert(0, Group { whole: None, each });
    block(&groups)
}

/// Adds the memories of a store that the task may be about, the best first.
fn rank(ws: &Workspace, topics: Snapshot, task: &Task, ranked: &mut Vec<(About, Arc<Memory>)>) {
    let found = Ranked::new(&topics, task, &ws.collection, Background::default());
    let best = found.all.iter().filter_map(|about| {
        let memory = topics.get(about.memory)?;
        (about.evidence > 0.0 && admits(ws, memory)).then(|| (*about, memory.clone()))
    });
    ranked.extend(best.take(HANDED_OUT));
    // The program ends soon, and then nobody needs the room.
    std::mem::forget((topics, found));
}

/// The rule that warns agents of a memory: of its text, its fields or its title.
pub fn warning(ws: &Workspace, memory: &Memory) -> Option<&'static str> {
    let text = ws.collection.text(memory).unwrap_or_default();
    let fields = fields_beside(memory, &text);
    let body = ws.collection.body(memory).unwrap_or_default();
    let texts = [text, body, fields, memory.title.to_string()];
    texts.iter().find_map(|text| warning_of(text))
}

/// The rule that warns agents of a text, or of what is left of it where nothing invisible parts the
/// words. No setting, baseline or comment silences the answer.
pub fn warning_of(text: &str) -> Option<&'static str> {
    // Marks of emphasis part no words either.
    let bare = clean(text).replace(['*', '_'], "");
    let any = |warns: fn(&str) -> bool| warns(text) || warns(&bare);
    let (orders, carries) = rayon::join(|| any(orders_its_reader), || any(carries_data_away));
    if orders {
        return Some("reader-instruction");
    }
    carries.then_some("exfiltration-link")
}

/// True if no rule warns agents of a memory; else the reason is noted.
fn admits(ws: &Workspace, memory: &Memory) -> bool {
    let rule = warning(ws, memory);
    if let Some(rule) = rule.filter(|_| ws.options.verbose) {
        note(&format!("hook: left out {}: {rule}", memory.id));
    }
    rule.is_none()
}

/// The limits that the settings give, as `memkeep inject` has them without flags.
fn limits(ws: &Workspace, policy: &Policy, settings: &InjectSettings, own: &Options) -> Limits {
    let dialect = policy.dialect(settings.dialect.as_deref().unwrap_or_default());
    let mut limits = ws.limits(settings, dialect, 0);
    for (name, value) in policy.for_other_agents {
        limits.options.set(*name, *value);
    }
    limits.options = limits.options.over(own);
    limits
}

/// The memories of a store that match the task.
fn relevant_to(
    ws: &Workspace,
    policy: &'static Policy,
    memories: &Snapshot,
    limits: &Limits,
    task: &Task,
) -> Snapshot {
    // The program ends soon, and then nobody needs the room.
    let scorer = |memories| &*Box::leak(PREVIEWS.build(policy, memories));
    let found = relevant(memories, scorer, (task, limits), &ws.collection);
    let found = found.into_iter().filter_map(|at| memories.get(at).cloned());
    Arc::new(found.collect())
}

/// The selection of a system from its own store.
fn selected(
    ws: &Workspace,
    store: &dyn Store,
    by: (&'static Policy, &Limits),
    mut memories: Snapshot,
    task: &Task,
) -> Group {
    let mut preview = ws.preview(task, by, &memories);
    let selected = preview.selected.iter();
    let mut selected = selected.filter_map(|verdict| memories.get(verdict.memory));
    // All of a store are read only if one that warns is selected.
    if selected.any(|memory| warning(ws, memory).is_some()) {
        let admitted = memories.iter().filter(|memory| admits(ws, memory));
        memories = Arc::new(admitted.cloned().collect());
        preview = ws.preview(task, by, &memories);
    }
    let selected = preview.selected.iter();
    let selected = selected.filter_map(|verdict| memories.get(verdict.memory));
    let whole = Record {
        title: format!("Selected by {}", by.0.name),
        id: store.info().id.to_string(),
        about: String::new(),
        text: preview.prompt.clone(),
    };
    let group = Group {
        whole: Some(whole).filter(|whole| warning_of(&whole.text).is_none()),
        each: selected.filter_map(|memory| record(ws, memory)).collect(),
    };
    std::mem::forget((memories, preview));
    group
}

fn record(ws: &Workspace, memory: &Memory) -> Option<Record> {
    let about = memory.role(Role::Description).and_then(Value::as_str);
    Some(Record {
        title: memory.title.to_string(),
        id: memory.id.to_string(),
        about: about.unwrap_or_default().to_owned(),
        text: ws.collection.body(memory)?,
    })
}
