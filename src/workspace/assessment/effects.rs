//! Effects of each change on the saved tasks and those of the last commits.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;

use super::sides::{SideTexts, Sides, in_order};
use crate::curate::differences::Entry;
use crate::lint::{health, mask};
use crate::memory::{Memory, MemoryId, State};
use crate::retrieval::Snapshot;
use crate::retrieval::expect::{Answer, TaskEffect, TaskRunner, compare};
use crate::retrieval::tasks::{Written, counted};
use crate::workspace::Workspace;
use crate::workspace::lint_facts::LintFacts;

/// Memories times entries times tasks that are played: above it takes seconds.
const MOST: usize = 80_000_000;
/// Fewer tasks say nothing.
const FEWEST: usize = 20;
/// Titles that a line names.
const NAMED: usize = 2;

/// A line for each entry that does something to a task.
pub fn effects(workspace: &Workspace, memories: &Snapshot, entries: &[Entry]) -> Vec<Vec<String>> {
    let none = || vec![Vec::new(); entries.len()];
    let facts = workspace.lint_facts(workspace.now);
    let most = MOST / memories.len().saturating_mul(entries.len()).max(1);
    if most < FEWEST {
        return none();
    }
    let mut tasks = tasks(workspace, memories, &facts);
    tasks.truncate(most);
    if tasks.is_empty() {
        return none();
    }
    let sides = || {
        entries
            .iter()
            .flat_map(|entry| [&entry.before, &entry.after])
    };
    let known = sides().flatten().map(|side| &side.memory);
    let known = known.chain(memories.iter());
    let report = Report {
        titles: known.map(|memory| (&memory.id, &*memory.title)).collect(),
        saved: facts.suite.tasks.len(),
        tasks: &tasks,
    };
    let afters = entries.iter().filter_map(|entry| entry.after.as_ref());
    let texts = SideTexts::new(&workspace.collection, afters);
    // Deleted memories stay in place as archived: one index serves the versions of all entries.
    let now = Sides::new(memories, entries).after;
    let present: HashSet<&MemoryId> = now.iter().map(|memory| &memory.id).collect();
    let gone = entries.iter().filter_map(|entry| entry.before.as_ref());
    let gone = gone.filter(|side| !present.contains(&side.memory.id));
    let gone = gone.map(|side| absent(&side.memory));
    let now = in_order(memories, now.iter().cloned().chain(gone).collect());
    let places: HashMap<&MemoryId, usize> = now.iter().map(|one| &one.id).zip(0..).collect();
    let Some(scorer) = facts.suite.indexed(&now, &texts) else {
        return none();
    };
    let runner = TaskRunner::new(&facts.suite, &now, &texts, &scorer);
    let after: Vec<Answer> = tasks.iter().map(|task| runner.play(task)).collect();
    let one = |entry: &Entry| {
        let sides = || [&entry.after, &entry.before].into_iter().flatten();
        let place = sides().find_map(|side| places.get(&side.memory.id));
        let before = entry.before.as_ref().map(|side| side.memory.clone());
        let before = before.or_else(|| Some(absent(&entry.after.as_ref()?.memory)));
        let Some((place, before)) = place.zip(before) else {
            return Vec::new();
        };
        let texts = SideTexts::new(&texts, entry.before.iter());
        let runner = runner.with_texts(&texts);
        let was = |task| runner.play_with(task, Some((*place, &before)));
        let changed = tasks.iter().zip(&after);
        let changed = changed.map(|(task, after)| compare(task, &was(task), after));
        let ids = sides().map(|side| &side.memory.id).chain([&entry.id]);
        let ids = ids.collect_vec();
        report.lines(&changed.collect_vec(), &ids)
    };
    entries.iter().map(one).collect()
}

/// What the lines of effects are made of.
struct Report<'a> {
    titles: HashMap<&'a MemoryId, &'a str>,
    /// The tasks; so many of them are saved.
    tasks: &'a [Written],
    saved: usize,
}

impl Report<'_> {
    /// The lines of an entry with some ids, from its effect on each task.
    fn lines(&self, changed: &[TaskEffect], ids: &[&MemoryId]) -> Vec<String> {
        let of = counted((0..self.tasks.len()).map(|at| at < self.saved));
        let own = |id: &&MemoryId| ids.contains(id);
        let (mut enters, mut leaves, mut moves) = (Vec::new(), Vec::new(), 0);
        let mut others: HashMap<&MemoryId, usize> = HashMap::new();
        for (at, effect) in changed.iter().enumerate() {
            let is_in = |all: &[MemoryId]| all.iter().any(|id| own(&id));
            match (is_in(&effect.entered), is_in(&effect.left)) {
                (true, false) => enters.push(at),
                (false, true) => leaves.push(at),
                _ => moves += usize::from(effect.ranks.iter().any(|(id, ..)| own(&id))),
            }
            for id in effect.left.iter().filter(|id| !own(id)) {
                *others.entry(id).or_default() += 1;
            }
        }
        let mut lines = Vec::new();
        for (verb, rows) in [("now enters", &enters), ("no longer enters", &leaves)] {
            if !rows.is_empty() {
                lines.push(format!("{verb} {} of {of}{}", rows.len(), self.names(rows)));
            }
        }
        if moves > 0 {
            lines.push(format!("has another rank in {moves} of {of}"));
        }
        if !others.is_empty() {
            let sorted = others.iter();
            let sorted = sorted.sorted_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
            let names = sorted.take(NAMED).map(|(id, count)| {
                let title = self.titles.get(id).map(ToString::to_string);
                format!("“{}” in {count}", title.unwrap_or_else(|| id.to_string()))
            });
            let names = names.format(", ");
            lines.push(match others.len().saturating_sub(NAMED) {
                0 => format!("pushes out {names}"),
                more => format!("pushes out {names} and {more} more"),
            });
        }
        lines.iter().map(|line| mask(line).into_owned()).collect()
    }

    /// The names of some tasks, as far as they are saved.
    fn names(&self, rows: &[usize]) -> String {
        let saved = rows.iter().filter(|at| **at < self.saved);
        let names = saved.filter_map(|at| self.tasks.get(*at)).take(NAMED);
        match names.map(|task| format!("“{}”", task.name())).join(", ") {
            none if none.is_empty() => none,
            names => format!(": {names}"),
        }
    }
}

/// A memory that no policy selects.
fn absent(memory: &Arc<Memory>) -> Arc<Memory> {
    let mut absent = (**memory).clone();
    absent.state = State::Archived;
    Arc::new(absent)
}

/// The tasks that lint plays too: those that are saved, then the commits, newest first.
fn tasks(workspace: &Workspace, memories: &Snapshot, facts: &LintFacts<'_>) -> Vec<Written> {
    let basis = workspace.lint_basis();
    let cx = facts.context(&basis, memories, &workspace.collection);
    let all = health::play::tasks(&cx).into_iter().map(|played| {
        let commit = || Written {
            task: played.task.text.clone(),
            files: played.files.iter().map(ToString::to_string).collect(),
            ..Written::default()
        };
        played.written.clone().unwrap_or_else(commit)
    });
    all.collect()
}
