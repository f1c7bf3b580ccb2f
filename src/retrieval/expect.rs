//! Runs a team's tasks, judges their results, and compares two results of one task.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::Serialize;

use super::tasks::Written;
pub use super::tasks::is_named;
use super::{Limits, MultiScorer, Previews, Scorer, Snapshot, StorePolicy, Texts, Verdict};
use crate::memory::{Memory, MemoryId, StoreId, Timestamp};

/// Runs tasks on the memories of one moment.
pub struct TaskRunner<'a> {
    memories: &'a Snapshot,
    texts: &'a dyn Texts,
    suite: &'a TaskSuite,
    scorer: &'a dyn Scorer,
}

/// The tasks of a team, and how its stores decide about them.
#[derive(Clone, Debug, Default)]
pub struct TaskSuite {
    /// The tasks.
    pub tasks: Vec<Written>,
    /// The policy of each store.
    pub policies: Vec<StorePolicy>,
    /// The configured limits.
    pub limits: Limits,
    /// The limits of agents with settings of their own.
    pub agents: HashMap<String, Limits>,
    /// The clock.
    pub now: Timestamp,
    /// Builds scorers; without it no task is run.
    pub previews: Option<&'static dyn Previews>,
}

impl TaskSuite {
    /// A scorer of these memories; none if nothing builds scorers.
    pub fn scorer(&self, memories: &Snapshot) -> Option<MultiScorer> {
        let previews = self.previews?;
        Some(MultiScorer::new(previews, &self.policies, memories))
    }
}

/// A memory that a task is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Its id.
    pub id: MemoryId,
    /// Its title.
    pub title: Box<str>,
    /// Its rank in its store, where the policy ranks.
    pub rank: Option<usize>,
    /// Its points, where the policy gives some.
    pub score: Option<f64>,
    /// Tokens of its part of the prompt.
    pub tokens: usize,
}

/// A warning of lint about a memory that a task is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Caveat {
    /// The rule.
    pub rule: &'static str,
    /// The ids of the other memories that it is about; the task is given them too.
    pub related: Vec<String>,
    /// What is wrong, in a sentence without a full stop.
    #[serde(skip)]
    pub message: String,
}

/// The warnings about the memories of a task, by memory.
pub type Caveats = HashMap<MemoryId, Vec<Caveat>>;

/// The memories that a task is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The memories, in the order of the prompt.
    pub given: Vec<Given>,
    /// The prompts of all stores.
    pub prompt: String,
    /// Tokens of the prompts.
    pub tokens: usize,
}

impl<'a> TaskRunner<'a> {
    /// Runs a suite with a scorer of these memories.
    pub fn new(
        suite: &'a TaskSuite,
        memories: &'a Snapshot,
        texts: &'a dyn Texts,
        scorer: &'a dyn Scorer,
    ) -> Self {
        Self {
            memories,
            texts,
            suite,
            scorer,
        }
    }

    /// The runner with other texts of some memories.
    pub fn with_texts<'s>(&'s self, texts: &'s dyn Texts) -> TaskRunner<'s> {
        TaskRunner { texts, ..*self }
    }

    /// The memories that a task is given.
    pub fn play(&self, task: &Written) -> Answer {
        self.play_with(task, None)
    }

    /// The memories that a task is given with another version of one in its place.
    pub fn play_with(&self, task: &Written, what_if: Option<(usize, &Memory)>) -> Answer {
        let suite = self.suite;
        let limits = suite.agents.get(&task.agent).unwrap_or(&suite.limits);
        let policy = task.policy.as_deref();
        let policy = policy.and_then(|name| suite.previews?.policy(name));
        let limits = Limits {
            policy: policy.map(|policy| policy.name),
            ..task.limits(limits, suite.policies.iter().map(|of| &of.store))
        };
        let task = task.task(suite.now);
        let preview = self.scorer.preview(&task, &limits, what_if, self.texts);
        // Context files are given whatever the task is: nothing is expected of them.
        let is_context = |verdict: &&Verdict| {
            let memory = self.memories.get(verdict.memory);
            memory.is_some_and(|memory| memory.schema.can.context)
        };
        let context = preview.selected.iter().filter(is_context);
        let context: usize = context.map(|verdict| verdict.tokens).sum();
        let given = |verdict: &Verdict| {
            let memory = self.memories.get(verdict.memory)?;
            (!memory.schema.can.context).then(|| Given {
                id: memory.id.clone(),
                title: memory.title.clone(),
                rank: verdict.rank,
                score: verdict.score,
                tokens: verdict.tokens,
            })
        };
        Answer {
            given: preview.selected.iter().filter_map(given).collect(),
            tokens: preview.tokens().saturating_sub(context),
            prompt: Arc::unwrap_or_clone(preview).prompt,
        }
    }
}

/// How a task comes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The team's name for the task.
    pub name: String,
    /// Ids that it must be given, as they are written.
    pub expected: Vec<String>,
    /// The expected memories that are not injected.
    pub missing: Vec<String>,
    /// Memories that it is given and must not be.
    pub unexpected: Vec<MemoryId>,
    /// Ids of its lists that no memory has.
    pub unknown: Vec<String>,
    /// Share of what must be given that is given; none where nothing must be.
    pub recall: Option<f64>,
    /// Share of what is given that must or may be, of the stores that the lists name.
    pub precision: Option<f64>,
    /// Tokens over the limit of the task.
    pub over: usize,
    /// The warnings about the memories that it is given, where they are known.
    pub caveats: Caveats,
    /// Contradictions and stale memories that it is given and must not be, in words.
    pub spoiled: Vec<String>,
    /// The memories that it is given.
    pub answer: Answer,
}

impl Judged {
    /// True if the task is given what it has to be.
    pub const fn has_passed(&self) -> bool {
        self.missing.is_empty()
            && self.unexpected.is_empty()
            && self.over == 0
            && self.spoiled.is_empty()
    }

    /// Takes the warnings about what is given; those that the task forbids fail it.
    pub fn take_caveats(&mut self, task: &Written, caveats: Caveats) {
        let is_forbidden = |caveat: &&Caveat| match caveat.rule {
            "contradiction" => task.no_contradictions,
            rule => task.no_stale && rule.starts_with("stale-"),
        };
        for Given { id, .. } in &self.answer.given {
            let own = caveats.get(id).into_iter().flatten();
            let own = own.filter(is_forbidden);
            let own = own.map(|caveat| format!("{id}: {}", caveat.message));
            self.spoiled.extend(own);
        }
        self.caveats = caveats;
    }
}

/// Judges what a task was given.
#[expect(clippy::cast_precision_loss, reason = "memories of a prompt are few")]
pub fn judge(task: &Written, answer: Answer, memories: &[Arc<Memory>]) -> Judged {
    let given = |id: &String| answer.given.iter().any(|one| is_named(id, &one.id));
    let missing: Vec<String> = task.must.iter().filter(|id| !given(id)).cloned().collect();
    let lists = [Some(&task.must), task.may.as_ref(), Some(&task.must_not)];
    let all = || lists.into_iter().flatten().flatten();
    let named = |memory: &&Arc<Memory>| all().any(|id| is_named(id, &memory.id));
    let named: Vec<&MemoryId> = memories.iter().filter(named).map(|one| &one.id).collect();
    let stores: BTreeSet<&StoreId> = named.iter().map(|id| &id.store).collect();
    let unknown = all().filter(|id| !named.iter().any(|known| is_named(id, known)));
    let has = |list: &[String], id: &MemoryId| list.iter().any(|one| is_named(one, id));
    let may = task.may.as_deref();
    let fits = |id: &MemoryId| has(&task.must, id) || may.is_some_and(|may| has(may, id));
    let own = answer.given.iter().map(|one| &one.id);
    let own: Vec<&MemoryId> = own.filter(|id| stores.contains(&id.store)).collect();
    let unwanted = |id: &&&MemoryId| has(&task.must_not, id) || may.is_some() && !fits(id);
    let unexpected = own.iter().filter(unwanted).copied();
    let share = |part: usize, of: usize| (of > 0).then(|| part as f64 / of as f64);
    Judged {
        name: task.name().to_owned(),
        expected: task.must.clone(),
        recall: share(task.must.len() - missing.len(), task.must.len()),
        precision: share(own.iter().filter(|id| fits(id)).count(), own.len()),
        unexpected: unexpected.cloned().collect(),
        unknown: unknown.cloned().collect(),
        missing,
        over: answer
            .tokens
            .saturating_sub(task.max_tokens.unwrap_or(usize::MAX)),
        caveats: Caveats::default(),
        spoiled: Vec::new(),
        answer,
    }
}

/// The effect of a change on one task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskEffect {
    /// The task's name.
    pub task: String,
    /// Memories that it is given after the change only.
    pub entered: Vec<MemoryId>,
    /// Memories that it was given before the change only.
    pub left: Vec<MemoryId>,
    /// Memories that it is given before and after, with another rank: the two ranks.
    pub ranks: Vec<(MemoryId, usize, usize)>,
}

impl TaskEffect {
    /// True if the change does nothing to the task.
    pub const fn is_empty(&self) -> bool {
        self.entered.is_empty() && self.left.is_empty() && self.ranks.is_empty()
    }
}

/// Returns the memories that enter, leave and move between two answers to a task.
pub fn compare(task: &Written, before: &Answer, after: &Answer) -> TaskEffect {
    let ranks = |answer: &Answer| -> HashMap<MemoryId, Option<usize>> {
        let given = answer.given.iter();
        given.map(|one| (one.id.clone(), one.rank)).collect()
    };
    let (was, is) = (ranks(before), ranks(after));
    let ids = |answer: &Answer, other: &HashMap<MemoryId, Option<usize>>| {
        let given = answer.given.iter().map(|one| &one.id);
        let new = given.filter(|id| !other.contains_key(*id));
        new.cloned().collect()
    };
    let moved = |one: &Given| {
        let (from, to) = was.get(&one.id).copied().flatten().zip(one.rank)?;
        (from != to).then(|| (one.id.clone(), from, to))
    };
    TaskEffect {
        task: task.name().to_owned(),
        entered: ids(after, &was),
        left: ids(before, &is),
        ranks: after.given.iter().filter_map(moved).collect(),
    }
}

/// Judges tasks, and lists the effects that another version of a memory has on them.
pub fn played(
    runner: &TaskRunner<'_>,
    tasks: &[Written],
    what_if: Option<(usize, Box<Memory>)>,
) -> (Vec<(Written, Judged)>, Vec<TaskEffect>) {
    let (mut all, mut effects) = (Vec::with_capacity(tasks.len()), Vec::new());
    for task in tasks {
        let answer = runner.play(task);
        if let Some((index, memory)) = &what_if {
            let after = runner.play_with(task, Some((*index, &**memory)));
            effects.push(compare(task, &answer, &after));
        }
        all.push((task.clone(), judge(task, answer, runner.memories)));
    }
    effects.retain(|effect| !effect.is_empty());
    (all, effects)
}
