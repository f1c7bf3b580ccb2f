//! Usefulness of memories, by the record of use and by tasks: the last commits and those of a team
//! are played through the policy of each store, unless it selects the same for every task.

pub mod play;

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use self::play::{Agents, Fate, Outcome, patterns};
use super::chars::quote;
use super::report::{counted, some_of};
use super::tuning::Threshold;
use super::{Collector, Context, Facts, Finding, Rule, Subject};
use crate::memory::{Memory, Role, Severity};
use crate::retrieval::StorePolicy;
use crate::text::mentions::paths;

pub(super) fn prepare(rule: &Rule, cx: &Context<'_>, facts: &Facts) {
    stores(cx, facts, rule.id);
}

/// Reports what no task or nearly every one selects; incomplete without a store not played.
pub(super) fn finish(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    for outcome in stores(cx, facts, rule.id) {
        match outcome {
            Err(_) => facts.incomplete(rule.id),
            Ok(outcome) if rule.id == "never-selected" => never(cx, facts, outcome, out),
            Ok(outcome) => often(cx, facts, outcome, out),
        }
    }
}

/// The results of playing each store; the first rule that asks notes which stores were not played.
fn stores<'f>(
    cx: &Context<'_>,
    facts: &'f Facts,
    rule: &'static str,
) -> &'f Vec<Result<Outcome, &'static str>> {
    facts.of(|| {
        let one = |policy: &StorePolicy| {
            let outcome = Outcome::new(cx, policy);
            if let Some(why) = outcome.as_ref().err().filter(|why| !why.is_empty()) {
                facts.note(rule, format!("{} not played: {why}", policy.store));
            }
            outcome
        };
        cx.play.policies.iter().map(one).collect()
    })
}

/// A finding on a memory, at its patterns, or at one of them; at its beginning where it has none.
fn finding(
    cx: &Context<'_>,
    facts: &Facts,
    (rule, index): (&'static str, usize),
    pattern: Option<&str>,
) -> Option<Finding> {
    let memory = cx.memories.get(index)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, index, memory, &text);
    let item = pattern.and_then(|text| patterns(memory).position(|own| own == text));
    let place = match memory.schema.role(Role::Patterns) {
        Some(spec) => subject.at_field(spec.name, item),
        None => subject.at(0),
    };
    Some(subject.finding(rule, Severity::Info, place))
}

fn often(cx: &Context<'_>, facts: &Facts, outcome: &Outcome, out: &mut Collector<'_>) {
    // If there is room for all of them, none is kept out.
    let all = outcome.memories.iter().filter(|_| !outcome.has_room());
    for (at, fate) in all.filter_map(|at| Some((*at, outcome.fates.get(at)?))) {
        // Three tasks of four.
        if fate.selected * 4 >= outcome.tasks.len() * 3 {
            out.extend(always(cx, facts, outcome, (at, fate)));
        }
    }
}

fn always(
    cx: &Context<'_>,
    facts: &Facts,
    outcome: &Outcome,
    (at, fate): (usize, &Fate),
) -> Option<Finding> {
    let pattern = fate.patterns.iter();
    let pattern = pattern.max_by_key(|(text, count)| (**count, *text));
    let (count, tasks) = (fate.selected, outcome.played());
    let text = pattern.map(|(text, _)| text.as_str());
    let brings =
        pattern.map(|(text, count)| format!("{} brings it in for {count} of them", quote(text)));
    let each = fate.tokens / count.max(1);
    let costs = format!("{each} tokens each time, {} in all", fate.tokens);
    let says = format!("{count} of {tasks} select it, whatever they are about");
    let finding = finding(cx, facts, ("always-selected", at), text)?.says(says);
    let finding = finding.sure(if pattern.is_some() { 0.7 } else { 0.3 });
    Some(finding.because_of(brings).because(costs))
}

/// Memories that are reported one by one where something says that they should have been selected,
/// and where nothing does; the others are one finding.
const MOST_SURE: usize = 50;
const MOST_UNSURE: usize = 10;

/// From this on something says that a memory should be selected.
const LIKELY: f64 = 0.5;

/// Memories of which the files are looked for in the commits.
const MOST_READ: usize = 2000;

/// A commit that changes more files than these is about none of them.
const MOST_FILES: usize = 50;

/// Commits and tasks that it takes to say that a memory was wanted.
const ENOUGH: usize = 2;

/// A memory that no task selects, by its index; how sure it is that one should, and why.
type Unselected = (usize, f64, Vec<String>);

/// The memories of a store that no task selects and nothing asks for, or why none is known.
pub fn unwanted(
    cx: &Context<'_>,
    policy: &StorePolicy,
) -> Result<Vec<(usize, String)>, &'static str> {
    let outcome = Outcome::new(cx, policy);
    let why = "it selects the same for every task, or there are too few tasks";
    let outcome = outcome.map_err(|_| why)?;
    if outcome.memories.iter().all(|at| outcome.selected(*at) == 0) {
        return Err("no task selects any memory of it");
    }
    let says = format!("none of {} selects it", outcome.played());
    let all = unselected(cx, &outcome).into_iter();
    let all = all.filter(|one| one.1 < LIKELY);
    Ok(all.map(|one| (one.0, says.clone())).collect())
}

/// The memories that no task selects, the surest first that one should be.
fn unselected(cx: &Context<'_>, outcome: &Outcome) -> Vec<Unselected> {
    let agents = Agents::of(cx, outcome);
    let files = files(outcome);
    let is_never = |at: &usize| {
        let memory = cx.memories.get(*at);
        outcome.selected(*at) == 0 && memory.is_some_and(|memory| !agents.select(memory))
    };
    let never = outcome.memories.par_iter().copied().filter(is_never);
    let never: Vec<usize> = never.collect();
    let all = never.par_iter().enumerate();
    let read = |n: usize| (n < MOST_READ).then_some(&files);
    let all = all.filter_map(|(n, at)| wanted(cx, outcome, read(n), *at));
    let mut all: Vec<Unselected> = all.collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all
}

fn never(cx: &Context<'_>, facts: &Facts, outcome: &Outcome, out: &mut Collector<'_>) {
    let mut all = unselected(cx, outcome);
    let sure = all.iter().take(MOST_SURE);
    let sure = sure.filter(|one| one.1 >= LIKELY).count();
    let tasks = outcome.played();
    let is_few = all.len() <= sure + MOST_UNSURE;
    let single = if is_few { all.len() } else { sure };
    for (memory, confidence, evidence) in all.drain(..single) {
        if let Some(found) = finding(cx, facts, ("never-selected", memory), None) {
            let found = found.sure(confidence);
            let found = found.says(format!("none of {tasks} selects it"));
            out.push(found.because_of(evidence));
        }
    }
    let mut rest: Vec<usize> = all.iter().map(|one| one.0).collect();
    rest.sort_unstable();
    let Some(first) = rest.first() else {
        return;
    };
    let (others, of) = (rest.len() - 1, outcome.memories.len());
    let says = match outcome.memories.iter().any(|at| outcome.selected(*at) > 0) {
        false => format!("none of {tasks} selects any of the {of} memories"),
        true => format!("none of {tasks} selects this or {others} others of {of}"),
    };
    let names = rest.iter().filter_map(|at| cx.memories.get(*at));
    let names = names.take(MOST_UNSURE).map(|one| quote(&one.id.local));
    let names: Vec<String> = names.collect();
    let found = finding(cx, facts, ("never-selected", *first), None);
    let beside = rest.iter().skip(1).take(MOST_UNSURE).copied();
    out.extend(found.map(|found| {
        let found = found.sure(0.2).says(says);
        found.because(some_of(&names, rest.len())).beside(beside)
    }));
}

/// What says that a task should select a memory; none if another rule says why none can.
fn wanted(
    cx: &Context<'_>,
    outcome: &Outcome,
    files: Option<&Files<'_>>,
    at: usize,
) -> Option<Unselected> {
    let memory = cx.memories.get(at)?;
    let fate = outcome.fates.get(&at);
    if fate.is_some_and(|fate| fate.rejected && !fate.competes) {
        return None;
    }
    let touched = files.map(|files| touched(cx, files, memory));
    // A memory that names files of very many tasks is wanted for none in particular.
    let is_special = |(tasks, _): &(usize, _)| *tasks * 3 <= outcome.tasks.len();
    let (touched, file) = touched.filter(is_special).unwrap_or_default();
    let matched = fate.map_or(0, |fate| fate.matched);
    let written = outcome.tasks.iter();
    let mut written = written.filter_map(|task| task.written.as_ref());
    let wanted = written.find(|task| task.expects(memory));
    let wanted = wanted.map(|task| format!("task {} requires it", quote(task.name())));
    let most = |count: usize| count.min(6) as f64;
    let confidence = match (&wanted, touched) {
        (Some(_), _) => 0.9,
        (None, ENOUGH..) => 0.5 + 0.04 * most(touched),
        _ if matched >= ENOUGH => 0.5 + 0.02 * most(matched),
        _ => 0.3,
    };
    let matches = (matched > 0).then(|| {
        let tasks = counted(matched, "task");
        format!("it matches {tasks}, but others take the places")
    });
    let files = file.filter(|_| touched >= ENOUGH).map(|file| {
        let file = quote(&file);
        format!("{touched} of the commits changed files that it names, such as {file}")
    });
    let evidence = [wanted, matches, files].into_iter().flatten();
    Some((at, confidence, evidence.collect()))
}

/// The tasks of commits by the files that they changed, and by the ends of those.
type Files<'a> = HashMap<&'a str, BTreeSet<usize>>;

fn files(outcome: &Outcome) -> Files<'_> {
    let mut all: Files<'_> = HashMap::new();
    for (at, played) in outcome.tasks.iter().enumerate() {
        let is_about_all = played.files.len() > MOST_FILES;
        for file in played.files.iter().filter(|_| !is_about_all) {
            let ends = file.match_indices('/');
            let ends = ends.filter_map(|(cut, _)| file.get(cut + 1..));
            for key in ends.chain([&**file]) {
                all.entry(key).or_default().insert(at);
            }
        }
    }
    all
}

/// Number of tasks whose commits changed files that a memory names, and the file most of them did.
fn touched(cx: &Context<'_>, files: &Files<'_>, memory: &Memory) -> (usize, Option<String>) {
    let body = cx.texts.body(memory).filter(|_| !files.is_empty());
    let mut all: BTreeSet<usize> = BTreeSet::new();
    let mut most: Option<(usize, String)> = None;
    let root = cx.project.history().map_or("", |history| &history.root);
    paths(&body.unwrap_or_default(), &mut |mention| {
        let below = mention.path.strip_prefix(root);
        let below = below.and_then(|path| path.strip_prefix('/'));
        let path = below.unwrap_or(&mention.path);
        if let Some(tasks) = files.get(path).filter(|_| !mention.is_glob) {
            all.extend(tasks);
            if most.as_ref().is_none_or(|(count, _)| tasks.len() > *count) {
                most = Some((tasks.len(), path.to_owned()));
            }
        }
    });
    (all.len(), most.map(|(_, file)| file))
}

/// The sessions that it takes to say something.
pub(super) const USES: &[Threshold; 1] = &[Threshold {
    name: "given",
    usual: 10.0,
    range: (1.0, 1e6),
    what: "sessions that were given a memory, from which on it is judged",
}];

/// Share of the sessions that go against a memory, as one of so many, from which on it is ignored.
const ONE_OF: u32 = 4;

pub(super) fn unused(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let Some(worth) = subject.cx.worths.of(&subject.memory.id) else {
        return;
    };
    let least = subject.cx.threshold(rule.id, "given", subject.index);
    if f64::from(worth.given) < least {
        return;
    }
    let finding = || subject.finding(rule.id, rule.severity, subject.at(0));
    let is_ignored = worth.against > 1 && worth.against * ONE_OF >= worth.given;
    match rule.id {
        "never-used" if worth.drawn + worth.against == 0 => {
            out.push(finding().sure(0.6).says(format!("{worth}")));
        }
        "ignored" if is_ignored => out.push(finding().sure(0.7).says(format!("{worth}"))),
        _ => {}
    }
}
