//! Code that a memory names and that became another since: rewritten files and lost names.
//!
//! `changed-since` reports a file of which more than half of the lines changed, in several commits,
//! since the memory was written or confirmed: a change alone says little. One suggestion for each
//! memory. `stale-symbol` reports names in code spans that the code defined once and that are nowhere
//! in it now: one that it only used is of a library, of a language or of another project.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::chars::quote;
use super::cues::Cue;
use super::report::counted;
use super::repository::{Blob, History, Rewritten, Was};
use super::{Collector, Context, Facts, Finding, Rule, Subject};
use crate::memory::{Memory, Severity, Timestamp};
use crate::text::mentions::symbols;

/// Minimum number of commits before a file is compared; one rewrite is not enough.
const FEWEST: usize = 3;
/// Minimum share of changed lines, of both versions together.
const SHARE: f64 = 0.5;
/// Lines of both versions, below which a file is too small to say so.
const SMALL: usize = 40;
/// Paths of all memories that are compared: those with the most commits.
const MOST: usize = 2_000;

/// A file that changed often since a memory that names it was written.
struct Seen {
    commits: usize,
    /// A finding at the first mention in the memory.
    finding: Finding,
    path: Box<str>,
    /// Its content then.
    blob: Blob,
    /// What the memory was since when it counts.
    verb: &'static str,
}

pub(super) fn gather(rule: &Rule, subject: &Subject<'_>) {
    let history = subject.history_of_paths(rule.id);
    let since = history.and_then(|history| Some((history, since(subject.memory, history)?)));
    let Some((history, since)) = since else {
        return;
    };
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut found: Vec<Seen> = Vec::new();
    for mention in subject.paths() {
        let is_local = !mention.is_absolute() && !mention.is_glob;
        let Some(path) = history
            .present(&mention.path)
            .filter(|path| is_local && known.insert(path))
        else {
            continue;
        };
        let changes = history.changes_since(path, since.time);
        let blob = changes.last().and_then(|change| change.old);
        if let Some(blob) = blob.filter(|_| changes.len() >= FEWEST)
            && subject.cues().at(&mention.bytes).is_none()
        {
            let place = subject.in_body(&mention.bytes);
            found.push(Seen {
                commits: changes.len(),
                finding: subject.finding(rule.id, rule.severity, place),
                path: path.into(),
                blob,
                verb: since.verb,
            });
        }
    }
    subject.facts.keep(found);
}

/// Reports of each memory the file that was rewritten most.
pub(super) fn finish(_: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    let mut all = facts.kept::<Seen>();
    all.sort_by_key(|seen| {
        let start = seen.finding.place.as_ref().map(|at| at.start);
        (Reverse(seen.commits), seen.finding.memory, start)
    });
    if all.len() > MOST {
        let left = counted(all.len() - MOST, "changed file");
        let note = format!("{left} not compared: only the {MOST} changed most often");
        facts.note("changed-since", note);
        all.truncate(MOST);
    }
    let wanted: Vec<(&str, Blob)> = all.iter().map(|seen| (&*seen.path, seen.blob)).collect();
    let compared = all.iter().zip(cx.project.rewritten(&wanted));
    let mut most: BTreeMap<usize, (f64, Rewritten, &Seen)> = BTreeMap::new();
    for (seen, one) in compared.filter_map(|(seen, one)| Some((seen, one?))) {
        let share = one.changed as f64 / one.lines.max(1) as f64;
        let known = most.get(&seen.finding.memory).map_or(0.0, |known| known.0);
        if one.lines >= SMALL && share >= SHARE && share > known {
            most.insert(seen.finding.memory, (share, one, seen));
        }
    }
    for (share, Rewritten { changed, lines }, seen) in most.into_values() {
        let (path, commits) = (quote(&seen.path), counted(seen.commits, "commit"));
        // Half rewritten is a maybe, all of it likely.
        let finding = seen.finding.clone().sure(0.2 + 0.4 * share);
        let finding = finding.says(format!(
            "{path} changed in {commits}: {changed} of {lines} lines, old and new, are others \
             since this was {}",
            seen.verb
        ));
        out.push(finding.because("confirm it where it still holds: the clock starts anew"));
    }
}

const DAY: i64 = 86_400;

/// The time since which a memory is known to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Since {
    /// Seconds since 1970; the last second of a day without a time.
    pub time: i64,
    /// The event at that time.
    pub verb: &'static str,
}

/// When a memory was last confirmed, changed or written by its own dates.
pub(super) fn dated(memory: &Memory) -> Option<Since> {
    let since = |at: Option<_>, verb| Some((end(at?), verb));
    // Of two alike the confirmation counts.
    let confirmed = since(memory.confirmed, "confirmed");
    let last = since(memory.written(), "written").into_iter();
    let last = last.chain(confirmed).max_by_key(|(time, _)| *time);
    last.map(|(time, verb)| Since { time, verb })
}

/// When a memory was last confirmed, changed or written: its own date, else that of its last commit.
pub(super) fn since(memory: &Memory, history: &History) -> Option<Since> {
    dated(memory).or_else(|| {
        let (time, verb) = (history.last_commit(&memory.path)?.time, "committed");
        Some(Since { time, verb })
    })
}

fn end(at: Timestamp) -> i64 {
    let seconds = at.0.div_euclid(1000);
    let midnight = at.0.rem_euclid(DAY * 1000) == 0;
    if midnight { seconds + DAY - 1 } else { seconds }
}

/// Maximum number of code spans of one memory that are looked up.
const MOST_SPANS: usize = 50;
/// Maximum number of names of all memories that are looked up.
const MOST_NAMES: usize = 20_000;

/// The code spans of all memories that have a name, by the name and the memory.
type Names = BTreeMap<Box<str>, BTreeMap<usize, Vec<Range<usize>>>>;

type Named = (Box<str>, usize, Range<usize>);

pub(super) fn gather_symbols(rule: &Rule, subject: &Subject<'_>) {
    let (_, body) = subject.body();
    if !body.contains('`') {
        return;
    }
    let (mut spans, mut names) = (0, Vec::<Named>::new());
    symbols(body, subject.cues().outline(), &mut |span| {
        spans += 1;
        let wanted = span.names.into_iter().filter(|_| spans <= MOST_SPANS);
        names.extend(wanted.map(|name| (name.into(), subject.index, span.bytes.clone())));
    });
    if !names.is_empty() && subject.history(rule.id, "names").is_some() {
        subject.facts.keep(names);
    }
}

pub(super) fn lost_symbols(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    let Ok(history) = cx.project.history() else {
        return;
    };
    let mut names = Names::new();
    for (name, memory, bytes) in facts.kept::<Named>() {
        if names.len() < MOST_NAMES || names.contains_key(&name) {
            let memories = names.entry(name).or_default();
            memories.entry(memory).or_default().push(bytes);
        }
    }
    // Files of stores contain the names too, and are no code.
    let stored = cx.memories.iter();
    let stored = stored.filter_map(|memory| history.below_root(&memory.path));
    let wanted = names.keys().map(|name| name.to_string()).collect();
    let symbols = cx.project.symbols(&wanted, &stored.collect());
    if let Some(why) = symbols.partial {
        facts.note(rule.id, why);
    }
    // `A::b` is reported once if both names are gone.
    let mut reported: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (name, was) in &symbols.gone {
        for (memory, spans) in names.get(name.as_str()).into_iter().flatten() {
            let found = lost_symbol((cx, facts, history), *memory, (name, spans), was);
            let at = found.as_ref().and_then(|found| found.place.clone());
            if at.is_some_and(|at| reported.insert((*memory, at.start))) {
                out.extend(found);
            }
        }
    }
}

/// The finding about a lost name. It stands at the mention that misleads most.
fn lost_symbol(
    (cx, facts, history): (&Context<'_>, &Facts, &History),
    index: usize,
    (name, spans): (&str, &[Range<usize>]),
    was: &Was,
) -> Option<Finding> {
    let memory = cx.memories.get(index)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, index, memory, &text);
    let (_, body) = subject.body();
    let spans = spans.iter().map(|bytes| (subject.cues().at(bytes), bytes));
    let (cue, at) = spans.min_by_key(|(cue, bytes)| (*cue, bytes.start))?;
    let written = body.get(at.clone())?;
    let gone = was.commit.as_ref();
    let since = since(memory, history);
    let since = since.filter(|since| gone.is_some_and(|gone| gone.time < since.time));
    let is_sure = cue.is_none() && since.is_none();
    let says = since.map_or("is not in the code any more".to_owned(), |since| {
        format!("left the code before this was {}", since.verb)
    });
    let is_part = written.trim_end_matches("()") != name;
    let finding = subject.finding("stale-symbol", Severity::Info, subject.in_body(at));
    let finding = finding.sure(if is_sure { 0.8 } else { 0.3 });
    let finding = finding.says(format!("{} {says}", quote(written)));
    let finding = finding
        .because_of(is_part.then(|| format!("{} is not there", quote(name))))
        .because(format!("it was defined in {}", quote(&was.path)))
        .because_of(gone.map(|commit| commit.evidence("taken out")))
        .because_of(cue.map(Cue::evidence));
    Some(finding)
}
