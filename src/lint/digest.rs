//! One run of rules over a store.

use std::sync::Arc;

use rayon::prelude::*;

use super::cache::{self, Cache, Gathering, Known, New};
use super::collector::Collector;
use super::gather::Gather;
use super::held::Digest;
use super::{Context, Facts, Finding, Rule, Selection, Subject, check, sort};
use crate::memory::State;

/// Memories that are checked before their findings are collected, and most of them dropped.
const PIECE: usize = 512;

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
