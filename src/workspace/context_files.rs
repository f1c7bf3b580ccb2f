//! All that an agent is given for a task: prompts of stores, and files loaded beside memories.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use itertools::Itertools as _;
use serde::Serialize;

use super::Workspace;
use super::preview::{PREVIEWS, StorePreview};
use crate::agent::hook::settings::{AGENTS, HookedAgent};
use crate::memory::format::{LOADED, table_of};
use crate::memory::{Memory, tokens_of};
use crate::retrieval::multi_store::join;
use crate::retrieval::{Limits, Policy, Reason, Snapshot, Task, Verdict};
use crate::store::{Store, discover};
use crate::systems::policy;

impl Workspace {
    /// Adds the files that agents are given beside memories.
    pub fn join_context(&self) {
        let stores = &self.collection.stores;
        if !self.collection.infos().any(|info| info.kind.is_context) {
            let context = discover::context(&self.collection.root);
            stores.join(context.into_iter().collect());
        }
    }

    /// Files and folders of agents in the root, each with the agents that read it.
    pub fn agents_here(&self) -> Vec<String> {
        let files = ContextFiles::load(self).files(self, &Task::default());
        let files = files.iter().filter(|file| !file.agents.is_empty());
        let files = files.map(|file| format!("{} ({})", file.path, file.agents.join(", ")));
        let folder = |agent: &HookedAgent| {
            let name = agent.file.split('/').next()?;
            let is_there = self.collection.root.join(name).is_dir() && name != ".github";
            is_there.then(|| format!("{name} ({})", agent.title))
        };
        files.chain(AGENTS.values().filter_map(folder)).collect()
    }

    /// True if no program reads the memory's store and no rule tells a model to.
    pub fn is_unread(&self, memory: &Memory) -> bool {
        let has_carriers = |schema| table_of(schema).is_some_and(|table| table.carriers.is_some());
        if !has_carriers(memory.schema) {
            return false;
        }
        let is_unread = |store: &dyn Store| {
            let settings = self.collection.settings(store);
            settings.is_ok_and(|settings| settings.get("carrier") == Some(""))
        };
        let unread = self.unread.get_or_init(|| {
            let all = self.collection.stores.iter();
            let own = all.filter(|store| has_carriers(store.schema()) && is_unread(*store));
            own.map(|store| store.info().id.clone()).collect()
        });
        unread.contains(&memory.id.store)
    }
}

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

    fn policy(&self) -> Option<&'static Policy> {
        policy(self.store.as_ref()?.info().policy())
    }

    /// Each with the decision for a task.
    pub fn files(&self, workspace: &Workspace, task: &Task) -> Vec<ContextFile> {
        let (Some(store), Some(policy)) = (&self.store, self.policy()) else {
            return Vec::new();
        };
        let options = store.settings(&workspace.collection.root);
        let limits = Limits {
            options: options.unwrap_or_default(),
            ..Limits::default()
        };
        let wanted: Vec<usize> = (0..self.memories.len()).collect();
        let scorer = PREVIEWS.build(policy, self.memories.clone());
        let verdicts = scorer.verdicts(task, &limits, &wanted, &workspace.collection);
        let file = |(memory, verdict): (&Arc<Memory>, Verdict)| {
            let path = workspace.collection.shown(&memory.path);
            let beside = store.beside(memory).unwrap_or_default();
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
        let from = self.memories.iter().map(|memory| {
            let store = self.store.as_ref();
            let from = store.map(|store| store.importers(memory));
            let from = from.unwrap_or_default();
            let is_from = |one: &Arc<Memory>| from.iter().any(|path| **path == *one.path);
            self.memories.iter().positions(is_from).collect()
        });
        let from: Vec<Vec<usize>> = from.collect();
        let table = self.memories.first().and_then(|one| table_of(one.schema));
        let follow = names(table.map(|table| &*table.follows_imports));
        // An import of an import is one step further.
        for _ in 0..files.len().min(MOST_STEPS) {
            for (at, from) in from.iter().enumerate() {
                let given = from.iter().filter_map(|from| files.get(*from));
                let agents = given.filter(|file| file.given);
                let agents = agents.flat_map(|file| &file.agents);
                let agents = agents.copied().filter(|one| follow.contains(one));
                let agents: Vec<&str> = agents.collect();
                if let Some(file) = files.get_mut(at).filter(|_| !from.is_empty()) {
                    file.agents.extend(agents);
                    file.agents.sort_unstable();
                    file.agents.dedup();
                }
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

/// Tokens of all that is given for a task, each text counted once.
#[derive(Serialize)]
pub struct Total {
    pub tokens: usize,
    memories: usize,
    context: usize,
    /// Tokens per agent, of the agents that have stores or files of their own.
    pub agents: BTreeMap<String, usize>,
}

impl Total {
    /// The parts of the total; empty if it is memories alone.
    pub fn parts(&self) -> String {
        match self.context {
            0 => String::new(),
            context => format!("memories {}, context files {context}", self.memories),
        }
    }
}

/// All that an agent is given for a task.
pub struct Picture {
    /// The context files.
    pub context: Vec<ContextFile>,
    /// The tokens of everything.
    pub together: Total,
}

impl Picture {
    /// The picture of the previews of stores and the context files.
    pub fn of(previews: &[StorePreview], context: Vec<ContextFile>) -> Self {
        let stores = previews.iter().map(|of| {
            let agents: Vec<&str> = of.agents.iter().map(String::as_str).collect();
            (agents, &*of.preview.prompt)
        });
        let files = context.iter().filter(|file| file.given);
        let files = files.map(|file| (file.agents.clone(), &*file.text));
        let all: Vec<(Vec<&str>, &str)> = stores.chain(files).collect();
        let tokens = |agent: Option<&str>| {
            // An agent is given its own texts and those without agents.
            let is_given = |agents: &[&str]| {
                agents.is_empty() || agent.is_none_or(|agent| agents.contains(&agent))
            };
            let own = all.iter().filter(|(agents, _)| is_given(agents));
            tokens_of(join(own.map(|(_, text)| *text)).len())
        };
        let agents: BTreeSet<&str> = all.iter().flat_map(|(agents, _)| agents.clone()).collect();
        let agents = agents
            .into_iter()
            .map(|one| (one.to_owned(), tokens(Some(one))));
        let prompts = previews.iter().map(|of| &*of.preview.prompt);
        let (sum, memories) = (tokens(None), tokens_of(join(prompts).len()));
        let together = Total {
            tokens: sum,
            memories,
            context: sum.saturating_sub(memories),
            agents: agents.collect(),
        };
        Self { context, together }
    }
}
