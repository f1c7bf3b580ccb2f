//! The selection that agents get for a task: the only place that builds scorers.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use itertools::Itertools as _;

use super::error::unread;
use super::{Error, Result, Workspace};
use crate::config::InjectSettings;
use crate::memory::schema::IMPORTANCE;
use crate::memory::{Memory, Timestamp};
use crate::retrieval::expect::{Caveat, Caveats, TaskSuite};
use crate::retrieval::{
    Limits, MultiScorer, Options, Policy, Preview, Previews, Reason, Scorer, Snapshot, Task,
    Verdict, tasks,
};
use crate::store::Store;
use crate::store::control::{self, Owner};
use crate::systems::{POLICIES, policy};

#[derive(Debug)]
struct Scorers;

impl Previews for Scorers {
    fn build(&self, policy: &'static Policy, memories: Snapshot) -> Box<dyn Scorer> {
        policy.scorer(memories)
    }

    fn policies(&self) -> &'static [&'static Policy] {
        POLICIES
    }
}

/// Builds scorers, for facts of rooms that only ask for previews.
pub static PREVIEWS: &dyn Previews = &Scorers;

/// The preview of one store.
pub struct StorePreview {
    /// Its id.
    pub store: String,
    /// Names of the agents that are given the store; empty if all are.
    pub agents: Vec<String>,
    /// Its memories.
    pub memories: Snapshot,
    /// The selection.
    pub preview: Arc<Preview>,
    /// Time that the selection took.
    pub elapsed: Duration,
    /// Settings that do nothing.
    pub notes: Vec<String>,
    /// The warnings about what is selected here and in other stores, once they are known.
    pub caveats: Caveats,
}

impl StorePreview {
    /// The warnings about a verdict's memory, if it is selected.
    pub fn caveats_of(&self, verdict: &Verdict) -> &[Caveat] {
        let own = self.memories.get(verdict.memory);
        let own = own.filter(|_| verdict.reason == Reason::Selected);
        let own = own.and_then(|memory| self.caveats.get(&memory.id));
        own.map_or(&[], Vec::as_slice)
    }

    /// The selected memories.
    pub fn given(&self) -> impl Iterator<Item = &Arc<Memory>> {
        let selected = self.preview.selected.iter();
        selected.filter_map(|verdict| self.memories.get(verdict.memory))
    }
}

/// The folder of the agents' own files.
pub const AGENTS: &str = ".rawko/agents";

impl Workspace {
    /// A scorer of the memories of all stores.
    pub fn scorer(&self, memories: &Snapshot) -> MultiScorer {
        MultiScorer::new(PREVIEWS, &self.collection.policies(), memories)
    }

    /// Previews a task on some memories by one policy.
    pub fn preview(
        &self,
        task: &Task,
        (policy, limits): (&'static Policy, &Limits),
        memories: &Snapshot,
    ) -> Arc<Preview> {
        let scorer = PREVIEWS.build(policy, memories.clone());
        let preview = scorer.preview(task, limits, None, &self.collection);
        self.leave(scorer);
        preview
    }

    /// Previews a task on one store of a snapshot.
    pub fn preview_store(
        &self,
        store: &dyn Store,
        task: &Task,
        (policy, limits): (&'static Policy, &Limits),
        memories: &[Arc<Memory>],
    ) -> StorePreview {
        let memories = of_store(store, memories);
        let start = Instant::now();
        let preview = self.preview(task, (policy, limits), &memories);
        StorePreview {
            store: store.info().id.to_string(),
            agents: store.info().readers(),
            elapsed: start.elapsed(),
            preview,
            memories,
            notes: (policy.notes)(limits),
            caveats: Caveats::default(),
        }
    }

    /// The limits of some settings in a dialect, with so many rejected memories reported.
    pub fn limits(&self, from: &InjectSettings, dialect: &'static str, rejected: usize) -> Limits {
        let mut options = Options::default();
        // A clock that is set is that of Greenwich.
        if self.options.now.is_none() {
            options.set("utc-offset", self.collection.east.to_string());
        }
        Limits {
            dialect,
            max: from.max,
            min_importance: from.min_importance.clone(),
            budget: from.budget,
            score_bonus: from.score_bonus.unwrap_or_default(),
            rejected,
            options,
            ..Limits::default()
        }
    }

    /// The limits with the settings of these agents' own files, by agent.
    pub fn limits_of_agents<'a>(
        &self,
        agents: impl IntoIterator<Item = &'a str>,
        usual: &Limits,
    ) -> Result<HashMap<String, Limits>> {
        let of_agent = |agent: &str| {
            let flags = InjectSettings {
                agent: Some(agent.to_owned()).filter(|agent| !agent.is_empty()),
                ..InjectSettings::default()
            };
            let settings = self.inject_settings(flags, None)?;
            let limits = Limits {
                options: usual.options.clone(),
                ..self.limits(&settings, usual.dialect, usual.rejected)
            };
            Ok((agent.to_owned(), limits))
        };
        agents.into_iter().map(of_agent).collect()
    }

    /// Flags over the environment, the agent's own file, the project and the user.
    pub fn inject_settings(
        &self,
        flags: InjectSettings,
        agent_file: Option<&Path>,
    ) -> Result<InjectSettings> {
        let upper = flags.over(self.environment.inject.clone());
        let below = self.settings.inject.clone();
        let agent = upper.agent.clone().or_else(|| below.agent.clone());
        let own = self.agent_settings(agent_file, agent.as_deref())?;
        let all = upper.over(own).over(below);
        let unknown = |word: &&str| !IMPORTANCE.contains(word);
        match all.min_importance.as_deref().filter(unknown) {
            Some(word) => Err(Error::wrong(format!("`{word}` is no importance"))
                .hint(format!("one of {}", IMPORTANCE.join(", ")))),
            None => Ok(all),
        }
    }

    /// The agents that have a file of their own.
    pub fn agents(&self) -> BTreeSet<String> {
        let files = std::fs::read_dir(self.collection.root.join(AGENTS));
        let files = files.into_iter().flatten().flatten();
        let name = |name: OsString| Some(name.to_str()?.strip_suffix(".md")?.to_owned());
        files.filter_map(|file| name(file.file_name())).collect()
    }

    fn agent_settings(&self, file: Option<&Path>, agent: Option<&str>) -> Result<InjectSettings> {
        let root = &self.collection.root;
        let is_plain = |agent: &&str| {
            !agent.is_empty() && !agent.contains(['/', '\\', '\0']) && *agent != ".."
        };
        let own = agent.filter(is_plain).map(|agent| format!("{agent}.md"));
        let own = own.map(|name| (root.join(AGENTS).join(name), Owner::Project(root)));
        let named = file.map(|file| (self.start.join(file), Owner::Person));
        let Some((path, owner)) = named.or(own) else {
            return Ok(InjectSettings::default());
        };
        let text = control::text(&path, owner)?;
        if text.is_none() && file.is_some() {
            let what = "the agent's file cannot be read: No such file or directory";
            return Err(Error::wrong(what).place(path.display().to_string()));
        }
        Ok(InjectSettings::of_agent(&text.unwrap_or_default()))
    }

    /// Settings of a system's own configuration. Where other stores are previewed too, one that
    /// cannot be read is told and counts for nothing.
    pub fn store_settings(&self, store: &dyn Store) -> Result<Options> {
        match self.collection.settings(store) {
            Err(error) if self.collection.infos().count() > 1 => {
                let (what, id) = (unread(&error), &store.info().id);
                self.tell(&format!("note: {what}; {id} is previewed without it"));
                Ok(Options::default())
            }
            settings => Ok(settings?),
        }
    }

    /// The policies, limits and tasks that lint replays, and notes on what cannot be replayed.
    pub fn replay(&self, now: Timestamp) -> (TaskSuite, Vec<String>) {
        let settings = &self.settings.inject;
        let policies = self.collection.policies();
        let notes = self.collection.stores.iter().filter_map(|store| {
            let (error, id) = (self.collection.settings(store).err()?, &store.info().id);
            Some(format!("{}; {id} is played without it", unread(&error)))
        });
        let mut notes: Vec<String> = notes.collect();
        let wanted = settings.dialect.as_deref().unwrap_or_default();
        let known = policies.iter().flat_map(|of| of.policy.dialects);
        let dialect = known.copied().find(|known| *known == wanted);
        let tasks = self.written_tasks().unwrap_or_else(|error| {
            notes.push(format!("{}; its tasks are not played", error.in_a_line()));
            Vec::new()
        });
        let limits = Limits {
            budget: None,
            ..self.limits(settings, dialect.unwrap_or_default(), 0)
        };
        let suite = TaskSuite {
            tasks,
            policies,
            limits,
            agents: HashMap::new(),
            now,
            previews: Some(PREVIEWS),
        };
        (suite, notes)
    }

    /// The tasks that are written down, and how the stores decide about them.
    pub fn task_suite(&self, now: Timestamp) -> Result<TaskSuite> {
        let tasks = self.written_tasks()?;
        let (suite, _) = self.replay(now);
        let agents: BTreeSet<&str> = tasks.iter().map(|task| &*task.agent).collect();
        Ok(TaskSuite {
            agents: self.limits_of_agents(agents, &suite.limits)?,
            tasks,
            ..suite
        })
    }

    fn written_tasks(&self) -> Result<Vec<tasks::Written>> {
        let root = &self.collection.root;
        let Some(text) = control::text(&root.join(tasks::PATH), Owner::Project(root))? else {
            return Ok(Vec::new());
        };
        tasks::parse(&text, |name| policy(name).is_some()).map_err(|error| {
            let (path, line, column) = (tasks::PATH, error.line, error.column);
            Error::wrong(error.message).place(format!("{path}:{line}:{column}"))
        })
    }
}

/// The memories of a store.
pub fn of_store(store: &dyn Store, memories: &[Arc<Memory>]) -> Snapshot {
    let is_own = |memory: &&Arc<Memory>| memory.id.store == store.info().id;
    Arc::new(memories.iter().filter(is_own).cloned().collect())
}

/// The policy with a name.
pub fn policy_named(name: &str) -> Result<&'static Policy> {
    policy(name).ok_or_else(|| {
        let known = POLICIES.iter().map(|policy| policy.name).join(", ");
        Error::wrong(format!("unknown policy `{name}`")).hint(format!("known policies: {known}"))
    })
}

/// True if any policy has a dialect.
pub fn is_dialect(name: &str) -> bool {
    let mut all = POLICIES.iter();
    all.any(|policy| policy.dialects.contains(&name))
}

/// The dialect with this name; empty, which stands for the default, without one.
pub fn dialect(policy: &Policy, name: Option<&str>) -> Result<&'static str> {
    let known = policy.dialects;
    let Some(name) = name else { return Ok("") };
    let found = known.iter().copied().find(|known| *known == name);
    found.ok_or_else(|| {
        let what = format!("the policy {} has no dialect `{name}`", policy.name);
        Error::wrong(what).hint(match known {
            [] => "it has none".to_owned(),
            known => format!("it has {}", known.join(", ")),
        })
    })
}
