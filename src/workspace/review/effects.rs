//! Effects of each change on the saved tasks and those of the last commits.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::assess::{SideTexts, Sides, in_order};
use crate::curate::review::Entry;
use crate::lint::health;
use crate::lint::health::play::Played;
use crate::memory::{Memory, MemoryId, State};
use crate::retrieval::Snapshot;
use crate::retrieval::expect::{Answer, TaskRunner, compare};
use crate::retrieval::tasks::{Written, counted};
use crate::workspace::Workspace;
use crate::workspace::lint::LintFacts;

/// Memories times entries times tasks that are played: above it takes seconds.
const MOST: usize = 80_000_000;
/// Fewer tasks say nothing.
const FEWEST: usize = 20;
/// Titles that a line names.
const NAMED: usize = 2;

/// A line for each entry that does something to a task.
pub fn effects(workspace: &Workspace, memories: &Snapshot, entries: &[Entry]) -> Vec<Vec<String>> {
    let none = || entries.iter().map(|_| Vec::new()).collect();
    let facts = workspace.lint_facts(workspace.now);
    let saved = facts.suite.tasks.len();
    let most = MOST / memories.len().saturating_mul(entries.len()).max(1);
    if most < FEWEST {
        return none();
    }
    let mut tasks = tasks(workspace, memories, &facts);
    tasks.truncate(most);
    if tasks.is_empty() {
        return none();
    }
    let titles: HashMap<&MemoryId, &str> = entries
        .iter()
        .flat_map(|entry| [&entry.before, &entry.after])
        .flatten()
        .map(|side| &side.memory)
        .chain(memories.iter())
        .map(|memory| (&memory.id, &*memory.title))
        .collect();
    let texts = SideTexts::new(
        &workspace.collection,
        entries.iter().filter_map(|entry| entry.after.as_ref()),
    );
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
        let sides = [&entry.after, &entry.before].into_iter().flatten();
        let mut places = sides.filter_map(|side| places.get(&side.memory.id));
        let Some(&place) = places.next() else {
            return Vec::new();
        };
        let before = match (&entry.before, &entry.after) {
            (Some(before), _) => before.memory.clone(),
            (None, Some(after)) => absent(&after.memory),
            (None, None) => return Vec::new(),
        };
        let texts = SideTexts::new(&texts, entry.before.iter());
        let runner = runner.with_texts(&texts);
        let was = |task| runner.play_with(task, Some((place, &before)));
        let changed = tasks.iter().zip(&after);
        let changed = changed.map(|(task, after)| compare(task, &was(task), after));
        let changed: Vec<_> = changed.collect();
        let ids: Vec<&MemoryId> = [&entry.before, &entry.after]
            .into_iter()
            .flatten()
            .map(|side| &side.memory.id)
            .chain([&entry.id])
            .collect();
        let mut lines = Vec::new();
        let of = counted((0..tasks.len()).map(|at| at < saved));
        let (mut enters, mut leaves, mut moves) = (Vec::new(), Vec::new(), 0);
        let mut others: Vec<(&MemoryId, usize)> = Vec::new();
        for (at, effect) in changed.iter().enumerate() {
            let own = |id: &&MemoryId| ids.contains(id);
            let is_in = |all: &[MemoryId]| all.iter().any(|id| own(&id));
            match (is_in(&effect.entered), is_in(&effect.left)) {
                (true, false) => enters.push(at),
                (false, true) => leaves.push(at),
                _ => moves += usize::from(effect.ranks.iter().any(|(id, ..)| own(&id))),
            }
            for id in effect.left.iter().filter(|id| !own(id)) {
                match others.iter_mut().find(|(known, _)| *known == id) {
                    Some((_, count)) => *count += 1,
                    None => others.push((id, 1)),
                }
            }
        }
        let named = |rows: &[usize]| {
            let names = rows
                .iter()
                .filter(|at| **at < saved)
                .filter_map(|at| tasks.get(*at));
            let names: Vec<String> = names
                .take(NAMED)
                .map(|task| format!("“{}”", task.name()))
                .collect();
            if names.is_empty() {
                String::new()
            } else {
                format!(": {}", names.join(", "))
            }
        };
        if !enters.is_empty() {
            lines.push(format!(
                "now enters {} of {of}{}",
                enters.len(),
                named(&enters)
            ));
        }
        if !leaves.is_empty() {
            lines.push(format!(
                "no longer enters {} of {of}{}",
                leaves.len(),
                named(&leaves)
            ));
        }
        if moves > 0 {
            lines.push(format!("has another rank in {moves} of {of}"));
        }
        others.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        if !others.is_empty() {
            let names = others.iter().take(NAMED).map(|(id, count)| {
                let title = titles
                    .get(id)
                    .map_or_else(|| id.to_string(), |title| (*title).to_owned());
                format!("“{title}” in {count}")
            });
            let names: Vec<String> = names.collect();
            let more = others.len().saturating_sub(NAMED);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            lines.push(format!("pushes out {}{more}", names.join(", ")));
        }
        let mask = |line: String| crate::lint::mask(&line).into_owned();
        lines.into_iter().map(mask).collect()
    };
    entries.iter().map(one).collect()
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
    let commit = |played: &Played| Written {
        task: played.task.text.clone(),
        files: played.files.iter().map(ToString::to_string).collect(),
        ..Written::default()
    };
    let all = health::play::tasks(&cx, cx.play).into_iter();
    all.map(|played| played.written.clone().unwrap_or_else(|| commit(&played)))
        .collect()
}
