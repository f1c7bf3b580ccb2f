//! `memkeep mcp`: memories for agents, over the Model Context Protocol.
//!
//! Every call opens the stores anew, so that it sees what is on disk; memories of unchanged files
//! are read once. Answers are masked, and memories left out, as for the hook.

mod foreign;
mod lookups;
mod proposing;

use std::sync::{Mutex, PoisonError};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rayon::prelude::*;
use serde_json::Value as Json;

use super::args::Global;
use super::hook;
use super::prelude::*;
use crate::agent::hook::harmless;
use crate::agent::mcp::{Answers, Arguments, Call, serve};
use crate::retrieval::Texts as _;
use crate::ui::words;
use crate::workspace::Options;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Agents start it themselves: `claude mcp add memkeep -- memkeep mcp`. What they want to remember \
becomes a proposal; `memkeep proposals` lists those that wait, `memkeep review` decides.")]
pub struct Mcp {}

pub fn run(global: &Global, paths: Vec<PathBuf>) -> Result<u8> {
    let desk = Desk {
        options: Options {
            lasting: true,
            ..global.options(paths)?
        },
        known: Mutex::default(),
    };
    let ws = desk.open(false)?;
    ws.warn_of(&ws.ignored);
    ws.warn();
    drop(ws);
    serve(desk)?;
    Ok(exit::DONE)
}

struct Desk {
    options: Options,
    known: Mutex<Known>,
}

/// The memories of the last call, and by their addresses the rules that warn agents of them.
#[derive(Default)]
struct Known {
    memories: Snapshot,
    warnings: HashMap<usize, Option<&'static str>>,
}

struct View {
    ws: Workspace,
    /// All memories, for changes.
    all: Snapshot,
    /// The memories that agents are given.
    memories: Snapshot,
    /// The others, with the reason.
    left_out: HashMap<MemoryId, &'static str>,
}

/// The address of a memory, which no other has as long as this one is kept.
fn address(memory: &Arc<Memory>) -> usize {
    Arc::as_ptr(memory).addr()
}

impl Desk {
    fn open(&self, writes: bool) -> Result<Workspace> {
        Workspace::open(Options {
            read_only: self.options.read_only || !writes,
            ..self.options.clone()
        })
    }

    fn view(&self, writes: bool, call: &Call) -> Result<View, String> {
        let ws = self.open(writes).map_err(|error| sentence(&error))?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut goes_on = |_: &[Arc<Memory>]| !call.is_cancelled();
        let all = ws.collection.load(&known.memories, &mut goes_on).memories;
        if call.is_cancelled() {
            return Err("the request was cancelled".to_owned());
        }
        let warning = |memory: &Arc<Memory>| {
            let kept = known.warnings.get(&address(memory)).copied();
            let warning = kept.unwrap_or_else(|| ws.warning(memory));
            (address(memory), warning)
        };
        let warnings = all.par_iter().map(warning).collect();
        let all = Arc::new(all);
        *known = Known {
            memories: Arc::clone(&all),
            warnings,
        };
        let mut inside = all.to_vec();
        ws.collection.drop_outside(&mut inside);
        let inside: HashSet<usize> = inside.iter().map(address).collect();
        let reason = |memory: &Arc<Memory>| match inside.contains(&address(memory)) {
            true => known.warnings.get(&address(memory)).copied().flatten(),
            false => Some("it lies outside of the project"),
        };
        let with_reason = |one: &Arc<Memory>| Some((one.id.clone(), reason(one)?));
        let left_out: HashMap<MemoryId, &str> = all.iter().filter_map(with_reason).collect();
        let given = all.iter().filter(|one| !left_out.contains_key(&one.id));
        Ok(View {
            memories: Arc::new(given.cloned().collect()),
            ws,
            all,
            left_out,
        })
    }
}

impl View {
    /// The memory that a typed id names, unless agents are not given it.
    fn find(&self, typed: &str) -> Result<&Arc<Memory>> {
        let found = self.ws.find(typed, &self.all)?;
        match self.left_out.get(&found.id) {
            None => Ok(found),
            Some(why) => Err(Error::nothing(format!("{typed} is left out: {why}"))
                .hint("a person reads it with `memkeep show`")),
        }
    }

    fn asked(&self, asked: &Arguments) -> Result<&Arc<Memory>> {
        let Some(path) = asked.text("path") else {
            let id = asked.text("id").or_else(|| asked.text("memory_name"));
            return self.find(id.ok_or_else(|| Error::wrong("`id` is needed"))?);
        };
        let path = self.ws.below_root(path);
        let is_there = |one: &&Arc<Memory>| self.ws.collection.shown(&one.path) == path;
        match self.all.iter().filter(is_there).exactly_one() {
            Ok(one) => self.find(&one.id.to_string()),
            Err(_) => self.find(&path),
        }
    }

    /// The answer as the agent is given it, with what is left out.
    fn answer(&self, answer: Json) -> Json {
        let mut answer = harmless_json(answer);
        let counts = self.left_out.values().counts().into_iter().sorted();
        let left = counts.map(|(why, count)| {
            let count = words::count(count, "memory", "memories");
            json!(format!("{count} left out: {why}"))
        });
        if let Some(object) = answer.as_object_mut() {
            let notes = object.remove("notes");
            let notes = notes.and_then(|notes| notes.as_array().cloned());
            let notes = notes.into_iter().flatten().chain(left).collect();
            object.insert("notes".to_owned(), notes);
        }
        answer
    }

    fn call(&self, tool: &str, arguments: Arguments, call: &Call) -> Result<Json> {
        let asked = &arguments;
        match tool {
            "memory" => foreign::golemcore(self, arguments, call),
            "memory_search" => lookups::search(self, asked),
            "memory_read" => lookups::read(self, asked),
            "memory_list" => lookups::list(self, asked),
            "memory_preview" => lookups::preview(self, asked),
            "memory_explain" => lookups::explain(self, asked),
            "memory_lint" => lookups::lint(self, asked, call),
            "memory_trace" => lookups::trace(self, asked, call),
            _ if tool.starts_with("memory_") => proposing::propose(self, tool, asked, call),
            _ => foreign::rum(self, tool, arguments, call),
        }
    }
}

fn harmless_json(value: Json) -> Json {
    match value {
        Json::String(text) => harmless(&text).into(),
        Json::Array(all) => all.into_iter().map(harmless_json).collect(),
        Json::Object(all) => {
            let all = all.into_iter();
            let all = all.map(|(name, value)| (harmless(&name), harmless_json(value)));
            all.collect()
        }
        other => other,
    }
}

/// Letters of an address that are written in percent.
const CODED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The address of a memory as a resource, `memkeep://STORE/LOCAL`.
fn resource_of(id: &MemoryId) -> String {
    let store = utf8_percent_encode(&id.store.0, &CODED);
    let local = utf8_percent_encode(&id.local, const { &CODED.remove(b'/') });
    format!("memkeep://{store}/{local}")
}

fn sentence(error: &Error) -> String {
    harmless(&error.in_a_line())
}

impl Answers for Desk {
    fn formats(&self) -> Vec<String> {
        let ws = self.open(false).ok();
        let infos = ws.iter().flat_map(|ws| ws.collection.infos());
        infos.map(|info| info.format().to_owned()).collect()
    }

    fn call(
        &self,
        (tool, writes): (&str, bool),
        arguments: Arguments,
        call: &Call,
    ) -> Result<Json, String> {
        let view = self.view(writes, call)?;
        let answer = view.call(tool, arguments, call);
        let answer = answer.map_err(|error| sentence(&error))?;
        Ok(view.answer(answer))
    }

    fn resources(&self, call: &Call) -> Result<Vec<(String, String)>, String> {
        let view = self.view(false, call)?;
        let active = view.memories.iter();
        let active = active.filter(|one| one.state == State::Active);
        let all = active.map(|one| (resource_of(&one.id), harmless(&one.title)));
        Ok(all.collect())
    }

    fn read(&self, address: &str, call: &Call) -> Result<String, String> {
        let view = self.view(false, call)?;
        let plain = percent_decode_str(address).decode_utf8_lossy();
        let is_it = |id: &MemoryId| plain == format!("memkeep://{}/{}", id.store, id.local);
        let found = view.all.iter().find(|one| is_it(&one.id));
        let found = found.ok_or_else(|| format!("no resource is {address}"))?;
        let memory = view.find(&found.id.to_string());
        let memory = memory.map_err(|error| sentence(&error))?;
        let text = view.ws.collection.text(memory).unwrap_or_default();
        Ok(harmless(&text))
    }

    fn prompt(&self, arguments: Arguments, call: &Call) -> Result<String, String> {
        let task = arguments.text("task").map(str::trim);
        let task = task.filter(|task| !task.is_empty());
        let task = task.ok_or("memories_for_task needs `task`")?;
        let view = self.view(false, call)?;
        let block = hook::given(&view.ws, &view.memories, task, true);
        let block = block.unwrap_or_else(|| "No memory fits this task.".to_owned());
        Ok(format!("{task}\n\n{block}"))
    }
}
