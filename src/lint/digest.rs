//! All findings of a store, as many as are worth holding.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::asks::Ask;
use super::look::Gathered;
use super::memo::{self, Known, Memo, Whole};
use super::pairs::{Checked, Features};
use super::sift::{Found, Sift, Unreported};
use super::tally::{Covered, Out, Tally};
use super::{Context, Facts, Finding, Look, Rule, Selection, check, sort};
use crate::memory::{Memory, Severity, State};
use crate::search::query::Marks;

/// Memories that are looked at before what was found is sorted out, and most of it let go.
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
    /// How many findings are not reported, for they are silenced or old.
    pub unreported: Unreported,
}

impl Digest {
    /// The digest of these findings, all of them held.
    pub fn of(memories: usize, findings: Vec<Finding>) -> Self {
        let mut tally = Tally::new(memories, usize::MAX);
        tally.take(findings);
        tally.into_digest()
    }
}

/// Looks at every memory with the selected rules, in parallel. Of each rule no more than `most`
/// findings are held, errors apart: in a store of 100,000 they would take more room than the memories.
pub fn digest(cx: &Context<'_>, rules: &Selection, most: usize) -> Digest {
    let all: Vec<usize> = (0..cx.memories.len()).collect();
    digest_of(cx, rules, most, &all)
}

/// The same, looking at the memories with these indexes only.
pub fn digest_of(cx: &Context<'_>, rules: &Selection, most: usize, indexes: &[usize]) -> Digest {
    run(
        cx,
        rules,
        most,
        (indexes, &mut Memo::default()),
        Facts::new(cx, most),
    )
}

/// The same as [`digest`], with what was found the last time for memories that did not change.
pub fn digest_again(cx: &Context<'_>, rules: &Selection, most: usize, memo: &mut Memo) -> Digest {
    let all: Vec<usize> = (0..cx.memories.len()).collect();
    let facts = Facts::new(cx, most);
    let of_rules: Vec<&dyn Rule> = rules.rules().collect();
    memo.turn(cx, &facts, &of_rules);
    let digest = run(cx, rules, most, (&all, memo), facts);
    memo.settle();
    digest
}

fn run(
    cx: &Context<'_>,
    rules: &Selection,
    most: usize,
    (indexes, memo): (&[usize], &mut Memo),
    facts: Facts,
) -> Digest {
    let rules: Vec<&dyn Rule> = rules.rules().collect();
    let compares = rules.iter().any(|rule| rule.compares());
    let mut tally = Tally::new(cx.memories.len(), most);
    let mut sift = Sift::new(cx);
    let mut covered = Covered::new();
    facts.pairs.exchange(memo.take_pairs());
    for piece in indexes.chunks(PIECE) {
        let (known, held) = (&*memo, &tally);
        let found: Vec<Option<Looked>> = piece
            .par_iter()
            .map(|index| look(cx, &facts, (&rules, compares), (known, held), *index))
            .collect();
        for looked in found.into_iter().flatten() {
            let Looked {
                index, told, new, ..
            } = looked;
            memo.gather(index, looked.gathered);
            match told {
                Told::Counted(kind) => tally.count(index, memo.counts(kind)),
                Told::Found(found) => {
                    let plain = found.is_plain(index);
                    if !found.covered.is_empty() {
                        covered.insert(index, found.covered.clone());
                    }
                    let whole = memo.keeps_whole(plain).then(|| found.clone());
                    let reported = sift.take(index, found);
                    match (new, whole) {
                        (Some(new), Some(found)) => memo.put(index, new, found),
                        (Some(new), None) if plain => {
                            memo.put_counts(index, new, counts(&reported))
                        }
                        _ => {}
                    }
                    tally.take(reported);
                }
            }
        }
    }
    tally.take(sift.later());
    for rule in &rules {
        rule.finish(cx, &facts, &mut Out::new(&mut sift, &mut tally, &covered));
    }
    super::judged::finish(cx, &rules, &mut Out::new(&mut sift, &mut tally, &covered));
    memo.put_pairs(facts.pairs.exchange(Checked::default()));
    let notes = facts.notes();
    // Of a rule that could not check everything nobody knows what it would have found.
    let played = facts.played.get();
    let all_played = played.is_some_and(|stores| stores.iter().all(Result::is_ok));
    let could = |rule: &&dyn Rule| {
        notes.iter().all(|note| note.rule != rule.id()) && (all_played || !rule.plays())
    };
    let sure: Vec<&dyn Rule> = rules.iter().copied().filter(could).collect();
    let (found, unreported) = sift.end((&sure, indexes.len() == cx.memories.len()));
    tally.take(found);
    let mut digest = tally.into_digest();
    digest.notes = notes;
    digest.unreported = unreported;
    in_files(cx, &mut digest.findings);
    sort(cx, &mut digest.findings);
    digest
}

/// Gives findings that are about a part of a text the place of that part in the file: rules look
/// at texts as people read them.
pub(super) fn in_files(cx: &Context<'_>, findings: &mut [Finding]) {
    let mut parts: Vec<(usize, usize, &mut Finding)> = Vec::new();
    for finding in findings {
        // What is about all of a memory stands at its beginning.
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

/// What was found in a memory.
struct Looked {
    index: usize,
    told: Told,
    /// What is to be kept of it beside, where nothing was.
    new: Option<New>,
    /// What it has for rules that tell at the end, where that was not kept.
    gathered: Option<Gathered>,
}

/// What is kept of a memory beside what was found.
pub(super) struct New {
    /// The features of its body.
    pub features: Option<Features>,
    /// What was asked about others.
    pub asked: Vec<Ask>,
    /// Its text as a number.
    pub text: u64,
}

/// What was found in a memory, or how much, where none of it is held.
enum Told {
    Found(Found),
    /// By the number of the list.
    Counted(u32),
}

/// Findings of a memory by their rules and severities.
pub(super) type Counts = Box<[(&'static str, Severity)]>;

fn counts(findings: &[Finding]) -> Counts {
    let kinds = findings.iter();
    kinds
        .map(|finding| (finding.rule, finding.severity))
        .collect()
}

fn look(
    cx: &Context<'_>,
    facts: &Facts,
    (rules, compares): (&[&dyn Rule], bool),
    (memo, tally): (&Memo, &Tally),
    index: usize,
) -> Option<Looked> {
    let memory = cx.memories.get(index);
    let memory = memory.filter(|memory| memory.state == State::Active)?;
    // What its system does not read any more says nothing against what it reads.
    let compares = compares && !memory.is_expired(cx.now);
    let known = memo.get(index);
    let told = match known {
        Some(Known::Counted(kind, counts)) if !tally.holds(counts) => Some(Told::Counted(kind)),
        Some(Known::Whole(whole)) => Some(Told::Found(whole.found.clone())),
        _ => None,
    };
    if let Some(told) = told {
        if compares {
            match known {
                Some(Known::Whole(Whole {
                    features: Some(features),
                    ..
                })) => facts.pairs.put(index, features),
                _ => {
                    let text = cx.texts.text(memory).unwrap_or_default();
                    facts.pairs.add(&Look::new(cx, facts, index, memory, &text));
                }
            }
        }
        return Some(Looked {
            index,
            told,
            new: None,
            gathered: gather(cx, facts, rules, memo, (index, memory)),
        });
    }
    // What cannot be read has no text, and that is a finding too.
    let text = cx.texts.text(memory).unwrap_or_default();
    let look = Look::new(cx, facts, index, memory, &text);
    let features = compares.then(|| facts.pairs.add(&look));
    let found = check(&look, rules);
    Some(Looked {
        index,
        told: Told::Found(found),
        new: known.is_none().then(|| New {
            features,
            asked: look.asked(),
            text: if memo.keeps() { memo::number(&text) } else { 0 },
        }),
        gathered: Some(look.gathered()),
    })
}

/// Shows a memory of which the findings are known to the rules that tell of all at the end;
/// gives what they gathered where that was not known.
fn gather(
    cx: &Context<'_>,
    facts: &Facts,
    rules: &[&dyn Rule],
    known: &Memo,
    (index, memory): (usize, &Memory),
) -> Option<Gathered> {
    if let Some(gathered) = known.gathered(index) {
        facts.gathered(cx, index, &gathered);
        return None;
    }
    let text = cx.texts.text(memory).unwrap_or_default();
    let look = Look::new(cx, facts, index, memory, &text);
    for rule in rules.iter().filter(|rule| rule.gathers()) {
        rule.check(&look, &mut Vec::new());
    }
    Some(look.gathered())
}
