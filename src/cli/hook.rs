//! `memkeep hook`: the memories that another agent is given, as its hooks ask for them.
//!
//! A hook never stands in the way: whatever goes wrong, it prints nothing and exits with 0.

use std::io::{self, Read as _};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::args::Global;
use super::prelude::*;
use crate::agent::hook::event::{Event, Occasion};
use crate::agent::hook::{Given, Group, Record, block, forget, mentions_file};
use crate::config::InjectSettings;
use crate::lint::chars::cut;
use crate::project::programs;
use crate::retrieval::hybrid::Background;
use crate::retrieval::hybrid::about::{Ranked, is_topic, relevant};
use crate::retrieval::{Limits, Match, Options, Policy, Task, Texts as _, Verdict};
use crate::systems::policy;
use crate::workspace::handout::{self, warning_of};
use crate::workspace::preview::{PREVIEWS, of_store};
use crate::workspace::state_folder;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Standard input is an event of Claude Code, Codex, Gemini CLI, Copilot CLI, VS Code or Cursor as JSON, \
and so is the answer, in the style of the agent. Where nothing fits, on every failure and after one \
second (MEMKEEP_HOOK_TIMEOUT, in milliseconds), nothing is printed and the exit code is 0; -v says \
why. `memkeep init --claude` and the like set it up.")]
pub struct Hook {
    /// `generic` for any program: a task as text in, text out; `claude` is the same as no word
    #[arg(value_parser = ["claude", "generic"])]
    pub agent: Option<String>,
}

const DAY: i64 = 86_400_000;

/// Milliseconds after which nothing is answered any more.
const PATIENCE: u64 = 1000;

/// Memories that are handed out because of one event with files.
const MOST_OF_FILES: usize = 5;

/// Bytes of standard input that are read; more is no event.
const MOST_INPUT: u64 = 16 << 20;

/// Bytes of a prompt that memories are looked for by.
const MOST_PROMPT: usize = 32 << 10;

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
    let is_over = watch();
    let answer = match args.agent.as_deref() {
        Some("generic") => generic(&global, paths),
        _ => event(&global, paths),
    };
    let result = answer.and_then(|answer| {
        if is_over.swap(true, Ordering::SeqCst) {
            return Err("it took too long".into());
        }
        Ok(output.lines(answer)?)
    });
    if let Some(why) = result.err().filter(|_| verbose) {
        note(&format!("hook: {why}"));
    }
    exit::DONE
}

/// The text that is given, if any. Whatever fails is told in words with -v alone.
type Answer<T = Option<String>> = Result<T, Box<dyn std::error::Error>>;

/// Ends the program after a while, unless the answer is known by then. The flag that it returns is
/// true from when either happens.
fn watch() -> Arc<AtomicBool> {
    let is_over = Arc::new(AtomicBool::new(false));
    let patience = std::env::var("MEMKEEP_HOOK_TIMEOUT").ok();
    let patience = patience.and_then(|text| text.parse().ok());
    let patience = patience.unwrap_or(PATIENCE);
    let is_late = Arc::clone(&is_over);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(patience));
        if !is_late.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(exit::DONE));
        }
    });
    is_over
}

fn event(global: &Global, paths: &[PathBuf]) -> Answer {
    let event = Event::parse(&input()?).map_err(|error| format!("no event: {error}"))?;
    let Some(event) = event else {
        return Ok(None);
    };
    // Paths are those of the call, whatever folder the session works in.
    let paths = paths.iter().map(std::path::absolute);
    let paths = paths.collect::<io::Result<Vec<_>>>()?;
    if let Some(folder) = event.cwd.as_ref().filter(|folder| folder.is_dir()) {
        std::env::set_current_dir(folder)?;
    }
    if let Occasion::Stop(file) = &event.occasion {
        return hand_over(global, paths, file);
    }
    let context = with_memories(global, paths, |ws, memories| match &event.occasion {
        Occasion::Stop(_) => Ok(None),
        Occasion::Start => Ok(given(ws, memories, "", true)),
        Occasion::Prompt(prompt) => Ok(given(ws, memories, prompt, false)),
        Occasion::Files(words) => of_files(ws, memories, &event, words),
    })?;
    if let Some(name) = event.conversation.as_ref().filter(|_| event.is_forgotten) {
        forget(&state_folder(), name);
    }
    Ok(context.map(|context| event.answer(&context).to_string()))
}

/// The memories that some files are about, as far as the conversation has not been given them.
fn of_files(ws: &Workspace, memories: &[Arc<Memory>], event: &Event, words: &[String]) -> Answer {
    let conversation = event.conversation.as_ref();
    let conversation = conversation.ok_or("the event names no session")?;
    let file = |word: &String| {
        let is_file = ws.start.join(word).is_file();
        let file = is_file.then(|| ws.below_root(word));
        file.filter(|file| Path::new(file).is_relative())
    };
    let files: Vec<String> = words.iter().filter_map(file).collect();
    let mut found = Vec::new();
    for store in ws.collection.stores.iter().filter(|_| !files.is_empty()) {
        let Some(policy) = policy(store.info().policy()) else {
            continue;
        };
        if store.info().format() != event.own_format {
            about_files(ws, store, policy, (memories, &files), &mut found);
        }
    }
    found.sort_by_key(|memory| std::cmp::Reverse(memory.written()));
    if found.is_empty() {
        return Ok(None);
    }
    let mut given = Given::open(&state_folder(), conversation)?;
    let told = told(ws);
    let admitted = found.iter().filter(|memory| ws.admits(memory, &told));
    let new = admitted.filter_map(|memory| ws.record(memory));
    let new = new.filter(|record| !given.has(&record.says()));
    let new = new.unique_by(Record::says).take(MOST_OF_FILES);
    let each: Vec<Record> = new.collect();
    let group = Group { whole: None, each };
    let Some(block) = block(std::slice::from_ref(&group)) else {
        return Ok(None);
    };
    // One that found no room comes with another file.
    let is_shown = |record: &&Record| block.contains(&format!(" [{}]\n", record.id));
    let shown = group.each.iter().filter(is_shown);
    given.add(shown.map(Record::says))?;
    Ok(Some(block))
}

/// Adds the memories of a store that its system attaches to files, and those that mention them.
fn about_files(
    ws: &Workspace,
    store: &dyn Store,
    policy: &'static Policy,
    (memories, files): (&[Arc<Memory>], &[String]),
    found: &mut Vec<Arc<Memory>>,
) {
    let own: Snapshot = of_store(store, memories);
    let options = ws.collection.settings(store).unwrap_or_default();
    let oldest = policy.touch_days.map(|days| ws.now.0 - days * DAY);
    if oldest.is_some() || !policy.gives_texts && policy.flags.contains(&"file") {
        let task = Task {
            files: files.to_vec(),
            now: ws.now,
            ..Task::default()
        };
        let limits = limits(ws, policy, &InjectSettings::default(), &options);
        let preview = ws.preview(&task, (policy, &limits), &own);
        let selected = preview.selected.iter();
        // A pattern for every file says nothing about one.
        let names = |found: &Match| found.pattern.contains(char::is_alphanumeric);
        let is_named = |one: &&Verdict| one.matched.as_ref().is_some_and(names);
        let selected = selected.filter(|one| oldest.is_some() || is_named(one));
        let selected = selected.filter_map(|one| own.get(one.memory));
        let is_new = |memory: &&Arc<Memory>| {
            oldest.is_none_or(|oldest| memory.written().is_some_and(|at| at.0 >= oldest))
        };
        found.extend(selected.filter(is_new).cloned());
    }
    if oldest.is_some() {
        return;
    }
    let is_about = |memory: &&Arc<Memory>| {
        let is_out = memory.hidden.is_some() || memory.is_expired(ws.now);
        let is_current = memory.state == State::Active && !is_out;
        let is_read = is_current && is_topic(memory);
        let text = is_read.then(|| ws.collection.text(memory)).flatten();
        text.is_some_and(|text| files.iter().any(|file| mentions_file(&text, file)))
    };
    found.extend(own.iter().filter(is_about).cloned());
}

fn generic(global: &Global, paths: &[PathBuf]) -> Answer {
    let task = input()?;
    let task = String::from_utf8_lossy(&task);
    with_memories(global, paths.to_vec(), |ws, memories| {
        Ok(given(ws, memories, task.trim(), true))
    })
}

/// Standard input as far as it is looked at; the rest is read so that nobody writes to a closed pipe.
fn input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    stdin.by_ref().take(MOST_INPUT).read_to_end(&mut bytes)?;
    io::copy(&mut stdin, &mut io::sink())?;
    Ok(bytes)
}

fn open(global: &Global, paths: Vec<PathBuf>) -> Answer<Workspace> {
    let ws = global.options(paths).and_then(Workspace::open);
    Ok(ws.map_err(|error| error.in_a_line())?)
}

fn with_memories(
    global: &Global,
    paths: Vec<PathBuf>,
    answer: impl FnOnce(&Workspace, &[Arc<Memory>]) -> Answer,
) -> Answer {
    // The tables of warnings and secrets are read while the stores are.
    rayon::spawn(|| drop((warning_of(""), mask(""))));
    let ws = open(global, paths)?;
    let loaded = ws.collection.load(&[], &mut |_| true);
    if global.verbose {
        ws.warn_of(&ws.ignored);
        ws.warn();
        let problems = loaded.problems.iter();
        problems.for_each(|problem| note(&format!("hook: {problem}")));
    }
    let mut memories = loaded.memories;
    ws.collection.drop_outside(&mut memories);
    let answer = answer(&ws, &memories);
    // The program ends soon, and then nobody needs the room.
    std::mem::forget(memories);
    answer
}

/// The block of all stores for a task; if `always`, with memories that are given whatever it is.
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
    let prompt = Task {
        agent: String::new(),
        ..task.clone()
    };
    let (mut ranked, mut groups) = (Vec::new(), Vec::new());
    for store in ws.collection.stores.iter() {
        let Some(policy) = policy(store.info().policy()) else {
            continue;
        };
        let id = &store.info().id;
        let of_store = memories.iter().filter(|memory| memory.id.store == *id);
        let options = ws.collection.settings(store).unwrap_or_default();
        if !policy.gives_texts {
            let topics = of_store.filter(|memory| is_topic(memory));
            if by_task {
                let topics = Arc::new(topics.cloned().collect());
                rank(ws, topics, &prompt, &mut ranked);
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
            let (group, skill) = selected(ws, store, (policy, &limits), snapshot, &task);
            groups.push(group);
            // The configuration of its system says that the text which teaches it goes along.
            let skill = skill.filter(|_| always && options.get("memories").is_some());
            groups.extend(skill.map(|skill| Group {
                whole: None,
                each: vec![skill],
            }));
        }
    }
    let chosen = ws.chosen(ranked, &told(ws));
    let each = chosen.iter().filter_map(|(_, memory)| ws.record(memory));
    let each = each.collect();
    groups.insert(0, Group { whole: None, each });
    block(&groups)
}

/// Adds the memories of a store that the task may be about, the best first.
fn rank(ws: &Workspace, topics: Snapshot, task: &Task, ranked: &mut Vec<handout::Ranked>) {
    let found = Ranked::new(&topics, task, &ws.collection, Background::default());
    let all = found.all.iter();
    ranked.extend(all.filter_map(|about| Some((*about, topics.get(about.memory)?.clone()))));
    // The program ends soon, and then nobody needs the room.
    std::mem::forget((topics, found));
}

/// Notes what is left out, if the person wants to know.
const fn told(ws: &Workspace) -> impl Fn(&str) {
    move |text| {
        if ws.options.verbose {
            note(text);
        }
    }
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

/// The selection of a system from its own store, and the text that teaches it.
fn selected(
    ws: &Workspace,
    store: &dyn Store,
    by: (&'static Policy, &Limits),
    mut memories: Snapshot,
    task: &Task,
) -> (Group, Option<Record>) {
    let mut preview = ws.preview(task, by, &memories);
    let selected = preview.selected.iter();
    let mut selected = selected.filter_map(|verdict| memories.get(verdict.memory));
    // All of a store are read only if one that warns is selected.
    if selected.any(|memory| ws.warning(memory).is_some()) {
        let told = told(ws);
        let admitted = memories.iter().filter(|memory| ws.admits(memory, &told));
        memories = Arc::new(admitted.cloned().collect());
        preview = ws.preview(task, by, &memories);
    }
    let selected = preview.selected.iter();
    let selected = selected.filter_map(|verdict| memories.get(verdict.memory));
    let by_system = |title: &str, text: &str| Record {
        title: format!("{title} {}", by.0.name),
        id: store.info().id.to_string(),
        about: String::new(),
        text: text.to_owned(),
    };
    let whole = by_system("Selected by", &preview.prompt);
    let group = Group {
        whole: Some(whole).filter(|whole| warning_of(&whole.text).is_none()),
        each: selected.filter_map(|memory| ws.record(memory)).collect(),
    };
    let skill = preview.skill.as_deref();
    let skill = skill.map(|text| by_system("Skill of", text));
    std::mem::forget((memories, preview));
    (group, skill)
}

/// Hands the file of a session that ended to `memkeep extract --rules` and `memkeep used`, where the
/// person switched that on. They go on by themselves: the agent does not wait and is told nothing.
fn hand_over(global: &Global, paths: Vec<PathBuf>, session: &Path) -> Answer {
    let ws = open(global, paths)?;
    let extracts = ws.settings.extract.on_stop == Some(true);
    let extract = extracts.then_some("extract --rules --from");
    let used = ws.records_worth().then_some("used --format quiet --answer");
    for words in extract.into_iter().chain(used) {
        if !session.is_file() {
            return Err(format!("no such session: {}", session.display()).into());
        }
        let mut program = programs::command(std::env::current_exe()?);
        program.arg("--root").arg(&ws.collection.root);
        if let Some(config) = &global.config {
            program.arg("--config").arg(config);
        }
        program.args(words.split(' ')).arg(session);
        program.stdin(Stdio::null());
        program.stdout(Stdio::null()).stderr(Stdio::null());
        // An agent that ends its hooks does not end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut program, 0);
        program.spawn()?;
    }
    Ok(None)
}
