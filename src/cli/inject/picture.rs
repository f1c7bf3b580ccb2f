//! What an agent is given altogether for a task: by every store, and by the files that are loaded
//! beside memories.

use std::collections::BTreeMap;
use std::io::Write as _;

use serde::Serialize;

use super::StorePreview;
use crate::cli::Output;
use crate::cli::error::Error;
use crate::cli::session::Session;
use crate::memory::format::{TABLES, table_of};
use crate::retrieval::Texts;
use crate::store::discover;
use crate::ui::safe::safe;

/// A file that agents are given beside memories.
#[derive(Serialize)]
pub struct ContextFile {
    /// Where it is, as paths are shown.
    pub path: String,
    /// Tokens of it.
    pub tokens: u32,
    /// What loads it, and when.
    pub loaded: Option<&'static str>,
    /// The agents that load it.
    pub agents: &'static [String],
}

/// The files that agents are given beside memories.
pub fn context(session: &Session) -> Vec<ContextFile> {
    let collection = &session.collection;
    let Some(store) = discover::context(&collection.root) else {
        return Vec::new();
    };
    let table = TABLES.iter().find(|table| table.schema.can.context);
    let memories = store.load(&[], &mut |_| true).memories;
    let file = |memory: &std::sync::Arc<crate::memory::Memory>| {
        let path = collection.shown(&memory.path);
        ContextFile {
            loaded: table.and_then(|table| table.loads(&path)),
            agents: table.map_or(&[], |table| table.agents_of(&path)),
            tokens: memory.tokens,
            path,
        }
    };
    memories.iter().map(file).collect()
}

/// Prints the files, a line each.
pub fn list(files: &[ContextFile], output: &mut Output) -> Result<(), Error> {
    for file in files {
        let loaded = file.loaded.map(|loaded| format!(" · {loaded}"));
        let (path, loaded) = (safe(&file.path), loaded.unwrap_or_default());
        writeln!(output, "  {path} · {} tokens{loaded}", file.tokens)?;
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
    pub(super) fn of(session: &Session, previews: &[StorePreview]) -> Self {
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
        let context = context(session);
        let of_store = previews.iter().map(|of| {
            let table = of.memories.first().and_then(|one| table_of(one.schema));
            let agents = table.map_or(&[][..], |table| &table.agents);
            (agents, of.preview.tokens)
        });
        let of_file = context
            .iter()
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
        let one = |(agent, tokens): (&&str, &usize)| format!("{tokens} tokens for {agent}");
        let by_agent: Vec<String> = self.by_agent.iter().map(one).collect();
        match by_agent.is_empty() {
            true => format!("{} tokens", self.prompts + self.beside()),
            false => by_agent.join(", "),
        }
    }

    fn beside(&self) -> usize {
        self.context.iter().map(|file| file.tokens as usize).sum()
    }

    /// The lines of a table for people: nothing where there is one store and no context.
    pub(super) fn table(&self, stores: usize, output: &mut Output) -> Result<(), Error> {
        if stores < 2 && self.context.is_empty() {
            return Ok(());
        }
        output.bold(&format!("together: {}", self.together()))?;
        writeln!(output)?;
        list(&self.context, output)?;
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
            let loaded = file.loaded.unwrap_or("context");
            writeln!(
                output,
                "| {} | {} | {} |",
                cell(&file.path),
                cell(loaded),
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
