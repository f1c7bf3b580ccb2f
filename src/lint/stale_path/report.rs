//! The findings about gone paths: one for all paths of a memory of which the same is reported.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::Target;
use super::fix::{Rewrite, fix};
use super::whereabouts::{Whereabouts, find};
use crate::lint::chars::quote;
use crate::lint::report::some_of;
use crate::lint::repository::{Commit, History, Match, Meaning};
use crate::lint::{Collector, Context, Facts, Finding, Subject};
use crate::memory::{Memory, Severity};
use crate::text::mentions::{Outline, last};

/// Paths that a message names; the evidence names the others.
const NAMED: usize = 4;
/// Paths that the evidence names.
const MOST_NAMED: usize = 200;
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
    let paths: Vec<&str> = all.iter().map(|target| path_of(history, target)).collect();
    let mut untracked = cx.project.untracked(&paths).into_iter();
    all.retain(|_| !untracked.next().unwrap_or_default());
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
        // The text is read once, and only where something moved.
        let now = |one: &Target| found.get(&one.meaning)?.now.as_ref();
        let has_moved = of_memory.iter().any(|one| now(one).is_some());
        let text = has_moved.then(|| cx.texts.text(memory)).flatten();
        let text = text.as_deref();
        let outline = text.map(Outline::new);
        let text_of = || outline.as_ref().zip(text);
        let gone = of_memory.iter().filter_map(|one| {
            let at = found.get(&one.meaning)?.clone();
            Some(Gone::new((history, memory), one, at, text_of()))
        });
        let gone: Vec<Gone<'_>> = gone.collect();
        let subject = text.map(|text| Subject::new(cx, facts, index, memory, text));
        for group in groups(gone) {
            let Some(finding) = finding(history, memory, &group) else {
                continue;
            };
            let moved = group
                .iter()
                .filter_map(|one| Some((one.target, one.at.now.as_deref()?)));
            let rewrites = moved.filter_map(|(target, now)| Rewrite::new(history, target, now));
            let rewrites: Vec<Rewrite<'_>> = rewrites.collect();
            let mut fix = subject.as_ref().and_then(|subject| fix(subject, &rewrites));
            if let Some(fix) = &mut fix {
                fix.safe &= finding.severity == Severity::Warning;
            }
            out.push(finding.fixed_by(fix));
        }
    }
}

fn path_of<'a>(history: &'a History, target: &Target) -> &'a str {
    match target.meaning {
        Meaning::File(at, _) => history.file(at),
        Meaning::Folder(at, _) => history.folder(at),
        Meaning::Present | Meaning::Unknown => "",
    }
}

/// Properties shared by all paths of a finding: its severity, the reason if it is no warning, whether
/// they moved, and whether that was before the memory was written.
type Cause = (Severity, Option<&'static str>, bool, bool);

/// A gone path with what became of it.
struct Gone<'t> {
    target: &'t Target,
    path: &'t str,
    at: Whereabouts,
    confidence: f64,
    cause: Cause,
}

impl<'t> Gone<'t> {
    fn new(
        (history, memory): (&'t History, &Memory),
        target: &'t Target,
        at: Whereabouts,
        text: Option<(&Outline<'_>, &str)>,
    ) -> Self {
        let left = at.left.and_then(|file| history.commit(file));
        let is_before = left.is_some_and(|commit| is_before(commit, memory));
        let now = at.now.as_deref().zip(text);
        let has_new_path = now.is_some_and(|(now, text)| target.has_beside(now, text));
        let beside = "the memory has the new path beside the old one";
        let doubt = "several things were called so";
        let (severity, confidence, why) = match target.cue {
            Some(cue) => (Severity::Info, 0.4, Some(cue.evidence())),
            None if has_new_path => (Severity::Info, 0.3, Some(beside)),
            None if is_before => (Severity::Info, 0.4, None),
            None if target.is_doubtful => (Severity::Info, 0.5, Some(doubt)),
            None if target.is_whole() => (Severity::Warning, 0.97, None),
            None => (Severity::Warning, 0.9, None),
        };
        Self {
            target,
            path: path_of(history, target),
            confidence,
            cause: (severity, why, at.now.is_some(), is_before),
            at,
        }
    }

    /// It as the memory writes it.
    fn name(&self) -> String {
        quote(&self.target.written)
    }
}

impl Target {
    /// True if the memory has a path beside each mention of this one.
    fn has_beside(&self, now: &str, (outline, text): (&Outline<'_>, &str)) -> bool {
        let name = last(now);
        let is_telling = name != last(&self.written) && name.contains('.');
        let mut spots = self.spots.iter().take(MOST_DETAILS).peekable();
        spots.peek().is_some()
            && spots.all(|spot| {
                let block = outline.block(spot.start).0;
                let block = text.get(block).unwrap_or_default();
                block.contains(now) || (is_telling && block.contains(name))
            })
    }

    const fn is_whole(&self) -> bool {
        use Meaning::{File, Folder};
        matches!(
            self.meaning,
            File(_, Match::Whole) | Folder(_, Match::Whole)
        )
    }
}

/// Groups the gone paths of a memory by cause. A path that is written in several ways counts once, by
/// its most misleading mention.
fn groups(gone: Vec<Gone<'_>>) -> Vec<Vec<Gone<'_>>> {
    let mut groups: BTreeMap<_, Vec<Gone<'_>>> = BTreeMap::new();
    let mut causes: HashMap<&str, Cause> = HashMap::new();
    for one in &gone {
        let cause = causes.entry(one.path).or_insert(one.cause);
        *cause = one.cause.min(*cause);
    }
    for one in gone {
        if causes.get(one.path) == Some(&one.cause) {
            groups.entry(one.cause).or_default().push(one);
        }
    }
    groups.into_values().collect()
}

/// So many names in a row at most, and how many more there are.
fn listed(names: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let count = names.len();
    let mut shown: Vec<String> = names.take(most).collect();
    if count > most {
        return some_of(&shown, count);
    }
    match shown.pop() {
        Some(last) if shown.is_empty() => last,
        Some(last) => format!("{} and {last}", shown.join(", ")),
        None => String::new(),
    }
}

/// The finding about paths that share their cause.
fn finding(history: &History, memory: &Memory, group: &[Gone<'_>]) -> Option<Finding> {
    let first = group.first()?;
    let (severity, why, has_moved, is_before) = first.cause;
    let confidence = group.iter().map(|one| one.confidence).fold(1.0, f64::min);
    let mut seen = HashSet::new();
    let each = group.iter().filter(|one| seen.insert(one.path));
    let each: Vec<&Gone<'_>> = each.collect();
    let written = last_change(memory);
    let mut finding = first.target.finding.clone().sure(confidence);
    finding.severity = severity;
    finding = finding.says(message(&each, is_before, written));
    if let Some(others) = each.get(NAMED..).filter(|others| !others.is_empty()) {
        let others = listed(others.iter().map(|one| one.name()), MOST_NAMED);
        finding = finding.because(format!("the others are {others}"));
    }
    let details = || each.iter().take(MOST_DETAILS);
    let name = |one: &Gone<'_>| match each.len() {
        1 => "it".to_owned(),
        _ => one.name(),
    };
    for one in details().filter(|one| !one.target.is_whole()) {
        finding = finding.because(format!("{} was {}", name(one), quote(one.path)));
    }
    let verb = if has_moved { "moved" } else { "deleted" };
    let commit = |one: &Gone<'_>| {
        let file = one.at.commit?;
        match history.is_uncommitted(file) {
            true => Some(format!("{verb} in the working tree, not committed yet")),
            false => Some(history.commit(file)?.evidence(verb)),
        }
    };
    let mut commits: Vec<(String, Vec<String>)> = Vec::new();
    for (one, commit) in details().filter_map(|one| Some((one, commit(one)?))) {
        match commits.iter_mut().find(|(known, _)| *known == commit) {
            Some((_, names)) => names.push(one.name()),
            None => commits.push((commit, vec![one.name()])),
        }
    }
    for (commit, names) in &commits {
        finding = finding.because(match commits.len() {
            1 => commit.clone(),
            _ => format!("{} {commit}", names.join(", ")),
        });
    }
    if has_moved && is_before {
        finding = finding.because(format!("that was before this was {written}"));
    }
    for one in details() {
        if let Some(via) = &one.at.via {
            finding = finding.because(format!("{} had been moved to {}", name(one), quote(via)));
        }
        let alike = one.at.alike.iter().take(NAMED).map(|one| quote(one));
        finding = match alike.collect::<Vec<_>>().as_slice() {
            [] => finding,
            [near] => finding.because(format!("a file of that name is {near}")),
            several => finding.because(format!("it may be {} now", several.join(" or "))),
        };
    }
    Some(why.into_iter().fold(finding, Finding::because))
}

/// Paths that share the cause of their fate.
fn message(each: &[&Gone<'_>], is_before: bool, written: &str) -> String {
    let names = listed(each.iter().map(|one| one.name()), NAMED);
    let now = each.iter().filter_map(|one| one.at.now.as_deref());
    let now: Vec<String> = now.map(quote).collect();
    let now = listed(now.into_iter(), NAMED);
    let is_one = each.len() == 1;
    match (now.is_empty(), is_one) {
        (false, true) => format!("{names} has moved: it is {now} now"),
        (false, false) => format!("{names} have moved: they are {now} now"),
        (true, true) if is_before => format!("{names} was deleted before this was {written}"),
        (true, false) if is_before => format!("{names} were deleted before this was {written}"),
        (true, true) => format!("{names} is gone"),
        (true, false) => format!("{names} are gone"),
    }
}

/// True if a commit was there when the memory was last written or confirmed.
fn is_before(commit: &Commit, memory: &Memory) -> bool {
    let written = memory.written().max(memory.confirmed);
    written.is_some_and(|written| commit.time.saturating_mul(1000) < written.0)
}

/// The last event of a memory.
fn last_change(memory: &Memory) -> &'static str {
    match memory.confirmed {
        Some(at) if Some(at) >= memory.written() => "confirmed",
        _ => "written",
    }
}
