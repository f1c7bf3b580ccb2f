//! The findings about gone paths: one for all paths of a memory of which the same is reported.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Target;
use super::whereabouts::{Whereabouts, find};
use crate::curate::change::set_item;
use crate::lint::changed::dated;
use crate::lint::chars::{quote, replaced};
use crate::lint::report::some_of;
use crate::lint::repository::{Commit, History, Meaning};
use crate::lint::{Collector, Context, Facts, Finding, Fix, Subject};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Severity};

/// The reasons why a path that never was is reported, and why another is only a suggestion.
const NEVER: &str = "files beside it are tracked";
const DOUBT: &str = "several things were called so";
/// Paths that a message names.
const NAMED: usize = 4;
/// Paths that are told one by one in the evidence.
const MOST_DETAILS: usize = 20;

/// Reports the gone paths of all memories.
pub(super) fn report(
    cx: &Context<'_>,
    facts: &Facts,
    history: &History,
    mut all: Vec<Target>,
    out: &mut Collector<'_>,
) {
    // A pattern such as `out/` is about folders only.
    let names = |one: &Target| {
        let is_folder = matches!(one.meaning, Meaning::Folder(..));
        let end = if is_folder { "/" } else { "" };
        [one.path(history), &one.written].map(|path| format!("{path}{end}"))
    };
    let paths: Vec<String> = all.iter().flat_map(names).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let untracked = cx.project.untracked(&paths);
    let mut untracked = untracked.chunks(2).map(|both| both.contains(&true));
    all.retain(|one| {
        !untracked.next().unwrap_or_default() && !history.is_below_file(one.path(history))
    });
    all.sort_by_key(|target| {
        let finding = &target.finding;
        (finding.memory, finding.line, finding.column)
    });
    let wanted: HashSet<Meaning> = all.iter().map(|target| target.meaning).collect();
    let below = |memory: &Arc<Memory>| history.below_root(&memory.path);
    let stored = LazyCell::new(|| cx.memories.iter().filter_map(below).collect::<HashSet<_>>());
    let is_stored = |path: &str| stored.contains(path);
    let found = find((cx.project, history), wanted, &is_stored);
    for of_memory in all.chunk_by(|a, b| a.finding.memory == b.finding.memory) {
        let index = of_memory.first().map(|target| target.finding.memory);
        let memory = index.and_then(|index| Some((index, cx.memories.get(index)?)));
        let Some((index, memory)) = memory else {
            continue;
        };
        let place = |one| Gone::new((history, memory), one, found.get(&one.meaning)?);
        let mut gone: Vec<Gone<'_>> = of_memory.iter().filter_map(place).collect();
        // A path that is written in several ways counts once, by its most misleading mention.
        let mut causes = HashMap::new();
        gone.sort_by_key(|one| one.cause);
        gone.retain(|one| *causes.entry(one.path).or_insert(one.cause) == one.cause);
        // The text is read only where something moved.
        let has_moved = gone.iter().any(|one| one.at.now.is_some());
        let text = has_moved.then(|| cx.texts.text(memory)).flatten();
        let subject = text
            .as_ref()
            .map(|text| Subject::new(cx, facts, index, memory, text));
        for group in gone.chunk_by(|a, b| a.cause == b.cause) {
            let Some(finding) = finding(history, memory, group) else {
                continue;
            };
            // Code imports a file without its ending: what it is imported as now is not known.
            let is_whole = |one: &&Gone<'_>| one.path.ends_with(&*one.target.written);
            let moved = group.iter().filter(is_whole);
            let moved = moved.filter_map(|one| Some((one.target, one.at.now.as_deref()?)));
            let moved: Vec<_> = moved.collect();
            let mut fix = subject.as_ref().and_then(|subject| fix(subject, &moved));
            if let Some(fix) = &mut fix {
                fix.safe &= finding.severity == Severity::Warning;
            }
            out.push(finding.fixed_by(fix));
        }
    }
}

/// Properties shared by all paths of a finding: its severity, the reason if it is no warning, whether
/// they moved, and whether that was before the memory was written.
type Cause = (Severity, Option<&'static str>, bool, bool);

/// A gone path with what became of it.
struct Gone<'t> {
    target: &'t Target,
    path: &'t str,
    at: &'t Whereabouts,
    confidence: f64,
    cause: Cause,
}

impl<'t> Gone<'t> {
    fn new(
        (history, memory): (&'t History, &Memory),
        target: &'t Target,
        at: &'t Whereabouts,
    ) -> Option<Self> {
        let left = at.left.and_then(|file| history.commit(file));
        let is_before = left.is_some_and(|commit| is_before(commit, memory));
        let (severity, confidence, why) = match target.cue {
            Some(cue) => (Severity::Info, 0.4, Some(cue.evidence())),
            None if is_before => (Severity::Info, 0.4, None),
            None if target.meaning == Meaning::Unknown => (Severity::Info, 0.5, Some(NEVER)),
            None if target.is_doubtful => (Severity::Info, 0.5, Some(DOUBT)),
            None if target.meaning.is_whole() => (Severity::Warning, 0.97, None),
            None => (Severity::Warning, 0.9, None),
        };
        Some(Self {
            target,
            path: target.path(history),
            confidence,
            cause: (severity, why, at.now.is_some(), is_before),
            at,
        })
    }

    /// It as the memory writes it.
    fn name(&self) -> String {
        quote(&self.target.written)
    }

    /// The change that took it away.
    fn commit(&self, history: &History) -> Option<String> {
        let verb = if self.cause.2 { "moved" } else { "deleted" };
        let file = self.at.commit?;
        match history.is_uncommitted(file) {
            true => Some(format!("{verb} in the working tree, not committed yet")),
            false => Some(history.commit(file)?.evidence(verb)),
        }
    }
}

/// A few names in a row, and how many more there are.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, before)) if (1..NAMED).contains(&before.len()) => {
            format!("{} and {last}", before.join(", "))
        }
        _ => some_of(names.get(..NAMED).unwrap_or(names), names.len()),
    }
}

/// The finding about paths that share their cause.
fn finding(history: &History, memory: &Memory, group: &[Gone<'_>]) -> Option<Finding> {
    let first = group.first()?;
    let (severity, why, has_moved, is_before) = first.cause;
    let mut seen = HashSet::new();
    let each = group.iter().filter(|one| seen.insert(one.path));
    let each: Vec<&Gone<'_>> = each.collect();
    let confidence = group.iter().map(|one| one.confidence).fold(1.0, f64::min);
    let written = dated(memory).map_or("written", |since| since.verb);
    let names: Vec<String> = each.iter().map(|one| one.name()).collect();
    let now = each.iter().filter_map(|one| one.at.now.as_deref());
    let now: Vec<String> = now.map(quote).collect();
    let others = names.get(NAMED..).filter(|others| !others.is_empty());
    let others = others.map(|others| format!("the others are {}", others.join(", ")));
    let [have, are, they, were] = match each.len() {
        1 => ["has", "is", "it is", "was"],
        _ => ["have", "are", "they are", "were"],
    };
    let names = listed(&names);
    let message = match now.is_empty() {
        false => format!("{names} {have} moved: {they} {} now", listed(&now)),
        true if why == Some(NEVER) => format!("{names} never {were} in the repository"),
        true if is_before => format!("{names} {were} deleted before this was {written}"),
        true => format!("{names} {are} gone"),
    };
    let details = || each.iter().take(MOST_DETAILS);
    let ends = details().filter(|one| !one.target.meaning.is_whole());
    let ends = ends.map(|one| format!("{} was {}", one.name(), quote(one.path)));
    let commits = details().filter_map(|one| Some((one.name(), one.commit(history)?)));
    let commits: Vec<(String, String)> = commits.collect();
    let commits = match commits.chunk_by(|a, b| a.1 == b.1).count() {
        0 | 1 => commits
            .into_iter()
            .map(|(_, commit)| commit)
            .take(1)
            .collect(),
        _ => commits
            .into_iter()
            .map(|(name, commit)| format!("{name} {commit}"))
            .collect::<Vec<_>>(),
    };
    let before = (has_moved && is_before).then(|| format!("that was before this was {written}"));
    let alike = details()
        .map(|one| &one.at.alike)
        .filter(|alike| !alike.is_empty());
    let alike = alike.map(|alike| {
        let alike: Vec<String> = alike.iter().take(NAMED).map(|one| quote(one)).collect();
        format!("it may be {} now", alike.join(" or "))
    });
    let mut finding = first.target.finding.clone().sure(confidence).says(message);
    finding.severity = severity;
    let finding = finding
        .because_of(others)
        .because_of(ends)
        .because_of(commits)
        .because_of(before)
        .because_of(alike)
        .because_of(why);
    Some(finding)
}

/// True if a commit was there when the memory was last written or confirmed.
fn is_before(commit: &Commit, memory: &Memory) -> bool {
    let written = memory.written().max(memory.confirmed);
    written.is_some_and(|written| commit.time.saturating_mul(1000) < written.0)
}

/// The fix that writes these paths over targets, which a person may review first; none for a text
/// that is drawn from fields.
fn fix(subject: &Subject<'_>, rewrites: &[(&Target, &str)]) -> Option<Fix> {
    let (first, others) = rewrites.split_first()?;
    let (start, body) = subject.body();
    let (mut edits, mut new) = (Vec::new(), Vec::new());
    for (target, path) in rewrites {
        let items = target.items.iter();
        edits.extend(items.map(|(field, index)| set_item(&**field, *index, *path)));
        for spot in &target.spots {
            let at = spot.start.checked_sub(start)?..spot.end.checked_sub(start)?;
            // The root that it is written behind stays.
            let head = body.get(at.clone())?.strip_suffix(&*target.written)?;
            new.push((at, format!("{head}{path}")));
        }
    }
    new.sort_by_key(|(at, _)| at.start);
    if !new.is_empty() {
        edits.push(FieldEdit::Body(replaced(body, new)));
    }
    let title = match others.len() {
        0 => format!("name {} instead", quote(first.1)),
        more => format!("name {} and {more} more instead", quote(first.1)),
    };
    let may = !edits.is_empty() && !subject.memory.schema.can.in_rows;
    may.then(|| subject.edit(title, edits))
}
