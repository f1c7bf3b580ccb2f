//! One run of rules over a store.

use rayon::prelude::*;

use super::collector::{Collector, Digest, Found};
use super::{Context, Facts, Finding, Rule, Selection, Subject, check, sort};
use crate::memory::State;
use crate::retrieval::StoreFault;

/// Memories that are checked before their findings are collected, and most of them dropped.
const PIECE: usize = 512;

/// Checks every memory with the selected rules, in parallel. Holds at most `most` findings of each
/// rule, errors apart: those of 100,000 memories take too much room.
pub fn digest(cx: &Context<'_>, rules: &Selection, most: usize) -> Digest {
    // Context is not checked.
    let memories = cx.memories.iter().enumerate();
    let checked = memories.filter(|(_, memory)| !memory.schema.can.context);
    let checked: Vec<usize> = checked.map(|(index, _)| index).collect();
    digest_of(cx, rules, most, &checked)
}

/// The same for the memories with these indexes only.
pub fn digest_of(cx: &Context<'_>, rules: &Selection, most: usize, indexes: &[usize]) -> Digest {
    let facts = &Facts::default();
    let rules: &Vec<&Rule> = &rules.rules().collect();
    let followed = cx.decisions.followed(cx);
    let decisions = followed.as_ref().unwrap_or(cx.decisions);
    let cx = &Context { decisions, ..*cx };
    let mut collector = Collector::new(cx, most);
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            let all = rules.iter();
            all.for_each(|rule| (rule.prepare)(rule, cx, facts));
        });
        // A memory that nobody asked about may be the place of a finding about one that is.
        let around = rules.iter().copied().filter(|rule| rule.relates);
        let around: Vec<&Rule> = around.collect();
        let of_memory = |index: &usize| match cx.focus {
            Some(focus) if !focus.contains(index) => &around,
            _ => rules,
        };
        for piece in indexes.chunks(PIECE) {
            let checked = piece.par_iter();
            let checked = checked.map(|index| one(cx, facts, of_memory(index), *index));
            let checked: Vec<Option<Found>> = checked.collect();
            for (index, found) in piece.iter().zip(checked) {
                found
                    .into_iter()
                    .for_each(|found| collector.take(*index, found));
            }
        }
    });
    for rule in rules {
        (rule.finish)(rule, cx, facts, &mut collector);
    }
    super::judged::finish(cx, rules, &mut collector);
    add_faults(cx, rules, &mut collector);
    let notes = facts.notes();
    // A rule that checked only a part may have missed findings.
    let complete = rules.iter().copied();
    let complete = complete.filter(|rule| facts.is_complete(rule.id));
    let complete: Vec<&Rule> = complete.collect();
    let whole = indexes.len() == cx.memories.len();
    let mut digest = collector.end(&complete, whole);
    digest.notes = notes;
    in_files(cx, &mut digest.findings);
    sort(cx, &mut digest.findings);
    digest
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

/// Reports the faults of all stores that belong to one of these rules.
fn add_faults(cx: &Context<'_>, rules: &[&Rule], out: &mut Collector<'_>) {
    for way in &cx.play.policies {
        let own = cx.memories.iter().map(|memory| &**memory).enumerate();
        let own = own.filter(|(_, one)| one.id.store == way.store && one.state == State::Active);
        let own: Vec<_> = own.collect();
        let any = StoreFault::of_any(&own, &way.options, cx.texts);
        let faults = (way.policy.faults)(&own, &way.options, cx.texts);
        for fault in faults.into_iter().chain(any) {
            let line = cx.memories.get(fault.memory).map_or(1, |one| one.line);
            if rules.iter().any(|rule| rule.id == fault.rule) {
                let finding = Finding::new(fault.rule, fault.severity, fault.memory, line);
                out.push(finding.says(fault.message).because_of(fault.evidence));
            }
        }
    }
}

/// Checks one memory.
fn one(cx: &Context<'_>, facts: &Facts, rules: &[&Rule], index: usize) -> Option<Found> {
    let memory = cx.memories.get(index);
    let memory = memory.filter(|memory| memory.state == State::Active)?;
    // An unreadable memory has no text, which is a finding too.
    let text = cx.texts.text(memory).unwrap_or_default();
    let subject = Subject::new(cx, facts, index, memory, &text);
    rules.iter().for_each(|rule| (rule.gather)(rule, &subject));
    Some(check(&subject, rules))
}
