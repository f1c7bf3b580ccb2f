//! One run of rules over a store.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::cache::{self, Cache, Gathering, Known, New};
use super::collector::{Collector, Held, Unreported};
use super::facts::{Gathered, Unchecked};
use super::repository::History;
use super::{Context, Facts, Finding, Rule, Selection, Subject, check, sort};
use crate::curate::DecisionKey;
use crate::memory::State;
use crate::search::query::Marks;
use crate::text::mentions::local_paths;

/// Memories that are checked before their findings are collected, and most of them dropped.
const PIECE: usize = 512;

/// What a rule could not check. It is about no memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The rule's id.
    pub rule: &'static str,
    /// What, and why, in a sentence without a full stop.
    pub message: String,
}

/// What lint found in a store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Digest {
    /// The findings, in the contract's order.
    pub findings: Vec<Finding>,
    /// What was found in each memory of the snapshot, left out or not.
    pub marks: Vec<Marks>,
    /// How many findings are more than suggestions, left out or not.
    pub warnings: usize,
    /// How many findings of a rule are counted and not held.
    pub left_out: BTreeMap<&'static str, usize>,
    /// What rules could not check.
    pub notes: Vec<Note>,
    /// How many findings are not reported.
    pub unreported: Unreported,
    /// The decisions of the baseline that changed.
    pub baseline: Box<Baseline>,
}

/// Decisions of the baseline that no longer describe the stores; each with how often it was expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// Those that are no longer found.
    pub over: Vec<(DecisionKey, usize)>,
    /// Those whose memory does not exist any more.
    pub lost: Vec<(DecisionKey, usize)>,
    /// Those that were met under another id, with their new keys.
    pub renamed: Vec<(DecisionKey, DecisionKey)>,
}

impl Digest {
    /// The digest of these findings, all of them held.
    pub fn of(memories: usize, findings: Vec<Finding>) -> Self {
        let mut held = Held::new(memories, usize::MAX);
        for finding in findings {
            held.hold(finding, &mut |_| {});
        }
        held.into_digest()
    }
}

/// Checks every memory with the selected rules, in parallel. Holds at most `most` findings of each
/// rule, errors apart: those of 100,000 memories take too much room.
pub fn digest(cx: &Context<'_>, rules: &Selection, most: usize) -> Digest {
    let all = all(cx);
    digest_of(cx, rules, most, &all)
}

/// The memories that are checked: context is not.
fn all(cx: &Context<'_>) -> Vec<usize> {
    let memories = cx.memories.iter().enumerate();
    let checked = memories.filter(|(_, memory)| !memory.schema.can.context);
    checked.map(|(index, _)| index).collect()
}

/// The same for the memories with these indexes only.
pub fn digest_of(cx: &Context<'_>, rules: &Selection, most: usize, indexes: &[usize]) -> Digest {
    let facts = Facts::new(cx, most);
    let rules: Vec<_> = rules.rules().collect();
    run(cx, &rules, &facts, (indexes, &mut Cache::default()))
}

/// The same as [`digest`], with the findings of the last run for memories that did not change.
pub fn digest_again(cx: &Context<'_>, rules: &Selection, most: usize, cache: &mut Cache) -> Digest {
    let all = all(cx);
    let facts = Facts::new(cx, most);
    let rules: Vec<_> = rules.rules().collect();
    cache.turn(cx, &facts, &rules);
    run(cx, &rules, &facts, (&all, cache))
}

fn run(
    cx: &Context<'_>,
    rules: &[&'static dyn Rule],
    facts: &Facts,
    (indexes, cache): (&[usize], &mut Cache),
) -> Digest {
    let mut collector = Collector::new(cx, facts.most);
    rayon::in_place_scope(|scope| {
        // One job: rules that share what they prepare do not wait for each other.
        scope.spawn(|_| rules.iter().for_each(|rule| rule.prepare(cx, facts)));
        check_all(cx, rules, facts, (indexes, cache), &mut collector);
    });
    collector.take_waiting();
    for rule in rules {
        rule.finish(cx, facts, &mut collector);
    }
    super::judged::finish(cx, rules, &mut collector);
    super::store::finish(cx, rules, &mut collector);
    cache.carry(facts);
    let notes = facts.notes();
    // A rule that checked only a part may have missed findings.
    let is_complete = |rule: &&dyn Rule| {
        notes.iter().all(|note| note.rule != rule.id()) && facts.is_complete(rule.id())
    };
    let complete: Vec<&dyn Rule> = rules.iter().map(|rule| *rule as &dyn Rule).collect();
    let complete: Vec<&dyn Rule> = complete.into_iter().filter(is_complete).collect();
    let whole = indexes.len() == cx.memories.len();
    let mut digest = collector.end(&complete, whole);
    digest.notes = notes;
    in_files(cx, &mut digest.findings);
    sort(cx, &mut digest.findings);
    digest
}

/// Checks these memories, in pieces.
fn check_all(
    cx: &Context<'_>,
    rules: &[&'static dyn Rule],
    facts: &Facts,
    (indexes, cache): (&[usize], &mut Cache),
    collector: &mut Collector<'_>,
) {
    for piece in indexes.chunks(PIECE) {
        let (known, collected) = (&*cache, &*collector);
        let checked: Vec<Option<Checked>> = piece
            .par_iter()
            .map(|index| one(cx, facts, rules, (known, collected), *index))
            .collect();
        for (index, checked) in piece.iter().zip(checked) {
            let Some(Checked {
                found,
                new,
                gathered,
            }) = checked
            else {
                continue;
            };
            cache.gather(*index, gathered);
            match found {
                Known::Counts(counts) => collector.count(*index, &counts),
                Known::Whole(found) => {
                    let is_plain = found.is_plain(*index);
                    let kept = cache.keeps().then(|| Arc::clone(&found));
                    let counts = collector.take(*index, Arc::unwrap_or_clone(found));
                    if let (Some(new), Some(kept)) = (new, kept) {
                        cache.put(*index, new, kept, is_plain.then_some(counts));
                    }
                }
            }
        }
    }
}

/// Translates positions in texts, as rules see them, into positions in files.
fn in_files(cx: &Context<'_>, findings: &mut [Finding]) {
    let mut parts: Vec<(usize, usize, &mut Finding)> = Vec::new();
    for finding in findings {
        // A finding about a whole memory stays at its beginning.
        let part = finding.place.as_ref().filter(|bytes| **bytes != (0..0));
        if let Some(at) = part.map(|bytes| bytes.start) {
            parts.push((finding.memory, at, finding));
        }
    }
    parts.sort_by_key(|(memory, at, _)| (*memory, *at));
    for of_memory in parts.chunk_by_mut(|(a, ..), (b, ..)| a == b) {
        let bytes: Vec<usize> = of_memory.iter().map(|(_, at, _)| *at).collect();
        let memory = of_memory.first().and_then(|part| cx.memories.get(part.0));
        let places = memory.and_then(|memory| cx.texts.places(memory, &bytes));
        for ((.., finding), place) in of_memory.iter_mut().zip(places.into_iter().flatten()) {
            (finding.line, finding.column) = place;
        }
    }
}

/// What came of one memory.
struct Checked {
    found: Known,
    /// What the cache keeps beside the findings, if they are new.
    new: Option<New>,
    /// What rules gathered, if that is new.
    gathered: Option<Gathering>,
}

/// Checks one memory, or takes from the cache what is known of it.
fn one(
    cx: &Context<'_>,
    facts: &Facts,
    rules: &[&'static dyn Rule],
    (cache, collector): (&Cache, &Collector<'_>),
    index: usize,
) -> Option<Checked> {
    let memory = cx.memories.get(index);
    let memory = memory.filter(|memory| memory.state == State::Active)?;
    let known = cache.get(index);
    let is_enough = |known: &&Known| match known {
        Known::Counts(counts) => !collector.would_hold(counts),
        Known::Whole(_) => true,
    };
    let gathering = known.and_then(|_| cache.gathered(index));
    let again = gathering.map_or(rules, |one| &one.again);
    let kept = gathering.iter().flat_map(|one| &one.kept);
    kept.for_each(|one| one.add(cx, facts, index));
    let enough = known.filter(is_enough).cloned();
    if let Some(found) = enough.clone().filter(|_| again.is_empty()) {
        return Some(Checked {
            found,
            new: None,
            gathered: None,
        });
    }
    // What cannot be read has no text, and that is a finding too.
    let text = cx.texts.text(memory).unwrap_or_default();
    let subject = Subject::new(cx, facts, index, memory, &text);
    let gathered = gather(&subject, again);
    Some(Checked {
        found: enough.unwrap_or_else(|| Known::Whole(Arc::new(check(&subject, rules)))),
        new: known.is_none().then(|| New {
            asked: subject.asked(),
            text: if cache.keeps() { cache::hash(&text) } else { 0 },
        }),
        gathered: gathering.is_none().then_some(gathered),
    })
}

/// What these rules gather of a memory.
fn gather(subject: &Subject<'_>, rules: &[&'static dyn Rule]) -> Gathering {
    let (mut kept, mut again) = (Vec::new(), Vec::new());
    for rule in rules {
        match rule.gather(subject) {
            Gather::Nothing => {}
            Gather::Again => again.push(*rule),
            Gather::Keep(one) => {
                one.add(subject.cx, subject.facts, subject.index);
                kept.push(one);
            }
        }
    }
    Gathering {
        kept: kept.into(),
        again: again.into(),
    }
}

/// What a rule gathers of a memory for the end of the run.
pub enum Gather {
    /// Nothing.
    Nothing,
    /// What the engine adds in this run and in each later one until the memory changes.
    Keep(Arc<dyn Gathered>),
    /// Something that the rule added itself, and gathers again in every run.
    Again,
}

impl Gather {
    /// What a rule gathers with the help of the history; without one, how many paths are unchecked.
    pub(super) fn from_history(
        subject: &Subject<'_>,
        rule: &'static str,
        gather: fn(&Subject<'_>, &History) -> Self,
    ) -> Self {
        match subject.cx.project.history() {
            Ok(history) => gather(subject, history),
            Err("") => Self::Nothing,
            Err(_) => Self::keep(Unchecked(rule, local_paths(subject.body().1))),
        }
    }

    /// This, kept for later runs.
    pub fn keep(one: impl Gathered + 'static) -> Self {
        Self::Keep(Arc::new(one))
    }
}
