//! What written tasks have to be given, and what a change of the memories does to them.
//!
//! ```text
//! memories + how each store decides ─> Stage ─ play(task) ─> Answer ─┬─ judge(task) ─> Judged
//!                                                     Answer before ─┴─ compare ────> TaskEffect
//! ```

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::tasks::Written;
use super::together::{Together, Way};
use super::{Limits, Scorer, Snapshot, Texts};
use crate::memory::{Memory, MemoryId, StoreId, Timestamp};
use crate::systems::policy;

/// The memories of one moment with what decides about them: a place where tasks are played.
pub struct Stage<'a> {
    memories: &'a Snapshot,
    texts: &'a dyn Texts,
    ways: &'a [Way],
    limits: &'a Limits,
    agents: Option<&'a HashMap<String, Limits>>,
    now: Timestamp,
    scorer: Scoring<'a>,
}

/// What scores the tasks of a stage.
enum Scoring<'a> {
    Own(Box<Together>),
    Shared(&'a dyn Scorer),
}

/// The tasks of a team, and how its stores decide about them.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The tasks.
    pub tasks: Vec<Written>,
    /// The policy of each store.
    pub ways: Vec<Way>,
    /// How much is selected, as it is configured.
    pub limits: Limits,
    /// The same for agents with settings of their own.
    pub agents: HashMap<String, Limits>,
    /// The clock.
    pub now: Timestamp,
}

impl Script {
    /// A stage with these memories. An index makes many tasks fast.
    pub fn stage<'a>(&'a self, memories: &'a Snapshot, texts: &'a dyn Texts) -> Stage<'a> {
        let settings = (&*self.ways, &self.limits);
        Stage::new(memories, texts, settings, self.now).with_agents(&self.agents)
    }

    /// The same with a scorer of these memories that is there already.
    pub fn stage_with<'a>(
        &'a self,
        memories: &'a Snapshot,
        texts: &'a dyn Texts,
        scorer: &'a dyn Scorer,
    ) -> Stage<'a> {
        Stage {
            memories,
            texts,
            ways: &self.ways,
            limits: &self.limits,
            agents: Some(&self.agents),
            now: self.now,
            scorer: Scoring::Shared(scorer),
        }
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

/// What a task is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The memories, in the order of the prompt.
    pub given: Vec<Given>,
    /// The prompts of all stores.
    pub prompt: String,
    /// Tokens of the prompts.
    pub tokens: usize,
}

impl<'a> Stage<'a> {
    /// A stage with these memories. An index makes many tasks fast.
    pub fn new(
        memories: &'a Snapshot,
        texts: &'a dyn Texts,
        (ways, limits): (&'a [Way], &'a Limits),
        now: Timestamp,
    ) -> Self {
        let mut scorer = Together::new(ways, memories);
        scorer.index(texts);
        Self {
            memories,
            texts,
            ways,
            limits,
            agents: None,
            now,
            scorer: Scoring::Own(Box::new(scorer)),
        }
    }

    /// The same with limits of their own for some agents.
    pub fn with_agents(self, agents: &'a HashMap<String, Limits>) -> Self {
        Self {
            agents: Some(agents),
            ..self
        }
    }

    /// The same with other texts of some memories, and the same index.
    pub fn with_texts<'s>(&'s self, texts: &'s dyn Texts) -> Stage<'s> {
        Stage {
            texts,
            scorer: Scoring::Shared(match &self.scorer {
                Scoring::Own(scorer) => &**scorer,
                Scoring::Shared(scorer) => *scorer,
            }),
            ..*self
        }
    }

    /// What a task is given.
    pub fn play(&self, task: &Written) -> Answer {
        self.play_with(task, None)
    }

    /// The same with another version of a memory in its place.
    pub fn play_with(&self, task: &Written, what_if: Option<(usize, &Memory)>) -> Answer {
        let own = self.agents.and_then(|agents| agents.get(&task.agent));
        let limits = own.unwrap_or(self.limits);
        let limits = task.limits(limits, self.ways.iter().map(|way| &way.store));
        let own = task.policy.as_deref().and_then(policy).map(|policy| {
            let way = |way: &Way| Way {
                policy,
                ..way.clone()
            };
            let ways: Vec<Way> = self.ways.iter().map(way).collect();
            Together::new(&ways, self.memories)
        });
        let scorer: &dyn Scorer = match (&own, &self.scorer) {
            (Some(own), _) => own,
            (None, Scoring::Own(scorer)) => &**scorer,
            (None, Scoring::Shared(scorer)) => *scorer,
        };
        let preview = scorer.preview(&task.task(self.now), &limits, what_if, self.texts);
        // Context files are given whatever the task is: nothing is expected of them.
        let is_context = |verdict: &&super::Verdict| {
            let memory = self.memories.get(verdict.memory);
            memory.is_some_and(|memory| memory.schema.can.context)
        };
        let context = preview.selected.iter().filter(is_context);
        let context: usize = context.map(|verdict| verdict.tokens).sum();
        let given = |verdict: &super::Verdict| {
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
            prompt: match Arc::try_unwrap(preview) {
                Ok(preview) => preview.prompt,
                Err(shared) => shared.prompt.clone(),
            },
        }
    }
}

/// How a task comes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What the team calls the task.
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
    /// Share of what is given that must or may be, of the stores that the lists name; none where
    /// they give nothing.
    pub precision: Option<f64>,
    /// Tokens over the limit of the task.
    pub over: usize,
    /// What it is given.
    pub answer: Answer,
}

impl Judged {
    /// Whether the task is given what it has to be.
    pub const fn has_passed(&self) -> bool {
        self.missing.is_empty() && self.unexpected.is_empty() && self.over == 0
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
    let own: Vec<&MemoryId> = answer.given.iter().map(|one| &one.id).collect();
    let own: Vec<&MemoryId> = own
        .into_iter()
        .filter(|id| stores.contains(&id.store))
        .collect();
    let unwanted = |id: &&&MemoryId| has(&task.must_not, id) || may.is_some() && !fits(id);
    let share = |part: usize, of: usize| (of > 0).then(|| part as f64 / of as f64);
    Judged {
        name: task.name().to_owned(),
        expected: task.must.clone(),
        recall: share(task.must.len() - missing.len(), task.must.len()),
        precision: share(own.iter().filter(|id| fits(id)).count(), own.len()),
        unexpected: own
            .iter()
            .filter(unwanted)
            .map(|id| (*id).clone())
            .collect(),
        unknown: unknown.cloned().collect(),
        missing,
        over: answer
            .tokens
            .saturating_sub(task.max_tokens.unwrap_or(usize::MAX)),
        answer,
    }
}

/// Whether an id as people write it names a memory: all of it, or LOCAL.
pub fn is_named(written: &str, id: &MemoryId) -> bool {
    let rest = written.strip_prefix(&*id.store.0);
    *id.local == *written || rest.and_then(|rest| rest.strip_prefix(':')) == Some(&*id.local)
}

/// A memory whose rank is another one: before and after.
pub type RankMove = (MemoryId, usize, usize);

/// What a change does to one task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskEffect {
    /// The task's name.
    pub task: String,
    /// Memories that it is given after the change only.
    pub entered: Vec<MemoryId>,
    /// Memories that it was given before the change only.
    pub left: Vec<MemoryId>,
    /// Memories that it is given before and after, with another rank.
    pub ranks: Vec<RankMove>,
}

impl TaskEffect {
    /// Whether the change does nothing to the task.
    pub const fn is_empty(&self) -> bool {
        self.entered.is_empty() && self.left.is_empty() && self.ranks.is_empty()
    }
}

/// What enters, leaves and moves for each task between two moments; one for each task, in order.
pub fn effect(before: &Stage<'_>, after: &Stage<'_>, tasks: &[Written]) -> Vec<TaskEffect> {
    let one = |task: &Written| compare(task, &before.play(task), &after.play(task));
    tasks.iter().map(one).collect()
}

/// The same for one memory of a stage, of which another version takes the place.
pub fn effect_of(
    stage: &Stage<'_>,
    what_if: (usize, &Memory),
    tasks: &[Written],
) -> Vec<TaskEffect> {
    let one = |task: &Written| {
        let after = stage.play_with(task, Some(what_if));
        compare(task, &stage.play(task), &after)
    };
    tasks.iter().map(one).collect()
}

/// What enters, leaves and moves between two answers to a task.
pub fn compare(task: &Written, before: &Answer, after: &Answer) -> TaskEffect {
    let ranks = |answer: &Answer| -> HashMap<MemoryId, Option<usize>> {
        let given = answer.given.iter();
        given.map(|one| (one.id.clone(), one.rank)).collect()
    };
    let (was, is) = (ranks(before), ranks(after));
    let ids = |answer: &Answer, other: &HashMap<MemoryId, Option<usize>>| {
        let given = answer.given.iter().map(|one| &one.id);
        given
            .filter(|id| !other.contains_key(*id))
            .cloned()
            .collect()
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

/// What comes of tasks on a stage, and what another version of a memory does to them, where it does
/// something.
pub fn played(
    stage: &Stage<'_>,
    tasks: &[Written],
    what_if: Option<(usize, Box<Memory>)>,
) -> (Vec<(Written, Judged)>, Vec<TaskEffect>) {
    let (mut all, mut effects) = (Vec::with_capacity(tasks.len()), Vec::new());
    for task in tasks {
        let answer = stage.play(task);
        if let Some((index, memory)) = &what_if {
            let after = stage.play_with(task, Some((*index, &**memory)));
            effects.push(compare(task, &answer, &after));
        }
        all.push((task.clone(), judge(task, answer, stage.memories)));
    }
    effects.retain(|effect| !effect.is_empty());
    (all, effects)
}
