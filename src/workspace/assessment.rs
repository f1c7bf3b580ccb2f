//! The queue of a review with the findings and effects that each change brings.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;
use rayon::prelude::*;

use super::Workspace;
use super::lint_facts::{Basis, LintFacts, MOST_COMPARED};
use crate::app::queue::{Card, Found, Queue};
use crate::curate::differences::{Against, Entry, Kind, Side};
use crate::lint::{self, Finding, health, mask};
use crate::memory::{Fields, Memory, MemoryId, State};
use crate::retrieval::expect::{Answer, TaskEffect, TaskRunner, compare};
use crate::retrieval::tasks::{Written, counted};
use crate::retrieval::{Snapshot, Texts};
use crate::store::queue::{Review, new_warnings};

#[derive(Clone, Debug, Default)]
pub struct Assessed {
    /// Its findings as it is now, each with whether the change brought it.
    pub findings: Vec<(Finding, bool)>,
    /// Its effects on the tasks, a line each.
    pub effects: Vec<String>,
}

/// Tells the queue as soon as it is known, and again with findings.
pub fn tell_queue(ws: &Workspace, all: &Snapshot, tell: &mut dyn FnMut(Result<Queue, String>)) {
    let review = match Review::open(&ws.collection, "HEAD", all) {
        Ok(review) => review,
        Err(error) => return tell(Err(error.to_string())),
    };
    let found = |(finding, is_new): (Finding, bool)| Found {
        rule: finding.rule,
        severity: finding.severity,
        message: mask(&finding.message).into_owned(),
        is_new,
    };
    // Blocking warnings are known before the change can be accepted.
    let card = |entry: &Entry| {
        let warnings = new_warnings(entry, &ws.collection).into_iter();
        Card {
            entry: Arc::new(entry.clone()),
            findings: warnings.map(|finding| found((finding, true))).collect(),
            effects: Vec::new(),
            others: Vec::new(),
        }
    };
    let mut queue = Queue {
        cards: review.entries.par_iter().map(card).collect(),
        notes: review.notes.clone(),
        is_assessed: false,
    };
    tell(Ok(queue.clone()));
    let all = assess(ws, all, &review.entries);
    for (card, assessed) in queue.cards.iter_mut().zip(all) {
        card.effects = assessed.effects;
        card.findings = assessed.findings.into_iter().map(found).collect();
    }
    queue.is_assessed = true;
    tell(Ok(queue));
}

/// Findings of the entries now, each with true if it was not there at the base.
pub fn assess(workspace: &Workspace, memories: &Snapshot, entries: &[Entry]) -> Vec<Assessed> {
    if entries.is_empty() {
        return Vec::new();
    }
    let [then, now] = sides(memories, entries);
    let befores = entries.iter().filter_map(|entry| entry.before.as_ref());
    let afters = entries.iter().filter_map(|entry| entry.after.as_ref());
    let was = findings(workspace, &then, befores);
    let is = findings(workspace, &now, afters);
    let effects = effects(workspace, memories, entries);
    let all = entries.iter().zip(effects).map(|(entry, effects)| {
        let after = entry.after.as_ref().filter(|_| entry.kind != Kind::Deleted);
        let found = |side: &Side| {
            let before = entry.before.as_ref();
            let before = before.and_then(|side| was.get(&side.memory.id));
            let now = is.get(&side.memory.id).cloned().unwrap_or_default();
            judged(workspace, entry, before.map_or(&[], Vec::as_slice), now)
        };
        Assessed {
            findings: after.map(found).unwrap_or_default(),
            effects: [placement(workspace, entry), effects].concat(),
        }
    });
    all.collect()
}

/// The findings of an entry now, each with whether it is new.
fn judged(
    workspace: &Workspace,
    entry: &Entry,
    before: &[Finding],
    now: Vec<Finding>,
) -> Vec<(Finding, bool)> {
    // Counts and places in a message change with every edit.
    let name = |finding: &Finding| {
        let words = finding.message.chars().filter(|c| !c.is_ascii_digit());
        (finding.rule, words.collect::<String>())
    };
    let known: HashSet<_> = before.iter().map(name).collect();
    let mut warnings = new_warnings(entry, &workspace.collection);
    let found = now.into_iter().map(|mut finding| {
        let warned = warnings.iter().position(|one| one.rule == finding.rule);
        if let Some(at) = warned {
            finding.severity = warnings.remove(at).severity.min(finding.severity);
        }
        let is_guard = lint::is_floor(finding.rule);
        let is_new = warned.is_some() || !is_guard && !known.contains(&name(&finding));
        (finding, is_new)
    });
    let mut found: Vec<_> = found.collect();
    found.extend(warnings.into_iter().map(|finding| (finding, true)));
    found
}

/// The path of a proposal, and the lines that go with a deletion.
fn placement(workspace: &Workspace, entry: &Entry) -> Vec<String> {
    let path = entry.path().map(|path| workspace.collection.shown(path));
    let path = path.unwrap_or_default();
    match (entry.kind, &entry.against) {
        (Kind::Added, Against::Proposal(_)) => vec![format!("would be written to {path}")],
        (Kind::Modified, Against::Proposal(of)) if of.action == "add" => vec![format!(
            "changes the memory of {path}: its loader would never read a second one there"
        )],
        (Kind::Deleted, Against::Commit | Against::LastReview) => {
            let others = entry.others.iter().map(|other| &other.path);
            let lines = others.map(|path| format!("takes its line in {path} along"));
            lines.collect()
        }
        _ => Vec::new(),
    }
}

/// The findings of some memories of a snapshot, compared with all the others.
fn findings<'a>(
    workspace: &'a Workspace,
    memories: &Snapshot,
    own: impl Iterator<Item = &'a Side>,
) -> HashMap<MemoryId, Vec<Finding>> {
    let collection = &workspace.collection;
    let texts = SideTexts::new(collection, own);
    let own = memories.iter().enumerate();
    let own = own.filter(|(_, memory)| texts.has(memory));
    let own: Vec<usize> = own.map(|(at, _)| at).collect();
    let basis = Basis::with_floor(collection, &workspace.settings);
    let facts = workspace.lint_facts(workspace.now);
    let cx = facts.context(&basis, memories, &texts);
    // Of many memories only what each says by itself is looked at.
    let digest = match memories.len() <= MOST_COMPARED {
        true => lint::digest(&cx, &basis.rules(), usize::MAX),
        false => lint::digest_of(&cx, &basis.rules().alone(), usize::MAX, &own),
    };
    let own: HashSet<usize> = own.into_iter().collect();
    let mut out: HashMap<MemoryId, Vec<Finding>> = HashMap::new();
    for finding in digest.findings {
        for at in finding.parties().filter(|at| own.contains(at)) {
            let [memory, first] = [at, finding.memory].map(|at| memories.get(at));
            let Some((memory, first)) = memory.zip(first) else {
                continue;
            };
            let mut finding = finding.clone();
            if at != finding.memory {
                finding.message = format!("{}: {}", first.id, finding.message);
            }
            out.entry(memory.id.clone()).or_default().push(finding);
        }
    }
    out
}

/// The memories as they were at the base of the entries, and as they are with proposals made.
fn sides(memories: &Snapshot, entries: &[Entry]) -> [Snapshot; 2] {
    let touched = entries.iter().flat_map(Entry::sides);
    let touched: HashSet<&MemoryId> = touched.map(|side| &side.memory.id).collect();
    let side = |of: fn(&Entry) -> Option<&Side>| {
        // Of two changes of one memory the later one counts.
        let own = entries.iter().filter_map(of).map(|side| &side.memory);
        let own: BTreeMap<_, _> = own.map(|memory| (&memory.id, memory)).collect();
        let rest = memories.iter();
        let rest = rest.filter(|memory| !touched.contains(&memory.id));
        in_order(memories, rest.chain(own.into_values()).cloned().collect())
    };
    let after = side(|entry| {
        let kept = entry.before.as_ref();
        let kept = kept.filter(|_| entry.kind != Kind::Deleted);
        entry.after.as_ref().or(kept)
    });
    [side(|entry| entry.before.as_ref()), after]
}

/// Memories as a snapshot in the order of another one: by store, file and place.
fn in_order(memories: &Snapshot, mut all: Vec<Arc<Memory>>) -> Snapshot {
    let runs = memories.chunk_by(|a, b| a.id.store == b.id.store);
    let runs = runs.enumerate();
    let stores = runs.filter_map(|(at, run)| Some((run.first()?.id.store.clone(), at)));
    let stores: HashMap<_, _> = stores.collect();
    all.sort_by_cached_key(|memory| {
        let store = stores.get(&memory.id.store).copied().unwrap_or(usize::MAX);
        (store, memory.path.clone(), memory.document)
    });
    Arc::new(all)
}

/// Texts of a snapshot some memories of which are not those of the stores.
struct SideTexts<'a> {
    stores: &'a dyn Texts,
    own: HashMap<&'a MemoryId, &'a Side>,
}

impl<'a> SideTexts<'a> {
    fn new(stores: &'a dyn Texts, sides: impl Iterator<Item = &'a Side>) -> Self {
        let own = sides.map(|side| (&side.memory.id, side)).collect();
        Self { stores, own }
    }

    fn has(&self, memory: &Memory) -> bool {
        self.own.contains_key(&memory.id)
    }

    /// A text of one of these sides, else that of the stores.
    fn pick(
        &self,
        memory: &Memory,
        own: impl Fn(&Side) -> &str,
        other: impl Fn(&dyn Texts) -> Option<String>,
    ) -> Option<String> {
        let side = self.own.get(&memory.id);
        side.map_or_else(|| other(self.stores), |side| Some(own(side).to_owned()))
    }
}

impl Texts for SideTexts<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.pick(memory, |side| &side.body, |stores| stores.body(memory))
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        let other = |stores: &dyn Texts| stores.loader_body(memory);
        self.pick(memory, |side| side.body.trim(), other)
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        self.pick(memory, |side| &side.text, |stores| stores.text(memory))
    }

    fn said(&self, memory: &Memory) -> Option<String> {
        self.pick(memory, |side| &side.body, |stores| stores.said(memory))
    }

    fn inner(&self, memory: &Memory) -> Fields {
        match self.has(memory) {
            true => Fields::default(),
            false => self.stores.inner(memory),
        }
    }
}

/// Memories times entries times tasks that are played: above it takes seconds.
const MOST: usize = 80_000_000;
/// Fewer tasks say nothing.
const FEWEST: usize = 20;
/// Titles that a line names.
const NAMED: usize = 2;

/// A line for each entry that does something to a task.
fn effects(workspace: &Workspace, memories: &Snapshot, entries: &[Entry]) -> Vec<Vec<String>> {
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
    let known = entries.iter().flat_map(Entry::sides);
    let known = known.map(|side| &side.memory);
    let known = known.chain(memories.iter());
    let report = Report {
        titles: known.map(|memory| (&memory.id, &*memory.title)).collect(),
        saved: facts.suite.tasks.len(),
        tasks: &tasks,
    };
    let afters = entries.iter().filter_map(|entry| entry.after.as_ref());
    let texts = SideTexts::new(&workspace.collection, afters);
    // Deleted memories stay in place as archived: one index serves the versions of all entries.
    let [_, now] = sides(memories, entries);
    let present: HashSet<&MemoryId> = now.iter().map(|memory| &memory.id).collect();
    let gone = entries.iter().filter_map(|entry| entry.before.as_ref());
    let gone = gone.filter(|side| !present.contains(&side.memory.id));
    let gone = gone.map(|side| absent(&side.memory));
    let now = in_order(memories, now.iter().cloned().chain(gone).collect());
    let places: HashMap<&MemoryId, usize> = now.iter().map(|one| &one.id).zip(0..).collect();
    let scorer = facts.suite.scorer(&now);
    let Some(scorer) = scorer else { return none() };
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
