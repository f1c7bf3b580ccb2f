//! What an agent is given altogether for a task: by every store, and by the files that are loaded
//! beside memories.

use std::collections::BTreeMap;
use std::io::Write as _;

use serde::Serialize;

use super::StorePreview;
use crate::cli::Output;
use crate::cli::error::Error;
use crate::cli::session::Session;
use crate::memory::format::{LOADED, table_of};
use crate::memory::{Memory, Role};
use crate::retrieval::{Limits, Reason, Snapshot, Task, Texts as _, policy};
use crate::store::{Store, discover};
use crate::ui::safe::safe;
use crate::ui::words::count;

/// A file that agents are given beside memories.
#[derive(Serialize)]
pub struct ContextFile {
    /// Where it is, as paths are shown.
    pub path: String,
    /// Tokens of it.
    pub tokens: u32,
    /// What loads it, and when.
    pub loaded: Option<String>,
    /// Whether it is loaded for the task.
    pub given: bool,
    /// What would have it loaded, where it is not.
    pub hint: Option<String>,
    /// The agents that load it.
    pub agents: &'static [String],
}

/// The files that agents are given beside memories.
pub struct Context {
    store: Option<Box<dyn Store>>,
    memories: Snapshot,
}

impl Context {
    /// Those of the root of a session.
    pub fn load(session: &Session) -> Self {
        let store = discover::context(&session.collection.root);
        let loaded = store.as_ref().map(|store| store.load(&[], &mut |_| true));
        Self {
            store,
            memories: loaded.map_or_else(Snapshot::default, |all| all.memories.into()),
        }
    }

    /// Whether the files of a task decide which of them are loaded.
    pub fn goes_by_files(&self) -> bool {
        let mut all = self.memories.iter();
        all.any(|memory| memory.role(Role::Patterns).is_some())
    }

    /// The policy by which they are loaded.
    pub fn policy(&self) -> Option<&'static dyn crate::retrieval::Policy> {
        policy(self.store.as_ref()?.info().policy())
    }

    /// What becomes of each for a task.
    pub fn files(&self, session: &Session, task: &Task) -> Vec<ContextFile> {
        let (Some(store), Some(policy)) = (&self.store, self.policy()) else {
            return Vec::new();
        };
        let limits = Limits {
            options: store.settings(&session.collection.root).unwrap_or_default(),
            ..Limits::default()
        };
        let wanted: Vec<usize> = (0..self.memories.len()).collect();
        let scorer = policy.scorer(self.memories.clone());
        let verdicts = scorer.verdicts(task, &limits, &wanted, &session.collection);
        let file = |(memory, verdict): (&std::sync::Arc<Memory>, crate::retrieval::Verdict)| {
            let path = session.collection.shown(&memory.path);
            let beside = store.extras().beside(memory).unwrap_or_default();
            let loaded = beside.into_iter().find(|(what, _)| *what == LOADED);
            ContextFile {
                loaded: loaded.map(|(_, how)| how),
                agents: table_of(memory.schema).map_or(&[], |table| table.agents_of(&path)),
                tokens: memory.tokens,
                given: verdict.reason == Reason::Selected,
                hint: verdict.hint,
                path,
            }
        };
        self.memories.iter().zip(verdicts).map(file).collect()
    }
}

/// Prints the files, a line each; those that are not loaded for a task say so.
pub fn list(files: &[ContextFile], for_task: bool, output: &mut Output) -> Result<(), Error> {
    for file in files {
        let loaded = file.loaded.iter().map(String::as_str);
        let not = (for_task && !file.given).then_some("not loaded for this task");
        let hint = file.hint.as_deref().filter(|_| for_task);
        let parts: Vec<&str> = loaded.chain(not).chain(hint).collect();
        let tokens = count(file.tokens as usize, "token", "tokens");
        let path = safe(&file.path);
        writeln!(output, "  {path} · {tokens} · {}", safe(&parts.join(" · ")))?;
    }
    Ok(())
}

/// A line that stands in what several stores give.
#[derive(Serialize)]
pub struct Repeat {
    /// The line, without the marks of a list.
    text: String,
    /// The memories that have it.
    ids: Vec<String>,
}

/// Shorter lines say little.
const SHORTEST: usize = 30;
/// The most repeats that are told.
const MOST: usize = 20;

/// What is given for a task altogether.
pub(super) struct Picture {
    /// The files beside memories.
    pub context: Vec<ContextFile>,
    /// What repeats across stores.
    pub repeats: Vec<Repeat>,
    /// Tokens of all prompts.
    prompts: usize,
    /// Tokens that each agent is given, where stores or files are those of one agent.
    by_agent: BTreeMap<&'static str, usize>,
}

impl Picture {
    /// What these stores give for a task.
    pub(super) fn new(
        session: &Session,
        previews: &[StorePreview],
        context: Vec<ContextFile>,
    ) -> Self {
        let mut said: BTreeMap<String, (String, Vec<(usize, String)>)> = BTreeMap::new();
        // Where there is one store nothing repeats across stores.
        let several = previews.iter().enumerate().filter(|_| previews.len() > 1);
        for (store, of) in several {
            for verdict in &of.preview.selected {
                let Some(memory) = of.memories.get(verdict.memory) else {
                    continue;
                };
                let body = session.collection.body(memory).unwrap_or_default();
                for line in body.lines() {
                    let text = line
                        .trim()
                        .trim_start_matches(['-', '*', '#', '>', ' '])
                        .trim_end();
                    if text.chars().count() < SHORTEST {
                        continue;
                    }
                    let entry = said.entry(text.to_lowercase());
                    let (_, ids) = entry.or_insert_with(|| (text.to_owned(), Vec::new()));
                    let id = memory.id.to_string();
                    if !ids.iter().any(|(_, known)| *known == id) {
                        ids.push((store, id));
                    }
                }
            }
        }
        let across = |ids: &[(usize, String)]| {
            ids.iter()
                .any(|(store, _)| Some(*store) != ids.first().map(|(first, _)| *first))
        };
        let repeats = said.into_values().filter(|(_, ids)| across(ids)).take(MOST);
        let repeats = repeats.map(|(text, ids)| Repeat {
            text,
            ids: ids.into_iter().map(|(_, id)| id).collect(),
        });
        let of_store = previews.iter().map(|of| {
            let table = of.memories.first().and_then(|one| table_of(one.schema));
            let agents = table.map_or(&[][..], |table| &table.agents);
            (agents, of.preview.tokens)
        });
        let of_file = context
            .iter()
            .filter(|file| file.given)
            .map(|file| (file.agents, file.tokens as usize));
        let given: Vec<_> = of_store.chain(of_file).collect();
        let agents = given.iter().flat_map(|(agents, _)| *agents);
        let tokens = |agent: &String| {
            let own = given.iter();
            let own = own.filter(|(agents, _)| agents.is_empty() || agents.contains(agent));
            own.map(|(_, tokens)| tokens).sum()
        };
        let by_agent = agents
            .map(|agent| (agent.as_str(), tokens(agent)))
            .collect();
        Self {
            by_agent,
            context,
            repeats: repeats.collect(),
            prompts: previews.iter().map(|of| of.preview.tokens).sum(),
        }
    }

    /// The tokens in words: by agent where not every agent is given everything.
    fn together(&self) -> String {
        let one = |(agent, tokens): (&&str, &usize)| {
            format!("{} for {agent}", count(*tokens, "token", "tokens"))
        };
        let by_agent: Vec<String> = self.by_agent.iter().map(one).collect();
        match by_agent.is_empty() {
            true => count(self.prompts + self.beside(), "token", "tokens"),
            false => by_agent.join(", "),
        }
    }

    fn beside(&self) -> usize {
        let given = self.context.iter().filter(|file| file.given);
        given.map(|file| file.tokens as usize).sum()
    }

    /// The lines of a table for people: nothing where there is one store and no context.
    pub(super) fn table(&self, stores: usize, output: &mut Output) -> Result<(), Error> {
        if stores < 2 && self.context.is_empty() {
            return Ok(());
        }
        output.bold(&format!("together: {}", self.together()))?;
        writeln!(output)?;
        list(&self.context, true, output)?;
        for repeat in &self.repeats {
            writeln!(
                output,
                "  repeats in {}: {}",
                safe(&repeat.ids.join(", ")),
                safe(&repeat.text)
            )?;
        }
        Ok(())
    }

    /// The head of a report.
    pub(super) fn markdown(
        &self,
        previews: &[StorePreview],
        task: &str,
        output: &mut Output,
    ) -> Result<(), Error> {
        let cell = |text: &str| safe(text).replace('|', "\\|").replace('\n', " ");
        writeln!(output, "# What agents are given\n\nTask: {}\n", cell(task))?;
        writeln!(output, "| given by | what | tokens |\n|---|---|---:|")?;
        for of in previews {
            let what = match of.preview.selected.len() {
                1 => "1 memory".to_owned(),
                many => format!("{many} memories"),
            };
            let policy = of.preview.policy;
            writeln!(
                output,
                "| {} | {what} ({policy}) | {} |",
                cell(&of.store),
                of.preview.tokens
            )?;
        }
        for file in &self.context {
            let loaded = file.loaded.as_deref().unwrap_or("context");
            let not = if file.given {
                ""
            } else {
                " (not for this task)"
            };
            writeln!(
                output,
                "| {} | {} | {} |",
                cell(&file.path),
                cell(&format!("{loaded}{not}")),
                file.tokens
            )?;
        }
        for (agent, tokens) in &self.by_agent {
            writeln!(output, "| **{agent} altogether** | | **{tokens}** |")?;
        }
        if self.by_agent.is_empty() {
            let all = self.prompts + self.beside();
            writeln!(output, "| **together** | | **{all}** |")?;
        }
        writeln!(output)?;
        if !self.repeats.is_empty() {
            writeln!(output, "Said by several stores:\n")?;
            for repeat in &self.repeats {
                writeln!(
                    output,
                    "- {} ({})",
                    cell(&repeat.text),
                    cell(&repeat.ids.join(", "))
                )?;
            }
            writeln!(output)?;
        }
        Ok(())
    }
}
