//! `stale-symbol`: names in code spans that the code defined once and that are nowhere in it now.
//!
//! A name that the code only used is one of a library, of a language or of another project.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Mutex;

use super::chars::quote;
use super::cues::{Cue, Cues};
use super::repository::{History, Wanted, Was};
use super::since::since;
use super::{Collector, Context, Facts, Finding, Rule, RuleInfo, Subject};
use crate::memory::Severity;
use crate::text::mentions::{Outline, symbols};

/// Maximum number of code spans of one memory that are looked up.
const MOST: usize = 50;
/// Maximum number of names of all memories that are looked up.
const MOST_NAMES: usize = 20_000;
/// Maximum number of memories in which one name is reported.
const MOST_MEMORIES: usize = 20;

/// The rule.
pub(super) struct StaleSymbol;

/// Names of code with the bytes of their code spans in a memory's body.
type Spots = Vec<(Box<str>, Range<usize>)>;

/// The names of all memories, in no order.
type Names = Mutex<HashMap<Box<str>, Uses>>;

fn names(facts: &Facts) -> &Names {
    facts.of(Names::default)
}

/// The memories that have a name.
#[derive(Default)]
struct Uses {
    /// The earliest time at which a memory had it, seconds since 1970.
    since: Option<i64>,
    /// Its positions in each memory.
    spots: BTreeMap<usize, Vec<Range<usize>>>,
}

/// Keeps the names of a memory.
fn keep(subject: &Subject<'_>, history: &History, spots: Spots) {
    let time = since(subject.memory, history).map(|since| since.time);
    let Ok(mut names) = names(subject.facts).lock() else {
        return;
    };
    for (name, bytes) in spots {
        if names.len() >= MOST_NAMES && !names.contains_key(&name) {
            continue;
        }
        let uses = names.entry(name).or_default();
        uses.since = [uses.since, time].into_iter().flatten().min();
        let spots = uses.spots.entry(subject.index).or_default();
        spots.push(bytes);
        // The first memories of the snapshot are kept.
        if uses.spots.len() > MOST_MEMORIES {
            uses.spots.pop_last();
        }
    }
}

impl Rule for StaleSymbol {
    fn info(&self) -> RuleInfo {
        RuleInfo("stale-symbol", Severity::Info)
    }

    fn gather(&self, subject: &Subject<'_>) {
        let (_, body) = subject.body();
        match subject.cx.project.history() {
            Ok(history) => keep(subject, history, spots(body)),
            Err("") => {}
            Err(_) => {
                let mut count = 0;
                symbols(body, &Outline::new(body), &mut |_| count += 1);
                subject.facts.add_unchecked(self.id(), count);
            }
        }
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
        match cx.project.history() {
            Ok(history) => report(cx, facts, history, out),
            Err(why) => {
                facts.note_unchecked(self.id(), "name", "of the code not looked up", why);
            }
        }
    }
}

/// The names of a body.
fn spots(body: &str) -> Spots {
    let (mut found, mut spans) = (Vec::new(), 0);
    if body.contains('`') {
        symbols(body, &Outline::new(body), &mut |mention| {
            spans += 1;
            let names = mention.names.into_iter().filter(|_| spans <= MOST);
            found.extend(names.map(|name| (name.into(), mention.bytes.clone())));
        });
    }
    found
}

fn report(cx: &Context<'_>, facts: &Facts, history: &History, out: &mut Collector<'_>) {
    let names = names(facts).lock();
    let names = names.map(|mut names| std::mem::take(&mut *names));
    let names = names.unwrap_or_default();
    if names.is_empty() {
        return;
    }
    if names.len() >= MOST_NAMES {
        let note = format!("only {MOST_NAMES} names of the code were looked up");
        facts.note("stale-symbol", note);
    }
    // Files of stores contain the names too, and are no code.
    let stored = cx.memories.iter();
    let stored = stored.filter_map(|memory| history.below_root(&memory.path));
    let time = |uses: &Uses| uses.since.unwrap_or(i64::MIN);
    let wanted = Wanted {
        names: names
            .iter()
            .map(|(name, uses)| (name.to_string(), time(uses)))
            .collect(),
        skip: stored.collect(),
    };
    let symbols = cx.project.symbols(&wanted);
    if let Some(why) = &symbols.partial {
        facts.note("stale-symbol", why.clone());
    } else if let Some(why) = &history.partial {
        facts.note(
            "stale-symbol",
            format!("not all of the history was read: {why}"),
        );
    }
    // `A::b` is reported once if both names are gone.
    let mut reported: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (name, was) in &symbols.gone {
        let uses = names.get(name.as_str());
        for (memory, spots) in uses.iter().flat_map(|uses| &uses.spots) {
            let found = finding((cx, facts, history), *memory, (name, spots), was);
            let at = found.as_ref().and_then(|found| found.place.clone());
            if at.is_some_and(|at| reported.insert((*memory, at.start))) {
                out.extend(found);
            }
        }
    }
}

/// The finding about a name in a memory, at the spot that misleads most.
fn finding(
    (cx, facts, history): (&Context<'_>, &Facts, &History),
    index: usize,
    (name, spots): (&str, &[Range<usize>]),
    was: &Was,
) -> Option<Finding> {
    let memory = cx.memories.get(index)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, index, memory, &text);
    let (start, body) = subject.body();
    let cues = Cues::new(body, &memory.title);
    let spots = spots.iter().map(|bytes| (cues.at(bytes), bytes));
    let (cue, at) = spots.min_by_key(|(cue, bytes)| (*cue, bytes.start))?;
    let written = body.get(at.clone())?;
    let at = start + at.start..start + at.end;
    let since = since(memory, history);
    let is_before = match (&was.commit, since) {
        (Some(commit), Some(since)) => commit.time < since.time,
        _ => false,
    };
    let confidence = match cue {
        Some(_) => 0.3,
        None if is_before => 0.4,
        None => 0.8,
    };
    let finding = subject.finding("stale-symbol", Severity::Info, subject.at(at.start));
    let finding = finding.about(at).sure(confidence);
    let mut finding = finding.says(match since.filter(|_| is_before) {
        Some(since) => format!(
            "{} left the code before this was {}",
            quote(written),
            since.verb
        ),
        None => format!("{} is not in the code any more", quote(written)),
    });
    if written.trim_end_matches("()") != name {
        finding = finding.because(format!("{} is not there", quote(name)));
    }
    finding = finding.because(format!("it was defined in {}", quote(&was.path)));
    if let Some(commit) = &was.commit {
        finding = finding.because(commit.evidence("taken out"));
    }
    if let Some(now) = &was.now {
        finding = finding.because(format!("{} came with the same commit", quote(now)));
    }
    Some(
        cue.into_iter()
            .map(Cue::evidence)
            .fold(finding, Finding::because),
    )
}
