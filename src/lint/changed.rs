//! `changed-since`: files that changed a lot since a memory that names them was written.
//!
//! A change alone says little. The rule reports a file of which more than half of the lines changed,
//! in several commits, since the memory was written or confirmed. One suggestion for each memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::chars::quote;
use super::report::counted;
use super::repository::{Blob, History, Rewritten};
use super::{Collector, Context, Facts, Finding, Rule, Subject};
use crate::memory::{Memory, Timestamp};

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

/// Keeps the files of a memory that changed often since.
pub(super) fn gather(rule: &Rule, subject: &Subject<'_>) {
    let history = subject.history_of_paths(rule.id);
    let since = history.and_then(|history| Some((history, since(subject.memory, history)?)));
    let Some((history, since)) = since else {
        return;
    };
    let (start, _) = subject.body();
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
            let at = start + mention.bytes.start..start + mention.bytes.end;
            let finding = subject.finding(rule.id, rule.severity, subject.at(at.start));
            found.push(Seen {
                commits: changes.len(),
                finding: finding.about(at),
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
    all.sort_by_key(
        |Seen {
             commits, finding, ..
         }| {
            let start = finding.place.as_ref().map(|at| at.start);
            (Reverse(*commits), finding.memory, start)
        },
    );
    if all.len() > MOST {
        let left = counted(all.len() - MOST, "changed file");
        let note = format!("{left} not compared: only the {MOST} changed most often");
        facts.note("changed-since", note);
        all.truncate(MOST);
    }
    let wanted: Vec<(&str, Blob)> = all.iter().map(|seen| (&*seen.path, seen.blob)).collect();
    let compared = cx.project.rewritten(&wanted).into_iter();
    let compared = all
        .iter()
        .zip(compared)
        .filter_map(|(seen, one)| Some((seen, one?)));
    let mut most: BTreeMap<usize, (f64, Rewritten, &Seen)> = BTreeMap::new();
    for (seen, one) in compared {
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
        let path = history.below_root(&memory.path)?;
        let commit = history.commit_at(history.changes(&path).first()?.commit)?;
        let (time, verb) = (commit.time, "committed");
        Some(Since { time, verb })
    })
}

fn end(at: Timestamp) -> i64 {
    let seconds = at.0.div_euclid(1000);
    let midnight = at.0.rem_euclid(DAY * 1000) == 0;
    if midnight { seconds + DAY - 1 } else { seconds }
}
