//! The tasks that a team wrote down, with the settings under which stores decide about them.

use std::collections::{BTreeSet, HashMap};

use super::preview::PREVIEWS;
use super::unread::unread;
use super::{Error, Workspace};
use crate::memory::Timestamp;
use crate::retrieval::expect::TaskSuite;
use crate::retrieval::{Limits, tasks};
use crate::store::control::{self, Owner};
use crate::systems::policy;

impl Workspace {
    /// The policies, limits and tasks that lint replays, and notes on what cannot be replayed.
    pub fn replay(&self, now: Timestamp) -> (TaskSuite, Vec<String>) {
        let settings = &self.settings.inject;
        let policies = self.collection.policies();
        let stores = self.collection.stores.iter();
        let mut notes: Vec<String> = stores
            .filter_map(|store| {
                let error = self.collection.settings(&**store).err()?;
                let id = &store.info().id;
                Some(format!("{}; {id} is played without it", unread(&error)))
            })
            .collect();
        let wanted = settings.dialect.as_deref().unwrap_or_default();
        let known = policies.iter().flat_map(|of| of.policy.dialects());
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
    pub fn task_suite(&self, now: Timestamp) -> Result<TaskSuite, Error> {
        let tasks = self.written_tasks()?;
        let (suite, _) = self.replay(now);
        let agents: BTreeSet<&str> = tasks.iter().map(|task| &*task.agent).collect();
        Ok(TaskSuite {
            agents: self.limits_of_agents(agents, &suite.limits)?,
            tasks,
            ..suite
        })
    }

    /// The tasks of the tasks file; none without a file.
    fn written_tasks(&self) -> Result<Vec<tasks::Written>, Error> {
        let root = &self.collection.root;
        let Some(text) = control::text(&root.join(tasks::PATH), Owner::Project(root))? else {
            return Ok(Vec::new());
        };
        tasks::parse(&text, |name| policy(name).is_some()).map_err(|error| {
            let place = format!("{}:{}:{}", tasks::PATH, error.line, error.column);
            Error::wrong(error.message).place(place)
        })
    }
}
