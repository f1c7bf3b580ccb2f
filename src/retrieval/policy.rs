//! How a system decides: a policy, and its scorer at work on one snapshot.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::whole::Whole;
use super::{Limits, Options, Preview, Snapshot, StoreFault, Task, Texts, Verdict};
use crate::memory::Memory;

/// Stands for the path of a store in the text of [`Policy::skill`].
pub const STORE: &str = "{store}";

/// How one system decides. A new system is a folder of `systems` and a line in its list.
pub trait Policy: Send + Sync {
    /// Its name in the contract.
    fn name(&self) -> &'static str;
    /// Its dialects, the default first; empty where it has none.
    fn dialects(&self) -> &'static [&'static str] {
        &[]
    }
    /// The flags of `inject` that mean something to it, beside the task and the dialect.
    fn flags(&self) -> &'static [&'static str];
    /// Checks a value of one of its flags or settings; the error names the possible values.
    fn check(&self, _name: &str, _value: &str) -> Result<(), String> {
        Ok(())
    }
    /// Its dialect with this name; empty, which stands for the default, where it has none.
    fn dialect(&self, name: &str) -> &'static str {
        let mut known = self.dialects().iter();
        known
            .find(|known| **known == name)
            .copied()
            .unwrap_or_default()
    }
    /// True if the task decides what it selects.
    fn goes_by_task(&self, _dialect: &str) -> bool {
        true
    }
    /// True if its system gives agents texts for a task. If it gives names or an index alone,
    /// `memkeep hook` ranks the memories instead.
    fn gives_texts(&self) -> bool {
        true
    }
    /// Settings under which a prompt speaks of nothing that only the system's own agent has, by
    /// name and value; `memkeep hook` hands prompts to other agents.
    fn for_other_agents(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Notes on settings that do nothing.
    fn notes(&self, _limits: &Limits) -> Vec<String> {
        Vec::new()
    }
    /// The text that teaches an agent to use the system's memories, where there is one. [`STORE`] in
    /// it stands for the path of the store.
    fn skill(&self) -> Option<&'static str> {
        None
    }
    /// The policy that gives a whole store as context.
    fn whole(&self) -> &'static dyn Policy {
        &Whole
    }
    /// Returns errors of a store as a whole. `memories` are its active ones with their indexes in
    /// the snapshot, `options` what its system's own configuration says.
    fn faults(
        &self,
        _memories: &[(usize, &Memory)],
        _options: &Options,
        _texts: &dyn Texts,
    ) -> Vec<StoreFault> {
        Vec::new()
    }
    /// Makes the scorer of a snapshot; cheap.
    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer>;
}

/// A question to a scorer.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The task.
    pub task: &'a Task,
    /// The limits.
    pub limits: &'a Limits,
    /// Another version of one memory, by its index, to see the effect of an edit before it is made.
    pub what_if: Option<(usize, &'a Memory)>,
    /// The memories that are reported where they are not selected; the best, as many as the limits
    /// say, where none are named.
    pub wanted: Option<&'a [usize]>,
    /// The texts of the memories.
    pub texts: &'a dyn Texts,
}

/// A policy at work on one snapshot.
pub trait Scorer: Send + Sync {
    /// Builds what makes many previews of this snapshot fast. Without it every preview is the
    /// same, only slower.
    fn index(&mut self, _texts: &dyn Texts) {}

    /// Answers a question. An unchanged answer is the same allocation as that of the call before,
    /// so that nobody need compare it again.
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview>;

    /// The preview for a task.
    fn preview(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Arc<Preview> {
        self.answer(&Asked {
            task,
            limits,
            what_if,
            wanted: None,
            texts,
        })
    }

    /// The verdicts of single memories, ranks included, for the rows on a screen: those of a
    /// preview without a budget.
    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let limits = Limits {
            budget: None,
            ..limits.clone()
        };
        let preview = self.answer(&Asked {
            task,
            limits: &limits,
            what_if: None,
            wanted: Some(wanted),
            texts,
        });
        let all = preview.selected.iter().chain(&preview.rejected);
        let mut all: HashMap<usize, &Verdict> = all.map(|one| (one.memory, one)).collect();
        let verdicts = wanted.iter().filter_map(|at| all.remove(at));
        verdicts.cloned().collect()
    }
}

/// The flags of the policies that rank by all that a task says.
pub const RANKED_BY: &[&str] = &[
    "agent",
    "agent-file",
    "plan",
    "history",
    "file",
    "max",
    "min-importance",
    "budget",
];

impl fmt::Debug for dyn Policy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
