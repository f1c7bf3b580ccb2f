//! Memories that no task selects, the closest they came, and what would bring them in.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::super::chars::quote;
use super::super::report::{counted, some_of};
use super::super::{Collector, Context, Facts, Finding, Fix, Subject};
use super::patterns::{Agents, suggest};
use super::play::{Near, Outcome};
use super::{nearest_task, position_of};
use crate::curate::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Role, Severity, Value};
use crate::retrieval::Reason;
use crate::retrieval::phrase::meaning;
use crate::text::mentions::paths;

/// Memories of a store that are reported one by one where something says that they should have
/// been selected, and where nothing does.
const MOST_SURE: usize = 50;
const MOST_UNSURE: usize = 20;

/// Memories of which the files are looked for in the commits.
const MOST_READ: usize = 2000;

/// A commit that changes more files than these is about none of them.
const MOST_FILES: usize = 50;

/// Memories or patterns that a finding about many names.
const NAMED: usize = 10;

/// Commits and tasks that it takes to say that a memory was wanted.
const ENOUGH: usize = 2;

/// True if another task, pattern or place could have a memory selected.
fn may(near: &Near) -> bool {
    use Reason::{BelowImportance, NoMatch, OverBudget, OverLimit};
    let reasons = [NoMatch, BelowImportance, OverLimit, OverBudget];
    reasons.contains(&near.verdict.reason) && near.verdict.score.is_some()
}

/// A memory that no task selects.
struct Case {
    memory: usize,
    /// The tasks whose commits changed files that it names, and one of the files.
    touched: Vec<usize>,
    file: Option<String>,
    /// The tasks that it matches.
    matched: usize,
    /// The task that is written down to be given it.
    wanted: Option<String>,
    confidence: f64,
}

/// Reports what was never selected in a store.
pub fn report(cx: &Context<'_>, facts: &Facts, outcome: &Outcome, out: &mut Collector<'_>) {
    let agents = Agents::of(cx, outcome);
    let files = Files::of(outcome);
    let is_never = |at: &usize| {
        let memory = cx.memories.get(*at);
        outcome.selected(*at) == 0 && memory.is_some_and(|memory| !agents.select(memory))
    };
    let all = outcome.memories.par_iter().copied();
    let never: Vec<usize> = all.filter(is_never).collect();
    let cases = never.par_iter().enumerate();
    let cases = cases.filter_map(|(n, at)| case(cx, outcome, &files, *at, n < MOST_READ));
    let mut cases: Vec<Case> = cases.collect();
    cases.sort_by(|a, b| {
        let order = b.confidence.total_cmp(&a.confidence);
        order.then(a.memory.cmp(&b.memory))
    });
    let nothing = outcome.memories.iter().all(|at| outcome.selected(*at) == 0);
    let unsure = cases.iter().position(|case| case.confidence < 0.5);
    let sure = unsure.unwrap_or(cases.len()).min(MOST_SURE);
    let many = never.len() * 4 > outcome.memories.len() * 3;
    let few = !many && cases.len() - sure <= MOST_UNSURE;
    // For few memories, each finding has its own hint.
    let named = never.len() <= NAMED;
    let single = match (nothing, few) {
        (true, _) if !named => 0,
        (false, true) => cases.len(),
        _ => sure,
    };
    let rest = cases.split_off(single);
    for case in cases {
        out.extend(one(cx, facts, outcome, case));
    }
    out.extend(several(cx, facts, outcome, &rest, nothing && single == 0));
}

fn case(
    cx: &Context<'_>,
    outcome: &Outcome,
    files: &Files<'_>,
    at: usize,
    read: bool,
) -> Option<Case> {
    let memory = cx.memories.get(at)?;
    let fate = outcome.fates.get(&at);
    let near = fate.and_then(|fate| fate.near.as_ref());
    // Other rules report memories that the policy cannot use.
    if near.is_some_and(|near| !may(near)) {
        return None;
    }
    // A memory that names files of very many tasks is wanted for none in particular.
    let is_special = |(tasks, _): &(Vec<_>, _)| tasks.len() * 3 <= outcome.tasks.len();
    let touched = read.then(|| files.touched(cx, memory)).filter(is_special);
    let (touched, file) = touched.unwrap_or_default();
    let matched = fate.map_or(0, |fate| fate.matched);
    let most = |count: usize| count.min(6) as f64;
    let tasks = outcome.tasks.iter();
    let mut written = tasks.filter_map(|task| task.written.as_ref());
    let wanted = written.find(|written| written.expects(memory));
    let wanted = wanted.map(|written| written.name().to_owned());
    let confidence = match (&wanted, touched.len()) {
        (Some(_), _) => 0.9,
        (None, count @ ENOUGH..) => 0.5 + 0.04 * most(count),
        _ if matched >= ENOUGH => 0.5 + 0.02 * most(matched),
        _ => 0.3,
    };
    Some(Case {
        memory: at,
        touched,
        file,
        matched,
        wanted,
        confidence,
    })
}

/// The finding on one memory.
fn one(cx: &Context<'_>, facts: &Facts, outcome: &Outcome, case: Case) -> Option<Finding> {
    let memory = cx.memories.get(case.memory)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, case.memory, memory, &text);
    let at = position_of(&subject, None);
    let mut finding = subject
        .finding("never-selected", Severity::Info, at)
        .sure(case.confidence)
        .says(format!("none of {} selects it", outcome.played()));
    if let Some(name) = &case.wanted {
        finding = finding.because(format!("task {} requires it", quote(name)));
    }
    if case.matched > 0 {
        let of = counted(case.matched, "task");
        finding = finding.because(format!("it matches {of}, but others take the places"));
    }
    if let Some(file) = case.file.filter(|_| case.touched.len() >= ENOUGH) {
        let count = case.touched.len();
        finding = finding.because(format!(
            "{count} of the commits changed files that it names, such as {}",
            quote(&file)
        ));
    }
    // A score without a match comes from the importance alone.
    let fate = outcome.fates.get(&case.memory);
    let near = fate.and_then(|fate| fate.near.as_ref());
    let near = near.filter(|near| near.verdict.reason != Reason::NoMatch);
    let again = || {
        let task = closest(outcome, memory, &case.touched)?;
        outcome.try_again(cx, case.memory, task)
    };
    let again = if near.is_some() { None } else { again() };
    if again.as_ref().is_some_and(|near| !may(near)) {
        return None;
    }
    finding = finding.because(match near.or(again.as_ref()) {
        Some(near) => nearest_task(outcome, near),
        None => "no task has a word of its title or tags".to_owned(),
    });
    Some(finding.fixed_by(suggestion(&subject, outcome, &case.touched)))
}

/// The task it should have been selected for, or the one that has most of its words.
fn closest(outcome: &Outcome, memory: &Memory, touched: &[usize]) -> Option<usize> {
    let tags: Vec<&str> = memory.tags().collect();
    let own = meaning(&format!("{} {}", memory.title, tags.join(" ")));
    let shared = |task: &usize| {
        let text = outcome
            .tasks
            .get(*task)
            .map_or("", |played| &played.task.text);
        let words = meaning(text).into_iter();
        words.filter(|word| own.contains(word)).count()
    };
    let alike = (0..outcome.tasks.len()).filter(|task| shared(task) > 0);
    let tasks = touched.first().copied().into_iter().chain(alike);
    tasks.min_by_key(|task| Reverse(shared(task)))
}

/// The fix that adds a pattern for the commits that changed its files.
fn suggestion(subject: &Subject<'_>, outcome: &Outcome, touched: &[usize]) -> Option<Fix> {
    let spec = subject.memory.schema.role(Role::Patterns)?;
    if touched.len() < ENOUGH {
        return None;
    }
    let (pattern, count) = suggest(outcome, touched, subject.memory)?;
    let edit = FieldEdit::AddItem {
        field: spec.name.to_owned(),
        item: Value::from(pattern.as_str()),
    };
    let (pattern, all) = (quote(&pattern), touched.len());
    let title = format!("add the pattern {pattern}, which {count} of those {all} commits match");
    let change = Change::edit(&subject.memory.id, vec![edit]);
    Some(Fix::reviewed(title, subject.index, change))
}

/// The finding on many memories at once, in the place of the first.
fn several(
    cx: &Context<'_>,
    facts: &Facts,
    outcome: &Outcome,
    cases: &[Case],
    nothing: bool,
) -> Option<Finding> {
    let mut at: Vec<usize> = cases.iter().map(|case| case.memory).collect();
    at.sort_unstable();
    let first = *at.first()?;
    let memory = cx.memories.get(first)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, first, memory, &text);
    let place = position_of(&subject, None);
    let (count, of, tasks) = (at.len(), outcome.memories.len(), outcome.played());
    let says = match (nothing, count) {
        (true, _) => format!("none of {tasks} selects any of the {of} memories"),
        (false, 1) => format!("none of {tasks} selects it"),
        (false, _) => {
            let others = count - 1;
            format!("none of {tasks} selects this or {others} others of {of}")
        }
    };
    let names = at.iter().filter_map(|at| cx.memories.get(*at));
    let names: Vec<String> = names.take(NAMED).map(|one| quote(&one.id.local)).collect();
    let finding = subject
        .finding("never-selected", Severity::Info, place)
        .sure(0.2)
        .says(says)
        .because(some_of(&names, count));
    Some(finding.beside(at.into_iter().skip(1).take(NAMED)))
}

/// The tasks of commits by the files that they changed, and by the folders and ends of those.
struct Files<'a>(HashMap<&'a str, BTreeSet<usize>>);

impl<'a> Files<'a> {
    fn of(outcome: &'a Outcome) -> Self {
        let mut all: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (at, played) in outcome.tasks.iter().enumerate() {
            let is_about_all = played.files.len() > MOST_FILES;
            for file in played.files.iter().filter(|_| !is_about_all) {
                let cuts = file.match_indices('/').map(|(cut, _)| cut);
                let ends = cuts.clone().filter_map(|cut| file.get(cut + 1..));
                let folders = cuts.filter_map(|cut| file.get(..cut));
                // The name of a folder at the root is a word of prose as well.
                let folders = folders.filter(|folder| folder.contains('/'));
                for key in ends.chain(folders).chain([&**file]) {
                    all.entry(key).or_default().insert(at);
                }
            }
        }
        Self(all)
    }

    /// The tasks whose commits changed files that a memory names, and the file most of them did.
    fn touched(&self, cx: &Context<'_>, memory: &Memory) -> (Vec<usize>, Option<String>) {
        let Some(body) = cx.texts.body(memory).filter(|_| !self.0.is_empty()) else {
            return (Vec::new(), None);
        };
        let mut all: BTreeSet<usize> = BTreeSet::new();
        let mut most: Option<(usize, String)> = None;
        let root = format!("{}/", cx.project.recent().root);
        paths(&body, &mut |mention| {
            let path = mention.path.strip_prefix(&*root).unwrap_or(&mention.path);
            if let Some(tasks) = self.0.get(path).filter(|_| !mention.is_glob) {
                all.extend(tasks);
                if most.as_ref().is_none_or(|(count, _)| tasks.len() > *count) {
                    most = Some((tasks.len(), path.to_owned()));
                }
            }
        });
        (all.into_iter().collect(), most.map(|(_, file)| file))
    }
}
