//! `stale-symbol`: names in code spans that the code defined once and that are nowhere in it now.
//!
//! A name that the code only used is one of a library, of a language or of another project.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::changed::since;
use super::chars::quote;
use super::cues::Cue;
use super::repository::{History, Wanted, Was};
use super::{Collector, Context, Facts, Finding, Rule, Subject};
use crate::memory::Severity;
use crate::text::mentions::symbols;

/// Maximum number of code spans of one memory that are looked up.
const MOST: usize = 50;
/// Maximum number of names of all memories that are looked up.
const MOST_NAMES: usize = 20_000;

/// The code spans of all memories that have a name, by the name and the memory.
type Names = BTreeMap<Box<str>, BTreeMap<usize, Vec<Range<usize>>>>;

/// A name in a code span of a memory.
type Named = (Box<str>, usize, Range<usize>);

/// Keeps the code spans of a memory that may be names.
pub(super) fn gather(rule: &Rule, subject: &Subject<'_>) {
    let (_, body) = subject.body();
    if !body.contains('`') {
        return;
    }
    let (mut spans, mut names) = (0, Vec::<Named>::new());
    symbols(body, subject.cues().outline(), &mut |span| {
        spans += 1;
        let wanted = span.names.into_iter().filter(|_| spans <= MOST);
        names.extend(wanted.map(|name| (name.into(), subject.index, span.bytes.clone())));
    });
    if !names.is_empty() && subject.history(rule.id, "names").is_some() {
        subject.facts.keep(names);
    }
}

/// Reports symbols that memories mention and the code has lost.
pub(super) fn finish(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
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
    let symbols = cx.project.symbols(&Wanted {
        names: names.keys().map(|name| name.to_string()).collect(),
        skip: stored.collect(),
    });
    if let Some(why) = symbols.partial {
        facts.note(rule.id, why);
    }
    // `A::b` is reported once if both names are gone.
    let mut reported: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (name, was) in &symbols.gone {
        for (memory, spans) in names.get(name.as_str()).into_iter().flatten() {
            let found = finding((cx, facts, history), *memory, (name, spans), was);
            let at = found.as_ref().and_then(|found| found.place.clone());
            if at.is_some_and(|at| reported.insert((*memory, at.start))) {
                out.extend(found);
            }
        }
    }
}

/// The finding about a name in a memory, at the span that misleads most.
fn finding(
    (cx, facts, history): (&Context<'_>, &Facts, &History),
    index: usize,
    (name, spans): (&str, &[Range<usize>]),
    was: &Was,
) -> Option<Finding> {
    let memory = cx.memories.get(index)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, index, memory, &text);
    let (start, body) = subject.body();
    let spans = spans.iter().map(|bytes| (subject.cues().at(bytes), bytes));
    let (cue, at) = spans.min_by_key(|(cue, bytes)| (*cue, bytes.start))?;
    let written = body.get(at.clone())?;
    let at = start + at.start..start + at.end;
    let gone = was.commit.as_ref();
    let since = since(memory, history);
    let since = since.filter(|since| gone.is_some_and(|gone| gone.time < since.time));
    let is_sure = cue.is_none() && since.is_none();
    let says = since.map_or("is not in the code any more".to_owned(), |since| {
        format!("left the code before this was {}", since.verb)
    });
    let is_part = written.trim_end_matches("()") != name;
    let finding = subject.finding("stale-symbol", Severity::Info, subject.at(at.start));
    let finding = finding.about(at).sure(if is_sure { 0.8 } else { 0.3 });
    let finding = finding.says(format!("{} {says}", quote(written)));
    let finding = finding
        .because_of(is_part.then(|| format!("{} is not there", quote(name))))
        .because(format!("it was defined in {}", quote(&was.path)))
        .because_of(gone.map(|commit| commit.evidence("taken out")))
        .because_of(cue.map(Cue::evidence));
    Some(finding)
}
