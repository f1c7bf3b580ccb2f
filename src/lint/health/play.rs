//! Plays the repository's own history as tasks, through the policy of each store.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::lint::Context;
use crate::lint::repository::History;
use crate::memory::{Memory, Role, State, Value};
use crate::retrieval::phrase::{self, Lexicon};
use crate::retrieval::tasks::{Written, counted};
use crate::retrieval::{Limits, MultiScorer, Preview, Reason, Scorer as _, StorePolicy, Task};
use crate::systems::rawko::Dialect;
use crate::systems::rawko::pattern::{self, Matcher, SearchText};

/// Minimum number of tasks.
pub const FEWEST: usize = 20;

/// Memories times tasks that are played: about two seconds.
const MOST: usize = 20_000_000;

/// Rejected memories that are looked at for each task, the best first.
const NEAR: usize = 50;

/// Places of a store whose policy has no such number.
const PLACES: usize = 5;

/// A task that was played.
pub struct Played {
    /// The task.
    pub task: Task,
    /// The files its commit changed.
    pub files: Vec<Box<str>>,
    /// Its entry in the tasks of the team.
    pub written: Option<Written>,
}

/// The result of a memory.
#[derive(Default)]
pub struct Fate {
    /// The tasks that selected it.
    pub selected: usize,
    /// Tokens that it took of their prompts.
    pub tokens: usize,
    /// The tasks that it matches, selected or not.
    pub matched: usize,
    /// True if a task rejected it.
    pub rejected: bool,
    /// True if a task rejected it for lack of points or places.
    pub competes: bool,
    /// The patterns that brought it in, and how often.
    pub patterns: HashMap<String, usize>,
}

/// The result of playing one store.
#[derive(Default)]
pub struct Outcome {
    /// Its memories that can be selected, in order.
    pub memories: Vec<usize>,
    /// The tasks.
    pub tasks: Vec<Played>,
    /// Number of tasks that there would have been.
    pub all: usize,
    /// The result of each of its memories.
    pub fates: HashMap<usize, Fate>,
    /// The most memories that are selected for a task, where there is such a number.
    pub places: Option<usize>,
}

/// Beginnings of subjects that name no task: what tools write, and what only keeps the history going.
const NO_TASK: &str = "merge |bump |release|chore(release)|chore(deps|build(deps|\
    fixup!|squash!|wip|initial commit|update dependencies";

/// The tasks of a repository: those that are written down, then what was done, newest first.
pub fn tasks(cx: &Context<'_>) -> Vec<Played> {
    let history = cx.project.history().ok();
    let below = |memory: &Arc<Memory>| history?.below_root(&memory.path);
    let own: HashSet<String> = cx.memories.iter().filter_map(below).collect();
    let written = cx.play.tasks.iter().map(|task| Played {
        task: task.task(cx.play.now),
        files: task.files.iter().map(|file| file.as_str().into()).collect(),
        written: Some(task.clone()),
    });
    let mut known = HashSet::new();
    let done = history.into_iter().flat_map(History::recent);
    let done = done.filter(|(commit, files)| {
        let subject = commit.subject.trim().to_lowercase();
        let is_task =
            subject.contains(' ') && !NO_TASK.split('|').any(|no| subject.starts_with(no));
        // Writing memories down is no task that needs them.
        let is_about = |file: &str| !own.contains(file) && !file.starts_with(".memkeep/");
        let works = files.is_empty() || files.iter().any(|file| is_about(file));
        is_task && works && known.insert(subject)
    });
    let done = done.map(|(commit, files)| Played {
        task: Task {
            text: commit.subject.to_string(),
            now: cx.now,
            ..Task::default()
        },
        files: files.clone(),
        written: None,
    });
    written.chain(done).collect()
}

impl Outcome {
    /// Plays the tasks through a store's policy; if it cannot, why. The reason is empty where the
    /// selection does not depend on the task, or there are too few tasks or memories.
    pub fn new(cx: &Context<'_>, way: &StorePolicy) -> Result<Self, &'static str> {
        let (play, mut tasks) = (cx.play, tasks(cx));
        let dialect = way.policy.dialect(play.limits.dialect);
        if tasks.len() < FEWEST || !(way.policy.goes_by_task)(dialect) {
            return Err("");
        }
        let can = |memory: &Memory| {
            memory.id.store == way.store
                && memory.state == State::Active
                && memory.hidden_at(cx.now).is_none()
        };
        let all = cx.memories.iter().enumerate();
        let memories = all.filter(|(_, memory)| can(memory)).map(|(at, _)| at);
        let memories: Vec<usize> = memories.collect();
        if memories.len() <= 1 {
            return Err("");
        }
        let most = MOST / memories.len();
        if most < FEWEST {
            return Err("it holds too many memories");
        }
        let count = tasks.len();
        tasks.truncate(most);
        let previews = play.previews.ok_or("")?;
        let scorer = MultiScorer::new(previews, std::slice::from_ref(way), cx.memories);
        let mut outcome = Self {
            memories,
            all: count,
            ..Self::default()
        };
        let limits = Limits {
            rejected: NEAR,
            budget: None,
            ..play.limits.clone()
        };
        for played in &tasks {
            let preview = scorer.preview(&played.task, &limits, None, cx.texts);
            outcome.take(Arc::unwrap_or_clone(preview));
        }
        outcome.tasks = tasks;
        Ok(outcome)
    }

    fn take(&mut self, preview: Preview) {
        self.places = preview.places;
        use Reason::{BelowImportance, NoMatch, OverBudget, OverLimit};
        for verdict in preview.selected {
            let fate = self.fates.entry(verdict.memory).or_default();
            fate.selected += 1;
            fate.matched += 1;
            fate.tokens += verdict.tokens;
            if let Some(found) = verdict.matched {
                *fate.patterns.entry(found.pattern).or_default() += 1;
            }
        }
        for verdict in preview.rejected {
            let fate = self.fates.entry(verdict.memory).or_default();
            fate.matched += usize::from(verdict.matched.is_some());
            fate.rejected = true;
            let reasons = [NoMatch, BelowImportance, OverLimit, OverBudget];
            fate.competes |= reasons.contains(&verdict.reason) && verdict.score.is_some();
        }
    }

    /// The number of played tasks, in words.
    pub fn played(&self) -> String {
        let played = counted(self.tasks.iter().map(|task| task.written.is_some()));
        match self.tasks.len() < self.all {
            true => format!("the newest {played} of {}", self.all),
            false => played,
        }
    }

    /// The tasks that selected a memory.
    pub fn selected(&self, memory: usize) -> usize {
        self.fates.get(&memory).map_or(0, |fate| fate.selected)
    }

    /// True if every memory has a place.
    pub fn has_room(&self) -> bool {
        let fits = |places: usize| self.memories.len() <= places.max(PLACES);
        self.places.is_some_and(fits)
    }
}

/// The names of the agents that wrote memories or run tasks, which patterns may go by.
pub struct Agents {
    names: Vec<SearchText>,
    matcher: Matcher,
}

impl Agents {
    /// The agents of an outcome.
    pub fn of(cx: &Context<'_>, outcome: &Outcome) -> Self {
        const MOST: usize = 20;
        let authors = outcome.memories.iter();
        let authors = authors.filter_map(|at| cx.memories.get(*at)?.author());
        let named = outcome.tasks.iter().map(|played| &*played.task.agent);
        let names: BTreeSet<&str> = named.chain(authors).collect();
        let names = names.into_iter().filter(|name| !name.trim().is_empty());
        let names = names.take(MOST).map(|name| SearchText::new("", name));
        Self {
            names: names.collect(),
            matcher: Matcher::default(),
        }
    }

    /// True if the name of an agent, which the history does not tell, selects a memory.
    pub fn select(&self, memory: &Memory) -> bool {
        let lexicon = &mut Lexicon::default();
        patterns(memory).any(|pattern| {
            self.names.iter().any(|name| {
                let found = self.matcher.find(pattern, name, Dialect::Natural);
                // A pattern that times out counts as matching.
                matches!(found, pattern::Outcome::Hit(..) | pattern::Outcome::TooSlow)
                    || phrase::find(pattern, &name.stems, lexicon).is_some()
            })
        })
    }
}

/// The patterns of a memory that are text.
pub fn patterns(memory: &Memory) -> impl Iterator<Item = &str> {
    let patterns = memory.role(Role::Patterns).into_iter();
    patterns.flat_map(Value::items).filter_map(Value::as_str)
}
