//! All that an agent is given for a task: the prompts of the stores, and the files that are loaded
//! beside memories.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::Workspace;
use super::preview::{PREVIEWS, StorePreview};
use crate::memory::format::{LOADED, table_of};
use crate::memory::{Memory, Role, tokens_of};
use crate::retrieval::multi_store::{join, repeated};
use crate::retrieval::{Limits, Policy, Reason, Snapshot, Task, Texts as _, Verdict, policy};
use crate::store::{Store, discover};

/// A file that agents are given beside memories.
#[derive(Serialize)]
pub struct ContextFile {
    /// Path as it is shown.
    pub path: String,
    /// Tokens of it.
    pub tokens: usize,
    /// Its loader, and when it loads it.
    pub loaded: Option<String>,
    /// True if it is loaded for the task.
    pub given: bool,
    /// How to have it loaded, if it is not.
    pub hint: Option<String>,
    /// The agents that load it.
    pub agents: Vec<&'static str>,
    /// Its text.
    #[serde(skip)]
    text: String,
}

/// The files that agents are given beside memories.
pub struct ContextFiles {
    store: Option<Box<dyn Store>>,
    memories: Snapshot,
}

impl ContextFiles {
    /// Those of the root of a workspace.
    pub fn load(workspace: &Workspace) -> Self {
        let store = discover::context(&workspace.collection.root);
        let loaded = store.as_ref().map(|store| store.load(&[], &mut |_| true));
        Self {
            store,
            memories: loaded.map_or_else(Snapshot::default, |all| all.memories.into()),
        }
    }

    /// True if the files of a task decide which of them are loaded.
    pub fn goes_by_files(&self) -> bool {
        let mut all = self.memories.iter();
        all.any(|memory| memory.role(Role::Patterns).is_some())
    }

    /// The policy by which they are loaded.
    pub fn policy(&self) -> Option<&'static dyn Policy> {
        policy(self.store.as_ref()?.info().policy())
    }

    /// Each with the decision for a task.
    pub fn files(&self, workspace: &Workspace, task: &Task) -> Vec<ContextFile> {
        let (Some(store), Some(policy)) = (&self.store, self.policy()) else {
            return Vec::new();
        };
        let limits = Limits {
            options: store
                .settings(&workspace.collection.root)
                .unwrap_or_default(),
            ..Limits::default()
        };
        let wanted: Vec<usize> = (0..self.memories.len()).collect();
        let scorer = PREVIEWS.build(policy, self.memories.clone());
        let verdicts = scorer.verdicts(task, &limits, &wanted, &workspace.collection);
        let file = |(memory, verdict): (&Arc<Memory>, Verdict)| {
            let path = workspace.collection.shown(&memory.path);
            let beside = store.extras().beside(memory).unwrap_or_default();
            let loaded = beside.into_iter().find(|(what, _)| *what == LOADED);
            let body = store.loader_body(memory).unwrap_or_default();
            let text = String::from_utf8_lossy(&body).trim().to_owned();
            ContextFile {
                loaded: loaded.map(|(_, how)| how),
                agents: names(table_of(memory.schema).map(|table| table.agents_of(&path))),
                tokens: tokens_of(text.len()),
                given: verdict.reason == Reason::Selected,
                hint: verdict.hint,
                path,
                text,
            }
        };
        let mut files: Vec<ContextFile> = self.memories.iter().zip(verdicts).map(file).collect();
        self.follow_imports(&mut files);
        files
    }

    /// Gives a file to the agents that load what imports it.
    fn follow_imports(&self, files: &mut [ContextFile]) {
        let importers = |memory: &Arc<Memory>| -> Vec<usize> {
            let from = self
                .store
                .as_ref()
                .map(|store| store.extras().importers(memory));
            let from = from.unwrap_or_default();
            let is_from =
                |(_, one): &(usize, &Arc<Memory>)| from.iter().any(|path| **path == *one.path);
            let all = self.memories.iter().enumerate();
            all.filter(is_from).map(|(at, _)| at).collect()
        };
        let from: Vec<Vec<usize>> = self.memories.iter().map(importers).collect();
        let table = self.memories.first().and_then(|one| table_of(one.schema));
        let follow = names(table.map(|table| &*table.follows_imports));
        // An import of an import is one step further.
        for _ in 0..files.len().min(MOST_STEPS) {
            for (at, from) in from.iter().enumerate().filter(|(_, from)| !from.is_empty()) {
                let given = from.iter().filter_map(|from| files.get(*from));
                let given = given.filter(|file| file.given);
                let agents = given.flat_map(|file| file.agents.clone());
                let agents: Vec<&str> = agents.filter(|agent| follow.contains(agent)).collect();
                let Some(file) = files.get_mut(at) else {
                    continue;
                };
                file.agents.extend(agents);
                file.agents.sort_unstable();
                file.agents.dedup();
            }
        }
    }
}

/// Imports of imports are followed this far.
const MOST_STEPS: usize = 5;

fn names(agents: Option<&'static [String]>) -> Vec<&'static str> {
    let agents = agents.unwrap_or_default().iter();
    agents.map(String::as_str).collect()
}

/// A line that several stores have, or a store and a context file.
#[derive(Serialize)]
pub struct Repeat {
    /// The line, without list markers.
    pub text: String,
    /// Ids of the memories and paths of the context files that have it.
    pub ids: Vec<String>,
}

/// Maximum number of repeated lines that are reported.
const MOST: usize = 20;

/// Tokens of all that is given for a task, each text counted once.
#[derive(Serialize)]
pub struct Total {
    /// All of it.
    pub tokens: usize,
    /// The part that stores give.
    memories: usize,
    /// The part that files of context add.
    context: usize,
    /// Tokens per agent, of the agents that have stores or files of their own.
    pub agents: BTreeMap<String, usize>,
}

impl Total {
    /// Adds up the prompts of stores and the context files. An agent is given its own texts and those
    /// without agents.
    fn of(stores: &[Given<'_>], files: &[Given<'_>]) -> Self {
        let all = || stores.iter().chain(files);
        let tokens = |text: String| tokens_of(text.len());
        let of_agent = |agent: &str| {
            let own = all().filter(|(agents, _)| agents.is_empty() || agents.contains(&agent));
            tokens(join(own.map(|(_, text)| *text)))
        };
        let agents: BTreeSet<&str> = all().flat_map(|(agents, _)| agents.clone()).collect();
        let memories = tokens(join(stores.iter().map(|(_, text)| *text)));
        let sum = tokens(join(all().map(|(_, text)| *text)));
        Self {
            tokens: sum,
            memories,
            context: sum.saturating_sub(memories),
            agents: agents
                .into_iter()
                .map(|agent| (agent.to_owned(), of_agent(agent)))
                .collect(),
        }
    }

    /// The parts of the total; empty if it is memories alone.
    pub fn parts(&self) -> String {
        match self.context {
            0 => String::new(),
            context => format!("memories {}, context files {context}", self.memories),
        }
    }
}

/// A text with the agents that are given it; without agents, all are.
type Given<'a> = (Vec<&'a str>, &'a str);

/// All that an agent is given for a task.
pub struct Picture {
    /// The context files.
    pub context: Vec<ContextFile>,
    /// Lines that several stores have, or a store and a context file.
    pub repeats: Vec<Repeat>,
    /// The tokens of everything.
    pub together: Total,
}

impl Picture {
    /// The picture of the previews of stores and the context files.
    pub fn of(workspace: &Workspace, previews: &[StorePreview], context: Vec<ContextFile>) -> Self {
        let stores = previews.iter().map(|of| {
            let agents = of.agents.iter().map(String::as_str);
            (agents.collect(), &*of.preview.prompt)
        });
        let stores: Vec<Given<'_>> = stores.collect();
        let given = context.iter().filter(|file| file.given);
        let files: Vec<Given<'_>> = given
            .map(|file| (file.agents.clone(), &*file.text))
            .collect();
        Self {
            together: Total::of(&stores, &files),
            repeats: repeats(workspace, previews, &context),
            context,
        }
    }
}

/// Finds the lines that several stores have, or a store and a context file.
fn repeats(
    workspace: &Workspace,
    previews: &[StorePreview],
    context: &[ContextFile],
) -> Vec<Repeat> {
    // Files of context count as one source: often one of them is a copy of another for other agents.
    let mut sources: Vec<(usize, String, Cow<'_, str>)> = Vec::new();
    if previews.len() + usize::from(!context.is_empty()) > 1 {
        for (source, of) in previews.iter().enumerate() {
            let selected = of.preview.selected.iter();
            let selected = selected.filter_map(|verdict| of.memories.get(verdict.memory));
            sources.extend(selected.map(|memory| {
                let body = workspace.collection.body(memory).unwrap_or_default();
                (source, memory.id.to_string(), body.into())
            }));
        }
        let files = context.iter().filter(|file| file.given);
        let files = files.map(|file| (previews.len(), file.path.clone(), (&*file.text).into()));
        sources.extend(files);
    }
    let texts = sources
        .iter()
        .map(|(source, id, body)| (*source, &**id, &**body));
    let repeat = |(text, ids): (&str, Vec<&str>)| Repeat {
        text: text.to_owned(),
        ids: ids.into_iter().map(ToOwned::to_owned).collect(),
    };
    let repeats = repeated(texts).into_iter().take(MOST);
    repeats.map(repeat).collect()
}
