//! `changed-since`: files that changed a lot since a memory that names them was written.
//!
//! A change alone says little. The rule reports a file of which more than half of the lines changed,
//! in several commits, since the memory was written or confirmed. One suggestion for each memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Mutex;

use super::chars::quote;
use super::cues::Cues;
use super::report::counted;
use super::repository::{Blob, History};
use super::since::since;
use super::{Collector, Context, Facts, Finding, Rule, RuleInfo, Subject};
use crate::memory::Severity;

/// Minimum number of commits before a file is compared; one rewrite is not enough.
const FEWEST: usize = 3;
/// Minimum share of changed lines, of both versions together.
const SHARE: f64 = 0.5;
/// Lines of both versions, below which a file is too small to say so.
const SMALL: usize = 40;
/// Paths of all memories that are compared: those with the most commits.
const MOST: usize = 2_000;
/// Files that one finding names.
const NAMED: usize = 5;

/// A memory about files that changed a lot.
pub(super) struct ChangedSince;

/// The files that changed often since, of all memories in no order.
fn seen(facts: &Facts) -> &Mutex<Vec<Seen>> {
    facts.of(Mutex::default)
}

/// A file that changed often since a memory that names it was written.
struct Seen {
    commits: usize,
    memory: usize,
    /// The first mention in the memory.
    bytes: Range<usize>,
    path: Box<str>,
    /// Its content then.
    blob: Blob,
}

impl Rule for ChangedSince {
    fn info(&self) -> RuleInfo {
        RuleInfo("changed-since", Severity::Info)
    }

    fn gather(&self, subject: &Subject<'_>) {
        if let Some(history) = subject.history(self.id()) {
            gather(subject, history);
        }
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
        if let Some(history) = facts.history(cx, self.id(), "not compared") {
            report(cx, facts, history, out);
        }
    }
}

fn gather(subject: &Subject<'_>, history: &History) {
    let Some(since) = since(subject.memory, history) else {
        return;
    };
    let (start, body) = subject.body();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut found: Vec<Seen> = Vec::new();
    let cues = Cues::new(body, &subject.memory.title);
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
            && cues.at(&mention.bytes).is_none()
        {
            found.push(Seen {
                commits: changes.len(),
                memory: subject.index,
                bytes: start + mention.bytes.start..start + mention.bytes.end,
                path: path.into(),
                blob,
            });
        }
    }
    if let Ok(mut all) = seen(subject.facts).lock() {
        all.append(&mut found);
    }
}

/// A file that was mostly rewritten: the share of its lines that are others, how many, and of how many.
type Rewritten<'s> = (&'s Seen, f64, usize, usize);

fn report(cx: &Context<'_>, facts: &Facts, history: &History, out: &mut Collector<'_>) {
    let all = seen(facts).lock();
    let Ok(mut all) = all.map(|mut all| std::mem::take(&mut *all)) else {
        return;
    };
    all.sort_by_key(|seen| (Reverse(seen.commits), seen.memory, seen.bytes.start));
    if all.len() > MOST {
        let left = counted(all.len() - MOST, "changed file");
        let note = format!("{left} not compared: only the {MOST} changed most often");
        facts.note("changed-since", note);
        all.truncate(MOST);
    }
    let pairs: BTreeSet<(&str, Blob)> = all.iter().map(|seen| (&*seen.path, seen.blob)).collect();
    let pairs: Vec<(&str, Blob)> = pairs.into_iter().collect();
    let compared = cx.project.rewritten(&pairs);
    let compared: BTreeMap<(&str, Blob), _> = pairs.into_iter().zip(compared).collect();
    let mut by_memory: BTreeMap<usize, Vec<Rewritten>> = BTreeMap::new();
    for seen in &all {
        if let Some(Some(one)) = compared.get(&(&*seen.path, seen.blob)) {
            let (changed, lines) = (one.changed, one.lines);
            let share = changed as f64 / lines.max(1) as f64;
            if lines >= SMALL && share >= SHARE {
                let files = by_memory.entry(seen.memory).or_default();
                files.push((seen, share, changed, lines));
            }
        }
    }
    for (memory, mut files) in by_memory {
        files.sort_by(|a, b| {
            let order = b.1.total_cmp(&a.1);
            order.then(a.0.bytes.start.cmp(&b.0.bytes.start))
        });
        out.extend(finding(cx, facts, history, memory, &files));
    }
}

fn finding(
    cx: &Context<'_>,
    facts: &Facts,
    history: &History,
    index: usize,
    files: &[Rewritten<'_>],
) -> Option<Finding> {
    let memory = cx.memories.get(index)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, index, memory, &text);
    let (first, others) = files.split_first()?;
    let at = first.0.bytes.clone();
    let finding = subject.finding("changed-since", Severity::Info, subject.at(at.start));
    let verb = since(memory, history)?.verb;
    let says = |(seen, _, changed, lines): &Rewritten<'_>| {
        let (path, commits) = (quote(&seen.path), counted(seen.commits, "commit"));
        format!("{path} changed in {commits}: {changed} of {lines} lines, old and new, are others")
    };
    // Half rewritten is a maybe, all of it likely.
    let mut finding = finding
        .about(at)
        .sure(0.2 + 0.4 * first.1)
        .says(format!("{} since this was {verb}", says(first)));
    for other in others.iter().take(NAMED) {
        finding = finding.because(says(other));
    }
    Some(finding.because("confirm it where it still holds: the clock starts anew"))
}
